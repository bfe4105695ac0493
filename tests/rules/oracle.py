"""The independent oracle and the product, asked the same question in the same shape."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from aikg.checking import infer
from aikg.design.model import Design
from aikg.design.read import read_mapping
from aikg.rulebook import Rule, load_rules
from aikg.validate.verdicts import NOT_APPLICABLE, evaluate, worst

SHARED = Path(__file__).parents[2].parent / "shared"
Verdicts = dict[tuple[str, str], str]


@cache
def reference() -> ModuleType:
    """The oracle, loaded by path: it is no part of the product."""
    spec = importlib.util.spec_from_file_location("reference", SHARED / "rules" / "reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def vectors() -> list[dict[str, Any]]:
    """The published designs with their expected verdicts, numbers as decimals."""
    text = (SHARED / "rules" / "vectors.json").read_text("utf-8")
    found: list[dict[str, Any]] = json.loads(text, parse_float=Decimal)["vectors"]
    return found


@cache
def rules() -> tuple[Rule, ...]:
    """All rules of the product."""
    return tuple(load_rules())


def ours(mapping: Mapping[str, Any], rule_ids: Sequence[str] | None = None, engine: str = "setwise") -> Verdicts:
    """The product's verdicts of a design, in the oracle's form: (rule, focus) -> verdict."""
    design = Design(read_mapping(dict(mapping), "design"))
    infer(design)
    chosen = [rule for rule in rules() if rule_ids is None or rule.id in rule_ids]
    return verdicts_of(design, chosen, engine)


def verdicts_of(design: Design, chosen: Sequence[Rule], engine: str = "setwise") -> Verdicts:
    """(rule, focus name) -> verdict for a design with derived facts."""
    found: Verdicts = {}
    for outcome in evaluate(design.store, chosen, engine):
        if not outcome.verdicts:
            found[(outcome.rule.id, "design")] = NOT_APPLICABLE
        for focus, verdict in outcome.verdicts.items():
            key = (outcome.rule.id, design.name_of(focus))
            found[key] = worst((verdict, found[key])) if key in found else verdict
    return found


def theirs(mapping: Mapping[str, Any], rule_ids: Sequence[str] | None = None) -> Verdicts:
    """The oracle's verdicts of a design."""
    verdicts: Verdicts = reference().evaluate(mapping)
    return {key: verdict for key, verdict in verdicts.items() if rule_ids is None or key[0] in rule_ids}


def differences(mine: Verdicts, expected: Verdicts) -> list[str]:
    """Where two sets of verdicts differ, a line each."""
    return [
        f"{rule} {focus}: {mine.get((rule, focus), '-')} instead of {expected.get((rule, focus), '-')}"
        for rule, focus in sorted(mine.keys() | expected.keys())
        if mine.get((rule, focus)) != expected.get((rule, focus))
    ]
