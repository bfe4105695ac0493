"""The records that the compiler works with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from aikg.validate.paths import Path
from aikg.validate.shacl import Node, Term, Unsupported

# IRI of a class -> itself and all its subclasses; () where a subclass is a blank node, which a query cannot name.
Subclasses = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class CompiledConstraint:
    """A constraint as one SELECT that finds all its violations.

    Attributes:
        shape: the shape that the constraint stands on (`sh:sourceShape`).
        component: IRI of the constraint component.
        path: the shape's path, None on node shapes.
        severity: IRI of the shape's severity.
        messages: texts of `sh:message`, of the SPARQL constraint before those of the shape.
        select: the SELECT. `?this` is the focus node, `?value` the value node and `?path` the predicate where they are
            projected; the rows are distinct, and each is one violation.
        targets: None, or a SELECT of `?this`: only rows of these count. Set for the author's own SELECTs, which run as
            they are.
        value_is_focus: whether a row without `?value` means the focus node itself (SHACL 5.3.2, node shapes).
    """

    shape: Node
    component: str
    path: Path | None
    severity: str
    messages: tuple[str, ...]
    select: str
    targets: str | None = None
    value_is_focus: bool = False


@dataclass(frozen=True, slots=True)
class Focus:
    """Nodes to be judged: a variable and the graph pattern that binds it to them.

    The pattern is the inside of a group. A node may be bound several times.
    """

    variable: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Violations:
    """A graph pattern whose solutions are the violations of one constraint by a `Focus`.

    Attributes:
        component: IRI of the constraint component.
        pattern: the inside of a group; binds the focus variable and the ones named below.
        value: the variable of the value node, None where results carry no value.
        path: the variable of the predicate, for sh:closed.
        also: further variables that tell one result from another.
    """

    component: str
    pattern: str
    value: str | None = None
    path: str | None = None
    also: tuple[str, ...] = ()


def names() -> Iterator[str]:
    """Variables that no other part of a query uses; targets given from outside must not begin `?_`."""
    return (f"?_{number}" for number in itertools.count(1))


def constant(term: Term) -> str:
    """A term as SPARQL text.

    Raises:
        Unsupported: a blank node, which a query cannot name.
    """
    if isinstance(term, ox.BlankNode):
        raise Unsupported("a blank node where a query needs a name")
    return str(term)
