"""Names with ranges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikg.design.ranges import count, escape, expand, is_range
from aikg.errors import InputError


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("dgx[1-3]", ["dgx1", "dgx2", "dgx3"]),
        ("dgx[08-10]", ["dgx08", "dgx09", "dgx10"]),
        ("dgx[8-10]", ["dgx8", "dgx9", "dgx10"]),
        ("[0-2]", ["0", "1", "2"]),
        ("rack[a-b][1-2]", ["racka1", "racka2", "rackb1", "rackb2"]),
        ("sw[1,3-5]", ["sw1", "sw3", "sw4", "sw5"]),
        ("L[1,2,1]", ["L1", "L2", "L1"]),
        ("[A-C]x[x,yy]z", ["Axxz", "Axyyz", "Bxxz", "Bxyyz", "Cxxz", "Cxyyz"]),
        ("n[7]", ["n7"]),
        ("n[7-7]", ["n7"]),
        ("x[[]1-2]", ["x[1-2]"]),
        ("x[[1-2]]", ["x[1]", "x[2]"]),
        ("plain", ["plain"]),
        ("q[]", ["q[]"]),
        ("q[1-2", ["q[1-2"]),
        ("q[1,]", ["q[1,]"]),
        ("q[a-9]", ["q[a-9]"]),
        ("q[A-z]", ["q[A-z]"]),
        ("q[1 2]", ["q[1 2]"]),
        ("q[é]", ["q[é]"]),
    ],
)
def test_a_range_stands_for_its_names(text: str, names: list[str]) -> None:
    assert expand(text) == names
    assert count(text) == len(names)


def test_a_range_that_runs_backwards_is_an_error() -> None:
    with pytest.raises(InputError, match=r"f:3: range \[3-1\] in 'n\[3-1\]' runs backwards"):
        expand("n[3-1]", "f", 3)


@pytest.mark.parametrize("text", ["n[1-999999999]", "n[1-9999][1-9999]", "n[1-2000001]", "[1-999999999999]" * 20])
def test_a_range_bomb_is_refused_before_it_is_unfolded(text: str) -> None:
    with pytest.raises(InputError, match="at most 2,000,000 are accepted"):
        expand(text)


def test_a_range_of_long_names_is_refused() -> None:
    with pytest.raises(InputError, match="a range of names with more than 200 characters"):
        expand("n" * 300 + "[1-2]")


def test_a_huge_number_of_digits_is_no_range() -> None:
    text = f"n[1-{'9' * 5000}]"
    assert expand(text) == [text]


@given(st.text("ab[],-109", max_size=12))
def test_escaped_names_stand_for_themselves(name: str) -> None:
    assert expand(escape(name)) == [name]


@given(st.text("ab[],-109", max_size=12))
def test_counting_agrees_with_unfolding(text: str) -> None:
    try:
        names = expand(text)
    except InputError:
        return
    assert len(names) == count(text)
    assert is_range(text) or names == [text]
