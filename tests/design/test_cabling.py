"""Cabling patterns: which port is cabled to which."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from aikg.design.records import DesignSource
from tests.design.reading import error, read

DEVICES = """
nodes:
  - id: n[1-4]
    su: su[1-2]
    rack: r[1-2]
    role: training
    nics:
      - {id: "c[1-2]", rail: "[1-2]", purpose: compute, fabric: ib, speedGbps: 400}
      - {id: s1, purpose: storage, fabric: st, speedGbps: 200, ports: 2}
switches:
  - {id: "leaf[1-4]", su: "su[1-2]", rail: {cycle: "[1-2]"}, tier: leaf, fabrics: [ib], portCount: 4, portSpeedGbps: 400}
  - {id: "spine[1-2]", tier: spine, fabrics: [ib], portCount: 4, portSpeedGbps: 400}
  - {id: "sleaf[1-2]", tier: leaf, fabrics: [st], portCount: 64}
  - {id: "oob[1-2]", fabrics: [oob], rack: "r[1-2]", portCount: 3, portSpeedGbps: 1}
storage:
  - {id: fs, nics: [{id: "p[1-2]", fabric: st, speedGbps: 200}]}
"""


def cabled(patterns: str, links: str = "") -> list[str]:
    """The links that patterns make, as "device/port device/port"."""
    return [text for text, _ in ends(read(f"{DEVICES}{links}\ncabling:\n{patterns}"))]


def ends(source: DesignSource) -> list[tuple[str, dict[str, object]]]:
    """Each link as text, and its fields."""
    found = []
    for record in source.records:
        if record.kind == "links":
            a, b = record.fields["a"], record.fields["b"]
            assert isinstance(a, dict) and isinstance(b, dict)
            found.append((f"{a['device']}/{a['port']} {b['device']}/{b['port']}", dict(record.fields)))
    return found


def broken(patterns: str) -> str:
    """The message of patterns that cannot be cabled, without the line that the devices above make uninteresting."""
    message = error(f"{DEVICES}\ncabling:\n{patterns}")
    assert message.startswith("d.yaml:")
    return message.split(": ", 1)[1]


# ---- rail


def test_rail_cables_each_adapter_to_the_leaf_of_its_rail_and_unit() -> None:
    assert cabled('  - {pattern: rail, from: "n[1-4]", to: "leaf[1-4]"}') == [
        *("n1/c1 leaf1/1", "n1/c2 leaf2/1", "n2/c1 leaf1/2", "n2/c2 leaf2/2"),
        *("n3/c1 leaf3/1", "n3/c2 leaf4/1", "n4/c1 leaf3/2", "n4/c2 leaf4/2"),
    ]


def test_rail_without_rail_keys_goes_by_position_and_a_leaf_without_unit_serves_all() -> None:
    text = """
    nodes: [{id: "n[1-2]", su: a, nics: [{id: "c[1-2]", purpose: compute, fabric: ib}]}]
    switches: [{id: "leaf[1-2]"}]
    cabling: [{pattern: rail, from: "n[1-2]", to: "leaf[1-2]"}]
    """
    assert [found for found, _ in ends(read(text))] == [
        *("n1/c1 leaf1/1", "n1/c2 leaf2/1", "n2/c1 leaf1/2", "n2/c2 leaf2/2")
    ]


def test_leaves_of_one_rail_take_turns() -> None:
    text = """
    nodes: [{id: "n[1-3]", nics: [{id: c, rail: 0, purpose: compute}]}]
    switches: [{id: "leaf[1-2]", rail: 0}]
    cabling: [{pattern: rail, from: "n[1-3]", to: "leaf[1-2]"}]
    """
    assert [found for found, _ in ends(read(text))] == ["n1/c leaf1/1", "n2/c leaf2/1", "n3/c leaf1/2"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("from: n1, to: 'leaf[2-4]'", "no leaf of `to:` has `rail: 1`, which n1/c1 has"),
        ("from: n1, to: 'leaf[3-4]'", "n1 has su su1; no leaf of `to:` has it"),
        ("from: n1, to: 'spine[1-2]'", "no leaf of `to:` has `rail: 1`, which n1/c1 has"),
        ("from: n1, to: leaf1, nics: s1", "n1/s1 has no `rail`, but the leaves have"),
        ("from: fs, to: spine1", "fs has no adapter that the pattern means; name the ports with `nics:` or"),
        ("from: fs, to: spine1, fabric: st", "fs has more adapters than there are leaves (1) for it"),
        ("from: spine1, to: spine2", "spine1 is a switch; rail cables adapters to switches"),
        ("from: n1, to: 'leaf[1-4]', links: 2", "`links:` counts free ports of switches; here every port is named"),
    ],
)
def test_a_rail_that_finds_no_leaf_is_an_error(pattern: str, message: str) -> None:
    assert broken(f"  - {{pattern: rail, {pattern}}}").startswith(message)


# ---- clos


def test_clos_cables_every_leaf_to_every_spine() -> None:
    found = cabled('  - {pattern: clos, from: "leaf[1-2]", to: "spine[1-2]", links: 2}')
    assert found == [
        *("leaf1/1 spine1/1", "leaf1/2 spine1/2", "leaf1/3 spine2/1", "leaf1/4 spine2/2"),
        *("leaf2/1 spine1/3", "leaf2/2 spine1/4", "leaf2/3 spine2/3", "leaf2/4 spine2/4"),
    ]


def test_within_cables_only_what_has_the_same_value() -> None:
    found = cabled(
        '  - {pattern: clos, from: "leaf[1-4]", to: ["leaf[1,3]"], within: su}'.replace("leaf[1-4]", "leaf[2,4]")
    )
    assert found == ["leaf2/1 leaf1/1", "leaf4/1 leaf3/1"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("from: leaf1, to: 'spine[1-2]', links: 3", "leaf1 has no free port left: all 4 ports (portCount) have a link"),
        (
            "from: 'leaf[1-3]', to: spine1, links: 2",
            "spine1 has no free port left: all 4 ports (portCount) have a link",
        ),
        ("from: leaf1, to: [leaf1, leaf2]", "leaf1 is on both ends of the pattern"),
        ("from: fs, to: spine1", "fs is no switch; name its ports with `a: {port: ...}`"),
        ("from: leaf1, to: fs", "fs is no switch; name its ports with `b: {port: ...}`"),
        ("from: leaf1, to: spine1, links: 0", "links takes a whole number from 1 to 1000: links per pair"),
        ("from: leaf1, to: spine1, links: 1.5", "links takes a whole number from 1 to 1000: links per pair"),
        ("from: leaf1, to: spine1, links: '2'", "links takes a whole number from 1 to 1000: links per pair"),
        ("from: leaf1, to: spine1, within: su", "leaf1 finds no device with su su1 among those of `to:`"),
        ("from: spine1, to: leaf1, within: su", "spine1 finds no device without a su among those of `to:`"),
        ("from: leaf1, to: spine1, links: 2, b: {port: '[1-1]'}", "spine1 has no free port left of the 1 that the"),
    ],
)
def test_a_clos_that_cannot_be_cabled_is_an_error(pattern: str, message: str) -> None:
    assert broken(f"  - {{pattern: clos, {pattern}}}").startswith(message)


# ---- pairs


def test_pairs_cables_one_to_one_or_blocks_to_one() -> None:
    assert cabled("  - {pattern: pairs, from: 'leaf[1,3]', to: 'leaf[2,4]', links: 2}") == [
        *("leaf1/1 leaf2/1", "leaf1/2 leaf2/2", "leaf3/1 leaf4/1", "leaf3/2 leaf4/2")
    ]
    assert cabled("  - {pattern: pairs, from: 'n[1-4]', nics: s1, to: 'sleaf[1-2]'}") == [
        *("n1/s1.p1 sleaf1/1", "n1/s1.p2 sleaf1/2", "n2/s1.p1 sleaf1/3", "n2/s1.p2 sleaf1/4"),
        *("n3/s1.p1 sleaf2/1", "n3/s1.p2 sleaf2/2", "n4/s1.p1 sleaf2/3", "n4/s1.p2 sleaf2/4"),
    ]


def test_pairs_that_do_not_divide_are_an_error_with_both_numbers() -> None:
    message = broken("  - {pattern: pairs, from: 'leaf[1-3]', to: 'spine[1-2]'}")
    assert message == "3 devices cannot be paired with 2: 3 is not divisible by 2"


def test_pairs_within_a_rack() -> None:
    found = cabled("  - {pattern: pairs, from: {all: nodes}, to: 'oob[1-2]', within: rack, a: {port: bmc, kind: mgmt}}")
    assert found == ["n1/bmc oob1/1", "n2/bmc oob1/2", "n3/bmc oob2/1", "n4/bmc oob2/2"]


# ---- star


def test_star_deals_ports_round_over_several_switches() -> None:
    assert cabled("  - {pattern: star, from: ['n[1-2]', fs], to: 'sleaf[1-2]', fabric: st}") == [
        *("n1/s1.p1 sleaf1/1", "n1/s1.p2 sleaf2/1", "n2/s1.p1 sleaf1/2", "n2/s1.p2 sleaf2/2"),
        *("fs/p1 sleaf1/3", "fs/p2 sleaf2/3"),
    ]


def test_star_cables_named_ports_of_a_selection() -> None:
    found = cabled(
        "  - {pattern: star, from: {all: switches, tier: leaf, except: 'sleaf[1-2]'}, to: [oob1, oob2], a: {port: m}}"
    )
    assert found == ["leaf1/m oob1/1", "leaf2/m oob2/1", "leaf3/m oob1/2", "leaf4/m oob2/2"]


def test_selections_match_numbers_booleans_and_lists() -> None:
    found = cabled("  - {pattern: star, from: [{all: [switches, storage], rail: '2'}], to: oob1, a: {port: m}}")
    assert found == ["leaf2/m oob1/1", "leaf4/m oob1/2"]
    found = cabled("  - {pattern: star, from: {all: switches, fabrics: [st, x]}, to: oob1, a: {port: m}}")
    assert found == ["sleaf1/m oob1/1", "sleaf2/m oob1/2"]


def test_star_from_a_switch_to_itself_is_an_error() -> None:
    assert broken("  - {pattern: star, from: [oob2, oob1], to: oob1}") == "oob1 is on both ends of the pattern"


# ---- ports, speeds, ids


def test_ports_of_explicit_links_are_left_free_and_their_adapters_alone() -> None:
    found = cabled(
        '  - {pattern: rail, from: "n[1-2]", to: "leaf[1-4]"}',
        "links: [{id: swapped, a: {device: n1, port: c1}, b: {device: leaf2, port: '1'}}]",
    )
    assert found == ["n1/c1 leaf2/1", "n1/c2 leaf2/2", "n2/c1 leaf1/1", "n2/c2 leaf2/3"]


def test_a_later_pattern_takes_the_next_free_ports() -> None:
    found = cabled("  - {pattern: clos, from: leaf1, to: spine1}\n  - {pattern: clos, from: leaf1, to: 'spine[1-2]'}")
    assert found == ["leaf1/1 spine1/1", "leaf1/2 spine1/2", "leaf1/3 spine2/1"]


def test_an_adapter_cabled_by_two_patterns_is_an_error() -> None:
    rail = "  - {pattern: rail, from: n1, to: 'leaf[1-2]'}\n"
    assert broken(rail + rail) == "port c1 of n1 has a link already, from an earlier pattern"


def test_named_ports_of_a_switch_are_a_pool() -> None:
    found = cabled("  - {pattern: clos, from: 'leaf[1-2]', to: spine1, a: {port: 'swp[3-4]'}, b: {port: '[2-4]'}}")
    assert found == ["leaf1/swp3 spine1/2", "leaf2/swp3 spine1/3"]


def test_a_switch_without_port_count_has_no_limit() -> None:
    text = """
    nodes: [{id: "n[1-100]", nics: [{id: c, fabric: f}]}]
    switches: [{id: s}]
    cabling: [{pattern: star, from: {all: nodes}, to: s, fabric: f}]
    """
    assert ends(read(text))[-1][0] == "n100/c s/100"


def test_fabric_and_speed_come_from_the_adapter_or_the_switches() -> None:
    source = read(
        DEVICES
        + """
