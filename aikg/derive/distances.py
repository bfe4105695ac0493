"""Derived facts that need a walk over the cabling: shortest paths and connected groups, with rustworkx."""

from __future__ import annotations

from collections.abc import Callable

import pyoxigraph as ox

# (name that places the step among the .rq files, function from the store to N-Triples of the derived graph)
STEPS: list[tuple[str, Callable[[ox.Store], bytes]]] = []
