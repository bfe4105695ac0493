"""Questions in SPARQL about one or several designs; nothing outside the designs is ever asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import pyoxigraph as ox

from aikg.design.model import Design
from aikg.errors import InputError
from aikg.validate.sparql_tokens import tokens

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

# Keywords that leave the designs: other endpoints, other graphs, changes. They have no other meaning in SPARQL.
_REFUSED = {
    "SERVICE": "asks another endpoint",
    "FROM": "reads another graph; every query sees design, derived facts, catalogue and ontology",
    "LOAD": "reads from elsewhere",
    **dict.fromkeys(("INSERT", "DELETE", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY"), "changes data"),
}
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


@dataclass(frozen=True, slots=True)
class Table:
    """The answer to a SELECT.

    Attributes:
        variables: names of the columns.
        rows: one term, or None, per column.
        cut: whether there were more rows than asked for.
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """The answer to an ASK, for each design."""

    answers: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Triples:
    """The answer to a CONSTRUCT or DESCRIBE: the triples of all designs, each once."""

    triples: tuple[ox.Triple, ...]
    cut: bool


Answer = Table | Truth | Triples


def refuse_outside(text: str) -> None:
    """Refuse a query that would reach beyond the designs or change them.

    Raises:
        InputError: SERVICE, FROM, LOAD or an update.
    """
    # A comment ends at a carriage return too, and escapes count before anything else (SPARQL 1.1, 19.2 and 19.4).
    spelled = text.replace("\r", "\n")
    for reading in (spelled, _ESCAPE.sub(_character, spelled)):
        for token in tokens(reading):
            if token.kind == "word" and token.text in _REFUSED:
                raise InputError(
                    f"the query holds {token.text}, which {_REFUSED[token.text]}; "
                    "only SELECT, ASK, CONSTRUCT and DESCRIBE over the designs are answered"
                )


def _character(match: re.Match[str]) -> str:
    code = int(match.group(1) or match.group(2), 16)
    return chr(code) if code <= 0x10FFFF else match.group()


def ask(designs: Iterable[Design], text: str, *, limit: int | None = None) -> Answer:
    """The answer to a query over designs, each with its derived facts, the catalogue and the ontology.

    Arguments:
        designs: with derived facts. Of several, a table says in its column `design` which one a row is about.
        text: SELECT, ASK, CONSTRUCT or DESCRIBE; the prefixes of `aikg.terms.PREFIXES` need not be declared.
        limit: most rows or triples; None for all.

    Raises:
        InputError: the query does not parse, or would reach beyond the designs.
    """
    refuse_outside(text)
    answers = [(design.name, design.query(text)) for design in designs]
    if isinstance(answers[0][1], ox.QuerySolutions):
        return _table([(name, found) for name, found in answers if isinstance(found, ox.QuerySolutions)], limit)
    if isinstance(answers[0][1], ox.QueryBoolean):
        return Truth(tuple((name, bool(found)) for name, found in answers))
    triples = dict.fromkeys(triple for _, found in answers if isinstance(found, ox.QueryTriples) for triple in found)
    return Triples(tuple(islice(triples, limit)), limit is not None and len(triples) > limit)


def _table(answers: list[tuple[str, ox.QuerySolutions]], limit: int | None) -> Table:
    names = tuple(variable.value for variable in answers[0][1].variables)
    several = len(answers) > 1

    def rows() -> Iterator[tuple[Term | None, ...]]:
        for design, solutions in answers:
            own: tuple[Term, ...] = (ox.Literal(design),) if several else ()
            for solution in solutions:
                yield (*own, *(solution[name] for name in names))

    found = rows()
    kept = tuple(islice(found, limit))
    cut = limit is not None and next(found, None) is not None
    return Table(("design", *names) if several else names, kept, cut)
