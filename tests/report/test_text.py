"""The report for a terminal."""

from __future__ import annotations

import io
import re
from decimal import Decimal

import pytest

from aikg.design.records import Origin
from aikg.report.finding import Finding
from aikg.report.folding import grouped, lacks
from aikg.report.layout import Page, page_for
from aikg.report.report import Report
from aikg.report.text import render_text
from tests.report.samples import design_report, finding, report, unknown


def racks(number: int) -> list[Finding]:
    """Racks of two loads that all draw too much, each with its own nodes."""
    return [
        finding(
            f"rack{n:02}",
            message=f"rack{n:02} draws {load} kW (4 devices: n[{4 * n:03}-{4 * n + 3:03}]); air removes at most 15 kW.",
            value=Decimal(load),
            location=Origin("d.yaml", n),
        )
        for n in range(1, number + 1)
        for load in ["40.8" if n % 2 else "30.6"]
    ]


def test_the_verdict_comes_first() -> None:
    warning = finding("ups1", rule="POW-010", layer="power", severity="Warning")
    text = render_text(report(finding(), warning, unknown()))
    first = "FAIL  four-dgx-rack: 1 violation, 1 warning, 1 not evaluated (profile vendor-published)"
    assert text.splitlines()[0] == first


def test_a_finding_says_numbers_fix_source_and_place() -> None:
    text = render_text(report(finding()))
    assert "VIOLATION  COO-001: Rack density by cooling" in text
    assert "rack01 draws 40.8 kW; air removes at most 15 kW." in text
    assert "Fix: Spread the 4 devices over at least 3 racks." in text
    assert "Source: Founding document, S77" in text
    assert "At: designs/d.yaml:4" in text


def test_findings_that_say_the_same_fold_to_their_range() -> None:
    text = render_text(report(*racks(40)))
    assert "40 findings: rack[01-40]" in text
    assert "30.6 to 40.8 kW; limit 15 kW" in text
    assert "Worst: rack01 draws 40.8 kW" in text
    assert "At: d.yaml:1 and 39 other places" in text
    assert text.count(" draws ") == 1


def test_fixes_that_differ_in_the_name_alone_are_one_fix() -> None:
    rows = [
        finding(f"dgx{n:02}", message=f"dgx{n:02} states 8.2 kW without evidence", fix=f"Add evidence for dgx{n:02}.")
        for n in range(1, 33)
    ]
    text = render_text(report(*rows))
    assert "32 findings: dgx[01-32]" in text
    assert "First: dgx01 states 8.2 kW" in text
    assert "Fix: Add evidence for dgx[01-32]." in text
    assert "the others alike" not in text
    others = [finding(f"n{n}", message=f"n{n} fails", fix=f"Give n{n} another {n} kW.") for n in range(3)]
    assert "(for n0; the others alike)" in render_text(report(*others))


def test_a_name_inside_another_name_is_not_replaced() -> None:
    rows = [finding(f"n{n}", message=f"n{n} fails", fix=f"Move n{n} away from n12.") for n in (1, 2, 3)]
    assert "Fix: Move n[1-3] away from n12." in render_text(report(*rows))


def test_verbose_shows_every_finding() -> None:
    text = render_text(report(*racks(40)), verbose=True)
    assert text.count(" draws ") == 40
    assert "findings:" not in text


def test_two_findings_are_not_folded() -> None:
    assert render_text(report(*racks(2))).count(" draws ") == 2


def test_findings_that_say_different_things_stay_apart() -> None:
    other = finding("rack02", message="rack02 holds a device that air cannot cool.")
    assert len(grouped([finding(), other])) == 2
    assert len(grouped(racks(3))) == 1


def test_many_different_findings_of_a_rule_are_counted() -> None:
    words = ["oak", "elm", "ash", "yew", "fir", "fig", "bay"]
    text = render_text(report(*(finding(f"n{word}", message=f"this is about the {word} tree") for word in words)))
    assert "and 2 more findings: noak, nyew" in text


def test_layers_stand_worst_first() -> None:
    power = [finding(f"c{n}", rule="POW-001", layer="power") for n in range(2)]
    fabric = finding("l1", rule="FAB-001", layer="fabric", severity="Warning")
    text = render_text(report(fabric, finding(), *power))
    positions = [text.index(f"\n{layer}  ") for layer in ("POWER", "COOLING", "FABRIC")]
    assert positions == sorted(positions)


