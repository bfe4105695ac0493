"""Puts figures exactly on a limit, or one small step beside it: compute, cooling, storage and network.

Every function measures the design with the oracle's helpers and sets one figure of it.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal as D
from fractions import Fraction
from typing import Any

from .maker import Entry, Maker, Number, exact
from .oracle import measure, reference

Tune = Callable[[Maker], None]


def some(m: Maker, collection: str, suitable: Callable[[Entry], object] = lambda entry: True) -> Entry | None:
    """An entry of a collection that is suitable."""
    found = [entry for entry in m.items(collection) if suitable(entry)]
    return m.pick(found) if found else None


def is_number(value: object) -> bool:
    """Whether the oracle reads the value as a number."""
    return reference().num(value) is not None


def place_number(m: Maker, entry: Entry, key: str, value: Fraction | D | int, *steps: str) -> None:
    """Set a figure to a value or one step beside it, where it is positive and has few decimals."""
    number = m.near(exact(Fraction(value)), *steps)
    if number is not None and number > 0:
        entry[key] = number


# ---- compute


def workload_need(m: Maker) -> None:
    """COM-006, COM-007: demand of a workload equal to what its nodes hold."""
    work = some(m, "workloads", lambda w: w.get("kind"))
    if work is None:
        return
    o = measure(m.design)
    nodes = [node for node in o.nodes if node.get("role") in (work["kind"], "both")]
    gpus, memory = o.total(nodes, o.gpus)[0], o.total(nodes, lambda node: o.fact(node, "gpuMemoryGB"))[0]
    if gpus:
        place_number(m, work, "gpus", gpus, "1")
    if memory:
        place_number(m, work, "requiredGpuMemoryGB", memory, "1", "0.1", "0.001")


def rack_body(m: Maker) -> None:
    """COM-009, COM-010: height and weight capacity of a rack equal to what stands in it."""
    rack = some(m, "racks")
    if rack is None:
        return
    o = measure(m.design)
    inside = o.in_rack(rack)
    units, weight = (o.total(inside, lambda x, key=key: o.fact(x, key))[0] for key in ("rackUnits", "weightKg"))
    if units:
        place_number(m, rack, "rackUnits", units, "1")
    if weight:
        place_number(m, rack, "weightCapacityKg", weight, "0.1", "0.001", "1")


def compute_ports(m: Maker) -> None:
    """COM-004, COM-005: ports per GPU and PCIe rate equal to the need."""
    node = some(m, "nodes", lambda n: n.get("nics"))
    if node is None:
        return
    o = measure(m.design)
    gpus, nic = o.gpus(node), m.pick(node["nics"])
    if gpus and gpus == int(gpus):
        others = sum(int(i.get("ports", 1)) for i in node["nics"] if i.get("purpose") == "compute" and i is not nic)
        wanted = int(gpus) - others + m.pick((0, 0, 0, 1, -1))
        if nic.get("purpose") == "compute" and wanted > 0:
            nic["ports"] = wanted
    rate, lanes = reference().PCIE.get(nic.get("pcieGen")), nic.get("pcieLanes")
    if rate is not None and is_number(lanes):
        place_number(m, nic, "speedGbps", Fraction(rate * lanes * 8) / int(nic.get("ports", 1)), "0.001")


def declared_power(m: Maker) -> None:
    """CAT-003: a declared figure equal to that of the catalogue."""
    node = some(m, "nodes", lambda n: n.get("model") in reference().CATALOGUE)
    if node is not None and (catalogue := measure(m.design).cat(node, "maxPowerKw")) is not None:
        place_number(m, node, "maxPowerKw", catalogue, "0.1", "0.000001")


# ---- cooling and racks


def rack_load(m: Maker) -> None:
    """COO-001, 003, 005, 013, 014, POW-009: load of a rack on a limit; one or several equal devices take the rest."""
    rack = some(m, "racks")
    if rack is None:
        return
    o = measure(m.design)
    limits: list[Number] = [15, 30, 60, 100, 20, 40, o.par["airHardKw"], o.par["densePowerKw"]]
    own = {"air": 15, "rdhx": 30, "dlc": 60, "immersion": 100}.get(str(rack.get("coolingTechnology")))
    override = rack.get("coolingLimitOverrideKw")
    if override is not None and is_number(override):
        own = override
    target = own if own is not None and m.chance(0.5) else m.pick(limits)
    if rack.get("coolingTechnology") == "air" and m.chance(0.3):
        rack["coolingLimitOverrideKw"], target = m.pick((25, 30, D("20.5"), 20)), o.par["airHardKw"]
        rack["coolingOverrideEvidence"], rack["coolingOverrideSource"] = "CFD study", "report 4"
        if m.chance(0.25):  # a device of unknown power beside a known part on the limit
            name = f"dark-{rack['id']}"
            if name not in m.ids("switches"):
                m.add("switches", {"id": name, "rack": rack["id"], "rackUnits": 1})
    elif m.chance(0.25):  # the highest limit that all nodes support
        supported = [o.supports(x) for x in o.in_rack(rack) if x["id"] in o.node]
        common = set(reference().COOL).intersection(*(one for one in supported if one is not None))
        target = max((reference().COOL[name][0] for name in common), default=target)
    if rack.get("coolingTechnology") == "dlc" and m.chance(0.4):
        target, rack["liquidCaptureFraction"] = m.pick(
            ((60, D("0.75")), (40, D("0.625")), (50, D("0.7")), (20, D("0.25")))
        )
    load_rack(m, rack, target)


def load_rack(m: Maker, rack: Entry, target: Number) -> None:
    """Give the devices of a rack the power that makes its load the target, or one step beside it."""
    o = measure(m.design)
    inside = o.in_rack(rack)
    if not inside:
        return
    inside = [x for x in inside if not str(x["id"]).startswith("dark")] or inside
    chosen = m.rng.sample(inside, m.count(1, min(3, len(inside))))
    rest = Fraction(m.near(target) or target) - sum(Fraction(o.kw(x) or 0) for x in inside if x not in chosen)
    share = exact(rest / len(chosen))
    if share is None:  # thirds: 2.2 + 5.9 + 6.9 and the like
        first = exact(rest / 2, 1) or m.pick((D("2.2"), D("5.9"), D("6.9")))
        shares = [first] * (len(chosen) - 1) + [exact(rest - Fraction(first) * (len(chosen) - 1)) or 1]
    else:
        shares = [share] * len(chosen)
    for device, kw in zip(chosen, shares, strict=True):
        if kw > 0:
            device["maxPowerKw"] = kw
            if (catalogue := o.cat(device, "maxPowerKw")) is not None and kw < catalogue:
                device["powerEvidence"], device["powerSource"] = "cap", "report"


def override(m: Maker) -> None:
    """COO-001, 003, 005, 014: an override equal to the load of the rack."""
    rack = some(m, "racks")
    if rack is not None and (load := measure(m.design).rack_kw(rack)[0]):
        place_number(m, rack, "coolingLimitOverrideKw", load, "0.1", "0.001")
        m.put(rack, "coolingOverrideEvidence", "CFD study", 0.95)
        m.put(rack, "coolingOverrideSource", "report 4", 0.95)


def pue(m: Maker) -> None:
    """COO-010, 011, 012: PUE equal to a load-weighted bound, or 1."""
    o = measure(m.design)
    used = [(rack, o.rack_kw(rack)[0]) for rack in o.racks if rack.get("coolingTechnology") in reference().COOL]
    total = sum(kw for _, kw in used)
    if not o.site or not total:
        return
    bound = m.pick((1, 2))
    weighted = sum(kw * reference().COOL[rack["coolingTechnology"]][bound] for rack, kw in used)
    value = Fraction(weighted) / Fraction(total)
    place_number(m, o.site, "declaredPue", 1 if m.chance(0.15) else round(value, 4), "0.0001", "0.01")


# ---- storage


def read_rate(m: Maker) -> None:
    """STO-001, STO-003, SYS-002: the hot tier gives the need of the profile exactly, or 1.1 times it."""
    store = some(m, "storage", lambda t: t.get("tier") == "hot")
    if store is None:
        return
    o = measure(m.design)
    full = m.chance(0.5)
    need = o.aggregate_need(full)[0] * (o.par["balanceMargin"] if full and m.chance(0.4) else 1)
    others = [t for t in o.storage if t.get("tier") == "hot" and t is not store and is_number(t.get("readGBps"))]
    place_number(m, store, "readGBps", Fraction(need) - sum(Fraction(t["readGBps"]) for t in others), "0.1", "0.001")


def node_intake(m: Maker) -> None:
    """STO-002: the storage ports of a node carry exactly what the profile asks for."""
    node = some(m, "nodes", lambda n: n.get("role") in ("training", "both"))
    if node is None:
        return
    o = measure(m.design)
    profile, gpus = o.sprofile(), o.gpus(node) or 8
    need = gpus * 25 if profile == "seed" else gpus * 4 if profile == "image-heavy" else reference().ONE[profile]
    mine = [i for i in node.setdefault("nics", []) if i.get("purpose") == "storage"]
    if not mine:
        mine = [{"id": "s9", "purpose": "storage"}]
        node["nics"] += mine
    nic = m.pick(mine)
    others = sum(
        Fraction(i["speedGbps"]) * int(i.get("ports", 1))
        for i in mine
        if i is not nic and is_number(i.get("speedGbps"))
    )
    rest = Fraction(need) * 8 / Fraction(o.par["netEfficiency"]) - others
    place_number(m, nic, "speedGbps", rest / int(nic.get("ports", 1)), "0.001", "1")


def storage_figures(m: Maker) -> None:
    """STO-009 to STO-013: write time, capacity, cabled rate, hot tier rate and single client rate on the limit."""
    store = some(m, "storage")
    if store is None:
        return
    o = measure(m.design)
    sizes = [
        Fraction(q["sizeTB"]) for q in o.datasets if q.get("storage") == store["id"] and is_number(q.get("sizeTB"))
    ]
    if sizes:
        place_number(m, store, "capacityTB", sum(sizes), "0.1", "0.001")
    if store.get("tier") == "hot" and m.chance(0.5):
        place_number(m, store, "readGBps", o.par["hotTierMinGBps"], "0.1")
    if o.sprofile() in reference().ONE:
        place_number(m, store, "singleClientReadGBps", reference().ONE[o.sprofile()], "0.1", "1")
    work = some(
        m, "workloads", lambda w: is_number(w.get("checkpointSizeGB")) and is_number(w.get("maxCheckpointSeconds"))
    )
    if work is not None and work["maxCheckpointSeconds"] > 0:
        rate = Fraction(work["checkpointSizeGB"]) / Fraction(work["maxCheckpointSeconds"])
        place_number(m, store, "writeGBps", rate, "0.1", "0.001")


def storage_ports(m: Maker) -> None:
    """STO-011: the claimed rate is exactly what the cables carry."""
    o = measure(m.design)
    store = some(m, "storage", lambda t: any(e.get("device") == t["id"] for link in o.links for e in o.ends(link)))
    if store is None:
        return

    def own(end: Entry) -> bool:
        return end.get("device") == store["id"] and end.get("kind") != "mgmt"

    mine = [link for link in o.links if o.lrole(link) != "oob" and any(own(end) for end in o.ends(link))]
    rate = o.total(mine, lambda link: reference().num(link.get("speedGbps")))[0] / 8 * o.par["netEfficiency"]
    place_number(m, store, "readGBps", rate, "0.1", "0.001")


# ---- network


def roce_limit(m: Maker) -> None:
    """FAB-005, FAB-006: the limit for RoCE 100G equal to the GPUs of the fabric."""
    fabric = some(m, "fabrics", lambda f: f.get("technology") == "roce-100")
    if fabric is not None and (gpus := measure(m.design).fgpus(fabric)[0]):
        place_number(m, m.design.setdefault("parameters", {}), "roce100TrainingGpuLimit", gpus, "1")


def switch_ports(m: Maker) -> None:
    """FAB-016, FAB-017: port count, lanes and lane speeds equal to what is cabled."""
    switch = some(m, "switches")
    if switch is None:
        return
    ends = [(e, link) for link in m.items("links") for e in (link.get("a", {}), link.get("b", {}))]
    mine = [(e, link) for e, link in ends if e.get("device") == switch["id"]]
    if used := {e.get("port") for e, _ in mine if e.get("kind") != "mgmt"}:
        place_number(m, switch, "portCount", len(used), "1")
    lanes = [(e, link) for e, link in mine if e.get("lane") is not None]
    if lanes:
        port = m.pick(lanes)[0].get("port")
        here = [(e, link) for e, link in lanes if e.get("port") == port]
        place_number(m, switch, "maxBreakout", len({e["lane"] for e, _ in here}), "1")
        speeds = [Fraction(link["speedGbps"]) for _, link in here if is_number(link.get("speedGbps"))]
        place_number(m, switch, "portSpeedGbps", sum(speeds), "0.1", "1")


def oversubscription(m: Maker) -> None:
    """FAB-018, FAB-019: one uplink of a leaf makes the ratio exactly the limit."""
    o = measure(m.design)
    spined = [
        f for f in o.fabrics if any(w.get("tier") == "spine" and f["id"] in w.get("fabrics", []) for w in o.switches)
    ]
    if not spined:
        return
    fabric = m.pick(spined)
    leaf = some(m, "switches", lambda w: w.get("tier") == "leaf" and fabric["id"] in w.get("fabrics", []))
    if leaf is None:
        return
    down, up, uplinks = Fraction(0), Fraction(0), []
    for link in o.links:
        if link.get("fabric") != fabric["id"] or not is_number(link.get("speedGbps")):
            continue
        for end, other in (o.ends(link), o.ends(link)[::-1]):
            if end.get("device") == leaf["id"]:
                partner = o.sw.get(other.get("device"))
                if partner is None:
                    down += Fraction(link["speedGbps"])
                elif partner.get("tier") in ("spine", "core"):
                    up += Fraction(link["speedGbps"])
                    uplinks.append(link)
    if not uplinks:
        return
    pair: Any = {"storage": o.par["storageOversub"], "inference": o.par["inferenceOversub"]}.get(
        fabric.get("role"), (1, 1)
    )
    link = m.pick(uplinks)
    rest = down * Fraction(pair[1]) / Fraction(pair[0]) - up + Fraction(link["speedGbps"])
    place_number(m, link, "speedGbps", rest, "0.001", "1")


def injection(m: Maker) -> None:
    """FAB-025, SYS-002: the need per GPU equals the compute ports of one node, or of all of them."""
    work = some(m, "workloads", lambda w: w.get("kind"))
    if work is None:
        return
    o = measure(m.design)
    mine = [n for n in o.nodes if n.get("role") in (work["kind"], "both") and o.gpus(n) and o.gpus(n) > 0]
    if not mine:
        return
    group = [m.pick(mine)] if m.chance(0.5) else mine
    rate = sum(
        Fraction(i["speedGbps"]) * int(i.get("ports", 1))
        for n in group for i in n.get("nics", []) if i.get("purpose") == "compute" and is_number(i.get("speedGbps"))
    )  # fmt: skip
    need = rate / Fraction(sum(o.gpus(n) for n in group)) / (Fraction(o.par["balanceMargin"]) if m.chance(0.3) else 1)
    place_number(m, work, "requiredGbpsPerGpu", need, "0.1", "0.001")


def latency(m: Maker) -> None:
    """FAB-026: the latency need equals that of the technology."""
    work = some(m, "workloads", lambda w: w.get("fabric"))
    if work is None:
        return
    fabric = measure(m.design).fab.get(work["fabric"], {})
    bound = reference().TECH.get(fabric.get("technology"), (0, 0, None))[2]
    if bound is not None:
        place_number(m, work, "maxFabricLatencyUs", bound, "0.1", "0.001")


# What changes loads and speeds comes first, so that the limits set afterwards fit.
FIRST: frozenset[Tune] = frozenset((declared_power, rack_load, node_intake, compute_ports))

COMPUTE: tuple[Tune, ...] = (workload_need, rack_body, compute_ports, declared_power)
COOLING: tuple[Tune, ...] = (rack_load, rack_load, override, pue)
STORAGE: tuple[Tune, ...] = (read_rate, node_intake, storage_figures, storage_ports)
FABRIC: tuple[Tune, ...] = (roce_limit, switch_ports, oversubscription, oversubscription, injection, latency)
