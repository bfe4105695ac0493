"""Answers to queries as a table for people, and as CSV, JSON and Turtle for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

import pyoxigraph as ox
import typer

from aikg import terms
from aikg.query import Answer, Table, Term, Triples, Truth
from aikg.report.json_text import to_json

if TYPE_CHECKING:
    from aikg.design.model import Design


def rendered(answer: Answer, format: str | None, designs: Sequence[Design], stream: TextIO | None) -> str:
    """An answer as text.

    Arguments:
        answer: of a SELECT, an ASK or a CONSTRUCT.
        format: "table", "csv", "json" or "ttl"; None for what suits the answer.
        designs: those that were asked; their components are shown by name in tables.
        stream: where the text will go, so that a table knows its width and colours; None for a file.
    """
    if isinstance(answer, Triples):
        if format not in (None, "ttl"):
            raise typer.BadParameter(f"triples are written as ttl, not as {format}")
        text = ox.serialize(answer.triples, format=ox.RdfFormat.TURTLE, prefixes=terms.PREFIXES)
        return (text or b"").decode()
    if format == "ttl":
        raise typer.BadParameter("only the triples of a CONSTRUCT or DESCRIBE are written as ttl")
    if isinstance(answer, Truth):
        return _truth(answer, format)
    if format == "csv":
        return _csv(answer)
    if format == "json":
        return _json(answer)
    return _table(answer, designs, stream)


def _truth(answer: Truth, format: str | None) -> str:
    several = len(answer.answers) > 1
    if format == "json":
        found = [
            {"head": {}, "boolean": truth, **({"design": name} if several else {})} for name, truth in answer.answers
        ]
        return to_json(found if several else found[0]) + "\n"
    rows = [([name] if several else []) + ["yes" if truth else "no"] for name, truth in answer.answers]
    if format == "csv":
        return _csv_text([(["design"] if several else []) + ["answer"], *rows])
    from aikg.report.plain_text import printable

    return "".join(printable(": ".join(row)) + "\n" for row in rows)


def _table(answer: Table, designs: Sequence[Design], stream: TextIO | None) -> str:
    from aikg.report.layout import Page, page_for

    page = page_for(stream) if stream is not None else Page()
    rows = [[_shown(term, designs) for term in row] for row in answer.rows]
    numeric = frozenset(
        column
        for column in range(len(answer.variables))
        if answer.rows and all(_is_number(row[column]) for row in answer.rows if row[column] is not None)
    )
    lines = page.table([list(answer.variables), *rows], numeric, indent=0) if answer.variables else []
    count = f"{len(rows)} row{'' if len(rows) == 1 else 's'}"
    return "\n".join([*lines, page.styled(f"({count})", "dim")]) + "\n"


def _shown(term: Term | None, designs: Sequence[Design]) -> str:
    """A component by its name, a term of the vocabularies by its prefix, a literal by its value."""
    if term is None:
        return ""
    if isinstance(term, ox.NamedNode):
        for design in designs:
            if term.value.startswith(design.base):
                return design.name_of(term.value)
        for prefix, iri in terms.PREFIXES.items():
            if term.value.startswith(iri):
                return f"{prefix}:{term.value[len(iri) :]}"
        return f"<{term.value}>"
    return term.value if isinstance(term, ox.Literal) else str(term)


_NUMBERS = {terms.XSD + name for name in ("decimal", "integer", "double", "float")}


def _is_number(term: Term | None) -> bool:
    return isinstance(term, ox.Literal) and term.datatype.value in _NUMBERS


def _csv(answer: Table) -> str:
    """SPARQL 1.1 Query Results CSV."""
    return _csv_text([answer.variables, *([_csv_cell(term) for term in row] for row in answer.rows)])


def _csv_cell(term: Term | None) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


def _csv_text(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _json(answer: Table) -> str:
    """SPARQL 1.1 Query Results JSON."""
    bindings = [
        {name: _json_term(term) for name, term in zip(answer.variables, row, strict=True) if term is not None}
        for row in answer.rows
    ]
    return to_json({"head": {"vars": list(answer.variables)}, "results": {"bindings": bindings}}) + "\n"


def _json_term(term: Term) -> dict[str, Any]:
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, ox.Triple):
        parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
        return {"type": "triple", "value": {name: _json_term(part) for name, part in parts.items()}}
    found = {"type": "literal", "value": term.value}
    if term.language:
        found["xml:lang"] = term.language
    elif term.datatype.value != terms.XSD + "string":
        found["datatype"] = term.datatype.value
    return found
