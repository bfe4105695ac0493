"""Compare rules with the published vectors, their own examples and random designs, while writing them.

    python -m tests.rules.try_rules COO [--random 300] [--engine pyshacl] [--seed 1]

Prints every difference; the first counterexample of a random run is made small.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any

from tests.rules.oracle import differences, ours, rules, theirs, vectors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefix", help="rule id or its beginning, such as COO or POW-001")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="setwise")
    parser.add_argument("--layer", default=None, help="layer that the random designs are rich in")
    arguments = parser.parse_args()
    ids = [rule.id for rule in rules() if rule.id.startswith(arguments.prefix)]
    print(f"{len(ids)} rules: {' '.join(ids)}")
    bad = 0
    count = 0
    for vector in vectors():
        scope = ids if vector["rules"] == "*" else [rule for rule in vector["rules"] if rule in ids]
        if not scope:
            continue
        count += 1
        expected = theirs(vector["design"], scope)
        found = differences(ours(vector["design"], scope, arguments.engine), expected)
        for line in found:
            print(f"{vector['id']}: {line}")
        bad += bool(found)
    print(f"{count} vectors, {bad} differ")
    if arguments.random:
        from tests.properties.random_designs import random_design

        rng = random.Random(arguments.seed)
        wrong = 0
        start = time.perf_counter()
        for number in range(arguments.random):
            design = random_design(rng, focus=arguments.layer)
            found = differences(ours(design, ids, arguments.engine), theirs(design, ids))
            if found:
                wrong += 1
                if wrong <= 3:
                    print(f"random design {number}: {found[:5]}")
                    print(_small(design, ids, arguments.engine, found[0].split()[0]))
        print(f"{arguments.random} random designs, {wrong} differ, {time.perf_counter() - start:.1f} s")
        bad += wrong
    return 1 if bad else 0


def _small(design: dict[str, Any], ids: list[str], engine: str, rule: str) -> str:
    from tests.properties.compare import shrink

    def differs(candidate: dict[str, Any]) -> bool:
        try:
            expected = theirs(candidate, [rule])
        except Exception:  # a design that the oracle cannot read is no counterexample
            return False
        return bool(differences(ours(candidate, [rule], engine), expected))

    return json.dumps(shrink(design, differs), default=str, indent=1)


if __name__ == "__main__":
    sys.exit(main())
