"""Numbers and lists of names as people read them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikg.design.ranges import expand
from aikg.report.numbers import fold_names, format_number, natural, plain


@pytest.mark.parametrize(
    ("names", "folded"),
    [
        (["rack01", "rack02", "rack03"], "rack[01-03]"),
        (["n1", "n2"], "n1, n2"),
        (["n9", "n10", "n11"], "n[9-11]"),
        (["r98", "r99", "r100"], "r[98-100]"),
        (["a007", "a8", "a9"], "a007, a8, a9"),
        (["n1", "n3", "n5"], "n1, n3, n5"),
        ([f"leaf{leaf}/{port}" for leaf in range(1, 9) for port in range(1, 33)], "leaf[1-8]/[1-32]"),
        (["rack[1]", "x"], "rack[1], x"),
        (["b", "a01x3", "a03x3", "a02x3"], "a[01-03]x3, b"),
        (["n1", "n1"], "n1"),
        ([], ""),
    ],
)
def test_names_fold_like_the_ranges_of_the_design_file(names: list[str], folded: str) -> None:
    assert fold_names(names) == folded


@given(st.sets(st.from_regex(r"\A[a-c]{1,2}(0?[0-9]{1,2})(/[0-9])?\Z"), max_size=40))
def test_folded_names_expand_to_the_names(names: set[str]) -> None:
    folded = fold_names(names, most=0)
    assert sorted(name for piece in folded.split(", ") if piece for name in expand(piece)) == sorted(names)


def test_what_is_left_out_is_counted_by_name() -> None:
    names = [f"n{number}" for number in range(0, 40, 2)]
    assert fold_names(names) == "n0, n2, n4, n6, n8, 15 more"
    assert fold_names([f"{row}{rack}" for row in "abcdefgh" for rack in range(10)], most=3) == "a[0-9], b[0-9], 60 more"


@pytest.mark.parametrize(
    ("value", "other", "shown"),
    [
        ("15", None, "15"),
        ("40.80", None, "40.8"),
        ("1E+3", None, "1,000"),
        ("-1234.5", None, "-1,234.5"),
        ("-0.0001", None, "0"),
        ("0.1234567", None, "0.123"),
        ("15.0001", "15", "15.0001"),
        ("0.99999", "1", "0.99999"),
    ],
)
def test_rounding_never_hides_which_number_is_larger(value: str, other: str | None, shown: str) -> None:
    assert format_number(Decimal(value), None if other is None else Decimal(other)) == shown


def test_plain_numbers_have_no_exponent() -> None:
    assert plain(Decimal("1E-7")) == "0.0000001"
    assert plain(Decimal("1.50E+4")) == "15000"
    assert plain(Decimal("-0")) == "0"


def test_natural_order_reads_numbers() -> None:
    assert sorted(["n10", "n2", "m1"], key=natural) == ["m1", "n2", "n10"]
    assert sorted(["n²", "n2"], key=natural)  # superscripts are digits to Python, and no numbers