def test_missing_facts_are_told_once_with_all_that_wait_for_them() -> None:
    rows = [unknown(f"n{n}", location=Origin("d.yaml", n)) for n in range(1, 9)]
    rows.append(unknown("n1", rule="POW-001", layer="power"))
    text = render_text(report(*rows))
    assert "Write `maxPowerKw: <number in kW>` for n[1-8]" in text
    assert "Needed by: COO-001, POW-001 (9 verdicts)" in text
    assert text.splitlines()[0].startswith("INCOMPLETE  ")


def test_a_value_that_cannot_be_read_is_shown_as_it_was_written() -> None:
    assert "for n1 (it reads '10.2 kW')" in render_text(report(unknown("n1", written="10.2 kW")))


def test_facts_that_hold_back_violations_come_first() -> None:
    rows = [*(unknown(f"n{n}", "weightKg", severity="Warning", rule="COM-010") for n in range(5)), unknown("n1")]
    assert [lack.key for lack in lacks(rows)] == ["maxPowerKw", "weightKg"]


def test_many_missing_facts_are_counted() -> None:
    text = render_text(report(*(unknown(f"n{n}", f"key{n}") for n in range(10))))
    assert "and 2 more facts (--verbose): key8, key9" in text
    assert "key9: <number" in render_text(report(*(unknown(f"n{n}", f"key{n}") for n in range(10))), verbose=True)


def test_notes_are_one_line_per_rule() -> None:
    notes = [finding(f"n{n}", rule="CAT-002", layer="catalogue", severity="Info", title="Figures") for n in range(3)]
    text = render_text(report(*notes))
    assert "CAT-002  Figures: n[0-2]" in text
    assert "Fix:" not in text
    assert "Fix:" in render_text(report(*notes), verbose=True)


def test_limits_overrides_and_balance_are_shown() -> None:
    text = render_text(report())
    assert "BALANCE  storage is the bottleneck (0.5)" in text
    assert "parameter upsMargin 0.9 (default 0.8)" in text
    assert "pueCeiling" not in text
    assert "cooling limit of rack01: 45 kW, NOT used" in text
    assert "pueCeiling" in render_text(report(), verbose=True)


def test_switched_off_rules_are_named_with_their_reason() -> None:
    text = render_text(report(switched_off=(("COO-004", "tank on loan"),)))
    assert "rule COO-004 is switched off: tank on loan" in text


def test_several_designs_end_with_a_list() -> None:
    text = render_text(Report((design_report(finding()), design_report(name="other"))))
    assert "2 designs  1 fail, 1 pass" in text
    assert text.rstrip().endswith("PASS        other: 3 verdicts, all pass (profile vendor-published)")


@pytest.mark.parametrize("width", [40, 80, 140])
def test_lines_stay_within_the_page(width: int) -> None:
    rows = [*racks(5), unknown("n1"), finding("u", message="a long text " * 30, severity="Warning", rule="POW-010")]
    text = render_text(report(*rows), Page(width))
    prose = [line for line in text.splitlines() if not re.match(r"  (layer|storage|power|cooling) ", line)]
    assert max(len(line) for line in prose) <= width


def test_colours_change_nothing_but_colours() -> None:
    rows = [*racks(5), unknown("n1"), finding("n1", rule="CAT-002", severity="Info", layer="catalogue")]
    plain, coloured = (render_text(report(*rows), Page(100, colour)) for colour in (False, True))
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b2J", "\u202e", "a\rb", "\x07"])
def test_names_cannot_command_the_terminal(hostile: str) -> None:
    changes = {"message": f"{hostile} draws", "fix": hostile, "source": hostile, "title": hostile}
    rows = [finding(hostile, **changes), unknown(hostile, written=hostile, location=Origin(hostile, 1))]
    text = render_text(report(*rows, name=hostile, files=(hostile,)))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_colours_are_for_terminals_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert page_for(Terminal()).colour
    assert page_for(io.StringIO()) == Page(100, False)
    monkeypatch.setenv("COLUMNS", "72")
    assert page_for(io.StringIO()).width == 72
    monkeypatch.setenv("NO_COLOR", "1")
    assert not page_for(Terminal()).colour
