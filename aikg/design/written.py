"""A YAML file as written: its values with their style, and each comment with the entry that it belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from aikg.design.tree import Loader


@dataclass(slots=True)
class Written:
    """A value as written.

    Attributes:
        kind: "scalar", "seq", "map" or "alias".
        text: of a scalar its text, of an alias its name.
        plain: whether a scalar has no quotes.
        raw: lines of a literal (|) or folded (>) block with its header, indentation taken off; None for others.
        flow: whether a list or mapping is written in brackets.
        anchor: `&name ` or nothing.
        items: the entries of a list or mapping.
    """

    kind: str
    text: str = ""
    plain: bool = False
    raw: list[str] | None = None
    flow: bool = False
    anchor: str = ""
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """An entry of a list or mapping with its comments; "" among them is a blank line.

    Attributes:
        column: where it starts, counted from 0; -1 inside brackets.
        key: its key in a mapping.
        value: its value.
        before: comments above it.
        trailing: the comment at the end of its line.
        after: comments below it that are indented like it.
    """

    column: int
    key: str = ""
    value: Written = field(default_factory=lambda: Written("scalar"))
    before: list[str] = field(default_factory=list)
    trailing: str = ""
    after: list[str] = field(default_factory=list)


def read_written(text: str) -> tuple[Written, list[str]]:
    """The value of a YAML text that is known to be sound, and the comments after its end."""
    reader = _Reader(text)
    root = reader.read()
    return root, reader.place_comments()


def comments(text: str) -> list[str]:
    """All comments of a YAML text."""
    reader = _Reader(text)
    reader.read()
    found = (reader.comment(number) for number in range(len(reader.lines)))
    return [line[at:].rstrip() for line, at in zip(reader.lines, found, strict=True) if at is not None]


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.opaque: list[tuple[int, int]] = []  # quoted and block texts, in which # starts no comment
        self.items: list[Item] = []
        self.first_on: dict[int, int] = {}  # line -> position of the outermost item that starts there
        self.last_on: dict[int, Item] = {}  # line -> the item of which a key, text or closing bracket is last there

    def read(self) -> Written:
        root = Written("scalar")
        events = yaml.parse(self.text, Loader=Loader)
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                root = self._value(event, events, None)
        return root

    def _value(self, event: Any, events: Iterator[Any], owner: Item | None) -> Written:
        if isinstance(event, yaml.AliasEvent):
            self._ends(event, owner)
            return Written("alias", str(event.anchor))
        anchor = f"&{event.anchor} " if event.anchor else ""
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, anchor, owner)
        value = Written("map" if isinstance(event, yaml.MappingStartEvent) else "seq", anchor=anchor)
        value.flow = bool(event.flow_style)
        inner = event
        for inner in events:
            if isinstance(inner, yaml.CollectionEndEvent):
                break
            item = Item(-1 if value.flow else inner.start_mark.column)
            self.first_on.setdefault(inner.start_mark.line, len(self.items))
            self.items.append(item)
            value.items.append(item)
            if value.kind == "map":
                item.key = inner.value
                self._opaque(inner)
                self._ends(inner, item)
                inner = next(events)
            elif not value.flow:
                item.column = max(0, self.lines[inner.start_mark.line].rfind("- ", 0, inner.start_mark.column))
            item.value = self._value(inner, events, item)
        if value.flow:
            self._ends(inner, owner)
        return value

    def _ends(self, event: Any, item: Item | None) -> None:
        if item is not None:
            self.last_on[event.end_mark.line] = item

    def _opaque(self, event: Any) -> None:
        if event.style in ("'", '"'):
            self.opaque.append((event.start_mark.index, event.end_mark.index))

    def _scalar(self, event: Any, anchor: str, owner: Item | None) -> Written:
        plain = event.implicit[0] and event.style in (None, "")
        value = Written("scalar", event.value, plain, anchor=anchor)
        if event.style not in ("|", ">"):
            self._opaque(event)
            if event.end_mark.index > event.start_mark.index:
                self._ends(event, owner)
            return value
        start, end = event.start_mark.index, event.end_mark.index
        header, *lines = self.text[start:end].rstrip().split("\n")
        self.opaque.append((start + len(header), end))
        indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
        if "#" not in header and not any(letter.isdigit() for letter in header):
            value.raw = [header.rstrip(), *(line[indent:].rstrip() for line in lines)]
        return value

    # ---- Comments

    def _inside(self, index: int) -> bool:
        position = bisect_right(self.opaque, (index, len(self.text))) - 1
        return position >= 0 and self.opaque[position][0] < index < self.opaque[position][1]

    def comment(self, number: int) -> int | None:
        """Where the comment of a line starts, None where it has none."""
        line = self.lines[number]
        at = line.find("#")
        while at >= 0:
            if (at == 0 or line[at - 1] in " \t") and not self._inside(self.starts[number] + at):
                return at
            at = line.find("#", at + 1)
        return None

    def place_comments(self) -> list[str]:
        """Give comments and blank lines to items; those after the last item are returned."""
        waiting: list[tuple[int, str]] = []  # column (-1 for blank lines) and text
        for number, line in enumerate(self.lines):
            at = self.comment(number)
            if not line[:at].strip() and not self._inside(self.starts[number]):
                waiting.append((-1, "") if at is None else (at, line[at:].rstrip()))
                continue
            position = self.first_on.get(number)
            if position is not None:
                item = self.items[position]
                item.before += self._after_earlier(waiting, position, item.column)
                waiting = []
            if at is not None:
                owner = self.last_on.get(number)
                if owner is not None and not owner.trailing:
                    owner.trailing = line[at:].rstrip()
                else:
                    waiting.append((0, line[at:].rstrip()))
        return self._after_earlier(waiting, len(self.items), 0)

    def _after_earlier(self, waiting: list[tuple[int, str]], position: int, column: int) -> list[str]:
        """Give comments that are indented deeper than what follows to what stands above; the others are returned."""
        deeper = [index for index, (at, _) in enumerate(waiting) if at > column >= 0]
        cut = deeper[-1] + 1 if deeper else 0
        for at, text in waiting[:cut]:
            for earlier in reversed(self.items[:position]):
                if 0 <= earlier.column <= max(at, 0) and (text or earlier.after):
                    earlier.after.append(text)
                    break
        return [text for _, text in waiting[cut:]]
