"""`aikg check` around the check itself: which designs, which output, which exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aikg.errors import EngineError, InputError, RuleError
from aikg.report.report import Report
from tests.cli.conftest import DESIGN, Outcome
from tests.report.samples import design_report, finding, unknown

Run = Callable[..., Outcome]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[dict[str, Any]]:
    """Checks that give a report by the file's name, or raise; what they were called with is returned."""
    calls: list[dict[str, Any]] = []
    kinds = {
        "pass": [],
        "warn": [finding(severity="Warning")],
        "open": [unknown()],
        "fail": [finding()],
    }
    errors = {
        "bad": InputError("broken", "bad.yaml", 2),
        "engine": EngineError("stopped"),
        "rule": RuleError("no path"),
    }

    def check(path: str, **options: Any) -> Report:
        calls.append({"path": path, **options})
        name = Path(path).stem
        if name in errors:
            raise errors[name]
        return Report((design_report(*kinds[name], name=name),))

    monkeypatch.setattr("aikg.checking.check", check)
    for name in (*kinds, *errors):
        (tmp_path / f"{name}.yaml").write_text(DESIGN)
    return calls


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["pass.yaml"], 0),
        (["warn.yaml"], 0),
        (["warn.yaml", "--fail-on", "warning"], 1),
        (["open.yaml"], 3),
        (["open.yaml", "--allow-incomplete"], 0),
        (["fail.yaml"], 1),
        (["open.yaml", "fail.yaml", "pass.yaml"], 1),
        (["pass.yaml", "bad.yaml"], 2),
        (["bad.yaml", "fail.yaml"], 2),
        (["engine.yaml", "pass.yaml"], 2),
        (["rule.yaml", "pass.yaml"], 2),
    ],
)
@pytest.mark.usefixtures("checked")
def test_exit_codes(aikg: Run, arguments: list[str], code: int) -> None:
    assert aikg("check", *arguments).code == code


@pytest.mark.usefixtures("checked")
def test_one_bad_design_stops_no_other(aikg: Run) -> None:
    outcome = aikg("check", "fail.yaml", "bad.yaml", "pass.yaml")
    assert outcome.err == "aikg: bad.yaml:2: broken\n"
    assert outcome.out.startswith("FAIL  fail: 1 violation")
    assert "2 designs  1 fail, 1 pass" in outcome.out


@pytest.mark.usefixtures("checked")
def test_without_a_single_report_nothing_is_written(aikg: Run, tmp_path: Path) -> None:
    outcome = aikg("check", "bad.yaml", "--format", "json", "-o", "out.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert not (tmp_path / "out.json").exists()


@pytest.mark.usefixtures("checked")
def test_json_goes_to_the_file(aikg: Run, tmp_path: Path) -> None:
    outcome = aikg("check", "fail.yaml", "--format", "json", "--verdicts", "-o", "out.json")
    assert outcome == Outcome(1, "", "")
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert written["verdict"] == "fail"
    assert written["designs"][0]["verdicts"] == [{"rule": "COO-001", "focus": "rack01", "verdict": "fail"}]


def test_options_reach_the_check(aikg: Run, checked: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "rule.ttl").touch()
    options = ["--rules", "POW-*, COO-002", "--rules", "FAB-001", "--profile", "seed", "--engine", "pyshacl"]
    aikg("check", "pass.yaml", *options, "--shapes", "own")
    assert checked == [
        {
            "path": "pass.yaml",
            "profile": "seed",
            "rules": ["POW-*", "COO-002", "FAB-001"],
            "shapes": [Path("own")],
            "engine": "pyshacl",
        }
    ]


def test_a_design_named_twice_is_checked_once(aikg: Run, checked: list[dict[str, Any]]) -> None:
    aikg("check", "pass.yaml", "pass.yaml")
    assert len(checked) == 1


@pytest.mark.usefixtures("checked")
def test_a_folder_without_rules_is_an_error(aikg: Run, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    for command in (["check", "pass.yaml"], ["rules"], ["explain", "COO-001"]):
        assert aikg(*command, "--shapes", "own") == Outcome(
            2, "", "aikg: own: holds no rule; a rule is a folder with a rule.ttl\n"
        )
