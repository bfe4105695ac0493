"""Random designs that exercise every rule of the oracle, every branch and every verdict.

`random_design` builds a small design (mostly up to 6 nodes, 6 switches, 3 storage systems, 25 links, 4 racks) in the
authoring shape of `shared/rules/vectors.json`, unfolded, numbers as `int` or `Decimal`. It then adds constructs that
chance hardly reaches (`scenarios`), damages it (`damage`: facts left out, text in number fields, references to nothing)
and puts figures exactly on, just below or just above the limits (`limits`, `limits_power`), in either order.

Left out on purpose:

- duplicate ids, also of NICs and supplies in a device: the oracle keeps the last of two in its dictionaries (so
  DAT-013 never fails here); a site without id;
- what makes the oracle raise: null or text in `nics`, `psus`, `uses`, `ports` (count of a NIC), in `parameters` and in
  the profiles; zero `suNodes`; phases other than L1, L2, L3 and their pairs;
- null in `measuredPeakKw` and `coolingLimitOverrideKw` (the oracle asks whether the key is there); empty strings;
- mixed types in what is only compared: `su` and `port` are text, `lane`, `rail` and `pfcPriority` whole numbers;
- values that are not truth values in truth-valued fields, values that are not lists in list fields;
- own `inputVoltsMin`/`inputVoltsMax` that differ from the catalogue on a node of any catalogue platform, DGX included
  (the oracle ignores them, the product honours them), and catalogue platforms as model of a switch;
- a negative `coolingLimitOverrideKw`, fractional counts (GPUs, ports, lanes, supplies), `psuCount: 0` (zero counts as
  missing in the oracle), zero or negative parameters where they would be nonsense (sqrt3, margins below zero);
- more than 32 training nodes (the default `suNodes`; smaller values of the parameter are used instead).

The pairs `storageOversub` and `inferenceOversub` of the oracle are the parameters `storageOversubDown`,
`storageOversubUp`, `inferenceOversubDown` and `inferenceOversubUp` of the product; `oracle.evaluate` translates.
"""

from __future__ import annotations

import random

from . import build_compute, build_fabric, build_facility, limits, limits_power
from .damage import damage
from .maker import LAYERS, Maker
from .oracle import Authoring
from .scenarios import SCENARIOS

TUNERS: dict[str, tuple[limits.Tune, ...]] = {
    "compute": limits.COMPUTE,
    "fabric": limits.FABRIC,
    "storage": limits.STORAGE,
    "power": limits_power.POWER,
    "cooling": limits.COOLING,
    "system": limits_power.SYSTEM,
    "data": (),
}
# What a layer needs of the others to say anything.
_COMPANIONS: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("fabric", "storage", "cooling", "power", "system"), ("compute",)
)


def random_design(rng: random.Random, *, focus: str | None = None) -> Authoring:
    """A random design in the authoring shape.

    Arguments:
        rng: source of every choice; equal seeds give equal designs.
        focus: a layer (compute, fabric, storage, power, cooling, system, data) to make rich; None for a mix of nearly
            empty, single-layer and whole designs.
    """
    shape = "focus" if focus else rng.choices(("empty", "thin", "focus", "whole"), (1, 2, 6, 7))[0]
    if shape == "empty" and rng.random() < 0.35:
        return {}
    size = dict.fromkeys(LAYERS, 0 if shape == "empty" else 1)
    rich: list[str] = []
    if shape == "focus":
        main = focus or rng.choice(LAYERS)
        size |= {layer: rng.choice((0, 1)) for layer in LAYERS}
        rich = [main, *(other for other in _COMPANIONS.get(main, ()) if rng.random() < 0.8)]
    elif shape == "whole":
        rich = [layer for layer in LAYERS if rng.random() < 0.7]
    size |= dict.fromkeys(rich, 2)
    m = Maker(rng, size, good=rng.choice((1.0, 1.0, 1.0, 0.98, 0.9, 0.6)))
    _build(m, shape)
    for scenario in dict.fromkeys(scenario for layer in rich for scenario in SCENARIOS[layer]):
        if m.chance(0.14):
            scenario(m)
    ample = shape == "whole" and m.chance(0.4)
    if ample:
        limits_power.ample(m)
    often = 0.05 if ample else 0.45
    if ample and m.chance(0.5):
        _tune(m, rich, often)
    elif m.chance(0.5):
        damage(m)
        _tune(m, rich, often)
    else:
        _tune(m, rich, often)
        damage(m)
    return m.design


def _build(m: Maker, shape: str) -> None:
    """Build the layers, each from those before it; a nearly empty design has only one or two of them."""
    steps = (
        build_facility.pods, build_compute.racks, build_fabric.fabrics, build_compute.nodes, build_fabric.switches,
        build_facility.storage, build_compute.nics, build_fabric.lossless_path, build_fabric.links,
        build_facility.circuits, build_facility.supplies, build_facility.site, build_facility.workloads,
        build_facility.datasets, build_facility.head,
    )  # fmt: skip
    if shape == "empty":
        chosen = m.rng.sample(range(len(steps)), m.count(1, 4))
        for index in sorted(chosen):
            m.size = dict.fromkeys(LAYERS, m.pick((1, 1, 2)))
            steps[index](m)
        return
    for step in steps:
        step(m)


def _tune(m: Maker, rich: list[str], often: float) -> None:
    """Put some figures on their limits; in rich layers more of them."""
    chosen = [tune for layer in LAYERS for tune in TUNERS[layer] if m.chance(often if layer in rich else often / 4)]
    m.rng.shuffle(chosen)
    if m.chance(0.8):
        chosen.sort(key=lambda tune: tune not in limits.FIRST | limits_power.FIRST)
    for tune in chosen:
        tune(m)
