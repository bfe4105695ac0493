"""Verdicts, exit codes and the JSON report."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest
from rdflib import SH, URIRef

import aikg.report
from aikg.report.json_text import to_json
from aikg.report.report import Report
from tests.report.samples import BASE, design_report, finding, report, unknown

WARNING = {"severity": "Warning", "rule": "POW-010"}
INFO = {"severity": "Info", "rule": "CAT-002"}


@pytest.mark.parametrize(
    ("findings", "verdict", "code"),
    [
        ([], "pass", 0),
        ([finding(**INFO)], "pass", 0),
        ([unknown(**INFO)], "pass", 0),
        ([finding(**WARNING)], "warn", 0),
        ([unknown(**WARNING)], "pass", 0),
        ([unknown(), finding(**WARNING)], "incomplete", 3),
        ([finding(), unknown()], "fail", 1),
    ],
)
def test_verdict_and_exit_code_of_one_design(findings: list, verdict: str, code: int) -> None:
    found = report(*findings)
    assert (found.verdict, found.exit_code()) == (verdict, code)


def test_a_report_of_several_designs_has_the_worst_verdict() -> None:
    kinds = {"pass": [], "warn": [finding(**WARNING)], "incomplete": [unknown()], "fail": [finding()]}
    order = ["pass", "warn", "incomplete", "fail"]
    for pair in itertools.product(order, repeat=2):
        found = Report(tuple(design_report(*kinds[verdict]) for verdict in pair))
        assert found.verdict == max(pair, key=order.index)


def test_fail_on_and_allow_incomplete_move_the_line() -> None:
    assert report(finding(**WARNING)).exit_code("warning") == 1
    assert report(finding(**INFO)).exit_code("warning") == 0
    assert report(finding(**INFO)).exit_code("info") == 1
    assert report(unknown()).exit_code(allow_incomplete=True) == 0
    assert report(unknown(), finding()).exit_code(allow_incomplete=True) == 1
    # Who fails on warnings cannot be sure of one that was not judged.
    assert report(unknown(**WARNING)).exit_code("warning") == 3


def test_findings_stand_in_the_order_severity_rule_focus() -> None:
    mixed = [finding(**INFO), finding("n10"), unknown("n3", **WARNING), finding("n2"), finding("n2", rule="COO-000")]
    for shuffled in itertools.permutations(mixed):
        found = report(*shuffled).findings
        assert [(f.rule, f.focus) for f in found] == [
            ("COO-000", "n2"),
            ("COO-001", "n2"),
            ("COO-001", "n10"),
            ("POW-010", "n3"),
            ("CAT-002", "rack01"),
        ]


def test_the_json_report_follows_its_schema_and_is_the_same_every_time() -> None:
    schema = json.loads((Path(aikg.report.__file__).parent / "report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    findings = [finding(), unknown(), finding(location=None, value=None, limit=None, unit=None)]
    found = report(*findings, switched_off=(("COO-004", "tank on loan"),))
    for verdicts in (False, True):
        text = found.to_json(verdicts=verdicts)
        jsonschema.validate(json.loads(text), schema)
        assert text == report(*reversed(findings), switched_off=(("COO-004", "tank on loan"),)).to_json(
            verdicts=verdicts
        )
    assert "verdicts" in json.loads(text)["designs"][0]
    assert json.loads(text)["designs"][0]["findings"][0]["focusIri"] == BASE + "n1"


def test_numbers_of_the_json_report_are_exact() -> None:
    value = Decimal("15.00000000000000000001")
    text = report(finding(value=value, limit=Decimal("1E+2"))).to_json()
    assert '"value": 15.00000000000000000001,' in text
    assert '"limit": 100,' in text
    read = json.loads(text, parse_float=Decimal)
    assert read["designs"][0]["findings"][0]["value"] == value


@pytest.mark.parametrize("hostile", ["\x00" + "0\x00", "\x1b[2J", "\ud800", "\u202e", '"}', "\x9b31m", "\u2028", "é"])
def test_json_keeps_every_name_and_no_control_character(hostile: str) -> None:
    text = to_json({"focus": hostile, "value": Decimal("1.5")})
    assert json.loads(text) == {"focus": hostile, "value": 1.5}
    text.encode("utf-8")
    assert not any(ord(character) in {*range(32), *range(0x7F, 0xA0), 0x2028, 0x202E} - {10} for character in text)


def test_json_has_the_layout_of_the_standard_library() -> None:
    value = {"a": [1, {"b": []}, {}, None, True, "x"], "c": {"d": [[2]]}}
    assert to_json(value) == json.dumps(value, indent=2)
    with pytest.raises(TypeError):
        to_json({"a": 0.5})
    with pytest.raises(TypeError):
        to_json(Decimal("NaN"))


def test_the_graph_is_a_validation_report_of_what_fails() -> None:
    graph = report(finding(), unknown()).to_graph()
    (result,) = graph.subjects(SH.focusNode)
    assert graph.value(result, SH.focusNode) == URIRef(BASE + "rack01")
    assert graph.value(result, SH.sourceShape) == URIRef("https://w3id.org/aikg/rules/COO-001")
    assert graph.value(result, SH.resultSeverity) == SH.Violation
    assert graph.value(result, SH.value).toPython() == Decimal("40.8")
    (conforms,) = graph.objects(None, SH.conforms)
    assert not conforms.toPython()
    assert next(report(unknown()).to_graph().objects(None, SH.conforms)).toPython()


def test_a_notebook_shows_the_report_with_everything_escaped() -> None:
    html = report(finding("<script>alert(1)</script>"))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
