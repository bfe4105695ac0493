"""RDF texts as facts with the line that each was written on."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

from aikg import terms
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.errors import InputError

CONTEXT_URLS = ("https://w3id.org/aikg/context.jsonld", "context.jsonld")
_FORMATS = {"ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES}
Subject = ox.NamedNode | ox.BlankNode
Object = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said of a subject, and on which line."""

    predicate: str
    value: Object
    line: int


@dataclass(slots=True)
class Facts:
    """All facts of a document, by subject, in the order of the document.

    Attributes:
        base: IRI that relative IRIs were resolved against.
        by_subject: subject -> what is said of it.
    """

    base: str
    by_subject: dict[Subject, list[Fact]] = field(default_factory=dict)

    def add(self, subject: object, predicate: ox.NamedNode, value: object, line: int, file: str) -> None:
        """Take in one triple; the same one again says nothing new."""
        if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
            raise InputError("a statement about a statement; a design has none", file, line)
        assert isinstance(subject, Subject) and isinstance(value, Object)
        self.by_subject.setdefault(subject, []).append(Fact(predicate.value, value, line))


class _Lines(io.RawIOBase):
    """Hands a parser one line at a time, so that the number of lines handed out is the line of the current triple."""

    def __init__(self, data: bytes) -> None:
        self.source = io.BytesIO(data)
        self.line = 0
        self.rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:  # type: ignore[override]
        if not self.rest:
            self.rest = self.source.readline()
            self.line += bool(self.rest)
        if size < 0 or size >= len(self.rest):
            found, self.rest = self.rest, b""
        else:
            found, self.rest = self.rest[:size], self.rest[size:]
        return found


def parse_triples(text: str, format: str, base: str, file: str) -> Facts:
    """The facts of a Turtle or N-Triples text.

    Arguments:
        text: the text.
        format: "ttl" or "nt".
        base: IRI that relative IRIs are resolved against.
        file: what to call the text in messages.

    Raises:
        InputError: broken syntax.
    """
    lines = _Lines(text.encode())
    options = {"base_iri": base} if format == "ttl" else {}
    facts = Facts(base)
    try:
        for quad in ox.parse(lines, format=_FORMATS[format], **options):
            facts.add(quad.subject, quad.predicate, quad.object, lines.line, file)
    except SyntaxError as error:
        raise _broken("Turtle" if format == "ttl" else "N-Triples", error, file, error.lineno or lines.line) from None
    return facts


def _broken(language: str, error: Exception, file: str, line: int | None) -> InputError:
    problem = re.sub(r"^Parser error at line .*?: | \(line \d+\)$", "", " ".join(str(error).split()))
    return InputError(f"broken {language}: {problem[:300]}", file, line)


def is_authoring(root: Node, file: str) -> bool:
    """Whether a JSON document is a design file rather than JSON-LD: without context, or with aikg's own by its URL."""
    if isinstance(root, Seq):
        return not any(isinstance(item, Map) and any(key.startswith("@") for key in item.values) for item in root.items)
    if not isinstance(root, Map):
        return True
    context = root.values.get("@context")
    own = context is None or (isinstance(context, Scalar) and context.text in CONTEXT_URLS)
    return own and not any(key.startswith("@") and key != "@context" for key in root.values)


def parse_jsonld(text: str, root: Node, base: str, file: str) -> Facts:
    """The facts of a JSON-LD document. Contexts stand in the document; aikg's own may be named by its URL.

    The parser knows no lines: a fact has the line of its key where its entry is found by its id, else of the entry.

    Arguments:
        text: the document.
        root: the same as a tree.
        base: IRI that relative IRIs are resolved against.
        file: what to call the text in messages.

    Raises:
        InputError: a context elsewhere, or broken JSON-LD.
    """
    entries: dict[str, Map] = {}
    _survey(root, file, entries)
    places = _Places(entries)
    facts = Facts(base)
    try:
        for quad in ox.parse(_with_context(text).encode(), format=ox.RdfFormat.JSON_LD, base_iri=base):
            line = places.line(quad.subject, quad.predicate.value, quad.object)
            facts.add(quad.subject, quad.predicate, quad.object, line, file)
    except SyntaxError as error:
        raise _broken("JSON-LD", error, file, error.lineno or 1) from None
    return facts


