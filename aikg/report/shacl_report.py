"""A report as a W3C validation report (SHACL 3.6), for tools that read those."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from aikg import terms
from aikg.report.finding import Finding

if TYPE_CHECKING:
    import rdflib

    from aikg.report.report import Report


def report_graph(report: Report) -> rdflib.Graph:
    """The failing findings of a report as an rdflib graph with one sh:ValidationReport.

    Findings that were not evaluated are no validation results; whoever needs them reads the report itself.

    Arguments:
        report: of one or several designs.
    """
    from rdflib import RDF, SH, BNode, Graph, Literal, URIRef

    graph = Graph()
    for prefix, iri in terms.PREFIXES.items():
        graph.bind(prefix, iri)
    failed: list[Finding] = [finding for finding in report.findings if finding.verdict == "fail"]
    head = BNode("report")
    graph.add((head, RDF.type, SH.ValidationReport))
    graph.add((head, SH.conforms, Literal(not failed)))
    for number, finding in enumerate(failed, 1):
        result = BNode(f"result{number}")
        graph.add((head, SH.result, result))
        graph.add((result, RDF.type, SH.ValidationResult))
        graph.add((result, SH.focusNode, URIRef(finding.focus_iri)))
        graph.add((result, SH.sourceShape, URIRef(terms.RULE + terms.encode(finding.rule))))
        graph.add((result, SH.resultSeverity, SH[finding.severity]))
        # One finding may stand for several constraints of a rule; the component that SHACL asks for is the rule's own.
        graph.add((result, SH.sourceConstraintComponent, URIRef(terms.AIKG + "RuleConstraintComponent")))
        graph.add((result, SH.resultMessage, Literal(finding.message)))
        if finding.value is not None:
            graph.add((result, SH.value, _decimal(finding.value)))
    return graph


def _decimal(value: Decimal) -> rdflib.Literal:
    from rdflib import XSD, Literal

    from aikg.report.numbers import plain

    return Literal(plain(value), datatype=XSD.decimal)
