"""A design back as an authoring file, unfolded: every component by itself, no templates, ranges or patterns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

from aikg.design import ranges
from aikg.design.find import find_designs
from aikg.design.format import format_text
from aikg.design.key_order import COLLECTION_ORDER, KEY_RANK, LAST
from aikg.design.records import DesignSource, IllTyped, Record, Value
from aikg.design.schema import Key, Schema, load_schema
from aikg.design.yaml_text import quoted

__all__ = ["expand_authoring", "find_designs", "format_text", "to_json", "to_yaml"]

Authored = str | Decimal | bool | list["Authored"] | dict[str, "Authored"]

_ID = Key("id", "string")


def expand_authoring(source: DesignSource) -> dict[str, Authored]:
    """The unfolded design as a plain object that `read_mapping` reads back to the same records.

    Arguments:
        source: the design as read.

    Returns:
        the design in the shape of a design file: numbers are Decimal as written; values of the wrong type are text,
        as written.
    """
    schema = load_schema()
    found: dict[str, Authored] = {}
    by_kind: dict[str, list[Authored]] = {}
    for record in source.records:
        if record.kind == "design":
            found |= _design(record, source.name, schema)
            continue
        entry = {"id": ranges.escape(record.name), **_entry(record.fields, schema.class_of[record.kind], schema)}
        if record.kind == "site":
            found["site"] = entry
        else:
            by_kind.setdefault(record.kind, []).append(entry)
    for kind in sorted(by_kind, key=COLLECTION_ORDER.index):
        found[kind] = by_kind[kind]
    if source.expect:
        found["expect"] = [{"rule": rule, "focus": focus, "verdict": verdict} for rule, focus, verdict in source.expect]
    return found


def _design(record: Record, name: str, schema: Schema) -> dict[str, Authored]:
    fields = {"name": name, **{key: value for key, value in record.fields.items() if key not in ("name", "parameters")}}
    entry: dict[str, Authored] = {}
    for key in sorted(fields, key=_rank):
        value = fields[key]
        # Ranges mean nothing at the top of the file, so nothing is escaped there.
        entry[key] = value.as_written if isinstance(value, IllTyped) else _scalar(value)
    parameters = record.fields.get("parameters")
    if isinstance(parameters, dict) and parameters:
        entry["parameters"] = {
            key: value.as_written if isinstance(value, IllTyped) else _scalar(value)
            for key, value in sorted(parameters.items())
        }
    return entry


def _scalar(value: Value) -> Authored:
    assert isinstance(value, str | Decimal | bool)
    return value


def _rank(key: str) -> tuple[int, str]:
    return KEY_RANK.get(key, LAST), key


def _entry(fields: dict[str, Value], cls: str, schema: Schema) -> dict[str, Authored]:
    keys = schema.keys[cls]
    return {name: _authored(fields[name], keys.get(name, _ID), schema) for name in sorted(fields, key=_rank)}


def _authored(value: Value, key: Key, schema: Schema) -> Authored:
    if isinstance(value, list):
        return [_authored(item, key, schema) for item in value]
    if isinstance(value, dict):
        assert key.nested is not None
        return _entry(value, key.nested, schema)
    if isinstance(value, IllTyped):
        return ranges.escape(value.as_written)
    if isinstance(value, str) and "[" in value and not key.prose:
        text = key.datatype == "string" and key is not _ID
        return value if text and "[[]" not in value and ranges.count(value) == 1 else ranges.escape(value)
    return value


def to_json(source: DesignSource) -> str:
    """The unfolded design as JSON, one component a line."""
    lines = ['"aikg": 1']
    for key, value in expand_authoring(source).items():
        if isinstance(value, list):
            inner = ",\n".join(f"    {_json(item)}" for item in value)
            lines.append(f"{_json(key)}: [\n{inner}\n  ]" if inner else f"{_json(key)}: []")
        else:
            lines.append(f"{_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(f"  {line}" for line in lines) + "\n}\n"


def _json(value: Authored) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    return f"{{{', '.join(f'{_json(key)}: {_json(inner)}' for key, inner in value.items())}}}"


def to_yaml(source: DesignSource) -> str:
    """The unfolded design as block YAML; adapters, supplies and link ends take one line each."""
    lines = ["aikg: 1"]
    for key, value in expand_authoring(source).items():
        if isinstance(value, dict):
            lines += ["", f"{key}:", *(f"  {name}: {_flow(inner)}" for name, inner in value.items())]
        elif isinstance(value, list):
            lines += ["", f"{key}:"]
            for entry in value:
                lines += _block_entry(entry, flow=key == "expect")
        else:
            lines.append(f"{key}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def _block_entry(entry: Authored, flow: bool) -> Iterator[str]:
    assert isinstance(entry, dict)
    if flow or len(entry) == 1:
        yield f"  - {_flow(entry)}"
        return
    start = "  - "
    for name, value in entry.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{start}{name}:"
            yield from (f"      - {_flow(item)}" for item in value)
        else:
            yield f"{start}{name}: {_flow(value)}"
        start = "    "


def _flow(value: Authored) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {_flow(inner)}' for name, inner in value.items())}}}"
    return _json(value)
