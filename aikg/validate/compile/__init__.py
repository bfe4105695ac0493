"""SHACL shapes become SPARQL SELECTs, each of which finds all violations of a constraint at once.

`compile_shapes` and `compile_constraints` raise `Unsupported` for what only the reference engine can judge;
`plan_shapes` sorts the shapes of a graph into those two heaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.compile.constraint import CompiledConstraint, Focus, Subclasses, Violations, names
from aikg.validate.compile.targets import subclasses_in, target_pattern
from aikg.validate.compile.violations import (
    Scope,
    inner_properties,
    path_of,
    refuse_custom,
    shape_node,
    value_focus,
    values_of,
    violations,
)
from aikg.validate.paths import Path
from aikg.validate.selfbinding import prepared_select
from aikg.validate.shacl import Node, Term, Unsupported, component_of, sh
from aikg.validate.shapes import ShapesGraph

_NO_SUBCLASSES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_THIS, _VALUE = "?this", "?value"


@dataclass(frozen=True, slots=True)
class HandedShape:
    """A shape with targets that is not compiled, and why."""

    shape: Node
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """How the shapes of a graph are judged.

    Attributes:
        constraints: what is compiled.
        handed: the shapes that go to the reference engine, whole.
    """

    constraints: tuple[CompiledConstraint, ...]
    handed: tuple[HandedShape, ...]


def plan_shapes(shapes: ShapesGraph | ox.Store, subclasses: Subclasses = _NO_SUBCLASSES) -> Plan:
    """Compile every shape with targets, or hand it over.

    Arguments:
        shapes: the shapes graph.
        subclasses: class -> itself and its subclasses in the data, see `subclasses_in`.

    Raises:
        RuleError: an unknown sh: term, an ill-formed shape, a query that does not parse.
    """
    graph = ShapesGraph.of(shapes)
    graph.refuse_unknown_terms()
    graph.refuse_entailment()
    constraints: list[CompiledConstraint] = []
    handed: list[HandedShape] = []
    for shape in graph.targeted():
        if graph.flag(shape, "deactivated"):
            continue
        try:
            constraints += _compiled(graph, shape, target_pattern_of(graph, shape, subclasses), subclasses)
        except Unsupported as reason:
            handed.append(HandedShape(shape, str(reason)))
        except RuleError as error:
            # What is wrong may stand on a blank node, which no one finds in a file.
            raise error if str(shape) in str(error) else RuleError(f"{shape}: {error}") from None
    return Plan(tuple(constraints), tuple(handed))


def compile_shapes(shapes: ShapesGraph | ox.Store, subclasses: Subclasses = _NO_SUBCLASSES) -> list[CompiledConstraint]:
    """The constraints of every shape with targets.

    Raises:
        Unsupported: a shape needs the reference engine.
        RuleError: see `plan_shapes`.
    """
    plan = plan_shapes(shapes, subclasses)
    for handed in plan.handed:
        raise Unsupported(f"{handed.shape}: {handed.reason}")
    return list(plan.constraints)


def compile_constraints(
    shapes: ShapesGraph | ox.Store, shape: Node, target: str, subclasses: Subclasses = _NO_SUBCLASSES
) -> list[CompiledConstraint]:
    """The constraints of any shape, with or without targets of its own, for given focus nodes.

    Arguments:
        shapes: the shapes graph; a `ShapesGraph` saves reading the store anew for each shape.
        shape: a node shape or a property shape, possibly blank.
        target: the inside of a SPARQL group that binds ?this to the focus nodes, IRIs in full; its other variables
            must not begin with `?_`. See `target_pattern_of`.
        subclasses: class -> itself and its subclasses in the data.

    Raises:
        Unsupported: the shape needs the reference engine.
        RuleError: an unknown sh: term, an ill-formed shape.
    """
    graph = ShapesGraph.of(shapes)
    graph.refuse_unknown_terms()
    return list(_compiled(graph, shape_node(graph, shape), target, subclasses))


def target_pattern_of(shapes: ShapesGraph | ox.Store, shape: Node, subclasses: Subclasses = _NO_SUBCLASSES) -> str:
    """The inside of a SPARQL group that binds ?this to the focus nodes of a shape, some perhaps several times.

    Raises:
        Unsupported: a target of SHACL-AF.
    """
    return target_pattern(ShapesGraph.of(shapes), shape, subclasses, (f"?target{name[2:]}" for name in names()))


def target_select(shapes: ShapesGraph | ox.Store, shape: Node, subclasses: Subclasses = _NO_SUBCLASSES) -> str:
    """A SELECT of all focus nodes of a shape, as ?this.

    Raises:
        Unsupported: a target of SHACL-AF.
    """
    return _targets(target_pattern_of(shapes, shape, subclasses))


def _targets(pattern: str) -> str:
    return f"SELECT DISTINCT {_THIS} WHERE {{ {pattern} }}"


# ---- one shape


@dataclass(frozen=True, slots=True)
class _Above:
    """Where the focus nodes of an inner property shape come from: each way there is a result of its own (SHACL 3.4.1).

    Attributes:
        pattern: binds the focus variable of the inner shape and the variables below.
        variables: the outer focus nodes.
    """

    pattern: str = ""
    variables: tuple[str, ...] = ()


def _compiled(graph: ShapesGraph, shape: Node, target: str, subclasses: Subclasses) -> Iterator[CompiledConstraint]:
    yield from _constraints(Scope(graph, subclasses), shape, Focus(_THIS, target), _VALUE, _Above())


def _constraints(scope: Scope, shape: Node, focus: Focus, value: str, above: _Above) -> Iterator[CompiledConstraint]:
    graph = scope.graph
    if graph.flag(shape, "deactivated"):
        return
    scope = scope.enter(shape)
    refuse_custom(graph, shape)
    path = path_of(graph, shape)
    severity = _severity(graph, shape)
    texts = _messages(graph, shape)
    for found in violations(scope, shape, focus, value):
        yield CompiledConstraint(shape, found.component, path, severity, texts, _select(focus, found, above))
    yield from _sparql(graph, shape, path, focus)
    for inner in inner_properties(graph, shape):
        if path is None:
            yield from _constraints(scope, inner, focus, value, above)
            continue
        # The value nodes of a property shape are the focus nodes of its own properties (SHACL 4.7.2).
        variable = next(scope.fresh)
        yield from _constraints(
            scope,
            inner,
            value_focus(path, focus, variable),
            next(scope.fresh),
            _below(scope, above, focus, values_of(path, focus, variable), variable),
        )


def _below(scope: Scope, above: _Above, focus: Focus, reach: str, variable: str) -> _Above:
    outer = next(scope.fresh)
    columns = (*above.variables, f"({focus.variable} AS {outer})", variable)
    pattern = f"{{ SELECT DISTINCT {' '.join(columns)} WHERE {{ {above.pattern} {{ {reach} }} }} }}"
    return _Above(pattern, (*above.variables, outer))


def _select(focus: Focus, found: Violations, above: _Above) -> str:
    columns = [_column(focus.variable, _THIS)]
    if found.value is not None:
        columns.append(_column(found.value, _VALUE))
    if found.path is not None:
        columns.append(_column(found.path, "?path"))
    pattern = f"{above.pattern} {{ {found.pattern} }}" if above.pattern else found.pattern
    return f"SELECT DISTINCT {' '.join((*columns, *found.also, *above.variables))} WHERE {{ {pattern} }}"


def _column(variable: str, name: str) -> str:
    return name if variable == name else f"({variable} AS {name})"


def _sparql(graph: ShapesGraph, shape: Node, path: Path | None, focus: Focus) -> Iterator[CompiledConstraint]:
    for constraint in graph.objects(shape, sh("sparql")):
        if graph.flag(constraint, "deactivated"):
            continue
        targets = f"SELECT DISTINCT {_column(focus.variable, _THIS)} WHERE {{ {focus.pattern} }}"
        yield CompiledConstraint(
            shape,
            component_of("sparql"),
            path,
            _severity(graph, shape),
            _messages(graph, constraint) or _messages(graph, shape),
            prepared_select(graph, constraint),
            targets,
            value_is_focus=path is None,
        )


def _severity(graph: ShapesGraph, shape: Term) -> str:
    value = graph.value(shape, sh("severity"))
    if value is None:
        return terms.SH + "Violation"
    if not isinstance(value, ox.NamedNode):
        raise RuleError(f"{shape}: sh:severity {value} is no IRI")
    return value.value


def _messages(graph: ShapesGraph, node: Term) -> tuple[str, ...]:
    """The messages of a shape or constraint: those without a language first, then English, then the rest."""
    literals = [value for value in graph.objects(node, sh("message")) if isinstance(value, ox.Literal)]
    order = {None: 0, "": 0, "en": 1}
    return tuple(m.value for m in sorted(literals, key=lambda m: (order.get(m.language, 2), m.language or "", m.value)))


__all__ = [
    "CompiledConstraint",
    "HandedShape",
    "Plan",
    "Subclasses",
    "Unsupported",
    "compile_constraints",
    "compile_shapes",
    "plan_shapes",
    "subclasses_in",
    "target_pattern_of",
    "target_select",
]
