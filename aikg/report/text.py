"""The report for a person at a terminal: the verdict first, then what to change, layer by layer, worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from aikg.report.finding import SEVERITIES, Balance, Finding, Override
from aikg.report.folding import Group, Lack, grouped, lacks
from aikg.report.layout import Page
from aikg.report.numbers import fold_names, format_number
from aikg.report.report import VERDICTS, DesignReport, Report
from aikg.rulebook import LAYERS

_STYLES = {
    "fail": ("bold", "red"),
    "incomplete": ("bold", "magenta"),
    "warn": ("bold", "yellow"),
    "pass": ("bold", "green"),
    "Violation": ("bold", "red"),
    "Warning": ("bold", "yellow"),
    "Info": ("bold", "cyan"),
}
_NOUNS = {"Violation": "violation", "Warning": "warning", "Info": "note"}
# Fewer findings of one pattern are easier to read one by one.
_LEAST_FOLDED = 3
# What a report shows without `--verbose`; what is left out is counted.
_MOST_GROUPS = 5
_MOST_LACKS = 8


def render_text(report: Report, page: Page | None = None, *, verbose: bool = False) -> str:
    """The report as text.

    Arguments:
        report: of one or several designs.
        page: width and colours; 100 columns without colours where None.
        verbose: show every finding on its own, and every missing fact.
    """
    page = page or Page()
    lines: list[str] = []
    for design in report.designs:
        if lines:
            lines += ["", ""]
        lines += _design(design, page, verbose)
    if len(report.designs) > 1:
        lines += ["", "", *_totals(report, page)]
    return "\n".join(lines) + "\n"


def headline(design: DesignReport) -> str:
    """What came out, in one line: `four-dgx-rack: 5 violations, 1 not evaluated (profile vendor-published)`."""
    parts = [_count(len(design.failed(s)), _NOUNS[s]) for s in SEVERITIES if design.failed(s)]
    if design.not_evaluated:
        parts.append(f"{len(design.not_evaluated)} not evaluated")
    passed = sum(rule.passed for rule in design.rules)
    parts = parts or [f"{_count(passed, 'verdict')}, all pass"]
    return f"{design.name}: {', '.join(parts)} (profile {design.profile})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _design(design: DesignReport, page: Page, verbose: bool) -> list[str]:
    lines = page.wrapped(headline(design), 0, f"{design.verdict.upper()}  ", *_STYLES[design.verdict])
    lines += page.wrapped(", ".join(design.files), len(design.verdict) + 2)
    for layer in _layers_worst_first(design):
        lines += ["", *_layer(design, layer, page, verbose)]
    for section in (
        _notes(design, page, verbose),
        _open(design, page, verbose),
        _balance(design.bottleneck, page),
        _limits(design, page, verbose),
        _summary(design, page),
    ):
        if section:
            lines += ["", *section]
    if not verbose and design.findings:
        lines += [
            "",
            *page.wrapped("`aikg explain RULE` says more about a rule; `--verbose` shows every finding on its own."),
        ]
    return lines


# ---- what fails


def _layers_worst_first(design: DesignReport) -> list[str]:
    counts = {
        layer: Counter(f.severity for f in design.findings if f.layer == layer and f.verdict == "fail")
        for layer in LAYERS
    }
    shown = [layer for layer in LAYERS if counts[layer]["Violation"] or counts[layer]["Warning"]]
    return sorted(
        shown, key=lambda layer: (-counts[layer]["Violation"], -counts[layer]["Warning"], LAYERS.index(layer))
    )


def _layer(design: DesignReport, layer: str, page: Page, verbose: bool) -> list[str]:
    failed = [f for f in design.findings if f.layer == layer and f.verdict == "fail" and f.severity != "Info"]
    parts = [_count(n, _NOUNS[s]) for s in SEVERITIES if (n := sum(f.severity == s for f in failed))]
    lines = page.wrapped(", ".join(parts), 0, f"{layer.upper()}  ", "bold", hang=2)
    for rule in dict.fromkeys(f.rule for f in failed):
        lines += ["", *_rule([f for f in failed if f.rule == rule], page, verbose)]
    return lines


def _rule(findings: list[Finding], page: Page, verbose: bool) -> list[str]:
    """All findings of one rule: its name once, then each group, then the source once."""
    first = findings[0]
    label = f"{first.severity.upper()}  "
    lines = page.wrapped(f"{first.rule}: {first.title}", 2, label, *_STYLES[first.severity])
    groups = grouped(findings, fold=not verbose)
    # A fold of two says less than the two findings.
    groups = [
        g
        for group in groups
        for g in ([group] if len(group.findings) >= _LEAST_FOLDED else grouped(group.findings, fold=False))
    ]
    shown = groups if verbose else groups[:_MOST_GROUPS]
    for group in shown:
        lines += _group(group, page)
    hidden = [name for group in groups[len(shown) :] for name in group.names]
    if hidden:
        lines += page.wrapped(f"and {_count(len(hidden), 'more finding')}: {fold_names(hidden)}", 4, hang=6)
    lines += page.wrapped(first.source, 6, "Source: ", "dim")
    return lines


def _group(group: Group, page: Page) -> list[str]:
    if len(group.findings) == 1:
        finding = group.findings[0]
        lines = page.wrapped(finding.message, 4)
        lines += page.wrapped(finding.fix, 6, "Fix: ", "green")
    else:
        worst = group.worst
        lines = page.wrapped(f"{_count(len(group.findings), 'finding')}: {fold_names(group.names)}", 4, hang=6)
        span = group.span()
        if span:
            lines += page.wrapped(span, 6)
        lines += page.wrapped(worst.message, 6, "Worst: " if span else "First: ", "dim")
        fix = group.fix
        lines += page.wrapped(worst.fix if fix is None else fix, 6, "Fix: ", "green")
        if fix is None:
            lines += page.wrapped(f"(for {worst.focus}; the others alike)", 11)
    if group.places:
        lines += page.wrapped(_first_place(group.places), 6, "At: ", "dim")
    return lines


def _first_place(places: list[str] | tuple[str, ...]) -> str:
    more = len(places) - 1
    return places[0] if not more else f"{places[0]} and {_count(more, 'other place')}"


def _notes(design: DesignReport, page: Page, verbose: bool) -> list[str]:
    """Info findings: one line per rule, unless all are asked for."""
    notes = design.failed("Info")
    if not notes:
        return []
    lines = page.wrapped(_count(len(notes), "note"), 0, "NOTES  ", "bold")
    for rule in dict.fromkeys(f.rule for f in notes):
        own = [f for f in notes if f.rule == rule]
        if verbose:
            lines += ["", *_rule(own, page, verbose)]
            continue
        text = own[0].message if len(own) == 1 else f"{own[0].title}: {fold_names(f.focus for f in own)}"
        lines += page.wrapped(text, 2, f"{rule}  ", *_STYLES["Info"])
    return lines


# ---- what could not be judged


def _open(design: DesignReport, page: Page, verbose: bool) -> list[str]:
    """What is missing, and where to write it: by fact and not by rule, since one fact often serves several rules."""
    unknown = design.not_evaluated
    if not unknown:
        return []
    found = lacks(unknown, most=0 if verbose else 6)
    decisive = sum(f.severity == "Violation" for f in unknown)
    what = (
        f"{_count(len(unknown), 'verdict')} for want of {_count(len(found), 'fact')}; {decisive:,} of violation rules"
    )
    lines = page.wrapped(what, 0, "NOT EVALUATED  ", "bold", "magenta", hang=2)
    shown = found if verbose else found[:_MOST_LACKS]
    for lack in shown:
        lines += _lack(lack, page)
    hidden = found[len(shown) :]
    if hidden:
        names = ", ".join(dict.fromkeys(lack.key or "others" for lack in hidden))
        lines += page.wrapped(f"and {_count(len(hidden), 'more fact')} (--verbose): {names}", 2, hang=4)
    # Findings of other makers may come without the missing facts as records: their own words serve.
    for finding in unknown:
        if not finding.missing:
            lines += page.wrapped(f"{finding.message} {finding.fix}", 2, f"{finding.rule}  ")
    return lines


def _lack(lack: Lack, page: Page) -> list[str]:
    if lack.key:
        # Where the key takes a list of entries there is no value to show.
        value = f": {lack.expected}" if lack.expected not in ("", "...", "[...]") else ""
        text = f"Write `{lack.key}{value}` for {lack.components}"
        if lack.written is not None:
            text += f" (it reads '{lack.written}')"
        if lack.text:
            text += f": {lack.text}"
    else:
        text = lack.text or f"State what is missing for {lack.components}"
    lines = page.wrapped(text, 2, hang=4)
    waits = f"{', '.join(lack.rules)} ({_count(lack.verdicts, 'verdict')})"
    lines += page.wrapped(waits, 4, "Needed by: ", "dim")
    if lack.places:
        lines += page.wrapped(_first_place(lack.places), 4, "At: ", "dim")
    return lines


# ---- what it rests on


def _balance(balances: Iterable[Balance], page: Page) -> list[str]:
    rows = list(balances)
    if not rows:
        return []
    known = [b for b in rows if b.ratio is not None]
    shortest = min(known, key=lambda b: b.ratio or Decimal(0), default=None)
    title = "have divided by need; below 1 a layer is short"
    if shortest is not None and shortest.ratio is not None:
        says = "is the bottleneck" if shortest.ratio < 1 else "has the least to spare"
        title = f"{shortest.layer} {says} ({_ratio(shortest.ratio)}); {title}"
    table = [["layer", "resource", "need", "have", "unit", "ratio"]]
    table += [[b.layer, b.resource, _known(b.need), _known(b.have), b.unit, _ratio(b.ratio)] for b in rows]
    return [*page.wrapped(title, 0, "BALANCE  ", "bold", hang=2), *page.table(table, frozenset({2, 3, 5}))]


def _known(value: Decimal | None) -> str:
    return "unknown" if value is None else format_number(value)


def _ratio(value: Decimal | None) -> str:
    # Compared with 1, so that 0.9996 is never shown as enough.
    return "unknown" if value is None else format_number(value, Decimal(1))


def _limits(design: DesignReport, page: Page, verbose: bool) -> list[str]:
    """Which limits were used, and what the design says instead of the documented figures."""
    profiles = f"profile {design.profile}"
    if design.storage_profile:
        profiles += f", storage profile {design.storage_profile}"
    changed = [p for p in design.parameters if p.changed]
    if design.parameters and not changed:
        profiles += f", all {len(design.parameters)} parameters at their defaults"
    lines = page.wrapped(profiles, 0, "LIMITS  ", "bold", hang=2)
    for parameter in design.parameters if verbose else changed:
        default = f" (default {format_number(parameter.default)})" if parameter.changed else ""
        lines += page.wrapped(f"parameter {parameter.name} {format_number(parameter.value)}{default}", 2, hang=4)
    # The same figure on many components of one template is one decision.
    same: dict[tuple[str, Decimal, str, str | None, str | None, bool], list[Override]] = {}
    for o in design.overrides:
        same.setdefault((o.what, o.value, o.unit, o.evidence, o.source, o.accepted), []).append(o)
    for (what, value, unit, evidence, source, accepted), overrides in same.items():
        names = fold_names(o.focus for o in overrides)
        says = "used" if accepted else "NOT used, it needs evidence and source"
        proof = f"evidence: {evidence or 'none'}; source: {source or 'none'}"
        lines += page.wrapped(f"{what} of {names}: {format_number(value)} {unit}, {says} ({proof})", 2, hang=4)
    for rule, reason in design.switched_off:
        lines += page.wrapped(f"rule {rule} is switched off: {reason}", 2, hang=4)
    return lines


def _summary(design: DesignReport, page: Page) -> list[str]:
    rows = [["layer", "pass", "fail", "not evaluated", "worst"]]
    for layer, counts in design.layers().items():
        if counts["pass"] or counts["fail"] or counts["notEvaluated"]:
            rows.append(
                [
                    layer,
                    *(f"{counts[key]:,}" for key in ("pass", "fail", "notEvaluated")),
                    _WORST.get(counts["worst"], counts["worst"]),
                ]
            )
    return [page.styled("SUMMARY", "bold"), *page.table(rows, frozenset({1, 2, 3}))]


_WORST = {
    "notEvaluated": "not evaluated",
    "notApplicable": "not applicable",
    "Violation": "violation",
    "Warning": "warning",
    "Info": "note",
}


def _totals(report: Report, page: Page) -> list[str]:
    counts = Counter(design.verdict for design in report.designs)
    says = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    lines = page.wrapped(says, 0, f"{_count(len(report.designs), 'design')}  ", "bold")
    for verdict in VERDICTS:
        for design in report.designs:
            if design.verdict == verdict:
                label = f"{verdict.upper():10}  "
                lines += page.wrapped(headline(design), 2, label, *_STYLES[verdict])
    return lines
