"""Storage, circuits, PDUs, supplies, site, UPS, generators, workloads, data sets, pods and parameters."""

from __future__ import annotations

from decimal import Decimal as D

from .build_compute import body, peak, place
from .maker import Entry, Maker, Number

HOT = ("gpfs", "lustre", "weka", "vast", "ddn")
WARM = ("all-nvme", "nvme-of")
COLD = ("s3", "ceph", "minio")
CLASSES = (
    "active-dataset", "active-checkpoint", "model-weights", "preprocessed-dataset", "recent-checkpoint",
    "inference-model", "raw-dataset", "archived-model", "long-term-checkpoint",
)  # fmt: skip
PHASES = ("L1", "L2", "L3", "L1-L2", "L2-L3", "L3-L1")
PROFILES = ("nvidia-best", "nvidia-better", "nvidia-good", "image-heavy", "seed")


def storage(m: Maker) -> None:
    """Up to three storage systems."""
    number = m.count(0, 1) if m.size["storage"] < 2 else m.count(1, 3)
    for index in range(1, number + 1):
        system: Entry = {"id": f"st{index}"}
        tier = m.among(hot=6, warm=2, cold=1.5)
        m.put(system, "tier", "lukewarm" if m.chance(0.01) else tier)
        fits = {"hot": HOT, "warm": WARM, "cold": COLD}[tier]
        m.put(system, "technology", m.pick(fits) if m.chance(0.85) else m.pick((*HOT, *WARM, *COLD, "tape")))
        m.put(system, "readGBps", m.pick((100, 99, 12, 40, 80, 125, 200, 500, 1000, D("99.9"), 100000, 100001, 0)))
        m.put(system, "writeGBps", m.pick((50, 100, 25, 10, 0, D("2.5"), 1, D("0.5"))) if m.chance(0.95) else -1, 0.85)
        m.put(system, "singleClientReadGBps", m.pick((4, 8, 40, 39, 7, 3, D("39.9"))), 0.8)
        m.put(system, "capacityTB", m.pick((10, 100, 500, D("15.3"))))
        m.put(system, "media", m.pick(("nvme", "nvme", "nvme", "hdd", "ssd")))
        if m.chance(0.6):
            system["uses"] = m.pick((["checkpoint"], ["checkpoint"], ["checkpoint", "datasets"], ["datasets"], []))
        place(m, system)
        body(m, system)
        peak(m, system)
        m.add("storage", system)


def datasets(m: Maker) -> None:
    """Up to four data sets, several of one size on one system."""
    for index in range(1, (m.count(0, 4) if m.size["storage"] else 0) + 1):
        data: Entry = {"id": f"d{index}"}
        m.put(data, "class", "diary" if m.chance(0.02) else m.pick(CLASSES))
        m.put(data, "storage", m.some_id("storage"))
        m.put(data, "sizeTB", m.pick((5, 5, 5, 10, D("5.1"), D("0.1"), 100)))
        m.add("datasets", data)


