"""Which SELECTs may run once for all focus nodes, and that those that may mean the same."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from hypothesis import given, settings

from aikg.errors import RuleError
from aikg.validate.selfbinding import is_self_binding, refuse_unsafe, why_not_self_binding
from aikg.validate.sparql_tokens import tokens
from tests.validate import random_shapes
from tests.validate.compared import compared

SELF_BINDING = [
    "SELECT $this WHERE { $this :p ?value }",
    "SELECT $this ?value WHERE { $this :p ?value . FILTER(?value != :a) }",
    "SELECT $this (?v AS ?value) WHERE { ?v ^:p $this }",
    "SELECT DISTINCT $this ?value WHERE { { $this :p ?value } UNION { $this :q ?value } }",
    "SELECT $this ?value WHERE { { ?x :p ?value } UNION { ?x :q ?value } $this :r ?x }",
    "SELECT $this WHERE { $this :p ?x FILTER NOT EXISTS { $this :q ?x } }",
    "SELECT $this WHERE { $this :p ?x FILTER(!EXISTS { ?x :q ?y FILTER(?y != $this) }) }",
    "SELECT $this WHERE { $this :p ?x OPTIONAL { $this :q ?y FILTER(?y != $this) } FILTER(!BOUND(?y)) }",
    "SELECT $this WHERE { $this :p ?x } GROUP BY $this HAVING(COUNT(?x) > 1)",
    "SELECT $this (COUNT(?x) AS ?value) WHERE { $this :p ?x } GROUP BY $this",
    "SELECT $this WHERE { $this :p ?z { SELECT $this (COUNT(?x) AS ?n) WHERE { $this :q ?x }"
    " GROUP BY $this HAVING(COUNT(?x) > 0) } }",
    "SELECT $this ?value WHERE { $this :p ?x . BIND(STR($this) AS ?text) BIND(?x AS ?value) }",
    "SELECT * WHERE { $this :p ?value }",
    "SELECT $this WHERE { $this a :C ; :p [ :q ?x ] # } UNION {\n }",
    'SELECT $this WHERE { $this :p ?x FILTER(?x != "} OPTIONAL { $this") }',
    "SELECT $this WHERE { ?x ?y $this }",
    "SELECT $this ?value WHERE { $this a :C . $this :p* ?value } ORDER BY $this",
    "SELECT $this WHERE { ( 1 $this ) :p ?x }",
    "SELECT $this ?value WHERE { $this a :C ; :p* ?value }",
]
NOT_SELF_BINDING = [
    ("SELECT $this WHERE { FILTER(isIRI($this)) }", "FILTER"),
    ("SELECT ?x WHERE { $this :p ?x }", "variables"),
    ("SELECT (?x AS ?this) WHERE { ?x :p ?this }", "AS"),
    ("SELECT $this WHERE { ?x :p ?y BIND(?x AS ?this) }", "AS"),
    ("SELECT $this WHERE { $this :p ?x { ?x :q ?y FILTER(?y != $this) } }", "FILTER"),
    ("SELECT $this WHERE { $this :p ?x { BIND(STR($this) AS ?y) } }", "BIND"),
    ("SELECT $this WHERE { BIND(STR($this) AS ?y) $this :p ?x }", "BIND"),
    ("SELECT $this WHERE { OPTIONAL { $this :p ?x } }", "OPTIONAL"),
    ("SELECT $this WHERE { OPTIONAL { $this :p ?x } $this :q ?y }", "OPTIONAL"),
    ("SELECT $this WHERE { $this :p ?x OPTIONAL { ?x :q ?y OPTIONAL { $this :r ?y } } }", "OPTIONAL"),
    ("SELECT $this WHERE { $this :p ?x { SELECT ?x WHERE { $this :q ?x } } }", "variables"),
    ("SELECT $this WHERE { $this :p ?x { SELECT ?x WHERE { ?x :q ?y } } }", "variables"),
    ("SELECT $this WHERE { $this :p ?x { SELECT * WHERE { $this :q ?x } } }", "variables"),
    ("SELECT $this WHERE { { SELECT $this WHERE { $this :p ?x } LIMIT 1 } }", "LIMIT"),
    ("SELECT $this WHERE { $this :p ?x } LIMIT 1", "LIMIT"),
    ("SELECT $this WHERE { $this :p ?x } OFFSET 1", "OFFSET"),
    ("SELECT (SAMPLE(?t) AS ?x) $this WHERE { $this :p ?t }", "GROUP BY"),
    ("SELECT $this WHERE { $this :p ?x } GROUP BY ?x $x HAVING(COUNT(?this) > 1)", "GROUP BY"),
    ("SELECT $this WHERE { $this :p ?x } GROUP BY ?x ORDER BY $this", "GROUP BY"),
    ("SELECT $this WHERE { { $this :p ?x } UNION { ?y :q ?x } }", "binds"),
    ("SELECT $this WHERE { $this :p* ?x }", "binds"),
    ("SELECT $this WHERE { $this :p? ?x }", "binds"),
    ("SELECT $this WHERE { ?x a :C ; :p* $this }", "binds"),
    ("SELECT $this WHERE { $this :p ?x } GROUP BY $this HAVING EXISTS { ?y :p $this }", "EXISTS"),
    ("SELECT $this WHERE { $this :p ?x } }", "end"),
    ("SELECT $this WHERE { UNION { $this :p ?x } }", "wrong place"),
    ("SELECT $this WHERE { $this :p ?x SELECT $this WHERE { } }", "wrong place"),
    ("SELECT $this WHERE { ) }", "early"),
    ("SELECT $this WHERE { $this :p ?x LATERAL { ?x :q ?y } }", "LATERAL"),
    ("SELECT $this WHERE { $this $PATH ?x }", "PATH"),
    ("SELECT $this WHERE { $this :p $currentShape }", "currentShape"),
    ("SELECT $this WHERE { GRAPH $shapesGraph { $this :p ?x } }", "shapesGraph|GRAPH"),
    ("SELECT $this WHERE { $this :p ?x MINUS { $this :q ?x } }", "MINUS"),
    ("SELECT $this WHERE { VALUES $this { :a } $this :p ?x }", "VALUES"),
    ("SELECT $this WHERE { $this :p ?x } VALUES ?x { 1 }", "VALUES"),
    ("SELECT $this FROM <http://x> WHERE { $this :p ?x }", "FROM"),
    ("SELECT $this WHERE { SERVICE <http://x> { $this :p ?x } }", "SERVICE"),
    ("ASK { $this :p ?x }", "SELECT"),
    ("CONSTRUCT WHERE { $this :p ?x }", "SELECT"),
    ("SELECT $this WHERE { $this :p ?x FILTER EXISTS { { ?x :q ?y FILTER(?y = $this) } } }", "FILTER"),
    ("SELECT $this WHERE { $this :p ?x ", "early"),
    ("SELECT $this WHERE { ?x :p ?y FILTER EXISTS { $this :p ?y } }", "FILTER|binds"),
]


@pytest.mark.parametrize("select", SELF_BINDING)
def test_a_select_that_binds_this_by_itself_is_accepted(select: str) -> None:
    assert why_not_self_binding(select) is None


@pytest.mark.parametrize(("select", "reason"), NOT_SELF_BINDING)
def test_a_select_that_depends_on_pre_binding_is_refused(select: str, reason: str) -> None:
    why = why_not_self_binding(select)
    assert why is not None
    assert re.search(reason, why)
    assert not is_self_binding(select)


def test_prefix_lines_do_not_matter() -> None:
    assert is_self_binding("PREFIX : <http://example.org/> BASE <http://x/>\nSELECT $this WHERE { $this :p ?x }")


def test_deep_nesting_is_refused_and_does_not_crash() -> None:
    assert not is_self_binding("SELECT $this WHERE " + "{" * 100_000 + "}" * 100_000)


# Without what rdflib judges otherwise than SPARQL 1.1: text above numbers, STR of a blank node, a group of no rows.
@pytest.mark.parametrize("select", SELF_BINDING)
@settings(max_examples=6, deadline=None)
@given(data=random_shapes.data(), target=random_shapes.targets)
def test_running_once_means_the_same_as_running_per_node(select: str, data: str, target: str) -> None:
    text = select.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    # pyshacl has no SELECT * here, and wants white space before what it replaces.
    text = text.replace("SELECT *", "SELECT $this ?value")
    shapes = f""":S {target} ; sh:sparql [ sh:prefixes : ; sh:select "{text}" ] .
        : sh:declare [ sh:prefix "" ; sh:namespace "http://example.org/"^^xsd:anyURI ] ."""
    ours, theirs = compared(data, shapes)
    assert set(ours) == set(theirs)


def test_tokens_keep_strings_comments_and_iris_apart() -> None:
    text = "?a<?b # ?c\n <http://x#y> '''it's''' \"\\\"{\" ex:a.b. _:b 1.5 .5 @en-GB ^^xsd:x"
    assert [token.text for token in tokens(text)] == [
        *(
            "a",
            "<",
            "b",
            "<http://x#y>",
            "'''it's'''",
            '"\\"{"',
            "ex:a.b",
            ".",
            "_:b",
            "1.5",
            ".5",
            "@en-GB",
            "^^",
            "xsd:x",
        ),
    ]


@pytest.mark.parametrize(
    "text", ["SELECT $this WHERE { \\u0053ERVICE <http://x> { $this :p ?x } }", "LOAD <http://x>", "{" * 70]
)
def test_a_query_that_reaches_out_or_is_too_deep_is_refused(text: str) -> None:
    with pytest.raises(RuleError):
        refuse_unsafe(ox.BlankNode(), text)


def test_a_word_in_a_string_or_name_is_no_keyword() -> None:
    refuse_unsafe(ox.BlankNode(), 'SELECT $this WHERE { $this ex:service ?from FILTER(?from != "SERVICE") } # LOAD')


@pytest.mark.parametrize(
    "text", ["a.b." * 20_000, "'" * 50_001, "<" * 50_000, "\\" * 50_000, "'''a" * 20_001, "1." * 20_000]
)
def test_long_nonsense_is_read_in_time_that_grows_with_its_length(text: str) -> None:
    # Quadratic reading of any of these takes minutes.
    assert "".join(token.text for token in tokens(text)).lower() == text.lower()
