"""The example designs do what their headers and the README beside them promise; the oracle is the judge."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aikg.design.read import read_design
from aikg.design.records import DesignSource
from aikg.design.write import expand_authoring
from tests.rules.oracle import Verdicts, reference, theirs

FOLDER = Path(__file__).parents[2] / "data" / "designs"
EXAMPLES = ("four-dgx-rack", "roce-inference", "su-32-dgx-h100", "su-32-dgx-h100-broken")

# Info: the founding document and NVIDIA's user guide give a DGX H100 different heights.
FIGURES_DIFFER = ("CAT-002", "dgx-h100")
FAILS: dict[str, set[tuple[str, str]]] = {
    "su-32-dgx-h100": {FIGURES_DIFFER},
    "roce-inference": set(),
    "four-dgx-rack": {FIGURES_DIFFER, ("COO-001", "rack1"), ("COO-014", "rack1")},
    "su-32-dgx-h100-broken": {
        FIGURES_DIFFER,
        *(("CAT-003", f"dgx{number:02}") for number in range(1, 33)),
        ("COM-006", "pretrain-70b"),
        ("DAT-012", "oob3"),
        ("FAB-011", "dgx12"),
        ("FAB-018", "leaf8"),
        ("FAB-020", "dgx32"),
        ("STO-006", "checkpoints"),
        ("STO-008", "lake"),
        ("STO-009", "pretrain-70b"),
        ("STO-011", "fs"),
        *((rule, node) for rule in ("POW-003", "POW-004") for node in ("dgx17", "dgx18")),
        ("POW-011", "hall-1"),
        ("POW-016", "rack09"),
        ("COO-001", "rack05"),
        ("COO-006", "rack03"),
        ("SYS-001", "design"),
        ("SYS-002", "layer:compute"),
        ("SYS-002", "layer:power"),
    },
}
# What differs between the broken unit and the passing one, cables aside: by its header, the mistakes and nothing else.
MISTAKES = {
    *(("nodes", f"dgx{number:02}") for number in range(1, 33)),
    ("workloads", "pretrain-70b"),
    ("switches", "oob3"),
    ("storage", "fs"),
    ("storage", "lake"),
    ("datasets", "checkpoints"),
    ("circuits", "circuit09b"),
    *(("ups", f"ups-{source}") for source in "abc"),
    ("racks", "rack05"),
    ("racks", "rack03"),
}


@cache
def source(name: str) -> DesignSource:
    return read_design(FOLDER / f"{name}.yaml")


@cache
def unfolded(name: str) -> Mapping[str, Any]:
    """The design in the shape of the oracle's vectors."""
    return expand_authoring(source(name))


@cache
def verdicts(name: str) -> Verdicts:
    return theirs(unfolded(name))


def with_verdict(name: str, wanted: str) -> set[tuple[str, str]]:
    return {key for key, verdict in verdicts(name).items() if verdict == wanted}


def test_every_example_is_tested_and_listed_in_the_readme() -> None:
    files = {file.stem for file in FOLDER.glob("*.yaml")}
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert files == set(EXAMPLES)
    assert all(f"({name}.yaml)" in readme for name in files)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.usefixtures("shared_dir")
def test_example_fails_where_it_says_and_nowhere_else(name: str) -> None:
    assert with_verdict(name, "fail") == FAILS[name]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.usefixtures("shared_dir")
def test_example_leaves_nothing_unevaluated(name: str) -> None:
    assert with_verdict(name, "not_evaluated") == set()


@pytest.mark.parametrize("name", ["su-32-dgx-h100", "roce-inference"])
@pytest.mark.usefixtures("shared_dir")
def test_passing_example_has_at_most_an_info(name: str) -> None:
    severities = {reference().severity(rule) for rule, _ in with_verdict(name, "fail")}
    assert severities <= {"Info"}


@pytest.mark.usefixtures("shared_dir")
def test_broken_unit_trips_every_layer() -> None:
    prefixes = {rule[:3] for rule, _ in with_verdict("su-32-dgx-h100-broken", "fail")}
    assert prefixes >= {"COM", "FAB", "STO", "POW", "COO", "SYS", "DAT", "CAT"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_header_names_every_rule_that_fails(name: str) -> None:
    header = (FOLDER / f"{name}.yaml").read_text("utf-8").split("\naikg: 1\n")[0]
    assert [rule for rule, _ in sorted(FAILS[name]) if rule not in header] == []


def test_broken_unit_differs_from_the_passing_one_only_by_its_mistakes() -> None:
    def entries(name: str) -> dict[tuple[str, str], Any]:
        records = (record for record in source(name).records if record.kind not in ("design", "links"))
        return {(record.kind, record.name): record.fields for record in records}

    right, wrong = entries("su-32-dgx-h100"), entries("su-32-dgx-h100-broken")
    assert {key for key in right.keys() | wrong.keys() if right.get(key) != wrong.get(key)} == MISTAKES


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_short_for_what_it_describes(name: str) -> None:
    """Folding is the point: a file of a hundred lines or two stands for up to a thousand components."""
    lines = (FOLDER / f"{name}.yaml").read_text("utf-8").splitlines()
    assert len(lines) <= 240
    assert max(map(len, lines)) <= 145
