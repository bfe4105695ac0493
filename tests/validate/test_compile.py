"""What the compiler makes of shapes, case by case: the traps that random graphs seldom hit."""

from __future__ import annotations

import subprocess
import sys

import pyoxigraph as ox
import pytest

from aikg.errors import EngineError, RuleError
from aikg.validate.compile import (
    Unsupported,
    compile_constraints,
    compile_shapes,
    plan_shapes,
    target_pattern_of,
    target_select,
)
from aikg.validate.engine import run_constraint, validate
from aikg.validate.executors.oxigraph import OxigraphExecutor
from aikg.validate.graphs import store_of
from aikg.validate.shapes import ShapesGraph
from tests.validate.compared import compared, rows, setwise, short
from tests.validate.random_shapes import PREFIXES


def graph(shapes: str) -> ShapesGraph:
    return ShapesGraph(quad.triple for quad in ox.parse((PREFIXES + shapes).encode(), format=ox.RdfFormat.TURTLE))


def store(data: str) -> ox.Store:
    return store_of(q.triple for q in ox.parse((PREFIXES + data).encode(), format=ox.RdfFormat.TURTLE))


def name(local: str) -> ox.NamedNode:
    return ox.NamedNode(f"http://example.org/{local}")


# ---- targets


def test_a_target_class_counts_the_subclasses_in_the_data() -> None:
    data = ":D rdfs:subClassOf :C . :E rdfs:subClassOf :D . :a a :C . :b a :E . :c a :Other ."
    assert rows(setwise(data, ":S sh:targetClass :C ; sh:nodeKind sh:Literal .")) == [
        ("a", "a", "NodeKind"),
        ("b", "b", "NodeKind"),
    ]


def test_a_target_class_with_a_blank_subclass_still_finds_all_instances() -> None:
    data = ":a a [ rdfs:subClassOf :C ] . :b a :C ."
    ours, theirs = compared(data, ":S sh:targetClass :C ; sh:nodeKind sh:Literal .")
    assert ours == theirs
    assert len(ours) == 2


def test_circular_subclasses_end() -> None:
    data = ":C rdfs:subClassOf :D . :D rdfs:subClassOf :C . :a a :D ."
    assert rows(setwise(data, ":S sh:targetClass :C ; sh:class :Other .")) == [("a", "a", "Class")]


def test_a_shape_without_a_type_but_with_a_target_judges() -> None:
    assert rows(setwise(":a :p 1 .", ":S sh:targetSubjectsOf :p ; sh:property [ sh:path :q ; sh:minCount 1 ] ."))


def test_a_shape_that_is_a_class_targets_its_instances() -> None:
    shapes = ":C a sh:NodeShape , rdfs:Class ; sh:property [ sh:path :p ; sh:minCount 1 ] ."
    assert rows(setwise(":a a :C . :b :p 1 .", shapes)) == [("a", "", "MinCount")]


def test_a_target_node_that_is_in_no_triple_is_judged() -> None:
    shapes = (
        ":S sh:targetNode :absent ; sh:property [ sh:path [ sh:zeroOrMorePath :p ] ; sh:class :C ; sh:minCount 1 ] ."
    )
    ours, theirs = compared(":a :p :b .", shapes)
    assert ours == theirs
    assert len(ours) == 1


def test_a_node_in_no_triple_is_its_own_value_along_an_optional_path() -> None:
    shapes = ":S sh:targetNode :absent ; sh:property [ sh:path [ sh:zeroOrOnePath :p ] ; sh:hasValue :absent ] ."
    ours, theirs = compared(":a :p :b .", shapes)
    assert ours == theirs
    assert not ours


def test_target_select_names_the_focus_nodes() -> None:
    shapes = graph(":S sh:targetClass :C ; sh:targetObjectsOf :p .")
    found = OxigraphExecutor(store(":a a :C ; :p :b .")).select(target_select(shapes, name("S")))
    assert sorted(short(row[0]) for row in found) == ["a", "b"]


def test_a_shape_without_target_targets_nothing() -> None:
    assert list(OxigraphExecutor(store(":a a :C .")).select(target_select(graph(":S sh:class :C ."), name("S")))) == []


