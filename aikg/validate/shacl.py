"""The SHACL vocabulary: which terms exist, and the ones the engine names."""

from __future__ import annotations

import pyoxigraph as ox

from aikg import terms

Node = ox.NamedNode | ox.BlankNode
Term = ox.NamedNode | ox.BlankNode | ox.Literal


class Unsupported(Exception):
    """A shape that is not compiled: the reference engine judges it instead. The message says why."""


def sh(name: str) -> ox.NamedNode:
    """A term of the SHACL vocabulary."""
    return ox.NamedNode(terms.SH + name)


TYPE = ox.NamedNode(terms.RDF_TYPE)
FIRST, REST, NIL = (ox.NamedNode(terms.RDF + name) for name in ("first", "rest", "nil"))
SUBCLASS = ox.NamedNode(terms.RDFS + "subClassOf")
CLASS = ox.NamedNode(terms.RDFS + "Class")

TARGETS = ("targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf")
# Parameters judged on each value node alone; the order is that of the specification, section 4.
VALUE_PARAMETERS = (
    *("class", "datatype", "nodeKind", "minExclusive", "minInclusive", "maxExclusive", "maxInclusive"),
    *("minLength", "maxLength", "pattern", "languageIn", "not", "and", "or", "xone", "node", "in"),
)
# The component of a parameter bears its name, but for these.
_COMPONENTS = {"sparql": "SPARQL"}
PARAMETERS = (
    *VALUE_PARAMETERS,
    *("minCount", "maxCount", "flags", "uniqueLang", "equals", "disjoint", "lessThan", "lessThanOrEquals"),
    *("property", "qualifiedValueShape", "qualifiedMinCount", "qualifiedMaxCount", "qualifiedValueShapesDisjoint"),
    *("closed", "ignoredProperties", "hasValue", "sparql"),
)
# SHACL-AF terms that pyshacl judges only when asked to ("advanced"), and that are never compiled.
ADVANCED = ("target", "rule", "expression", "js", "filterShape", "nodes", "intersection", "union", "this")

# What a validation report says; it may stand in the same file as the shapes.
REPORT_PREDICATES = frozenset(
    (
        *("result", "conforms", "focusNode", "resultPath", "resultSeverity", "resultMessage", "sourceShape"),
        *("sourceConstraint", "sourceConstraintComponent", "value", "detail"),
    )
)

# Every term of http://www.w3.org/ns/shacl# (a test holds the two sets against the published vocabulary): a term
# that is not here is a misspelling, which engines take in silence.
PREDICATES = frozenset(
    (
        *PARAMETERS,
        *TARGETS,
        *ADVANCED,
        *("path", "severity", "message", "name", "description", "order", "group", "deactivated", "defaultValue"),
        *("inversePath", "alternativePath", "zeroOrMorePath", "oneOrMorePath", "zeroOrOnePath"),
        *("select", "ask", "construct", "update", "prefixes", "declare", "prefix", "namespace"),
        *("parameter", "validator", "nodeValidator", "propertyValidator", "labelTemplate", "optional"),
        *("shapesGraph", "suggestedShapesGraph", "shapesGraphWellFormed", "entailment"),
        *("resultAnnotation", "annotationProperty", "annotationValue", "annotationVarName"),
        *("jsFunctionName", "jsLibrary", "jsLibraryURL", "returnType", "condition", "subject", "predicate", "object"),
        *REPORT_PREDICATES,
    )
)
NODE_KINDS = ("IRI", "Literal", "BlankNode", "IRIOrLiteral", "BlankNodeOrIRI", "BlankNodeOrLiteral")
SEVERITIES = ("Violation", "Warning", "Info")


def component_of(parameter: str) -> str:
    """The IRI of the constraint component that a parameter declares."""
    stem = _COMPONENTS.get(parameter, parameter[0].upper() + parameter[1:])
    return f"{terms.SH}{stem}ConstraintComponent"


# What else the namespace holds; these stand as types or objects.
CLASSES = frozenset(
    (
        *NODE_KINDS,
        *SEVERITIES,
        *("Shape", "NodeShape", "PropertyShape", "NodeKind", "Severity", "PropertyGroup", "PrefixDeclaration"),
        *("AbstractResult", "ValidationReport", "ValidationResult", "ResultAnnotation", "Validator"),
        *("ConstraintComponent", "Parameter", "Parameterizable", "Function", "Rule", "TripleRule", "Target"),
        *("TargetType", "SPARQLConstraint", "SPARQLExecutable", "SPARQLAskExecutable", "SPARQLSelectExecutable"),
        *("SPARQLConstructExecutable", "SPARQLUpdateExecutable", "SPARQLAskValidator", "SPARQLSelectValidator"),
        *("SPARQLFunction", "SPARQLRule", "SPARQLTarget", "SPARQLTargetType", "JSConstraint", "JSExecutable"),
        *("JSFunction", "JSLibrary", "JSRule", "JSTarget", "JSTargetType", "JSValidator"),
        *("JSConstraintComponent", "ExpressionConstraintComponent"),
        *("QualifiedMinCountConstraintComponent", "QualifiedMaxCountConstraintComponent"),
        *(component_of(name)[len(terms.SH) :] for name in (*VALUE_PARAMETERS, "minCount", "maxCount", "uniqueLang")),
        *(component_of(name)[len(terms.SH) :] for name in ("equals", "disjoint", "lessThan", "lessThanOrEquals")),
        *(component_of(name)[len(terms.SH) :] for name in ("property", "closed", "hasValue", "sparql")),
    )
)


def closest(name: str, known: frozenset[str]) -> str | None:
    """The known term most like a misspelt one, letter case aside, or None where none is near."""
    import difflib

    by_lower = {term.lower(): term for term in sorted(known)}
    found = difflib.get_close_matches(name.lower(), by_lower, 1, 0.6)
    return by_lower[found[0]] if found else None
