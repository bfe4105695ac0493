"""`aikg rules`, `aikg explain` and `aikg catalogue`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from aikg.rulebook import load_rules
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]


def test_all_rules_are_listed(aikg: Run) -> None:
    outcome = aikg("rules")
    for rule in load_rules():
        assert f"{rule.id}  {rule.severity.lower()}" in outcome.out


def test_rules_of_one_layer(aikg: Run) -> None:
    listed = json.loads(aikg("rules", "--layer", "cooling", "--format", "json").out)
    assert [rule["id"] for rule in listed] == sorted(rule.id for rule in load_rules() if rule.layer == "cooling")
    assert listed[0]["statement"]


@pytest.mark.parametrize("rule", [rule.id for rule in load_rules()])
def test_every_rule_is_explained(aikg: Run, rule: str) -> None:
    text = aikg("explain", rule.lower()).out
    found = next(r for r in load_rules() if r.id == rule)
    assert text.startswith(f"{rule}  ")
    for label in ("Holds", "Formula", "Boundary", "Why", "Source", "Needs", "Parameters", "Fix"):
        assert f"\n{label:12}" in text
    for example in ("pass.yaml", "fail.yaml"):
        assert (found.folder / example).name in text
        first = (found.folder / example).read_text("utf-8").splitlines()[0]
        assert f"  {first}" in text


def test_the_catalogue_lists_and_shows_items(aikg: Run) -> None:
    assert "dgx-h100" in aikg("catalogue").out
    text = aikg("catalogue", "DGX-H100").out
    assert "rackUnits  in U; the two differ" in text
    assert "seed    6 (Founding document, S17)" in text
    shown = json.loads(aikg("catalogue", "dgx-h100", "--format", "json").out)
    power = next(figure for figure in shown["figures"] if figure["key"] == "maxPowerKw")
    assert power["seed"] == power["vendor"] == ["10.2"]


def test_open_ended_figures_say_so(aikg: Run) -> None:
    assert "100+" in aikg("catalogue", "immersion").out
