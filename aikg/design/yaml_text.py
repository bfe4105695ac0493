"""Text as a YAML scalar that every YAML reader takes for the same text."""

from __future__ import annotations

import json
import re

_PLAIN = re.compile(r"[A-Za-z_/](?:[A-Za-z0-9_./+-]|:(?=[A-Za-z0-9_/])| (?=[A-Za-z0-9_./+(-])|[()%](?! *$))*")
_RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


def quoted(text: str) -> str:
    """The text plain where no reader could take it for anything else, else in double quotes.

    >>> print(quoted("rack-07"), quoted("yes"), quoted("dgx[1-4]"), quoted("8"))
    rack-07 "yes" "dgx[1-4]" "8"
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    escaped = json.dumps(text, ensure_ascii=False)
    if escaped.isprintable():
        return escaped
    return "".join(letter if letter.isprintable() else _escape(letter) for letter in escaped)


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
