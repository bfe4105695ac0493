"""Constraints that look at one value node alone, as SPARQL expressions that are true where it conforms (SHACL 4)."""

from __future__ import annotations

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.shacl import NODE_KINDS, Term, Unsupported, sh
from aikg.validate.shapes import ShapesGraph

_XSD = terms.XSD
_COMPARE = {"minInclusive": ">=", "maxInclusive": "<=", "minExclusive": ">", "maxExclusive": "<"}
_KIND_TESTS = {"IRI": "isIRI({0})", "Literal": "isLiteral({0})", "BlankNode": "isBlank({0})"}
# Well-formed literals by the lexical grammar: a cast would refuse numbers that the engine cannot hold.
_NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)"
_LEXICAL = {
    f"{_XSD}integer": "^[+-]?[0-9]+$",
    f"{_XSD}decimal": f"^{_NUMBER}$",
    f"{_XSD}double": rf"^({_NUMBER}([Ee][+-]?[0-9]+)?|[+-]?INF|NaN)$",
    f"{_XSD}float": rf"^({_NUMBER}([Ee][+-]?[0-9]+)?|[+-]?INF|NaN)$",
    f"{_XSD}boolean": "^(true|false|0|1)$",
}
# Well-formed where the cast of its own text succeeds: calendars are more than a grammar.
_CAST = frozenset(
    _XSD + name
    for name in (
        *("dateTime", "date", "time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay"),
        *("duration", "dayTimeDuration", "yearMonthDuration"),
    )
)
_TEXT = frozenset((f"{_XSD}string", f"{_XSD}anyURI", f"{terms.RDF}langString"))

PLAIN_PARAMETERS = frozenset(("datatype", "nodeKind", *_COMPARE, "minLength", "maxLength", "pattern", "languageIn"))


def value_test(graph: ShapesGraph, shape: Term, parameter: str, value: Term, variable: str) -> str:
    """The expression that is true where a node conforms to one parameter of `PLAIN_PARAMETERS`, else false.

    Arguments:
        graph: where lists and flags stand.
        shape: the shape that has the parameter.
        parameter: its local name.
        value: its value.
        variable: the variable of the node.

    Raises:
        RuleError: the value is none that the parameter takes.
        Unsupported: the query engines cannot judge it.
    """
    return f"COALESCE({_expression(graph, shape, parameter, value, variable)}, false)"


def _expression(graph: ShapesGraph, shape: Term, parameter: str, value: Term, x: str) -> str:
    if parameter in _COMPARE:
        return f"{x} {_COMPARE[parameter]} {_literal(shape, parameter, value)}"
    match parameter:
        case "datatype":
            return _datatype(shape, value, x)
        case "nodeKind":
            return _node_kind(shape, value, x)
        case "minLength":
            return f"!isBlank({x}) && STRLEN(STR({x})) >= {whole_number(shape, parameter, value)}"
        case "maxLength":
            return f"!isBlank({x}) && STRLEN(STR({x})) <= {whole_number(shape, parameter, value)}"
        case "pattern":
            return _pattern(graph, shape, value, x)
        case "languageIn":
            ranges = [_literal(shape, parameter, member) for member in graph.items(value)]
            return " || ".join(f"LANGMATCHES(LANG({x}), {text})" for text in ranges) or "false"
    raise AssertionError(parameter)


def _datatype(shape: Term, value: Term, x: str) -> str:
    if not isinstance(value, ox.NamedNode):
        raise RuleError(f"{shape}: sh:datatype {value} is no IRI")
    test = f"datatype({x}) = {value}"
    if value.value in _LEXICAL:
        text = ox.Literal(_LEXICAL[value.value])
        return f"{test} && (isNumeric({x}) || REGEX(STR({x}), {text}))"
    if value.value in _CAST:
        return f"{test} && isLiteral({value}(STR({x})))"
    if value.value.startswith(_XSD) and value.value not in _TEXT:
        # Oxigraph stores the types derived from xsd:integer as xsd:integer: a store no longer knows xsd:byte.
        raise Unsupported(f"sh:datatype {value}")
    return test


def _node_kind(shape: Term, value: Term, x: str) -> str:
    name = value.value.removeprefix(terms.SH) if isinstance(value, ox.NamedNode) else ""
    if name not in NODE_KINDS:
        expected = ", ".join(f"sh:{kind}" for kind in NODE_KINDS)
        raise RuleError(f"{shape}: sh:nodeKind {value}, expected one of {expected}")
    return " || ".join(_KIND_TESTS[kind].format(x) for kind in name.replace("Or", " ").split())


def _pattern(graph: ShapesGraph, shape: Term, value: Term, x: str) -> str:
    flags = graph.value(shape, sh("flags"))
    arguments = _literal(shape, "pattern", value) + ("" if flags is None else f", {_literal(shape, 'flags', flags)}")
    if not _regex_works(arguments):
        # A pattern that the engine does not take would make every value a violation.
        raise Unsupported(f"sh:pattern {value}")
    return f"!isBlank({x}) && REGEX(STR({x}), {arguments})"


def _regex_works(arguments: str) -> bool:
    rows = ox.Store().query(f'SELECT (REGEX("", {arguments}) AS ?works) WHERE {{ }}')
    assert isinstance(rows, ox.QuerySolutions)
    return all(row["works"] is not None for row in rows)


def _literal(shape: Term, parameter: str, value: Term) -> str:
    if not isinstance(value, ox.Literal):
        raise RuleError(f"{shape}: sh:{parameter} {value} is no literal")
    return str(value)


def whole_number(shape: Term, parameter: str, value: Term) -> int:
    """The value of a parameter that counts.

    Raises:
        RuleError: no whole number of 0 or more.
    """
    if not isinstance(value, ox.Literal) or not value.value.strip().removeprefix("+").isdecimal():
        raise RuleError(f"{shape}: sh:{parameter} is {value}, expected a whole number")
    return int(value.value)
