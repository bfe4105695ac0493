"""Derived facts that need a walk over the cabling: shortest paths and connected groups, with rustworkx."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pyoxigraph as ox

from aikg import terms

_MEMBERS = """SELECT DISTINCT ?fabric ?device WHERE {
  ?fabric a aikg:Fabric ; aikg:role ?role .
  FILTER(?role IN ("training", "inference", "storage"))
  { ?nic aikg:fabric ?fabric . ?device aikg:nics ?nic ; a aikg:Node }
  UNION
  { ?link aikg:fabric ?fabric ; a aikg:Link ; (aikg:a|aikg:b)/aikg:device ?device }
}"""
_CABLES = """SELECT ?fabric ?from ?to WHERE {
  ?fabric a aikg:Fabric ; aikg:role ?role .
  FILTER(?role IN ("training", "inference", "storage"))
  ?link aikg:fabric ?fabric ; a aikg:Link .
  OPTIONAL { ?link aikg:a/aikg:device ?from ; aikg:b/aikg:device ?to }
}"""


def _rows(store: ox.Store, query: str) -> list[tuple[str | None, ...]]:
    """The rows of a SELECT as IRIs."""
    found = store.query(terms.SPARQL_PROLOGUE + query, use_default_graph_as_union=True)
    assert isinstance(found, ox.QuerySolutions)
    return [tuple(None if term is None else str(term.value) for term in row) for row in found]


def connected_groups(store: ox.Store) -> bytes:
    """Into how many connected groups each data fabric falls, and what lies outside its largest one.

    Members are the nodes with an adapter in the fabric and every device at an end of its links. A fabric with one
    member, or without links, has no groups.
    """
    import rustworkx

    members: dict[str, list[str]] = {}
    for fabric, device in _rows(store, _MEMBERS):
        if fabric is not None and device is not None:
            members.setdefault(fabric, []).append(device)
    cables: dict[str, list[tuple[str, str]]] = {}
    for fabric, start, end in _rows(store, _CABLES):
        if fabric is not None:
            own = cables.setdefault(fabric, [])
            if start is not None and end is not None:
                own.append((start, end))
    lines: list[str] = []
    for fabric, devices in sorted(members.items()):
        if len(devices) < 2:
            continue
        lines.append(f"<{fabric}> <{terms.RDF_TYPE}> <{terms.AIKG}JoinedFabric> .\n")
        if fabric not in cables:
            continue
        graph = rustworkx.PyGraph(multigraph=False)
        index = dict(zip(devices, graph.add_nodes_from(devices), strict=True))
        graph.add_edges_from_no_data([(index[start], index[end]) for start, end in cables[fabric]])
        groups = rustworkx.connected_components(graph)
        lines.append(f'<{fabric}> <{terms.AIKG}fabricGroups> "{len(groups)}"^^<{terms.XSD}integer> .\n')
        # The largest group stays; of equal ones the first by name.
        main = max(groups, key=lambda group: (len(group), -min(group)))
        outside = sorted(graph[node] for group in groups if group is not main for node in group)
        lines += [f"<{fabric}> <{terms.AIKG}outsideMainGroup> <{device}> .\n" for device in outside]
    return "".join(lines).encode()


_CHECKPOINTS = """SELECT ?storage WHERE {
  ?storage a aikg:StorageSystem ; aikg:uses "checkpoint" .
  ?design a aikg:TrainingDesign .
}"""
_FORWARDING = """SELECT ?from ?to WHERE {
  ?link aikg:a ?near ; aikg:b ?far ; a aikg:Link .
  ?near aikg:device ?from .
  ?far aikg:device ?to .
  FILTER NOT EXISTS { ?near aikg:kind "mgmt" }
  FILTER NOT EXISTS { ?far aikg:kind "mgmt" }
  FILTER NOT EXISTS { ?link aikg:linkRole "oob" }
}"""


def checkpoint_hops(store: ox.Store) -> bytes:
    """The training nodes that lie too many switches away from checkpoint storage, or are not reached at all.

    Only switches forward, so the number of switches on a shortest path is its number of links less one.
    """
    systems = [row[0] for row in _rows(store, _CHECKPOINTS)]
    if not systems:
        return b""
    lines = [f"<{system}> <{terms.RDF_TYPE}> <{terms.AIKG}HopJudgedStorage> .\n" for system in systems]
    if not _rows(store, "SELECT ?link WHERE { ?link a aikg:Link } LIMIT 1"):
        return "".join(lines).encode()
    switches = {row[0] for row in _rows(store, "SELECT ?switch WHERE { ?switch a aikg:Switch }")}
    nodes = [row[0] for row in _rows(store, "SELECT ?node WHERE { ?node a aikg:TrainingNode }")]
    (limit,) = _rows(store, "SELECT ?most WHERE { ?design a aikg:Design ; aikg:maxCheckpointHops ?most }")[0]
    assert limit is not None  # every parameter has a default
    most = Decimal(limit)
    near: dict[str | None, set[str | None]] = {}
    for start, end in _rows(store, _FORWARDING):
        near.setdefault(start, set()).add(end)
        near.setdefault(end, set()).add(start)
    for system in systems:
        hops: dict[str | None, int] = {system: 0}
        edge = [system]
        while edge:
            following = []
            for device in edge:
                if device != system and device not in switches:
                    continue
                for other in near.get(device, ()):
                    if other not in hops:
                        hops[other] = hops[device] + (device in switches)
                        following.append(other)
            edge = following
        lines.append(f'<{system}> <{terms.AIKG}hopsKnown> "true"^^<{terms.XSD}boolean> .\n')
        far = [node for node in nodes if node not in hops or hops[node] > most]
        lines += [f"<{system}> <{terms.AIKG}farNode> <{node}> .\n" for node in far]
    return "".join(lines).encode()


# (name that places the step among the .rq files, function from the store to N-Triples of the derived graph)
STEPS: list[tuple[str, Callable[[ox.Store], bytes]]] = [
    ("39z-connected-groups", connected_groups),
    ("58z-checkpoint-hops", checkpoint_hops),
]