def circuits(m: Maker) -> None:
    """Circuits and PDUs per rack: some PDUs without circuit, some circuits with two PDUs."""
    if not m.size["power"]:
        return
    sources = m.pick((("A",), ("A", "B"), ("A", "B"), ("A", "B", "C")))
    three = m.pick((0.0, 0.3, 1.0))
    usual = m.pick((250, 240, 208, 230))
    for rack in [*m.ids("racks"), *(["r9"] if m.chance(0.03) else [])]:
        for index in range(m.count(0, 1) if m.size["power"] < 2 else m.count(1, 3)):
            circuit: Entry = {"id": f"c-{rack}-{index}"}
            phases = 3 if m.chance(three) else 1
            source = sources[index % len(sources)] if m.chance(0.9) else m.pick(sources)
            m.put(circuit, "phases", 2 if m.chance(0.01) else phases)
            m.put(circuit, "volts", m.pick((415, 400, 208, 480)) if phases == 3 else usual)
            if m.chance(0.03):
                circuit["volts"] = m.pick((1000, D("1000.5"), 1001))
            m.put(circuit, "amps", m.pick((60, 60, 60, 30, 50, 16, 100, 20)))
            m.put(circuit, "source", source)
            m.put(circuit, "outletVolts", m.pick((240, 230, 208, 200, 240, 199, 241, D("199.9"), D("240.1"), 120, 127)))
            m.add("circuits", circuit)
            for extra in range(2 if m.chance(0.12) else 1):
                pdu: Entry = {"id": f"p-{rack}-{index}" + "x" * extra}
                m.put(pdu, "circuit", circuit["id"])
                m.put(pdu, "rack", rack)
                m.put(pdu, "side", source if m.chance(0.95) else m.pick("ABC"))
                m.put(pdu, "ratedKw", m.pick((10, 14, 5, D("11.52"), 20)))
                m.put(pdu, "ratedAmps", m.pick((60, 60, 50, 63, 30)))
                m.add("pdus", pdu)
    if m.chance(0.05):
        m.add("pdus", {"id": "p-loose", "ratedKw": 5})


