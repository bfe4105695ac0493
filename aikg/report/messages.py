"""Verdicts become findings: the numbers of a rule's detail query fill the rule's message and fix templates."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal

import pyoxigraph as ox

from aikg import terms
from aikg.design.model import Design
from aikg.design.records import Origin
from aikg.design.schema import load_schema
from aikg.report.finding import Finding, Missing
from aikg.report.numbers import fold_names, format_number
from aikg.rulebook import Need, Rule
from aikg.validate.shacl import Term
from aikg.validate.verdicts import FAIL, NOT_EVALUATED, RuleOutcome

_NUMBERS = {terms.XSD + name for name in ("decimal", "integer")}
# variable of a detail query -> the values of its rows, distinct, in order
Detail = Mapping[str, list[Term]]


def findings_of(design: Design, outcome: RuleOutcome) -> list[Finding]:
    """The findings of one rule: one for each focus that fails or was not evaluated.

    Arguments:
        design: with derived facts.
        outcome: the verdicts of the rule.
    """
    failed = outcome.focuses(FAIL)
    details = _details(design, outcome.rule) if failed else {}
    found = [_failure(design, outcome.rule, focus, details.get(focus, {})) for focus in failed]
    unknown = outcome.focuses(NOT_EVALUATED)
    if unknown:
        lacking = {
            need.lacked_by: _lacking(design, need.lacked_by)
            for needs in outcome.missing.values()
            for need in needs
            if need.lacked_by
        }
        found += [
            _not_evaluated(design, outcome.rule, focus, outcome.missing.get(focus, []), lacking) for focus in unknown
        ]
    return found


def _details(design: Design, rule: Rule) -> dict[str, dict[str, list[Term]]]:
    """IRI of the focus -> the variables of the rule's detail query for it."""
    if rule.detail is None:
        return {}
    rows = design.query(rule.detail)
    assert isinstance(rows, ox.QuerySolutions)
    names = [variable.value for variable in rows.variables]
    details: dict[str, dict[str, list[Term]]] = defaultdict(lambda: {name: [] for name in names})
    seen: set[tuple[str, str, Term]] = set()
    for row in rows:
        focus = row["this"].value
        values = details[focus]
        for name in names:
            term = row[name]
            if term is not None and (focus, name, term) not in seen:
                seen.add((focus, name, term))
                values[name].append(term)
    return dict(details)


def _shown(design: Design, values: list[Term], also: Decimal | None = None) -> str:
    """Values as a person reads them: numbers, names in folded form, or text."""
    if not values:
        return "unknown"
    if all(isinstance(value, ox.NamedNode) for value in values):
        return fold_names([design.name_of(value.value) for value in values])
    texts = []
    for value in values:
        number = _number(value)
        texts.append(str(value.value) if number is None else format_number(number, also))
    return ", ".join(texts)


def _number(term: Term | None) -> Decimal | None:
    if isinstance(term, ox.Literal) and term.datatype.value in _NUMBERS:
        return Decimal(term.value)
    return None


def fill(design: Design, template: str, focus: str, detail: Detail) -> str:
    """A message or fix with its placeholders filled: `{this}` is the name of the focus, others are detail variables."""
    value, limit = (_number(next(iter(detail.get(name, [])), None)) for name in ("value", "limit"))
    parts = []
    for text, name, _, _ in string.Formatter().parse(template):
        parts.append(text)
        if name == "this":
            parts.append(design.name_of(focus))
        elif name == "closest":
            parts.append(_closest(design, detail.get("unresolved", [])))
        elif name == "places":
            parts.append(_places(design, detail.get("places", [])))
        elif name:
            # Rounding must never make a value look equal to the limit that it breaks.
            other = limit if name == "value" else value if name == "limit" else None
            parts.append(_shown(design, detail.get(name, []), other))
    return "".join(parts)


