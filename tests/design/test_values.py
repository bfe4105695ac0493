"""Written texts become values of the type that the key expects."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from aikg.design.read import read_mapping
from aikg.design.records import IllTyped
from tests.design.reading import components, one, read


def node(line: str) -> dict[str, Any]:
    """The fields of a node with one more line."""
    return one(read(f"nodes:\n  - id: n1\n    {line}\n"), "nodes").fields


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("10.2", "10.2"),
        ("8", "8"),
        ("8.0", "8"),
        ("-1", "-1"),
        ("+1", "1"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1.02E1", "10.2"),
        ("007", "7"),
        ("999999999999999", "999999999999999"),
        ("0.000000000000001", "0.000000000000001"),
        ("0.10000000000000000000", "0.1"),
        ("0e-9999", "0"),
    ],
)
def test_an_unquoted_number_is_exact(written: str, value: str) -> None:
    assert node(f"maxPowerKw: {written}") == {"maxPowerKw": Decimal(value)}


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ('"10.2"', "10.2"),
        ("'8'", "8"),
        ("10.2 kW", "10.2 kW"),
        ("true", "true"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("NaN", "NaN"),
        ("1e15", "1e15"),
        ("1e999999999", "1e999999999"),
        ("0.0000000000000001", "0.0000000000000001"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("1,5", "1,5"),
        ("\u0661", "\u0661"),
        ("2001-01-01", "2001-01-01"),
    ],
)
def test_anything_else_in_a_number_field_is_kept_as_written(written: str, kept: str) -> None:
    assert node(f"maxPowerKw: {written}") == {"maxPowerKw": IllTyped(kept)}


@pytest.mark.parametrize("written", ["", "null", "~", '""', "''", '"  "'])
def test_nothing_written_is_missing(written: str) -> None:
    assert node(f"maxPowerKw: {written}") == {}
    assert node(f"su: {written}") == {}


def test_quoted_null_is_a_text() -> None:
    assert node('su: "null"') == {"su": "null"}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("false", False),
        ("yes", IllTyped("yes")),
        ("on", IllTyped("on")),
        ("True", IllTyped("True")),
        ('"true"', IllTyped("true")),
        ("1", IllTyped("1")),
    ],
)
def test_only_true_and_false_are_booleans(written: str, value: object) -> None:
    assert node(f"liquidLoop: {written}") == {"liquidLoop": value}


@pytest.mark.parametrize("written", ["01", "1", "1.0", "true", "no", "1e3", "2001-01-01", "0x10"])
def test_a_text_field_keeps_the_text(written: str) -> None:
    assert node(f"su: {written}") == {"su": written}
    assert node(f"rack: {written}") == {"rack": written}


def test_ids_and_ports_keep_leading_zeros() -> None:
    source = read("links:\n  - {id: 01, a: {device: 007, port: 01}, b: {device: s, port: 1}}\n")
    link = one(source, "links")
    assert link.name == "01"
    assert link.fields["a"] == {"device": "007", "port": "01"}


def test_null_in_a_list_is_left_out() -> None:
    assert node("coolingSupported: [air, null, rdhx]") == {"coolingSupported": ["air", "rdhx"]}


def test_an_empty_list_stays_an_empty_list() -> None:
    assert node("nics: []") == {"nics": []}


def test_python_floats_are_read_by_their_shortest_spelling() -> None:
    source = read_mapping({"nodes": [{"id": "n1", "maxPowerKw": 10.2, "gpus": 8, "weightKg": 1e300}]})
    assert one(source, "nodes").fields == {
        "maxPowerKw": Decimal("10.2"),
        "gpus": Decimal(8),
        "weightKg": IllTyped("1e+300"),
    }


def test_python_booleans_and_none_are_read() -> None:
    source = read_mapping({"nodes": [{"id": "n1", "maxPowerKw": True, "liquidLoop": True, "rack": None}]})
    assert one(source, "nodes").fields == {"maxPowerKw": IllTyped("true"), "liquidLoop": True}


def test_top_of_the_file_becomes_the_first_record() -> None:
    source = read(
        """
        aikg: 1
        name: cluster
        profile: seed
        complete: true
        parameters: {upsMargin: 1.2, storageOversub: [4, 3]}
        site: {utilityKw: 100}
        """
    )
    first = source.records[0]
    assert (source.name, first.kind, first.name) == ("cluster", "design", "design")
    assert first.fields == {
        "name": "cluster",
        "profile": "seed",
        "complete": True,
        "parameters": {
            "upsMargin": Decimal("1.2"),
            "storageOversubDown": Decimal(4),
            "storageOversubUp": Decimal(3),
        },
    }
    assert first.where(("parameters", "storageOversubUp")).line == 5
    assert components(source, "site") == {"site": {"utilityKw": Decimal(100)}}


def test_a_parameter_that_is_zero_or_no_number_is_kept() -> None:
    source = read('parameters: {upsMargin: "1.2", netEfficiency: 0, inferenceOversub: [0, x]}\nnodes: [{id: a}]\n')
    assert source.records[0].fields["parameters"] == {
        "upsMargin": IllTyped("1.2"),
        "netEfficiency": Decimal(0),
        "inferenceOversubDown": Decimal(0),
        "inferenceOversubUp": IllTyped("x"),
    }


def test_a_design_without_name_is_called_like_its_file() -> None:
    assert read("nodes: [{id: a}]").name == "demo"


def test_expected_verdicts_are_kept() -> None:
    source = read("nodes: [{id: a}]\nexpect:\n  - {rule: COO-001, focus: r1, verdict: pass}\n")
    assert source.expect == [("COO-001", "r1", "pass")]


def test_every_value_knows_its_line_and_column() -> None:
    source = read(
        """
        nodes:
          - id: n1
            rack: r1
            nics:
              - id: c0
                lossless:
                  pfc: true
        """
    )
    record = one(source, "nodes")
    assert (record.origin.file, record.origin.line, record.origin.column) == ("d.yaml", 2, 5)
    assert (record.where(("rack",)).line, record.where(("rack",)).column) == (3, 11)
    assert record.where(("nics", 0)).line == 5
    assert record.where(("nics", 0, "lossless", "pfc")).line == 7
    assert record.where(("nics", 0, "speedGbps")).line == 5
    assert record.where(("model",)).line == 2
