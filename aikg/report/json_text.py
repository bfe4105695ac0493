"""JSON text with exact decimals: `json` would need a float, and a float misjudges the boundary."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from aikg.report.numbers import plain

# Valid in JSON, yet obeyed by terminals or impossible to encode: kept as \uXXXX.
_RISKY = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def to_json(value: Any, indent: int = 2) -> str:
    """JSON text in which decimals stand as the exact numbers that they are: no binary rounding, no exponent.

    Arguments:
        value: mappings, lists, texts, decimals, integers, booleans and None.
        indent: spaces per level.

    >>> print(to_json({"kW": Decimal("40.80")}))
    {
      "kW": 40.8
    }
    """
    pieces: list[str] = []
    _write(value, pieces.append, "\n", " " * indent)
    return "".join(pieces)


def _write(value: Any, put: Callable[[str], None], line: str, indent: str) -> None:
    inner = line + indent
    if isinstance(value, Mapping):
        before = "{" + inner
        for key, item in value.items():
            put(f"{before}{_string(key)}: ")
            before = "," + inner
            put(_string(item)) if type(item) is str else _write(item, put, inner, indent)
        put(line + "}" if value else "{}")
    elif isinstance(value, list | tuple):
        before = "[" + inner
        for item in value:
            put(before)
            before = "," + inner
            _write(item, put, inner, indent)
        put(line + "]" if value else "[]")
    else:
        put(_scalar(value))


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal) and value.is_finite():
        return plain(value)
    raise TypeError(f"{value!r} is not part of the report format")


def _string(text: str) -> str:
    quoted = encode_basestring(text)
    return quoted if text.isprintable() else _RISKY.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
