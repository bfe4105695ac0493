"""One verdict for every rule and every focus: pass, fail, not_evaluated or not_applicable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from aikg import terms
from aikg.rulebook import Need, Rule

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
        EngineError: the engine failed.
    """
    violating = _setwise(store) if engine == "setwise" else _reference(store, rules)
    return [_outcome(store, rule, violating) for rule in rules]


# rule, shape -> IRIs of the focus nodes that violate it
Violating = Callable[[Rule, ox.NamedNode], set[str]]


def _outcome(store: ox.Store, rule: Rule, violating: Violating) -> RuleOutcome:
    outcome = RuleOutcome(rule)
    for rule_shape in rule.shapes:
        targets = _targets(store, rule, rule_shape.shape)
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
            verdict = (
                FAIL
                if focus in failed
                else NOT_APPLICABLE
                if focus in exempt
                else NOT_EVALUATED
                if focus in unmet
                else PASS
            )
            known = outcome.verdicts.get(focus)
            outcome.verdicts[focus] = verdict if known is None else worst((known, verdict))
            if verdict == NOT_EVALUATED:
                outcome.missing.setdefault(focus, []).extend(unmet[focus])
    return outcome
