"""A file, a text or a plain object becomes a `DesignSource`: the one way in for every format."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from aikg.design import tree
from aikg.design.fold import Folder
from aikg.design.templates import Placed, Templates
from aikg.design.records import DesignSource, IllTyped, Origin, Path as FieldPath, Record, Value
from aikg.design.schema import FILE_KEYS, Schema, load_schema
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.typed import typed_scalar
from aikg.errors import InputError

MAX_BYTES = 256 * 1024 * 1024
MAX_INCLUDES = 1000
YAML_SUFFIXES = (".yaml", ".yml", ".json")
RDF_SUFFIXES = (".ttl", ".nt", ".jsonld")
# A design may give these ratios as a pair: `storageOversub: [4, 3]`.
_PAIRS = ("storageOversub", "inferenceOversub")


def read_design(path: Path | str) -> DesignSource:
    """The design in a file; `-` reads YAML or JSON from standard input.

    Raises:
        InputError: the file cannot be read as a design; the message names file and line.
    """
    shown = str(path)
    if shown == "-":
        return read_text(_decode(sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>"), "yaml", "stdin", "<stdin>")
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix in RDF_SUFFIXES:
        from aikg.design.rdf_reader import read_rdf

        return read_rdf(_bytes(file, shown), suffix, file.stem, shown)
    if suffix not in YAML_SUFFIXES:
        known = ", ".join((*YAML_SUFFIXES, *RDF_SUFFIXES))
        raise InputError(f"unknown kind of design file; expected one of {known}", shown)
    return read_text(_decode(_bytes(file, shown), shown), "yaml", file.stem, shown, file.parent)


def read_text(text: str, format: str, name: str, file: str, folder: Path | None = None) -> DesignSource:
    """The design in a text.

    Arguments:
        text: YAML or JSON ("yaml"), or RDF ("ttl", "nt", "jsonld").
        format: which of these.
        name: name of the design where the text gives none.
        file: what to call the text in messages.
        folder: where includes are looked for; None allows none.
    """
    if format in ("ttl", "nt", "jsonld"):
        from aikg.design.rdf_reader import read_rdf

        return read_rdf(text.encode(), f".{format}", name, file)
    root = tree.parse_yaml(text, file)
    if root is None or (isinstance(root, Scalar) and root.missing):
        raise InputError("the file is empty: nothing to check", file)
    return _Reader(load_schema(), folder).read(root, name, file)


def read_mapping(mapping: Mapping[str, Any], name: str = "design", file: str = "<object>") -> DesignSource:
    """The design in a plain Python object of the shape of a design file.

    Raises:
        InputError: a wrong structure or an unknown key.
    """
    return _Reader(load_schema(), None).read(tree.from_python(mapping, file), name, file)


def _bytes(file: Path, shown: str) -> bytes:
    try:
        if file.is_dir():
            raise InputError("is a folder, expected a design file", shown)
        if not file.is_file():
            raise InputError("is no regular file" if file.exists() else "no such file", shown)
        if file.stat().st_size > MAX_BYTES:
            raise InputError(f"is larger than {MAX_BYTES // 2**20} MiB", shown)
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", shown) from None


def _decode(data: bytes, shown: str) -> str:
    if len(data) > MAX_BYTES:
        raise InputError(f"is larger than {MAX_BYTES // 2**20} MiB", shown)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"is not UTF-8 (byte {data[error.start]:#04x})", shown, line) from None
    if "\0" in text:
        raise InputError("holds a NUL character", shown, text.count("\n", 0, text.index("\0")) + 1)
    return text


class _Reader:
    """Reads one design: its main file, then what it includes, then its cabling."""

    def __init__(self, schema: Schema, folder: Path | None) -> None:
        self.schema = schema
        self.folder = folder.resolve() if folder is not None else None
        self.shown_folder = folder
        self.files: list[str] = []
        self.tops: list[tuple[Map, str]] = []
        self.templates = Templates()
        self.loading: list[Path] = []

    def read(self, root: Node, name: str, file: str) -> DesignSource:
        self._open(root, file, self.folder)
        design = self._design(name)
        records = [design]
        folder = Folder(self.schema, self.templates)
        cabling: list[tuple[Map, str]] = []
        sites = 0
        for top, place in self.tops:
            for key, value in top.values.items():
                if key in FILE_KEYS or key in self.schema.keys["Design"] or key == "parameters":
                    continue
                if isinstance(value, Scalar) and value.missing:
                    continue
                if key == "site":
                    if not isinstance(value, Map):
                        raise InputError("site takes a mapping", place, value.line)
                    if value.values:
                        sites += 1
                        if sites > 1:
                            raise InputError("a second site; a design has one", place, value.line)
                        records += folder.records(key, value, place)
                    continue
                if not isinstance(value, Seq):
                    raise InputError(f"{key} takes a list of entries (`- id: ...`)", place, value.line)
                for entry in value.items:
                    records += folder.records(key, entry, place)
            cabling.append((top, place))
        records += self._cables(cabling, records, folder)
        return DesignSource(str(design.fields.get("name", name)), self.files, records, self._expect())

    def _cables(
        self, tops: Iterable[tuple[Map, str]], records: Sequence[Record], folder: Folder
    ) -> list[Record]:
        """Links from `cables:` files, then those of the `cabling:` patterns, which take the ports still free."""
        made: list[Record] = []
        for top, place in tops:
            for entry in self._items(top, "cables", place):
                from aikg.design.cables import read_cables

                file = self._inside(entry, place)
                shown = self._shown(file)
                self.files.append(shown)
                made += read_cables(file, shown, self.schema)
        patterns = [(top.values["cabling"], place) for top, place in tops if "cabling" in top.values]
        if patterns:
            from aikg.design.cabling import Cabling

            cabling = Cabling([*records, *made], folder)
            for value, place in patterns:
                made += cabling.links(value, place)
        return made

    def _open(self, root: Node, file: str, folder: Path | None) -> None:
        if not isinstance(root, Map):
            raise InputError("a design file is a mapping (`nodes:`, `racks:` ...); found something else", file, root.line)
        self.files.append(file)
        self._known_keys(root, file)
        version = root.values.get("aikg")
        if version is not None and not (isinstance(version, Scalar) and version.text == "1"):
            raise InputError("unknown format version; this aikg reads `aikg: 1`", file, version.line)
        self.tops.append((root, file))
        templates = root.values.get("templates")
        if isinstance(templates, Map):
            for name, template in templates.values.items():
                if not isinstance(template, Map):
                    raise InputError(f"template {name} must be a mapping", file, template.line)
                if name in self.templates.entries:
                    raise InputError(f"template {name} is given twice", file, template.line)
                self.templates.entries[name] = Placed(root.keys["templates"], template, file)
        elif templates is not None and not (isinstance(templates, Scalar) and templates.missing):
            raise InputError("templates takes a mapping of names to partial entries", file, templates.line)
        for entry in self._items(root, "include", file):
            self._include(entry, file)

    def _items(self, top: Map, key: str, file: str) -> list[Scalar]:
        """The texts of a key that takes one file name or a list of them."""
        value = top.values.get(key)
        if value is None or (isinstance(value, Scalar) and value.missing):
            return []
        items = [value] if isinstance(value, Scalar) else value.items if isinstance(value, Seq) else [value]
        for item in items:
            if not isinstance(item, Scalar) or item.missing:
                raise InputError(f"{key} takes file names", file, item.line)
        return [item for item in items if isinstance(item, Scalar)]

    def _inside(self, entry: Scalar, file: str) -> Path:
        """A file that the design names, which must lie in the design's own folder."""
        if self.folder is None or self.shown_folder is None:
            raise InputError("this design was not read from a file, so it cannot bring in others", file, entry.line)
        target = (self.folder / entry.text).resolve()
        if Path(entry.text).is_absolute() or not target.is_relative_to(self.folder):
            raise InputError(f"'{entry.text}' leaves the design's folder", file, entry.line)
        if not target.is_file():
            raise InputError(f"'{entry.text}' is no file in the design's folder", file, entry.line)
        return target

    def _shown(self, file: Path) -> str:
        assert self.folder is not None and self.shown_folder is not None
        return str(self.shown_folder / file.relative_to(self.folder))

    def _include(self, entry: Scalar, file: str) -> None:
        target = self._inside(entry, file)
        shown = self._shown(target)
        if shown in self.files:
            raise InputError(f"'{entry.text}' is included twice, or includes itself", file, entry.line)
        if len(self.files) > MAX_INCLUDES:
            raise InputError(f"more than {MAX_INCLUDES} files", file, entry.line)
        root = tree.parse_yaml(_decode(_bytes(target, shown), shown), shown)
        if root is None:
            raise InputError("the file is empty", shown)
        self._open(root, shown, self.folder)

    def _known_keys(self, top: Map, file: str) -> None:
        for name, key in top.keys.items():
            if (
                name not in FILE_KEYS
                and name not in self.schema.class_of
                and name not in self.schema.keys["Design"]
                and name not in ("parameters", "@context")
            ):
                close = self.schema.suggestion(name, "Design")
                hint = f"; did you mean '{close}'?" if close else ""
                raise InputError(f"unknown key '{name}'{hint}", file, key.line)

    def _design(self, name: str) -> Record:
        """The record of the design itself, from the scalars at the top of its files."""
        first, file = self.tops[0]
        fields: dict[str, Value] = {}
        origins: dict[FieldPath, Origin] = {}
        parameters: dict[str, Value] = {}
        for top, place in self.tops:
            for key, value in top.values.items():
                known = self.schema.keys["Design"].get(key)
                if known is not None and key != "parameters":
                    if not isinstance(value, Scalar):
                        raise InputError(f"{key} takes one value", place, value.line)
                    found = typed_scalar(value, known)
                    if found is None:
                        continue
                    if key in fields:
                        raise InputError(f"{key} is given twice (also in {origins[(key,)]})", place, value.line)
                    fields[key] = found
                    origins[(key,)] = Origin(place, value.line, value.column)
                elif key == "parameters":
                    self._parameters(value, place, parameters, origins)
        if parameters:
            fields["parameters"] = parameters
        fields.setdefault("name", name)
        return Record("design", "design", fields, Origin(file, first.line, first.column), origins)

    def _parameters(self, node: Node, file: str, into: dict[str, Value], origins: dict[FieldPath, Origin]) -> None:
        if isinstance(node, Scalar) and node.missing:
            return
        if not isinstance(node, Map):
            raise InputError("parameters takes a mapping of names to numbers", file, node.line)
        from aikg.design.schema import Key

        number = Key("parameter", "decimal")
        for name, value in node.values.items():
            origins[("parameters", name)] = Origin(file, value.line, value.column)
            pair = name in _PAIRS
            if pair and isinstance(value, Seq) and len(value.items) == 2:
                for suffix, item in zip(("Down", "Up"), value.items, strict=True):
                    if not isinstance(item, Scalar):
                        raise InputError(f"{name} takes two numbers", file, item.line)
                    into[name + suffix] = typed_scalar(item, number) or IllTyped(item.text)
                    origins[("parameters", name + suffix)] = Origin(file, item.line, item.column)
                continue
            if pair:
                raise InputError(f"{name} takes two numbers, such as [4, 3]", file, value.line)
            if name not in self.schema.parameters:
                import difflib

                close = difflib.get_close_matches(name, self.schema.parameters, 1, 0.5)
                hint = f"; did you mean '{close[0]}'?" if close else f"; known: {', '.join(self.schema.parameters)}"
                raise InputError(f"unknown parameter '{name}'{hint}", file, node.keys[name].line)
            if not isinstance(value, Scalar):
                raise InputError(f"parameter {name} takes one number", file, value.line)
            found = typed_scalar(value, number)
            if found is not None:
                into[name] = found

    def _expect(self) -> list[tuple[str, str, str]]:
        """The expected verdicts of an example design."""
        found: list[tuple[str, str, str]] = []
        for top, file in self.tops:
            value = top.values.get("expect")
            if value is None:
                continue
            for item in value.items if isinstance(value, Seq) else [value]:
                texts = [item.values.get(key) for key in ("rule", "focus", "verdict")] if isinstance(item, Map) else [None]
                if not all(isinstance(text, Scalar) for text in texts):
                    raise InputError("expect takes entries of rule, focus and verdict", file, item.line)
                rule, focus, verdict = (text.text for text in texts if isinstance(text, Scalar))
                found.append((rule, focus, verdict))
        return found
