"""A written text becomes the value that its key expects, or is kept as ill-typed."""

from __future__ import annotations

import re
from decimal import Decimal

from aikg.design.records import IllTyped
from aikg.design.records import Scalar as ScalarValue
from aikg.design.schema import Key
from aikg.design.tree import Scalar

_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,4})?")
# Decimals of the store have 18 digits after the point; products of two figures must still be exact.
MAX_MAGNITUDE = Decimal("1e15")
MAX_FRACTION_DIGITS = 15


def number(text: str) -> Decimal | None:
    """The number that a text is, None where it is none or is out of range (1e15, 15 digits after the point)."""
    if not _NUMBER.fullmatch(text):
        return None
    value = Decimal(text)
    if not value:
        return Decimal(0)
    exponent = value.as_tuple().exponent
    if abs(value) >= MAX_MAGNITUDE or not isinstance(exponent, int):
        return None
    if exponent < -MAX_FRACTION_DIGITS:
        value = value.normalize()
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or exponent < -MAX_FRACTION_DIGITS:
            return None
    return value


def typed(text: str, plain: bool, key: Key) -> ScalarValue:
    """The value of a key.

    Arguments:
        text: as written.
        plain: whether it was written without quotes; a quoted number is text.
        key: what is expected.
    """
    if key.datatype in ("decimal", "integer"):
        value = number(text) if plain else None
        return IllTyped(text) if value is None else value
    if key.datatype == "boolean":
        return text == "true" if plain and text in ("true", "false") else IllTyped(text)
    return text


def typed_scalar(scalar: Scalar, key: Key) -> ScalarValue | None:
    """The value of a key, None where nothing was written."""
    return None if scalar.missing else typed(scalar.text, scalar.plain, key)
