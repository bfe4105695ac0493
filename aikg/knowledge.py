"""Where the knowledge lies (ontology, catalogue, rules) and how it is loaded."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pyoxigraph as ox

from aikg import terms


@cache
def data_root() -> Path:
    """The folder that holds `ontology/`, `shapes/` and `data/`: inside an installed wheel, else the checkout."""
    packaged = Path(__file__).parent / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent


def ontology_files() -> list[Path]:
    """The Turtle files of the ontology, derived terms included, in a fixed order."""
    root = data_root() / "ontology"
    return sorted(root.glob("*.ttl")) + sorted((root / "derived").glob("*.ttl"))


def catalogue_files() -> list[Path]:
    """The Turtle files of the catalogue, in a fixed order."""
    return sorted((data_root() / "data" / "catalogue").glob("*.ttl"))


@cache
def _knowledge_text() -> bytes:
    """Ontology and catalogue as N-Quads: parsed from Turtle once, loaded for every design."""
    store = ox.Store()
    for graph, files in ((terms.GRAPH_ONTOLOGY, ontology_files()), (terms.GRAPH_CATALOGUE, catalogue_files())):
        for file in files:
            store.load(path=str(file), format=ox.RdfFormat.TURTLE, to_graph=ox.NamedNode(graph))
    return store.dump(format=ox.RdfFormat.N_QUADS) or b""


def knowledge_store() -> ox.Store:
    """A new store that holds ontology and catalogue, each in its named graph."""
    store = ox.Store()
    store.load(_knowledge_text(), format=ox.RdfFormat.N_QUADS)
    return store
