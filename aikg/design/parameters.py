"""The `parameters:` of a design: own figures of aikg that it replaces by name."""

from __future__ import annotations

from aikg.design.records import IllTyped, Origin, Path, Value
from aikg.design.schema import PAIRS, Key, Schema, did_you_mean
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.typed import typed_scalar
from aikg.errors import InputError

_NUMBER = Key("parameter", "decimal")


def parameters_of(node: Node, file: str, schema: Schema, into: dict[str, Value], origins: dict[Path, Origin]) -> None:
    """Add the parameters of one file to those of the design.

    Arguments:
        node: the mapping as written.
        file: the file that it stands in.
        schema: which parameters there are.
        into: parameter -> number, or `IllTyped` where it is none.
        origins: places; each value is at ("parameters", NAME).

    Raises:
        InputError: an unknown or repeated parameter, or a wrong structure.
    """
    if isinstance(node, Scalar) and node.missing:
        return
    if not isinstance(node, Map):
        raise InputError("parameters takes a mapping of names to numbers", file, node.line)
    for name, value in node.values.items():
        if name in PAIRS:
            values = value.items if isinstance(value, Seq) else []
            if len(values) != 2:
                raise InputError(f"{name} takes two numbers, such as [4, 3]", file, value.line)
            pairs = list(zip((f"{name}Down", f"{name}Up"), values, strict=True))
        elif name in schema.parameters:
            pairs = [(name, value)]
        else:
            hint = did_you_mean(name, [*schema.parameters, *PAIRS]) or f"; known: {', '.join(schema.parameters)}"
            raise InputError(f"unknown parameter '{name}'{hint}", file, node.keys[name].line)
        for single, item in pairs:
            _add(single, item, file, into, origins)


def _add(name: str, node: Node, file: str, into: dict[str, Value], origins: dict[Path, Origin]) -> None:
    if not isinstance(node, Scalar):
        raise InputError(f"parameter {name} takes one number", file, node.line)
    value = typed_scalar(node, _NUMBER)
    if value is None:
        return
    if name in into:
        raise InputError(f"parameter {name} is given twice (also in {origins['parameters', name]})", file, node.line)
    assert isinstance(value, IllTyped) or not isinstance(value, str)
    into[name] = value
    origins["parameters", name] = Origin(file, node.line, node.column)
