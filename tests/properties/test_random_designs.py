"""The random designs themselves: reproducible, reaching every verdict, and safe for the oracle."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings

from .compare import Difference, compare, shrink, to_json
from .coverage import IMPOSSIBLE, equalities, tally, weak_spots
from .damage import COLLECTIONS
from .maker import LAYERS
from .oracle import Authoring, Verdicts, evaluate, reference, rules
from .random_designs import random_design
from .strategies import SeededDesign, designs


def test_equal_seeds_give_equal_designs() -> None:
    for seed in range(20):
        assert to_json(random_design(random.Random(seed))) == to_json(random_design(random.Random(seed)))


def test_every_verdict_is_reached() -> None:
    counts = tally(600)
    assert weak_spots(counts, least=1) == []
    assert [pair for pair in sorted(IMPOSSIBLE) if counts[pair]] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_focus(layer: str) -> None:
    for seed in range(50):
        evaluate(random_design(random.Random(seed), focus=layer))


@settings(max_examples=100, deadline=None)
@given(designs())
def test_ids_are_unique(seeded: SeededDesign) -> None:
    design = seeded.design
    used = Counter(entry["id"] for name in COLLECTIONS for entry in design.get(name, []))
    used.update([design["site"]["id"]] if "site" in design else [])
    assert not [name for name, number in used.items() if number > 1]
    for device in [entry for name in COLLECTIONS for entry in design.get(name, [])]:
        for inner in ("nics", "psus"):
            names = [entry["id"] for entry in device.get(inner, [])]
            assert len(names) == len(set(names))


def test_figures_lie_on_limits() -> None:
    found = Counter(rule for seed in range(60) for rule in equalities(random_design(random.Random(seed))))
    assert len(found) > 30


def test_pairs_of_parameters_reach_the_oracle() -> None:
    design: Authoring = {"parameters": {"storageOversubDown": 2}}
    before = dict(reference().PARAMS)
    assert evaluate(design)[("FAB-019", "design")] == "not_applicable"
    assert before == reference().PARAMS


def _blind(design: Authoring) -> Verdicts:
    """The oracle, but it never reports a rack that is too hot."""
    return {
        key: "pass" if key[0] == "COO-001" and verdict == "fail" else verdict
        for key, verdict in evaluate(design).items()
    }


def test_compare_and_shrink() -> None:
    design = next(
        d for d in (random_design(random.Random(s), focus="cooling") for s in range(100)) if compare(d, _blind)
    )
    small = shrink(design, lambda d: bool(compare(d, _blind)))
    (difference,) = compare(small, _blind)
    assert difference == Difference("COO-001", difference.focus, "fail", "pass")
    assert set(small) <= {"racks", "nodes", "switches", "storage", "profile"}
    assert len(to_json(small)) < 300
    assert len(rules()) == 110
