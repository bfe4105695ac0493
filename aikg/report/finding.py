"""The records of a report: one finding, in the same words for every output."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from aikg.design.records import Origin

SEVERITIES = ("Violation", "Warning", "Info")


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact without which a rule could not judge.

    Attributes:
        key: what the author writes, such as "maxPowerKw"; "" where it is not one key.
        expected: what to write after the key: `<number in kW>`.
        text: what is missing in words, with `{components}` for the names, where a key alone does not say it; else "".
        written: what stands there instead and cannot be read as what the key takes; None where nothing stands there.
        components: the components that lack it, each with the place where it belongs.
    """

    key: str
    expected: str
    text: str
    written: str | None
    components: tuple[tuple[str, Origin | None], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One component that fails a rule, or that a rule could not judge.

    Attributes:
        rule: stable id, such as "POW-003".
        title: short name of the rule.
        layer: compute, fabric, storage, power, cooling, system, catalogue or data.
        severity: Violation, Warning or Info.
        verdict: "fail" or "not_evaluated".
        focus: the component's name in the design.
        focus_iri: its IRI.
        message: what is wrong, with the numbers.
        value: the measured number where the rule compares numbers, in `unit`.
        limit: the number it is compared with, in `unit`.
        unit: unit of both.
        source: document and place that the rule comes from.
        fix: what to change, with numbers.
        related: other components involved.
        location: file and line of the fact that decides.
        missing: the facts that are missing where the verdict is "not_evaluated"; the message says the same in words.
    """

    rule: str
    title: str
    layer: str
    severity: str
    verdict: str
    focus: str
    focus_iri: str
    message: str
    value: Decimal | None
    limit: Decimal | None
    unit: str | None
    source: str
    fix: str
    related: tuple[str, ...]
    location: Origin | None
    missing: tuple[Missing, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The finding under the names of the report format."""
        return {
            "rule": self.rule,
            "title": self.title,
            "layer": self.layer,
            "severity": self.severity,
            "verdict": self.verdict,
            "focus": self.focus,
            "focusIri": self.focus_iri,
            "message": self.message,
            "value": self.value,
            "limit": self.limit,
            "unit": self.unit,
            "source": self.source,
            "fix": self.fix,
            "related": list(self.related),
            "location": location_dict(self.location),
        }


def location_dict(origin: Origin | None) -> dict[str, Any] | None:
    """A place as the report format names it; column and cell only where they are known."""
    if origin is None:
        return None
    place: dict[str, Any] = {"file": origin.file, "line": origin.line}
    if origin.column is not None:
        place["column"] = origin.column
    if origin.cell is not None:
        place["cell"] = origin.cell
    return place


@dataclass(frozen=True, slots=True)
class RuleResult:
    """How many focus nodes of a rule got which verdict."""

    id: str
    title: str
    layer: str
    severity: str
    passed: int
    failed: int
    not_evaluated: int
    not_applicable: int

    def to_dict(self) -> dict[str, Any]:
        """The counts under the names of the report format."""
        return {
            "id": self.id,
            "title": self.title,
            "layer": self.layer,
            "severity": self.severity,
            "pass": self.passed,
            "fail": self.failed,
            "notEvaluated": self.not_evaluated,
            "notApplicable": self.not_applicable,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one rule says of one focus."""

    rule: str
    focus: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Balance:
    """Capacity against need of one layer; `ratio` is have divided by need, None where either is unknown."""

    layer: str
    resource: str
    need: Decimal | None
    have: Decimal | None
    unit: str
    ratio: Decimal | None


@dataclass(frozen=True, slots=True)
class Override:
    """A figure of the design that replaces a documented one; it counts only with evidence and source."""

    focus: str
    what: str
    value: Decimal
    evidence: str | None
    source: str | None
    accepted: bool
    unit: str = "kW"


@dataclass(frozen=True, slots=True)
class ParameterUse:
    """A parameter with the value that was used and its default."""

    name: str
    value: Decimal
    default: Decimal

    @property
    def changed(self) -> bool:
        """Whether the design replaced the default."""
        return self.value != self.default
