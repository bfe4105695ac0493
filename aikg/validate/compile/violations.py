"""Constraints as graph patterns whose solutions are the violations, and shapes as sets of nodes that do not conform.

Everything is set algebra over patterns, not a test per node: with N(S) the nodes that do not conform to S among those
in question, `sh:node S` violates in N(S), `sh:not S` outside N(S), `sh:or` in the intersection of the N, `sh:and` in
their union. Forms follow measurements on Oxigraph (`stack.md`): absence over a join is MINUS of a subselect, absence
of one triple is NOT EXISTS, counts are GROUP BY ... HAVING. Counts and rows are DISTINCT: a triple may stand in several
graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.compile.constraint import Focus, Subclasses, Violations, constant, names
from aikg.validate.compile.targets import property_iri, without_class
from aikg.validate.compile.values import PLAIN_PARAMETERS, value_test, whole_number
from aikg.validate.paths import Path, is_nullable, is_single_step, read_path
from aikg.validate.shacl import VALUE_PARAMETERS, Node, Term, Unsupported, component_of, sh
from aikg.validate.shapes import ShapesGraph

# Deeper nesting is no design rule but an attack: SPARQL parsers recurse.
_MAX_DEPTH = 24
_PROPERTY_ONLY = ("minCount", "maxCount", "lessThan", "lessThanOrEquals", "uniqueLang", "qualifiedValueShape")


@dataclass(frozen=True, slots=True)
class Scope:
    """What compiling one query needs to know.

    Attributes:
        graph: the shapes graph.
        subclasses: class -> itself and its subclasses.
        fresh: names for variables.
        open: the shapes being compiled, to find recursion.
    """

    graph: ShapesGraph
    subclasses: Subclasses
    fresh: Iterator[str] = field(default_factory=names)
    open: tuple[Term, ...] = ()

    def enter(self, shape: Term) -> Scope:
        """The scope inside a shape.

        Raises:
            RuleError: the shape refers to itself, which means nothing defined (SHACL 3.4.3); pyshacl lets it conform.
            Unsupported: nesting is too deep.
        """
        if shape in self.open:
            raise RuleError(f"{shape} refers to itself: what a recursive shape means is not defined")
        if len(self.open) >= _MAX_DEPTH:
            raise Unsupported(f"shapes nested deeper than {_MAX_DEPTH}")
        return Scope(self.graph, self.subclasses, self.fresh, (*self.open, shape))


def path_of(graph: ShapesGraph, shape: Term) -> Path | None:
    """The path of a property shape, None for a node shape.

    Raises:
        RuleError: several paths, or what stands there is no path.
    """
    node = graph.value(shape, sh("path"))
    return None if node is None else read_path(graph, node)


def shape_node(graph: ShapesGraph, term: Term) -> Node:
    """A term that stands where a shape belongs.

    Raises:
        RuleError: a literal, or an IRI that the shapes graph says nothing about: it would conform in silence.
    """
    if isinstance(term, ox.Literal):
        raise RuleError(f"{term} stands where a shape belongs")
    if isinstance(term, ox.NamedNode) and not graph.describes(term):
        raise RuleError(f"{term} is referred to as a shape but not described")
    return term


def values_of(path: Path, focus: Focus, value: str) -> str:
    """The inside of a group that binds `value` to the value nodes of each focus node."""
    direct = f"{focus.pattern} {focus.variable} {path} {value} ."
    if not is_nullable(path):
        return direct
    # A path of length zero matches a node that is in no triple too, and SPARQL engines enumerate only those that are.
    return f"{{ {direct} }} UNION {{ {focus.pattern} BIND({focus.variable} AS {value}) }}"


def value_focus(path: Path, focus: Focus, value: str) -> Focus:
    """The value nodes of all focus nodes, as nodes to be judged themselves."""
    return Focus(value, f"{{ SELECT DISTINCT {value} WHERE {{ {values_of(path, focus, value)} }} }}")


def violations(scope: Scope, shape: Term, focus: Focus, value: str) -> Iterator[Violations]:
    """The violations of a shape's own constraints: all but sh:property of a node shape and sh:sparql.

    Arguments:
        scope: see `Scope`; the shape has been entered.
        shape: the shape.
        focus: its focus nodes.
        value: a variable for the value nodes of a property shape.

    Raises:
        Unsupported, RuleError
    """
    path = path_of(scope.graph, shape)
    if path is None:
        yield from _node_shape(scope, shape, focus)
    else:
        yield from _property_shape(scope, shape, path, focus, value)


# ---- shapes as sets


def nonconforming(scope: Scope, shape: Term, focus: Focus) -> str | None:
    """A subselect of the nodes in focus that do not conform to a shape; None where all do.

    Raises:
        Unsupported, RuleError
    """
    shape = shape_node(scope.graph, shape)
    if scope.graph.flag(shape, "deactivated"):
        return None
    scope = scope.enter(shape)
    if scope.graph.objects(shape, sh("sparql")):
        raise Unsupported("sh:sparql in a nested shape")
    refuse_custom(scope.graph, shape)
    found = [violation.pattern for violation in violations(scope, shape, focus, next(scope.fresh))]
    found += _nested_properties(scope, shape, focus)
    if not found:
        return None
    body = found[0] if len(found) == 1 else " UNION ".join(f"{{ {pattern} }}" for pattern in found)
    return f"{{ SELECT DISTINCT {focus.variable} WHERE {{ {body} }} }}"


def _nested_properties(scope: Scope, shape: Term, focus: Focus) -> Iterator[str]:
    """Patterns of the focus nodes that have values, or are nodes, that do not conform to sh:property of a shape."""
    path = path_of(scope.graph, shape)
    for inner in inner_properties(scope.graph, shape):
        if path is None:
            found = nonconforming(scope, inner, focus)
            if found:
                yield found
            continue
        value = next(scope.fresh)
        found = nonconforming(scope, inner, value_focus(path, focus, value))
        if found:
            yield f"{values_of(path, focus, value)} {found}"


def inner_properties(graph: ShapesGraph, shape: Term) -> list[Node]:
    """The property shapes that sh:property of a shape names.

    Raises:
        RuleError: one has no sh:path.
    """
    found = [shape_node(graph, term) for term in graph.objects(shape, sh("property"))]
    for inner in found:
        if not graph.objects(inner, sh("path")):
            raise RuleError(f"{shape}: sh:property refers to {inner}, which has no sh:path")
    return found


def refuse_custom(graph: ShapesGraph, shape: Term) -> None:
    """Leave shapes with constraint components of the author's own (SHACL 6), and those of SHACL-AF, to the reference.

    Raises:
        Unsupported
    """
    for predicate in graph.predicates(shape):
        if predicate in graph.component_parameters:
            raise Unsupported(f"the constraint component {graph.component_parameters[predicate]}")
    for name in ("js", "expression"):
        if graph.objects(shape, sh(name)):
            raise Unsupported(f"sh:{name}")


# ---- per value


def _judged_values(scope: Scope, shape: Term, focus: Focus) -> Iterator[tuple[str, str]]:
    """(component, end of a group that has bound the nodes in focus and keeps those that violate it)."""
    graph = scope.graph
    for parameter in VALUE_PARAMETERS:
        for value in graph.objects(shape, sh(parameter)):
            if parameter in PLAIN_PARAMETERS:
                end: str | None = f"FILTER(!{value_test(graph, shape, parameter, value, focus.variable)})"
            else:
                end = _ENDS[parameter](scope, value, focus)
            if end is not None:
                yield component_of(parameter), end


def _node(scope: Scope, shape: Term, focus: Focus) -> str | None:
    if scope.graph.objects(shape, sh("path")):
        raise RuleError(f"sh:node refers to the property shape {shape}: use sh:property")
    return nonconforming(scope, shape, focus)


def _not(scope: Scope, shape: Term, focus: Focus) -> str:
    found = nonconforming(scope, shape, focus)
    return f"MINUS {found}" if found else ""


def _and(scope: Scope, head: Term, focus: Focus) -> str | None:
    found = [pattern for member in scope.graph.items(head) if (pattern := nonconforming(scope, member, focus))]
    return f"{{ {' UNION '.join(found)} }}" if found else None


def _or(scope: Scope, head: Term, focus: Focus) -> str | None:
    found = [nonconforming(scope, member, focus) for member in scope.graph.items(head)]
    # A member that always holds makes the whole hold; an empty list never does.
    return None if None in found else " ".join(pattern for pattern in found if pattern)


def _xone(scope: Scope, head: Term, focus: Focus) -> str | None:
    members = scope.graph.items(head)
    found = [pattern for member in members if (pattern := nonconforming(scope, member, focus))]
    wanted = len(members) - 1
    if wanted < 0:
        return ""
    if wanted == 0:
        return found[0] if found else None
    if len(found) < wanted:
        return ""
    union = " UNION ".join(found)
    x = focus.variable
    return f"MINUS {{ SELECT {x} WHERE {{ {union} }} GROUP BY {x} HAVING(COUNT(*) = {wanted}) }}"


def _in(scope: Scope, head: Term, focus: Focus) -> str:
    members = " ".join(constant(member) for member in scope.graph.items(head))
    # As fast as a comparison with each member, and 50 times faster from some thousand members on.
    return f"MINUS {{ VALUES {focus.variable} {{ {members} }} }}" if members else ""


def _class(scope: Scope, cls: Term, focus: Focus) -> str:
    return without_class(focus.variable, cls, scope.subclasses, scope.fresh)


# What keeps the violating nodes among those bound so far; "" where all violate, None where none does.
_ENDS: dict[str, Callable[[Scope, Term, Focus], str | None]] = {
    "class": _class,
    "in": _in,
    "node": _node,
    "not": _not,
    "and": _and,
    "or": _or,
    "xone": _xone,
}


# ---- node shapes


def _node_shape(scope: Scope, shape: Term, focus: Focus) -> Iterator[Violations]:
    graph, x = scope.graph, focus.variable
    for name in _PROPERTY_ONLY:
        if graph.objects(shape, sh(name)):
            raise RuleError(f"{shape}: sh:{name} needs a property shape, with sh:path")
    for component, end in _judged_values(scope, shape, focus):
        yield Violations(component, f"{focus.pattern} {end}", x)
    for value in graph.objects(shape, sh("hasValue")):
        yield Violations(component_of("hasValue"), f"{focus.pattern} FILTER(!sameTerm({x}, {constant(value)}))")
    for other in graph.objects(shape, sh("equals")):
        y = next(scope.fresh)
        differs = f"{focus.pattern} {x} {property_iri(shape, other)} {y} . FILTER(!sameTerm({x}, {y}))"
        yield Violations(component_of("equals"), differs, y)
        yield Violations(component_of("equals"), f"{focus.pattern} MINUS {{ {x} {property_iri(shape, other)} {x} }}", x)
    for other in graph.objects(shape, sh("disjoint")):
        yield Violations(component_of("disjoint"), f"{focus.pattern} {x} {property_iri(shape, other)} {x} .", x)
    if graph.flag(shape, "closed"):
        yield _closed(scope, shape, focus)


def _closed(scope: Scope, shape: Term, focus: Focus) -> Violations:
    graph, path, value = scope.graph, next(scope.fresh), next(scope.fresh)
    allowed = [node for inner in graph.objects(shape, sh("property")) for node in graph.objects(inner, sh("path"))]
    for head in graph.objects(shape, sh("ignoredProperties")):
        allowed += graph.items(head)
    listed = ", ".join(str(term) for term in allowed if isinstance(term, ox.NamedNode))
    rest = f" FILTER({path} NOT IN ({listed}))" if listed else ""
    pattern = f"{focus.pattern} {focus.variable} {path} {value} .{rest}"
    return Violations(component_of("closed"), pattern, value, path)


# ---- property shapes


def _property_shape(scope: Scope, shape: Term, path: Path, focus: Focus, value: str) -> Iterator[Violations]:
    graph, x = scope.graph, focus.variable
    if graph.objects(shape, sh("closed")):
        raise Unsupported("sh:closed on a property shape")
    reach = values_of(path, focus, value)
    for component, end in _judged_values(scope, shape, value_focus(path, focus, value)):
        yield Violations(component, f"{reach} {end}", value)
    for wanted in graph.objects(shape, sh("hasValue")):
        yield Violations(component_of("hasValue"), _absent(path, focus, constant(wanted)))
    yield from _counts(scope, shape, path, focus, value)
    if any(isinstance(v, ox.Literal) and v.value == "true" for v in graph.objects(shape, sh("uniqueLang"))):
        language = next(scope.fresh)
        group = f"{reach} BIND(LCASE(LANG({value})) AS {language}) FILTER({language} != '')"
        pattern = _having(f"{x} {language}", group, f"COUNT(DISTINCT {value}) > 1")
        yield Violations(component_of("uniqueLang"), pattern, also=(language,))
    for name, sign in (("lessThan", "<"), ("lessThanOrEquals", "<=")):
        for other in graph.objects(shape, sh(name)):
            y = next(scope.fresh)
            compared = f"{x} {property_iri(shape, other)} {y} . FILTER(!COALESCE({value} {sign} {y}, false))"
            yield Violations(component_of(name), f"{reach} {compared}", value, also=(y,))
    for other in graph.objects(shape, sh("equals")):
        # MINUS: a NOT EXISTS starts at the bound value here, 29 s against 0.02 s at 2,048 GPUs (stack.md).
        has_other = f"{x} {property_iri(shape, other)} {value} ."
        with_other = f"{{ SELECT DISTINCT {x} {value} WHERE {{ {focus.pattern} {has_other} }} }}"
        yield Violations(component_of("equals"), f"{reach} MINUS {with_other}", value)
        on_path = f"{{ SELECT DISTINCT {x} {value} WHERE {{ {reach} }} }}"
        yield Violations(component_of("equals"), f"{focus.pattern} {has_other} MINUS {on_path}", value)
    for other in graph.objects(shape, sh("disjoint")):
        pattern = f"{reach} {x} {property_iri(shape, other)} {value} ."
        yield Violations(component_of("disjoint"), pattern, value)
    yield from _qualified(scope, shape, path, focus, value)


def _having(variables: str, group: str, condition: str) -> str:
    return f"{{ SELECT {variables} WHERE {{ {group} }} GROUP BY {variables} HAVING({condition}) }}"


def _absent(path: Path, focus: Focus, value: str) -> str:
    """The pattern of the focus nodes without a value (a variable), or without a certain one, at a path."""
    x = focus.variable
    if is_single_step(path):
        return f"{focus.pattern} FILTER NOT EXISTS {{ {x} {path} {value} }}"
    if is_nullable(path):
        # A path of length zero: the node itself is a value, so that only a certain other value can be absent.
        there = f"{focus.pattern} {x} {path} {value} ."
        return f"{focus.pattern} FILTER(!sameTerm({x}, {value})) MINUS {{ SELECT DISTINCT {x} WHERE {{ {there} }} }}"
    return f"{focus.pattern} MINUS {{ SELECT DISTINCT {x} WHERE {{ {values_of(path, focus, value)} }} }}"


def _counts(scope: Scope, shape: Term, path: Path, focus: Focus, value: str) -> Iterator[Violations]:
    x = focus.variable
    reach = values_of(path, focus, value)
    least, most = _bound(scope, shape, "minCount"), _bound(scope, shape, "maxCount")
    if least == 1 and not is_nullable(path):
        yield Violations(component_of("minCount"), _absent(path, focus, value))
    elif least is not None and least > 1:
        enough = _having(x, reach, f"COUNT(DISTINCT {value}) >= {least}")
        yield Violations(component_of("minCount"), f"{focus.pattern} MINUS {enough}")
    if most == 0:
        yield Violations(component_of("maxCount"), reach)
    elif most is not None:
        yield Violations(component_of("maxCount"), _having(x, reach, f"COUNT(DISTINCT {value}) > {most}"))


def _bound(scope: Scope, shape: Term, name: str) -> int | None:
    value = scope.graph.value(shape, sh(name))
    return None if value is None else whole_number(shape, name, value)


def _qualified(scope: Scope, shape: Term, path: Path, focus: Focus, value: str) -> Iterator[Violations]:
    graph, x = scope.graph, focus.variable
    least, most = _bound(scope, shape, "qualifiedMinCount"), _bound(scope, shape, "qualifiedMaxCount")
    qualified = graph.value(shape, sh("qualifiedValueShape"))
    if qualified is None:
        return
    values = value_focus(path, focus, value)
    fails = nonconforming(scope, qualified, values)
    counted = values_of(path, focus, value) + (f" MINUS {fails}" if fails else "")
    if graph.flag(shape, "qualifiedValueShapesDisjoint"):
        for sibling in _siblings(graph, shape, qualified):
            # Only values that do not conform to a sibling count; where all conform to it, none does.
            counted += f" {nonconforming(scope, sibling, values) or 'FILTER(false)'}"
    if least:
        enough = _having(x, counted, f"COUNT(DISTINCT {value}) >= {least}")
        yield Violations(f"{terms.SH}QualifiedMinCountConstraintComponent", f"{focus.pattern} MINUS {enough}")
    if most is not None:
        pattern = _having(x, counted, f"COUNT(DISTINCT {value}) > {most}")
        yield Violations(f"{terms.SH}QualifiedMaxCountConstraintComponent", pattern)


def _siblings(graph: ShapesGraph, shape: Term, qualified: Term) -> list[Term]:
    """The other qualified value shapes of the shapes that have this one as a property (SHACL 4.7.3)."""
    parents = [node for node in graph.subjects() if shape in graph.objects(node, sh("property"))]
    found = {
        sibling
        for parent in parents
        for inner in graph.objects(parent, sh("property"))
        for sibling in graph.objects(inner, sh("qualifiedValueShape"))
        if sibling != qualified
    }
    return sorted(found, key=str)
