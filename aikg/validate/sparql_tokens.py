"""SPARQL text as tokens: just enough grammar to see groups, variables and keywords without being fooled by strings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from aikg.validate.shacl import Term

# A prefix is at most 200 long, or a text of dots would cost its length squared.
# Order matters: comments and strings hide everything in them; an IRI comes before the operator `<` (SPARQL 1.1, 19.8).
_TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*)
    |(?P<string>\"{3}(?:"{0,2}(?:[^"\\]|\\.))*\"{3}|'{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
        |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<variable>[?$][\w]+)
    |(?P<name>(?:[^\W\d_](?:[\w.\-]{0,200}[\w\-])?)?:(?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\.)(?:(?:[\w.:\-]|%[0-9A-Fa-f]{2}|\\.)*(?:[\w:\-]|%[0-9A-Fa-f]{2}|\\.))?)?
        |_:[\w](?:[\w.\-]*[\w\-])?)
    |(?P<number>(?:[0-9]*\.[0-9]+|[0-9]+\.(?=[eE])|[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<word>[A-Za-z_][\w]*)
    |(?P<sign>\^\^|&&|\|\||!=|<=|>=|.)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `kind` is string, iri, variable, name, number, language, word or sign.

    Attributes:
        text: as written; words in upper case, variables without their mark.
    """

    kind: str
    text: str


def tokens(text: str) -> list[Token]:
    """The tokens of a SPARQL text, without white space and comments. Never fails: what fits nowhere is a sign."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind == "skip":
            continue
        value = match.group()
        if kind == "word":
            value = value.upper()
        elif kind == "variable":
            value = value[1:]
        found.append(Token(kind, value))
    return found


_HOLE = re.compile(r"\{[?$](\w+)\}")


def filled_template(template: str, values: Mapping[str, Term | None]) -> str:
    """A message with `{?name}` and `{$name}` replaced by the values of the variables (SHACL 5.3.2)."""

    def shown(match: re.Match[str]) -> str:
        value = values.get(match.group(1))
        return match.group() if value is None else value.value

    return _HOLE.sub(shown, template)
