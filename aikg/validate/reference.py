"""pyshacl, the reference engine, behind the records of this package. No check but this one imports it, or rdflib."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

import pyoxigraph as ox

from aikg import terms
from aikg.errors import EngineError
from aikg.validate.graphs import by_value, from_rdflib, quiet_rdflib, to_rdflib
from aikg.validate.paths import read_path
from aikg.validate.results import ConstraintViolation
from aikg.validate.selfbinding import prefixes_of, refuse_unsafe
from aikg.validate.shacl import ADVANCED, CLASS, SUBCLASS, TARGETS, TYPE, Node, Term, sh
from aikg.validate.shapes import ShapesGraph

if TYPE_CHECKING:
    import rdflib

_MAX_DEPTH = 30
_QUERIES = ("select", "ask", "construct", "update")


def reference_results(
    data: Iterable[ox.Triple] | rdflib.Graph, shapes: ShapesGraph, only: Collection[Node] | None = None
) -> list[ConstraintViolation]:
    """Validate with pyshacl.

    Arguments:
        data: the triples of the data graph, or what `reference_graph` made of them, to use it several times.
        shapes: the shapes graph.
        only: the shapes with targets to judge by, with all that they refer to; None for all.

    Returns:
        the results, unsorted. `allow_warnings` is not used: it would let nested shapes of lower severity conform.

    Raises:
        RuleError: an unknown sh: term, or a query that reaches for the network (pyshacl fetches FROM).
        EngineError: pyshacl refuses the shapes or fails.
    """
    shapes.refuse_unknown_terms()
    _refuse_unsafe_queries(shapes)
    import pyshacl
    import rdflib
    from pyshacl.errors import ShapeRecursionWarning

    advanced = any(shapes.objects(node, sh(name)) for node in shapes.subjects() for name in ADVANCED)
    shapes_graph = _one_spelling(_shapes_for(shapes, only))
    data_graph = data if isinstance(data, rdflib.Graph) else reference_graph(data)
    try:
        with quiet_rdflib(), warnings.catch_warnings():
            # A recursive shape means nothing defined (SHACL 3.4.3), and pyshacl lets it conform.
            warnings.simplefilter("error", ShapeRecursionWarning)
            _, report, text = pyshacl.validate(
                data_graph,
                shacl_graph=to_rdflib(shapes_graph),
                advanced=advanced,
                inplace=not advanced,
                max_validation_depth=_MAX_DEPTH,
                do_owl_imports=False,
                meta_shacl=False,
                js=False,
            )
    # pyshacl lets through whatever the code below it raises: its own errors, rdflib's, RecursionError.
    except Exception as error:
        raise EngineError(f"pyshacl: {type(error).__name__}: {error}") from error
    if not isinstance(report, rdflib.Graph):
        raise EngineError(f"pyshacl: {text}")
    return report_results(ShapesGraph(from_rdflib(report)))


def reference_graph(data: Iterable[ox.Triple]) -> rdflib.Graph:
    """A data graph as `reference_results` uses it: an rdflib graph with one spelling per value."""
    return to_rdflib(_one_spelling(data))


def report_results(graph: ShapesGraph, report: Term | None = None) -> list[ConstraintViolation]:
    """The results of a W3C validation report.

    Arguments:
        graph: the graph that holds the report.
        report: its node, None for every report of the graph.

    Raises:
        EngineError: a result lacks what SHACL 3.6.2 requires.
    """
    nodes: Iterable[Term] = graph.subjects() if report is None else (report,)
    return [_result(graph, result) for node in nodes for result in graph.objects(node, sh("result"))]


def _result(report: ShapesGraph, node: Term) -> ConstraintViolation:
    focus, shape = report.value(node, sh("focusNode")), report.value(node, sh("sourceShape"))
    component, severity = (report.value(node, sh(name)) for name in ("sourceConstraintComponent", "resultSeverity"))
    path = report.value(node, sh("resultPath"))
    if focus is None or not isinstance(component, ox.NamedNode) or not isinstance(severity, ox.NamedNode):
        raise EngineError(f"the validation result {node} lacks its focus node, component or severity")
    messages = sorted(m.value for m in report.objects(node, sh("resultMessage")) if isinstance(m, ox.Literal))
    return ConstraintViolation(
        focus=focus,
        path=None if path is None else read_path(report, path),
        value=report.value(node, sh("value")),
        component=component.value,
        source_shape=shape if isinstance(shape, ox.NamedNode | ox.BlankNode) else ox.BlankNode(),
        severity=severity.value,
        message=messages[0] if messages else "",
    )


def _shapes_for(shapes: ShapesGraph, only: Collection[Node] | None) -> Iterator[ox.Triple]:
    """The shapes graph in which only some shapes have targets, and every query has the prefixes that all rules have."""
    others = set() if only is None else set(shapes.targeted()) - set(only)
    targets = {sh(name) for name in (*TARGETS, "target")}
    for triple in shapes.triples():
        if triple.predicate == sh("uniqueLang") and not _is_true(triple.object):
            # Only the literal `true` switches it on (W3C suite, uniqueLang-002); pyshacl takes `1` as well.
            continue
        if triple.subject in others:
            if triple.predicate in targets:
                continue
            if triple.predicate == TYPE and _makes_class(shapes, triple.object):
                continue
        yield triple
    for node in shapes.subjects():
        if any(shapes.objects(node, sh(name)) for name in _QUERIES):
            yield from _common_prefixes(shapes, node)


def _is_true(value: object) -> bool:
    return isinstance(value, ox.Literal) and value.value == "true"


def _makes_class(shapes: ShapesGraph, kind: object) -> bool:
    return kind == CLASS or (isinstance(kind, ox.NamedNode) and CLASS in shapes.objects(kind, SUBCLASS))


def _common_prefixes(shapes: ShapesGraph, constraint: Node) -> Iterator[ox.Triple]:
    """Declarations of the prefixes that a query may use and its own sh:prefixes does not directly give."""
    declared = {
        prefix.value
        for ontology in shapes.objects(constraint, sh("prefixes"))
        for declaration in shapes.objects(ontology, sh("declare"))
        for prefix in shapes.objects(declaration, sh("prefix"))
        if isinstance(prefix, ox.Literal)
    }
    ontology = ox.BlankNode()
    yield ox.Triple(constraint, sh("prefixes"), ontology)
    for prefix, iri in prefixes_of(shapes, constraint).items():
        if prefix not in declared:
            declaration = ox.BlankNode()
            yield ox.Triple(ontology, sh("declare"), declaration)
            yield ox.Triple(declaration, sh("prefix"), ox.Literal(prefix))
            yield ox.Triple(declaration, sh("namespace"), ox.Literal(iri, datatype=ox.NamedNode(terms.XSD + "anyURI")))


def _one_spelling(triples: Iterable[ox.Triple]) -> list[ox.Triple]:
    """Triples with one spelling per value, as a store has them: pyshacl compares texts where SPARQL compares values."""
    triples = list(triples)
    spelled = by_value(t.object for t in triples if isinstance(t.object, ox.Literal))
    if not spelled:
        return triples
    return [
        ox.Triple(t.subject, t.predicate, spelled.get(t.object, t.object)) if isinstance(t.object, ox.Literal) else t
        for t in triples
    ]


def _refuse_unsafe_queries(shapes: ShapesGraph) -> None:
    for node in shapes.subjects():
        for name in _QUERIES:
            for text in shapes.objects(node, sh(name)):
                if isinstance(text, ox.Literal):
                    refuse_unsafe(node, text.value)
