"""Hypothesis strategies for random designs. Hypothesis chooses a seed, which it prints with a counterexample."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from .maker import LAYERS
from .oracle import Authoring
from .random_designs import random_design


@dataclass(frozen=True)
class SeededDesign:
    """A random design with the seed and focus that give it again."""

    seed: int
    focus: str | None
    design: Authoring

    def __repr__(self) -> str:
        return f"SeededDesign.again({self.seed}, {self.focus!r})"

    @classmethod
    def again(cls, seed: int, focus: str | None = None) -> SeededDesign:
        """The design of a seed and focus."""
        return cls(seed, focus, random_design(random.Random(seed), focus=focus))


def designs(*focus: str) -> st.SearchStrategy[SeededDesign]:
    """Random designs of every shape, or with one of the given layers rich.

    A failing example prints as `SeededDesign.again(SEED, FOCUS)`. A smaller seed is no simpler design:
    `tests.properties.compare.shrink` makes a counterexample small.

    Arguments:
        focus: layers of which one is to be rich; without any, mostly a mix of all shapes.
    """
    layers = st.sampled_from(focus) if focus else st.sampled_from((None, None, None, *LAYERS))
    seeds = st.integers(min_value=0, max_value=2**32 - 1)
    return st.builds(SeededDesign.again, seeds, layers)
