"""HermiT finds the ontology and catalogue consistent, and defined classes hold what they should."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.knowledge.hermit import Classification, InconsistentError, classify
from tests.knowledge.sources import facts, ontology, rows

PREFIXES = """
@prefix aikg: <https://w3id.org/aikg/ontology#> . @prefix cat: <https://w3id.org/aikg/catalogue/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix d: <https://w3id.org/aikg/design/x/> .
"""
DESIGN = (
    PREFIXES
    + """
d:train a owl:NamedIndividual , aikg:Fabric ; aikg:role "training" ; aikg:technology cat:ib-ndr .
d:infer a owl:NamedIndividual , aikg:Fabric ; aikg:role "inference" ; aikg:technology cat:roce-400 .
d:store a owl:NamedIndividual , aikg:Fabric ; aikg:role "storage" ; aikg:technology cat:ethernet .
d:oob a owl:NamedIndividual , aikg:Fabric ; aikg:role "oob" ; aikg:technology cat:ethernet .
d:inband a owl:NamedIndividual , aikg:Fabric ; aikg:role "inband" ; aikg:technology cat:ethernet .
d:both a owl:NamedIndividual , aikg:Node ; aikg:role "both" ; aikg:gpus 8 .
d:service a owl:NamedIndividual , aikg:Node ; aikg:role "service" ; aikg:gpus 0 .
d:fast a owl:NamedIndividual , aikg:StorageSystem ; aikg:tier "hot" ; aikg:uses "checkpoint" , "scratch" .
d:slow a owl:NamedIndividual , aikg:StorageSystem ; aikg:tier "cold" .
d:edge a owl:NamedIndividual , aikg:Rack ; aikg:coolingTechnology cat:air ; aikg:rackKnownKw 15.0 .
d:over a owl:NamedIndividual , aikg:Rack ; aikg:coolingTechnology cat:rdhx ; aikg:rackKnownKw 15.1 .
d:hotbox a owl:NamedIndividual , aikg:Platform ; aikg:maxPowerKw 15.1 ; aikg:coolingSupported cat:air .
"""
)


@pytest.fixture(scope="module")
def classified() -> Classification:
    """One run of the reasoner over ontology, catalogue and a small design. Fails where there is no Java."""
    return classify(DESIGN)


def test_no_class_is_unsatisfiable(classified: Classification) -> None:
    assert classified.unsatisfiable == frozenset()


@pytest.mark.parametrize(
    ("cls", "members"),
    [
        ("AirCoolablePlatform", "dgx-h100 dgx-h200 hgx-h100 oem-4gpu"),
        ("LiquidCoolablePlatform", "hgx-h100"),
        ("LiquidRequiredPlatform", "hotbox"),
        ("NvlinkPlatform", "dgx-h100 dgx-h200 hgx-h100 oem-4gpu"),
        ("CurrentGpuModel", "h100-pcie h100-sxm5 h200-sxm5"),
        ("GpuNode", "both"),
        ("TrainingNode", "both"),
        ("InfiniBandTechnology", "ib-hdr ib-ndr"),
        ("EthernetTechnology", "ethernet roce-100 roce-400"),
        ("RoceTechnology", "roce-100 roce-400"),
        ("InfiniBandFabric", "train"),
        ("EthernetFabric", "inband infer oob store"),
        ("NativelyLosslessFabric", "train"),
        ("TrainingFabric", "train"),
        ("InferenceFabric", "infer"),
        ("StorageFabric", "store"),
        ("InbandFabric", "inband"),
        ("OobFabric", "oob"),
        ("DataFabric", "infer store train"),
        ("HotTierTechnology", "ddn gpfs lustre vast weka"),
        ("WarmTierTechnology", "all-nvme nvme-of"),
        ("ColdTierTechnology", "ceph minio s3"),
        ("HotTierStorage", "fast"),
        ("ColdTierStorage", "slow"),
        ("CheckpointStorage", "fast"),
        ("LiquidCooling", "dlc immersion rdhx"),
        ("AirCooledRack", "edge"),
        ("LiquidCooledRack", "over"),
        ("NeedsLiquidRack", "over"),
        ("Device", "both fast service slow"),
    ],
)
def test_defined_class_holds_exactly(classified: Classification, cls: str, members: str) -> None:
    assert sorted(classified.members.get(cls, ())) == members.split()


@pytest.mark.parametrize(
    "contradiction",
    [
        "d:f a owl:NamedIndividual , aikg:TrainingFabric , aikg:InferenceFabric .",
        "d:x a owl:NamedIndividual , aikg:Node , aikg:Switch .",
        "cat:dgx-h100 aikg:maxPowerKw 11.0 .",
    ],
    ids=["two roles", "two kinds of device", "two maximum powers"],
)
def test_contradiction_is_found(contradiction: str) -> None:
    with pytest.raises(InconsistentError):
        classify(PREFIXES + contradiction)


def test_figures_in_the_axioms_are_the_catalogues() -> None:
    """Class axioms hold a number of their own; it is the air limit of the cooling table."""
    (limit,) = facts()["air", "rackLimitKw"].seed
    used = rows(ontology(), "SELECT ?v WHERE { ?facet xsd:minExclusive|xsd:maxInclusive ?v }")
    assert len(used) == 3
    assert {Decimal(str(row["v"])) for row in used} == {limit}