cabling:
  - {pattern: rail, from: n1, nics: c1, to: "leaf[1-2]"}
  - {pattern: clos, from: leaf1, to: spine1}
  - {pattern: pairs, from: n1, to: sleaf1, fabric: st, speedGbps: 100}
  - {pattern: star, from: oob1, to: oob2, a: {port: up, kind: mgmt}}
"""
    )
    assert [(fields.get("fabric"), fields.get("speedGbps")) for _, fields in ends(source)] == [
        ("ib", Decimal(400)),
        ("ib", Decimal(400)),
        ("st", Decimal(100)),
        ("st", Decimal(100)),
        ("oob", Decimal(1)),
    ]


def test_ends_carry_what_the_pattern_says_and_links_are_named_by_their_ports() -> None:
    source = read(
        DEVICES.replace("nodes:", "templates: {osfp: {plug: OSFP, portConnector: OSFP}}\nnodes:", 1)
        + """
cabling:
  - pattern: rail
    from: n1
    nics: c1
    to: "leaf[1-2]"
    a: {use: osfp}
    b: {plug: QSFP112,
        speedGbps: x}
"""
    )
    (record,) = (record for record in source.records if record.kind == "links")
    assert record.name == "n1.c1-leaf1.1"
    assert record.fields["a"] == {"device": "n1", "port": "c1", "plug": "OSFP", "portConnector": "OSFP"}
    assert repr(record.fields["b"]).endswith("'plug': 'QSFP112', 'speedGbps': IllTyped(as_written='x')}")
    assert record.where(("b", "speedGbps")).line == record.origin.line + 6
    assert record.where(("a", "plug")).line == 1


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        ("  pattern: rail", "cabling takes a list of patterns (`- pattern: ...`)"),
        ("  - rail", "a cabling pattern is a value, expected a mapping"),
        ("  - {from: a}", "a cabling entry needs `pattern:`, one of rail, clos, pairs, star"),
        ("  - {pattern: rial}", "unknown pattern 'rial' of cabling; did you mean 'rail'?"),
        ("  - {pattern: [a]}", "unknown pattern of cabling; known: rail, clos, pairs, star"),
        ("  - {pattern: clos, from: leaf1}", "a clos pattern needs `to:`, the devices at that end"),
        ("  - {pattern: clos, form: leaf1}", "unknown key 'form' of cabling; did you mean 'from'?"),
        (
            "  - {pattern: clos, from: laef1, to: spine1}",
            "cabling names 'laef1', which no device has as its id; did you",
        ),
        ("  - {pattern: clos, from: [], to: spine1}", "cabling selects no device here"),
        ("  - {pattern: clos, from: {all: switches, tier: x}, to: spine1}", "cabling selects no device here"),
        ("  - {pattern: clos, from: {tier: leaf}, to: spine1}", "a selection of devices needs `all:`, such as"),
        ("  - {pattern: clos, from: {all: racks}, to: spine1}", "`all:` takes nodes, switches, storage; found 'racks'"),
        (
            "  - {pattern: clos, from: {all: switches, teir: a}, to: spine1}",
            "unknown key 'teir' of switches; did you mean",
        ),
        ("  - {pattern: clos, from: [[a]], to: spine1}", "expected a name, a range of names, a selection, or a list"),
        (
            "  - {pattern: clos, from: leaf1, to: spine1, within: row}",
            "unknown within 'row' of cabling; known: su, pod",
        ),
        ("  - {pattern: star, from: n1, to: sleaf1}", "n1 has no adapter that the pattern means; name the ports with"),
        ("  - {pattern: star, from: n1, to: sleaf1, fabric: x}", "n1 has no adapter of fabric x; name the ports with"),
        ("  - {pattern: star, from: n1, to: sleaf1, nics: c9}", "n1 has no adapter 'c9'"),
        ("  - {pattern: star, from: n1, to: sleaf1, a: x}", "a takes a mapping of what the links have at that end"),
        ("  - {pattern: star, from: n1, to: sleaf1, b: {device: x}}", "the devices of a pattern are named in `to:`"),
        (
            "  - {pattern: star, from: n1, to: sleaf1, a: {plugg: x}}",
            "unknown key 'plugg' of a link end; did you mean 'plug'?",
        ),
    ],
)
def test_a_pattern_that_is_wrong_names_what_is_expected(patterns: str, message: str) -> None:
    assert broken(patterns).startswith(message)


def test_the_line_of_an_error_is_that_of_the_key() -> None:
    text = "switches: [{id: s, portCount: 1}, {id: t}]\ncabling:\n  - pattern: clos\n    from: s\n    to: t\n    links: 2\n"
    assert error(text) == "d.yaml:4: s has no free port left: all 1 ports (portCount) have a link"


def test_a_pattern_that_makes_no_link_is_an_error() -> None:
    text = """
    nodes: [{id: n, nics: [{id: c, fabric: f}]}]
    switches: [{id: s}]
    links: [{id: l, a: {device: n, port: c}, b: {device: s, port: 1}}]
    cabling: [{pattern: star, from: n, to: s, fabric: f}]
    """
    assert error(text).endswith("the pattern makes no link: every port that it names has one already")


def test_cabling_a_large_cluster_takes_seconds() -> None:
    text = """
    nodes: [{id: "n[0001-2048]", su: "su[01-64]", nics: [{id: "c[1-8]", rail: "[1-8]", purpose: compute, fabric: f}]}]
    switches:
      - {id: "leaf[01-64]-[1-8]", su: "su[01-64]", rail: {cycle: "[1-8]"}, portCount: 64}
      - {id: "spine[001-256]", portCount: 64}
    cabling:
      - {pattern: rail, from: {all: nodes}, to: "leaf[01-64]-[1-8]"}
      - {pattern: star, from: "leaf[01-64]-[1-8]", to: "spine[001-256]", links: 32}
    """
    start = time.perf_counter()
    assert len(ends(read(text))) == 2 * 2048 * 8
    assert time.perf_counter() - start < 2  # 0.2 s; the limit allows for a busy machine
