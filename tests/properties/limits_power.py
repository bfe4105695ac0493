"""Puts figures exactly on a limit, or one small step beside it: power chain, site capacities, balance of the layers."""

from __future__ import annotations

from decimal import Decimal as D
from fractions import Fraction

from .limits import Tune, is_number, load_rack, place_number, some
from .maker import Entry, Maker, exact
from .oracle import measure


def _fit_circuit(m: Maker, circuit: Entry, load: Fraction) -> None:
    """A single-phase circuit of 250 V whose usable kW equals the load, where the fraction is a decimal."""
    fraction = Fraction(measure(m.design).par["continuousFraction"])
    circuit["phases"], circuit["volts"] = 1, 250
    place_number(m, circuit, "amps", load * 1000 / 250 / fraction, "0.1", "0.001", "0.00001")


def circuit_load(m: Maker) -> None:
    """POW-001: usable kW of a circuit equal to its load."""
    circuit = some(m, "circuits")
    if circuit is not None and (load := measure(m.design).circuit_load(circuit)[0]) > 0:
        _fit_circuit(m, circuit, load)


def circuit_after_loss(m: Maker) -> None:
    """POW-005: usable kW of a circuit equal to its load after the worst loss of another source."""
    circuit = some(m, "circuits", lambda c: c.get("source"))
    if circuit is None:
        return
    o = measure(m.design)
    lost = {c["source"] for c in o.circuits if c.get("source") and c["source"] != circuit["source"]}
    load = max((o.circuit_load(circuit, source)[0] for source in sorted(lost)), default=Fraction(0))
    if load > 0:
        _fit_circuit(m, circuit, load)


def device_on_circuit(m: Maker) -> None:
    """POW-001 with thirds or sqrt(3): the devices of a circuit draw together what it can carry."""
    circuit = some(m, "circuits")
    if circuit is None:
        return
    o = measure(m.design)
    usable = o.usable(circuit)
    fed = [x for x in o.devs if any((o.psu_circuit(u) or {}).get("id") == circuit["id"] for u in x.get("psus", []))]
    if usable is None or usable <= 0 or not fed:
        return
    for device in fed:
        device["maxPowerKw"] = D(1)
    load = measure(m.design).circuit_load(circuit)[0]
    share = exact(Fraction(usable) / load, 9) if load else None
    for device in fed:
        if share is None:
            device["maxPowerKw"] = m.pick((10, 20, D("3.3")))
        else:
            device["maxPowerKw"] = m.near(share, "0.000001", "0.001")
            device["powerEvidence"], device["powerSource"] = "cap", "report"


def pdu_figures(m: Maker) -> None:
    """POW-002, POW-007: rating of a PDU equal to its load and to its breaker."""
    pdu = some(m, "pdus")
    if pdu is None:
        return
    o = measure(m.design)
    load = Fraction(0)
    for device in o.devs:
        live = [u for u in device.get("psus", []) if o.psu_circuit(u)]
        here = sum(1 for u in live if u.get("pdu") == pdu["id"])
        if here and o.kw(device) is not None:
            load += Fraction(o.kw(device)) * here / len(live)
    if load:
        place_number(m, pdu, "ratedKw", load, "0.1", "0.001")
    amps = o.cir.get(pdu.get("circuit"), {}).get("amps")
    if is_number(amps):
        place_number(m, pdu, "ratedAmps", amps, "0.1", "1")


def rack_circuits(m: Maker) -> None:
    """POW-009, POW-010: load of a rack equal to the usable kW of its circuits; dense racks with a 60 A breaker."""
    rack = some(m, "racks")
    if rack is None:
        return
    o = measure(m.design)
    names = {p["circuit"] for p in o.pdus if p.get("rack") == rack["id"] and p.get("circuit")}
    mine = [o.cir[name] for name in sorted(names) if name in o.cir]
    if mine and m.chance(0.5):
        dense = o.par["densePowerKw"]
        for circuit in mine:
            circuit["phases"] = 3 if m.chance(0.93) else 1
            place_number(m, circuit, "amps", o.par["denseAmps"], "0.1", "1")
        load_rack(m, rack, dense if m.chance(0.6) else dense + 5)
        return
    usable = [o.usable(circuit) for circuit in mine]
    if usable and None not in usable:
        load_rack(m, rack, sum(usable))


def supply_counts(m: Maker) -> None:
    """POW-003, POW-004, POW-017: the supplies that stay after a loss are just enough, or one too few."""
    node = some(m, "nodes", lambda n: n.get("psus"))
    if node is None:
        return
    o = measure(m.design)
    sources = o.sources(node)
    if sources:
        left = sum(sources.values()) - max(sources.values())
        for key in ("psusNeeded", "psusMin"):
            if m.chance(0.6):
                node[key] = max(left + m.pick((0, 0, 1, -1)), 0)
    node["psuCount"] = max(sum(1 for u in node["psus"] if u.get("pdu")) + m.pick((0, 0, 1, -1)), 1)


def outlet(m: Maker) -> None:
    """POW-006: outlet voltage equal to an end of a device's range."""
    circuit = some(m, "circuits")
    ends = [x[key] for x in m.devices() for key in ("inputVoltsMin", "inputVoltsMax") if is_number(x.get(key))]
    if circuit is not None:
        place_number(m, circuit, "outletVolts", m.pick([200, 240, *ends]), "0.1", "1", "0.001")


