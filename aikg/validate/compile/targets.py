"""Which nodes a shape judges (SHACL 2.1), and which are instances of a class (SHACL 1.1)."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.compile.constraint import Subclasses, constant
from aikg.validate.executors import Executor
from aikg.validate.shacl import Node, Term, Unsupported, sh
from aikg.validate.shapes import ShapesGraph

_TYPE = f"<{terms.RDF_TYPE}>"
_SUBCLASS = f"<{terms.RDFS}subClassOf>"


def target_pattern(graph: ShapesGraph, shape: Node, subclasses: Subclasses, fresh: Iterator[str]) -> str:
    """The pattern that binds ?this to every focus node of a shape; to none where it has no target.

    Raises:
        Unsupported: a target of SHACL-AF, or one that is a blank node.
    """
    if graph.objects(shape, sh("target")):
        raise Unsupported("sh:target")
    classes = [*graph.objects(shape, sh("targetClass")), *([shape] if graph.is_implicit_class(shape) else [])]
    patterns = [instances("?this", cls, subclasses, fresh) for cls in classes]
    nodes = graph.objects(shape, sh("targetNode"))
    if nodes:
        patterns.append(f"VALUES ?this {{ {' '.join(map(constant, nodes))} }}")
    subjects, objects = (graph.objects(shape, sh(name)) for name in ("targetSubjectsOf", "targetObjectsOf"))
    patterns += [f"?this {property_iri(shape, term)} {next(fresh)} ." for term in subjects]
    patterns += [f"{next(fresh)} {property_iri(shape, term)} ?this ." for term in objects]
    if not patterns:
        return "VALUES ?this { }"
    if len(patterns) == 1:
        return patterns[0]
    return " UNION ".join(f"{{ {pattern} }}" for pattern in patterns)


def property_iri(shape: Term, term: Term) -> str:
    """A property as SPARQL text.

    Raises:
        RuleError: the term is no IRI.
    """
    if not isinstance(term, ox.NamedNode):
        raise RuleError(f"{shape}: {term} stands where a property belongs")
    return str(term)


def instances(variable: str, cls: Term, subclasses: Subclasses, fresh: Iterator[str]) -> str:
    """The pattern that binds a variable to the instances of a class and of its subclasses."""
    known = _with_subclasses(cls, subclasses)
    if known is None:
        return f"{variable} {_TYPE}/{_SUBCLASS}* {constant(cls)} ."
    if len(known) == 1:
        return f"{variable} {_TYPE} {constant(cls)} ."
    kind = next(fresh)
    return f"{variable} {_TYPE} {kind} . VALUES {kind} {{ {' '.join(map(_iri, known))} }}"


def without_class(variable: str, cls: Term, subclasses: Subclasses, fresh: Iterator[str]) -> str:
    """The end of a group that keeps the nodes, bound so far, that are no instances of a class.

    One correlated look-up of the types of each node: no join, so no order that a planner could get wrong.
    """
    known = _with_subclasses(cls, subclasses)
    if known is None:
        return f"MINUS {{ {variable} {_TYPE}/{_SUBCLASS}* {constant(cls)} }}"
    if len(known) == 1:
        return f"FILTER NOT EXISTS {{ {variable} {_TYPE} {constant(cls)} }}"
    kind = next(fresh)
    return f"FILTER NOT EXISTS {{ {variable} {_TYPE} {kind} FILTER({kind} IN ({', '.join(map(_iri, known))})) }}"


def _with_subclasses(cls: Term, subclasses: Subclasses) -> tuple[str, ...] | None:
    if not isinstance(cls, ox.NamedNode):
        raise Unsupported("a class without a name")
    return subclasses.get(cls.value, (cls.value,)) or None


def _iri(value: str) -> str:
    return str(ox.NamedNode(value))


def subclasses_in(executor: Executor) -> dict[str, tuple[str, ...]]:
    """Every class that has subclasses in the data, with itself and all of them (`rdfs:subClassOf*`, backwards).

    Raises:
        EngineError: the query fails.
    """
    below: dict[Term, set[Term]] = {}
    for row in executor.select(f"SELECT DISTINCT ?lower ?upper WHERE {{ ?lower {_SUBCLASS} ?upper }}"):
        lower, upper = row
        if lower is not None and upper is not None:
            below.setdefault(upper, set()).add(lower)
    found: dict[str, tuple[str, ...]] = {}
    for upper in below:
        if not isinstance(upper, ox.NamedNode):
            continue
        seen: set[Term] = {upper}
        todo: list[Term] = [upper]
        while todo:
            new = below.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        blank = any(not isinstance(cls, ox.NamedNode) for cls in seen)
        found[upper.value] = () if blank else tuple(sorted(cls.value for cls in seen if isinstance(cls, ox.NamedNode)))
    return found
