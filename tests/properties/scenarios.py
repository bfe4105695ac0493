"""Constructs that random choices hardly reach: phase balance, hop chains, breakout, equal pods, shared switches."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal as D

from .build_compute import place
from .maker import Entry, Maker, Number


def phase_balance(m: Maker) -> None:
    """A three-phase circuit on, just below and just above the imbalance that counts."""
    tag = f"ph{len(m.items('circuits'))}"
    rack = m.some_id("racks") or "r1"
    circuit: Entry = {"id": f"c-{tag}", "phases": 3, "volts": 415, "amps": 100, "source": "A", "outletVolts": 240}
    m.add("circuits", circuit)
    m.add("pdus", {"id": f"p-{tag}", "circuit": circuit["id"], "rack": rack, "ratedKw": 40, "ratedAmps": 100})
    base = m.figure(1, 1, 1, 2, D("0.5"))
    small = base + m.figure(0, D("0.01"), D("-0.01"), D("0.1"))
    shapes: tuple[dict[str, tuple[Number, ...]], ...] = (
        {"L1": (10, 1), "L2": (10,), "L3": (9,)},  # exactly 10 % over the mean
        {"L1": (10, small), "L2": (10,), "L3": (9,)},
        {"L1": (10, small), "L2": (10,), "L3": (9,)},
        {"L1": (10, small), "L2": (10,), "L3": (10,)},  # moving the small one swaps the two phases
        {"L1": (6, 6), "L2": (10,), "L3": (10,)},
        {"L1-L2": (11,), "L2-L3": (10, small), "L3-L1": (9,)},
        {"L1": (5, 5), "L2": (5, 5), "L3": (5,)},
        {"L1": (0,), "L2": (0,)},
        {"L1": (3, 3, 3), "L2": (3,), "L3": (3, 3)},
    )
    index = 0
    for phase, loads in m.pick(shapes).items():
        for load in loads:
            device: Entry = {"id": f"sx{tag}{index}", "maxPowerKw": load, "rack": rack}
            supply: Entry = {"id": "u0", "pdu": f"p-{tag}"}
            m.put(supply, "phase", phase)
            device["psus"] = [supply]
            m.add("switches" if m.chance(0.5) else "storage", device)
            index += 1


def hop_chain(m: Maker) -> None:
    """Checkpoint storage one to four switches away from a training node, with a management short cut or not."""
    hops = m.pick((1, 2, 3, 3, 4, 4))
    fabric = next((f["id"] for f in m.items("fabrics") if f.get("role") == "storage"), None)
    oob = next((f["id"] for f in m.items("fabrics") if f.get("role") == "oob"), None)
    base = len(m.items("links"))
    store: Entry = {"id": "ck", "tier": m.pick(("hot", "warm")), "technology": "weka", "uses": ["checkpoint"]}
    store |= {"media": "nvme", "readGBps": 100, "writeGBps": 50}
    m.add("storage", store)
    chain = ["ck", *(f"hop{index}" for index in range(hops))]
    for name in chain[1:]:
        m.add("switches", {"id": name, "fabrics": [fabric] if fabric else []})
    nodes = [node["id"] for node in m.items("nodes") if node.get("role") in ("training", "both")]
    ends = [(chain[index], chain[index + 1]) for index in range(hops)]
    ends += [(node, chain[m.pick((-1, -1, -1, 0, 1))]) for node in nodes if m.chance(0.97)]
    for index, (one, other) in enumerate(ends):
        link: Entry = {
            "id": f"h{base + index}",
            "a": {"device": one, "port": "h"},
            "b": {"device": other, "port": f"h{index}"},
        }
        link["speedGbps"] = 400
        m.put(link, "fabric", fabric)
        m.add("links", link)
    if m.chance(0.5):  # short cuts that must not count, or that do
        kind, role = m.pick((("mgmt", fabric), (None, oob), (None, fabric)))
        for index, node in enumerate(nodes):
            short: Entry = {"id": f"m{base}{index}", "a": {"device": "ck", "port": "m"}, "speedGbps": 1}
            short["b"] = {"device": node, "port": "m"}
            if kind:
                m.pick((short["a"], short["b"]))["kind"] = kind
            m.put(short, "fabric", role)
            m.add("links", short)


def breakout(m: Maker) -> None:
    """A switch port that is broken out into lanes, some of them used twice."""
    switch = m.pick(m.items("switches") or [m.add("switches", {"id": "swb", "portCount": 4, "portSpeedGbps": 400})])
    m.put(switch, "maxBreakout", m.pick((1, 2, 3, 4)))
    lanes = m.pick(((0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 0), (0, None), (1, None, None), (0,), (None, None)))
    speed = m.pick((100, 200, 200, 400, 133))
    fabric = (switch.get("fabrics") or [None])[0]
    base = len(m.items("links"))
    for index, lane in enumerate(lanes):
        end: Entry = {"device": switch["id"], "port": "b1"}
        if lane is not None:
            end["lane"] = lane
        m.put(end, "speedGbps", speed, 0.8)
        other: Entry = {"device": m.pick([d["id"] for d in m.devices()]), "port": f"x{index}"}
        m.put(other, "speedGbps", speed, 0.5)
        link: Entry = {"id": f"b{base + index}", "a": end, "b": other}
        m.put(link, "speedGbps", speed)
        m.put(link, "fabric", fabric)
        m.add("links", link)


def leaf_spine(m: Maker) -> None:
    """A leaf with cables down and up whose ratio is that of the limit, or one cable beside it."""
    role = m.pick(("training", "training", "storage", "inference"))
    m.add("fabrics", {"id": "ls", "role": role, "technology": m.pick(("ib-ndr", "roce-400"))})
    upper = m.pick(("spine", "spine", "spine", "core"))
    for switch, tier in (("lsl", "leaf"), ("lsp", "spine"), ("lsc", upper), ("lso", "leaf")):
        m.add("switches", {"id": switch, "tier": tier, "fabrics": ["ls"]})
    down, up = m.pick(
        {"training": ((2, 2), (3, 3), (3, 2)), "storage": ((4, 3), (4, 3), (4, 2)), "inference": ((3, 1), (6, 2))}[role]
    )
    down = max(down + m.pick((0, 0, 1, -1)), 0)
    partners = ["ghost"] * down + [m.pick(("lsp", "lsc")) for _ in range(up)] + ["lso"] * m.count(0, 1)
    speed = m.figure(400, 200, D("63.008"))
    for index, partner in enumerate(partners):
        name = m.pick(m.ids("nodes") or ["ghost"]) if partner == "ghost" else partner
        ends: list[Entry] = [{"device": "lsl", "port": str(index)}, {"device": name, "port": f"l{index}"}]
        m.rng.shuffle(ends)
        link: Entry = {"id": f"ls{index}", "a": ends[0], "b": ends[1]}
        m.put(link, "speedGbps", m.near(speed, "0.001", "1") if m.chance(0.1) else speed)
        m.put(link, "fabric", "ls")
        m.add("links", link)


def equal_pods(m: Maker) -> None:
    """Two or three pods with the same content, or with one deviation."""
    first = m.pick(m.items("pods") or [m.add("pods", {"id": "pod0"})])
    content = [(kind, m.pick(m.items(kind))) for kind in ("nodes", "switches", "storage") if m.items(kind)]
    for device in m.devices():
        device["pod"] = first["id"]
        if m.chance(0.15):
            device["shared"] = True
            del device["pod"]
    if not content or m.chance(0.2):
        return
    if len(m.devices()) > 4:
        keep = dict(content)
        for kind, entry in keep.items():
            m.design[kind] = [entry]
            entry["pod"] = first["id"]
    for number in range(m.count(1, 2)):
        pod = m.add("pods", {"id": f"podx{number}"})
        for kind in ("nodes", "switches", "storage"):
            for entry in [e for e in m.items(kind) if e.get("pod") == first["id"]]:
                if m.chance(0.05):
                    continue
                twin = copy.deepcopy(entry)
                twin |= {"id": f"{entry['id']}x{number}", "pod": pod["id"]}
                if m.chance(0.05):
                    twin["model"] = "custom"
                m.add(kind, twin)


def big_training(m: Maker) -> None:
    """A RoCE training fabric with exactly 64 GPUs, or a few more or less."""
    fabric = next((f for f in m.items("fabrics") if f.get("role") == "training"), None)
    if fabric is None:
        fabric = m.add("fabrics", {"id": "fbig", "role": "training"})
    fabric["technology"] = m.pick(("roce-100", "roce-100", "roce-400"))
    for index, gpus in enumerate(m.pick(((32, 32), (32, 32), (64,), (32, 32, 1), (16, 48, 8), (63,), (40,)))):
        node: Entry = {"id": f"big{index}", "model": "custom", "role": "training", "maxPowerKw": 10, "rackUnits": 8}
        m.put(node, "gpus", gpus)
        node["nics"] = [{"id": "c0", "purpose": "compute", "fabric": fabric["id"], "speedGbps": 100, "ports": 8}]
        if m.chance(0.2):
            node["nics"].append({**node["nics"][0], "id": "c1"})
        place(m, node)
        m.add("nodes", node)


def spread_supplies(m: Maker) -> None:
    """Six supplies per node over three sources as 2+2+2, or 3+3, 4+2, 2+2+1+1."""
    rack = m.some_id("racks") or "r1"
    layout = m.pick(("ABCABC", "ABCABC", "ABABAB", "AAAABB", "AABBCD", "AAAAAA", "ABABA", "AB", "ABC"))
    for source in sorted(set(layout)):
        circuit: Entry = {"id": f"cs-{source}", "volts": 240, "amps": 60, "phases": 1, "outletVolts": 240}
        m.put(circuit, "source", source if m.chance(0.95) else "A")
        m.add("circuits", circuit)
        m.add("pdus", {"id": f"ps-{source}", "circuit": circuit["id"], "rack": rack, "side": source, "ratedKw": 14,
                       "ratedAmps": 60})  # fmt: skip
    for node in m.items("nodes")[:3]:
        node["rack"] = rack
        node["psus"] = [{"id": f"u{index}", "pdu": f"ps-{source}"} for index, source in enumerate(layout)]


def two_kinds(m: Maker) -> None:
    """A training and an inference fabric that share a switch, a link or an adapter, or share nothing."""
    for name, role, technology in (("k1", "training", "ib-ndr"), ("k2", "inference", "roce-400")):
        m.add("fabrics", {"id": name, "role": role, "technology": technology})
        m.add("switches", {"id": f"s{name}", "fabrics": [name], "tier": "leaf"})
    shared = m.pick(("switch", "link", "adapter", "port", "shared end", "none", "none"))
    nodes = m.items("nodes")[:3]
    for index, node in enumerate(nodes):
        own = [
            {"id": f"k{number}", "purpose": "compute", "fabric": f"k{number}", "speedGbps": 400} for number in (1, 2)
        ]
        node["nics"] = [nic for nic in node.get("nics", []) if nic["id"] not in ("k1", "k2")] + own
        for nic in own:
            fabric = "k1" if shared == "adapter" else nic["fabric"]
            name = f"{nic['id']}.p1" if shared == "port" else str(nic["id"])
            link: Entry = {"id": f"k{index}{nic['id']}", "fabric": fabric, "speedGbps": 400}
            link |= {
                "a": {"device": node["id"], "port": name},
                "b": {"device": f"s{nic['fabric']}", "port": f"n{index}"},
            }
            m.add("links", link)
    if shared in ("link", "shared end"):
        cross: Entry = {"id": "kx", "fabric": m.pick(("k1", "k2")), "speedGbps": 400}
        m.add("links", cross | {"a": {"device": "sk1", "port": "x"}, "b": {"device": "sk2", "port": "x"}})
    if shared in ("switch", "shared end"):
        m.items("switches")[-1]["fabrics"] = ["k1", "k2"]


SCENARIOS: dict[str, tuple[Callable[[Maker], None], ...]] = {
    "compute": (big_training,),
    "fabric": (hop_chain, breakout, big_training, two_kinds, leaf_spine),
    "storage": (hop_chain,),
    "power": (phase_balance, spread_supplies),
    "cooling": (),
    "system": (equal_pods, two_kinds),
    "data": (),
}
