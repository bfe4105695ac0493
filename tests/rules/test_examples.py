"""Every rule's own examples give the verdicts that they promise, through both engines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aikg.checking import infer
from aikg.design.model import Design
from aikg.design.read import read_design
from aikg.report.messages import findings_of
from aikg.rulebook import Rule
from aikg.validate.verdicts import FAIL, NOT_EVALUATED, evaluate
from tests.rules.oracle import rules, verdicts_of

EXAMPLES = [(rule, path) for rule in rules() for path in rule.examples()]


def _design(path: Path) -> Design:
    design = Design(read_design(path))
    infer(design)
    return design


@pytest.mark.parametrize("engine", ["setwise", "pyshacl"])
@pytest.mark.parametrize(("rule", "path"), EXAMPLES, ids=[f"{rule.id}-{path.stem}" for rule, path in EXAMPLES])
def test_an_example_gives_exactly_the_verdicts_that_it_promises(rule: Rule, path: Path, engine: str) -> None:
    design = _design(path)
    promised = {(name, focus): verdict for name, focus, verdict in design.source.expect}
    assert promised, f"{path} promises nothing"
    assert verdicts_of(design, [rule], engine) == promised


@pytest.mark.parametrize("rule", rules(), ids=[rule.id for rule in rules()])
def test_a_rule_has_a_passing_a_failing_and_a_boundary_example(rule: Rule) -> None:
    names = {path.stem for path in rule.examples()}
    assert {"pass", "fail"} <= names
    assert "boundary" in names or {"boundary-at", "boundary-over"} <= names
    assert any(verdict == "pass" for _, _, verdict in read_design(rule.folder / "pass.yaml").expect)
    assert any(verdict == "fail" for _, _, verdict in read_design(rule.folder / "fail.yaml").expect)


@pytest.mark.parametrize(("rule", "path"), EXAMPLES, ids=[f"{rule.id}-{path.stem}" for rule, path in EXAMPLES])
def test_the_findings_of_an_example_are_whole_sentences_with_numbers_and_a_fix(rule: Rule, path: Path) -> None:
    design = _design(path)
    for outcome in evaluate(design.store, [rule]):
        findings = findings_of(design, outcome)
        judged = [verdict for verdict in outcome.verdicts.values() if verdict in (FAIL, NOT_EVALUATED)]
        assert len(findings) == len(judged)
        for finding in findings:
            text = f"{finding.message} {finding.fix}"
            assert finding.verdict == NOT_EVALUATED or "unknown" not in finding.message, text
            assert not re.search(r"\{\w+\}", text) and "https://" not in text, text
            assert finding.fix.strip() and finding.message.strip().endswith(".")
            assert finding.location is not None and finding.location.file == str(path)
