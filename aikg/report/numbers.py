"""Numbers and lists of names as people read them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal

_DIGITS = 3
_LEAST_RANGE = 3


def plain(value: Decimal) -> str:
    """A decimal without exponent and without trailing zeros."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def format_number(value: Decimal, other: Decimal | None = None) -> str:
    """A number with thousands separators and at most three decimals.

    Arguments:
        value: the number.
        other: the number it is compared with; more decimals are shown where rounding would hide which one is larger.

    >>> format_number(Decimal("12345.67891"))
    '12,345.679'
    >>> format_number(Decimal("17.29279"), Decimal("17.293"))
    '17.2928'
    """
    for digits in range(_DIGITS, 19):
        shown = _rounded(value, digits)
        if other is None or value == other or shown != _rounded(other, digits):
            break
    whole, _, fraction = plain(shown).partition(".")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    grouped = f"{int(whole):,}"
    return f"{sign}{grouped}.{fraction}" if fraction else f"{sign}{grouped}"


def _rounded(value: Decimal, digits: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts n2 before n10."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]


def fold_names(names: Iterable[str], most: int = 6) -> str:
    """Names in the short form of the design file: three or more in a row as a range, and at most `most` pieces.

    Arguments:
        names: in any order; repeated ones count once.
        most: how many pieces to show; what is left out is counted. 0 shows all.

    >>> fold_names(["rack01", "rack02", "rack03", "n7"])
    'n7, rack[01-03]'
    >>> fold_names([f"n{n}/c{c}" for n in (1, 2, 3) for c in range(8)])
    'n[1-3]/c[0-7]'
    """
    unique = sorted(set(names), key=natural)
    # A name as its texts and numbers by turns; the number of names that a piece stands for beside it.
    pieces = [(tuple(re.split(r"(\d+)", name)), 1) for name in unique]
    for position in range(max((len(parts) for parts, _ in pieces), default=1) - 2, 0, -2):
        pieces = _folded_at(pieces, position)
    if most and len(pieces) > most:
        shown = pieces[: most - 1]
        rest = len(unique) - sum(count for _, count in shown)
        return ", ".join(["".join(parts) for parts, _ in shown] + [f"{rest} more"])
    return ", ".join("".join(parts) for parts, _ in pieces)


_Piece = tuple[tuple[str, ...], int]


def _folded_at(pieces: list[_Piece], position: int) -> list[_Piece]:
    """Pieces that differ only in their number at `position`, in order, become one; the order of the rest stays."""
    runs: dict[tuple[tuple[str, ...], tuple[str, ...], int], list[list[_Piece]]] = {}
    order: list[list[_Piece]] = []
    for piece in pieces:
        parts, count = piece
        if position >= len(parts):
            order.append([piece])
            continue
        own = runs.setdefault((parts[:position], parts[position + 1 :], count), [])
        if own and _follows(own[-1][-1][0][position], parts[position]):
            own[-1].append(piece)
        else:
            own.append([piece])
            order.append(own[-1])
    folded: list[_Piece] = []
    for run in order:
        if len(run) < _LEAST_RANGE:
            folded += run
            continue
        parts = run[0][0]
        numbers = f"[{parts[position]}-{run[-1][0][position]}]"
        folded.append(((*parts[:position], numbers, *parts[position + 1 :]), run[0][1] * len(run)))
    return folded


def _follows(before: str, number: str) -> bool:
    """Whether the range `[before-number]` would be read as these two: padding is kept, and so must agree."""
    if not (before.isdecimal() and number.isdecimal()):
        return False
    grows = len(number) == len(before) or (len(number) == len(before) + 1 and before.strip("9") == "")
    return grows and int(number) == int(before) + 1
