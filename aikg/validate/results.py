"""What a validation says: one record per SHACL validation result."""

from __future__ import annotations

from dataclasses import dataclass

from aikg.validate.paths import Path
from aikg.validate.shacl import Node, Term


@dataclass(frozen=True, slots=True)
class ConstraintViolation:
    """A validation result (SHACL 3.6.2). Terms are pyoxigraph terms.

    Attributes:
        focus: the focus node.
        path: the result path, None on node shapes; `str(path)` is its SPARQL text.
        value: the value node, None where the component reports none (such as sh:minCount).
        component: IRI of the constraint component.
        source_shape: the shape that the constraint stands on.
        severity: IRI of the severity.
        message: the author's message, "" where there is none.
    """

    focus: Term
    path: Path | None
    value: Term | None
    component: str
    source_shape: Node
    severity: str
    message: str = ""

    def order(self) -> tuple[str, ...]:
        """A sort key over all fields."""
        path, value = ("" if part is None else str(part) for part in (self.path, self.value))
        return (str(self.source_shape), self.component, str(self.focus), path, value, self.severity, self.message)


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The outcome of a validation.

    Attributes:
        results: the violations, sorted by shape, component, focus, path and value.
        handed_to_reference: the shapes that the compiler left to pyshacl, each with its reason; empty when pyshacl was
            asked for.
    """

    results: tuple[ConstraintViolation, ...]
    handed_to_reference: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """Whether there is no result of any severity, as SHACL 3.6.1.1 has it."""
        return not self.results