# ---- shapes for other targets


def test_a_blank_shape_is_judged_for_the_targets_of_another() -> None:
    shapes = graph(":S sh:targetClass :C ; :needs [ sh:path :p ; sh:minCount 1 ] .")
    need = shapes.objects(name("S"), name("needs"))[0]
    assert isinstance(need, ox.BlankNode)
    constraints = compile_constraints(shapes, need, target_pattern_of(shapes, name("S")))
    executor = OxigraphExecutor(store(":a a :C . :b a :C ; :p 1 ."))
    assert [short(found.focus) for c in constraints for found in run_constraint(executor, c)] == ["a"]


def test_subclasses_and_nested_shapes_use_variables_of_their_own() -> None:
    shapes = graph(":S sh:targetClass :C ; sh:property [ sh:path :p ; sh:property [ sh:path :q ; sh:class :C ] ] .")
    subclasses = {f"http://example.org/{cls}": (f"http://example.org/{cls}", "http://example.org/D") for cls in "C"}
    executor = OxigraphExecutor(store(":a a :D ; :p :b . :b :q :c , :d . :d a :D ."))
    constraints = compile_shapes(shapes, subclasses)
    assert [short(found.value) for c in constraints for found in run_constraint(executor, c)] == ["c"]


# ---- constraints


def test_a_store_keeps_values_and_so_compares_values() -> None:
    shapes = ":S sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:in ( 10.2 ) ; sh:hasValue 10.200 ] ."
    assert setwise(":a :p 10.20 .", shapes).conforms


def test_fifteen_is_at_most_fifteen() -> None:
    shapes = ":S sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:lessThanOrEquals :q ] ."
    assert setwise(":a :p 15.0 ; :q 15 .", shapes).conforms
    assert rows(setwise(":a :p 15.000001 ; :q 15 .", shapes)) == [
        ("a", '"15.000001"^^<http://www.w3.org/2001/XMLSchema#decimal', "LessThanOrEquals")
    ]


def test_an_ill_typed_literal_is_never_within_limits() -> None:
    shapes = ":S sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:maxInclusive 15 ] ."
    assert len(rows(setwise(':a :p "abc"^^xsd:decimal . :b :p "10 kW" . :c :p true .', shapes))) == 3


def test_numbers_beyond_the_store_are_still_well_formed() -> None:
    shapes = ":S sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:datatype xsd:integer ] ."
    assert setwise(f":a :p {'9' * 40} .", shapes).conforms
    assert not setwise(':a :p "9.5"^^xsd:integer .', shapes).conforms


def test_has_value_on_a_sequence_looks_along_it() -> None:
    shapes = ":S sh:targetClass :C ; sh:property [ sh:path ( :p :q ) ; sh:hasValue 1 ] ."
    assert rows(setwise(":a a :C ; :p [ :q 1 ] . :b a :C ; :p [ :q 2 ] .", shapes)) == [("b", "", "HasValue")]


def test_equals_on_a_node_shape_compares_with_the_node_itself() -> None:
    assert rows(setwise(":a :p :a . :b :p :c .", ":S sh:targetSubjectsOf :p ; sh:equals :p .")) == [
        ("b", "b", "Equals"),
        ("b", "c", "Equals"),
    ]


def test_a_property_below_a_property_reports_the_inner_focus_once_for_each_way_to_it() -> None:
    shapes = ":S sh:targetClass :C ; sh:property :P . :P sh:path :p ; sh:property :Q . :Q sh:path :q ; sh:minCount 1 ."
    data = ":a a :C ; :p :x . :b a :C ; :p :x , :y . :y :q 1 ."
    ours, theirs = compared(data, shapes)
    assert ours == theirs
    assert rows(setwise(data, shapes)) == [("x", "", "MinCount"), ("x", "", "MinCount")]


def test_a_sparql_constraint_below_a_property_judges_the_value_nodes() -> None:
    shapes = """:S sh:targetClass :C ; sh:property [ sh:path :p ; sh:property :Q ] .
        :Q sh:path :q ; sh:sparql [ sh:select "SELECT $this ?value WHERE { $this <http://example.org/q> ?value }" ] ."""
    ours, theirs = compared(":a a :C ; :p :x . :x :q 1 . :z :q 2 .", shapes)
    assert ours == theirs
    assert len(ours) == 1


