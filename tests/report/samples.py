"""Small reports made by hand, so that the renderers are tested without a rule or a design."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from aikg.design.records import Origin
from aikg.report.finding import Balance, Finding, Missing, Override, ParameterUse, RuleResult, Verdict
from aikg.report.report import DesignReport, Report

BASE = "https://w3id.org/aikg/design/d/"
FILE = "designs/d.yaml"


def finding(focus: str = "rack01", **changes: Any) -> Finding:
    """A failing finding of COO-001: 40.8 kW where 15 kW is the limit."""
    fields: dict[str, Any] = {
        "rule": "COO-001",
        "title": "Rack density by cooling",
        "layer": "cooling",
        "severity": "Violation",
        "verdict": "fail",
        "focus": focus,
        "focus_iri": BASE + focus,
        "message": f"{focus} draws 40.8 kW; air removes at most 15 kW.",
        "value": Decimal("40.8"),
        "limit": Decimal(15),
        "unit": "kW",
        "source": "Founding document, S77",
        "fix": "Spread the 4 devices over at least 3 racks.",
        "related": (),
        "location": Origin(FILE, 4, 3),
    }
    return Finding(**{**fields, **changes})


def unknown(focus: str = "n1", key: str = "maxPowerKw", **changes: Any) -> Finding:
    """A finding that was not evaluated, because `key` of the focus is missing."""
    place = changes.pop("location", Origin(FILE, 9))
    written = changes.pop("written", None)
    fields: dict[str, Any] = {
        "verdict": "not_evaluated",
        "message": f"{focus} was not judged: {key} of {focus} is missing.",
        "value": None,
        "limit": None,
        "fix": f"Write `{key}: <number in kW>` for {focus}.",
        "location": place,
        "missing": (Missing(key, "<number in kW>", "", written, ((focus, place),)),),
    }
    return finding(focus, **{**fields, **changes})


def rule_result(
    rule: str = "COO-001", layer: str = "cooling", severity: str = "Violation", **counts: int
) -> RuleResult:
    """Counts of one rule."""
    return RuleResult(
        rule,
        "Rack density by cooling",
        layer,
        severity,
        counts.get("passed", 3),
        counts.get("failed", 0),
        counts.get("unknown", 0),
        counts.get("exempt", 0),
    )


def design_report(*findings: Finding, **changes: Any) -> DesignReport:
    """The report of one design with these findings."""
    fields: dict[str, Any] = {
        "name": "four-dgx-rack",
        "files": (FILE,),
        "profile": "vendor-published",
        "storage_profile": None,
        "findings": findings,
        "rules": (rule_result(failed=len(findings)),),
        "verdicts": (Verdict("COO-001", "rack01", "fail"),),
        "bottleneck": (
            Balance("storage", "read throughput", Decimal(40), Decimal(20), "GB/s", Decimal("0.5")),
            Balance("power", "circuits", Decimal("40.8"), None, "kW", None),
        ),
        "overrides": (Override("rack01", "cooling limit", Decimal(45), "letter", None, False),),
        "parameters": (
            ParameterUse("upsMargin", Decimal("0.9"), Decimal("0.8")),
            ParameterUse("pueCeiling", Decimal(2), Decimal(2)),
        ),
    }
    return DesignReport(**{**fields, **changes})


def report(*findings: Finding, **changes: Any) -> Report:
    """A report of one design with these findings."""
    return Report((design_report(*findings, **changes),))