def site_figures(m: Maker) -> None:
    """POW-011, 012, 013, COO-009, SYS-001, SYS-002: capacities of the site equal to the need, or to 1.1 times it."""
    o = measure(m.design)
    if not o.site:
        return
    margin = Fraction(o.par["balanceMargin"]) if m.chance(0.4) else Fraction(1)
    load = Fraction(o.site_kw()[0])
    if m.chance(0.5):
        place_number(m, o.site, "coolingCapacityKw", load * margin, "0.1", "0.001")
    if m.chance(0.5):
        ups_rating(m)
    if not is_number(o.site.get("declaredPue")):
        return
    facility = load * Fraction(o.site["declaredPue"]) * margin
    if m.chance(0.5):
        place_number(m, o.site, "utilityKw", facility, "0.1", "0.001")
    generator = some(m, "generators")
    if generator is not None and m.chance(0.6):
        others = [g["ratedKw"] for g in o.generators if g is not generator and is_number(g.get("ratedKw"))]
        place_number(m, generator, "ratedKw", facility - sum(Fraction(kw) for kw in others), "0.1", "0.001")


def ups_rating(m: Maker) -> None:
    """POW-011: UPS capacity equal to 1.10 times the load; with 2N each side by itself."""
    o = measure(m.design)
    need = Fraction(o.ups_kw()[0])
    if not o.ups or not need:
        return
    if o.site.get("powerRedundancy") == "2N":
        sides: dict[object, list[Entry]] = {}
        for ups in o.ups:
            sides.setdefault(ups.get("source"), []).append(ups)
        for side in sides.values():
            for ups in side:
                place_number(m, ups, "ratedKw", need / len(side), "0.1", "0.001")
        return
    for ups in o.ups:
        ups["ratedKw"] = exact(need / len(o.ups)) or 100
    place_number(m, o.ups[0], "ratedKw", Fraction(o.ups[0]["ratedKw"]), "0.1", "0.001")


def layer_balance(m: Maker) -> None:
    """SYS-001, SYS-002: the margin equals the ratio of a layer."""
    o = measure(m.design)
    known = [value for value in o.ratios().values() if value is not None and value[1] > 0 and value[0] > 0]
    if known:
        capacity, need = m.pick(known)
        margin = exact(Fraction(capacity) / Fraction(need), 6)
        if margin is not None:
            place_number(m, m.design.setdefault("parameters", {}), "balanceMargin", Fraction(margin), "0.001")


def ample(m: Maker) -> None:
    """Sizes all five layers well, so that the rules of the whole cluster can pass."""
    o = measure(m.design)
    if not o.site:
        m.design["site"] = {"id": "site", "declaredPue": D("1.3")}
        o = measure(m.design)
    factors = (Fraction(11, 10), Fraction(6, 5), Fraction(3, 2), Fraction(1))
    factor = m.pick(factors)
    load = Fraction(o.site_kw()[0]) or Fraction(1)
    o.site["declaredPue"] = m.pick((D("1.3"), D("1.4"), D("1.2")))
    o.site["coolingCapacityKw"] = exact(load * factor)
    o.site["utilityKw"] = exact(load * factor * Fraction(o.site["declaredPue"]))
    if o.site.get("powerRedundancy") == "2N":
        o.site["powerRedundancy"] = "N+1"
    m.design["ups"] = [{"id": "ups0", "ratedKw": exact(load * factor * Fraction(11, 10)), "source": "A"}]
    if m.chance(0.6):
        m.design["generators"] = [{"id": "gen0", "ratedKw": o.site["utilityKw"]}]
    if o.training() and not any(work.get("kind") == "training" for work in o.workloads):
        m.add("workloads", {"id": "wa", "kind": "training"})
    roles = {node.get("role") for node in o.nodes}
    m.design["workloads"] = [work for work in m.items("workloads") if {work.get("kind"), "both"} & roles]
    o = measure(m.design)
    for index, work in enumerate(o.workloads):
        o = measure(m.design)
        nodes = [n for n in o.nodes if n.get("role") in (work.get("kind"), "both")]
        gpus = int(o.total(nodes, o.gpus)[0] / m.figure(1, D("1.2"), D("1.2"), D("1.1")))
        if gpus > 0 and index < 2:
            work["gpus"] = gpus
        adapters = [nic for node in nodes for nic in node.get("nics", []) if nic.get("purpose") == "compute"]
        known = [nic for nic in adapters if is_number(nic.get("speedGbps"))]
        rates = [Fraction(nic["speedGbps"]) * int(nic.get("ports", 1)) for nic in known]
        if gpus > 0 and rates and sum(rates) > 0:
            work["requiredGbpsPerGpu"] = exact(round(sum(rates, Fraction(0)) / gpus / 2, 2))
    hot = some(m, "storage", lambda t: t.get("tier") == "hot")
    if hot is not None:
        place_number(m, hot, "readGBps", Fraction(o.aggregate_need(True)[0]) * 3, "1")


FIRST: frozenset[Tune] = frozenset((device_on_circuit, rack_circuits))

POWER: tuple[Tune, ...] = (
    circuit_load, circuit_after_loss, device_on_circuit, pdu_figures, pdu_figures, rack_circuits, supply_counts, outlet,
)  # fmt: skip
SYSTEM: tuple[Tune, ...] = (site_figures, ups_rating, layer_balance, site_figures)
