"""Graphs as users hold them (store, rdflib graph, file, Turtle text) become triples and stores."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from aikg import terms
from aikg.errors import InputError
from aikg.validate.shacl import Node, Term

if TYPE_CHECKING:
    import rdflib

_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
}
# The types of which an Oxigraph store keeps the value and not the spelling; the ones derived from xsd:integer lose
# their type there and so stay as they are.
_BY_VALUE = frozenset(
    terms.XSD + name
    for name in (
        *("integer", "decimal", "double", "float", "boolean", "dateTime", "date", "time"),
        *("gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay", "duration", "dayTimeDuration", "yearMonthDuration"),
    )
)


def read_triples(source: ox.Store | rdflib.Graph | Path | bytes) -> list[ox.Triple]:
    """The triples of a graph, spelled as written. Named graphs are joined.

    Arguments:
        source: a store, an rdflib graph, a file (format by its ending), or Turtle text.

    Raises:
        InputError: the file cannot be read or the text does not parse.
    """
    if isinstance(source, ox.Store):
        return list(dict.fromkeys(quad.triple for quad in source))
    if isinstance(source, bytes):
        return list(_parsed(source, None, ox.RdfFormat.TURTLE))
    if isinstance(source, Path):
        form = _FORMATS.get(source.suffix.lower())
        if form is None:
            raise InputError(f"unknown ending '{source.suffix}', expected one of {', '.join(_FORMATS)}", str(source))
        try:
            return list(_parsed(source.read_bytes(), source, form))
        except OSError as error:
            raise InputError(str(error), str(source)) from None
    return list(_from_rdflib(source))


def _parsed(text: bytes, file: Path | None, form: ox.RdfFormat) -> Iterator[ox.Triple]:
    base = None if file is None else file.absolute().as_uri()
    try:
        for quad in ox.parse(text, format=form, base_iri=base):
            yield quad.triple
    except SyntaxError as error:
        raise InputError(str(error), None if file is None else str(file)) from None


def store_of(triples: Iterable[ox.Triple]) -> ox.Store:
    """A store that holds triples in its default graph."""
    store = ox.Store()
    store.bulk_extend(ox.Quad(*triple) for triple in triples)
    return store


def by_value(literals: Iterable[ox.Literal], *, derived: bool = False) -> dict[ox.Literal, ox.Literal]:
    """Literals that are not in the one spelling of their value (`10.20`, `+7`, `"1"^^xsd:boolean`), with that spelling.

    Arguments:
        literals: what to look at; ill-typed ones are what they are.
        derived: whether the types derived from xsd:integer become xsd:integer, as they do in a store.
    """
    wanted = {literal for literal in literals if derived or literal.datatype.value in _BY_VALUE}
    names = {ox.NamedNode(f"urn:literal:{number}"): literal for number, literal in enumerate(wanted)}
    store = ox.Store()
    store.bulk_extend(ox.Quad(name, name, literal) for name, literal in names.items())
    return {names[quad.subject]: quad.object for quad in store if names[quad.subject] != quad.object}


# ---- rdflib


@contextmanager
def quiet_rdflib() -> Iterator[None]:
    """Keep rdflib and pyshacl from telling a user's terminal about every ill-typed literal: the results say it."""
    loggers = [logging.getLogger(name) for name in ("rdflib.term", "pyshacl-validate")]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


def to_rdflib(triples: Iterable[ox.Triple]) -> rdflib.Graph:
    """The same graph for rdflib, spellings untouched: by itself it would rewrite `"none"^^xsd:boolean` to `false`."""
    import rdflib

    def term(value: object) -> rdflib.term.Node:
        if isinstance(value, ox.NamedNode):
            return rdflib.URIRef(value.value)
        if isinstance(value, ox.BlankNode):
            return rdflib.BNode(value.value)
        assert isinstance(value, ox.Literal)
        if value.language is not None:
            return rdflib.Literal(value.value, lang=value.language)
        # Plain text and xsd:string are one in RDF 1.1 and two in rdflib.
        datatype = None if value.datatype.value == f"{terms.XSD}string" else rdflib.URIRef(value.datatype.value)
        return rdflib.Literal(value.value, datatype=datatype, normalize=False)

    graph = rdflib.Graph()
    # Turtle text of a large graph takes rdflib most of a minute at 16,384 GPUs (stack.md); terms one by one, a tenth.
    known: dict[object, rdflib.term.Node] = {}
    with quiet_rdflib():
        for triple in triples:
            row = []
            for value in (triple.subject, triple.predicate, triple.object):
                if value not in known:
                    known[value] = term(value)
                row.append(known[value])
            graph.add((row[0], row[1], row[2]))
    return graph


def from_rdflib_term(value: object) -> Term:
    """An rdflib term as a pyoxigraph term.

    Raises:
        InputError: a kind of term that RDF 1.1 does not have.
    """
    import rdflib

    if isinstance(value, rdflib.URIRef):
        return ox.NamedNode(str(value))
    if isinstance(value, rdflib.BNode):
        return ox.BlankNode(str(value))
    if isinstance(value, rdflib.Literal):
        if value.language is not None:
            return ox.Literal(str(value), language=value.language)
        return ox.Literal(str(value), datatype=None if value.datatype is None else ox.NamedNode(str(value.datatype)))
    raise InputError(f"{value!r} is no RDF term")


def _from_rdflib(graph: rdflib.Graph) -> Iterator[ox.Triple]:
    for s, p, o in graph:
        subject, predicate = from_rdflib_term(s), from_rdflib_term(p)
        assert isinstance(subject, Node) and isinstance(predicate, ox.NamedNode)
        yield ox.Triple(subject, predicate, from_rdflib_term(o))


def from_rdflib(graph: rdflib.Graph) -> list[ox.Triple]:
    """The triples of an rdflib graph."""
    return list(_from_rdflib(graph))
