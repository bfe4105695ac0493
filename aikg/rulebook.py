"""The rules: shapes with their metadata, read from `shapes/` and from users' own folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.knowledge import data_root

LAYERS = ("compute", "fabric", "storage", "power", "cooling", "system", "catalogue", "data")
SEVERITIES = ("Violation", "Warning", "Info")

Node = ox.NamedNode | ox.BlankNode
Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_TARGETS = ("targetClass", "targetSubjectsOf", "targetObjectsOf", "targetNode", "target")


def _aikg(name: str) -> ox.NamedNode:
    return ox.NamedNode(terms.AIKG + name)


def _sh(name: str) -> ox.NamedNode:
    return ox.NamedNode(terms.SH + name)


_TYPE = ox.NamedNode(terms.RDF_TYPE)


@dataclass(frozen=True)
class Need:
    """A fact that a rule needs for a verdict.

    Attributes:
        shape: the shape that holds where the fact is there; it carries the targets of the rule's shape.
        path: IRI of the property that must have a value, where the need is that simple, else None.
        key: what the author writes to give the fact, such as "maxPowerKw".
        lacked_by: IRI of the property from the focus to the components that lack the key; None = the focus itself.
        text: what is missing, in words, where the key alone does not say it.
    """

    shape: ox.NamedNode
    path: str | None
    key: str
    lacked_by: str | None
    text: str | None


@dataclass(frozen=True)
class RuleShape:
    """One shape of a rule with the needs of its focus nodes."""

    shape: ox.NamedNode
    needs: tuple[Need, ...]
    not_applicable_when: ox.NamedNode | None


@dataclass(frozen=True, eq=False)
class Rule:
    """One design rule: shapes and everything that is said about them. Texts are as in `rule.ttl`."""

    id: str
    iri: str
    title: str
    layer: str
    severity: str
    statement: str
    formula: str
    boundary: str
    rationale: str
    source: str
    applies_to_profile: str
    unit: str | None
    parameters: tuple[str, ...]
    shapes: tuple[RuleShape, ...]
    detail: str | None
    message_template: str
    fix_template: str
    folder: Path
    graph: ox.Store

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """All needs of all shapes of the rule."""
        return tuple(need for shape in self.shapes for need in shape.needs)

    def examples(self) -> list[Path]:
        """The example designs of the rule, in a fixed order."""
        return sorted(self.folder.glob("*.yaml"))


def _objects(graph: ox.Store, subject: Node, predicate: ox.NamedNode) -> list[Term]:
    return [quad.object for quad in graph.quads_for_pattern(subject, predicate, None)]


def _text(graph: ox.Store, subject: Node, predicate: ox.NamedNode) -> str | None:
    values = _objects(graph, subject, predicate)
    if len(values) > 1:
        raise RuleError(f"{subject}: more than one {predicate.value.rsplit('#', 1)[-1]}")
    return str(getattr(values[0], "value", values[0])) if values else None


def _local(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def _renamed(graph: ox.Store, node: Term, name: ox.NamedNode) -> ox.NamedNode:
    """A blank shape under an IRI of its own, so that a result can say which shape it comes from."""
    if isinstance(node, ox.NamedNode):
        return node
    assert isinstance(node, ox.BlankNode)
    for quad in list(graph.quads_for_pattern(node, None, None)):
        graph.remove(quad)
        graph.add(ox.Quad(name, quad.predicate, quad.object))
    for quad in list(graph.quads_for_pattern(None, None, node)):
        graph.remove(quad)
        graph.add(ox.Quad(quad.subject, quad.predicate, name))
    return name


def _targeted(graph: ox.Store, shape: ox.NamedNode, like: ox.NamedNode) -> None:
    """Give a shape the targets of another."""
    for target in _TARGETS:
        for value in _objects(graph, like, _sh(target)):
            graph.add(ox.Quad(shape, _sh(target), value))


def _need(graph: ox.Store, of: ox.NamedNode, node: Term, number: int) -> Need:
    name = ox.NamedNode(f"{of.value}/needs/{number}")
    if isinstance(node, ox.NamedNode) and not _objects(graph, node, _sh("path")) and not _is_shape(graph, node):
        # The short form: a property that must have a value.
        graph.add(ox.Quad(name, _sh("path"), node))
        graph.add(ox.Quad(name, _sh("minCount"), ox.Literal("1", datatype=ox.NamedNode(terms.XSD + "integer"))))
        _targeted(graph, name, of)
        return Need(name, node.value, _local(node.value), None, None)
    shape = _renamed(graph, node, name)
    path = _objects(graph, shape, _sh("path"))
    simple = path[0].value if len(path) == 1 and isinstance(path[0], ox.NamedNode) else None
    key = _text(graph, shape, _aikg("key")) or (_local(simple) if simple else "")
    _targeted(graph, shape, of)
    return Need(shape, simple, key, _text(graph, shape, _aikg("lackedBy")), _text(graph, shape, _aikg("needsText")))


def _is_shape(graph: ox.Store, node: ox.NamedNode) -> bool:
    return any(_objects(graph, node, _TYPE)) or bool(_objects(graph, node, _aikg("key")))


def _shape(graph: ox.Store, shape: ox.NamedNode) -> RuleShape:
    # Ordered by what is said, not by blank node labels, which change from run to run.
    nodes = sorted(_objects(graph, shape, _aikg("needs")), key=lambda node: _spelled(graph, node))
    needs = tuple(_need(graph, shape, node, number) for number, node in enumerate(nodes, 1))
    unless = _objects(graph, shape, _aikg("notApplicableWhen"))
    if not unless:
        return RuleShape(shape, needs, None)
    condition = _renamed(graph, unless[0], ox.NamedNode(f"{shape.value}/not-applicable"))
    _targeted(graph, condition, shape)
    return RuleShape(shape, needs, condition)


def _spelled(graph: ox.Store, node: Term) -> str:
    if isinstance(node, ox.NamedNode):
        return node.value
    assert isinstance(node, ox.BlankNode)
    objects = (quad.object for quad in graph.quads_for_pattern(node, None, None))
    return " ".join(sorted(str(term) for term in objects if not isinstance(term, ox.BlankNode)))


def read_rule(folder: Path) -> Rule:
    """The rule of one folder.

    Raises:
        RuleError: the Turtle does not parse, there is not exactly one rule, or metadata is missing.
    """
    file = folder / "rule.ttl"
    graph = ox.Store()
    try:
        graph.load(path=str(file), format=ox.RdfFormat.TURTLE)
    except (SyntaxError, OSError) as error:
        raise RuleError(f"{file}: {error}") from None
    rules = [quad.subject for quad in graph.quads_for_pattern(None, _TYPE, _aikg("Rule"))]
    if len(rules) != 1 or not isinstance(rules[0], ox.NamedNode):
        raise RuleError(f"{file}: expected one aikg:Rule, found {len(rules)}")
    node = rules[0]

    def required(predicate: ox.NamedNode) -> str:
        value = _text(graph, node, predicate)
        if not value:
            raise RuleError(f"{file}: {_local(node.value)} has no {_local(predicate.value)}")
        return value

    further = (quad.subject for quad in graph.quads_for_pattern(None, _aikg("ofRule"), node))
    others = sorted((shape for shape in further if isinstance(shape, ox.NamedNode)), key=lambda shape: shape.value)
    layer, severity = required(_aikg("layer")), _local(required(_aikg("severity")))
    if layer not in LAYERS:
        raise RuleError(f"{file}: unknown layer '{layer}', expected one of {', '.join(LAYERS)}")
    if severity not in SEVERITIES:
        raise RuleError(f"{file}: unknown severity '{severity}', expected one of {', '.join(SEVERITIES)}")
    # The node of the rule is a shape itself, unless its shapes only point at it by aikg:ofRule.
    own = [node] if (node, _TYPE, _sh("NodeShape")) in _triples(graph) else []
    return Rule(
        id=_local(node.value),
        iri=node.value,
        title=required(ox.NamedNode(terms.RDFS + "label")),
        layer=layer,
        severity=severity,
        statement=required(_aikg("statement")),
        formula=required(_aikg("formula")),
        boundary=required(_aikg("boundary")),
        rationale=required(_aikg("rationale")),
        source=required(ox.NamedNode(terms.DCT + "source")),
        applies_to_profile=_text(graph, node, _aikg("appliesToProfile")) or "both",
        unit=_text(graph, node, _aikg("unit")),
        parameters=tuple(sorted(_local(str(p.value)) for p in _objects(graph, node, _aikg("parameter")))),  # type: ignore[union-attr]
        shapes=tuple(_shape(graph, shape) for shape in [*own, *others]),
        detail=_text(graph, node, _aikg("detail")),
        message_template=required(_aikg("message")),
        fix_template=required(_aikg("fix")),
        folder=folder,
        graph=graph,
    )


def _triples(graph: ox.Store) -> set[tuple[Term, Term, Term]]:
    return {(q.subject, q.predicate, q.object) for q in graph.quads_for_pattern(None, _TYPE, None)}


def load_rules(extra_dirs: Sequence[Path] = ()) -> list[Rule]:
    """All rules of the product and of `extra_dirs`, ordered by layer and id.

    Raises:
        RuleError: a rule cannot be read, or an id is used twice.
    """
    folders: Iterable[Path] = (
        file.parent for root in (data_root() / "shapes", *extra_dirs) for file in sorted(root.glob("**/rule.ttl"))
    )
    rules = [read_rule(folder) for folder in folders]
    seen: dict[str, Path] = {}
    for rule in rules:
        if rule.id in seen:
            raise RuleError(f"{rule.folder}: rule id {rule.id} is already used by {seen[rule.id]}")
        seen[rule.id] = rule.folder
    return sorted(rules, key=lambda rule: (LAYERS.index(rule.layer), rule.id))
