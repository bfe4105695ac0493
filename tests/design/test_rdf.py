"""Designs in Turtle, N-Triples and JSON-LD."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path

import pytest

from aikg.design.graph import to_ntriples
from aikg.design.read import read_mapping, read_text
from aikg.design.records import DesignSource, IllTyped
from tests.design.reading import components, error, one, read, said
from tests.design.test_schema import vector_designs

PREFIXES = """\
@prefix : <https://w3id.org/aikg/design/demo/> .
@prefix aikg: <https://w3id.org/aikg/ontology#> .
@prefix cat: <https://w3id.org/aikg/catalogue/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
HEAD = PREFIXES.count("\n")


def turtle(body: str) -> DesignSource:
    """The design in a Turtle text with the usual prefixes."""
    return read_text(PREFIXES + body, "ttl", "stem", "d.ttl")


def test_a_turtle_design_gives_the_same_records_as_yaml() -> None:
    found = turtle(
        """
: a aikg:Design ; aikg:designName "demo" ; aikg:profile "seed" ; aikg:complete true ;
    aikg:parameters [ aikg:upsMargin 1.2 ] .
:n1 a aikg:Node ; rdfs:label "first node" ;
    aikg:model cat:dgx-h100 ; aikg:rack :r1 ; aikg:su "01" ; aikg:gpus 8 ; aikg:maxPowerKw 10.2 ;
    aikg:coolingSupported cat:air , cat:rdhx ;
    aikg:nics :n1\\/c0 , [ aikg:localId "c1" ; aikg:rail 1 ] ;
    aikg:psus [ aikg:pdu :p1 ] .
:n1\\/c0 a aikg:Nic ; aikg:rail 0 ; aikg:lossless [ aikg:pfc true ] .
:r1 a aikg:Rack ; aikg:coolingTechnology cat:air .
:l1 a aikg:Link ; aikg:a [ aikg:device :n1 ; aikg:port "c0" ] ; aikg:b [ aikg:device :sw1 ; aikg:port "1" ] .
"""
    )
    expected = read(
        """
        name: demo
        profile: seed
        complete: true
        parameters: {upsMargin: 1.2}
        nodes:
          - id: n1
            model: dgx-h100
            rack: r1
            su: "01"
            gpus: 8
            maxPowerKw: 10.2
            coolingSupported: [air, rdhx]
            nics: [{id: c0, rail: 0, lossless: {pfc: true}}, {id: c1, rail: 1}]
            psus: [{pdu: p1}]
        racks: [{id: r1, coolingTechnology: air}]
        links: [{id: l1, a: {device: n1, port: c0}, b: {device: sw1, port: "1"}}]
        """
    )
    assert said(found) == said(expected)


def test_every_value_of_a_turtle_design_knows_its_line() -> None:
    record = one(
        turtle(
            ":n1 a aikg:Node ;\n  aikg:maxPowerKw\n    10.2 ;\n  aikg:nics [ aikg:localId 'c' ;\n  aikg:rail 1 ] .\n"
        ),
        "nodes",
    )
    assert record.origin.line == HEAD + 1
    assert record.where(("maxPowerKw",)).line == HEAD + 3
    assert record.where(("nics", 0, "rail")).line == HEAD + 5


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("10.2", Decimal("10.2")),
        ("8", Decimal(8)),
        ("1.02e1", Decimal("10.2")),
        ('"8"^^<http://www.w3.org/2001/XMLSchema#unsignedByte>', Decimal(8)),
        ('"10.2"', IllTyped("10.2")),
        ('"10.2 kW"', IllTyped("10.2 kW")),
        ("true", IllTyped("true")),
        ('"INF"^^<http://www.w3.org/2001/XMLSchema#double>', IllTyped("INF")),
        (":x", IllTyped("https://w3id.org/aikg/design/demo/x")),
    ],
)
def test_only_number_literals_are_numbers(literal: str, value: object) -> None:
    assert one(turtle(f":n a aikg:Node ; aikg:maxPowerKw {literal} ."), "nodes").fields == {"maxPowerKw": value}


