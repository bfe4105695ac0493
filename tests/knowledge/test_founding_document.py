"""Every statement of the founding document that the catalogue records, by number, as it is asserted in the Turtle."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.knowledge.sources import Value, facts

D = Decimal
HOT = ("gpfs", "lustre", "weka", "vast", "ddn")
WARM = ("all-nvme", "nvme-of")
COLD = ("s3", "ceph", "minio")
Assertion = tuple[str, str, set[Value]]


def each(items: tuple[str, ...], prop: str, values: set[Value]) -> list[Assertion]:
    return [(item, prop, values) for item in items]


STATEMENTS: dict[str, list[Assertion]] = {
    "S13": [("dgx-h100", "gpus", {D(8)}), ("dgx-h100", "gpuModel", {"h100-sxm5"})],
    "S14": [("dgx-h100", "gpuMemoryGB", {D(640)}), ("dgx-h100", "gpuMemoryType", {"HBM3"})],
    "S15": [("dgx-h100", "nvlinkVersion", {"4.0"}), ("dgx-h100", "nvlinkGBps", {D(900)})],
    "S16": [("dgx-h100", "maxPowerKw", {D("10.2")})],
    "S17": [("dgx-h100", "rackUnits", {D(6)})],
    "S18": [("dgx-h200", "gpus", {D(8)}), ("dgx-h200", "gpuModel", {"h200-sxm5"})],
    "S19": [("dgx-h200", "gpuMemoryGB", {D(1100)}), ("dgx-h200", "gpuMemoryType", {"HBM3e"})],
    "S20": [("dgx-h200", "nvlinkVersion", {"4.0"}), ("dgx-h200", "nvlinkGBps", {D(900)})],
    "S21": [("dgx-h200", "maxPowerKw", {D("10.2")})],
    "S22": [("dgx-h200", "rackUnits", {D(6)})],
    "S23": [("hgx-h100", "gpus", {D(8)}), ("hgx-h100", "gpuModel", {"h100-sxm5"})],
    "S24": [("hgx-h100", "gpuMemoryGB", {D(640)}), ("hgx-h100", "gpuMemoryType", {"HBM3"})],
    "S25": [("hgx-h100", "nvlinkVersion", {"4.0"}), ("hgx-h100", "nvlinkGBps", set())],
    "S26": [("hgx-h100", "maxPowerKw", {D("10.2")})],
    "S27": [("hgx-h100", "rackUnits", set())],
    "S28": [("oem-4gpu", "gpus", {D(4)}), ("oem-4gpu", "gpuModel", {"h100-pcie"})],
    "S29": [("oem-4gpu", "gpuMemoryGB", {D(320)}), ("oem-4gpu", "gpuMemoryType", {"HBM3"})],
    "S30": [("oem-4gpu", "nvlinkVersion", {"3.0"}), ("oem-4gpu", "nvlinkGBps", {D(600)})],
    "S31": [("oem-4gpu", "maxPowerRangeLowKw", {D(5)}), ("oem-4gpu", "maxPowerKw", {D(6)})],
    "S32": [("oem-4gpu", "rackUnits", {D(2)})],
    "S36": [("ib-ndr", "nominalGbps", {D(400)}), ("ib-ndr", "family", {"ib"})],
    "S37": [("ib-ndr", "latencyMaxUs", {D("0.5")})],
    "S38": [("ib-ndr", "scale", {"1,000+ GPUs"}), ("ib-ndr", "scaleFromGpus", {D(1000)})],
    "S39": [("ib-ndr", "costClass", {"high"})],
    "S40": [("ib-ndr", "suitedFor", {"large training", "frontier models"})],
    "S41": [("ib-hdr", "nominalGbps", {D(200)}), ("ib-hdr", "family", {"ib"})],
    "S42": [("ib-hdr", "latencyMaxUs", {D("0.6")})],
    "S43": [("ib-hdr", "scale", {"500+ GPUs"}), ("ib-hdr", "scaleFromGpus", {D(500)})],
    "S44": [("ib-hdr", "costClass", {"medium-high"})],
    "S45": [("ib-hdr", "suitedFor", {"mid-scale training", "HPC"})],
    "S46": [("roce-400", "nominalGbps", {D(400)}), ("roce-400", "family", {"eth"})],
    "S47": [("roce-400", "latencyMinUs", {D(1)}), ("roce-400", "latencyMaxUs", {D(3)})],
    "S48": [("roce-400", "scale", {"unlimited"}), ("roce-400", "scaleFromGpus", set())],
    "S49": [("roce-400", "costClass", {"medium"})],
    "S50": [("roce-400", "suitedFor", {"large inference", "cost-sensitive training"})],
    "S51": [("roce-100", "nominalGbps", {D(100)}), ("roce-100", "family", {"eth"})],
    "S52": [("roce-100", "latencyMinUs", {D(1)}), ("roce-100", "latencyMaxUs", {D(5)})],
    "S53": [("roce-100", "scale", {"unlimited"}), ("roce-100", "scaleFromGpus", set())],
    "S54": [("roce-100", "costClass", {"low-medium"})],
    "S55": [("roce-100", "suitedFor", {"small clusters", "inference", "dev/test"})],
    "S58": [("profile-seed", "fullReadGBpsPerGpu", {D(200) / 8}), ("profile-seed", "nodeReadGBpsPerGpu", {D(200) / 8})],
    "S59": [("profile-seed", "aggregateReadGBpsPerGpu", {D(12000) / (64 * 8)})],
    "S61": each(HOT, "fitsTier", {"hot"}),
    "S62": [
        ("tier-hot", "tierHolds", {"active data", "checkpoints", "model weights"}),
        *each(("active-dataset", "active-checkpoint", "model-weights"), "allowedTier", {"hot"}),
    ],
    "S63": [("tier-hot", "tierRate", {"hundreds of GB/s sequential"})],
    "S64": each(WARM, "fitsTier", {"warm"}),
    "S65": [
        ("tier-warm", "tierHolds", {"preprocessed data", "recent checkpoints", "inference models"}),
        *each(("preprocessed-dataset", "recent-checkpoint", "inference-model"), "allowedTier", {"hot", "warm"}),
    ],
    "S66": each(COLD, "fitsTier", {"cold"}),
    "S67": [
        ("tier-cold", "tierHolds", {"raw data", "archives", "long-term checkpoints"}),
        *each(("raw-dataset", "archived-model", "long-term-checkpoint"), "allowedTier", {"hot", "warm", "cold"}),
    ],
    "S69": [("dgx-h100", "maxPowerKw", {D("10.2")})],
    "S77": [("air", "rackLimitKw", {D(15)})],
    "S78": [("air", "pueLow", {D("1.4")}), ("air", "pueHigh", {D("2.0")})],
    "S79": [("air", "infrastructure", {"no infrastructure change"}), ("air", "costClass", {"low"})],
    "S80": [("rdhx", "rackLimitKw", {D(30)})],
    "S81": [("rdhx", "pueLow", {D("1.2")}), ("rdhx", "pueHigh", {D("1.5")})],
    "S82": [("rdhx", "infrastructure", {"chilled water to the rack"}), ("rdhx", "costClass", {"medium"})],
    "S83": [("dlc", "rackLimitKw", {D(60)})],
    "S84": [("dlc", "pueLow", {D("1.1")}), ("dlc", "pueHigh", {D("1.3")})],
    "S85": [("dlc", "infrastructure", {"liquid loop to each server"}), ("dlc", "costClass", {"high"})],
    "S86": [("immersion", "rackLimitKw", {D(100)})],
    "S87": [("immersion", "pueLow", {D("1.02")}), ("immersion", "pueHigh", {D("1.1")})],
    "S88": [("immersion", "infrastructure", {"complete facility redesign"}), ("immersion", "costClass", {"very high"})],
}
# Statements of which a part says that there is no figure: the catalogue must have none either.
NOT_STATED = {"S25", "S27", "S48", "S53"}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statement_is_asserted_with_its_number(statement: str) -> None:
    for item, prop, values in STATEMENTS[statement]:
        fact = facts().get((item, prop))
        if not values:
            assert statement in NOT_STATED
            assert fact is None or not fact.seed, (item, prop)
            continue
        assert fact is not None, (item, prop)
        assert fact.seed == values, (item, prop)
        cited = re.findall(r"S\d+", fact.texts["seedSource"])
        assert statement in cited, (item, prop, fact.texts["seedSource"])


def test_figures_with_a_plus_are_open_ended() -> None:
    marked = {(fact.item, fact.property) for fact in facts().values() if fact.texts.get("openEnded") == "true"}
    assert marked == {("immersion", "rackLimitKw"), ("ib-ndr", "scaleFromGpus"), ("ib-hdr", "scaleFromGpus")}


def test_no_statement_that_the_catalogue_records_is_left_out(shared_dir: Path) -> None:
    """The list of statements says which are catalogue facts; the ranges without a figure of their own are left out."""
    text = (shared_dir / "rules" / "seed_statements.md").read_text()
    recorded = set(re.findall(r"^\| (S\d+) \|.*\| (?:catalogue)[^|]*\|$", text, re.MULTILINE))
    # S6 and S76 name the four technologies themselves, which test_catalogue counts.
    assert recorded - set(STATEMENTS) <= {"S6", "S76"}, recorded - set(STATEMENTS)


def test_every_citation_is_a_statement_of_the_document(shared_dir: Path) -> None:
    text = (shared_dir / "rules" / "seed_statements.md").read_text()
    known = set(re.findall(r"^\| (S\d+) \|", text, re.MULTILINE))
    for fact in facts().values():
        for cited in re.findall(r"\bS\d+\b", fact.texts.get("seedSource", "")):
            assert cited in known, (fact.item, fact.property, cited)
