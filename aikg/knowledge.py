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
    _name_facts(store)
    return store.dump(format=ox.RdfFormat.N_QUADS) or b""


def _name_facts(store: ox.Store) -> None:
    """Give every fact of the catalogue an IRI, ITEM#PROPERTY: derived facts speak of them, and a blank node would get
    a new label whenever a derived graph is written and read."""
    of_property = ox.NamedNode(terms.AIKG + "ofProperty")
    for link in list(store.quads_for_pattern(None, ox.NamedNode(terms.AIKG + "fact"), None)):
        if not isinstance(link.object, ox.BlankNode) or not isinstance(link.subject, ox.NamedNode):
            continue
        facts = list(store.quads_for_pattern(link.object, None, None))
        key = next(str(q.object).strip("<>").rsplit("#", 1)[-1] for q in facts if q.predicate == of_property)
        name = ox.NamedNode(f"{link.subject.value}#{key}")
        store.remove(link)
        store.add(ox.Quad(link.subject, link.predicate, name, link.graph_name))
        for quad in facts:
            store.remove(quad)
            store.add(ox.Quad(name, quad.predicate, quad.object, quad.graph_name))


def knowledge_store() -> ox.Store:
    """A new store that holds ontology and catalogue, each in its named graph."""
    store = ox.Store()
    store.load(_knowledge_text(), format=ox.RdfFormat.N_QUADS)
    return store