def test_booleans_texts_and_references_in_turtle() -> None:
    fields = one(
        turtle(
            ':n a aikg:Node ; aikg:shared "1"^^<http://www.w3.org/2001/XMLSchema#boolean> ; aikg:liquidLoop "true" ;'
            ' aikg:su :su1 ; aikg:rack "r1" ; aikg:pod "" .'
        ),
        "nodes",
    ).fields
    assert fields == {"shared": True, "liquidLoop": IllTyped("true"), "su": "su1", "rack": "r1"}


def test_names_are_what_follows_the_base_else_the_last_part() -> None:
    source = turtle(
        """
:n%20%C3%A91 a aikg:Node ; aikg:rack <http://other.example/dc#r1> .
<http://other.example/dc#r1> a aikg:Rack .
<http://other.example/b/r1> a aikg:Rack .
"""
    )
    assert [record.name for record in source.records] == ["design", "n é1", "r1", "r1"]
    assert one(source, "nodes").fields == {"rack": "r1"}


def test_membership_gives_the_class() -> None:
    source = turtle(
        ": aikg:hasNode :n1 ; aikg:racks :r1 ; aikg:hasSite :hall . :n1 aikg:gpus 8 . :hall aikg:utilityKw 5 ."
    )
    assert components(source, "nodes") == {"n1": {"gpus": Decimal(8)}}
    assert components(source, "racks") == {"r1": {}}
    assert components(source, "site") == {"hall": {"utilityKw": Decimal(5)}}


def test_the_design_is_named_by_its_name_its_iri_or_its_file() -> None:
    assert turtle(': a aikg:Design ; aikg:name "x" . :n a aikg:Node .').name == "x"
    assert turtle(":n a aikg:Node .").name == "demo"
    assert turtle("<urn:x:n> a aikg:Node .").name == "stem"
    relative = turtle("<n> a aikg:Node .")
    assert (relative.name, relative.records[1].name) == ("stem", "n")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (":n1 aikg:rack :r1 .", "<https://w3id.org/aikg/design/demo/n1> has no class; write `a aikg:Node` or another"),
        (
            ":n a aikg:Node ; aikg:maxPowerKW 1 .",
            "unknown property aikg:maxPowerKW of nodes; did you mean 'maxPowerKw'?",
        ),
        (":n a aikg:Node ; aikg:utilityKw 1 .", "unknown property aikg:utilityKw of nodes"),
        (":n a aikg:Node ; aikg:effectivePowerKw 1 .", "unknown property aikg:effectivePowerKw of nodes"),
        (":n a aikg:Nod .", "aikg:Nod is no class of a design's components; did you mean 'Node'?"),
        (":n a aikg:TrainingNode .", "aikg:TrainingNode is no class of a design's components"),
        ("cat:dgx-h100 aikg:maxPowerKw 5 .", "a design may not redefine cat:dgx-h100, a term of the catalogue"),
        (
            "aikg:maxPowerKw a owl:DatatypeProperty .",
            "a design may not redefine aikg:maxPowerKw, a term of the ontology",
        ),
        ("<https://w3id.org/aikg/rules/X> sh:deactivated true .", "a design may not redefine rule:X, a term of a rule"),
        ("sh:x a aikg:Node .", "a design may not redefine sh:x, a term of SHACL"),
        ("owl:Thing a aikg:Node .", "a design may not redefine owl:Thing, a term of OWL"),
        (":x a sh:NodeShape .", "sh:NodeShape is no class of a design's components"),
        (":n a aikg:Node ; owl:sameAs :m .", "owl:sameAs is no property of a design"),
        (":n a aikg:Node ; <http://x.example/p> 1 .", "<http://x.example/p> is no property of a design"),
        ("<> owl:imports <http://x.example/> .", "owl:imports is no property of a design"),
        (":n a aikg:Node ; aikg:rack :r1 , :r2 .", "a second value of rack; it has one"),
        (":n a aikg:Node ; aikg:nics 'c0' .", "aikg:nics takes an entry, not text"),
        (":n a aikg:Node ; aikg:nics [ aikg:rail 0 ] .", "an adapter has no id; give it an IRI or aikg:localId"),
        (":n a aikg:Node ; aikg:rack [] .", "aikg:rack takes one value, not an entry"),
        (":n a aikg:Node ; aikg:coolingSupported ( cat:air ) .", "aikg:coolingSupported takes one value, not an entry"),
        (":n a aikg:Node , aikg:Rack .", "<https://w3id.org/aikg/design/demo/n> is in nodes and in racks"),
        ("[] a aikg:Node .", "a component of nodes has no IRI, so it has no name"),
        (":c a aikg:Nic .", "<https://w3id.org/aikg/design/demo/c> (aikg:Nic) belongs to no component"),
        (":a a aikg:Design . :b a aikg:Design .", "a second design; one design per file"),
        (": aikg:hasNode 'n1' .", "aikg:hasNode takes a component, not text"),
        (": aikg:parameters 5 .", "aikg:parameters takes an entry, not text"),
        (": aikg:parameters [ aikg:upsMargn 2 ] .", "unknown parameter aikg:upsMargn; did you mean 'upsMargin'?"),
        (
            ": aikg:parameters [ aikg:storageOversub 2 ] .",
            "unknown parameter aikg:storageOversub; write storageOversubDown and storageOversubUp",
        ),
        (
            ":n a aikg:Node ; aikg:illTyped [ aikg:property aikg:gpus ] .",
            "aikg:illTyped needs aikg:property and aikg:asW",
        ),
        (":n a aikg:Node ; aikg:rack .", "broken Turtle: . is not a valid RDF object"),
        ("x:n a aikg:Node .", "broken Turtle: The prefix x: has not been declared"),
    ],
)
def test_what_no_author_may_state_is_an_error_with_its_line(body: str, message: str) -> None:
    assert error(f"{PREFIXES}\n{body}", "ttl").startswith(f"d.ttl:{HEAD + 2}: {message}")


