"""Ranges, templates and what they mean for each member of an entry."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikg.design.read import read_mapping
from tests.design.reading import components, error, one, read


def spread(ids: str, line: str) -> list[object]:
    """The values of one key over the members of a folded node."""
    key = line.split(":", 1)[0]
    found = components(read(f"nodes:\n  - id: {ids}\n    {line}\n"), "nodes")
    return [fields.get(key) for fields in found.values()]


def test_an_id_with_a_range_stands_for_all_of_them() -> None:
    assert list(components(read("nodes: [{id: 'n[01-03]'}]"), "nodes")) == ["n01", "n02", "n03"]


def test_as_many_values_as_ids_are_one_each() -> None:
    assert spread("n[1-3]", "rack: r[7-9]") == ["r7", "r8", "r9"]
    assert spread("n[1-3]", 'maxPowerKw: "[1,2,5]"') == [1, 2, 5]


def test_fewer_values_are_shared_in_equal_blocks() -> None:
    assert spread("n[1-6]", "rack: r[1-2]") == ["r1"] * 3 + ["r2"] * 3


def test_cycle_deals_values_round() -> None:
    assert spread("n[1-6]", "rack: {cycle: 'r[1-2]'}") == ["r1", "r2"] * 3
    assert spread("n[1-2]", "rack: {cycle: r1}") == ["r1", "r1"]


def test_one_value_is_for_all() -> None:
    assert spread("n[1-2]", "rack: r1") == ["r1", "r1"]
    assert spread("n[1-2]", "rack: 'r[1]'") == ["r1", "r1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nodes: [{id: 'n[1-4]', rack: 'r[1-3]'}]",
            "d.yaml:1: 'r[1-3]' has 3 values for 4 ids; 4 is not divisible by 3",
        ),
        (
            "nodes: [{id: 'n[1-4]', rack: {cycle: 'r[1-3]'}}]",
            "d.yaml:1: 'r[1-3]' has 3 values for 4 ids; 4 is not divisible by 3",
        ),
        ("nodes: [{id: n1, rack: 'r[1-3]'}]", "d.yaml:1: 'r[1-3]' has 3 values for 1 id; 1 is not divisible by 3"),
        (
            "nodes: [{id: 'n[1-2]', rack: 'r[1-8]'}]",
            "d.yaml:1: 'r[1-8]' has 8 values for 2 ids; 2 is not divisible by 8",
        ),
        (
            "nodes: [{id: 'n[1-4]', psus: [{id: 'u[1-2]', pdu: 'p[1-4]'}]}]",
            "d.yaml:1: 'p[1-4]' has 4 values for 2 ids (or 8 with those of the enclosing entry); "
            "2 is not divisible by 4",
        ),
        ("nodes: [{id: n1, rack: {cycle: [a]}}]", "d.yaml:1: `cycle:` takes a range of values"),
        ("nodes: [{id: n1, rack: {cycle: a, x: b}}]", "d.yaml:1: rack takes one value; found a mapping"),
        ("nodes:\n  - id: n[5-1]", "d.yaml:2: range [5-1] in 'n[5-1]' runs backwards"),
        (
            "nodes: [{id: 'n[1-999999999]'}]",
            "d.yaml:1: 'n[1-999999999]' stands for 999,999,999 names; at most 2,000,000",
        ),
    ],
)
def test_what_does_not_divide_is_an_error_with_both_numbers(text: str, message: str) -> None:
    assert error(text).startswith(message)


def test_values_of_nested_entries_go_over_the_ids_of_the_entry() -> None:
    found = components(read("nodes: [{id: 'n[1-4]', psus: [{id: u1, pdu: 'p[1-2]-a'}, {id: u2, pdu: p}]}]"), "nodes")
    assert [fields["psus"][0]["pdu"] for fields in found.values()] == ["p1-a", "p1-a", "p2-a", "p2-a"]
    assert [fields["psus"][1] for fields in found.values()] == [{"id": "u2", "pdu": "p"}] * 4


def test_a_nested_id_with_a_range_unfolds_inside_each_member() -> None:
    found = components(
        read("nodes: [{id: 'n[1-2]', nics: [{id: 'c[0-3]', rail: '[0-3]', fabric: 'f[1-2]'}]}]"), "nodes"
    )
    expected = [{"id": f"c{rail}", "rail": Decimal(rail), "fabric": "f1" if rail < 2 else "f2"} for rail in range(4)]
    assert [fields["nics"] for fields in found.values()] == [expected, expected]


def test_a_nested_range_may_give_each_member_its_own_values() -> None:
    found = components(read("nodes: [{id: 'n[1-2]', psus: [{id: 'u[1-2]', pdu: 'p[1-2]-[a-b]'}]}]"), "nodes")
    assert [[psu["pdu"] for psu in fields["psus"]] for fields in found.values()] == [["p1-a", "p1-b"], ["p2-a", "p2-b"]]


def test_nested_entries_after_a_nested_range_keep_their_lines() -> None:
    record = one(
        read(
            """
            nodes:
              - id: n1
                nics:
                  - {id: "c[0-1]", rail: "[0-1]"}
                  - id: s0
                    rail: 9
            """
        ),
        "nodes",
    )
    assert [nic["id"] for nic in record.fields["nics"]] == ["c0", "c1", "s0"]  # type: ignore[index, union-attr, call-overload]
    assert [record.where(("nics", position, "rail")).line for position in range(3)] == [4, 4, 6]


def test_ranges_in_lists_give_each_member_one() -> None:
    found = components(read("switches: [{id: 's[1-2]', fabrics: ['f[1-2]', g]}]"), "switches")
    assert [fields["fabrics"] for fields in found.values()] == [["f1", "g"], ["f2", "g"]]


def test_link_ends_may_hold_ranges() -> None:
    found = components(
        read("links: [{id: 'l[1-4]', a: {device: 'n[1-4]', port: c0}, b: {device: {cycle: 's[1-2]'}, port: '[1-2]'}}]"),
        "links",
    )
    assert [fields["b"] for fields in found.values()] == [
        {"device": "s1", "port": "1"},
        {"device": "s2", "port": "1"},
        {"device": "s1", "port": "2"},
        {"device": "s2", "port": "2"},
    ]


def test_brackets_in_prose_are_brackets() -> None:
    source = read("nodes: [{id: 'n[1-2]', powerEvidence: 'see [1-2] and [3]', powerSource: '[7]'}]")
    for fields in components(source, "nodes").values():
        assert (fields["powerEvidence"], fields["powerSource"]) == ("see [1-2] and [3]", "[7]")


def test_a_bracket_around_one_thing_stays_in_the_text_of_a_single_entry() -> None:
    assert one(read("ups: [{id: u, source: 'feed [A]'}]"), "ups").fields == {"source": "feed [A]"}
    assert one(read("ups: [{id: u, source: 'feed [[]1-2]'}]"), "ups").fields == {"source": "feed [1-2]"}


def test_members_share_what_is_equal() -> None:
    first, second = components(read("nodes: [{id: 'n[1-2]', nics: [{id: c0}], rack: 'r[1-2]'}]"), "nodes").values()
    assert first["nics"] is second["nics"]
    records = read("nodes: [{id: 'n[1-2]', rack: 'r[1-2]'}]").records
    assert records[1].origins is records[2].origins


# ---- Templates


def test_a_template_gives_the_keys_that_an_entry_lacks() -> None:
    source = read(
        """
        templates:
          dgx: {model: dgx-h100, role: training, gpus: 8}
          cold: {rack: r9, role: service}
        nodes:
          - {id: n1, use: dgx, gpus: 4}
          - {id: n2, use: [cold, dgx]}
        """
    )
    assert components(source, "nodes") == {
        "n1": {"gpus": Decimal(4), "model": "dgx-h100", "role": "training"},
        "n2": {"rack": "r9", "role": "service", "model": "dgx-h100", "gpus": Decimal(8)},
    }


def test_templates_may_use_templates_and_hold_ranges() -> None:
    source = read(
        """
        templates:
          base: {rack: "r[1-2]"}
          dgx: {use: base, model: dgx-h100}
        nodes: [{id: "n[1-2]", use: dgx}]
        """
    )
    assert [fields["rack"] for fields in components(source, "nodes").values()] == ["r1", "r2"]


def test_nested_entries_use_templates_too() -> None:
    source = read("templates: {t: {plug: OSFP}}\nlinks: [{id: l, a: {use: t, device: n}, b: {device: m, use: t}}]")
    assert one(source, "links").fields["b"] == {"device": "m", "plug": "OSFP"}


def test_null_takes_a_key_of_a_template_away() -> None:
    assert one(read("templates: {t: {rack: r1}}\nnodes: [{id: n, use: t, rack: null}]"), "nodes").fields == {}


def test_a_value_from_a_template_has_its_line_there() -> None:
    record = one(
        read(
            """
            templates:
              t:
                model: dgx-h100
            nodes:
              - id: n
                use: t
            """
        ),
        "nodes",
    )
    assert record.where(("model",)).line == 3
    assert record.origin.line == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nodes: [{id: n, use: t}]", "d.yaml:1: unknown template 't'"),
        (
            "templates: {dgx-h100: {}}\nnodes: [{id: n, use: dgx-h10}]",
            "d.yaml:2: unknown template 'dgx-h10'; did you mean 'dgx-h100'?",
        ),
        (
            "templates:\n  a: {use: b}\n  b: {use: c}\n  c: {use: b}\nnodes: [{id: n, use: a}]",
            "d.yaml:4: templates use each other in a circle: b -> c -> b",
        ),
        (
            "templates: {a: {use: a}}\nnodes: [{id: n, use: a}]",
            "d.yaml:1: templates use each other in a circle: a -> a",
        ),
        ("templates: [a]", "d.yaml:1: templates takes a mapping of names to partial entries"),
        ("templates: {a: 1}", "d.yaml:1: template a must be a mapping of keys to values"),
        ("templates:\n  a:\n    id: x", "d.yaml:3: a template has no id: the entries that use it have"),
        ("nodes: [{id: n, use: {a: b}}]", "d.yaml:1: `use:` takes the name of a template or a list of names"),
        (
            "templates:\n  a:\n    modle: x\nnodes: [{id: n, use: a}]",
            "d.yaml:3: unknown key 'modle' of nodes; did you mean 'model'?",
        ),
    ],
)
def test_errors_of_templates_name_the_line(text: str, message: str) -> None:
    assert error(text) == message


def test_many_uses_of_nested_templates_take_no_time() -> None:
    lines = ["templates:", "  t0: {rack: r}"]
    lines += [f"  t{n}: {{use: [{', '.join([f't{n - 1}'] * 20)}]}}" for n in range(1, 30)]
    lines += ["nodes: [{id: n, use: t29}]"]
    start = time.perf_counter()
    assert one(read("\n".join(lines)), "nodes").fields == {"rack": "r"}
    assert time.perf_counter() - start < 2


# ---- Size


def test_the_design_as_a_whole_is_limited() -> None:
    entries = "\n".join(f"  - {{id: 'n{n}-[1-1000000]'}}" for n in range(3))
    assert error(f"racks:\n{entries}") == "d.yaml:4: the design unfolds to more than 2,000,000 components"


def test_nested_entries_count_as_components() -> None:
    text = "nodes: [{id: 'n[1-1000000]', psus: [{pdu: 'p[1-1000000]'}, {pdu: 'q[1-1000000]'}]}]"
    assert error(text) == "d.yaml:1: the design unfolds to more than 2,000,000 components"


def test_a_large_folded_design_unfolds_fast() -> None:
    text = """
    nodes:
      - id: dgx[0001-2048]
        rack: rack[0001-1024]
        nics: [{id: "c[1-8]", rail: "[1-8]", speedGbps: 400}]
        psus: [{id: "u[1-2]", pdu: "pdu[0001-2048]-[a-b]"}]
    """
    start = time.perf_counter()
    assert len(read(text).records) == 2049
    assert time.perf_counter() - start < 1  # 0.02 s; the limit allows for a busy machine


# ---- Properties


@given(st.integers(1, 6), st.integers(1, 5), st.booleans())
def test_equal_blocks_and_cycles_follow_their_rule(blocks: int, size: int, dealt: bool) -> None:
    total = blocks * size
    value = {"cycle": f"r[1-{blocks}]"} if dealt else f"r[1-{blocks}]"
    source = read_mapping({"nodes": [{"id": f"n[1-{total}]", "rack": value}]})
    found = [fields["rack"] for fields in components(source, "nodes").values()]
    assert found == [f"r{(n % blocks if dealt else n // size) + 1}" for n in range(total)]


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_folded_and_written_out_entries_say_the_same(outer: int, inner: int, racks: int) -> None:
    nodes = outer * racks
    folded = {
        "id": f"n[1-{nodes}]",
        "rack": f"r[1-{racks}]",
        "nics": [{"id": f"c[1-{inner}]", "rail": f"[1-{inner}]", "fabric": f"f[1-{nodes * inner}]"}],
    }
    written = [
        {
            "id": f"n{n + 1}",
            "rack": f"r{n // outer + 1}",
            "nics": [{"id": f"c{k + 1}", "rail": k + 1, "fabric": f"f{n * inner + k + 1}"} for k in range(inner)],
        }
        for n in range(nodes)
    ]
    assert components(read_mapping({"nodes": [folded]}), "nodes") == components(
        read_mapping({"nodes": written}), "nodes"
    )
