"""What the builders share: the random source, the design being built and small choices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal as D
from fractions import Fraction
from typing import Any, TypeVar

from .oracle import Authoring

T = TypeVar("T")
Entry = dict[str, Any]
Number = int | D

LAYERS = ("compute", "fabric", "storage", "power", "cooling", "system", "data")
KW: tuple[Number, ...] = (
    1, 2, 3, 5, 6, 10, 15, 20, D("0.1"), D("0.2"), D("0.5"), D("1.1"), D("2.2"), D("3.3"), D("3.4"), D("5.9"),
    D("6.9"), D("7.5"), D("9.9"), D("10.2"), D("10.2"), D("12.5"), D("14.9"), D("15.0"), D("20.4"),
)  # fmt: skip


def tidy(value: D) -> Number:
    """A whole number as int, as JSON has it; anything else as it is."""
    return int(value) if value == value.to_integral_value() else value


def exact(value: Fraction | D | int, places: int = 7) -> Number | None:
    """The number as a decimal, or None where it needs more than `places` decimals (thirds)."""
    scaled = Fraction(value) * 10**places
    return tidy(D(scaled.numerator).scaleb(-places).normalize()) if scaled.denominator == 1 else None


@dataclass(slots=True)
class Maker:
    """A design in the making.

    Attributes:
        rng: source of every choice.
        size: layer -> 0 (absent), 1 (thin) or 2 (rich).
        good: probability that a figure is present and sensible.
        design: what was built so far.
    """

    rng: random.Random
    size: dict[str, int]
    good: float
    design: Authoring = field(default_factory=dict)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.rng.random() < probability

    def fine(self) -> bool:
        """True where this figure is to be present and sensible."""
        return self.chance(self.good)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.rng.choice(options)

    def figure(self, *options: Number) -> Number:
        """One of the numbers."""
        return self.rng.choice(options)

    def among(self, **weights: float) -> str:
        """One of the keywords, by weight; `_` in a keyword stands for `-`."""
        return self.rng.choices(list(weights), list(weights.values()))[0].replace("_", "-")

    def count(self, low: int, high: int) -> int:
        """A whole number of the closed range."""
        return self.rng.randint(low, high)

    def put(self, entry: Entry, key: str, value: object, probability: float | None = None) -> None:
        """Write a key with the given probability (of `good` where none is given); None is never written."""
        if value is not None and self.chance(self.good if probability is None else probability):
            entry[key] = value

    def items(self, collection: str) -> list[Entry]:
        """The entries of a collection, which is created only by `add`."""
        entries: list[Entry] = self.design.get(collection, [])
        return entries

    def add(self, collection: str, entry: Entry) -> Entry:
        """Append an entry to a collection."""
        self.design.setdefault(collection, []).append(entry)
        return entry

    def ids(self, collection: str) -> list[str]:
        """The ids of a collection."""
        return [entry["id"] for entry in self.items(collection)]

    def some_id(self, *collections: str) -> str | None:
        """An id of one of the collections, or None where they are empty."""
        names = [name for collection in collections for name in self.ids(collection)]
        return self.pick(names) if names else None

    def devices(self) -> list[Entry]:
        """Nodes, switches and storage systems."""
        return self.items("nodes") + self.items("switches") + self.items("storage")

    def near(self, value: Number | None, *steps: str) -> Number | None:
        """The value itself (half of the time), or one step above or below it; the steps are powers such as "0.1"."""
        if value is None:
            return None
        step = D(self.pick(steps or ("0.1", "0.01", "0.000001")))
        sign = self.pick((0, 0, 0, 1, -1, -1))
        return tidy(D(value) + sign * step)