def _closest(design: Design, unresolved: list[Term]) -> str:
    """A hint at the names that unresolved ones may mean."""
    import difflib

    known = {record.name for record in design.source.records}
    hints = [
        close[0]
        for term in unresolved
        if isinstance(term, ox.NamedNode)
        and (close := difflib.get_close_matches(design.name_of(term.value), known, 1, 0.6))
    ]
    return f" (did you mean {', '.join(sorted(set(hints)))}?)" if hints else ""


def _places(design: Design, terms_: list[Term]) -> str:
    """Where components were written."""
    origins = [design.origin(term.value) for term in terms_ if isinstance(term, ox.NamedNode)]
    return ", ".join(str(origin) for origin in origins if origin is not None)


def _failure(design: Design, rule: Rule, focus: str, detail: Detail) -> Finding:
    at = next((t.value for t in detail.get("locateAt", []) if isinstance(t, ox.NamedNode)), focus)
    key = next((t.value.rsplit("#", 1)[-1] for t in detail.get("locate", []) if isinstance(t, ox.NamedNode)), None)
    related = [design.name_of(t.value) for t in detail.get("related", []) if isinstance(t, ox.NamedNode)]
    return Finding(
        rule=rule.id,
        title=rule.title,
        layer=rule.layer,
        severity=rule.severity,
        verdict=FAIL,
        focus=design.name_of(focus),
        focus_iri=focus,
        message=fill(design, rule.message_template, focus, detail),
        value=_number(next(iter(detail.get("value", [])), None)),
        limit=_number(next(iter(detail.get("limit", [])), None)),
        unit=rule.unit,
        source=rule.source,
        fix=fill(design, rule.fix_template, focus, detail),
        related=tuple(sorted(set(related))),
        location=design.origin(at, key) or design.origin(design.base),
    )


def _lacking(design: Design, lacked_by: str) -> dict[str, list[str]]:
    """IRI of the focus -> the components that lack the fact."""
    found: dict[str, list[str]] = defaultdict(list)
    for quad in design.store.quads_for_pattern(None, ox.NamedNode(lacked_by), None, None):
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
            found[quad.subject.value].append(quad.object.value)
    return {focus: sorted(set(components)) for focus, components in found.items()}


def _not_evaluated(
    design: Design, rule: Rule, focus: str, needs: list[Need], lacking: Mapping[str, Mapping[str, list[str]]]
) -> Finding:
    says, fixes, related, missing = [], [], [], []
    location: Origin | None = None
    for need in needs:
        components = (lacking[need.lacked_by].get(focus) if need.lacked_by else None) or [focus]
        names = fold_names([design.name_of(iri) for iri in components])
        related += [design.name_of(iri) for iri in components if iri != focus]
        written = next((text for iri in components if (text := design.as_written(iri, need.key))), None)
        says.append(_says(need, names, written))
        fixes.append(f"write `{need.key}: {_expected(need.key)}` for {names}" if need.key else f"state it for {names}")
        origins = [(design.name_of(iri), design.origin(iri, need.key or None)) for iri in components]
        location = location or origins[0][1]
        expected = _expected(need.key) if need.key else ""
        missing.append(Missing(need.key, expected, need.text or "", written, tuple(origins)))
    return Finding(
        rule=rule.id,
        title=rule.title,
        layer=rule.layer,
        severity=rule.severity,
        verdict=NOT_EVALUATED,
        focus=design.name_of(focus),
        focus_iri=focus,
        message=f"{design.name_of(focus)} was not judged: {'; '.join(says)}.",
        value=None,
        limit=None,
        unit=rule.unit,
        source=rule.source,
        fix=_sentence("; ".join(fixes)),
        related=tuple(sorted(set(related))),
        location=location or design.origin(design.base),
        missing=tuple(missing),
    )


def _says(need: Need, names: str, written: str | None) -> str:
    if need.text:
        return need.text.replace("{components}", names)
    if written is not None:
        return f"{need.key} of {names} is '{written}', which is not what it takes"
    return f"{need.key} of {names} is missing"


def _expected(key: str) -> str:
    """What to write after a key: `<kW>`, `true or false`, one of the known values ..."""
    return load_schema().expected(key).replace(" in 1>", ">")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
