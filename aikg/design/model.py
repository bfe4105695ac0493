"""A design as an object: its graph, its names, and where each fact was written."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from aikg import terms
from aikg.design.graph import to_ntriples
from aikg.design.records import DesignSource, Origin, Path, Record
from aikg.errors import InputError
from aikg.knowledge import knowledge_store

if TYPE_CHECKING:
    import rdflib

_DESIGN = ox.NamedNode(terms.GRAPH_DESIGN)
QueryResult = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


class Design:
    """One design: the graphs design, catalogue and ontology, and derived once `aikg.derive.derive` has run.

    Attributes:
        source: the records as read.
        base: IRI of the design; component names are appended to it.
        store: the Oxigraph store with one named graph each for design, derived, catalogue and ontology.
        inferred: whether the derived facts are there.
    """

    def __init__(self, source: DesignSource) -> None:
        self.source = source
        self.base = terms.design_base(source.name)
        text, self._places = to_ntriples(source)
        self.store = knowledge_store()
        self.store.bulk_load(text, format=ox.RdfFormat.N_TRIPLES, to_graph=_DESIGN)
        self.inferred = False

    @property
    def name(self) -> str:
        """The design's name."""
        return self.source.name

    @property
    def files(self) -> list[str]:
        """The files that the design was read from, as the user named them."""
        return self.source.files

    def query(self, sparql: str) -> QueryResult:
        """The result of a SPARQL 1.1 query over design, derived facts, catalogue and ontology.

        Arguments:
            sparql: a SELECT, ASK, CONSTRUCT or DESCRIBE; the prefixes of `aikg.terms.PREFIXES` need not be declared.

        Raises:
            InputError: the query does not parse.
        """
        try:
            return self.store.query(sparql, prefixes=terms.PREFIXES, use_default_graph_as_union=True)
        except SyntaxError as error:
            raise InputError(f"the query does not parse: {error}") from None

    def to_rdflib(self, *, derived: bool = True) -> rdflib.Graph:
        """The design's own facts, and the derived ones, as an rdflib graph (a copy).

        Arguments:
            derived: whether to include derived facts.
        """
        from rdflib import Graph

        graph = Graph()
        for prefix, iri in terms.PREFIXES.items():
            graph.bind(prefix, iri)
        graph.parse(data=self.to_ntriples(derived=derived), format="nt")
        return graph

    def to_ntriples(self, *, derived: bool = False) -> bytes:
        """The design's facts, and the derived ones if asked for, as sorted N-Triples."""
        graphs = [terms.GRAPH_DESIGN, *([terms.GRAPH_DERIVED] if derived else [])]
        lines: set[bytes] = set()
        for graph in graphs:
            text = self.store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.NamedNode(graph))
            lines.update((text or b"").splitlines())
        return b"".join(line + b"\n" for line in sorted(lines))

    def name_of(self, iri: str) -> str:
        """The name of a component as the designer wrote it."""
        return terms.name_of(iri, self.base)

    def record_of(self, iri: str) -> tuple[Record, Path] | None:
        """The record that a component was written in, and the path to it inside the record."""
        return self._places.get(iri)

    def origin(self, iri: str, key: str | None = None) -> Origin | None:
        """Where a component, or its value for an authoring key, was written.

        Arguments:
            iri: IRI of a component, NIC, supply, link end ...
            key: authoring key such as "maxPowerKw"; None for the component itself.

        Returns:
            the place of the value; of the component where it has no such key; None for what no file holds.
        """
        place = self._places.get(iri)
        if place is None:
            # A port, or a layer, has no entry of its own: the device or the design has.
            for cut in (f"/{terms.PORT_SEGMENT}/", "#"):
                owner = self._places.get(iri.split(cut, 1)[0]) if cut in iri else None
                if owner is not None:
                    return owner[0].where(owner[1])
            return None
        record, path = place
        return record.where((*path, key) if key else path)

    def as_written(self, iri: str, key: str) -> str | None:
        """The text of a value that could not be read as what `key` expects, else None."""
        from aikg.design.records import IllTyped

        place = self._places.get(iri)
        if place is None:
            return None
        value: Any = place[0].fields
        for step in (*place[1], key):
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value.as_written if isinstance(value, IllTyped) else None

    def __repr__(self) -> str:
        return f"<aikg.Design {self.name!r}: {len(self.source.records) - 1} components>"


def load_design(path: FilePath | str) -> Design:
    """The design in a file, without derived facts.

    Raises:
        InputError: the file cannot be read as a design.
    """
    from aikg.design.read import read_design

    return Design(read_design(path))
