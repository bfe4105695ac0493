"""The authoring vocabulary as read from the ontology, and its JSON Schema."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from aikg.design.json_schema import json_schema
from aikg.design.key_order import COLLECTION_ORDER, KEY_RANK
from aikg.design.read import read_mapping
from aikg.design.schema import load_schema
from aikg.knowledge import data_root


def test_each_kind_of_key_is_known_with_its_type() -> None:
    node = load_schema().keys["Node"]
    assert (node["maxPowerKw"].datatype, node["maxPowerKw"].unit) == ("decimal", "kW")
    assert node["gpus"].datatype == "integer"
    assert node["liquidLoop"].datatype == "boolean"
    assert node["role"].allowed == ("both", "inference", "service", "training")
    assert node["rack"].reference == {"racks"}
    assert node["model"].catalogue and not node["model"].multiple
    assert node["coolingSupported"].catalogue and node["coolingSupported"].multiple
    assert (node["nics"].nested, node["psus"].nested) == ("Nic", "Psu")
    assert load_schema().keys["LinkEnd"]["device"].reference == load_schema().device_kinds


def test_values_may_differ_from_class_to_class() -> None:
    schema = load_schema()
    assert schema.keys["Workload"]["kind"].allowed == ("inference", "training")
    assert schema.keys["LinkEnd"]["kind"].allowed == ("mgmt",)


def test_a_class_without_keys_is_known() -> None:
    assert load_schema().keys["Pod"] == {}


def test_expected_values_are_named_in_words() -> None:
    schema = load_schema()
    assert schema.expected("maxPowerKw") == "<number in kW>"
    assert schema.expected("coolingTechnology") == "<name in the catalogue>"
    assert schema.expected("rack") == "<name of one of racks>"
    assert schema.expected("pcieLanes") == "<whole number>"


def test_reading_the_schema_takes_milliseconds() -> None:
    times = []
    for _ in range(5):
        load_schema.cache_clear()
        start = time.perf_counter()
        load_schema()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.05  # 9 ms; the limit allows for a busy machine


def test_every_key_and_collection_has_a_place_in_the_written_order() -> None:
    schema = load_schema()
    assert set(COLLECTION_ORDER) == set(schema.class_of)
    missing = {name for keys in schema.keys.values() for name in keys} - set(KEY_RANK)
    assert not missing


def test_json_schema_is_valid_and_describes_every_key() -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    for cls, keys in load_schema().keys.items():
        properties = schema["properties"] if cls == "Design" else schema["$defs"][cls]["properties"]
        for name, key in keys.items():
            assert properties[name]["description"].startswith(key.definition)
            assert key.unit in ("", "1") or key.unit in properties[name]["description"]


def test_json_schema_accepts_the_example_designs() -> None:
    validator = Draft202012Validator(json_schema())
    files = sorted((data_root() / "data" / "designs").glob("*.yaml"))
    assert files
    for file in files:
        found = [error.message for error in validator.iter_errors(yaml.safe_load(file.read_text("utf-8")))]
        assert not found, (file, found)


def test_json_schema_accepts_what_the_reader_finds_well_typed(shared_dir: Path) -> None:
    validator = Draft202012Validator(json_schema())
    for design in vector_designs(shared_dir):
        if "IllTyped" not in repr(read_mapping(design).records):
            plain = json.loads(json.dumps(design, default=float))
            assert not [error.message for error in validator.iter_errors(plain)]


def test_json_schema_refuses_misspelt_keys_and_wrong_types() -> None:
    validator = Draft202012Validator(json_schema())
    for design in (
        {"nodse": []},
        {"nodes": [{"id": "n1", "maxPowerKW": 1}]},
        {"nodes": [{"model": "dgx-h100"}]},
        {"nodes": [{"id": "n1", "maxPowerKw": "10.2 kW"}]},
        {"nodes": [{"id": "n1", "role": "trainign"}]},
        {"cabling": [{"pattern": "mesh"}]},
        {"parameters": {"upsMargn": 2}},
    ):
        assert list(validator.iter_errors(design)), design


def vector_designs(shared_dir: Path) -> list[dict[str, Any]]:
    """The designs of the published rule vectors, numbers as decimals."""
    text = (shared_dir / "rules" / "vectors.json").read_text("utf-8")
    return [vector["design"] for vector in json.loads(text, parse_float=Decimal)["vectors"]]
