"""One verdict for every rule and every focus: pass, fail, not_evaluated or not_applicable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

import pyoxigraph as ox

from aikg import terms
from aikg.errors import EngineError
from aikg.rulebook import Need, Rule
from aikg.validate.compile import CompiledConstraint, compile_constraints, target_pattern_of, target_select
from aikg.validate.engine import violating_nodes
from aikg.validate.executors.oxigraph import OxigraphExecutor
from aikg.validate.shacl import Unsupported
from aikg.validate.shapes import ShapesGraph

if TYPE_CHECKING:
    import rdflib

PASS, FAIL, NOT_EVALUATED, NOT_APPLICABLE = "pass", "fail", "not_evaluated", "not_applicable"


@dataclass(slots=True)
class RuleOutcome:
    """What a rule says of its focus nodes.

    Attributes:
        rule: the rule.
        verdicts: IRI of the focus -> verdict, for every focus node of the rule's targets.
        missing: IRI of a focus that was not evaluated -> the needs that do not hold.
    """

    rule: Rule
    verdicts: dict[str, str] = field(default_factory=dict)
    missing: dict[str, list[Need]] = field(default_factory=dict)

    def focuses(self, verdict: str) -> list[str]:
        """The focus nodes with that verdict, sorted."""
        return sorted(iri for iri, own in self.verdicts.items() if own == verdict)


# Where two shapes of a rule, or two entries of one name, say different things, the worse one counts.
RANK = {FAIL: 0, NOT_EVALUATED: 1, PASS: 2, NOT_APPLICABLE: 3}


def worst(verdicts: Iterable[str]) -> str:
    """The worst of several verdicts: fail, not_evaluated, pass, not_applicable."""
    return min(verdicts, key=RANK.__getitem__)


# rule, shape -> IRIs of the focus nodes that violate the shape, among the targets of the rule
_Violating = Callable[[Rule, ox.NamedNode], set[str]]


def evaluate(store: ox.Store, rules: Sequence[Rule], engine: str = "setwise") -> list[RuleOutcome]:
    """The verdict of every rule for every focus node of its targets.

    Arguments:
        store: the graphs of a design, derived facts included.
        rules: what to judge by.
        engine: "setwise" or "pyshacl".

    Returns:
        one outcome per rule, in the order of `rules`.

    Raises:
        RuleError: a shape cannot be used.
        EngineError: no such engine.
    """
    executor = OxigraphExecutor(store)
    reference = _Reference(store)
    if engine == "setwise":
        violating: _Violating = _Setwise(executor, reference)
    elif engine == "pyshacl":
        violating = reference
    else:
        raise EngineError(f"unknown engine '{engine}', expected setwise or pyshacl")
    return [_outcome(executor, rule, violating) for rule in rules]


@cache
def _shapes_of(rule: Rule) -> ShapesGraph:
    return ShapesGraph(rule.graph)


@cache
def _target_select(rule: Rule, shape: ox.NamedNode) -> str:
    return target_select(_shapes_of(rule), shape, {})


@cache
def _compiled(rule: Rule, shape: ox.NamedNode) -> tuple[CompiledConstraint, ...]:
    """The constraints of a shape. Derived facts hold the type closure, so targets need no subclasses."""
    graph = _shapes_of(rule)
    return tuple(compile_constraints(graph, shape, target_pattern_of(graph, shape, {}), {}))


class _Setwise:
    """Runs compiled constraints; a shape that the compiler does not take goes to the reference, that shape alone."""

    def __init__(self, executor: OxigraphExecutor, reference: _Reference) -> None:
        self.executor = executor
        self.reference = reference

    def __call__(self, rule: Rule, shape: ox.NamedNode) -> set[str]:
        try:
            constraints = _compiled(rule, shape)
        except Unsupported:
            return self.reference(rule, shape)
        return {node.value for constraint in constraints for node in violating_nodes(self.executor, constraint)}


class _Reference:
    """Runs shapes through pySHACL; the data graph is converted once."""

    def __init__(self, store: ox.Store) -> None:
        self.store = store

    @cached_property
    def data(self) -> rdflib.Graph:
        from aikg.validate.reference import reference_graph

        return reference_graph(
            {
                ox.Triple(quad.subject, quad.predicate, quad.object)
                for name in (terms.GRAPH_DESIGN, terms.GRAPH_DERIVED, terms.GRAPH_CATALOGUE)
                for quad in self.store.quads_for_pattern(None, None, None, ox.NamedNode(name))
            }
        )

    def __call__(self, rule: Rule, shape: ox.NamedNode) -> set[str]:
        from aikg.validate.reference import reference_results

        results = reference_results(self.data, _shapes_of(rule), only=[shape])
        return {result.focus.value for result in results}


def _outcome(executor: OxigraphExecutor, rule: Rule, violating: _Violating) -> RuleOutcome:
    outcome = RuleOutcome(rule)
    for rule_shape in rule.shapes:
        rows = executor.select(_target_select(rule, rule_shape.shape))
        targets = {row[0].value for row in rows if row[0] is not None}
        if not targets:
            continue
        failed = violating(rule, rule_shape.shape) & targets
        exempt: set[str] = set()
        if rule_shape.not_applicable_when is not None:
            exempt = targets - violating(rule, rule_shape.not_applicable_when) - failed
        unmet: dict[str, list[Need]] = {}
        for need in rule_shape.needs:
            for focus in violating(rule, need.shape) & targets:
                unmet.setdefault(focus, []).append(need)
        for focus in targets:
            if focus in failed:
                verdict = FAIL
            elif focus in exempt:
                verdict = NOT_APPLICABLE
            else:
                verdict = NOT_EVALUATED if focus in unmet else PASS
            known = outcome.verdicts.get(focus)
            outcome.verdicts[focus] = verdict if known is None else worst((known, verdict))
            if verdict == NOT_EVALUATED:
                outcome.missing.setdefault(focus, []).extend(unmet[focus])
    return outcome