def supplies(m: Maker) -> None:
    """Supplies of the devices, mostly at the PDUs of their rack, spread over the sources or not."""
    if not m.items("pdus") and not m.chance(0.1):
        return
    fed = m.pick((1.0, 1.0, 0.9, 0.5))
    phased = m.pick((1.0, 1.0, 0.8))
    for device in m.devices():
        if not m.chance(fed):
            continue
        mine = [pdu["id"] for pdu in m.items("pdus") if pdu.get("rack") == device.get("rack")]
        if not mine or m.chance(0.05):
            mine = m.ids("pdus")
        number = m.pick((6, 6, 6, 5)) if str(device.get("model")).startswith("dgx") else m.pick((1, 2, 2, 3, 4, 6))
        spread = m.among(round=6, first=1, uneven=1, random=1)
        made: list[Entry] = []
        for index in range(number):
            at = {"round": index, "first": 0, "uneven": index // 2, "random": m.count(0, 5)}[spread]
            supply: Entry = {"id": f"u{index}"}
            if mine:
                m.put(supply, "pdu", mine[at % len(mine)], 0.85 + 0.15 * m.good)
            turn = PHASES[(index + m.count(0, 1)) % (6 if m.chance(0.5) else 3)]
            m.put(supply, "phase", turn, phased * m.good if m.chance(0.5) else phased)
            made.append(supply)
        device["psus"] = made if m.chance(0.97) else []


def site(m: Maker) -> None:
    """The site, UPS and generators."""
    if m.chance(0.95 if m.size["system"] == 2 else 0.5):
        place_: Entry = {"id": m.pick(("site", "site", "dc1"))}
        m.put(place_, "utilityKw", m.pick((20, 50, 80, 100, D("99.9"))))
        m.put(place_, "coolingCapacityKw", m.pick((20, 50, 80, 100)))
        m.put(place_, "declaredPue", m.pick((D("1.2"), D("1.3"), D("1.4"), D("1.1"), 1, D("0.99"), 2, D("2.01"))))
        m.put(place_, "powerRedundancy", m.pick(("none", "N+1", "2N", "2N")), 0.5)
        m.put(place_, "immersionReady", m.chance(0.7))
        m.design["site"] = place_
    if not m.size["power"] and m.chance(0.7):
        return
    for index in range(m.pick((0, 1, 1, 2, 2, 3))):
        ups: Entry = {"id": f"ups{index}"}
        m.put(ups, "ratedKw", m.pick((5, 10, 20, 50, D("33.66"), 100)))
        m.put(ups, "source", "AB"[index % 2] if m.chance(0.9) else "C")
        m.put(ups, "sizingBasis", m.pick(("measured-peak", "maximum", "nameplate")), 0.6)
        m.add("ups", ups)
    for index in range(m.pick((0, 1, 1, 2))):
        generator: Entry = {"id": f"gen{index}"}
        m.put(generator, "ratedKw", m.pick((10, 20, 50, 100)))
        m.put(generator, "source", "A", 0.1)
        m.add("generators", generator)


def workloads(m: Maker) -> None:
    """Up to three workloads of both kinds."""
    number = m.pick((0, 0, 1)) if not (m.size["system"] or m.size["compute"]) else m.pick((0, 1, 1, 2, 2, 3))
    for index in range(1, number + 1):
        work: Entry = {"id": f"w{index}"}
        kind = "training" if m.chance(0.6) else "inference"
        m.put(work, "kind", kind)
        m.put(work, "gpus", m.pick((8, 16, 4, 7, 9, 24)) if m.chance(0.97) else 0)
        m.put(work, "requiredGpuMemoryGB", m.pick((640, 320, 1128, 1280, D("640.5"))), 0.5)
        m.put(work, "requiredGbpsPerGpu", m.pick((400, 100, 50, 200, D("12.5"))), 0.6)
        m.put(work, "maxFabricLatencyUs", m.pick((1, D("0.5"), D("0.6"), 3, 5, D("0.4"), D("2.9"), D("4.9"))), 0.5)
        fits = [fabric["id"] for fabric in m.items("fabrics") if fabric.get("role") == kind]
        m.put(work, "fabric", m.pick(fits) if fits and m.chance(0.85) else m.some_id("fabrics"), 0.8)
        if m.chance(0.7):
            m.put(work, "checkpointSizeGB", m.pick((500, 1000, 3000, 1500, 30, 10)))
            m.put(work, "maxCheckpointSeconds", m.pick((10, 20, 30, 60)))
            m.put(work, "checkpointStorage", "ghost" if m.chance(0.03) else m.some_id("storage"), 0.5)
        m.add("workloads", work)


def pods(m: Maker) -> None:
    """No pod to three."""
    for index in range(m.pick((0, 0, 1, 2, 3)) if m.size["system"] == 2 else m.pick((0, 0, 0, 0, 1))):
        m.add("pods", {"id": f"pod{index}"})


def head(m: Maker) -> None:
    """Profiles, completeness and replaced parameters."""
    design = m.design
    m.put(design, "profile", m.pick(("seed", "vendor-published")), 0.5)
    m.put(design, "storageProfile", m.pick(PROFILES), 0.65)
    m.put(design, "complete", m.chance(0.85), 0.35)
    choices: dict[str, tuple[Number, ...]] = {
        "continuousFraction": (1, D("0.9"), D("0.75")), "sqrt3": (D("1.6"), D("1.732"), D("1.75")),
        "upsMargin": (0, D("0.2"), D("0.25")), "measuredMargin": (0, D("0.25"), D("0.05")),
        "balanceMargin": (1, D("1.25"), D("1.05")), "phaseImbalanceMax": (0, D("0.05"), D("0.2"), D("0.5")),
        "netEfficiency": (1, D("0.5"), D("0.9")), "maxCheckpointHops": (0, 1, 2, 4),
        "roce100TrainingGpuLimit": (8, 16, 24, 32), "nicsPerGpu": (D("0.5"), 2, D("0.25")), "suNodes": (1, 2, 3),
        "densePowerKw": (20, 10, D("20.4")), "denseAmps": (30, 50, 63), "hotTierMinGBps": (50, 80, 200),
        "storageOversubDown": (3, 2, 5), "storageOversubUp": (2, 4, 1),
        "inferenceOversubDown": (4, 2), "inferenceOversubUp": (2, 3), "airHardKw": (15, 18, 25),
        "maxPlausibleDeviceKw": (10, D("10.2"), 50), "maxPlausibleGbps": (400, 399, 100),
        "maxPlausibleVolts": (240, 415),
        "maxPlausibleGBps": (100, 500),
    }  # fmt: skip
    if m.chance(0.25):
        chosen = m.rng.sample(sorted(choices), m.pick((1, 1, 2, 5)))
        design["parameters"] = {name: m.pick(choices[name]) for name in chosen}
