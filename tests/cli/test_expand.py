"""`aikg expand` and `aikg fmt`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import yaml

from tests.cli.conftest import DESIGN, Outcome

Run = Callable[..., Outcome]


def test_yaml_and_json_hold_the_unfolded_design(aikg: Run, design: Path) -> None:
    for format, read in (("yaml", yaml.safe_load), ("json", json.loads)):
        found = read(aikg("expand", str(design), "--format", format).out)
        assert found["name"] == "small"
        assert [node["id"] for node in found["nodes"]] == ["n1", "n2", "n3", "n4"]
        assert all(node["rack"] == "r1" and node["model"] == "dgx-h100" for node in found["nodes"])


def test_turtle_and_ntriples_hold_the_same_graph(aikg: Run, design: Path) -> None:
    graphs = [
        set(ox.parse(aikg("expand", str(design), "--format", name).out, format=format))
        for name, format in (("ttl", ox.RdfFormat.TURTLE), ("nt", ox.RdfFormat.N_TRIPLES))
    ]
    assert graphs[0] == graphs[1]
    assert len(graphs[0]) > 10


def test_derived_facts_are_added_on_request(aikg: Run, design: Path) -> None:
    assert "rackKnownKw" not in aikg("expand", str(design), "--format", "nt").out
    assert "rackKnownKw" in aikg("expand", str(design), "--format", "nt", "--derived").out


def test_an_expanded_design_can_be_read_again(aikg: Run, design: Path) -> None:
    first = aikg("expand", str(design), "--format", "nt").out
    for format in ("yaml", "json"):
        assert aikg("expand", str(design), "--format", format, "-o", f"small2.{format}") == Outcome(0, "", "")
        assert aikg("expand", f"small2.{format}", "--format", "nt").out == first


def test_fmt_writes_the_canonical_form_once(aikg: Run, tmp_path: Path) -> None:
    file = tmp_path / "untidy.yaml"
    file.write_text(f"# why this exists\n{DESIGN.replace('  - {', '-   {')}", "utf-8")
    outcome = aikg("fmt", "--check", "untidy.yaml")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "aikg: untidy.yaml: not in canonical form; `aikg fmt untidy.yaml` writes it\n"
    assert aikg("fmt", "untidy.yaml").code == 0
    assert "# why this exists" in file.read_text("utf-8")
    assert aikg("fmt", "--check", "untidy.yaml") == Outcome(0, "", "")


def test_a_file_that_is_no_yaml_stays_as_it_is(aikg: Run, tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("nodes: [", "utf-8")
    outcome = aikg("fmt", "broken.yaml")
    assert outcome.code == 2
    assert outcome.err.startswith("aikg: broken.yaml:")
    assert file.read_text("utf-8") == "nodes: ["


def test_fmt_goes_through_folders_and_stops_at_no_bad_file(aikg: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("aikg: 1\nnodes: [", "utf-8")
    (tmp_path / "b.yaml").write_text(DESIGN.replace("  - {", "-   {"), "utf-8")
    (tmp_path / "c.json").write_text('{"aikg": 1,   "nodes": [{"id": "n1"}]}', "utf-8")
    outcome = aikg("fmt", ".")
    assert outcome.code == 2
    first, second = outcome.err.splitlines()
    assert first.startswith("aikg: a.yaml:")
    assert second == "b.yaml: written in canonical form"


def test_fmt_of_standard_input_goes_to_standard_output(aikg: Run) -> None:
    untidy = DESIGN.replace("  - {", "-   {")
    outcome = aikg("fmt", "-", stdin=untidy)
    assert outcome.code == 0
    assert aikg("fmt", "-", "--check", stdin=outcome.out) == Outcome(0, "", "")
    assert aikg("fmt", "-", "--check", stdin=untidy).code == 1
