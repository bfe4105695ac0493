"""Facts that follow from a design: set-based CONSTRUCTs in `rules/`, in the order of their names, and graph walks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyoxigraph as ox

from aikg import terms

_DERIVED = ox.NamedNode(terms.GRAPH_DERIVED)

# Steps that SPARQL cannot do set-wise, by the name of the file after which they would sort.
Step = Callable[[ox.Store], bytes]


@cache
def _queries() -> list[tuple[str, str]]:
    folder = Path(__file__).parent / "rules"
    return [(path.stem, terms.SPARQL_PROLOGUE + path.read_text("utf-8")) for path in sorted(folder.glob("*.rq"))]


def _graph_steps() -> list[tuple[str, Step]]:
    from aikg.derive import distances

    return distances.STEPS


def derive(store: ox.Store) -> None:
    """Write all derived facts of the design in `store` to the graph `derived`, replacing what was there.

    Arguments:
        store: holds the graphs design, catalogue and ontology.
    """
    store.clear_graph(_DERIVED)
    steps: list[tuple[str, str | Step]] = [*_queries(), *_graph_steps()]
    for _, step in sorted(steps, key=lambda pair: pair[0]):
        if callable(step):
            text = step(store)
        else:
            triples = store.query(step, use_default_graph_as_union=True)
            assert isinstance(triples, ox.QueryTriples)
            text = triples.serialize(format=ox.RdfFormat.N_TRIPLES) or b""
        if text:
            store.load(text, format=ox.RdfFormat.N_TRIPLES, to_graph=_DERIVED)
