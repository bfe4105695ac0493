"""The report of a check: designs, their verdicts and findings, and the exit code that follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aikg.report.finding import SEVERITIES, Balance, Finding, Override, ParameterUse, RuleResult, Verdict
from aikg.report.json_text import to_json
from aikg.report.numbers import natural
from aikg.rulebook import LAYERS
from aikg.version import __version__

if TYPE_CHECKING:
    import rdflib

# Worst first.
VERDICTS = ("fail", "incomplete", "warn", "pass")


@dataclass(frozen=True)
class DesignReport:
    """What a check says of one design."""

    name: str
    files: tuple[str, ...]
    profile: str
    storage_profile: str | None
    findings: tuple[Finding, ...]
    rules: tuple[RuleResult, ...]
    verdicts: tuple[Verdict, ...]
    bottleneck: tuple[Balance, ...] = ()
    overrides: tuple[Override, ...] = ()
    parameters: tuple[ParameterUse, ...] = ()
    switched_off: tuple[tuple[str, str], ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "findings", tuple(sorted(self.findings, key=_order)))
        object.__setattr__(
            self, "verdicts", tuple(sorted(self.verdicts, key=lambda v: (v.rule, natural(v.focus), v.focus)))
        )

    @cached_property
    def verdict(self) -> str:
        """fail: a Violation fails; incomplete: one was not evaluated; warn: a Warning fails; else pass."""
        if self.failed("Violation"):
            return "fail"
        if any(f.verdict == "not_evaluated" and f.severity == "Violation" for f in self.findings):
            return "incomplete"
        return "warn" if self.failed("Warning") else "pass"

    def failed(self, severity: str) -> list[Finding]:
        """The findings of a severity that fail."""
        return [f for f in self.findings if f.verdict == "fail" and f.severity == severity]

    @property
    def not_evaluated(self) -> list[Finding]:
        """The findings of rules that could not judge a component."""
        return [f for f in self.findings if f.verdict == "not_evaluated"]

    def to_dict(self, *, verdicts: bool = False) -> dict[str, Any]:
        """The design's part of the report format; numbers are decimals."""
        found: dict[str, Any] = {
            "name": self.name,
            "files": list(self.files),
            "profile": self.profile,
            "storageProfile": self.storage_profile,
            "verdict": self.verdict,
            "summary": {
                "fail": {severity: len(self.failed(severity)) for severity in SEVERITIES},
                "notEvaluated": len(self.not_evaluated),
                "pass": sum(rule.passed for rule in self.rules),
            },
            "layers": self.layers(),
            "rules": [rule.to_dict() for rule in self.rules],
            "findings": [finding.to_dict() for finding in self.findings],
            "bottleneck": [
                {
                    "layer": b.layer,
                    "resource": b.resource,
                    "need": b.need,
                    "have": b.have,
                    "unit": b.unit,
                    "ratio": b.ratio,
                }
                for b in self.bottleneck
            ],
            "overrides": [
                {
                    "focus": o.focus,
                    "what": o.what,
                    "value": o.value,
                    "unit": o.unit,
                    "evidence": o.evidence,
                    "source": o.source,
                    "accepted": o.accepted,
                }
                for o in self.overrides
            ],
            "parameters": {p.name: p.value for p in self.parameters if p.changed},
        }
        if self.switched_off:
            found["switchedOff"] = [{"rule": rule, "reason": reason} for rule, reason in self.switched_off]
        if verdicts:
            found["verdicts"] = [{"rule": v.rule, "focus": v.focus, "verdict": v.verdict} for v in self.verdicts]
        return found

    def layers(self) -> dict[str, dict[str, Any]]:
        """Layer -> its counts of verdicts and its worst one, under the names of the report format."""
        return {layer: self._layer(layer) for layer in LAYERS}

    def _layer(self, layer: str) -> dict[str, Any]:
        rules = [rule for rule in self.rules if rule.layer == layer]
        failing = {f.severity for f in self.findings if f.layer == layer and f.verdict == "fail"}
        open_ = any(f.layer == layer and f.verdict == "not_evaluated" for f in self.findings)
        worst = next((severity for severity in SEVERITIES if severity in failing), None)
        return {
            "pass": sum(rule.passed for rule in rules),
            "fail": sum(rule.failed for rule in rules),
            "notEvaluated": sum(rule.not_evaluated for rule in rules),
            "worst": worst
            or ("notEvaluated" if open_ else "pass" if any(rule.passed for rule in rules) else "notApplicable"),
        }


def _order(finding: Finding) -> tuple[Any, ...]:
    """Severity, rule, focus; the rest only so that no two different findings are equal in order."""
    return (
        SEVERITIES.index(finding.severity),
        finding.rule,
        natural(finding.focus),
        finding.focus_iri,
        finding.message,
        str(finding.location),
        str(finding.value),
    )


@dataclass(frozen=True)
class Report:
    """The report of a check of one or several designs."""

    designs: tuple[DesignReport, ...]

    @property
    def verdict(self) -> str:
        """The worst verdict of all designs."""
        return min((design.verdict for design in self.designs), key=VERDICTS.index)

    @property
    def findings(self) -> list[Finding]:
        """The findings of all designs."""
        return [finding for design in self.designs for finding in design.findings]

    def exit_code(self, fail_on: str = "violation", *, allow_incomplete: bool = False) -> int:
        """0 pass or warn, 1 fail, 3 incomplete.

        Arguments:
            fail_on: "violation", "warning" or "info": the least severity that fails.
            allow_incomplete: whether Violation rules that were not evaluated are accepted.
        """
        severities = {"violation": SEVERITIES[:1], "warning": SEVERITIES[:2], "info": SEVERITIES}[fail_on]
        if any(design.failed(severity) for design in self.designs for severity in severities):
            return 1
        open_ = any(f.severity in severities and f.verdict == "not_evaluated" for f in self.findings)
        return 3 if open_ and not allow_incomplete else 0

    def to_dict(self, *, verdicts: bool = False) -> dict[str, Any]:
        """The report format; numbers are decimals."""
        return {
            "aikg": __version__,
            "verdict": self.verdict,
            "designs": [d.to_dict(verdicts=verdicts) for d in self.designs],
        }

    def to_json(self, *, verdicts: bool = False) -> str:
        """The report as JSON text, byte for byte the same for the same design."""
        return to_json(self.to_dict(verdicts=verdicts)) + "\n"

    def _repr_html_(self) -> str:
        """The report in a notebook: the text report, everything of the design escaped."""
        from html import escape

        from aikg.report.text import render_text

        return f"<pre>{escape(render_text(self))}</pre>"

    def to_graph(self) -> rdflib.Graph:
        """A W3C validation report of the failing findings, as an rdflib graph."""
        from aikg.report.shacl_report import report_graph

        return report_graph(self)
