"""Reports, inputs and the vocabulary."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from aikg import terms
from aikg.errors import InputError, RuleError
from aikg.validate import shacl
from aikg.validate.engine import to_report_graph, to_report_rdflib, validate
from aikg.validate.graphs import by_value, from_rdflib, read_triples, store_of, to_rdflib
from aikg.validate.normalise import comparable
from aikg.validate.paths import read_path
from aikg.validate.reference import reference_graph, reference_results, report_results
from aikg.validate.shapes import ShapesGraph
from tests.validate.random_shapes import PREFIXES

DATA = (PREFIXES + ':a a :C ; :p 1.50 , "x"@en , "abc"^^xsd:decimal . :b a :C .').encode()
SHAPES = (
    PREFIXES
    + """:S sh:targetClass :C ; sh:property :S-1 , :S-2 .
    :S-1 sh:path ( :p [ sh:inversePath :q ] ) ; sh:minCount 1 ; sh:message "no q" .
    :S-2 sh:path [ sh:alternativePath ( :p [ sh:oneOrMorePath :q ] ) ] ; sh:nodeKind sh:IRI ;
        sh:severity sh:Warning ."""
).encode()


def test_the_report_graph_says_what_the_result_says() -> None:
    result = validate(DATA, SHAPES)
    report = ShapesGraph(read_triples(to_report_graph(result).encode()))
    assert comparable(report_results(report)) == comparable(result.results)
    assert len(result.results) == 5
    assert {str(found.path) for found in report_results(report)} == {str(found.path) for found in result.results}


def test_the_report_as_rdflib_graph_has_as_many_triples() -> None:
    result = validate(DATA, SHAPES)
    assert len(to_report_rdflib(result)) == len(read_triples(to_report_graph(result).encode()))


def test_results_come_in_a_fixed_order() -> None:
    result = validate(DATA, SHAPES)
    assert [found.order() for found in result.results] == sorted(found.order() for found in result.results)


def test_data_and_shapes_may_come_in_any_form(tmp_path: Path) -> None:
    file = tmp_path / "data.ttl"
    file.write_bytes(DATA)
    expected = comparable(validate(DATA, SHAPES).results)
    for data in (file, store_of(read_triples(DATA)), to_rdflib(read_triples(DATA))):
        for engine in ("setwise", "pyshacl"):
            assert comparable(validate(data, store_of(read_triples(SHAPES)), engine).results) == expected


def test_a_reference_graph_serves_several_shapes() -> None:
    shapes = ShapesGraph(read_triples(SHAPES + b":T sh:targetClass :C ; sh:nodeKind sh:Literal ."))
    data = reference_graph(read_triples(DATA))
    counts = [len(reference_results(data, shapes, {ox.NamedNode(f"http://example.org/{name}")})) for name in "STX"]
    assert counts == [5, 2, 0]
    assert len(reference_results(data, shapes)) == 7


def test_conforms_means_no_result_of_any_severity() -> None:
    shapes = (PREFIXES + ":S sh:targetClass :C ; sh:nodeKind sh:Literal ; sh:severity sh:Info .").encode()
    for engine in ("setwise", "pyshacl"):
        assert not validate(DATA, shapes, engine).conforms


def test_rdflib_and_back_changes_no_spelling() -> None:
    triples = read_triples((PREFIXES + ':a :p "none"^^xsd:boolean , "007"^^xsd:integer .').encode())
    assert set(from_rdflib(to_rdflib(triples))) == set(triples)


def test_by_value_spells_equal_values_alike() -> None:
    decimal = ox.NamedNode(terms.XSD + "decimal")
    written, plain, broken = (ox.Literal(text, datatype=decimal) for text in ("10.20", "10.2", "abc"))
    assert by_value([written, plain, broken]) == {written: plain}


@pytest.mark.parametrize("text", ["<a:a> <a:b>", "\x00"])
def test_text_that_does_not_parse_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        validate(text.encode(), SHAPES)


def test_an_unknown_ending_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown ending"):
        validate(tmp_path / "data.xyz", SHAPES)


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(RuleError, match="setwise"):
        validate(DATA, SHAPES, "magic")


def test_a_path_without_an_end_is_an_error() -> None:
    graph = ShapesGraph(read_triples((PREFIXES + ":S sh:path _:p . _:p sh:inversePath _:p .").encode()))
    with pytest.raises(RuleError, match="nested deeper"):
        read_path(graph, graph.objects(ox.NamedNode("http://example.org/S"), shacl.sh("path"))[0])


def test_the_vocabulary_is_the_published_one(shared_dir: Path) -> None:
    published = {
        triple.subject.value.removeprefix(terms.SH)
        for triple in read_triples(shared_dir / "w3c-shacl" / "shacl.ttl")
        if isinstance(triple.subject, ox.NamedNode) and triple.subject.value.startswith(terms.SH)
    }
    # Parameters of components are nodes such as sh:AndConstraintComponent-and.
    published = {term for term in published if term and "-" not in term}
    assert published == shacl.PREDICATES | shacl.CLASSES
