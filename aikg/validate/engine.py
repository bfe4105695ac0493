"""`validate`: data and shapes in, validation results out, through the compiler or through pyshacl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.compile import CompiledConstraint, plan_shapes, subclasses_in
from aikg.validate.executors import Executor, Row
from aikg.validate.executors.oxigraph import OxigraphExecutor
from aikg.validate.graphs import read_triples, store_of
from aikg.validate.paths import Path as PropertyPath
from aikg.validate.paths import Predicate, path_node, path_triples
from aikg.validate.results import ConstraintViolation, ValidationResult
from aikg.validate.shacl import TYPE, Term, sh
from aikg.validate.shapes import ShapesGraph
from aikg.validate.sparql_tokens import filled_template

if TYPE_CHECKING:
    import rdflib

ENGINES = ("setwise", "pyshacl")


def validate(
    data: ox.Store | rdflib.Graph | Path | bytes,
    shapes: ox.Store | rdflib.Graph | Path | bytes,
    engine: str = "setwise",
) -> ValidationResult:
    """Validate a data graph against a shapes graph.

    Arguments:
        data: a store (all its graphs), an rdflib graph, a file or Turtle text.
        shapes: the same. Text and files keep spellings that a store loses (see `ShapesGraph`).
        engine: "setwise" compiles shapes to SPARQL and leaves what it cannot to pyshacl; "pyshacl" does all.

    Returns:
        the results, sorted.

    Raises:
        InputError: data or shapes cannot be read.
        RuleError: an unknown sh: term, an ill-formed shape, an unknown engine.
        EngineError: an engine failed; nothing may be concluded.
    """
    if engine not in ENGINES:
        raise RuleError(f"unknown engine '{engine}', expected one of {', '.join(ENGINES)}")
    shapes_graph = ShapesGraph(read_triples(shapes))
    if engine == "pyshacl":
        from aikg.validate.reference import reference_results

        return ValidationResult(_sorted(reference_results(read_triples(data), shapes_graph)))
    triples = None if isinstance(data, ox.Store) else read_triples(data)
    store = data if isinstance(data, ox.Store) else store_of(triples or ())
    executor = OxigraphExecutor(store)
    plan = plan_shapes(shapes_graph, subclasses_in(executor))
    results = [result for constraint in plan.constraints for result in run_constraint(executor, constraint)]
    if plan.handed:
        from aikg.validate.reference import reference_results

        original = read_triples(store) if triples is None else triples
        results += reference_results(original, shapes_graph, {handed.shape for handed in plan.handed})
    return ValidationResult(_sorted(results), tuple(f"{handed.shape}: {handed.reason}" for handed in plan.handed))


def run_constraint(executor: Executor, constraint: CompiledConstraint) -> Iterator[ConstraintViolation]:
    """The violations of one compiled constraint.

    Raises:
        EngineError: the query fails.
    """
    solutions = executor.select(constraint.select)
    at = {name: position for position, name in enumerate(solutions.variables)}
    this, value, path = (at.get(name) for name in ("this", "value", "path"))
    if this is None:
        raise RuleError(f"{constraint.shape}: the query does not give $this")
    targets = None if constraint.targets is None else {row[0] for row in executor.select(constraint.targets)}
    rows: Iterable[Row] = solutions if targets is None else dict.fromkeys(solutions)
    for row in rows:
        focus = row[this]
        if focus is None or (targets is not None and focus not in targets):
            continue
        shown = None if value is None else row[value]
        if shown is None and constraint.value_is_focus:
            shown = focus
        yield ConstraintViolation(
            focus,
            _path(constraint, None if path is None else row[path]),
            shown,
            constraint.component,
            constraint.shape,
            constraint.severity,
            _message(constraint, at, row),
        )


def violating_nodes(executor: Executor, constraint: CompiledConstraint) -> set[Term]:
    """The focus nodes that violate a compiled constraint: all that a verdict needs, without a record for each result.

    Raises:
        EngineError: the query fails.
    """
    solutions = executor.select(constraint.select)
    this = solutions.variables.index("this")
    found = {node for row in solutions if (node := row[this]) is not None}
    if constraint.targets is None:
        return found
    return {node for (node,) in executor.select(constraint.targets) if node in found and node is not None}


def _path(constraint: CompiledConstraint, found: Term | None) -> PropertyPath | None:
    return Predicate(found.value) if isinstance(found, ox.NamedNode) else constraint.path


def _message(constraint: CompiledConstraint, at: dict[str, int], row: Row) -> str:
    """The first message; a SPARQL constraint's ?message comes first, and its templates are filled (SHACL 5.3.2)."""
    if constraint.targets is None:
        return constraint.messages[0] if constraint.messages else ""
    own = row[at["message"]] if "message" in at else None
    if isinstance(own, ox.Literal):
        return own.value
    if not constraint.messages:
        return ""
    return filled_template(constraint.messages[0], {name: row[position] for name, position in at.items()})


def _sorted(results: Iterable[ConstraintViolation]) -> tuple[ConstraintViolation, ...]:
    return tuple(sorted(results, key=ConstraintViolation.order))


# ---- the W3C report


def report_triples(result: ValidationResult) -> Iterator[ox.Triple]:
    """The triples of the W3C validation report of a result."""
    report = ox.BlankNode()
    boolean = ox.NamedNode(terms.XSD + "boolean")
    yield ox.Triple(report, TYPE, sh("ValidationReport"))
    yield ox.Triple(report, sh("conforms"), ox.Literal("true" if result.conforms else "false", datatype=boolean))
    for found in result.results:
        node = ox.BlankNode()
        yield ox.Triple(report, sh("result"), node)
        yield ox.Triple(node, TYPE, sh("ValidationResult"))
        yield ox.Triple(node, sh("focusNode"), found.focus)
        yield ox.Triple(node, sh("resultSeverity"), ox.NamedNode(found.severity))
        yield ox.Triple(node, sh("sourceConstraintComponent"), ox.NamedNode(found.component))
        yield ox.Triple(node, sh("sourceShape"), found.source_shape)
        if found.value is not None:
            yield ox.Triple(node, sh("value"), found.value)
        if found.message:
            yield ox.Triple(node, sh("resultMessage"), ox.Literal(found.message))
        if found.path is not None:
            path = path_node(found.path)
            yield ox.Triple(node, sh("resultPath"), path)
            if isinstance(path, ox.BlankNode):
                yield from path_triples(found.path, path)


def to_report_graph(result: ValidationResult) -> str:
    """The W3C validation report as Turtle."""
    text = ox.serialize(report_triples(result), format=ox.RdfFormat.TURTLE, prefixes=terms.PREFIXES)
    assert text is not None
    return text.decode()


def to_report_rdflib(result: ValidationResult) -> rdflib.Graph:
    """The W3C validation report as an rdflib graph."""
    from aikg.validate.graphs import to_rdflib

    return to_rdflib(report_triples(result))
