"""An unfolded design and the JSON-LD context together are RDF with the ontology's properties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from tests.knowledge.sources import AIKG, CAT, ONTOLOGY, local, ontology, rows

CONTEXT: dict[str, Any] = json.loads((ONTOLOGY / "context.jsonld").read_text())["@context"]
BASE = "https://w3id.org/aikg/design/example/"
XSD = "http://www.w3.org/2001/XMLSchema#"


def to_rdf(design: dict[str, Any]) -> set[tuple[str, str, str]]:
    """The triples of a design in its authoring form, with blank nodes as `_`."""
    document = {"@context": [CONTEXT, {"@base": BASE}], "@id": "", **design}
    triples = set()
    for quad in ox.parse(json.dumps(document).encode(), format=ox.RdfFormat.JSON_LD):
        subject, predicate, value = (
            "_" if isinstance(term, ox.BlankNode) else str(term) for term in (quad.subject, quad.predicate, quad.object)
        )
        triples.add((subject, predicate, value))
    return triples


def iri(name: str) -> str:
    return f"<{BASE}{name}>"


def aikg(name: str) -> str:
    return f"<{AIKG}{name}>"


def contexts() -> dict[str, dict[str, Any]]:
    """Every term that the context defines, in the scope of each collection where it differs: name -> definition."""
    found: dict[str, dict[str, Any]] = {}
    for term, definition in CONTEXT.items():
        if isinstance(definition, dict):
            found[term] = definition
    return found


def test_context_covers_every_authored_key() -> None:
    known = contexts()
    for row in rows(
        ontology(),
        """SELECT ?p ?r ?many ?in WHERE {
             ?p aikg:authoredIn ?c ; rdfs:range ?r . FILTER(isIRI(?p)) OPTIONAL { ?p aikg:multiple ?many }
             OPTIONAL { ?c aikg:collectionKey ?in } }""",
    ):
        key, range_ = local(str(row["p"])), str(row["r"])
        scope = known.get(str(row["in"]), {}).get("@context", {})
        definition = scope.get(key) or known[key]
        assert definition["@id"] == key, key
        assert ("@container" in definition) == (row["many"] is not None), key
        if range_.startswith(XSD):
            assert definition["@type"] == "xsd:" + range_.removeprefix(XSD), key


def test_context_covers_every_collection_and_parameter() -> None:
    known = contexts()
    for row in rows(ontology(), "SELECT ?c ?k WHERE { ?c aikg:collectionKey ?k }"):
        assert known[str(row["k"])]["@id"] == "has" + local(str(row["c"]))
    parameters = {local(str(row["p"])) for row in rows(ontology(), "SELECT ?p WHERE { ?p a aikg:Parameter }")}
    assert set(known["parameters"]["@context"]) == parameters


def test_context_names_nothing_that_the_ontology_does_not_have() -> None:
    declared = {local(str(row["p"])) for row in rows(ontology(), "SELECT DISTINCT ?p WHERE { ?p rdfs:label ?l }")}
    named = {definition["@id"] for definition in contexts().values()}
    for definition in contexts().values():
        inner = definition.get("@context", {}).values()
        named |= {entry["@id"] for entry in inner if isinstance(entry, dict)}
    assert named <= declared


def test_components_become_iris_of_the_design() -> None:
    triples = to_rdf({"name": "x", "racks": [{"id": "r1"}], "nodes": [{"id": "n1", "rack": "r1", "role": "training"}]})
    assert (iri("n1"), aikg("rack"), iri("r1")) in triples
    assert (iri("n1"), aikg("role"), '"training"') in triples
    assert (f"<{BASE}>", aikg("hasNode"), iri("n1")) in triples


def test_catalogue_references_become_catalogue_items() -> None:
    triples = to_rdf(
        {
            "nodes": [{"id": "n1", "model": "dgx-h100", "coolingSupported": ["air", "rdhx"]}],
            "fabrics": [{"id": "f", "technology": "ib-ndr"}],
            "datasets": [{"id": "d", "class": "raw-dataset", "storage": "s"}],
            "storage": [{"id": "s", "technology": "weka"}],
        }
    )
    assert (iri("n1"), aikg("model"), f"<{CAT}dgx-h100>") in triples
    assert (iri("n1"), aikg("coolingSupported"), f"<{CAT}rdhx>") in triples
    assert (iri("f"), aikg("technology"), f"<{CAT}ib-ndr>") in triples
    assert (iri("d"), aikg("class"), f"<{CAT}raw-dataset>") in triples
    assert (iri("d"), aikg("storage"), iri("s")) in triples
    assert (f"<{BASE}>", aikg("hasStorageSystem"), iri("s")) in triples


def test_adapters_of_two_nodes_with_one_id_do_not_merge() -> None:
    nodes = [{"id": node, "nics": [{"id": "c0", "speedGbps": 400}]} for node in ("n1", "n2")]
    document = {"@context": [CONTEXT, {"@base": BASE}], "@id": "", "nodes": nodes}
    quads = list(ox.parse(json.dumps(document).encode(), format=ox.RdfFormat.JSON_LD))
    assert len({quad.object for quad in quads if quad.predicate.value == AIKG + "nics"}) == 2
    assert [str(quad.object) for quad in quads if quad.predicate.value == AIKG + "localId"] == ['"c0"', '"c0"']


def test_quantities_are_decimals_and_a_fraction_as_text_is_well_formed() -> None:
    triples = to_rdf({"nodes": [{"id": "n1", "rackUnits": 8, "maxPowerKw": "10.2", "gpus": 8}]})
    assert (iri("n1"), aikg("rackUnits"), f'"8"^^<{XSD}decimal>') in triples
    assert (iri("n1"), aikg("maxPowerKw"), f'"10.2"^^<{XSD}decimal>') in triples
    assert (iri("n1"), aikg("gpus"), f'"8"^^<{XSD}integer>') in triples


def test_every_design_of_the_rule_vectors_is_rdf_with_declared_properties(shared_dir: Path) -> None:
    known = {str(row["p"]) for row in rows(ontology(), "SELECT DISTINCT ?p WHERE { ?p rdfs:label ?l }")}
    vectors = json.loads((shared_dir / "rules" / "vectors.json").read_text())["vectors"]
    count = 0
    for vector in vectors:
        triples = to_rdf(vector["design"])
        unknown = {predicate for _, predicate, _ in triples if predicate.strip("<>") not in known}
        assert not unknown, (vector["id"], unknown)
        count += len(triples)
    assert count > 10_000
