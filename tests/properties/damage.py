"""What people get wrong: facts left out, text in number fields, references to nothing or to the wrong kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .maker import Entry, Maker

_NUMBERS = (
    "utilityKw coolingCapacityKw declaredPue rackUnits weightCapacityKg coolingLimitOverrideKw "
    "liquidCaptureFraction gpus gpuMemoryGB maxPowerKw measuredPeakKw weightKg psuCount psusNeeded psusMin "
    "inputVoltsMin inputVoltsMax speedGbps pcieGen pcieLanes portCount portSpeedGbps maxBreakout readGBps "
    "writeGBps singleClientReadGBps capacityTB volts amps phases outletVolts ratedKw ratedAmps "
    "requiredGpuMemoryGB requiredGbpsPerGpu maxFabricLatencyUs checkpointSizeGB maxCheckpointSeconds sizeTB"
)
NUMBERS = frozenset(_NUMBERS.split())
# Keys whose mere presence the oracle reads, or whose value it takes without a check: never null.
NEVER_NULL = frozenset(("measuredPeakKw", "coolingLimitOverrideKw"))
REFERENCES = frozenset(("rack", "pod", "pdu", "circuit", "fabric", "storage", "device", "checkpointStorage"))
_POSITIVE = (
    "maxPowerKw speedGbps portSpeedGbps volts amps readGBps writeGBps ratedKw ratedAmps rackUnits weightKg "
    "portCount capacityTB sizeTB"
)
POSITIVE = frozenset(_POSITIVE.split())
FIXED = frozenset(("id", "parameters", "name", "aikg"))
COLLECTIONS = (
    "racks", "nodes", "switches", "storage", "links", "fabrics", "circuits", "pdus", "ups", "generators", "workloads",
    "pods", "datasets",
)  # fmt: skip


def entries(value: Any) -> Iterator[Entry]:
    """Every mapping inside a value, the value itself included, but not the parameters."""
    if isinstance(value, dict):
        yield value
        for key, inner in value.items():
            if key != "parameters":
                yield from entries(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from entries(inner)


def drop_keys(m: Maker, probability: float) -> None:
    """Leave out any key of any entry, never an id; at the top that is a whole collection, half as often at most."""
    for entry in list(entries(m.design)):
        top = entry is m.design
        for key in [key for key in entry if key not in FIXED]:
            if m.chance(min(probability, 0.06) / 2 if top else probability):
                del entry[key]


def drop_entries(m: Maker, probability: float) -> None:
    """Leave out entries, which leaves references to nothing behind."""
    for name in COLLECTIONS:
        if name in m.design:
            m.design[name] = [entry for entry in m.design[name] if not m.chance(probability)]


def mistype(m: Maker, probability: float) -> None:
    """Text, a truth value or null where a number belongs."""
    for entry in entries(m.design):
        for key in [key for key in entry if key in NUMBERS]:
            if m.chance(probability):
                wrong: Any = m.pick(("10.2 kW", "n/a", "12", True, False, None))
                entry[key] = True if wrong is None and key in NEVER_NULL else wrong
        if m.chance(probability / 4):
            key = m.pick(("plug", "portConnector", "rack", "model", "role", "su"))
            if key in entry:
                entry[key] = None


def misname(m: Maker, probability: float) -> None:
    """References to what does not exist, or to a component of another kind."""
    names = [name for collection in COLLECTIONS for name in m.ids(collection)]
    for entry in entries(m.design):
        for key in [key for key in entry if key in REFERENCES and isinstance(entry[key], str)]:
            if m.chance(probability):
                entry[key] = m.pick(names) if names and m.chance(0.3) else m.pick(("ghost", "r9", "nope"))


def unsign(m: Maker, probability: float) -> None:
    """Zero or negative ratings."""
    for entry in entries(m.design):
        for key in [key for key in entry if key in POSITIVE]:
            if m.chance(probability):
                entry[key] = m.pick((0, 0, -1, -10))


def damage(m: Maker) -> None:
    """Damage of one kind or several, or none."""
    if m.chance(0.55):
        drop_keys(m, m.pick((0.004, 0.02, 0.02, 0.08, 0.2)))
    if m.chance(0.15):
        drop_entries(m, m.pick((0.02, 0.1)))
    if m.chance(0.25):
        mistype(m, m.pick((0.01, 0.05)))
    if m.chance(0.2):
        misname(m, m.pick((0.01, 0.05)))
    if m.chance(0.12):
        unsign(m, m.pick((0.01, 0.05)))
