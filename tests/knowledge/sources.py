"""Ontology and catalogue as the tests read them: straight from the Turtle files, without the product's code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path

import pyoxigraph as ox

ROOT = Path(__file__).parents[2]
ONTOLOGY = ROOT / "ontology"
CATALOGUE = ROOT / "data" / "catalogue"
AIKG = "https://w3id.org/aikg/ontology#"
CAT = "https://w3id.org/aikg/catalogue/"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
PREFIXES = {
    "aikg": AIKG,
    "cat": CAT,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dct": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "sh": "http://www.w3.org/ns/shacl#",
}

Value = Decimal | bool | str
Row = dict[str, str | None]
Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@dataclass(frozen=True)
class Fact:
    """One fact of a catalogue item. Numbers are decimals, catalogue items their local names."""

    item: str
    property: str
    seed: frozenset[Value]
    vendor: frozenset[Value]
    texts: dict[str, str] = field(hash=False, default_factory=dict)

    def effective(self, profile: str) -> frozenset[Value]:
        """The values under a profile: the seed's where the profile is seed and it has any, or the vendor has none."""
        return self.seed if self.seed and (profile == "seed" or not self.vendor) else self.vendor


def ontology_files() -> list[Path]:
    """The Turtle files of the ontology, derived terms included."""
    return sorted(ONTOLOGY.glob("*.ttl")) + sorted((ONTOLOGY / "derived").glob("*.ttl"))


def catalogue_files() -> list[Path]:
    """The Turtle files of the catalogue."""
    return sorted(CATALOGUE.glob("*.ttl"))


def store_of(files: Iterable[Path]) -> ox.Store:
    """The given Turtle files in one store."""
    store = ox.Store()
    for file in files:
        store.load(path=str(file), format=ox.RdfFormat.TURTLE)
    return store


@cache
def ontology() -> ox.Store:
    """The ontology."""
    return store_of(ontology_files())


@cache
def catalogue() -> ox.Store:
    """The catalogue."""
    return store_of(catalogue_files())


def rows(store: ox.Store, sparql: str) -> list[Row]:
    """The solutions of a SELECT as plain texts."""
    solutions = store.query(sparql, prefixes=PREFIXES)
    assert isinstance(solutions, ox.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    return [{name: _text(solution[name]) for name in names} for solution in solutions]


def _text(term: Term | None) -> str | None:
    return str(getattr(term, "value", term)) if term is not None else None


def local(iri: str) -> str:
    """The last part of an IRI."""
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def _value(term: Term) -> Value:
    if isinstance(term, ox.NamedNode):
        return local(term.value)
    assert isinstance(term, ox.Literal)
    kind = local(term.datatype.value)
    if kind in ("decimal", "integer"):
        return Decimal(term.value)
    return term.value == "true" if kind == "boolean" else term.value


@cache
def facts() -> dict[tuple[str, str], Fact]:
    """Every fact of the catalogue by item and property, both as local names."""
    store, found = catalogue(), {}
    for link in store.quads_for_pattern(None, ox.NamedNode(AIKG + "fact"), None):
        assert isinstance(link.subject, ox.NamedNode)
        assert isinstance(link.object, ox.BlankNode | ox.NamedNode)
        values: dict[str, set[Value]] = {"seedValue": set(), "vendorValue": set()}
        texts, about = {}, ""
        for quad in store.quads_for_pattern(link.object, None, None):
            name = local(quad.predicate.value)
            if name in values:
                values[name].add(_value(quad.object))
            elif name == "ofProperty":
                about = local(str(_text(quad.object)))
            elif name != "type":
                texts[name] = str(_text(quad.object))
        key = (local(link.subject.value), about)
        assert key not in found, f"two facts say {key[1]} of {key[0]}"
        found[key] = Fact(*key, frozenset(values["seedValue"]), frozenset(values["vendorValue"]), texts)
    return found


def items_of(cls: str) -> set[str]:
    """Local names of the catalogue items of a class."""
    return {
        local(quad.subject.value)
        for quad in catalogue().quads_for_pattern(None, RDF_TYPE, ox.NamedNode(AIKG + cls))
        if isinstance(quad.subject, ox.NamedNode)
    }
