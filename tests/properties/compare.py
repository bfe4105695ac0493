"""Compares verdicts with the oracle's, and makes a design that differs small."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .oracle import Authoring, Verdicts, evaluate


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """One verdict that differs; None where one side says nothing about this rule and focus."""

    rule: str
    focus: str
    oracle: str | None
    ours: str | None

    def __str__(self) -> str:
        return f"{self.rule} {self.focus}: oracle {self.oracle}, ours {self.ours}"


def compare(design: Authoring, ours: Callable[[Authoring], Verdicts]) -> list[Difference]:
    """The verdicts that differ from the oracle's, sorted; all four verdicts count.

    Arguments:
        design: an unfolded design; `ours` is given a copy of it.
        ours: gives (rule, focus) -> verdict.
    """
    expected, got = evaluate(design), ours(copy.deepcopy(design))
    keys = {key for key in expected.keys() | got.keys() if expected.get(key) != got.get(key)}
    return sorted(
        (Difference(rule, focus, expected.get((rule, focus)), got.get((rule, focus))) for rule, focus in keys),
        key=lambda d: (d.rule, d.focus),
    )


def shrink(design: Authoring, differs: Callable[[Authoring], bool]) -> Authoring:
    """A small part of the design for which `differs` still holds: greedy, dropping list entries and keys.

    Arguments:
        design: a design for which `differs` holds.
        differs: whether a design still shows what is looked for; called with a copy. One that raises counts as not
            differing, so to shrink a crash catch it inside `differs`.
    """

    def holds(candidate: Authoring) -> bool:
        try:
            return differs(copy.deepcopy(candidate))
        except Exception:
            return False

    best = copy.deepcopy(design)
    progress = True
    while progress:
        progress = False
        for cut in _cuts(best):
            candidate = copy.deepcopy(best)
            if _apply(candidate, cut) and holds(candidate):
                best, progress = candidate, True
    return best


Cut = tuple[tuple[str | int, ...], int]


def _cuts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Cut]:
    """Everything that may go, the largest first: (path, how many entries from there on).

    Lists are cut from their end, so that the places of the cuts that follow stay right when one succeeds.
    """
    if isinstance(value, dict):
        for key in list(value):
            if key != "id":
                yield (*path, key), 1
        for key in list(value):
            yield from _cuts(value[key], (*path, key))
    elif isinstance(value, list):
        size = len(value) // 2
        while size >= 1:
            for start in range(len(value) - size, -1, -size):
                yield (*path, start), size
            size //= 2
        if len(value) == 1:
            yield (*path, 0), 1
        for index in range(len(value) - 1, -1, -1):
            yield from _cuts(value[index], (*path, index))


def _apply(design: Authoring, cut: Cut) -> bool:
    """Cut from the design in place; False where the place is gone."""
    path, size = cut
    place: Any = design
    try:
        for step in path[:-1]:
            place = place[step]
        if isinstance(place, list):
            start = int(path[-1])
            if start >= len(place):
                return False
            del place[start : start + size]
        else:
            del place[path[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def to_json(value: Any) -> str:
    """The design as JSON text with its decimals digit by digit, to print a counterexample or keep it as a file."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {to_json(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(to_json(inner) for inner in value) + "]"
    return format(value, "f") if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
