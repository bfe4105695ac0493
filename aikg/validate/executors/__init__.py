"""What runs a SELECT. The text is plain SPARQL 1.1, so that any engine can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from aikg.validate.shacl import Term

Row = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Solutions:
    """The rows of a SELECT, to be gone through once.

    Attributes:
        variables: names of the columns.
        rows: the values, in the order of `variables`; None where a variable is not bound.
    """

    variables: tuple[str, ...]
    rows: Iterator[Row]

    def __iter__(self) -> Iterator[Row]:
        return self.rows


class Executor(Protocol):
    """Runs SELECT queries over the union of a design's graphs."""

    def select(self, query: str) -> Solutions:
        """The rows of a SELECT.

        Raises:
            RuleError: the query does not parse.
            EngineError: it cannot be evaluated.
        """
        ...
