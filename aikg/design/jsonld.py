"""JSON-LD documents as facts: no context is ever fetched."""

from __future__ import annotations

import json
import re

import pyoxigraph as ox

from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.triples import Facts, broken
from aikg.errors import InputError
from aikg.knowledge import data_root

CONTEXT_URLS = ("https://w3id.org/aikg/context.jsonld", "context.jsonld")


def is_authoring(root: Node) -> bool:
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
        raise broken("JSON-LD", error, file, error.lineno or 1) from None
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
    own = json.loads((data_root() / "ontology" / "context.jsonld").read_text("utf-8"))["@context"]

    def replaced(value: object) -> object:
        if isinstance(value, str) and value in CONTEXT_URLS:
            return own
        return [replaced(item) for item in value] if isinstance(value, list) else value

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        return {key: replaced(value) if key == "@context" else value for key, value in found}

    # Fractions become doubles here, which is what JSON-LD makes of them anyway.
    return json.dumps(json.loads(text, object_pairs_hook=pairs))


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
