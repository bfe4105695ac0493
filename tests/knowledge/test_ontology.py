"""Every term of the ontology says what it means, and what machines read from it is there."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from tests.knowledge.sources import (
    AIKG,
    ONTOLOGY,
    RDF_TYPE,
    ROOT,
    catalogue,
    catalogue_files,
    local,
    ontology,
    ontology_files,
    rows,
    store_of,
)

IRI = "https://w3id.org/aikg/ontology"
COLLECTIONS = [
    *("site", "racks", "pods", "nodes", "switches", "storage", "datasets", "fabrics", "links"),
    *("circuits", "pdus", "ups", "generators", "workloads"),
]
LAYERS = {"system", "compute", "fabric", "storage", "power", "cooling", "catalogue", "data"}
TERM_TYPES = {"Class", "DatatypeProperty", "ObjectProperty", "AnnotationProperty"}
SAID_OF_EVERY_TERM = ("rdfs:label", "skos:definition", "dct:source", "aikg:layer", "rdfs:isDefinedBy")


def declared(store: ox.Store) -> set[str]:
    """IRIs of the aikg terms that a store declares."""
    return {
        str(quad.subject.value)
        for quad in store.quads_for_pattern(None, RDF_TYPE, None)
        if isinstance(quad.subject, ox.NamedNode)
        and quad.subject.value.startswith(AIKG)
        and isinstance(quad.object, ox.NamedNode)
        and local(quad.object.value) in TERM_TYPES
    }


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", ontology_files() + catalogue_files(), ids=name)
def test_file_parses(file: Path) -> None:
    store_of([file])


@pytest.mark.parametrize("file", ontology_files(), ids=name)
def test_every_term_is_labelled_defined_sourced_and_layered(file: Path) -> None:
    store = store_of([file])
    for term in sorted(declared(store)):
        for predicate in SAID_OF_EVERY_TERM:
            said = rows(store, f"SELECT ?v WHERE {{ <{term}> {predicate} ?v }}")
            assert len(said) == 1, f"{local(term)}: {len(said)} x {predicate}"
        assert rows(store, f"SELECT ?v WHERE {{ <{term}> aikg:layer ?v }}")[0]["v"] in LAYERS, term
        assert rows(store, f"SELECT ?v WHERE {{ <{term}> rdfs:isDefinedBy ?v }}")[0]["v"] == IRI, term


def test_no_term_is_declared_twice() -> None:
    seen: dict[str, Path] = {}
    for file in ontology_files():
        for term in declared(store_of([file])):
            assert term not in seen, f"{local(term)}: {name(file)} and {name(seen[term])}"
            seen[term] = file


def test_numeric_properties_have_a_unit() -> None:
    missing = rows(
        ontology(),
        "SELECT ?p WHERE { ?p rdfs:range ?r . FILTER(?r IN (xsd:decimal, xsd:integer)) MINUS { ?p aikg:unit ?u } }",
    )
    assert [local(str(row["p"])) for row in missing] == []


@pytest.mark.parametrize(
    ("ending", "unit"),
    [
        *[("Kw", "kW"), ("Kva", "kVA"), ("GBps", "GB/s"), ("Gbps", "Gb/s")],
        *[("GB", "GB"), ("TB", "TB"), ("Kg", "kg"), ("Us", "us")],
    ],
)
def test_unit_agrees_with_the_ending_of_the_name(ending: str, unit: str) -> None:
    said = rows(ontology(), "SELECT ?p ?u WHERE { ?p aikg:unit ?u }")
    named = {local(str(row["p"])): row["u"] for row in said if str(row["p"]).endswith(ending)}
    assert named
    assert {term: found for term, found in named.items() if found != unit} == {}


def test_derived_terms_are_marked_and_live_in_their_folder() -> None:
    marked = {str(row["t"]) for row in rows(ontology(), "SELECT ?t WHERE { ?t aikg:derived true }")}
    assert marked == declared(store_of((ONTOLOGY / "derived").glob("*.ttl")))


def test_every_collection_key_names_one_class() -> None:
    keys = [str(row["k"]) for row in rows(ontology(), "SELECT ?k WHERE { ?c aikg:collectionKey ?k }")]
    assert sorted(keys) == sorted(COLLECTIONS)


def test_every_authored_key_has_one_range_and_known_classes() -> None:
    classes = declared(ontology())
    for row in rows(
        ontology(),
        "SELECT ?p (COUNT(DISTINCT ?r) AS ?n) WHERE { ?p aikg:authoredIn ?c ; rdfs:range ?r } GROUP BY ?p",
    ):
        assert row["n"] == "1", row["p"]
    for row in rows(ontology(), "SELECT ?p ?c WHERE { ?p aikg:authoredIn ?c . FILTER(isIRI(?p)) }"):
        assert str(row["c"]) in classes, row["p"]


def test_authored_keys_with_one_value_are_functional_and_lists_are_not() -> None:
    for row in rows(
        ontology(),
        """SELECT ?p ?many ?functional WHERE {
             ?p aikg:authoredIn ?c . FILTER(isIRI(?p))
             OPTIONAL { ?p aikg:multiple ?many }
             BIND(EXISTS { ?p a owl:FunctionalProperty } AS ?functional) }""",
    ):
        assert (row["functional"] == "true") == (row["many"] is None), row["p"]


def test_prefix_declarations_serve_every_shacl_tool() -> None:
    from aikg.terms import PREFIXES

    said = rows(ontology(), f"SELECT ?p ?n WHERE {{ <{IRI}> sh:declare [ sh:prefix ?p ; sh:namespace ?n ] }}")
    assert {row["p"]: row["n"] for row in said} == PREFIXES


def test_imports_are_the_files_beside_the_header_and_mapped_for_editors() -> None:
    imported = {str(row["f"]) for row in rows(ontology(), f"SELECT ?f WHERE {{ <{IRI}> owl:imports ?f }}")}
    others = {f"{IRI}/{file.relative_to(ONTOLOGY)}" for file in ontology_files() if file.name != "aikg.ttl"}
    assert imported == others
    mapped = dict(re.findall(r'<uri name="([^"]+)" uri="([^"]+)"', (ONTOLOGY / "catalog-v001.xml").read_text()))
    assert set(mapped) == imported
    assert all((ONTOLOGY / target).is_file() for target in mapped.values())


def test_every_term_that_rules_use_is_declared() -> None:
    """Derivation rules and shapes use no aikg term that the ontology does not explain."""
    known = {local(term) for term in declared(ontology())}
    used: dict[str, str] = {}
    for file in [*sorted(ROOT.glob("aikg/derive/rules/*.rq")), *sorted(ROOT.glob("shapes/**/*.ttl"))]:
        for term in re.findall(r"(?<![\w-])aikg:([A-Za-z][A-Za-z0-9]*)", file.read_text()):
            used.setdefault(term, name(file))
    assert {term: where for term, where in used.items() if term not in known} == {}


def test_every_term_that_the_catalogue_uses_is_declared() -> None:
    known = declared(ontology())
    for quad in catalogue():
        for term in (quad.predicate, quad.object):
            if isinstance(term, ox.NamedNode) and term.value.startswith(AIKG):
                assert term.value in known, term