def _survey(node: Node, file: str, entries: dict[str, Map]) -> None:
    """Find the entries by id, and refuse contexts that would have to be fetched."""
    if isinstance(node, Seq):
        for item in node.items:
            _survey(item, file, entries)
    if not isinstance(node, Map):
        return
    for key, value in node.values.items():
        if key == "@context":
            _check_context(value, file)
            continue
        if key in ("id", "@id") and isinstance(value, Scalar):
            entries.setdefault(_last(value.text), node)
        _survey(value, file, entries)


def _check_context(node: Node, file: str) -> None:
    if isinstance(node, Scalar):
        if not node.missing and node.text not in CONTEXT_URLS:
            text = f"the context '{node.text[:200]}' would have to be fetched; write it into the document"
            raise InputError(f"{text}, or name {CONTEXT_URLS[0]}", file, node.line)
    elif isinstance(node, Seq):
        for item in node.items:
            _check_context(item, file)
    else:
        for key, value in node.values.items():
            if key == "@import":
                raise InputError(
                    "@import would have to be fetched; write the context into the document", file, value.line
                )
            if key == "@context" or isinstance(value, Map):
                _check_context(value, file)


def _with_context(text: str) -> str:
    """The document with aikg's own context in place of its URL."""
    if not any(f'"{url}"' in text for url in CONTEXT_URLS):
        return text
    import json
    from decimal import Decimal

    from aikg.knowledge import data_root

    own = json.loads((data_root() / "ontology" / "context.jsonld").read_text("utf-8"))["@context"]

    def replaced(value: object) -> object:
        if isinstance(value, str) and value in CONTEXT_URLS:
            return own
        return [replaced(item) for item in value] if isinstance(value, list) else value

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        return {key: replaced(value) if key == "@context" else value for key, value in found}

    # The decoder would turn 0.1 into a double; JSON-LD does the same, so nothing is lost by it.
    document = json.loads(text, object_pairs_hook=pairs, parse_float=lambda number: float(Decimal(number)))
    return json.dumps(document)


def _last(text: str) -> str:
    return re.split(r"[/#:]", text.rstrip("/#"))[-1]


class _Places:
    """Lines of the facts of a JSON-LD document, as well as they can be found out."""

    def __init__(self, entries: dict[str, Map]) -> None:
        self.entries = entries
        self.inherited: dict[object, int] = {}

    def line(self, subject: object, predicate: str, value: object) -> int:
        found = self.inherited.get(subject, 1)
        if isinstance(subject, ox.NamedNode):
            entry = self.entries.get(_last(subject.value))
            if entry is not None:
                name = _last(predicate)
                found = next((key.line for text, key in entry.keys.items() if _last(text) == name), entry.line)
        if isinstance(value, ox.BlankNode):
            self.inherited.setdefault(value, found)
        return found


def name_function(base: str) -> Callable[[str], str]:
    """How the IRIs of components become names: what follows the base, else what follows the last / or #."""
    from urllib.parse import unquote

    def name(iri: str) -> str:
        if iri.startswith(base) and len(iri) > len(base):
            rest = iri[len(base) :]
        else:
            rest = re.split(r"[/#]", iri.rstrip("/#"))[-1] or iri
        # "~2" marks the second entry with the same id; a "~" of a name is percent-encoded.
        return unquote(re.sub(r"~[0-9]+$", "", rest))

    return name


def duplicates_removed(facts: list[Fact]) -> Iterator[Fact]:
    """The facts of a subject, each once."""
    seen: set[tuple[str, Object]] = set()
    for fact in facts:
        if (fact.predicate, fact.value) not in seen:
            seen.add((fact.predicate, fact.value))
            yield fact


_FOREIGN = {
    terms.CAT: "the catalogue",
    terms.AIKG: "the ontology",
    terms.RULE: "a rule",
    terms.SH: "SHACL",
    terms.OWL: "OWL",
    terms.RDF: "RDF",
    terms.RDFS: "RDF",
    terms.SKOS: "SKOS",
    terms.DCT: "Dublin Core",
}


def foreign(iri: str) -> str | None:
    """Whose term an IRI is, where no design may say anything of it."""
    return next((owner for prefix, owner in _FOREIGN.items() if iri.startswith(prefix)), None)


def short(iri: str) -> str:
    """An IRI with its usual prefix, for messages."""
    for prefix, namespace in terms.PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"
