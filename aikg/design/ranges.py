"""Ranges in names: `dgx[001-032]`, `rack[a-d][01-10]`, `sw[1,3-5]`, like the node lists of Slurm.

`[[]` stands for a bracket that is no range: `x[[]1-2]` is the one name `x[1-2]`.
"""

from __future__ import annotations

import itertools
import re

from aikg.errors import InputError

MAX_MEMBERS = 2_000_000
# A long name times two million members would fill the memory before any limit on components is reached.
MAX_NAME = 200
_ITEM = r"(?:[0-9]{1,12}-[0-9]{1,12}|[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z0-9_.+]+)"
_BRACKET = re.compile(rf"\[({_ITEM}(?:,{_ITEM})*|\[)\]")


def is_range(text: str) -> bool:
    """Whether a text holds at least one range, be it of one name only."""
    return "[" in text and _BRACKET.search(text) is not None


def escape(text: str) -> str:
    """The spelling of a name whose brackets are no ranges."""
    return text.replace("[", "[[]") if is_range(text) else text


def count(text: str) -> int:
    """How many names a text stands for, without making them."""
    if "[" not in text:
        return 1
    total = 1
    for match in _BRACKET.finditer(text):
        total *= sum(max(0, _size(item)) for item in match.group(1).split(","))
    return total


def expand(text: str, file: str | None = None, line: int | None = None) -> list[str]:
    """The names that a text stands for, the last bracket running fastest; padding is kept.

    Arguments:
        text: a name, with or without ranges.
        file: the file that it stands in, for messages.
        line: its line there.

    Raises:
        InputError: a range that runs backwards, more than two million names, or very long ones.

    >>> expand("rack[a-b][09-10]")
    ['racka09', 'racka10', 'rackb09', 'rackb10']
    """
    if "[" not in text:
        return [text]
    for match in _BRACKET.finditer(text):
        for item in match.group(1).split(","):
            if _size(item) < 1:
                raise InputError(f"range [{item}] in '{text}' runs backwards", file, line)
    number = count(text)
    if number > MAX_MEMBERS:
        raise InputError(f"'{text}' stands for {number:,} names; at most {MAX_MEMBERS:,} are accepted", file, line)
    parts: list[list[str]] = []
    end = 0
    for match in _BRACKET.finditer(text):
        parts += [[text[end : match.start()]], [name for item in match.group(1).split(",") for name in _names(item)]]
        end = match.end()
    parts.append([text[end:]])
    if number > 1 and sum(max(map(len, part)) for part in parts) > MAX_NAME:
        raise InputError(f"a range of names with more than {MAX_NAME} characters", file, line)
    return ["".join(pieces) for pieces in itertools.product(*parts)]


def _ends(item: str) -> tuple[str, str] | None:
    first, dash, last = item.partition("-")
    if not dash:
        return None
    return first, last


def _size(item: str) -> int:
    ends = _ends(item)
    if ends is None:
        return 1
    if ends[0].isdigit():
        return int(ends[1]) - int(ends[0]) + 1
    return ord(ends[1]) - ord(ends[0]) + 1


def _names(item: str) -> list[str]:
    ends = _ends(item)
    if ends is None:
        return [item]
    first, last = ends
    if first.isdigit():
        width = len(first)
        return [f"{number:0{width}d}" for number in range(int(first), int(last) + 1)]
    return [chr(code) for code in range(ord(first), ord(last) + 1)]
