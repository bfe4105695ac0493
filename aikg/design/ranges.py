"""Ranges in names: `dgx[001-032]`, `rack[a-d][01-10]`, `sw[1,3-5]`, like the node lists of Slurm."""

from __future__ import annotations

import itertools
import re

from aikg.errors import InputError

MAX_MEMBERS = 2_000_000
_ITEM = r"(?:\d+-\d+|[A-Za-z]-[A-Za-z]|[A-Za-z0-9_.+]+)"
_BRACKET = re.compile(rf"\[({_ITEM}(?:,{_ITEM})*)\]")


def is_range(text: str) -> bool:
    """Whether a text holds at least one range."""
    return "[" in text and _BRACKET.search(text) is not None


def count(text: str) -> int:
    """How many names a text stands for, without making them."""
    total = 1
    for match in _BRACKET.finditer(text):
        total *= sum(_size(item) for item in match.group(1).split(","))
    return total


def expand(text: str, file: str | None = None, line: int | None = None) -> list[str]:
    """The names that a text stands for, the last bracket running fastest; padding is kept.

    Raises:
        InputError: a range that runs backwards, or more than two million names.
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
    return ["".join(pieces) for pieces in itertools.product(*parts)]


def _ends(item: str) -> tuple[str, str] | None:
    if item.count("-") != 1:
        return None
    first, last = item.split("-")
    if (first.isdigit() and last.isdigit()) or (len(first) == len(last) == 1 and first.isalpha() and last.isalpha()):
        return first, last
    return None


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