def test_an_empty_file_is_an_error() -> None:
    assert error(PREFIXES, "ttl") == "d.ttl: the file is empty: nothing to check"
    assert error("<a> <b> <c> .", "nt").startswith("d.nt:1: broken N-Triples")


# ---- What our own export writes


def triples(source: DesignSource) -> list[bytes]:
    """The graph of a design."""
    return sorted(to_ntriples(source)[0].splitlines())


def test_our_own_export_reads_back_to_the_same_graph(shared_dir: Path) -> None:
    for design in vector_designs(shared_dir):
        exported = triples(read_mapping(design, "a name/with ~ and é"))
        text = b"\n".join(exported).decode()
        assert triples(read_text(text, "nt", "stem", "d.nt")) == exported


def test_our_own_export_reads_back_to_the_same_records() -> None:
    source = read(
        """
        name: "x y/z~1"
        parameters: {upsMargin: 2}
        nodes:
          - {id: "n/1~2 é", rack: "r[[]1-2]", maxPowerKw: 10.2 kW, nics: [], psus: [{id: "u/1", pdu: p}]}
          - {id: n2, nics: [{id: "c.0~3", rail: "1", lossless: {pfc: yes}}], coolingSupported: [air, rdhx]}
        links: [{id: l, a: {device: n2, port: "c.0~3"}, b: {device: gone, port: 1}}]
        """
    )
    text = to_ntriples(source)[0].decode()
    assert said(read_text(text, "nt", "stem", "d.nt")) == said(source)


def test_the_first_pod_stays_the_first() -> None:
    source = read("pods: [{id: z}, {id: a}]\nracks: [{id: r}]")
    text = "\n".join(sorted(to_ntriples(source)[0].decode().splitlines()))
    assert list(components(read_text(text, "nt", "s", "d"), "pods")) == ["z", "a"]


def test_two_entries_with_one_id_stay_two() -> None:
    source = read("racks: [{id: r, rackUnits: 1}, {id: r, rackUnits: 2}]")
    text = to_ntriples(source)[0].decode()
    assert said(read_text(text, "nt", "stem", "d.nt")) == said(source)


