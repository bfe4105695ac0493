"""RDF texts as facts with the line that each was written on."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, cast
from urllib.parse import unquote

import pyoxigraph as ox

from aikg import terms
from aikg.errors import InputError

_FORMATS = {"ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES}
Subject = ox.NamedNode | ox.BlankNode
Object = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said of a subject, and on which line."""

    predicate: str
    value: Object
    line: int


@dataclass(slots=True)
class Facts:
    """All facts of a document, by subject, in the order of the document.

    Attributes:
        base: IRI that relative IRIs were resolved against.
        by_subject: subject -> what is said of it.
    """

    base: str
    by_subject: dict[Subject, list[Fact]] = field(default_factory=dict)

    def add(self, subject: object, predicate: ox.NamedNode, value: object, line: int, file: str) -> None:
        """Take in one triple; the same one again says nothing new."""
        if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
            raise InputError("a statement about a statement; a design has none", file, line)
        assert isinstance(subject, Subject) and isinstance(value, Object)
        self.by_subject.setdefault(subject, []).append(Fact(predicate.value, value, line))


class _Lines(io.RawIOBase):
    """Hands a parser one line at a time, so that the number of lines handed out is the line of the current triple."""

    def __init__(self, data: bytes) -> None:
        self.source = io.BytesIO(data)
        self.line = 0
        self.rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self.rest:
            self.rest = self.source.readline()
            self.line += bool(self.rest)
        if size < 0 or size >= len(self.rest):
            found, self.rest = self.rest, b""
        else:
            found, self.rest = self.rest[:size], self.rest[size:]
        return found


def parse_triples(text: str, format: str, base: str, file: str) -> Facts:
    """The facts of a Turtle or N-Triples text.

    Arguments:
        text: the text.
        format: "ttl" or "nt".
        base: IRI that relative IRIs are resolved against.
        file: what to call the text in messages.

    Raises:
        InputError: broken syntax.
    """
    lines = _Lines(text.encode())
    facts = Facts(base)
    try:
        # A raw stream is enough for the parser, whatever its stubs ask for; N-Triples has no relative IRIs.
        stream = cast("IO[bytes]", lines)
        for quad in ox.parse(stream, format=_FORMATS[format], base_iri=base if format == "ttl" else None):
            facts.add(quad.subject, quad.predicate, quad.object, lines.line, file)
    except SyntaxError as error:
        raise broken("Turtle" if format == "ttl" else "N-Triples", error, file, error.lineno or lines.line) from None
    return facts


def broken(language: str, error: Exception, file: str, line: int | None) -> InputError:
    """The error of a parser as one of ours."""
    problem = re.sub(r"^Parser error at line .*?: | \(line \d+\)$", "", " ".join(str(error).split()))
    return InputError(f"broken {language}: {problem[:300]}", file, line)


def name_function(base: str) -> Callable[[str], str]:
    """How the IRIs of components become names: what follows the base, else what follows the last / or #."""

    def name(iri: str) -> str:
        if iri.startswith(base) and len(iri) > len(base):
            rest = iri[len(base) :]
        else:
            rest = re.split(r"[/#]", iri.rstrip("/#"))[-1] or iri
        # "~2" marks the second entry with the same id; a "~" of a name is percent-encoded.
        return unquote(re.sub(r"~[0-9]+$", "", rest))

    return name


def duplicates_removed(facts: list[Fact]) -> Iterator[Fact]:
    """The facts of a subject, each once."""
    seen: set[tuple[str, Object]] = set()
    for fact in facts:
        if (fact.predicate, fact.value) not in seen:
            seen.add((fact.predicate, fact.value))
            yield fact


_FOREIGN = {
    terms.CAT: "the catalogue",
    terms.AIKG: "the ontology",
    terms.RULE: "a rule",
    terms.SH: "SHACL",
    terms.OWL: "OWL",
    terms.RDF: "RDF",
    terms.RDFS: "RDF",
    terms.SKOS: "SKOS",
    terms.DCT: "Dublin Core",
}


def foreign(iri: str) -> str | None:
    """Whose term an IRI is, where no design may say anything of it."""
    return next((owner for prefix, owner in _FOREIGN.items() if iri.startswith(prefix)), None)


def short(iri: str) -> str:
    """An IRI with its usual prefix, for messages."""
    for prefix, namespace in terms.PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"
