"""Text of a design made safe to print: names may hold anything, and a terminal obeys control characters."""

from __future__ import annotations

import re

# C0 and C1 controls, line and paragraph separators, direction marks (they reorder a line), surrogates (no encoding).
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text with every character that a terminal would obey, or that a reader cannot see, spelled as an escape.

    >>> printable("n1\\x1b[2J")
    'n1\\\\x1b[2J'
    """
    return _UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape", "surrogatepass").decode("ascii")
