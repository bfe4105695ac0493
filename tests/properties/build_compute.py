"""Racks, nodes and their NICs."""

from __future__ import annotations

from decimal import Decimal as D

from .maker import KW, Entry, Maker, Number

PLATFORMS = ("dgx-h100", "dgx-h200", "hgx-h100", "oem-4gpu")
CUSTOM_MODELS = ("custom", "box-8", "legacy-4")
COOLING = ("air", "rdhx", "dlc", "immersion")
GPU_MODELS = ("h100-sxm5", "h200-sxm5", "h100-pcie", "h200-nvl", "a100-sxm4", "b200-sxm6")


def racks(m: Maker) -> None:
    """One to four racks, with overrides that are complete, incomplete or absent."""
    high = (1, 2, 4)[max(m.size["compute"], m.size["power"], m.size["cooling"])]
    main = m.among(air=3, rdhx=2, dlc=1.5, immersion=1)
    for number in range(1, m.count(1, high) + 1):
        rack: Entry = {"id": f"r{number}"}
        cooling = main if m.chance(0.6) else m.pick(COOLING)
        m.put(rack, "coolingTechnology", "oil" if m.chance(0.01) else cooling)
        m.put(rack, "rackUnits", m.pick((48, 48, 42, 24, 16, 8, 10)))
        m.put(rack, "weightCapacityKg", m.pick((1000, 500, D("130.45"), D("260.9"), D("521.8"))), 0.4)
        if cooling == "rdhx":
            m.put(rack, "chilledWater", m.chance(0.8))
        if cooling == "dlc":
            m.put(rack, "liquidCaptureFraction", m.pick((D("0.75"), D("0.5"), D("0.7"), D("0.8"), 1, 0)))
        if m.chance(0.3):
            limits: tuple[Number, ...] = (18, 19, 20, 25, 40, 50, 110, D("10.2"), D("20.4"), 5)
            rack["coolingLimitOverrideKw"] = 0 if m.chance(0.03) else m.pick(limits)
            m.put(rack, "coolingOverrideEvidence", "CFD study", 0.85)
            m.put(rack, "coolingOverrideSource", "report 4", 0.85)
        elif m.chance(0.03):
            rack["coolingOverrideEvidence"] = "CFD study"
        m.add("racks", rack)


def place(m: Maker, device: Entry) -> None:
    """Rack, pod and scalable unit of a device."""
    m.put(device, "rack", m.some_id("racks"), 0.5 + m.good / 2)
    m.put(device, "pod", m.some_id("pods"))
    m.put(device, "shared", m.chance(0.7), 0.2 if m.items("pods") else 0.03)


def peak(m: Maker, device: Entry) -> None:
    """A measured peak, with or without its evidence."""
    if m.chance(0.2):
        device["measuredPeakKw"] = m.pick((*KW, 8, 9, 201)) if m.chance(0.98) else m.pick((0, -1))
        m.put(device, "measurementEvidence", "30 days of metering", 0.8)
        m.put(device, "measurementSource", "log 12", 0.8)


def body(m: Maker, device: Entry) -> None:
    """Power, height, weight and volts of a device that is in no catalogue."""
    m.put(device, "maxPowerKw", m.pick(KW))
    m.put(device, "rackUnits", m.pick((1, 2, 4, 8)))
    m.put(device, "weightKg", m.pick((10, D("20.5"), D("130.45"), 100)), 0.6)
    if m.chance(0.6):
        low, high = m.pick(((200, 240), (200, 240), (100, 127), (100, 240), (D("199.5"), D("240.5"))))
        m.put(device, "inputVoltsMin", low, 0.95)
        m.put(device, "inputVoltsMax", high, 0.95)
    if m.chance(0.15):
        device["powerEvidence"] = "cap"
        m.put(device, "powerSource", "report", 0.7)


def nodes(m: Maker) -> None:
    """Up to six nodes, mostly of one platform."""
    size = m.size["compute"]
    number = m.count(0, 2) if size < 2 else m.count(2, 6)
    main = m.pick((*PLATFORMS, *PLATFORMS, "custom", "custom"))
    role = m.among(training=5, inference=2, both=2)
    same = m.good if m.chance(0.5) else 0.4
    for index in range(1, number + 1):
        node: Entry = {"id": f"n{index}"}
        m.put(node, "model", main if m.chance(same) else m.pick((*PLATFORMS, *CUSTOM_MODELS)), 0.97)
        own = role if m.chance(0.7) else m.among(training=4, inference=3, both=2, service=1)
        m.put(node, "role", "storage" if m.chance(0.01) else own)
        place(m, node)
        m.put(node, "su", m.pick(("su1", "su1", "su1", "su2")))
        (known if node.get("model") in PLATFORMS else custom)(m, node)
        if m.chance(0.25):
            some = m.rng.sample(COOLING, m.count(0, 3))
            node["coolingSupported"] = some
        m.put(node, "liquidLoop", m.chance(0.8), 0.6)
        peak(m, node)
        if m.chance(0.2):
            m.put(node, "psuCount", m.pick((1, 2, 2, 3, 4, 6)), 0.7)
            m.put(node, "psusNeeded", m.pick((1, 1, 2, 3, 4)), 0.9)
            m.put(node, "psusMin", m.pick((1, 1, 2, 3)), 0.6)
        m.add("nodes", node)


