"""The catalogue as records: platforms, fabrics, storage, power, cooling; each figure with both values and sources."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from aikg import terms
from aikg.errors import InputError
from aikg.knowledge import knowledge_store

_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_LABEL = ox.NamedNode(terms.RDFS + "label")
_NOTE = ox.NamedNode(terms.SKOS + "note")
_TYPE = ox.NamedNode(terms.RDF_TYPE)


@dataclass(frozen=True, slots=True)
class Figure:
    """What the catalogue says of one property of one item.

    Attributes:
        key: local name of the property, such as "maxPowerKw".
        unit: unit of the values, or "".
        seed: values of the founding document; none where it says nothing.
        seed_source: place in the founding document, or "".
        vendor: values that the vendor published; none where it published none.
        vendor_source: document and section, or "".
        remark: what the vendor states where it gives no value, or "".
        open_ended: whether the values are lower bounds: "100+".
    """

    key: str
    unit: str
    seed: tuple[str, ...]
    seed_source: str
    vendor: tuple[str, ...]
    vendor_source: str
    remark: str
    open_ended: bool

    @property
    def differs(self) -> bool:
        """Whether both give values, and not the same."""
        return bool(self.seed and self.vendor) and self.seed != self.vendor


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the catalogue.

    Attributes:
        id: what a design writes, such as "dgx-h100".
        label: its name in the trade.
        kind: what it is, in words: "server platform".
        notes: remarks.
        figures: by key.
    """

    id: str
    label: str
    kind: str
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]


def load_catalogue() -> list[Item]:
    """All items, ordered by kind and id."""
    store = knowledge_store()
    catalogue, fact = ox.NamedNode(terms.GRAPH_CATALOGUE), ox.NamedNode(terms.AIKG + "fact")
    items = {quad.subject for quad in store.quads_for_pattern(None, fact, None, catalogue)}
    found = [_item(store, item) for item in items if isinstance(item, ox.NamedNode)]
    return sorted(found, key=lambda item: (item.kind, item.id))


def find_item(name: str) -> Item:
    """The item with that id.

    Raises:
        InputError: there is none; the message suggests the closest.
    """
    items = {item.id.lower(): item for item in load_catalogue()}
    if name.lower() in items:
        return items[name.lower()]
    close = difflib.get_close_matches(name.lower(), items, 1, 0.5)
    hint = f"; did you mean '{items[close[0]].id}'?" if close else ""
    raise InputError(f"the catalogue has no '{name}'{hint} (`aikg catalogue` lists all)")


def _objects(store: ox.Store, subject: ox.NamedNode | ox.BlankNode, predicate: ox.NamedNode) -> list[_Term]:
    return [quad.object for quad in store.quads_for_pattern(subject, predicate, None, None)]


def _item(store: ox.Store, item: ox.NamedNode) -> Item:
    names = _texts(_objects(store, item, _LABEL))
    kinds = [
        label
        for kind in _objects(store, item, _TYPE)
        if isinstance(kind, ox.NamedNode)
        for label in _texts(_objects(store, kind, _LABEL)) or (_shown(kind),)
    ]
    facts = _objects(store, item, ox.NamedNode(terms.AIKG + "fact"))
    figures = [_figure(store, node) for node in facts if isinstance(node, ox.BlankNode | ox.NamedNode)]
    return Item(
        id=_shown(item),
        label=names[0] if names else _shown(item),
        kind=", ".join(sorted(kinds)),
        notes=_texts(_objects(store, item, _NOTE)),
        figures=tuple(sorted(figures, key=lambda figure: figure.key)),
    )


def _figure(store: ox.Store, node: ox.NamedNode | ox.BlankNode) -> Figure:
    def values(name: str) -> tuple[str, ...]:
        return _texts(_objects(store, node, ox.NamedNode(terms.AIKG + name)))

    properties = _objects(store, node, ox.NamedNode(terms.AIKG + "ofProperty"))
    prop = next((term for term in properties if isinstance(term, ox.NamedNode)), None)
    units = _texts(_objects(store, prop, ox.NamedNode(terms.AIKG + "unit"))) if prop else ()
    return Figure(
        key=_shown(prop) if prop else "",
        unit=units[0] if units and units[0] != "1" else "",
        seed=values("seedValue"),
        seed_source="; ".join(values("seedSource")),
        vendor=values("vendorValue"),
        vendor_source="; ".join(values("vendorSource")),
        remark="; ".join(values("vendorStates")),
        open_ended=values("openEnded") == ("true",),
    )


def _texts(found: Iterable[_Term]) -> tuple[str, ...]:
    return tuple(sorted(_shown(term) for term in found))


def _shown(term: _Term) -> str:
    if isinstance(term, ox.NamedNode):
        return terms.name_of(term.value, "\0")
    return term.value if isinstance(term, ox.Literal) else str(term)
