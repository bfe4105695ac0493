"""The JSON Schema of design files: completion and hover text in editors, from the same ontology as the reader.

It is stricter than the reader in one respect: a value of the wrong type, which the reader keeps and reports as a
missing fact, is an error here.
"""

from __future__ import annotations

from typing import Any

from aikg.design.cabling import KEYS, PATTERNS, WITHIN
from aikg.design.key_order import COLLECTION_ORDER, KEY_RANK, LAST
from aikg.design.schema import PAIRS, Key, Schema, load_schema

_Json = dict[str, Any]
_RANGE: _Json = {"$ref": "#/$defs/range"}
_CYCLE: _Json = {"$ref": "#/$defs/cycle"}
_NAMES: _Json = {"$ref": "#/$defs/names"}
_TEXT: _Json = {"type": ["string", "number", "null"]}


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a design file, folding included."""
    schema = load_schema()
    properties: _Json = {
        "@context": {"type": "string"},
        "aikg": {"const": 1, "description": "Version of the file format."},
        **{name: _value(key) for name, key in schema.keys["Design"].items()},
        "parameters": _parameters(schema),
        "templates": {
            "description": "Partial entries by name; `use: NAME` in an entry takes their keys.",
            "type": ["object", "null"],
            "additionalProperties": {"type": "object"},
        },
        "site": {"$ref": f"#/$defs/{schema.class_of['site']}"},
        **{kind: _collection(kind, schema) for kind in COLLECTION_ORDER if kind != "site"},
        "cabling": {"type": ["array", "null"], "items": {"$ref": "#/$defs/cabling"}},
        "cables": {**_NAMES, "description": "CSV or XLSX files with one link a row, relative to this file."},
        "include": {**_NAMES, "description": "Other files of this design, relative to this file."},
        "expect": {"type": ["array", "null"], "items": _expect()},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://w3id.org/aikg/design.schema.json",
        "title": "aikg design",
        "description": "A design of a GPU cluster; docs/authoring.md explains it.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": {
            "range": {"type": "string", "pattern": r"\[.+\]", "description": "Values as a range, such as rack[01-16]."},
            "cycle": {
                "type": "object",
                "description": "Values dealt round over the ids.",
                "properties": {"cycle": {"type": "string"}},
                "required": ["cycle"],
                "additionalProperties": False,
            },
            "names": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
            "devices": {"anyOf": [_NAMES, {"type": "object"}, {"type": "array"}]},
            "cabling": _cabling(schema),
            **{cls: _entry(cls, schema) for cls in schema.keys if cls != "Design"},
        },
    }


def _collection(kind: str, schema: Schema) -> _Json:
    cls = schema.class_of[kind]
    return {
        "description": schema.definitions.get(cls, ""),
        "type": ["array", "null"],
        "items": {"$ref": f"#/$defs/{cls}", "required": ["id"]},
    }


def _entry(cls: str, schema: Schema) -> _Json:
    properties: _Json = {}
    if cls in schema.class_of.values() or cls in ("Nic", "Psu"):
        properties["id"] = {"type": ["string", "number"], "description": "Its name; a range stands for several."}
    properties["use"] = {**_NAMES, "description": "Templates whose keys this entry takes; its own win."}
    keys = schema.keys[cls]
    properties |= {name: _value(keys[name]) for name in sorted(keys, key=lambda name: (KEY_RANK.get(name, LAST), name))}
    return {
        "description": schema.definitions.get(cls, ""),
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _value(key: Key) -> _Json:
    unit = f" In {key.unit}." if key.unit and key.unit != "1" else ""
    described: _Json = {"description": key.definition + unit}
    single = _single(key)
    if key.multiple:
        return {**described, "type": ["array", "null"], "items": single}
    return {**described, **single}


def _single(key: Key) -> _Json:
    if key.nested is not None:
        required = {"required": ["id"]} if key.nested == "Nic" else {}
        return {"$ref": f"#/$defs/{key.nested}", **required}
    if key.datatype in ("decimal", "integer"):
        return {"anyOf": [{"type": ["number", "null"]}, _RANGE, _CYCLE]}
    if key.datatype == "boolean":
        return {"type": ["boolean", "null"]}
    if key.allowed:
        return {"anyOf": [{"enum": [*key.allowed, None]}, _RANGE, _CYCLE]}
    return {"anyOf": [_TEXT, _CYCLE]}


def _parameters(schema: Schema) -> _Json:
    number: _Json = {"type": ["number", "null"]}
    properties: _Json = {}
    for name in schema.parameters:
        unit = f" In {schema.units[name]}." if schema.units[name] != "1" else ""
        properties[name] = {**number, "description": schema.definitions.get(name, "") + unit}
    for name in PAIRS:
        properties[name] = {"type": "array", "items": number, "minItems": 2, "maxItems": 2}
    return {
        "description": "Own figures of aikg that this design replaces.",
        "type": ["object", "null"],
        "properties": properties,
        "additionalProperties": False,
    }


def _cabling(schema: Schema) -> _Json:
    link = schema.keys["Link"]
    known: _Json = {
        "pattern": {
            "enum": list(PATTERNS),
            "description": "; ".join(f"{name}: {what}" for name, what in PATTERNS.items()),
        },
        "from": {"$ref": "#/$defs/devices"},
        "to": {"$ref": "#/$defs/devices"},
        "nics": _NAMES,
        "links": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Links per pair of switches."},
        "within": {"enum": list(WITHIN), "description": "Cable only devices with the same value of this key."},
        **{name: _value(link[name]) for name in ("fabric", "speedGbps")},
        **{end: _pattern_end(schema) for end in ("a", "b")},
        "use": _NAMES,
    }
    return {
        "type": "object",
        "properties": {name: known[name] for name in (*KEYS, "use")},
        "additionalProperties": False,
    }


def _pattern_end(schema: Schema) -> _Json:
    keys = {name: _value(key) for name, key in schema.keys["LinkEnd"].items() if name != "device"}
    properties: _Json = {**keys, "port": _NAMES, "use": _NAMES}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _expect() -> _Json:
    keys = ("rule", "focus", "verdict")
    return {
        "type": "object",
        "properties": {key: {"type": "string"} for key in keys},
        "required": list(keys),
        "additionalProperties": False,
    }
