"""Validating the same through both engines."""

from __future__ import annotations

from collections import Counter

from aikg.validate.engine import validate
from aikg.validate.normalise import Comparable, comparable
from aikg.validate.results import ConstraintViolation, ValidationResult
from tests.validate.random_shapes import PREFIXES


def setwise(data: str, shapes: str) -> ValidationResult:
    """The result of the compiler alone, for Turtle texts without prefix lines."""
    result = validate((PREFIXES + data).encode(), (PREFIXES + shapes).encode())
    assert not result.handed_to_reference
    return result


def compared(data: str, shapes: str) -> tuple[Counter[Comparable], Counter[Comparable]]:
    """The results of the compiler and of pyshacl, comparable."""
    reference = validate((PREFIXES + data).encode(), (PREFIXES + shapes).encode(), "pyshacl")
    return comparable(setwise(data, shapes).results), comparable(reference.results)


def short(term: object) -> str:
    """A term without the example namespace, for assertions."""
    return str(term).replace("<http://example.org/", "").replace(">", "")


def rows(result: ValidationResult) -> list[tuple[str, str, str]]:
    """(focus, value, component) of each result, short."""
    return [_row(found) for found in result.results]


def _row(found: ConstraintViolation) -> tuple[str, str, str]:
    component = found.component.rsplit("#", 1)[-1].removesuffix("ConstraintComponent")
    return short(found.focus), "" if found.value is None else short(found.value), component
