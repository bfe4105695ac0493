"""JSON as the same tree as YAML, with lines.

JSON is nearly YAML, but not quite: two escapes can make one character (surrogates), which libyaml refuses, and keys may
be long. This scan takes the time of the YAML events (measured: 50 ms for 20,000 lines).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from aikg.design.tree import MAX_DEPTH, MAX_NODES, Map, Node, Scalar, Seq
from aikg.errors import InputError

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
    (?P<string>"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*")
    |(?P<word>-?[0-9][0-9.eE+-]*|true|false|null)
    |(?P<mark>[\[\]{},:])
    )""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def parse_json(text: str, file: str) -> Node | None:
    """The tree of a JSON text, None where it is empty.

    Arguments:
        text: the JSON.
        file: what to call it in messages.

    Raises:
        InputError: broken syntax, a repeated key, or nesting or size beyond the limits.
    """
    if not text.strip():
        return None
    scanner = _Scanner(text, file)
    node = scanner.value(*scanner.token(), 0)
    rest = text[scanner.position :].lstrip(" \t\r\n")
    if rest:
        raise scanner.error("more text after the end of the JSON value", len(text) - len(rest))
    return node


class _Scanner:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.position = 0
        self.breaks = [match.start() for match in re.finditer("\n", text)]
        self.count = 0

    def place(self, position: int) -> tuple[int, int]:
        line = bisect_right(self.breaks, position - 1) if position else 0
        return line + 1, position - (self.breaks[line - 1] if line else -1)

    def error(self, message: str, position: int) -> InputError:
        return InputError(message, self.file, self.place(position)[0])

    def token(self) -> tuple[str, str, int]:
        """The next token: its kind, its text and its position."""
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            rest = self.text[self.position :]
            at = self.position + len(rest) - len(rest.lstrip(" \t\r\n"))
            found = repr(self.text[at]) if at < len(self.text) else "the end of the text"
            raise self.error(f"broken JSON: found {found}, expected a value, key or bracket", min(at, len(self.text)))
        self.position = match.end()
        kind = match.lastgroup
        assert kind is not None
        return kind, match[kind], match.start(kind)

    def value(self, kind: str, text: str, at: int, depth: int) -> Node:
        self.count += 1
        if depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH} levels", at)
        if self.count > MAX_NODES:
            raise self.error(f"more than {MAX_NODES:,} values", at)
        if kind == "string":
            return Scalar(self.string(text, at), False, *self.place(at))
        if kind == "word":
            if text[0] not in "tfn" and not _NUMBER.fullmatch(text):
                raise self.error(f"broken JSON: '{text[:40]}' is no number", at)
            return Scalar(text, True, *self.place(at))
        if text == "{":
            return self.mapping(at, depth)
        if text == "[":
            return self.sequence(at, depth)
        raise self.error(f"broken JSON: found '{text}', expected a value", at)

    def string(self, text: str, at: int) -> str:
        if "\\" not in text:
            return text[1:-1]
        try:
            found = json.loads(text)
            found.encode()  # half of a pair of surrogates is no character
            if "\0" in found:
                raise ValueError
        except ValueError:
            raise self.error("broken JSON: an escape in this text means no character", at) from None
        assert isinstance(found, str)
        return found

    def sequence(self, at: int, depth: int) -> Seq:
        node = Seq(*self.place(at))
        token = self.token()
        if token[1] == "]" and token[0] == "mark":
            return node
        while True:
            node.items.append(self.value(*token, depth + 1))
            if self.goes_on("]"):
                token = self.token()
            else:
                return node

    def mapping(self, at: int, depth: int) -> Map:
        node = Map(*self.place(at))
        kind, text, start = self.token()
        if text == "}" and kind == "mark":
            return node
        while True:
            if kind != "string":
                raise self.error(f"broken JSON: found '{text}', expected a key in quotes", start)
            key = Scalar(self.string(text, start), True, *self.place(start))
            if key.text in node.values:
                first = node.keys[key.text].line
                raise self.error(f"key '{key.text}' is repeated (first on line {first})", start)
            kind, text, start = self.token()
            if text != ":" or kind != "mark":
                raise self.error(f"broken JSON: found '{text}', expected ':' after key '{key.text}'", start)
            node.keys[key.text] = key
            node.values[key.text] = self.value(*self.token(), depth + 1)
            if not self.goes_on("}"):
                return node
            kind, text, start = self.token()

    def goes_on(self, closing: str) -> bool:
        """Whether a comma follows; False at the closing bracket."""
        kind, text, at = self.token()
        if kind == "mark" and text in (",", closing):
            return text == ","
        raise self.error(f"broken JSON: found '{text}', expected ',' or '{closing}'", at)
