"""IRIs of the vocabulary (a test holds them against `ontology/`) and how component names become IRIs and back."""

from __future__ import annotations

from urllib.parse import quote, unquote

AIKG = "https://w3id.org/aikg/ontology#"
CAT = "https://w3id.org/aikg/catalogue/"
RULE = "https://w3id.org/aikg/rules/"
DESIGN = "https://w3id.org/aikg/design/"
SH = "http://www.w3.org/ns/shacl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCT = "http://purl.org/dc/terms/"

PREFIXES: dict[str, str] = {
    "aikg": AIKG,
    "cat": CAT,
    "rule": RULE,
    "sh": SH,
    "rdf": RDF,
    "rdfs": RDFS,
    "xsd": XSD,
    "owl": OWL,
    "skos": SKOS,
    "dct": DCT,
}
SPARQL_PROLOGUE = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in PREFIXES.items())

GRAPH_DESIGN = "https://w3id.org/aikg/graph/design"
GRAPH_DERIVED = "https://w3id.org/aikg/graph/derived"
GRAPH_CATALOGUE = "https://w3id.org/aikg/graph/catalogue"
GRAPH_ONTOLOGY = "https://w3id.org/aikg/graph/ontology"

RDF_TYPE = RDF + "type"

# Path segments between a component and the things that have no id of their own in its collection.
PORT_SEGMENT = "port"
PSU_SEGMENT = "psu"
END_SEGMENT = "end"
LAYER_FRAGMENT = "#layer-"
PARAMETERS_FRAGMENT = "#parameters"


def encode(name: str) -> str:
    """One name as one IRI path segment; `~` is kept free for the mark of repeated ids."""
    return quote(name, safe="").replace("~", "%7E")


def design_base(name: str) -> str:
    """The IRI of a design, to which component names are appended."""
    return f"{DESIGN}{encode(name)}/"


def name_of(iri: str, base: str) -> str:
    """The name of a component, as the designer wrote it, from its IRI.

    Arguments:
        iri: IRI of a component of the design `base`, of a catalogue item, or any other.
        base: IRI of the design, see `design_base`.
    """
    if iri == base:
        return "design"
    if iri.startswith(base):
        rest = iri[len(base) :]
        if rest.startswith("#"):
            return rest[1:].replace("layer-", "layer:", 1)
        parts = rest.split("/")
        if len(parts) == 3 and parts[1] == PORT_SEGMENT:
            del parts[1]
        # "~2" marks the second entry with the same id (see design/graph.py); a "~" of a name is percent-encoded.
        return "/".join(unquote(part.split("~", 1)[0]) for part in parts)
    for prefix in (CAT, AIKG, RULE):
        if iri.startswith(prefix):
            return unquote(iri[len(prefix) :])
    return iri
