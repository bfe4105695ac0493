"""A shapes graph as the compiler reads it: triples by subject and predicate, lists, targets, misspelt terms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.shacl import (
    CLASS,
    CLASSES,
    FIRST,
    NIL,
    PREDICATES,
    REPORT_PREDICATES,
    REST,
    SUBCLASS,
    TARGETS,
    TYPE,
    Node,
    Term,
    closest,
    sh,
)

# What leads from a shape to a part of it, and not to data that it talks about.
_STRUCTURE = PREDICATES - REPORT_PREDICATES - {*TARGETS, "in", "hasValue", "defaultValue"}


@dataclass(frozen=True, slots=True)
class UnknownTerm:
    """A term of the sh: namespace that SHACL does not have.

    Attributes:
        subject: the node that uses it.
        place: that node as people find it.
        name: its local name.
        suggestion: the closest valid local name, None where none is near.
    """

    subject: Node
    place: str
    name: str
    suggestion: str | None

    def __str__(self) -> str:
        hint = f"; did you mean sh:{self.suggestion}?" if self.suggestion else ""
        return f"{self.place}: unknown SHACL term sh:{self.name}{hint}"


class ShapesGraph:
    """The triples of a shapes graph, indexed.

    Arguments:
        triples: triples or quads as parsed (graph names are ignored). Spellings matter in one place: `sh:uniqueLang`
            holds for `true` only, so a parser's output says more here than a store's.
    """

    def __init__(self, triples: Iterable[ox.Triple | ox.Quad]) -> None:
        self._facts: dict[Term, dict[str, list[Term]]] = {}
        for triple in triples:
            subject, value = triple.subject, triple.object
            if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
                raise RuleError(f"{triple}: a quoted triple in a shapes graph")
            own = self._facts.setdefault(subject, {}).setdefault(triple.predicate.value, [])
            if value not in own:
                own.append(value)
        # A store's order changes from run to run; sorted, the same shapes give the same queries.
        for facts in self._facts.values():
            for values in facts.values():
                values.sort(key=str)

    @staticmethod
    def of(shapes: ShapesGraph | ox.Store) -> ShapesGraph:
        """The shapes in a store, of all its graphs; a `ShapesGraph` is given back as it is."""
        return shapes if isinstance(shapes, ShapesGraph) else ShapesGraph(shapes)

    def triples(self) -> Iterator[ox.Triple]:
        """Every triple."""
        for subject, facts in self._facts.items():
            for predicate, values in facts.items():
                for value in values:
                    yield ox.Triple(_node(subject), ox.NamedNode(predicate), value)

    def subjects(self) -> list[Node]:
        """Every subject, sorted."""
        return sorted(map(_node, self._facts), key=str)

    def describes(self, node: Term) -> bool:
        """Whether the graph says anything about a node."""
        return node in self._facts

    def predicates(self, subject: Term) -> Collection[str]:
        """IRIs of the predicates of a subject."""
        return self._facts.get(subject, {}).keys()

    def objects(self, subject: Term, predicate: ox.NamedNode) -> list[Term]:
        """The objects of subject and predicate, sorted."""
        return self._facts.get(subject, {}).get(predicate.value, [])

    def value(self, subject: Term, predicate: ox.NamedNode) -> Term | None:
        """The object of subject and predicate, None where there is none.

        Raises:
            RuleError: more than one, where SHACL allows one.
        """
        found = self.objects(subject, predicate)
        if len(found) > 1:
            raise RuleError(f"{subject} has {len(found)} values for {short(predicate)}, at most one is allowed")
        return found[0] if found else None

    def items(self, head: Term) -> list[Term]:
        """The members of an RDF list.

        Raises:
            RuleError: the list is broken or runs in a circle.
        """
        found: list[Term] = []
        seen: set[Term] = set()
        while head != NIL:
            first, rest = self.objects(head, FIRST), self.objects(head, REST)
            if len(first) != 1 or len(rest) != 1 or head in seen:
                raise RuleError(f"{head} is no well-formed list")
            seen.add(head)
            found.append(first[0])
            head = rest[0]
        return found

    def is_list(self, node: Term) -> bool:
        """Whether a node is an RDF list."""
        return node == NIL or bool(self.objects(node, FIRST))

    @cached_property
    def _referrers(self) -> dict[Term, Term]:
        """Every blank node that is an object -> one subject that points at it."""
        return {
            value: subject
            for subject, facts in self._facts.items()
            for values in facts.values()
            for value in values
            if isinstance(value, ox.BlankNode) and value != subject
        }

    def place(self, node: Term) -> str:
        """A node as people find it in their file: a blank node by the nearest named node that leads to it."""
        seen: set[Term] = set()
        at: Term | None = node
        while isinstance(at, ox.BlankNode) and at not in seen:
            seen.add(at)
            at = self._referrers.get(at)
        return f"a blank node of {at}" if at is not None and at != node else str(node)

    @cached_property
    def component_parameters(self) -> dict[str, Node]:
        """IRI of a parameter -> the constraint component of the author's own that declares it (SHACL 6.2)."""
        return {
            path.value: component
            for component in self.subjects()
            for parameter in self.objects(component, sh("parameter"))
            for path in self.objects(parameter, sh("path"))
            if isinstance(path, ox.NamedNode)
        }

    def flag(self, shape: Term, name: str) -> bool:
        """Whether a boolean parameter of a shape is true."""
        return any(isinstance(v, ox.Literal) and v.value in ("true", "1") for v in self.objects(shape, sh(name)))

    def targeted(self) -> list[Node]:
        """The shapes with targets, implicit class targets and SHACL-AF's sh:target included, sorted."""
        return [node for node in self.subjects() if self.has_target(node)]

    def has_target(self, shape: Node) -> bool:
        """Whether a shape selects focus nodes by itself."""
        explicit = any(self.objects(shape, sh(name)) for name in (*TARGETS, "target"))
        return explicit or self.is_implicit_class(shape)

    def is_implicit_class(self, shape: Node) -> bool:
        """Whether a shape is a class too, and so targets its instances (SHACL 2.1.3.3)."""
        types = self.objects(shape, TYPE)
        if not isinstance(shape, ox.NamedNode) or not (sh("NodeShape") in types or sh("PropertyShape") in types):
            return False
        return any(kind == CLASS or CLASS in self.objects(kind, SUBCLASS) for kind in types)

    def unknown_terms(self) -> Iterator[UnknownTerm]:
        """Every term of the sh: namespace, as predicate or as object, that SHACL does not know."""
        for subject in self.subjects():
            for predicate in self.predicates(subject):
                name = _sh_name(predicate)
                if name is not None and name not in PREDICATES:
                    yield UnknownTerm(subject, self.place(subject), name, closest(name, PREDICATES))
                for value in self.objects(subject, ox.NamedNode(predicate)):
                    name = _sh_name(value.value) if isinstance(value, ox.NamedNode) else None
                    if name and name not in CLASSES and name not in PREDICATES:
                        yield UnknownTerm(subject, self.place(subject), name, closest(name, CLASSES))

    def refuse_unknown_terms(self) -> None:
        """Raise for the first unknown sh: term of a shape: a misspelt `sh:mincount` must never conform in silence.

        A node that is no part of any shape may say what it likes (W3C suite, qualifiedValueShape-001); lint tells.

        Raises:
            RuleError: names the term and the closest valid one.
        """
        if self._misspelling is not None:
            raise RuleError(str(self._misspelling))

    def refuse_entailment(self) -> None:
        """Raise for sh:entailment: no regime is supported, and SHACL 1.5 asks for a failure then.

        Raises:
            RuleError
        """
        for node in self.subjects():
            for regime in self.objects(node, sh("entailment")):
                raise RuleError(f"{node}: sh:entailment {regime} is not supported; derive the facts first")

    @cached_property
    def _misspelling(self) -> UnknownTerm | None:
        problems = list(self.unknown_terms())
        parts = self._parts_of_shapes() if problems else frozenset()
        return next((problem for problem in problems if problem.subject in parts), None)

    def _parts_of_shapes(self) -> frozenset[Term]:
        """The nodes with a known sh: term, and whatever their parameters, paths and lists lead to."""
        todo: list[Term] = [
            subject
            for subject in self.subjects()
            if any(_sh_name(value.value) for value in self.objects(subject, TYPE))
            or any(_sh_name(predicate) in PREDICATES for predicate in self.predicates(subject))
        ]
        found = set(todo)
        while todo:
            node = todo.pop()
            for predicate in self.predicates(node):
                if _sh_name(predicate) in _STRUCTURE or predicate in (FIRST.value, REST.value):
                    new = set(self.objects(node, ox.NamedNode(predicate))) - found
                    found |= new
                    todo += new
        return frozenset(found)


def short(predicate: ox.NamedNode) -> str:
    """A SHACL term as people write it."""
    name = _sh_name(predicate.value)
    return predicate.value if name is None else f"sh:{name}"


def _sh_name(iri: str) -> str | None:
    return iri[len(terms.SH) :] if iri.startswith(terms.SH) else None


def _node(term: Term) -> Node:
    assert isinstance(term, ox.NamedNode | ox.BlankNode)
    return term
