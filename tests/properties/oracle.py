"""The plain-Python oracle of the rules, loaded from the shared folder by path (never copied)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

REFERENCE = Path(__file__).resolve().parents[2].parent / "shared" / "rules" / "reference.py"

Authoring = dict[str, Any]
Verdicts = dict[tuple[str, str], str]

# The oracle keeps an oversubscription as a pair, the product as two parameters: name of the pair -> (down, up).
_PAIRS = {
    "storageOversub": ("storageOversubDown", "storageOversubUp"),
    "inferenceOversub": ("inferenceOversubDown", "inferenceOversubUp"),
}


@lru_cache(maxsize=1)
def reference() -> ModuleType:
    """The oracle's module."""
    spec = importlib.util.spec_from_file_location("aikg_reference_oracle", REFERENCE)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(REFERENCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _pairs_of(design: Authoring) -> Iterator[Authoring]:
    """The design as the oracle reads it: the halves of an oversubscription are put into the oracle's own defaults.

    The oracle raises where a design replaces one of its pairs.
    """
    given: dict[str, Any] = design.get("parameters", {})
    if not any(half in given for halves in _PAIRS.values() for half in halves):
        yield design
        return
    defaults = reference().PARAMS
    before, parameters = dict(defaults), dict(given)
    for pair, halves in _PAIRS.items():
        defaults[pair] = tuple(parameters.pop(half, value) for half, value in zip(halves, before[pair], strict=True))
    try:
        yield {**design, "parameters": parameters}
    finally:
        defaults.update(before)


def evaluate(design: Authoring) -> Verdicts:
    """All verdicts of the oracle: (rule, focus) -> pass, fail, not_evaluated, not_applicable."""
    with _pairs_of(design) as read:
        verdicts: Verdicts = reference().evaluate(read)
    return verdicts


def measure(design: Authoring) -> Any:
    """The oracle's `Design`, whose helpers give the sums and effective figures of a design."""
    with _pairs_of(design) as read:
        return reference().Design(read)


def rules() -> list[str]:
    """The ids of the 110 rules."""
    return list(reference().RULES)
