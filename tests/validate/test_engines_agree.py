"""The compiler and pyshacl say the same about random graphs and shapes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from aikg.errors import EngineError
from tests.validate import random_shapes
from tests.validate.compared import compared

_quick = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _same(data: str, shapes: str) -> None:
    try:
        ours, theirs = compared(data, shapes)
    except EngineError:
        assume(False)
    assert ours == theirs


@_quick
@given(random_shapes.data(), random_shapes.shapes())
def test_random_shapes_give_the_same_results(data: str, shapes: str) -> None:
    _same(data, shapes)


# One for each component that a random shape may miss by chance.
@pytest.mark.parametrize(
    "constraint",
    [
        *("sh:class :D", "sh:datatype xsd:decimal", "sh:nodeKind sh:IRI", "sh:in ( :a 1.5 1 )", "sh:hasValue 1.5"),
        *("sh:minInclusive 1.5", "sh:maxInclusive 1.5", "sh:minExclusive 1.5", "sh:maxExclusive 1.5"),
        *("sh:minLength 2", "sh:maxLength 2", 'sh:pattern "A" ; sh:flags "i"', 'sh:languageIn ( "en" "de" )'),
        *(
            "sh:equals :q",
            "sh:disjoint :q",
            "sh:not [ sh:class :D ]",
            "sh:node [ sh:property [ sh:path :q ; sh:minCount 1 ] ]",
        ),
        *("sh:or ( [ sh:class :C ] [ sh:datatype xsd:integer ] )", "sh:and ( [ sh:class :C ] [ sh:class :D ] )"),
        "sh:xone ( [ sh:class :C ] [ sh:path :q ; sh:maxCount 0 ] [ sh:class :C ] )",
        *("sh:minCount 2", "sh:maxCount 1", "sh:uniqueLang true"),
        "sh:qualifiedValueShape [ sh:class :D ] ; sh:qualifiedMinCount 1",
        "sh:qualifiedValueShape [ sh:class :D ] ; sh:qualifiedMaxCount 1",
        "sh:property [ sh:path :q ; sh:maxCount 1 ]",
    ],
)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=random_shapes.data(), path=random_shapes.paths(), target=random_shapes.targets)
def test_each_component_gives_the_same_results_on_any_path(constraint: str, data: str, path: str, target: str) -> None:
    _same(data, f":S {target} ; sh:property :S-1 . :S-1 sh:path {path} ; {constraint} .")


@_quick
@given(random_shapes.data(), st.lists(random_shapes.properties, max_size=2), random_shapes.targets)
def test_closed_shapes_give_the_same_results(data: str, allowed: list[str], target: str) -> None:
    properties = "".join(f"; sh:property [ sh:path {name} ]" for name in allowed)
    _same(data, f":S {target} ; sh:closed true ; sh:ignoredProperties ( rdf:type ) {properties} .")


@settings(max_examples=40, deadline=None)
@given(random_shapes.data(with_ill_typed=True), random_shapes.datatypes)
def test_ill_typed_literals_have_no_datatype_for_both(data: str, datatype: str) -> None:
    _same(data, f":S sh:targetSubjectsOf :p ; sh:property :S-1 . :S-1 sh:path :p ; sh:datatype {datatype} .")