def test_the_order_of_triples_does_not_matter() -> None:
    lines = to_ntriples(read("nodes: [{id: n, nics: [{id: c, lossless: {pfc: true}}], rack: r}]\nracks: [{id: r}]"))[0]
    expected = said(read_text(lines.decode(), "nt", "s", "d"))
    for seed in range(5):
        mixed = lines.decode().splitlines()
        random.Random(seed).shuffle(mixed)
        assert said(read_text("\n".join(mixed), "nt", "s", "d")) == expected


# ---- JSON-LD

BASE = {"@base": "https://w3id.org/aikg/design/demo/"}
URL = "https://w3id.org/aikg/context.jsonld"


def document(context: object, **keys: object) -> str:
    """A JSON-LD document."""
    return json.dumps({"@context": context, "@id": "", **keys}, indent=1)


def test_the_own_context_may_be_joined_with_others() -> None:
    text = document(
        [URL, BASE],
        name="demo",
        nodes=[{"id": "n1", "rack": "r1", "maxPowerKw": 10.2, "nics": [{"id": "c0", "rail": 0}]}],
        racks=[{"id": "r1", "coolingTechnology": "air"}],
    )
    source = read(text, "jsonld")
    assert source.name == "demo"
    assert components(source, "nodes") == {
        "n1": {"rack": "r1", "maxPowerKw": Decimal("10.2"), "nics": [{"id": "c0", "rail": Decimal(0)}]}
    }
    line = one(source, "nodes").where(("maxPowerKw",)).line
    assert '"maxPowerKw"' in text.splitlines()[line - 1]


def test_inline_contexts_and_expanded_documents_are_read() -> None:
    aikg = "https://w3id.org/aikg/ontology#"
    inline = json.dumps({"@context": {"k": aikg}, "@id": "http://x.example/n1", "@type": "k:Node", "k:gpus": 8})
    assert components(read(inline, "jsonld"), "nodes") == {"n1": {"gpus": Decimal(8)}}
    expanded = json.dumps([{"@id": "http://x.example/n1", "@type": [f"{aikg}Node"], f"{aikg}gpus": [{"@value": 8}]}])
    for format in ("json", "jsonld"):
        assert components(read(expanded, format), "nodes") == {"n1": {"gpus": Decimal(8)}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"@context": "http://x.example/c",\n"@id": "x"}',
            "d.jsonld:1: the context 'http://x.example/c' would have to",
        ),
        ('{"@context": [\n"c.jsonld"], "@id": "x"}', "d.jsonld:2: the context 'c.jsonld' would have to be fetched"),
        ('{"@context": {"@import": "http://x"}, "@id": "x"}', "d.jsonld:1: @import would have to be fetched"),
        ('{"@context": {"a": {"@id": "x:a", "@context": "http://x"}}}', "d.jsonld:1: the context 'http://x' would"),
        ('{"@id": "x:a",\n"x:b": {"@context": "http://x"}}', "d.jsonld:2: the context 'http://x' would have to be"),
        ('{"@context": {"@version": 9}, "@id": "x:a", "x:b": 1}', "d.jsonld:1: broken JSON-LD"),
        ('{"@id": "http://x.example/a", "http://x.example/b": 1}', "d.jsonld:1: <http://x.example/a> has no class"),
        ("{", "d.jsonld:1: broken JSON"),
    ],
)
def test_json_ld_that_cannot_be_read_is_an_error(text: str, message: str) -> None:
    assert error(text, "jsonld").startswith(message)


def test_designs_of_the_vectors_are_json_ld(shared_dir: Path) -> None:
    for design in vector_designs(shared_dir)[::25]:
        plain = json.loads(json.dumps(design, default=str))
        records = read_mapping(design).records
        if "IllTyped" in repr(records) or len({record.name for record in records}) < len(records):
            continue  # in RDF an IRI is one thing
        source = read(document([URL, BASE], **plain), "jsonld")
        mine, expected = components(source, "nodes"), components(read_mapping(design, "demo"), "nodes")
        assert set(mine) == set(expected)
        for name, fields in expected.items():
            assert {key for key, value in fields.items() if value != []} == set(mine[name])
