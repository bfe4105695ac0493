"""The designs in folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from aikg.design.files import decode, read_bytes
from aikg.design.read import FORMATS
from aikg.design.schema import load_schema
from aikg.design.tree import Map, Node, Scalar, Seq, parse_yaml
from aikg.errors import InputError

_VERSION = re.compile(r'^(?:\{\s*)?["\']?aikg["\']?\s*:', re.MULTILINE)
# Turtle that types components of a design, and is no ontology, rule or shapes file.
_COMPONENT = re.compile(r"(?:aikg:|/ontology#)(?:[A-Z]\w+|has[A-Z]\w+)\b")
_KNOWLEDGE = re.compile(r"http://www\.w3\.org/(?:2002/07/owl|ns/shacl)#|aikg:(?:fact|Fact|Rule)\b")


def find_designs(paths: Path | str | Iterable[Path | str]) -> list[Path]:
    """The design files that paths stand for, each once.

    A file is taken as it is; in a folder the designs are searched, also in the folders below (hidden ones and
    symbolic links to folders left out), in alphabetical order. Files that another design of the folder includes, and
    YAML, JSON or Turtle files that are no designs, are left out.

    Arguments:
        paths: a file or folder, or several; `-` is kept as it is.

    Raises:
        InputError: a folder without designs.
    """
    found: dict[Path, None] = {}
    for path in [paths] if isinstance(paths, Path | str) else paths:
        path = Path(path)
        if not path.is_dir():
            found[path] = None
            continue
        designs = _designs_in(path)
        if not designs:
            raise InputError("holds no design (YAML, JSON, Turtle, N-Triples or JSON-LD)", str(path))
        found |= dict.fromkeys(designs)
    return list(found)


def _designs_in(folder: Path) -> list[Path]:
    root = folder.resolve()
    designs: list[Path] = []
    included: set[Path] = set()
    for file in sorted(_files(folder)):
        format = FORMATS.get(file.suffix.lower())
        if format is None or not file.is_file():
            continue
        if not file.resolve().is_relative_to(root):
            raise InputError("is a symbolic link that leaves the folder", str(file))
        text = _text(file)
        if text is None or not _is_design(text, format):
            continue
        designs.append(file)
        if format in ("yaml", "json") and "include" in text:
            included |= {(file.parent / name).resolve() for name in _includes(text, str(file))}
    return [file for file in designs if file.resolve() not in included]


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        yield from (Path(parent) / name for name in files)


def _text(file: Path) -> str | None:
    try:
        return decode(read_bytes(file, str(file)), str(file))
    except InputError:
        return None  # no text: no design either


def _is_design(text: str, format: str) -> bool:
    if format in ("ttl", "nt", "jsonld"):
        return (_COMPONENT.search(text) is not None and _KNOWLEDGE.search(text) is None) or '"nodes"' in text
    if _VERSION.search(text):
        return True
    kinds = load_schema().class_of
    if not any(kind in text for kind in kinds):
        return False
    try:
        root = parse_yaml(text, "")
    except InputError:
        # Broken, but with a list of a design at the start of a line: to be reported rather than passed over.
        return re.search(rf'^["\']?({"|".join(kinds)})["\']?:', text, re.MULTILINE) is not None
    return isinstance(root, Map) and any(_has_entries(root.values.get(kind)) for kind in kinds)


def _has_entries(node: Node | None) -> bool:
    """Whether a value is a list of components: other tools' files have `nodes:` too, but without ids."""
    if isinstance(node, Seq):
        return any(isinstance(item, Map) and "id" in item.values for item in node.items)
    return isinstance(node, Map) and "utilityKw" in node.values


def _includes(text: str, file: str) -> list[str]:
    try:
        root = parse_yaml(text, file)
    except InputError:
        return []
    value = root.values.get("include") if isinstance(root, Map) else None
    items = value.items if isinstance(value, Seq) else [value]
    return [item.text for item in items if isinstance(item, Scalar)]
