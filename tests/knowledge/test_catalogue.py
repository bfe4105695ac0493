"""The catalogue's figures are the ones that the rules were defined with, and each has its source."""

from __future__ import annotations

import importlib.util
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pyoxigraph as ox
import pytest

from tests.knowledge.sources import AIKG, RDF_TYPE, Value, catalogue, facts, items_of, local, ontology, rows

PROFILES = ("seed", "vendor-published")
# Properties of the oracle's platform table -> properties of the ontology.
PLATFORM_COLUMNS = {
    "gpus": "gpus",
    "gpuModel": "gpuModel",
    "maxPowerKw": "maxPowerKw",
    "rackUnits": "rackUnits",
    "weightKg": "weightKg",
    "gpuMemoryGB": "gpuMemoryGB",
    "nvlinkGBps": "nvlinkGBps",
    "cooling": "coolingSupported",
    "psus": "psuCount",
    "psusNeeded": "psusNeeded",
    "psusMin": "psusMin",
    "psuKw": "psuRatedKw",
}
SPLIT_PARAMETERS = {
    "storageOversub": ("storageOversubDown", "storageOversubUp"),
    "inferenceOversub": ("inferenceOversubDown", "inferenceOversubUp"),
}


@pytest.fixture(scope="module")
def oracle(shared_dir: Path) -> ModuleType:
    """The rules' reference in plain Python."""
    spec = importlib.util.spec_from_file_location("rules_reference", shared_dir / "rules" / "reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def effective(item: str, prop: str, profile: str = "vendor-published") -> frozenset[Value]:
    """The values of a fact under a profile; none where there is no such fact."""
    fact = facts().get((item, prop))
    return fact.effective(profile) if fact else frozenset()


def one(value: object) -> frozenset[object]:
    """What the oracle's value means as a set of values: text and numbers one, sets themselves, None none."""
    if value is None:
        return frozenset()
    if isinstance(value, set | frozenset):
        return frozenset(value)
    return frozenset([Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value])


@pytest.mark.parametrize("profile", PROFILES)
def test_platforms_equal_the_oracle(oracle: ModuleType, profile: str) -> None:
    for model, row in oracle.CATALOGUE.items():
        assert model in items_of("Platform")
        for column, prop in PLATFORM_COLUMNS.items():
            expected = row[column]
            if isinstance(expected, list):
                seed, vendor = expected
                expected = seed if (profile == "seed" and seed is not None) or vendor is None else vendor
            assert effective(model, prop, profile) == one(expected), (model, prop, profile)
        volts = row["inputV"] or (None, None)
        assert effective(model, "inputVoltsMin", profile) == one(volts[0]), model
        assert effective(model, "inputVoltsMax", profile) == one(volts[1]), model
        assert effective(model, "gpuInterconnect", profile) == {"nvlink"}, model


def test_both_columns_of_platforms_equal_the_oracle(oracle: ModuleType) -> None:
    for model, row in oracle.CATALOGUE.items():
        for column, prop in PLATFORM_COLUMNS.items():
            if isinstance(row[column], list):
                fact = facts().get((model, prop))
                both = (fact.seed, fact.vendor) if fact else (frozenset(), frozenset())
                assert both == (one(row[column][0]), one(row[column][1])), (model, prop)


def test_platforms_whose_figures_differ_are_the_oracles(oracle: ModuleType) -> None:
    def differs(model: str) -> bool:
        return any(f.seed and (f.seed != f.vendor) for (item, _), f in facts().items() if item == model)

    assert {model for model in items_of("Platform") if differs(model)} == oracle.DIFFERS


@pytest.mark.parametrize("profile", PROFILES)
def test_cooling_equals_the_oracle(oracle: ModuleType, profile: str) -> None:
    assert items_of("CoolingTechnology") == set(oracle.COOL)
    for technology, (limit, low, high) in oracle.COOL.items():
        assert effective(technology, "rackLimitKw", profile) == {limit}
        assert effective(technology, "pueLow", profile) == {low}
        assert effective(technology, "pueHigh", profile) == {high}


@pytest.mark.parametrize("profile", PROFILES)
def test_fabric_technologies_equal_the_oracle(oracle: ModuleType, profile: str) -> None:
    assert items_of("FabricTechnology") == set(oracle.TECH)
    for technology, (family, rate, latency) in oracle.TECH.items():
        assert effective(technology, "family", profile) == {family}
        assert effective(technology, "nominalGbps", profile) == one(rate)
        assert effective(technology, "latencyMaxUs", profile) == one(latency)
        assert effective(technology, "requiresLosslessSetting", profile) == {technology.startswith("roce")}
        assert effective(technology, "nativelyLossless", profile) == {family == "ib"}


def test_tier_technologies_equal_the_oracle(oracle: ModuleType) -> None:
    tiers: dict[str, set[str]] = {}
    for technology in items_of("StorageTechnology"):
        (tier,) = effective(technology, "fitsTier")
        tiers.setdefault(str(tier), set()).add(technology)
    assert tiers == oracle.TIERTECH


def test_placement_equals_the_oracle(oracle: ModuleType) -> None:
    assert {cls: effective(cls, "allowedTier") for cls in items_of("DataClass")} == oracle.PLACE


def test_pcie_equals_the_oracle(oracle: ModuleType) -> None:
    rates = {effective(i, "generation"): effective(i, "gbpsPerLane") for i in items_of("PcieGeneration")}
    assert rates == {one(generation): one(rate) for generation, rate in oracle.PCIE.items()}


def test_storage_profiles_equal_the_oracle(oracle: ModuleType) -> None:
    assert items_of("StorageProfile") == {
        f"profile-{name}" for name in ("seed", "nvidia-best", "nvidia-better", "nvidia-good", "image-heavy")
    }
    for name, rate in oracle.AGG.items():
        assert effective(f"profile-{name}", "aggregateReadGBpsPerUnit") == {rate}
    for name, rate in oracle.ONE.items():
        assert effective(f"profile-{name}", "nodeReadGBps") == {rate}
    assert effective("profile-seed", "aggregateReadGBpsPerGpu") == {Decimal("23.4375")}
    assert effective("profile-seed", "fullReadGBpsPerGpu") == {Decimal(25)}
    assert effective("profile-seed", "nodeReadGBpsPerGpu") == {Decimal(25)}
    assert effective("profile-image-heavy", "aggregateReadGBpsPerGpu") == {Decimal(4)}
    assert effective("profile-image-heavy", "nodeReadGBpsPerGpu") == {Decimal(4)}


def test_profile_and_tier_names_are_those_of_the_authoring_keys() -> None:
    names = {str(row["n"]) for row in rows(catalogue(), "SELECT ?n WHERE { ?i aikg:profileName ?n }")}
    allowed = {
        str(row["v"]) for row in rows(ontology(), "SELECT ?v WHERE { aikg:storageProfile aikg:allowedValue ?v }")
    }
    assert names == allowed
    tiers = {str(row["n"]) for row in rows(catalogue(), "SELECT ?n WHERE { ?i aikg:tierName ?n }")}
    allowed_tiers = rows(
        ontology(),
        """SELECT ?v WHERE {
             aikg:tier aikg:allowedValueIn [ aikg:authoredIn aikg:StorageSystem ; aikg:allowedValue ?v ] }""",
    )
    assert tiers == {str(row["v"]) for row in allowed_tiers}


def test_parameters_equal_the_oracle(oracle: ModuleType) -> None:
    expected: dict[str, Decimal] = {}
    for name, value in oracle.PARAMS.items():
        names = SPLIT_PARAMETERS.get(name, (name,))
        values = value if isinstance(value, tuple) else (value,)
        expected |= {n: Decimal(v) for n, v in zip(names, values, strict=True)}
    said = rows(
        ontology(),
        """SELECT ?p ?v WHERE {
             ?p a aikg:Parameter ; aikg:defaultValue ?v ; aikg:unit ?u . FILTER(DATATYPE(?v) = xsd:decimal) }""",
    )
    assert {local(str(row["p"])): Decimal(str(row["v"])) for row in said} == expected


def test_every_value_has_its_source() -> None:
    for fact in facts().values():
        where = (fact.item, fact.property)
        assert bool(fact.seed) == ("seedSource" in fact.texts), where
        assert bool(fact.vendor or "vendorStates" in fact.texts) == ("vendorSource" in fact.texts), where
        assert fact.seed or fact.vendor or "vendorStates" in fact.texts, where
        assert not (fact.vendor and "vendorStates" in fact.texts), where
        assert all(text.strip() for text in fact.texts.values()), where
        if fact.seed:
            assert fact.texts["seedSource"].startswith("Founding document, S"), where


def test_no_figure_stands_directly_on_an_item() -> None:
    direct = rows(catalogue(), "SELECT DISTINCT ?p WHERE { ?item a ?c ; ?p ?v . FILTER(isIRI(?item)) }")
    assert {local(str(row["p"])) for row in direct} == {"type", "label", "note", "fact", "profileName", "tierName"}


def test_values_have_the_type_that_the_property_says() -> None:
    ranges = {
        local(str(row["p"])): str(row["r"]) for row in rows(ontology(), "SELECT ?p ?r WHERE { ?p rdfs:range ?r }")
    }
    for row in rows(
        catalogue(),
        """SELECT ?i ?p ?type ?isItem WHERE {
             ?i aikg:fact ?f . ?f aikg:ofProperty ?p ; aikg:seedValue|aikg:vendorValue ?v
             BIND(DATATYPE(?v) AS ?type) BIND(isIRI(?v) AS ?isItem) }""",
    ):
        prop = local(str(row["p"]))
        if row["isItem"] == "true":
            assert ranges[prop].startswith(AIKG), (row["i"], prop)
        else:
            assert row["type"] == ranges[prop], (row["i"], prop)


def test_every_item_has_a_label_facts_and_one_class_below_catalogue_item() -> None:
    below = {str(row["c"]) for row in rows(ontology(), "SELECT ?c WHERE { ?c rdfs:subClassOf aikg:CatalogueItem }")}
    links = [q for q in catalogue() if q.predicate == RDF_TYPE and isinstance(q.subject, ox.NamedNode)]
    classes: dict[str, list[str]] = {}
    for quad in links:
        classes.setdefault(str(quad.subject), []).append(str(getattr(quad.object, "value", "")))
    with_facts = {item for item, _ in facts()}
    for item, of in classes.items():
        assert len(of) == 1 and of[0] in below, (item, of)
        assert local(item.strip("<>")) in with_facts, item
    labelled = rows(catalogue(), "SELECT ?i WHERE { ?i rdfs:label ?l }")
    assert len(labelled) == len(classes)


def test_references_between_items_resolve() -> None:
    items = {
        local(str(q.subject)[1:-1])
        for q in catalogue()
        if q.predicate == RDF_TYPE and isinstance(q.subject, ox.NamedNode)
    }
    for fact in facts().values():
        if fact.property == "coolingSupported":
            assert fact.seed | fact.vendor <= items, fact


def test_typical_power_is_never_the_maximum() -> None:
    for switch in items_of("SwitchModel"):
        typical, maximum = effective(switch, "typicalPowerKw"), effective(switch, "maxPowerKw")
        assert not typical or typical != maximum, switch
    for switch in ("sn2201", "sn4600c", "sn5600"):
        assert effective(switch, "maxPowerKw") == frozenset(), switch
