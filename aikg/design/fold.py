"""Entries as written become records: templates are applied, ranges unfolded, values typed by the schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from aikg.design import ranges
from aikg.design.records import Origin, Path, Record, Value
from aikg.design.schema import Key, Schema
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.typed import typed, typed_scalar
from aikg.errors import InputError

# Texts for people: a bracket in them is a bracket.
_PROSE = ("Evidence", "Source", "evidence", "alternative")


@dataclass(frozen=True, slots=True)
class Placed:
    """A node and the file that it stands in: templates may come from another file than the entry that uses them."""

    node: Node
    file: str


@dataclass(slots=True)
class Templates:
    """The templates of a design, by name."""

    entries: dict[str, Placed] = field(default_factory=dict)


class _Many:
    """One value for each member of a folded entry; None where that member has none."""

    __slots__ = ("values",)

    def __init__(self, values: list[Value | None]) -> None:
        self.values = values


_Column = Value | _Many | None


def _fail(message: str, file: str, node: Node) -> InputError:
    return InputError(message, file, node.line)


def _kind_of(node: Node) -> str:
    return "text" if isinstance(node, Scalar) else "a list" if isinstance(node, Seq) else "a mapping"


def with_templates(entry: Map, file: str, templates: Templates, seen: tuple[str, ...] = ()) -> dict[str, tuple[Scalar, Placed]]:
    """The keys of an entry with those of its templates: own keys win, then those of the template named first.

    Raises:
        InputError: an unknown template, or templates that use each other in a circle.
    """
    found = {name: (entry.keys[name], Placed(value, file)) for name, value in entry.values.items() if name != "use"}
    use = entry.values.get("use")
    if use is None:
        return found
    names = [use] if isinstance(use, Scalar) else use.items if isinstance(use, Seq) else None
    if names is None:
        raise _fail("`use:` takes the name of a template or a list of names", file, use)
    for name in names:
        if not isinstance(name, Scalar):
            raise _fail("`use:` takes the name of a template or a list of names", file, name)
        if name.text in seen:
            raise _fail(f"templates use each other in a circle: {' -> '.join((*seen, name.text))}", file, name)
        template = templates.entries.get(name.text)
        if template is None:
            raise _fail(f"unknown template '{name.text}'{_did_you_mean(name.text, list(templates.entries))}", file, name)
        assert isinstance(template.node, Map)
        inherited = with_templates(template.node, template.file, templates, (*seen, name.text))
        for key, value in inherited.items():
            found.setdefault(key, value)
    return found


def _did_you_mean(name: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, 1, 0.6)
    return f"; did you mean '{close[0]}'?" if close else ""


class Folder:
    """Unfolds the entries of one design."""

    def __init__(self, schema: Schema, templates: Templates) -> None:
        self.schema = schema
        self.templates = templates
        self.members = 0

    def records(self, kind: str, entry: Node, file: str) -> Iterator[Record]:
        """The records of one entry of a collection.

        Raises:
            InputError: an unknown key, a wrong structure, a missing id, or values that do not divide among the ids.
        """
        cls = self.schema.class_of[kind]
        if not isinstance(entry, Map):
            raise _fail(f"an entry of {kind} is {_kind_of(entry)}, expected a mapping such as `id: ...`", file, entry)
        keys = with_templates(entry, file, self.templates)
        ids = self._ids(kind, keys, entry, file)
        self.members += len(ids)
        if self.members > ranges.MAX_MEMBERS:
            raise _fail(f"the design has more than {ranges.MAX_MEMBERS:,} components", file, entry)
        size = len(ids) if len(ids) > 1 else None
        origins: dict[Path, Origin] = {}
        fields = self._fields(cls, keys, size, (), origins)
        place = Origin(file, entry.line, entry.column)
        varying = [(name, column.values) for name, column in fields.items() if isinstance(column, _Many)]
        fixed: dict[str, Value] = {name: column for name, column in fields.items() if not isinstance(column, _Many)}  # type: ignore[misc]
        base: dict[str, Value] = {name: fixed.get(name, "") for name in fields}
        for position, name in enumerate(ids):
            own = base.copy()
            for key, values in varying:
                value = values[position]
                if value is None:
                    del own[key]
                else:
                    own[key] = value
            yield Record(kind, name, own, place, origins)

    def _ids(self, kind: str, keys: dict[str, tuple[Scalar, Placed]], entry: Map, file: str) -> list[str]:
        if "id" not in keys:
            if kind == "site":
                return ["site"]
            raise _fail(f"an entry of {kind} has no id", file, entry)
        value = keys.pop("id")[1]
        if not isinstance(value.node, Scalar) or value.node.missing:
            raise _fail(f"the id of an entry of {kind} must be a name", value.file, value.node)
        names = ranges.expand(value.node.text, value.file, value.node.line)
        if kind == "site" and len(names) > 1:
            raise _fail("a design has one site", value.file, value.node)
        return names

    def _fields(
        self, cls: str, keys: dict[str, tuple[Scalar, Placed]], size: int | None, path: Path, origins: dict[Path, Origin]
    ) -> dict[str, _Column]:
        fields: dict[str, _Column] = {}
        known = self.schema.keys[cls]
        for name, (written, placed) in keys.items():
            key = known.get(name)
            if key is None:
                if name == "id":
                    continue
                raise self._unknown(name, cls, written, placed.file)
            column = self._column(key, placed.node, placed.file, size, (*path, name), origins)
            if column is not None:
                fields[name] = column
        return fields

    def _unknown(self, name: str, cls: str, written: Scalar, file: str) -> InputError:
        kind = next((key for key, value in self.schema.class_of.items() if value == cls), cls)
        close = self.schema.suggestion(name, cls)
        hint = f"; did you mean '{close}'?" if close else f"; known keys: {', '.join(sorted(self.schema.keys[cls]))}"
        return InputError(f"unknown key '{name}' of {kind}{hint}", file, written.line)

    def _column(self, key: Key, node: Node, file: str, size: int | None, path: Path, origins: dict[Path, Origin]) -> _Column:
        origins[path] = Origin(file, node.line, node.column)
        if isinstance(node, Scalar) and node.missing:
            return None
        if key.multiple:
            if not isinstance(node, Seq):
                raise _fail(f"{key.name} takes a list, such as `{key.name}: [...]`; found {_kind_of(node)}", file, node)
            return self._list(key, node, file, size, path, origins)
        if key.nested is not None:
            if not isinstance(node, Map):
                raise _fail(f"{key.name} takes a mapping; found {_kind_of(node)}", file, node)
            return self._nested(key.nested, node, file, size, path, origins)
        if isinstance(node, Map) and list(node.values) == ["cycle"]:
            return self._cycle(key, node.values["cycle"], file, size)
        if not isinstance(node, Scalar):
            hint = ""
            if isinstance(node, Seq) and len(node.items) == 1 and isinstance(node.items[0], Scalar):
                hint = f'; write a range in quotes: "[{node.items[0].text}]"'
            raise _fail(f"{key.name} takes one value; found {_kind_of(node)}{hint}", file, node)
        return self._leaf(key, node, file, size)

    def _leaf(self, key: Key, node: Scalar, file: str, size: int | None) -> _Column:
        if size is None or not ranges.is_range(node.text) or key.name.endswith(_PROSE):
            return typed_scalar(node, key)
        names = ranges.expand(node.text, file, node.line)
        values: list[Value | None] = [typed(name, True, key) for name in names]
        if len(values) == size:
            return _Many(values)
        if size % len(values):
            raise _fail(
                f"'{node.text}' has {len(values)} values for {size} ids; {size} is not divisible by {len(values)}", file, node
            )
        block = size // len(values)
        return _Many([values[position // block] for position in range(size)])

    def _cycle(self, key: Key, node: Node, file: str, size: int | None) -> _Column:
        if not isinstance(node, Scalar):
            raise _fail("`cycle:` takes a range of names", file, node)
        names = ranges.expand(node.text, file, node.line)
        if size is None:
            return typed(names[0], True, key)
        if size % len(names):
            raise _fail(f"'{node.text}' deals {len(names)} values to {size} ids; {size} is not divisible by {len(names)}", file, node)
        return _Many([typed(names[position % len(names)], True, key) for position in range(size)])

    def _nested(self, cls: str, node: Map, file: str, size: int | None, path: Path, origins: dict[Path, Origin]) -> _Column:
        keys = with_templates(node, file, self.templates)
        written = keys.get("id")
        fields = self._fields(cls, keys, size, path, origins)
        if written is not None and cls in ("Nic", "Psu"):
            identity = written[1].node
            if not isinstance(identity, Scalar) or identity.missing:
                raise _fail("an id must be a name", file, identity)
            fields = {"id": self._leaf(Key("id", "string"), identity, file, size), **fields}
        elif cls == "Nic":
            raise _fail("an adapter (nics) has no id", file, node)
        elif written is not None:
            raise self._unknown("id", cls, written[0], file)
        return _rows(fields, size)

    def _list(self, key: Key, node: Seq, file: str, size: int | None, path: Path, origins: dict[Path, Origin]) -> _Column:
        items: list[_Column] = []
        for item in node.items:
            if key.nested is None:
                if not isinstance(item, Scalar):
                    raise _fail(f"{key.name} is a list of names; found {_kind_of(item)} in it", file, item)
                origins[(*path, len(items))] = Origin(file, item.line, item.column)
                column = self._leaf(key, item, file, size)
                if column is not None:
                    items.append(column)
                continue
            if not isinstance(item, Map):
                raise _fail(f"{key.name} is a list of mappings; found {_kind_of(item)} in it", file, item)
            items += self._nested_items(key.nested, item, file, size, path, len(items), origins)
        if not any(isinstance(item, _Many) for item in items):
            return items  # type: ignore[return-value]
        assert size is not None
        return _Many([[v for v in (_at(item, position) for item in items) if v is not None] for position in range(size)])

    def _nested_items(
        self, cls: str, item: Map, file: str, size: int | None, path: Path, start: int, origins: dict[Path, Origin]
    ) -> list[_Column]:
        """The nested entries of one item: several where its own id is a range."""
        merged = with_templates(item, file, self.templates)
        identity = merged.get("id")
        own = identity[1].node if identity is not None else None
        names = [""]
        if isinstance(own, Scalar) and ranges.is_range(own.text):
            names = ranges.expand(own.text, file, own.line)
        if len(names) == 1:
            at = (*path, start)
            origins[at] = Origin(file, item.line, item.column)
            return [self._nested(cls, item, file, size, at, origins)]
        inner: dict[Path, Origin] = {}
        column = self._nested(cls, item, file, len(names), (), inner)
        columns: list[_Column] = []
        for position in range(len(names)):
            at = (*path, start + position)
            origins[at] = Origin(file, item.line, item.column)
            for rest, origin in inner.items():
                origins[(*at, *rest)] = origin
            columns.append(_at(column, position))
        return columns


def _at(column: _Column, position: int) -> Value | None:
    return column.values[position] if isinstance(column, _Many) else column


def _rows(fields: dict[str, _Column], size: int | None) -> _Column:
    """Columns of a nested entry as one mapping, or as one for each member where a value differs."""
    if not any(isinstance(column, _Many) for column in fields.values()):
        return fields  # type: ignore[return-value]
    assert size is not None
    return _Many(
        [
            {name: value for name, value in ((name, _at(column, position)) for name, column in fields.items()) if value is not None}
            for position in range(size)
        ]
    )
