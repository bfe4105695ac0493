"""What the random designs reach of the oracle.

    python -m tests.properties.coverage [N] [--seed S] [--nudge M] [--focus LAYER]

Prints per rule how many pass, fail, not_evaluated and not_applicable verdicts N designs give, and in how many of M of
them a figure lies exactly on a limit of the rule: adding or taking away a hundred-millionth of it turns pass into fail
or back.
"""

from __future__ import annotations

import argparse
import copy
import random
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal as D
from typing import Any

from .damage import NUMBERS, entries
from .maker import LAYERS
from .oracle import Authoring, Verdicts, evaluate, measure, reference, rules
from .random_designs import random_design

VERDICTS = ("pass", "fail", "not_evaluated", "not_applicable")
EPSILON = D("0.00000001")

# Verdicts that the oracle never gives, or that the excluded designs would need.
_NEVER_UNKNOWN = (
    "COM-002 CAT-001 CAT-002 CAT-003 FAB-001 FAB-002 FAB-004 FAB-007 FAB-008 FAB-009 FAB-010 FAB-012 FAB-015 "
    "FAB-022 FAB-027 POW-014 POW-015 POW-018 COO-004 COO-012 SYS-003 SYS-004 SYS-005 SYS-007"
)
_ALL_DATA = [f"DAT-{number:03d}" for number in range(1, 17)]
IMPOSSIBLE = {(rule, "not_evaluated") for rule in _NEVER_UNKNOWN.split() + _ALL_DATA} | {
    ("CAT-002", "pass"),
    ("DAT-013", "fail"),
}

# Rules without a comparison of figures.
_NO_LIMIT = (
    "COM-003 COM-008 CAT-001 CAT-002 CAT-004 DAT-001 DAT-002 DAT-003 DAT-004 DAT-005 DAT-006 DAT-007 DAT-008 "
    "DAT-009 DAT-010 DAT-011 DAT-012 DAT-013 DAT-016 FAB-001 FAB-002 FAB-003 FAB-004 FAB-007 FAB-008 FAB-009 "
    "FAB-010 FAB-011 FAB-012 FAB-014 FAB-015 FAB-020 FAB-022 FAB-023 FAB-024 FAB-027 STO-004 STO-005 STO-006 "
    "STO-008 POW-014 POW-015 POW-016 POW-018 COO-002 COO-004 COO-006 COO-007 COO-008 SYS-003 SYS-004 SYS-005 "
    "SYS-006 SYS-007 SYS-008"
)
NO_LIMIT = frozenset(_NO_LIMIT.split())


def designs(number: int, seed: int, focus: str | None = None) -> Iterator[Authoring]:
    """The random designs of the seeds from `seed` on."""
    for index in range(number):
        yield random_design(random.Random(seed + index), focus=focus)


def tally(number: int, seed: int = 0, focus: str | None = None) -> Counter[tuple[str, str]]:
    """(rule, verdict) -> how often the oracle says so."""
    counts: Counter[tuple[str, str]] = Counter()
    for design in designs(number, seed, focus):
        counts.update((rule, verdict) for (rule, _), verdict in evaluate(design).items())
    return counts


def weak_spots(counts: Counter[tuple[str, str]], least: int = 20) -> list[str]:
    """The verdicts that the oracle can give and that came up less often than `least`."""
    pairs = [(rule, verdict) for rule in rules() for verdict in VERDICTS if (rule, verdict) not in IMPOSSIBLE]
    return [f"{rule} {verdict}: {counts[rule, verdict]}" for rule, verdict in pairs if counts[rule, verdict] < least]


def _with_defaults(design: Authoring) -> Authoring:
    """The same design with the parameters, and supply counts written out, so that they can be nudged."""
    full = copy.deepcopy(design)
    o = measure(full)
    single = {name: value for name, value in reference().PARAMS.items() if not isinstance(value, tuple)}
    pairs = {"storageOversubDown": 4, "storageOversubUp": 3, "inferenceOversubDown": 3, "inferenceOversubUp": 1}
    full["parameters"] = single | pairs | dict(full.get("parameters", {}))
    for node in full.get("nodes", []):
        for key, name in (("psusNeeded", "psusNeeded"), ("psusMin", "psusMin"), ("psuCount", "psus")):
            figure = o.cat(node, name)
            if key not in node and figure is not None:
                node[key] = figure
    return full


def equalities(design: Authoring) -> set[str]:
    """The rules for which some figure of the design lies exactly on the limit."""
    full = _with_defaults(design)
    base = evaluate(full)
    found: set[str] = set()
    for entry in [*entries(full), full["parameters"]]:
        keys = [key for key in entry if key in NUMBERS or entry is full["parameters"]]
        for key in keys:
            value: Any = entry[key]
            if reference().num(value) is None or key in ("suNodes", "phases", "pcieGen"):
                continue
            for step in (EPSILON, -EPSILON):
                entry[key] = D(value) + step
                found |= _flips(base, evaluate(full))
            entry[key] = value
    return found


def _flips(before: Verdicts, after: Verdicts) -> set[str]:
    decided = ("pass", "fail")
    return {
        key[0]
        for key, verdict in before.items()
        if verdict in decided and after.get(key) in decided and after[key] != verdict
    }


def main() -> int:
    """Print the table; exit code 1 where a verdict that the oracle can give is rare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nudge", type=int, default=300, help="designs that are searched for figures on a limit")
    parser.add_argument("--focus", choices=LAYERS)
    options = parser.parse_args()
    counts = tally(options.number, options.seed, options.focus)
    on_limit: Counter[str] = Counter()
    for design in designs(options.nudge, options.seed, options.focus):
        on_limit.update(equalities(design))
    print(f"{options.number} designs from seed {options.seed}; on a limit: designs out of {options.nudge}")
    print(f"{'rule':8}" + "".join(f"{verdict:>16}" for verdict in (*VERDICTS, "on a limit")))
    for rule in rules():
        cells = ["-" if (rule, verdict) in IMPOSSIBLE else str(counts[rule, verdict]) for verdict in VERDICTS]
        cells.append("" if rule in NO_LIMIT else str(on_limit[rule]))
        print(f"{rule:8}" + "".join(f"{cell:>16}" for cell in cells))
    wrong = [f"{rule} {verdict}" for rule, verdict in IMPOSSIBLE if counts[rule, verdict]]
    weak = weak_spots(counts, max(1, options.number // 150))
    print("weak:", "; ".join(weak) or "none")
    print("never on a limit:", " ".join(r for r in rules() if r not in NO_LIMIT and not on_limit[r]) or "none")
    if wrong:
        print("held to be impossible, but seen:", "; ".join(sorted(wrong)))
    return 1 if weak or wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
