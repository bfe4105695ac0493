"""Mistakes in shapes are found, all at once."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from aikg.validate import lint
from aikg.validate.lint import lint_shapes
from aikg.validate.shapes import ShapesGraph
from tests.validate.random_shapes import PREFIXES


def kinds(shapes: str) -> list[str]:
    graph = ShapesGraph(quad.triple for quad in ox.parse((PREFIXES + shapes).encode(), format=ox.RdfFormat.TURTLE))
    return [problem.kind for problem in lint_shapes(graph)]


GOOD = ":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 1 ] ; :needs [ sh:path :q ] ."


def test_a_good_shape_has_no_problems() -> None:
    assert kinds(GOOD) == []


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        (":S sh:targetClass :C ; sh:property [ sh:path :p ; sh:mincount 1 ] .", [lint.UNKNOWN_TERM]),
        (":S sh:targetclass :C ; sh:clas :D .", [lint.UNKNOWN_TERM, lint.UNKNOWN_TERM]),
        (":S a sh:NodeShape ; sh:class :C .", [lint.NO_TARGET]),
        (":S a sh:NodeShape , <http://www.w3.org/2002/07/owl#Class> ; sh:class :C .", [lint.NO_TARGET]),
        (":S sh:targetNode :a ; sh:class :C .", [lint.TARGET_KIND]),
        (":S a sh:NodeShape , rdfs:Class ; sh:class :C .", [lint.TARGET_KIND]),
        (":S sh:targetClass :C ; sh:sparql [ sh:select 'SELECT $this WHERE {' ] .", [lint.QUERY]),
        (
            ":S sh:targetClass :C ; sh:sparql [ sh:select 'SELECT $this FROM <http://x> WHERE { $this ?p ?o }' ] .",
            [lint.QUERY],
        ),
        (
            ":S sh:targetClass :C ; sh:sparql [ sh:select 'SELECT $this WHERE { FILTER($this = 1) }' ] .",
            [lint.NOT_SELF_BINDING],
        ),
        (":S sh:targetClass :C ; sh:minCount 1 .", [lint.ILL_FORMED]),
        (":S sh:targetClass :C ; sh:property :T .", [lint.ILL_FORMED]),
        (":S sh:targetClass :C ; sh:datatype xsd:byte .", [lint.REFERENCE_ONLY]),
    ],
)
def test_each_mistake_is_named(shapes: str, expected: list[str]) -> None:
    assert kinds(shapes) == expected


def test_a_problem_of_a_blank_node_says_where_it_is() -> None:
    graph = ShapesGraph(
        quad.triple
        for quad in ox.parse(
            (PREFIXES + ":S sh:targetClass :C ; sh:property [ sh:path :p ; sh:maxcount 1 ] .").encode(),
            format=ox.RdfFormat.TURTLE,
        )
    )
    (problem,) = lint_shapes(graph)
    assert str(problem) == (
        "a blank node of <http://example.org/S>: unknown SHACL term sh:maxcount; did you mean sh:maxCount?"
    )


def test_the_line_of_a_syntax_error_is_the_authors() -> None:
    graph = ShapesGraph(
        quad.triple
        for quad in ox.parse(
            (
                PREFIXES
                + ":S sh:targetClass :C ; sh:sparql [ sh:select '''SELECT $this\nWHERE { $this nope:p ?x }''' ] ."
            ).encode(),
            format=ox.RdfFormat.TURTLE,
        )
    )
    (problem,) = lint_shapes(graph)
    assert problem.message == "sh:select does not parse: line 2: Prefix not found"
