"""SELECTs on an Oxigraph store in the same process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from aikg.errors import EngineError, RuleError
from aikg.validate.executors import Row, Solutions


@dataclass(frozen=True, slots=True)
class OxigraphExecutor:
    """Runs SELECTs over the union of all graphs of a store.

    A triple that stands in two graphs matches twice in that union (pyoxigraph 0.5.13): count and sum what is DISTINCT.
    """

    store: ox.Store

    def select(self, query: str) -> Solutions:
        """The rows of a SELECT.

        Raises:
            RuleError: the query does not parse.
            EngineError: it cannot be evaluated.
        """
        try:
            found = self.store.query(query, use_default_graph_as_union=True)
        except SyntaxError as error:
            raise RuleError(f"a query does not parse: {error}\n{query}") from None
        except (RuntimeError, ValueError, OSError) as error:
            raise EngineError(f"Oxigraph: {error}\n{query}") from None
        assert isinstance(found, ox.QuerySolutions)
        return Solutions(tuple(variable.value for variable in found.variables), _rows(found))


def _rows(found: ox.QuerySolutions) -> Iterator[Row]:
    try:
        for row in found:
            yield tuple(row)
    except (RuntimeError, OSError) as error:
        raise EngineError(f"Oxigraph: {error}") from None
