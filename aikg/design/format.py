"""The canonical form of a design file in YAML: one style, keys in order, comments where they were.

The file stays folded: ranges, templates and patterns are kept as written. It is read as events and comments and written
anew, because an entry's comments must move with its keys.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from aikg.design.key_order import KEY_RANK, LAST, PATTERN_RANK
from aikg.design.tree import Loader, Map, Node, Scalar, Seq, parse_yaml
from aikg.design.yaml_text import quoted
from aikg.errors import InputError

WIDTH = 120
# Mappings whose keys are names or that are read from top to bottom stay in the author's order.
_AUTHORS_ORDER = ("templates", "parameters", "expect")


def format_text(text: str, file: str) -> str:
    """A design file in its canonical form, with its comments; formatting twice changes nothing more.

    Arguments:
        text: the file's content, YAML.
        file: what to call it in messages.

    Raises:
        InputError: broken syntax, or the file cannot be written anew without loss.
    """
    if file.endswith(".json"):
        raise InputError("only YAML files have a canonical form", file)
    before = parse_yaml(text, file)
    if before is None:
        return text
    root, footer = _Reader(text).read()
    lines = [*_block(root, 0, ()), *footer]
    written = "\n".join(_single_blanks(lines)) + "\n"
    if _content(parse_yaml(written, file)) != _content(before) or _comments(written) != _comments(text):
        raise InputError("has a construct that the canonical form cannot hold; left as it is", file)
    return written


@dataclass(slots=True)
class _Value:
    """A value as written: a scalar, a list or a mapping."""

    kind: str  # "scalar", "seq", "map" or "alias"
    text: str = ""
    plain: bool = False
    raw: list[str] | None = None  # lines of a literal or folded block
    flow: bool = False
    anchor: str = ""
    items: list[_Item] = field(default_factory=list)


@dataclass(slots=True)
class _Item:
    """An entry of a list or mapping with the comments that belong to it; "" among them is a blank line."""

    column: int
    key: str = ""
    value: _Value = field(default_factory=lambda: _Value("scalar"))
    before: list[str] = field(default_factory=list)
    trailing: str = ""
    after: list[str] = field(default_factory=list)


class _Reader:
    """Reads events, and gives each comment to the entry that it belongs to."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.opaque: list[tuple[int, int]] = []  # texts in which # starts no comment
        self.items: list[tuple[int, _Item]] = []  # line where each starts, in order
        self.owners: dict[int, _Item] = {}  # line -> the item that ends or opens there

    def read(self) -> tuple[_Value, list[str]]:
        """The value of the document, and the comments after its end."""
        root = _Value("scalar")
        events = yaml.parse(self.text, Loader=Loader)
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                root = self._value(event, events, None)
        return root, self._place_comments()

    def _value(self, event: Any, events: Iterator[Any], owner: _Item | None) -> _Value:
        if isinstance(event, yaml.AliasEvent):
            self._own(event, owner)
            return _Value("alias", event.anchor)
        anchor = f"&{event.anchor} " if event.anchor else ""
        if isinstance(event, yaml.ScalarEvent):
            self._own(event, owner)
            return self._scalar(event, anchor)
        value = _Value("map" if isinstance(event, yaml.MappingStartEvent) else "seq", anchor=anchor)
        value.flow = bool(event.flow_style)
        last = event
        for inner in events:
            last = inner
            if isinstance(inner, yaml.CollectionEndEvent):
                break
            item = _Item(inner.start_mark.column)
            self.items.append((inner.start_mark.line, item))
            value.items.append(item)
            if value.kind == "map":
                item.key = inner.value if isinstance(inner, yaml.ScalarEvent) else "?"
                self._own(inner, item)
                inner = next(events)
            elif not value.flow:
                item.column = max(0, self.lines[inner.start_mark.line].rfind("- ", 0, inner.start_mark.column))
            item.value = self._value(inner, events, item)
        if value.flow:
            self._own(last, owner)
        return value

    def _own(self, event: Any, item: _Item | None) -> None:
        if item is not None:
            self.owners[event.end_mark.line] = item

    def _scalar(self, event: Any, anchor: str) -> _Value:
        plain = event.implicit[0] and event.style in (None, "")
        value = _Value("scalar", event.value, plain, anchor=anchor)
        start, end = event.start_mark.index, event.end_mark.index
        if event.style in ("|", ">"):
            header, *lines = self.text[start:end].rstrip().split("\n")
            indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
            if "#" not in header and not any(letter.isdigit() for letter in header):
                value.raw = [header.rstrip(), *(line[indent:].rstrip() for line in lines)]
            start += len(header)
            self.owners.pop(event.end_mark.line, None)
        if not plain:
            self.opaque.append((start, end))
        return value

    # ---- Comments

    def _place_comments(self) -> list[str]:
        """Give every comment and blank line to an item; what stands after the last item is returned."""
        pending: list[str] = []
        columns: list[int] = []
        position = 0
        for number, line in enumerate(self.lines):
            while position < len(self.items) and self.items[position][0] < number:
                position += 1
            found = self._comment_in(number, line)
            content = line if found is None else line[:found]
            if not content.strip() and not self._inside(self.starts[number]):
                if found is not None or (pending and pending[-1]) or not pending:
                    pending.append(line[found:].rstrip() if found is not None else "")
                    columns.append(found if found is not None else -1)
                continue
            if position < len(self.items) and self.items[position][0] == number and pending:
                self._give(pending, columns, position)
                pending, columns = [], []
            if found is not None:
                self._trailing(number, line[found:].rstrip(), position)
        if self.items and any(column > 0 for column in columns):
            self._give(pending, columns, len(self.items))
            pending = [] if not self.footer_of(pending) else pending
        while pending and not pending[-1]:
            pending.pop()
        return pending
