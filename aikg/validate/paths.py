"""SHACL property paths (SHACL 2.3.1): read from a shapes graph, as SPARQL text, written back as triples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from aikg.errors import RuleError
from aikg.validate.shacl import FIRST, NIL, REST, Term, sh
from aikg.validate.shapes import ShapesGraph

_REPEATS = {"zeroOrMorePath": "*", "oneOrMorePath": "+", "zeroOrOnePath": "?"}
_REPEAT_NAMES = {sign: name for name, sign in _REPEATS.items()}
_MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Predicate:
    """One property, forwards."""

    iri: str

    def __str__(self) -> str:
        return str(ox.NamedNode(self.iri))


@dataclass(frozen=True, slots=True)
class Inverse:
    """A path, backwards."""

    step: Path

    def __str__(self) -> str:
        return f"(^{self.step})"


@dataclass(frozen=True, slots=True)
class Sequence:
    """Paths, one after the other."""

    steps: tuple[Path, ...]

    def __str__(self) -> str:
        return f"({'/'.join(map(str, self.steps))})"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Any one of several paths."""

    choices: tuple[Path, ...]

    def __str__(self) -> str:
        return f"({'|'.join(map(str, self.choices))})"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A path any number of times; `sign` is that of SPARQL: `*`, `+` or `?`."""

    step: Path
    sign: str

    def __str__(self) -> str:
        return f"({self.step}{self.sign})"


# str(path) is the SPARQL property path.
Path = Predicate | Inverse | Sequence | Alternative | Repeat


def read_path(graph: ShapesGraph, node: Term, depth: int = 0) -> Path:
    """The path that a node of a shapes graph stands for.

    Raises:
        RuleError: the node is no path, or a path within itself.
    """
    if isinstance(node, ox.NamedNode) and node != NIL:
        return Predicate(node.value)
    if depth > _MAX_DEPTH:
        raise RuleError(f"{node}: a property path nested deeper than {_MAX_DEPTH}")
    if graph.is_list(node):
        steps = graph.items(node)
        if len(steps) < 2:
            raise RuleError(f"{node}: a sequence path has at least two members")
        return Sequence(tuple(read_path(graph, step, depth + 1) for step in steps))
    inverse = graph.value(node, sh("inversePath"))
    if inverse is not None:
        return Inverse(read_path(graph, inverse, depth + 1))
    choices = graph.value(node, sh("alternativePath"))
    if choices is not None:
        members = graph.items(choices)
        if len(members) < 2:
            raise RuleError(f"{node}: sh:alternativePath has at least two members")
        return Alternative(tuple(read_path(graph, choice, depth + 1) for choice in members))
    for name, sign in _REPEATS.items():
        step = graph.value(node, sh(name))
        if step is not None:
            return Repeat(read_path(graph, step, depth + 1), sign)
    raise RuleError(f"{node} is no property path")


def is_single_step(path: Path) -> bool:
    """Whether a path is one triple pattern, so that a look-up with a bound end is one index access."""
    return isinstance(path, Predicate) or (isinstance(path, Inverse) and isinstance(path.step, Predicate))


def is_nullable(path: Path) -> bool:
    """Whether a path of length zero matches, so that each node is a value of itself."""
    match path:
        case Predicate():
            return False
        case Inverse(step):
            return is_nullable(step)
        case Sequence(steps):
            return all(map(is_nullable, steps))
        case Alternative(choices):
            return any(map(is_nullable, choices))
        case Repeat(step, sign):
            return sign != "+" or is_nullable(step)


def path_triples(path: Path, node: Term) -> Iterator[ox.Triple]:
    """The triples that describe a path other than a `Predicate`.

    Arguments:
        path: what to describe.
        node: the blank node that stands for it.
    """
    assert isinstance(node, ox.BlankNode)
    match path:
        case Sequence(steps):
            yield from _list_triples(steps, node)
        case Inverse(step):
            yield from _inner(node, "inversePath", step)
        case Repeat(step, sign):
            yield from _inner(node, _REPEAT_NAMES[sign], step)
        case Alternative(choices):
            head = ox.BlankNode()
            yield ox.Triple(node, sh("alternativePath"), head)
            yield from _list_triples(choices, head)


def path_node(path: Path) -> ox.NamedNode | ox.BlankNode:
    """The node that stands for a path: its IRI, or a new blank node to be described by `path_triples`."""
    return ox.NamedNode(path.iri) if isinstance(path, Predicate) else ox.BlankNode()


def _inner(node: ox.BlankNode, name: str, step: Path) -> Iterator[ox.Triple]:
    inner = path_node(step)
    yield ox.Triple(node, sh(name), inner)
    if isinstance(inner, ox.BlankNode):
        yield from path_triples(step, inner)


def _list_triples(members: tuple[Path, ...], head: ox.BlankNode) -> Iterator[ox.Triple]:
    for number, member in enumerate(members, 1):
        inner = path_node(member)
        rest = NIL if number == len(members) else ox.BlankNode()
        yield ox.Triple(head, FIRST, inner)
        yield ox.Triple(head, REST, rest)
        if isinstance(inner, ox.BlankNode):
            yield from path_triples(member, inner)
        if isinstance(rest, ox.BlankNode):
            head = rest
