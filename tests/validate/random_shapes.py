"""Random small data graphs and shapes graphs, as Turtle, for comparing the two engines."""

from __future__ import annotations

from hypothesis import strategies as st

PREFIXES = """@prefix : <http://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""

nodes = st.sampled_from([":a", ":b", ":c", ":d", "_:x", "_:y"])
named = st.sampled_from([":a", ":b", ":c", ":d"])
properties = st.sampled_from([":p", ":q", ":r"])
numeric_properties = st.sampled_from([":m", ":n"])
numbers = st.sampled_from(["1", "2", "1.0", "1.50", "3", '"2.0"^^xsd:double'])
classes = st.sampled_from([":C", ":D", ":E"])
# Neither booleans, dates nor types of one's own: pyshacl orders them among the numbers, where SPARQL's comparison is an
# error; it orders IRIs too. So sh:lessThan stands on properties of numbers only.
literals = st.sampled_from(
    [
        *(
            "1",
            "2",
            "1.0",
            "1.50",
            "3",
            '"1"',
            '"abc"',
            '"ab"',
            '""',
            '"chat"@en',
            '"chat"@fr',
            '"Katze"@de-CH',
            '"hat"@en',
        ),
        '"2.0"^^xsd:double',
    ]
)
# An ill-typed literal is no number: pyshacl 0.40.1 leaves the comparison out, the compiler reports a violation.
ill_typed = st.sampled_from(
    ['"abc"^^xsd:decimal', '"1.5"^^xsd:integer', '"2024-02-30"^^xsd:date', '"yes"^^xsd:boolean']
)
values = st.one_of(nodes, literals)
datatypes = st.sampled_from(
    [
        *(f"xsd:{t}" for t in ("integer", "decimal", "double", "string", "boolean", "date", "dateTime")),
        ":own",
        "rdf:langString",
    ]
)


@st.composite
def data(draw: st.DrawFn, *, with_ill_typed: bool = False) -> str:
    """A data graph of a few nodes; :E is a subclass of :D."""
    choice = st.one_of(values, ill_typed) if with_ill_typed else values
    triples = draw(st.lists(st.tuples(nodes, properties, choice), min_size=4, max_size=20))
    types = draw(st.lists(st.tuples(nodes, classes), min_size=3, max_size=8))
    triples += draw(st.lists(st.tuples(nodes, numeric_properties, numbers), max_size=8))
    lines = [f"{s} {p} {o} ." for s, p, o in triples] + [f"{s} a {c} ." for s, c in types]
    return PREFIXES + ":E rdfs:subClassOf :D .\n" + "\n".join(lines)


def paths() -> st.SearchStrategy[str]:
    """A property path of SHACL. Inverse only of a predicate: pyshacl 0.40.1 finds nothing along `^(p/q)`."""
    return st.recursive(
        st.one_of(properties, properties.map(lambda p: f"[ sh:inversePath {p} ]")),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda ps: f"( {ps[0]} {ps[1]} )"),
            st.tuples(inner, inner).map(lambda ps: f"[ sh:alternativePath ( {ps[0]} {ps[1]} ) ]"),
            st.tuples(st.sampled_from(("zeroOrMorePath", "oneOrMorePath", "zeroOrOnePath")), inner).map(
                lambda step: f"[ sh:{step[0]} {step[1]} ]"
            ),
        ),
        max_leaves=3,
    )


_ranges = st.tuples(
    st.sampled_from(("minInclusive", "maxInclusive", "minExclusive", "maxExclusive")),
    st.sampled_from(["1", "1.5", "2"]),
)


def value_constraints() -> st.SearchStrategy[str]:
    """A constraint that looks at one node alone."""
    return st.one_of(
        datatypes.map(lambda d: f"sh:datatype {d}"),
        classes.map(lambda c: f"sh:class {c}"),
        st.sampled_from(["IRI", "Literal", "BlankNode", "IRIOrLiteral", "BlankNodeOrIRI", "BlankNodeOrLiteral"]).map(
            lambda kind: f"sh:nodeKind sh:{kind}"
        ),
        st.lists(st.one_of(named, literals), max_size=4).map(lambda members: f"sh:in ( {' '.join(members)} )"),
        _ranges.map(lambda r: f"sh:{r[0]} {r[1]}"),
        # From 1: pyshacl lets blank nodes pass sh:minLength 0, against the note in SHACL 4.4.1.
        st.integers(1, 4).map(lambda n: f"sh:minLength {n}"),
        st.integers(0, 4).map(lambda n: f"sh:maxLength {n}"),
        st.sampled_from(['sh:pattern "^[a-c]"', 'sh:pattern "A" ; sh:flags "i"', 'sh:pattern "example"']),
        st.sampled_from(['sh:languageIn ( "en" "de" )', "sh:languageIn ( )"]),
        st.one_of(named, literals).map(lambda v: f"sh:hasValue {v}"),
    )


def path_constraints() -> st.SearchStrategy[str]:
    """A constraint that only property shapes have."""
    return st.one_of(
        st.integers(0, 3).map(lambda n: f"sh:minCount {n}"),
        st.integers(0, 2).map(lambda n: f"sh:maxCount {n}"),
        st.just("sh:uniqueLang true"),
        pair_constraints(),
    )


def pair_constraints() -> st.SearchStrategy[str]:
    """A comparison with another property of the node."""
    return st.tuples(st.sampled_from(("equals", "disjoint")), properties).map(lambda c: f"sh:{c[0]} {c[1]}")


def _unlike(constraints: list[str]) -> list[str]:
    """At most one of each parameter, so that the shape is well-formed."""
    return list({c.split()[0]: c for c in constraints}.values())


def _body(path: str | None, constraints: list[str]) -> str:
    return " ; ".join(([] if path is None else [f"sh:path {path}"]) + _unlike(constraints)) or 'rdfs:label "empty"'


_comparisons = st.tuples(numeric_properties, st.sampled_from(("lessThan", "lessThanOrEquals")), numeric_properties).map(
    lambda c: f"sh:path {c[0]} ; sh:{c[1]} {c[2]}"
)


def _property_shape(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    logic = logic_constraints(inner)
    qualified = st.tuples(inner, st.integers(0, 2), st.booleans(), st.booleans()).map(
        lambda q: (
            f"sh:qualifiedValueShape [ {q[0]} ] ; sh:{'qualifiedMinCount' if q[2] else 'qualifiedMaxCount'} {q[1]}"
            + (" ; sh:qualifiedValueShapesDisjoint true" if q[3] else "")
        )
    )
    own = st.one_of(value_constraints(), path_constraints(), logic, qualified)
    return st.one_of(_comparisons, st.tuples(paths(), st.lists(own, min_size=1, max_size=3)).map(lambda s: _body(*s)))


def _node_shape(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    closed = st.sampled_from(["sh:closed true", "sh:closed true ; sh:ignoredProperties ( rdf:type :p )"])
    own = st.one_of(value_constraints(), pair_constraints(), logic_constraints(inner), closed)
    return st.lists(own, min_size=1, max_size=3).map(lambda constraints: _body(None, constraints))


def logic_constraints(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A constraint made of shapes."""
    lists = st.lists(inner, min_size=1, max_size=3).map(lambda shapes: " ".join(f"[ {shape} ]" for shape in shapes))
    return st.one_of(
        inner.map(lambda shape: f"sh:not [ {shape} ]"),
        inner.map(lambda shape: f"sh:node [ {'sh:property [ ' + shape + ' ]' if 'sh:path' in shape[:8] else shape} ]"),
        st.tuples(st.sampled_from(("and", "or", "xone")), lists).map(lambda c: f"sh:{c[0]} ( {c[1]} )"),
    )


