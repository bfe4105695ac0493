"""Random designs: the product and the independent oracle say the same of every rule and focus."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.properties.random_designs import random_design
from tests.rules.oracle import differences, ours, rules, theirs

SEEDS = range(20)
PER_SEED = 10


@pytest.mark.parametrize("seed", SEEDS)
def test_random_designs_get_the_verdicts_of_the_oracle(seed: int, shared_dir: Path) -> None:
    ids = [rule.id for rule in rules()]
    rng = random.Random(seed)
    for number in range(PER_SEED):
        design = random_design(rng)
        found = differences(ours(design, ids), theirs(design, ids))
        assert found == [], f"seed {seed}, design {number}"