def test_a_deactivated_shape_conforms_wherever_it_stands() -> None:
    shapes = ":S sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 1 ; sh:deactivated true ] ."
    assert setwise(":a a :C .", shapes).conforms
    shapes = ":S sh:targetClass :C ; sh:not [ sh:nodeKind sh:Literal ; sh:deactivated true ] ."
    assert rows(setwise(":a a :C .", shapes)) == [("a", "a", "Not")]


def test_a_deactivated_shape_is_not_handed_over() -> None:
    plan = plan_shapes(graph(":S sh:target [ a sh:SPARQLTarget ] ; sh:deactivated true ."))
    assert (plan.constraints, plan.handed) == ((), ())


def test_values_that_conform_to_a_sibling_are_not_counted() -> None:
    shapes = """:S sh:targetClass :C ; sh:property :P , :Q .
        :P sh:path :p ; sh:qualifiedValueShapesDisjoint true ; sh:qualifiedMinCount 1 ;
            sh:qualifiedValueShape [ sh:nodeKind sh:IRI ] .
        :Q sh:path :p ; sh:qualifiedValueShape [ sh:deactivated true ] ; sh:qualifiedMaxCount 9 ."""
    ours, theirs = compared(":a a :C ; :p :b .", shapes)
    assert ours == theirs
    assert len(ours) == 1


def test_logic_over_shapes_that_always_hold() -> None:
    holds = "[ sh:path :p ; sh:minCount 0 ]"
    data = ":a a :C ."
    assert setwise(
        data, f":S sh:targetClass :C ; sh:and ( {holds} ) ; sh:or ( {holds} ) ; sh:xone ( {holds} ) ."
    ).conforms
    result = setwise(data, f":S sh:targetClass :C ; sh:xone ( {holds} [ rdfs:label 'also' ] ) ; sh:not {holds} .")
    assert sorted(row[2] for row in rows(result)) == ["Not", "Xone"]


def test_a_long_list_of_allowed_values_is_no_problem() -> None:
    members = " ".join(f'"v{number}"' for number in range(20_000))
    shapes = f":S sh:targetSubjectsOf :p ; sh:property [ sh:path :p ; sh:in ( {members} ) ] ."
    assert rows(setwise(':a :p "v19999" , "other" .', shapes)) == [("a", '"other"', "In")]


def test_a_triple_in_two_graphs_counts_once() -> None:
    data = ox.Store()
    for quad in store(":a a :C ; :p 1 ."):
        for where in ("g1", "g2"):
            data.add(ox.Quad(quad.subject, quad.predicate, quad.object, name(where)))
    shapes = (PREFIXES + ":S sh:targetClass :C ; sh:property [ sh:path :p ; sh:maxCount 1 ; sh:minCount 2 ] .").encode()
    assert rows(validate(data, shapes)) == [("a", "", "MinCount")]
    assert rows(validate(data, shapes, "pyshacl")) == [("a", "", "MinCount")]


def test_severity_and_messages_are_those_of_the_shape() -> None:
    shapes = """:S sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 1 ; sh:severity sh:Info ;
        sh:message "p fehlt"@de , "p is missing"@en ] ."""
    (found,) = setwise(":a a :C .", shapes).results
    assert (found.severity, found.message) == ("http://www.w3.org/ns/shacl#Info", "p is missing")


def test_the_message_of_a_sparql_constraint_is_filled() -> None:
    shapes = """:S sh:targetClass :C ; sh:sparql [ sh:message "{$this} has {?value}, not {?other}" ;
        sh:select "SELECT $this ?value WHERE { $this <http://example.org/p> ?value }" ] ."""
    (found,) = setwise(":a a :C ; :p 7 .", shapes).results
    assert found.message == "http://example.org/a has 7, not {?other}"


# ---- what is not compiled


