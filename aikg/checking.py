"""The check of one design, end to end: derived facts, verdicts, findings, report."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

import pyoxigraph as ox

from aikg.derive import derive
from aikg.design.model import Design, load_design
from aikg.design.records import IllTyped
from aikg.errors import InputError
from aikg.report.finding import Balance, Finding, Override, ParameterUse, RuleResult, Verdict
from aikg.report.messages import findings_of
from aikg.report.report import DesignReport, Report
from aikg.rulebook import Rule, load_rules
from aikg.validate.verdicts import FAIL, NOT_APPLICABLE, NOT_EVALUATED, PASS, RuleOutcome, evaluate, worst

PROFILES = ("seed", "vendor-published")
STORAGE_PROFILES = ("seed", "nvidia-best", "nvidia-better", "nvidia-good", "image-heavy")


def load(path: Path | str) -> Design:
    """The design in a file, with its derived facts, ready to be checked and queried.

    Arguments:
        path: a design file (YAML, JSON, Turtle, N-Triples, JSON-LD).

    Raises:
        InputError: the file cannot be read as a design.
    """
    design = load_design(path)
    infer(design)
    return design


def infer(design: Design) -> None:
    """Add the derived facts to a design that has none yet."""
    if not design.inferred:
        derive(design.store)
        design.inferred = True


def check(
    design: Design | Path | str,
    *,
    profile: str | None = None,
    rules: Sequence[str] | None = None,
    shapes: Sequence[Path] = (),
    engine: str = "setwise",
) -> Report:
    """Judge a design by the rules.

    Arguments:
        design: a design or the file that holds one.
        profile: "seed" or "vendor-published", instead of the design's own.
        rules: ids or patterns such as "POW-*"; None for all.
        shapes: folders with further rules.
        engine: "setwise" (all focus nodes at once) or "pyshacl" (the reference).

    Returns:
        a report of one design.

    Raises:
        InputError: the design cannot be read, or there is nothing to check.
        RuleError: a rule cannot be used, or no rule has such an id.
    """
    design = load_design(design) if isinstance(design, Path | str) else design
    if profile is not None:
        design = with_profile(design, profile)
    _refuse_unusable(design)
    infer(design)
    chosen = select_rules(load_rules(shapes), rules)
    outcomes = evaluate(design.store, chosen, engine)
    return Report((report_of(design, outcomes),))


def with_profile(design: Design, profile: str) -> Design:
    """The same design judged by another catalogue profile."""
    source = dataclasses.replace(design.source, records=list(design.source.records))
    top = source.records[0]
    source.records[0] = dataclasses.replace(top, fields={**top.fields, "profile": profile})
    return Design(source)


def select_rules(rules: list[Rule], patterns: Sequence[str] | None) -> list[Rule]:
    """The rules whose id matches one of the patterns, all for None.

    Raises:
        InputError: a pattern matches no rule, so that a misspelt one never checks nothing in silence.
    """
    if patterns is None:
        return rules
    for pattern in patterns:
        if not any(fnmatchcase(rule.id, pattern) for rule in rules):
            raise InputError(f"no rule matches '{pattern}'; `aikg rules` lists them")
    return [rule for rule in rules if any(fnmatchcase(rule.id, pattern) for pattern in patterns)]


def _refuse_unusable(design: Design) -> None:
    """What must not be replaced by a default in silence: an unknown profile, a parameter that is no number."""
    top = design.source.records[0]
    place = top.origin
    if len(design.source.records) == 1:
        raise InputError("the design holds no component: nothing to check", place.file, place.line)
    for key, known in (("profile", PROFILES), ("storageProfile", STORAGE_PROFILES)):
        value = top.fields.get(key)
        if value is not None and value not in known:
            shown = value.as_written if isinstance(value, IllTyped) else value
            at = top.where((key,))
            raise InputError(f"unknown {key} '{shown}', expected one of {', '.join(known)}", at.file, at.line)
    parameters = top.fields.get("parameters")
    if isinstance(parameters, dict):
        for name, value in parameters.items():
            if isinstance(value, IllTyped):
                at = top.where(("parameters", name))
                raise InputError(f"parameter {name} is '{value.as_written}', expected a number", at.file, at.line)


def report_of(design: Design, outcomes: Iterable[RuleOutcome]) -> DesignReport:
    """The report of a design from the verdicts of its rules."""
    findings: list[Finding] = []
    results: list[RuleResult] = []
    verdicts: list[Verdict] = []
    for outcome in outcomes:
        rule = outcome.rule
        findings += findings_of(design, outcome)
        by_name: dict[str, str] = {}
        for focus, verdict in outcome.verdicts.items():
            name = design.name_of(focus)
            by_name[name] = worst((verdict, by_name[name])) if name in by_name else verdict
        if not by_name:
            by_name["design"] = NOT_APPLICABLE
        verdicts += [Verdict(rule.id, name, verdict) for name, verdict in by_name.items()]
        count = dict.fromkeys((PASS, FAIL, NOT_EVALUATED, NOT_APPLICABLE), 0)
        for verdict in by_name.values():
            count[verdict] += 1
        results.append(
            RuleResult(
                rule.id,
                rule.title,
                rule.layer,
                rule.severity,
                passed=count[PASS],
                failed=count[FAIL],
                not_evaluated=count[NOT_EVALUATED],
                not_applicable=count[NOT_APPLICABLE],
            )
        )
    if not any(result.passed or result.failed or result.not_evaluated for result in results):
        raise InputError("no rule applies to this design: nothing was checked", next(iter(design.files), None))
    top = design.source.records[0]
    return DesignReport(
        name=design.name,
        files=tuple(design.files),
        profile=str(top.fields.get("profile", "vendor-published")),
        storage_profile=str(top.fields["storageProfile"]) if "storageProfile" in top.fields else None,
        findings=tuple(findings),
        rules=tuple(results),
        verdicts=tuple(verdicts),
        bottleneck=tuple(_balances(design)),
        overrides=tuple(_overrides(design)),
        parameters=tuple(_parameters(design)),
    )


def _decimal(term: object) -> Decimal | None:
    return Decimal(term.value) if isinstance(term, ox.Literal) else None


def _text(term: object) -> str | None:
    return term.value if isinstance(term, ox.Literal) else None


def _balances(design: Design) -> list[Balance]:
    """Capacity and need of each layer that has a demand; the shortest first, unknown ones last."""
    rows = design.query(
        "SELECT ?layer ?resource ?need ?have ?unit WHERE { ?balance a aikg:LayerBalance ; aikg:layerName ?layer ."
        " OPTIONAL { ?balance aikg:resource ?resource } OPTIONAL { ?balance aikg:need ?need }"
        " OPTIONAL { ?balance aikg:have ?have } OPTIONAL { ?balance aikg:balanceUnit ?unit } }"
    )
    assert isinstance(rows, ox.QuerySolutions)
    balances = []
    for row in rows:
        need, have = _decimal(row["need"]), _decimal(row["have"])
        ratio = have / need if need and have is not None else None
        balances.append(
            Balance(row["layer"].value, _text(row["resource"]) or "", need, have, _text(row["unit"]) or "", ratio)
        )
    return sorted(balances, key=lambda b: (b.ratio is None, b.ratio or 0, b.layer))


_OVERRIDES = (
    # what it replaces, the value's key, its evidence, its source
    ("cooling limit", "coolingLimitOverrideKw", "coolingOverrideEvidence", "coolingOverrideSource"),
    ("measured peak", "measuredPeakKw", "measurementEvidence", "measurementSource"),
    ("maximum power", "maxPowerKw", "powerEvidence", "powerSource"),
)


def _overrides(design: Design) -> list[Override]:
    """Every figure of the design that replaces a documented one, and whether it counts."""
    found = []
    for record in design.source.records:
        for what, key, evidence_key, source_key in _OVERRIDES:
            value, evidence, source = (record.fields.get(name) for name in (key, evidence_key, source_key))
            if key == "maxPowerKw" and evidence is None and source is None:
                continue
            if isinstance(value, Decimal):
                found.append(
                    Override(
                        record.name,
                        what,
                        value,
                        evidence if isinstance(evidence, str) else None,
                        source if isinstance(source, str) else None,
                        isinstance(evidence, str) and isinstance(source, str) and value > 0,
                    )
                )
    return found


def _parameters(design: Design) -> list[ParameterUse]:
    """Every parameter with the value that was used."""
    rows = design.query(
        "SELECT ?parameter ?default ?value WHERE { ?parameter a aikg:Parameter ; aikg:defaultValue ?default ."
        " ?design a aikg:Design ; ?parameter ?value } ORDER BY ?parameter"
    )
    assert isinstance(rows, ox.QuerySolutions)
    return [
        ParameterUse(design.name_of(row["parameter"].value), Decimal(row["value"].value), Decimal(row["default"].value))
        for row in rows
    ]


__all__ = ["check", "infer", "load", "report_of", "select_rules", "with_profile"]
