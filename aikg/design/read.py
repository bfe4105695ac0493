"""A file, a text or a plain object becomes a `DesignSource`: the one way in for every format."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aikg.design import tree
from aikg.design.files import DesignFolder, decode, read_bytes, read_standard_input
from aikg.design.fold import Folder, kind_of
from aikg.design.parameters import parameters_of
from aikg.design.records import DesignSource, Origin, Record, Value
from aikg.design.records import Path as FieldPath
from aikg.design.schema import Schema, load_schema
from aikg.design.templates import Templates
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.typed import typed_scalar
from aikg.errors import InputError

MAX_FILES = 1000
FORMATS = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".ttl": "ttl",
    ".nt": "nt",
    ".jsonld": "jsonld",
}
_EXPECT = ("rule", "focus", "verdict")


def read_design(path: Path | str) -> DesignSource:
    """The design in a file; `-` reads YAML or JSON from standard input.

    Arguments:
        path: a file; its ending says the format (.yaml, .yml, .json, .ttl, .nt, .jsonld).

    Raises:
        InputError: the file cannot be read as a design; the message names file and line.
    """
    shown = str(path)
    if shown == "-":
        text = decode(read_standard_input("<stdin>"), "<stdin>")
        return read_text(text, "json" if _is_json(text) else "yaml", "stdin", "<stdin>")
    file = Path(path)
    if file.is_dir():
        raise InputError("is a folder, expected a design file", shown)
    format = FORMATS.get(file.suffix.lower())
    if format is None:
        known = ", ".join(FORMATS)
        raise InputError(f"unknown kind of design file; expected one of {known}", shown)
    return read_text(decode(read_bytes(file, shown), shown), format, file.stem, shown, file.parent)


def read_text(text: str, format: str, name: str, file: str, folder: Path | None = None) -> DesignSource:
    """The design in a text.

    Arguments:
        text: the text.
        format: "yaml", "json", "ttl", "nt" or "jsonld".
        name: name of the design where the text gives none.
        file: what to call the text in messages.
        folder: the folder of the design, where included files are; None allows none.

    Raises:
        InputError: the text cannot be read as a design; the message names file and line.
    """
    if format in ("ttl", "nt"):
        from aikg.design.rdf_reader import read_rdf

        return read_rdf(text, format, name, file)
    root = _parse(text, format, file)
    if root is None or (isinstance(root, Scalar) and root.missing):
        raise InputError("the file is empty: nothing to check", file)
    if format in ("json", "jsonld"):
        from aikg.design.jsonld import is_authoring
        from aikg.design.rdf_reader import read_jsonld

        if not is_authoring(root):
            return read_jsonld(text, root, name, file)
    with _no_collector():
        return _Reader(load_schema(), DesignFolder(folder) if folder is not None else None).read(root, name, file)


def read_mapping(mapping: Mapping[str, Any], name: str = "design", file: str = "<object>") -> DesignSource:
    """The design in a plain Python object of the shape of a design file.

    Arguments:
        mapping: dicts, lists, text, numbers (floats by their shortest spelling), booleans and None.
        name: name of the design where the object gives none.
        file: what to call the object in messages.

    Raises:
        InputError: a wrong structure or an unknown key.
    """
    return _Reader(load_schema(), None).read(tree.from_python(mapping, file), name, file)


@contextmanager
def _no_collector() -> Iterator[None]:
    """Records make no garbage, and searching a million of them for some takes a third of the time (1.7 s to 1.1 s)."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _is_json(text: str) -> bool:
    """Whether a text without a file's ending is JSON; `{nodes: ...}` may be YAML too."""
    if not text.lstrip().startswith(("{", "[")):
        return False
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parse(text: str, format: str, file: str) -> Node | None:
    if format == "yaml":
        return tree.parse_yaml(text, file)
    from aikg.design.json_tree import parse_json

    return parse_json(text, file)


