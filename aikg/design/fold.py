"""Entries as written become records: templates are applied, ranges unfolded, values typed by the schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from aikg.design import ranges
from aikg.design.records import Origin, Path, Record, Value
from aikg.design.schema import Key, Schema
from aikg.design.templates import Keys, Placed, Templates
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.typed import typed, typed_scalar
from aikg.errors import InputError

# Entries that may have an id although it is no property of the ontology.
_ID = Key("id", "string")


class _Many:
    """One value for each slot of a folded entry, or for each of its nested ids, again and again."""

    __slots__ = ("values",)

    def __init__(self, values: list[Value]) -> None:
        self.values = values


_Column = Value | _Many | None


@dataclass(frozen=True, slots=True)
class _Slots:
    """What ranged values are spread over.

    Attributes:
        inner: ids that the values of the entry go over.
        total: the same times the ids of the enclosing entry, which values may also give one by one.
    """

    inner: int
    total: int


_ONE = _Slots(1, 1)


def _fail(message: str, file: str, node: Node) -> InputError:
    return InputError(message, file, node.line)


def kind_of(node: Node) -> str:
    """What a node is, in words."""
    return "a value" if isinstance(node, Scalar) else "a list" if isinstance(node, Seq) else "a mapping"


class Folder:
    """Unfolds the entries of one design."""

    def __init__(self, schema: Schema, templates: Templates) -> None:
        self.schema = schema
        self.templates = templates
        self.made = 0

    def spend(self, number: int, file: str, node: Node) -> None:
        """Count what is about to be made.

        Raises:
            InputError: the design has become too large.
        """
        self.made += number
        if self.made > ranges.MAX_MEMBERS:
            raise _fail(f"the design unfolds to more than {ranges.MAX_MEMBERS:,} components", file, node)

    def records(self, kind: str, entry: Node, file: str) -> Iterator[Record]:
        """The records of one entry of a collection.

        Arguments:
            kind: the collection key.
            entry: the entry as written.
            file: the file that it stands in.

        Raises:
            InputError: an unknown key, a wrong structure, a missing id, or values that do not divide among the ids.
        """
        cls = self.schema.class_of[kind]
        if not isinstance(entry, Map):
            raise _fail(f"an entry of {kind} is {kind_of(entry)}, expected a mapping such as `id: ...`", file, entry)
        keys = self.templates.applied(entry, file)
        ids = self._ids(kind, keys, entry, file)
        self.spend(len(ids), file, entry)
        origins: dict[Path, Origin] = {}
        fields = self._fields(cls, keys, _Slots(len(ids), len(ids)), (), origins)
        place = Origin(file, entry.line, entry.column)
        varying = [(name, column.values) for name, column in fields.items() if isinstance(column, _Many)]
        base = cast("dict[str, Value]", fields)
        for position, name in enumerate(ids):
            own = base.copy()
            for key, values in varying:
                own[key] = values[position]
            yield Record(kind, name, own, place, origins)

    def _ids(self, kind: str, keys: Keys, entry: Map, file: str) -> list[str]:
        placed = keys.pop("id", None)
        if placed is None:
            if kind == "site":
                return ["site"]
            raise _fail(f"an entry of {kind} has no id", file, entry)
        if not isinstance(placed.node, Scalar) or placed.node.missing:
            raise _fail(f"the id of an entry of {kind} must be a name", placed.file, placed.node)
        names = ranges.expand(placed.node.text, placed.file, placed.node.line)
        if kind == "site" and len(names) > 1:
            raise _fail("a design has one site", placed.file, placed.node)
        return names

    def _fields(
        self, cls: str, keys: Keys, slots: _Slots, path: Path, origins: dict[Path, Origin]
    ) -> dict[str, _Column]:
        fields: dict[str, _Column] = {}
        known = self.schema.keys[cls]
        for name, placed in keys.items():
            key = known.get(name)
            if key is None:
                raise self.unknown(name, cls, placed)
            column = self._column(key, placed.node, placed.file, slots, (*path, name), origins)
            if column is not None:
                fields[name] = column
        return fields

    def unknown(self, name: str, cls: str, placed: Placed) -> InputError:
        """The error of a key that a class does not have."""
        close = self.schema.suggestion(name, cls)
        hint = f"; did you mean '{close}'?" if close else f"; known keys: {', '.join(sorted(self.schema.keys[cls]))}"
        return _fail(f"unknown key '{name}' of {self.schema.kind_of(cls)}{hint}", placed.file, placed.key)

    def plain(self, key: Key, placed: Placed, path: Path, origins: dict[Path, Origin]) -> Value | None:
        """The value of a key outside folded entries; None where nothing is written."""
        return cast("Value | None", self._column(key, placed.node, placed.file, _ONE, path, origins))

    def _column(
        self, key: Key, node: Node, file: str, slots: _Slots, path: Path, origins: dict[Path, Origin]
    ) -> _Column:
        if isinstance(node, Scalar) and node.missing:
            return None
        origins[path] = Origin(file, node.line, node.column)
        if key.multiple:
            if not isinstance(node, Seq):
                raise _fail(f"{key.name} takes a list, such as `{key.name}: [...]`; found {kind_of(node)}", file, node)
            return self._list(key, node, file, slots, path, origins)
        if key.nested is not None:
            if not isinstance(node, Map):
                raise _fail(f"{key.name} takes a mapping; found {kind_of(node)}", file, node)
            return self._nested(key.nested, node, file, slots, path, origins)
        if isinstance(node, Map) and list(node.values) == ["cycle"]:
            return self._cycle(key, node.values["cycle"], file, slots)
        if not isinstance(node, Scalar):
            hint = ""
            if isinstance(node, Seq) and len(node.items) == 1 and isinstance(node.items[0], Scalar):
                hint = f'; a range needs quotes: "[{node.items[0].text}]"'
            raise _fail(f"{key.name} takes one value; found {kind_of(node)}{hint}", file, node)
        return self._leaf(key, node, file, slots)

    def _leaf(self, key: Key, node: Scalar, file: str, slots: _Slots) -> _Column:
        if key.prose or not ranges.is_range(node.text):
            return typed_scalar(node, key)
        number = ranges.count(node.text)
        if slots.total == 1 and number == 1 and key.datatype == "string" and key is not _ID and "[[]" not in node.text:
            return node.text  # "bay [3]" of a single entry: a bracket around one thing, nothing to spread
        if number not in (1, slots.total) and slots.inner % number:
            raise _fail(_uneven(node.text, number, slots), file, node)
        names = ranges.expand(node.text, file, node.line)
        if number == 1:
            return typed(names[0], True, key)
        values: list[Value] = [typed(name, True, key) for name in names]
        if slots.inner % number:
            return _Many(values)
        block = slots.inner // number
        return _Many(values if block == 1 else [value for value in values for _ in range(block)])

    def _cycle(self, key: Key, node: Node, file: str, slots: _Slots) -> _Column:
        if not isinstance(node, Scalar) or node.missing:
            raise _fail("`cycle:` takes a range of values", file, node)
        number = ranges.count(node.text)
        if slots.inner % number:
            raise _fail(_uneven(node.text, number, slots), file, node)
        values: list[Value] = [typed(name, True, key) for name in ranges.expand(node.text, file, node.line)]
        return values[0] if number == 1 else _Many(values * (slots.inner // number))

    def _nested(
        self, cls: str, node: Map, file: str, slots: _Slots, path: Path, origins: dict[Path, Origin]
    ) -> _Column:
        keys = self.templates.applied(node, file)
        fields: dict[str, _Column] = {}
        if cls in ("Nic", "Psu"):
            placed = keys.pop("id", None)
            if placed is not None:
                if not isinstance(placed.node, Scalar) or placed.node.missing:
                    raise _fail(f"the id of an entry of {self.schema.kind_of(cls)} must be a name", file, placed.node)
                fields["id"] = self._leaf(_ID, placed.node, file, slots)
            elif cls == "Nic":
                raise _fail("an entry of nics has no id", file, node)
        fields |= self._fields(cls, keys, slots, path, origins)
        lengths = {len(column.values) for column in fields.values() if isinstance(column, _Many)}
        if not lengths:
            return cast("dict[str, Value]", fields)
        size = max(lengths)
        self.spend(size, file, node)
        return _Many([cast("Value", {n: _at(column, slot) for n, column in fields.items()}) for slot in range(size)])

    def _list(self, key: Key, node: Seq, file: str, slots: _Slots, path: Path, origins: dict[Path, Origin]) -> _Column:
        items: list[_Column] = []
        for item in node.items:
            at = (*path, len(items))
            if key.nested is None:
                if not isinstance(item, Scalar):
                    raise _fail(f"{key.name} is a list of names; found {kind_of(item)} in it", file, item)
                column = self._leaf(key, item, file, slots)
                if column is not None:
                    origins[at] = Origin(file, item.line, item.column)
                    items.append(column)
                continue
            if not isinstance(item, Map):
                raise _fail(f"{key.name} is a list of mappings; found {kind_of(item)} in it", file, item)
            items += self._nested_items(key.nested, item, file, slots, at, origins)
        lengths = {len(item.values) for item in items if isinstance(item, _Many)}
        if not lengths:
            return cast("list[Value]", items)
        size = max(lengths)
        return _Many([cast("Value", [_at(item, slot) for item in items]) for slot in range(size)])

    def _nested_items(
        self, cls: str, item: Map, file: str, slots: _Slots, at: Path, origins: dict[Path, Origin]
    ) -> list[_Column]:
        """The nested entries of one item: several where its own id is a range."""
        own = item.values.get("id")
        inner = ranges.count(own.text) if isinstance(own, Scalar) else 1
        if inner == 1:
            origins[at] = Origin(file, item.line, item.column)
            return [self._nested(cls, item, file, slots, at, origins)]
        assert isinstance(own, Scalar)
        ranges.expand(own.text, file, own.line)  # too many are refused before anything is multiplied
        self.spend(inner, file, item)
        places: dict[Path, Origin] = {}
        column = self._nested(cls, item, file, _Slots(inner, inner * slots.total), (), places)
        assert isinstance(column, _Many)
        columns: list[_Column] = []
        for position in range(inner):
            here = (*at[:-1], cast("int", at[-1]) + position)
            origins[here] = Origin(file, item.line, item.column)
            for rest, origin in places.items():
                origins[(*here, *rest)] = origin
            each = column.values[position::inner]
            columns.append(each[0] if len(each) == 1 else _Many(each))
        return columns


def _at(column: _Column, slot: int) -> Value:
    return column.values[slot % len(column.values)] if isinstance(column, _Many) else cast("Value", column)


def _uneven(text: str, number: int, slots: _Slots) -> str:
    ids = "1 id" if slots.inner == 1 else f"{slots.inner:,} ids"
    both = f" (or {slots.total:,} with those of the enclosing entry)" if slots.total != slots.inner else ""
    return f"'{text[:100]}' has {number:,} values for {ids}{both}; {slots.inner:,} is not divisible by {number:,}"
