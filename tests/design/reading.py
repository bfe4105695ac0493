"""Short ways to read a design in a test."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from aikg.design.read import read_text
from aikg.design.records import DesignSource, Record
from aikg.errors import InputError


def read(text: str, format: str = "yaml") -> DesignSource:
    """The design in an indented text, called d.yaml (or d.FORMAT) in messages."""
    return read_text(textwrap.dedent(text).lstrip("\n"), format, "demo", f"d.{format}")


def error(text: str, format: str = "yaml") -> str:
    """The message of the error that a text ends in."""
    with pytest.raises(InputError) as caught:
        read(text, format)
    message = str(caught.value)
    assert "\n" not in message
    return message


def components(source: DesignSource, kind: str) -> dict[str, dict[str, Any]]:
    """Name -> fields of the components of a collection."""
    return {record.name: record.fields for record in source.records if record.kind == kind}


def one(source: DesignSource, kind: str) -> Record:
    """The only component of a collection."""
    (record,) = (record for record in source.records if record.kind == kind)
    return record


def said(source: DesignSource) -> tuple[object, ...]:
    """What a design says, without places and the order of collections and keys."""
    records = sorted((record.kind, record.name, repr(_ordered(record.fields))) for record in source.records)
    return source.name, records, source.expect


def _ordered(value: object) -> object:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
