"""Results of two engines side by side: by value, whatever the spelling, and without the labels of blank nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pyoxigraph as ox

from aikg.validate.graphs import by_value
from aikg.validate.results import ConstraintViolation
from aikg.validate.shacl import Term

# focus, path, value, component, source shape, severity
Comparable = tuple[str, str, str, str, str, str]


def comparable(results: Iterable[ConstraintViolation]) -> Counter[Comparable]:
    """The results as records that are equal where they mean the same, each with how often it occurs.

    Literals stand for their value (`10.20` is `10.2`; a store makes xsd:byte xsd:integer), blank nodes for any blank
    node. Messages are left out.
    """
    results = list(results)
    literals = {term for r in results for term in (r.focus, r.value) if isinstance(term, ox.Literal)}
    spelled = by_value(literals, derived=True)

    def text(term: Term | None) -> str:
        if term is None:
            return ""
        if isinstance(term, ox.BlankNode):
            return "_:"
        return str(spelled.get(term, term)) if isinstance(term, ox.Literal) else str(term)

    return Counter(
        (text(r.focus), str(r.path or ""), text(r.value), r.component, text(r.source_shape), r.severity)
        for r in results
    )