class _Reader:
    """Reads one design: its main file, then what it includes, then its cabling."""

    def __init__(self, schema: Schema, folder: DesignFolder | None) -> None:
        self.schema = schema
        self.folder = folder
        self.files: list[str] = []
        self.tops: list[tuple[Map, str]] = []
        self.templates = Templates()
        self.including: list[str] = []

    def read(self, root: Node, name: str, file: str) -> DesignSource:
        """The design of a main file, everything unfolded."""
        self._open(root, file)
        design = self._design(name)
        records = [design]
        folder = Folder(self.schema, self.templates)
        for top, place in self.tops:
            self._components(top, place, folder, records)
        self._cables(records, folder)
        return DesignSource(str(design.fields["name"]), self.files, records, self._expect())

    # ---- Files

    def _open(self, root: Node, file: str) -> None:
        if not isinstance(root, Map):
            text = f"a design file is a mapping (`nodes:`, `racks:` ...); found {kind_of(root)}"
            raise InputError(text, file, root.line)
        self.files.append(file)
        if len(self.files) > MAX_FILES:
            raise InputError(f"more than {MAX_FILES} files make up this design", file)
        known = self.schema.top_keys()
        for name, key in root.keys.items():
            if name == "@context":
                from aikg.design.jsonld import CONTEXT_URLS

                context = root.values[name]
                if not (isinstance(context, Scalar) and context.text in CONTEXT_URLS):
                    raise InputError(f"the @context of a design file is {CONTEXT_URLS[0]}", file, key.line)
            elif name not in known:
                close = self.schema.suggestion(name, "Design")
                hint = f"did you mean '{close}'?" if close else f"known keys: {', '.join(known)}"
                raise InputError(f"unknown key '{name}' at the top of the file; {hint}", file, key.line)
        version = root.values.get("aikg")
        if version is not None and not (isinstance(version, Scalar) and version.text == "1"):
            raise InputError("unknown format version; this aikg reads `aikg: 1`", file, version.line)
        self.tops.append((root, file))
        if "templates" in root.values:
            self.templates.add(root.values["templates"], file)
        self.including.append(file)
        for entry in _texts(root, "include", file):
            self._include(entry, file)
        self.including.pop()

    def _inside(self, entry: Scalar, file: str) -> tuple[Path, str]:
        if self.folder is None:
            raise InputError("this design was not read from a file, so it cannot bring in others", file, entry.line)
        return self.folder.inside(entry.text, file, entry.line)

    def _include(self, entry: Scalar, file: str) -> None:
        target, shown = self._inside(entry, file)
        known = {Path(other).resolve(): other for other in self.files}
        if target in known:
            if known[target] in self.including:
                chain = " -> ".join([*self.including[self.including.index(known[target]) :], shown])
                raise InputError(f"files include each other in a circle: {chain}", file, entry.line)
            raise InputError(f"'{entry.text}' is included twice", file, entry.line)
        format = FORMATS.get(target.suffix.lower())
        if format not in ("yaml", "json"):
            raise InputError(
                f"'{entry.text}' cannot be included; expected a .yaml, .yml or .json file", file, entry.line
            )
        root = _parse(decode(read_bytes(target, shown), shown), format, shown)
        if root is None or (isinstance(root, Scalar) and root.missing):
            raise InputError("the file is empty", shown)
        self._open(root, shown)

    # ---- Components

    def _components(self, top: Map, file: str, folder: Folder, records: list[Record]) -> None:
        for key in top.values:
            if key not in self.schema.class_of:
                continue
            value = top.values[key]
            if isinstance(value, Scalar) and value.missing:
                continue
            if key == "site":
                self._site(value, file, folder, records)
                continue
            if not isinstance(value, Seq):
                text = f"{key} takes a list of entries (`- id: ...`); found {kind_of(value)}"
                raise InputError(text, file, value.line)
            for entry in value.items:
                records += folder.records(key, entry, file)

    def _site(self, value: Node, file: str, folder: Folder, records: list[Record]) -> None:
        if not isinstance(value, Map):
            raise InputError(f"site takes a mapping; found {kind_of(value)}", file, value.line)
        if not value.values:
            return
        first = next((record for record in records if record.kind == "site"), None)
        if first is not None:
            raise InputError(f"a second site (the first is in {first.origin}); a design has one", file, value.line)
        records += folder.records("site", value, file)

    def _cables(self, records: list[Record], folder: Folder) -> None:
        """Links from `cables:` files, then those of the `cabling:` patterns, which take the ports still free."""
        for top, place in self.tops:
            for entry in _texts(top, "cables", place):
                from aikg.design.cables import read_cables

                target, shown = self._inside(entry, place)
                self.files.append(shown)
                records += read_cables(target, shown, self.schema)
        patterns = [(top.values["cabling"], place) for top, place in self.tops if "cabling" in top.values]
        if patterns:
            from aikg.design.cabling import Cabling

            cabling = Cabling(records, folder)
            for value, place in patterns:
                records += cabling.links(value, place)

    # ---- The design itself

    def _design(self, name: str) -> Record:
        """The record of the design itself, from the scalars at the top of its files."""
        first, file = self.tops[0]
        fields: dict[str, Value] = {}
        origins: dict[FieldPath, Origin] = {}
        keys = self.schema.keys["Design"]
        for top, place in self.tops:
            for key, value in top.values.items():
                if key not in keys:
                    continue
                if not isinstance(value, Scalar):
                    raise InputError(f"{key} takes one value; found {kind_of(value)}", place, value.line)
                found = typed_scalar(value, keys[key])
                if found is None:
                    continue
                if key in fields:
                    raise InputError(f"{key} is given twice (also in {origins[(key,)]})", place, value.line)
                fields[key] = found
                origins[(key,)] = Origin(place, value.line, value.column)
        parameters: dict[str, Value] = {}
        for top, place in self.tops:
            if "parameters" in top.values:
                parameters_of(top.values["parameters"], place, self.schema, parameters, origins)
        if parameters:
            fields["parameters"] = parameters
        fields.setdefault("name", name)
        return Record("design", "design", fields, Origin(file, first.line, first.column), origins)

    def _expect(self) -> list[tuple[str, str, str]]:
        """The expected verdicts of an example design."""
        found: list[tuple[str, str, str]] = []
        for top, file in self.tops:
            value = top.values.get("expect")
            if value is None or (isinstance(value, Scalar) and value.missing):
                continue
            if not isinstance(value, Seq):
                raise InputError("expect takes a list of {rule, focus, verdict}", file, value.line)
            for item in value.items:
                if not isinstance(item, Map) or set(item.values) != set(_EXPECT):
                    raise InputError("expect takes entries of exactly rule, focus and verdict", file, item.line)
                rule, focus, verdict = (item.values[key] for key in _EXPECT)
                if not (isinstance(rule, Scalar) and isinstance(focus, Scalar) and isinstance(verdict, Scalar)):
                    raise InputError("rule, focus and verdict of expect are texts", file, item.line)
                found.append((rule.text, focus.text, verdict.text))
        return found


def _texts(top: Map, key: str, file: str) -> Sequence[Scalar]:
    """The file names of a key that takes one or a list of them."""
    value = top.values.get(key)
    if value is None or (isinstance(value, Scalar) and value.missing):
        return []
    found: list[Scalar] = []
    for item in value.items if isinstance(value, Seq) else [value]:
        if not isinstance(item, Scalar) or item.missing:
            raise InputError(f"{key} takes file names", file, item.line)
        found.append(item)
    return found