def known(m: Maker, node: Entry) -> None:
    """A node of the catalogue, which may declare other figures. The input volts stay those of the catalogue."""
    if m.chance(0.2):
        node["gpus"] = m.pick((8, 8, 8, 4, 4, 1, 7, 9, 16))
    if m.chance(0.35):
        node["maxPowerKw"] = m.pick((*KW, D("10.1"), D("10.3"), 6, D("5.9")))
        m.put(node, "powerEvidence", "power cap set in firmware", 0.6)
        m.put(node, "powerSource", "test report 7", 0.8)
    if m.chance(0.5):
        node["rackUnits"] = m.pick((8, 6, 4, 2))
    if m.chance(0.3):
        node["weightKg"] = m.pick((100, D("130.45"), D("65.225")))
    if m.chance(0.1):
        node["gpuMemoryGB"] = m.pick((640, 1128, 564, D("320.5")))
    if m.chance(0.1):
        node["gpuModel"] = m.pick(GPU_MODELS)
    if m.chance(0.15):
        node["gpuInterconnect"] = m.pick(("nvlink", "pcie"))
    if str(node["model"]).startswith("dgx") and m.chance(0.1):
        node["inputVoltsMin"], node["inputVoltsMax"] = 200, 240


def custom(m: Maker, node: Entry) -> None:
    """A node outside the catalogue declares everything itself."""
    m.put(node, "gpus", m.pick((8, 8, 8, 4, 4, 1, 2, 3, 9, 16, 32)) if m.chance(0.98) else 0)
    m.put(node, "gpuModel", m.pick(("h100-sxm5", *GPU_MODELS)))
    m.put(node, "gpuMemoryGB", m.pick((640, 640, 320, 80, 1128)))
    m.put(node, "gpuInterconnect", m.pick(("nvlink", "nvlink", "pcie")))
    body(m, node)
    m.put(node, "psuCount", m.pick((1, 2, 2, 4, 6)), 0.5)
    m.put(node, "psusNeeded", m.pick((1, 1, 2, 4)), 0.6)
    m.put(node, "psusMin", m.pick((1, 1, 2)), 0.4)


def nics(m: Maker) -> None:
    """NICs of nodes: compute, storage and management, one port or several, some in no fabric."""
    rich = m.size["fabric"] == 2 or m.size["compute"] == 2
    style = m.among(few=3, wide=2, none=0.4)
    rails = m.chance(0.5)
    for node in m.items("nodes"):
        if not m.chance(0.3 + 0.7 * m.good):
            continue
        made: list[Entry] = []
        node["nics"] = made
        if style == "none" and m.chance(0.7):
            continue
        for index in range(m.count(0 if m.chance(0.1) else 1, 2 + 2 * rich)):
            roles: tuple[str, ...] = ("inference",) if node.get("role") == "inference" else ("training",)
            if node.get("role") == "both":
                roles = ("training", "inference")
            nic = _nic(m, f"c{index}", "compute", roles)
            if style == "wide" and m.chance(0.8):
                nic["ports"] = m.pick((2, 4, 8, 8))
            if rails:
                m.put(nic, "rail", index if m.chance(0.9) else m.count(0, 3), 0.95)
            made.append(nic)
        for index in range(m.count(0, 2)):
            nic = _nic(m, f"s{index}", "storage", ("storage",))
            m.put(nic, "ports", m.pick((1, 2, 5)), 0.2)
            made.append(nic)
        if m.chance(0.2):
            made.append(_nic(m, "bmc", "mgmt", ("oob",)))
    for storage in m.items("storage"):
        if m.chance(0.6):
            storage["nics"] = [_nic(m, f"p{index}", "storage", ("storage",)) for index in range(m.count(0, 2))]


def _nic(m: Maker, name: str, purpose: str, roles: tuple[str, ...]) -> Entry:
    nic: Entry = {"id": name}
    m.put(nic, "purpose", purpose, 0.3 + 0.7 * m.good)
    fits = [fabric for fabric in m.items("fabrics") if fabric.get("role") in roles]
    fabric = m.pick(fits) if fits and m.chance(0.9) else m.pick(m.items("fabrics") or [{}])
    m.put(nic, "fabric", fabric.get("id"))
    nominal = {"ib-ndr": 400, "ib-hdr": 200, "roce-400": 400, "roce-100": 100}.get(str(fabric.get("technology")), 100)
    m.put(nic, "speedGbps", nominal if m.chance(0.85) else m.pick((400, 200, 100, 25, D("63.008"), 3200, 3201)))
    m.put(nic, "pcieGen", m.pick((5, 5, 5, 4, 3, 6)) if m.chance(0.97) else m.pick((7, 2)))
    m.put(nic, "pcieLanes", m.pick((16, 16, 16, 8, 4)))
    if m.chance(0.08):
        nic["ports"] = m.count(1, 4)
    if m.chance(0.08):
        nic["linkLayer"] = m.pick(("ib", "eth"))
    return nic
