"""The published designs: every verdict of every rule that the product has, through both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.rules.oracle import SHARED, differences, ours, rules, theirs, vectors

HERE = (SHARED / "rules" / "vectors.json").exists()
IDS = {rule.id for rule in rules()}
VECTORS = vectors() if HERE else []


def _scope(vector: dict[str, Any]) -> list[str]:
    return sorted(IDS if vector["rules"] == "*" else IDS & set(vector["rules"]))


@pytest.mark.parametrize("engine", ["setwise", "pyshacl"])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_a_published_design_gets_the_expected_verdicts(vector: dict[str, Any], engine: str, shared_dir: Path) -> None:
    scope = _scope(vector)
    mine = ours(vector["design"], scope, engine)
    expected = {(e["rule"], e["focus"]): e["verdict"] for e in vector["expected"] if e["rule"] in IDS}
    if vector["rules"] == "*":
        # A whole design lists every fail and every not_evaluated, and nothing else.
        judged = ("fail", "not_evaluated")
        mine = {key: verdict for key, verdict in mine.items() if verdict in judged}
        expected = {key: verdict for key, verdict in expected.items() if verdict in judged}
    assert differences(mine, expected) == []


def test_the_oracle_agrees_with_the_published_verdicts(shared_dir: Path) -> None:
    for vector in VECTORS[::10]:
        if vector["rules"] != "*":
            expected = {(e["rule"], e["focus"]): e["verdict"] for e in vector["expected"]}
            assert theirs(vector["design"], vector["rules"]) == expected
