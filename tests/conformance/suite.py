"""The cases of the W3C SHACL test suite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

import pyoxigraph as ox

from aikg.validate.graphs import read_triples
from aikg.validate.reference import report_results
from aikg.validate.results import ConstraintViolation
from aikg.validate.shacl import TYPE, Term, sh
from aikg.validate.shapes import ShapesGraph

_MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_SHT = "http://www.w3.org/ns/shacl-test#"


@dataclass(frozen=True)
class Case:
    """One test of the suite.

    Attributes:
        name: such as "core/node/and-001".
        data: file of the data graph.
        shapes: file of the shapes graph.
        expected: the results of the expected report, None where validation must fail (`sht:Failure`).
    """

    name: str
    data: Path
    shapes: Path
    expected: tuple[ConstraintViolation, ...] | None


def read_cases(folder: Path) -> list[Case]:
    """All test cases below a folder of the suite, sorted by name."""
    return [case for file in sorted(folder.rglob("*.ttl")) for case in _cases(folder, file)]


def _cases(folder: Path, file: Path) -> list[Case]:
    graph = ShapesGraph(read_triples(file))
    found = []
    for test in graph.subjects():
        if ox.NamedNode(_SHT + "Validate") not in graph.objects(test, TYPE):
            continue
        action, result = (graph.value(test, ox.NamedNode(_MF + name)) for name in ("action", "result"))
        assert action is not None and result is not None
        data, shapes = (_file(graph.value(action, ox.NamedNode(_SHT + name))) for name in ("dataGraph", "shapesGraph"))
        is_report = sh("ValidationReport") in graph.objects(result, TYPE) or graph.objects(result, sh("conforms"))
        expected = tuple(report_results(graph, result)) if is_report else None
        name = test.value.rsplit("/", 1)[-1]
        found.append(Case(str(file.relative_to(folder).parent / name), data, shapes, expected))
    return found


def _file(iri: Term | None) -> Path:
    assert isinstance(iri, ox.NamedNode)
    return Path(unquote(urlparse(iri.value).path))
