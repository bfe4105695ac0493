"""Mistakes in a shapes graph that would make a rule hold in silence, or run only in the reference engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.compile import Unsupported, compile_constraints, target_pattern_of
from aikg.validate.selfbinding import query_text, refuse_unsafe, syntax_error, why_not_self_binding
from aikg.validate.shacl import PARAMETERS, TYPE, Node, Term, sh
from aikg.validate.shapes import ShapesGraph

_OWL_CLASS = ox.NamedNode(terms.OWL + "Class")
# Kinds of problem; all but the last two make the shapes unusable.
UNKNOWN_TERM = "unknown-term"
QUERY = "query"
ILL_FORMED = "ill-formed"
NO_TARGET = "no-target"
NOT_SELF_BINDING = "not-self-binding"
REFERENCE_ONLY = "reference-only"
TARGET_KIND = "target-kind"


@dataclass(frozen=True, slots=True)
class LintProblem:
    """One mistake.

    Attributes:
        node: the shape or constraint.
        place: that node as people find it in their file, see `ShapesGraph.place`.
        kind: one of the constants of this module.
        message: what is wrong and what to do.
    """

    node: Node
    place: str
    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def lint_shapes(shapes: ShapesGraph | ox.Store) -> list[LintProblem]:
    """Everything that is wrong with the shapes of a graph, sorted by node; an empty list where nothing is.

    Unlike `plan_shapes` it does not stop at the first mistake. Never raises for what stands in the graph.
    """
    graph = ShapesGraph.of(shapes)
    found = [LintProblem(p.subject, p.place, UNKNOWN_TERM, str(p).partition(": ")[2]) for p in graph.unknown_terms()]
    found += _queries(graph)
    found += _targets(graph)
    if not any(problem.kind == UNKNOWN_TERM for problem in found):
        found += _uncompilable(graph)
    return sorted(dict.fromkeys(found), key=lambda p: (p.place, p.kind, p.message))


def _queries(graph: ShapesGraph) -> Iterator[LintProblem]:
    for node in graph.subjects():
        for name in ("select", "ask"):
            for text in graph.objects(node, sh(name)):
                if isinstance(text, ox.Literal):
                    yield from _query(graph, node, name, text.value)


def _query(graph: ShapesGraph, node: Node, name: str, text: str) -> Iterator[LintProblem]:
    try:
        refuse_unsafe(node, text)
    except RuleError as error:
        yield LintProblem(node, graph.place(node), QUERY, str(error).partition(": ")[2])
        return
    error_text = syntax_error(query_text(graph, node, text))
    if error_text is not None:
        yield LintProblem(node, graph.place(node), QUERY, f"sh:{name} does not parse: {error_text}")
        return
    reason = why_not_self_binding(text) if name == "select" else "only sh:select is compiled"
    if reason is not None:
        hint = "bind $this by a positive pattern in every group that reads it, and project it"
        yield LintProblem(node, graph.place(node), NOT_SELF_BINDING, f"sh:{name} is not self-binding: {reason}; {hint}")


def _targets(graph: ShapesGraph) -> Iterator[LintProblem]:
    referred = _referred(graph)
    for node in graph.subjects():
        if not _is_shape(graph, node):
            continue
        if not graph.has_target(node) and node not in referred:
            message = "the shape has no target and nothing refers to it: it judges nothing"
            if _OWL_CLASS in graph.objects(node, TYPE):
                message += "; an owl:Class is no implicit target unless it is an rdfs:Class too"
            yield LintProblem(node, graph.place(node), NO_TARGET, message)
        wanted = "sh:targetClass, sh:targetSubjectsOf or sh:targetObjectsOf"
        for name in ("targetNode", "target"):
            if graph.objects(node, sh(name)):
                yield LintProblem(
                    node,
                    graph.place(node),
                    TARGET_KIND,
                    f"sh:{name} names single nodes or needs SHACL-AF; use {wanted}",
                )
        if graph.is_implicit_class(node):
            yield LintProblem(
                node, graph.place(node), TARGET_KIND, f"the shape is a class and so targets its instances; use {wanted}"
            )


def _is_shape(graph: ShapesGraph, node: Node) -> bool:
    types = graph.objects(node, TYPE)
    if sh("NodeShape") in types or sh("PropertyShape") in types or graph.has_target(node):
        return True
    return any(graph.objects(node, sh(name)) for name in ("path", *PARAMETERS)) and not _is_component_parameter(
        graph, node
    )


def _is_component_parameter(graph: ShapesGraph, node: Node) -> bool:
    """Whether sh:path describes a parameter of a constraint component and not a property shape."""
    return sh("Parameter") in graph.objects(node, TYPE) or bool(graph.objects(node, sh("optional")))


def _referred(graph: ShapesGraph) -> set[Term]:
    """Everything that some other node points at, by whatever property: product vocabularies refer to shapes too."""
    return {
        value
        for node in graph.subjects()
        for predicate in graph.predicates(node)
        for value in graph.objects(node, ox.NamedNode(predicate))
        if value != node
    }


def _uncompilable(graph: ShapesGraph) -> Iterator[LintProblem]:
    for node in graph.subjects():
        if not _is_shape(graph, node):
            continue
        try:
            target = target_pattern_of(graph, node) if graph.has_target(node) else "VALUES ?this { }"
            compile_constraints(graph, node, target)
        except Unsupported as reason:
            # Queries have been told of above, at the constraint itself.
            if "self-binding" not in str(reason):
                yield LintProblem(node, graph.place(node), REFERENCE_ONLY, f"left to the reference engine: {reason}")
        except RuleError as error:
            yield from _ill_formed(graph, node, error)


def _ill_formed(graph: ShapesGraph, node: Node, error: RuleError) -> Iterable[LintProblem]:
    if "does not parse" in str(error) or "network" in str(error):
        return []
    return [LintProblem(node, graph.place(node), ILL_FORMED, str(error))]
