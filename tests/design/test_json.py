"""JSON designs: the same tree as YAML, with JSON's own rules for text and numbers."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikg.design.json_tree import parse_json
from aikg.design.read import read_design, read_mapping
from aikg.design.tree import Map, Node, Scalar, Seq, parse_yaml
from tests.design.reading import one, read, said
from tests.design.test_schema import vector_designs

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('abc é\\"', max_size=5), inner, max_size=4),
    max_leaves=20,
)


def plain(node: Node | None) -> object:
    """A tree as Python values."""
    if isinstance(node, Scalar):
        return node.text if not node.plain else json.loads(node.text)
    if isinstance(node, Seq):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.values.items()} if isinstance(node, Map) else None


@given(VALUES, st.sampled_from((None, 1, 3)), st.booleans())
def test_every_json_text_is_read_like_the_standard_library_does(value: object, indent: int, ascii_only: bool) -> None:
    assert plain(parse_json(json.dumps(value, indent=indent, ensure_ascii=ascii_only), "x")) == value


def test_places_are_those_of_the_yaml_reader(shared_dir: Path) -> None:
    text = (shared_dir / "rules" / "superpod.json").read_text("utf-8")
    assert places(parse_json(text, "x")) == places(parse_yaml(text, "x"))


def places(node: Node | None) -> object:
    """The lines and columns of a tree."""
    assert node is not None
    inner: list[object] = []
    if isinstance(node, Seq):
        inner = [places(item) for item in node.items]
    elif isinstance(node, Map):
        inner = [(key, places(node.keys[key]), places(value)) for key, value in node.values.items()]
    return node.line, node.column, inner


def test_numbers_and_surrogate_pairs_are_read() -> None:
    source = read(
        '{"nodes": [\n{"id": "\\ud83d\\ude00", "maxPowerKw": 1e1, "weightKg": "8", "rack": "a\\/b"}]}', "json"
    )
    record = one(source, "nodes")
    assert (record.name, record.origin.line) == ("\U0001f600", 2)
    assert record.fields["maxPowerKw"] == Decimal(10)
    assert record.fields["rack"] == "a/b"


def test_the_own_context_makes_a_design_file_json_ld_and_back() -> None:
    text = '{"@context": "https://w3id.org/aikg/context.jsonld", "nodes": [{"id": "n[1-2]"}]}'
    for format in ("json", "jsonld"):
        assert [record.name for record in read(text, format).records] == ["design", "n1", "n2"]


def test_json_file_and_python_object_say_the_same(shared_dir: Path, tmp_path: Path) -> None:
    for number, design in enumerate(vector_designs(shared_dir)[:50]):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(design, default=float))
        assert said(read_design(file)) == said(read_mapping(design, str(number)))


@pytest.mark.parametrize("text", ["nodes: [{id: n1}]", ' {"nodes": [{"id": "\\ud83d\\ude00"}]}', "{nodes: [{id: n1}]}"])
def test_standard_input_may_be_yaml_or_json(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    source = read_design("-")
    assert (source.name, source.files) == ("stdin", ["<stdin>"])
    assert source.records[1].name in ("n1", "\U0001f600")