@pytest.mark.parametrize(
    "body",
    [
        *("sh:datatype xsd:byte", 'sh:pattern "(?=a)"', "sh:targetNode _:b", "sh:hasValue _:b"),
        "sh:property [ sh:path :p ; sh:closed true ]",
        "sh:node [ sh:sparql [ sh:select 'SELECT $this WHERE { $this ?p ?o }' ] ]",
        "sh:sparql [ sh:select 'SELECT $this WHERE { FILTER(isIRI($this)) }' ]",
        "sh:target [ a sh:SPARQLTarget ]",
    ],
)
def test_what_queries_cannot_judge_is_handed_over(body: str) -> None:
    shapes = graph(f":S sh:targetClass :C ; {body} . :T sh:targetClass :C ; sh:class :D .")
    plan = plan_shapes(shapes)
    assert [handed.shape for handed in plan.handed] == [name("S")]
    assert [constraint.shape for constraint in plan.constraints] == [name("T")]
    with pytest.raises(Unsupported):
        compile_shapes(shapes)


def test_only_the_shape_that_needs_it_goes_to_pyshacl() -> None:
    shapes = ":S sh:targetClass :C ; sh:datatype xsd:byte . :T sh:targetClass :C ; sh:class :D ."
    result = validate((PREFIXES + ":a a :C .").encode(), (PREFIXES + shapes).encode())
    assert rows(result) == [("a", "a", "Datatype"), ("a", "a", "Class")]
    assert [text.split(":")[0] for text in result.handed_to_reference] == ["<http"]


def test_a_shape_that_refers_to_itself_is_an_error_and_no_pass() -> None:
    shapes = ":S sh:targetClass :C ; sh:property [ sh:path :p ; sh:node :S ] ."
    texts = (PREFIXES + ":a a :C ; :p :a .").encode(), (PREFIXES + shapes).encode()
    with pytest.raises(RuleError, match="refers to itself"):
        validate(*texts)
    with pytest.raises(EngineError, match="Recursi"):
        validate(*texts, "pyshacl")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sh:property [ sh:path :p ; sh:mincount 1 ]", "did you mean sh:minCount?"),
        ("sh:nodeKind sh:Iri", "did you mean sh:IRI?"),
        ("sh:severity sh:Eror", "unknown SHACL term sh:Eror"),
        ("sh:minCount 1", "needs a property shape"),
        ("sh:property [ sh:minCount 1 ]", "no sh:path"),
        ("sh:property [ sh:path :p ; sh:minCount 1 , 2 ]", "at most one"),
        ("sh:property [ sh:path :p ; sh:minCount 'one' ]", "whole number"),
        ("sh:property :Misspelt", "not described"),
        ("sh:node [ sh:path :p ]", "use sh:property"),
        ("sh:in [ rdf:first 1 ]", "no well-formed list"),
        ("sh:nodeKind :IRI", "expected one of sh:IRI"),
        ("sh:sparql [ sh:select 'SELECT $this WHERE { $this :: }' ]", "does not parse"),
        ("sh:sparql [ sh:select 'SELECT $this WHERE { SERVICE <http://x> { $this ?p ?o } }' ]", "network"),
        ("sh:entailment :rdfs", "not supported"),
        ("sh:targetSubjectsOf 'p'", "property"),
    ],
)
def test_ill_formed_shapes_are_errors(body: str, said: str) -> None:
    with pytest.raises(RuleError, match=said.replace("?", r"\?")):
        plan_shapes(graph(f":S sh:targetClass :C ; {body} ."))


def test_the_same_shapes_give_the_same_queries() -> None:
    text = ":S sh:targetClass :C ; sh:or ( [ sh:path :p ; sh:minCount 1 ] [ sh:path ( :p :q ) ; sh:in ( 1 2 ) ] ) ."
    assert [c.select for c in compile_shapes(graph(text))] == [c.select for c in compile_shapes(graph(text))]


def test_a_check_that_compiles_imports_neither_rdflib_nor_pyshacl() -> None:
    code = (
        "import sys; from aikg.validate.engine import validate;"
        "validate(b'<a:a> a <a:C> .', b'<a:S> <http://www.w3.org/ns/shacl#targetClass> <a:C> .');"
        "sys.exit(any(name in sys.modules for name in ('rdflib', 'pyshacl')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