_leaves = st.one_of(
    st.lists(value_constraints(), min_size=1, max_size=2).map(lambda c: _body(None, c)),
    st.tuples(paths(), st.lists(st.one_of(value_constraints(), path_constraints()), min_size=1, max_size=2)).map(
        lambda s: _body(*s)
    ),
)
# Bodies of shapes, nested up to three deep.
bodies = st.recursive(_leaves, lambda inner: st.one_of(_node_shape(inner), _property_shape(inner)), max_leaves=4)

targets = st.one_of(
    classes.map(lambda c: f"sh:targetClass {c}"),
    st.one_of(named, literals, st.just(":absent")).map(lambda n: f"sh:targetNode {n}"),
    properties.map(lambda p: f"sh:targetSubjectsOf {p}"),
    properties.map(lambda p: f"sh:targetObjectsOf {p}"),
)


@st.composite
def shapes(draw: st.DrawFn) -> str:
    """A shapes graph: a shape with targets and property shapes of its own, all with IRIs."""
    own_targets = draw(st.lists(targets, min_size=1, max_size=2))
    body = draw(bodies)
    inner = draw(st.lists(_property_shape(_leaves), max_size=2))
    lines = [
        f":S sh:property :S-{number} ; sh:severity sh:Warning .\n:S-{number} {text} ."
        for number, text in enumerate(inner)
    ]
    deeper = draw(st.booleans())
    if inner and deeper:
        lines.append(f":S-0 sh:property :S-deep .\n:S-deep {draw(_property_shape(_leaves))} .")
    return PREFIXES + f":S {body} .\n:S {' ; '.join(own_targets)} .\n" + "\n".join(lines)
