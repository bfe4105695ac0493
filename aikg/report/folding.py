"""Findings that say the same of many components, put together so that a large design stays readable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from aikg.design.records import Origin
from aikg.report.finding import SEVERITIES, Finding
from aikg.report.numbers import fold_names, format_number, natural

# A word with a digit in it is a number, a name or a folded list of names; several in a row are a list.
_COUNTED = re.compile(r"[^\s,;()]*\d[^\s,;()]*")
_LIST = re.compile(r"#(?:, #)*(?: more)?")


def pattern(finding: Finding) -> str:
    """What is left of a message without names and numbers: equal for findings that say the same."""
    text = finding.message
    for name in sorted({finding.focus, *finding.related}, key=len, reverse=True):
        text = _renamed(text, name, "#1")
    return _LIST.sub("#", _COUNTED.sub("#", text))


def _renamed(text: str, name: str, other: str) -> str:
    """The text with a name replaced where it stands as a whole: `n1` is no part of `n12`."""
    if name not in text:
        return text
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: other, text)


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule with one pattern; there is at least one."""

    findings: tuple[Finding, ...]

    @property
    def worst(self) -> Finding:
        """The finding furthest beyond its limit; the first where no numbers are compared."""
        return max(self.findings, key=_excess)

    @property
    def names(self) -> list[str]:
        """The components, in the order of the report."""
        return [finding.focus for finding in self.findings]

    @property
    def fix(self) -> str | None:
        """One fix for all, with all names where nothing but the name differs; None where they differ in more."""
        if len({finding.fix for finding in self.findings}) == 1:
            return self.findings[0].fix
        mark = "\0"
        fixes = {_renamed(finding.fix, finding.focus, mark) for finding in self.findings}
        return fixes.pop().replace(mark, fold_names(self.names)) if len(fixes) == 1 else None

    @property
    def places(self) -> list[str]:
        """The different files and lines, in the order of the report."""
        return places(finding.location for finding in self.findings)

    def span(self) -> str:
        """The ranges of numbers and limits: `30.6 to 40.8 kW; limit 15 kW`; "" where all are equal."""
        values = [finding.value for finding in self.findings if finding.value is not None]
        limits = [finding.limit for finding in self.findings if finding.limit is not None]
        if len(values) != len(self.findings) or len({*values}) == len({*limits}) == 1:
            return ""
        unit = f" {self.findings[0].unit}" if self.findings[0].unit else ""
        text = f"{_range(values)}{unit}"
        return f"{text}; limit {_range(limits)}{unit}" if len(limits) == len(values) else text


def _excess(finding: Finding) -> Decimal:
    if finding.value is None or finding.limit is None:
        return Decimal(0)
    beyond = abs(finding.value - finding.limit)
    return beyond / abs(finding.limit) if finding.limit else beyond


def _range(values: list[Decimal]) -> str:
    least, most = min(values), max(values)
    return format_number(least) if least == most else f"{format_number(least)} to {format_number(most)}"


def places(origins: Iterable[Origin | None]) -> list[str]:
    """The different places, as `file:line`, in the order given."""
    return list(dict.fromkeys(str(origin) for origin in origins if origin is not None))


def grouped(findings: Iterable[Finding], *, fold: bool = True) -> list[Group]:
    """Findings of one rule as groups, in the order of their first finding.

    Arguments:
        findings: of one rule and one verdict.
        fold: False puts each finding in a group of its own.
    """
    if not fold:
        return [Group((finding,)) for finding in findings]
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(pattern(finding), []).append(finding)
    return [Group(tuple(members)) for members in found.values()]


@dataclass(frozen=True, slots=True)
class Lack:
    """One missing fact, of all components that lack it, with the rules that wait for it.

    Attributes:
        key: what to write, "" where it is not one key.
        expected: what to write after the key.
        text: what is missing in words, where a key alone does not say it; else "".
        written: what stands there instead, or None.
        components: names, folded.
        places: where it belongs.
        rules: ids of the rules that could not judge.
        severity: the worst severity of these rules.
        verdicts: how many verdicts wait for it.
    """

    key: str
    expected: str
    text: str
    written: str | None
    components: str
    places: tuple[str, ...]
    rules: tuple[str, ...]
    severity: str
    verdicts: int


def lacks(findings: Iterable[Finding], *, most: int = 6) -> list[Lack]:
    """What must be written so that everything can be judged, the facts that hold back the most first.

    Arguments:
        findings: those that were not evaluated.
        most: how many pieces of a folded list of names to show, 0 for all.
    """
    waiting: dict[tuple[str, str, str, str | None], list[Finding]] = {}
    lacking: dict[tuple[str, str, str, str | None], dict[str, Origin | None]] = {}
    for finding in findings:
        for missing in finding.missing:
            fact = (missing.key, missing.expected, missing.text, missing.written)
            waiting.setdefault(fact, []).append(finding)
            lacking.setdefault(fact, {}).update(missing.components)
    found = []
    for (key, expected, text, written), held in waiting.items():
        components = lacking[(key, expected, text, written)]
        names = fold_names(components, most)
        found.append(
            Lack(
                key=key,
                expected=expected,
                text=text.replace("{components}", names),
                written=written,
                components=names,
                places=tuple(places(components[name] for name in sorted(components, key=natural))),
                rules=tuple(sorted({finding.rule for finding in held})),
                severity=min((finding.severity for finding in held), key=SEVERITIES.index),
                verdicts=len(held),
            )
        )
    return sorted(
        found, key=lambda lack: (SEVERITIES.index(lack.severity), -lack.verdicts, lack.key, lack.text, lack.components)
    )
