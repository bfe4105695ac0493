"""Designs in RDF (Turtle, N-Triples, JSON-LD) become the same records as design files, through the same typing.

Only what an author may write is accepted: the properties that the ontology marks with `aikg:authoredIn`, classes of
components, labels and comments. What our own graph export adds (resolved references, marks of ill-typed values and
empty lists) is restored or left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote

import pyoxigraph as ox

from aikg import terms
from aikg.design.jsonld import parse_jsonld
from aikg.design.records import DesignSource, IllTyped, Origin, Path, Record, Value
from aikg.design.schema import PAIRS, Key, Schema, did_you_mean, load_schema
from aikg.design.tree import Node
from aikg.design.triples import (
    Fact,
    Facts,
    Object,
    Subject,
    duplicates_removed,
    foreign,
    name_function,
    parse_triples,
    short,
)
from aikg.design.typed import number, typed
from aikg.errors import InputError

_TYPE = terms.RDF_TYPE
_IGNORED = {terms.RDFS + "label", terms.RDFS + "comment", terms.AIKG + "atPort", terms.AIKG + "atNic"}
_LOCAL_ID, _NAME = terms.AIKG + "localId", terms.AIKG + "designName"
_ILL_TYPED, _EMPTY, _PARAMETERS = terms.AIKG + "illTyped", terms.AIKG + "emptyList", terms.AIKG + "parameters"
_FIRST_POD = terms.AIKG + "firstPod"
_MARK = {terms.AIKG + "property", terms.AIKG + "asWritten"}
_NUMBERS = {
    *("decimal", "integer", "double", "float", "long", "int", "short", "byte", "nonNegativeInteger"),
    *("positiveInteger", "nonPositiveInteger", "negativeInteger", "unsignedLong", "unsignedInt", "unsignedShort"),
    "unsignedByte",
}


def read_rdf(text: str, format: str, name: str, file: str) -> DesignSource:
    """The design in a Turtle ("ttl") or N-Triples ("nt") text.

    Arguments:
        text: the text.
        format: "ttl" or "nt".
        name: name of the design where the text gives none.
        file: what to call the text in messages.

    Raises:
        InputError: broken syntax, a term that is no author's, or a component without a class; names the line.
    """
    return _Reader(parse_triples(text, format, terms.design_base(name), file), name, file).source()


def read_jsonld(text: str, root: Node, name: str, file: str) -> DesignSource:
    """The design in a JSON-LD document; see `read_rdf`.

    Arguments:
        text: the document.
        root: the same as a tree.
        name: name of the design where the document gives none.
        file: what to call the document in messages.
    """
    return _Reader(parse_jsonld(text, root, terms.design_base(name), file), name, file).source()


@dataclass(slots=True)
class _Entry:
    """An entry being read: its values and their places."""

    fields: dict[str, Value] = field(default_factory=dict)
    origins: dict[Path, Origin] = field(default_factory=dict)


class _Reader:
    def __init__(self, facts: Facts, name: str, file: str) -> None:
        self.facts = facts
        self.file = file
        self.schema: Schema = load_schema()
        self.kind_of_class = {cls: kind for kind, cls in self.schema.class_of.items()}
        self.member_of = {f"{terms.AIKG}has{cls}": kind for cls, kind in self.kind_of_class.items()}
        self.nested: set[Subject] = set()
        self.design = self._design_iri()
        base = self._base()
        self.name_of = name_function(base)
        own = base.startswith(terms.DESIGN) and len(base) > len(terms.DESIGN)
        self.default_name = unquote(base[len(terms.DESIGN) :].rstrip("/")) if own else name

    def source(self) -> DesignSource:
        """The design as records."""
        if not self.facts.by_subject:
            raise InputError("the file is empty: nothing to check", self.file)
        kinds = self._kinds()
        design = self._design()
        records = [design]
        for subject, kind in kinds.items():
            facts = list(duplicates_removed(self.facts.by_subject.get(subject, [])))
            if not isinstance(subject, ox.NamedNode):
                raise self._fail(f"a component of {kind} has no IRI, so it has no name", facts)
            entry = self._entry(subject, facts, self.schema.class_of[kind])
            records.append(Record(kind, self.name_of(subject.value), entry.fields, self._place(facts), entry.origins))
        self._nothing_left(kinds)
        return DesignSource(str(design.fields["name"]), [self.file], self._first_pod_first(records))

    def _first_pod_first(self, records: list[Record]) -> list[Record]:
        """The records with the pod in front that our own export names as the first: a graph has no order."""
        facts = self.facts.by_subject.get(self.design, []) if self.design is not None else []
        names = [self.name_of(fact.value.value) for fact in facts if fact.predicate == _FIRST_POD]
        return (
            sorted(records, key=lambda record: record.kind == "pods" and record.name not in names) if names else records
        )

    def _fail(self, message: str, facts: list[Fact]) -> InputError:
        return InputError(message, self.file, facts[0].line if facts else None)

    def _place(self, facts: list[Fact]) -> Origin:
        return Origin(self.file, facts[0].line if facts else 1)

    # ---- What is what

    def _design_iri(self) -> Subject | None:
        """The subject that is the design itself."""
        own = {terms.AIKG + key for key in ("profile", "storageProfile", "complete")} | {_NAME, _PARAMETERS}
        own |= {terms.AIKG + kind for kind in self.schema.class_of if kind not in self.schema.by_name}
        found: dict[Subject, Fact] = {}
        for subject, facts in self.facts.by_subject.items():
            for fact in facts:
                typed_so = fact.predicate == _TYPE and fact.value == ox.NamedNode(terms.AIKG + "Design")
                if typed_so or fact.predicate in own or fact.predicate in self.member_of:
                    found.setdefault(subject, fact)
        if len(found) > 1:
            second = list(found.values())[1]
            raise InputError("a second design; one design per file", self.file, second.line)
        base = ox.NamedNode(self.facts.base)
        return next(iter(found), base if base in self.facts.by_subject else None)

    def _base(self) -> str:
        """The IRI to which names are appended: the design's own, else that of the first component in our namespace."""
        if isinstance(self.design, ox.NamedNode):
            return self.design.value if self.design.value.endswith(("/", "#")) else self.design.value + "/"
        for subject in self.facts.by_subject:
            if isinstance(subject, ox.NamedNode) and subject.value.startswith(terms.DESIGN):
                design, slash, _ = subject.value[len(terms.DESIGN) :].partition("/")
                if slash:
                    return f"{terms.DESIGN}{design}/"
        return self.facts.base

    def _membership(self, predicate: str) -> str | None:
        """The collection whose member the object of a fact about the design is."""
        local = predicate.removeprefix(terms.AIKG)
        return self.member_of.get(predicate) or (local if local in self.schema.class_of else None)

    def _kinds(self) -> dict[Subject, str]:
        """The components and their collections, in the order of the document."""
        kinds: dict[Subject, str] = {}
        for subject, facts in self.facts.by_subject.items():
            for fact in facts:
                self._allowed_subject(subject, fact)
                if fact.predicate == _TYPE:
                    kind = self._kind_of_type(subject, fact)
                elif subject == self.design and self._membership(fact.predicate):
                    kind, subject_ = self._membership(fact.predicate), fact.value
                    if isinstance(subject_, ox.Literal):
                        raise InputError(f"{short(fact.predicate)} takes a component, not text", self.file, fact.line)
                    self._assign(kinds, subject_, kind, fact)
                    continue
                else:
                    continue
                self._assign(kinds, subject, kind, fact)
        return kinds

    def _assign(self, kinds: dict[Subject, str], subject: Subject, kind: str | None, fact: Fact) -> None:
        if kind is None:
            return
        if kinds.setdefault(subject, kind) != kind:
            name = short(subject.value) if isinstance(subject, ox.NamedNode) else "a component"
            raise InputError(f"{name} is in {kinds[subject]} and in {kind}", self.file, fact.line)

    def _allowed_subject(self, subject: Subject, fact: Fact) -> None:
        owner = foreign(subject.value) if isinstance(subject, ox.NamedNode) else None
        if owner is not None:
            what = f"a design may not redefine {short(subject.value)}, a term of {owner}"
            raise InputError(what, self.file, fact.line)

    def _kind_of_type(self, subject: Subject, fact: Fact) -> str | None:
        iri = fact.value.value
        cls = iri.removeprefix(terms.AIKG)
        if cls in self.kind_of_class:
            return self.kind_of_class[cls]
        if cls not in self.schema.keys and cls != "ParameterSet":
            hint = did_you_mean(cls, self.schema.keys) if iri.startswith(terms.AIKG) else ""
            raise InputError(f"{short(iri)} is no class of a design's components{hint}", self.file, fact.line)
        return None

    def _nothing_left(self, kinds: dict[Subject, str]) -> None:
        """Refuse subjects that belong to nothing: what they say would be lost in silence."""
        for subject, facts in self.facts.by_subject.items():
            if subject in kinds or subject in self.nested or subject == self.design:
                continue
            types = [short(fact.value.value) for fact in facts if fact.predicate == _TYPE]
            name = short(subject.value) if isinstance(subject, ox.NamedNode) else "a blank node"
            if types:
                raise self._fail(f"{name} ({types[0]}) belongs to no component", facts)
            raise self._fail(f"{name} has no class; write `a aikg:Node` or another class of components", facts)

    # ---- Entries

    def _design(self) -> Record:
        facts = list(duplicates_removed(self.facts.by_subject.get(self.design, []))) if self.design is not None else []
        own: list[Fact] = []
        entry = _Entry()
        parameters: dict[str, Value] = {}
        for fact in facts:
            if fact.predicate == _NAME:
                entry.fields["name"] = fact.value.value
            elif fact.predicate == _PARAMETERS:
                self._parameters(fact, parameters, entry.origins)
            elif fact.predicate != _FIRST_POD and self._membership(fact.predicate) is None:
                own.append(fact)
        read = self._entry(self.design, own, "Design")
        entry.fields |= read.fields
        entry.origins |= read.origins
        if parameters:
            entry.fields["parameters"] = parameters
        entry.fields.setdefault("name", self.default_name)
        return Record("design", "design", entry.fields, self._place(facts), entry.origins)

    def _parameters(self, fact: Fact, into: dict[str, Value], origins: dict[Path, Origin]) -> None:
        if isinstance(fact.value, ox.Literal):
            raise InputError("aikg:parameters takes an entry, not text", self.file, fact.line)
        self.nested.add(fact.value)
        for inner in duplicates_removed(self.facts.by_subject.get(fact.value, [])):
            name = inner.predicate.removeprefix(terms.AIKG)
            if inner.predicate == _ILL_TYPED:
                key, as_written = self._ill_typed(inner)
                into[key], origins["parameters", key] = as_written, Origin(self.file, inner.line)
            elif name in self.schema.parameters:
                value = self._value(Key(name, "decimal"), inner, None, (), {})
                if value is not None:
                    into[name], origins["parameters", name] = value, Origin(self.file, inner.line)
            elif inner.predicate not in (_TYPE, *_IGNORED):
                pairs = [f"{pair}{side}" for pair in PAIRS if pair == name for side in ("Down", "Up")]
                hint = f"; write {' and '.join(pairs)}" if pairs else did_you_mean(name, self.schema.parameters)
                raise InputError(f"unknown parameter {short(inner.predicate)}{hint}", self.file, inner.line)

    def _entry(self, subject: Subject | None, facts: list[Fact], cls: str, path: Path = ()) -> _Entry:
        """The values of one entry; `path` is its place inside its record."""
        entry = _Entry()
        keys = self.schema.keys[cls]
        for fact in facts:
            if fact.predicate in (_TYPE, *_IGNORED):
                continue
            if fact.predicate == _LOCAL_ID and cls in ("Nic", "Psu"):
                entry.fields["id"] = fact.value.value
            elif fact.predicate == _ILL_TYPED:
                name, as_written = self._ill_typed(fact)
                self._store(keys.get(name) or self._unknown(name, cls, fact), as_written, fact, entry, path)
            elif fact.predicate == _EMPTY:
                name = fact.value.value.removeprefix(terms.AIKG)
                entry.fields.setdefault((keys.get(name) or self._unknown(name, cls, fact)).name, [])
            else:
                name = fact.predicate.removeprefix(terms.AIKG)
                known = keys.get(name) if fact.predicate.startswith(terms.AIKG) else None
                key = known or self._unknown(fact.predicate, cls, fact)
                values = entry.fields.get(name)
                position = len(values) if isinstance(values, list) else 0
                at = (*path, name, position) if key.multiple else (*path, name)
                value = self._value(key, fact, subject, at, entry.origins)
                if value is not None:
                    self._store(key, value, fact, entry, path)
        return entry

    def _store(self, key: Key, value: Value, fact: Fact, entry: _Entry, path: Path) -> None:
        place = Origin(self.file, fact.line)
        if key.multiple:
            values = entry.fields.setdefault(key.name, [])
            assert isinstance(values, list)
            entry.origins.setdefault((*path, key.name), place)
            entry.origins[(*path, key.name, len(values))] = place
            values.append(value)
            return
        if key.name in entry.fields:
            raise InputError(f"a second value of {key.name}; it has one", self.file, fact.line)
        entry.fields[key.name] = value
        entry.origins[(*path, key.name)] = place

    def _unknown(self, name: str, cls: str, fact: Fact) -> Key:
        """Raise the error of a property that a class does not have."""
        local = name.removeprefix(terms.AIKG)
        kind = self.schema.kind_of(cls) if cls != "Design" else "the design"
        if name.startswith(("http:", "https:", "urn:")) and not name.startswith(terms.AIKG):
            hint = "; repeat the property instead of a list" if name == terms.RDF + "first" else ""
            text = f"{short(name)} is no property of a design{hint}"
        else:
            text = f"unknown property aikg:{local} of {kind}{did_you_mean(local, self.schema.keys[cls])}"
        raise InputError(text, self.file, fact.line)

    def _ill_typed(self, fact: Fact) -> tuple[str, IllTyped]:
        """Key and text of a value that our own export marked as ill-typed."""
        mark = {} if isinstance(fact.value, ox.Literal) else self._mark(fact.value)
        if set(mark) != _MARK:
            raise InputError("aikg:illTyped needs aikg:property and aikg:asWritten", self.file, fact.line)
        return mark[terms.AIKG + "property"].removeprefix(terms.AIKG), IllTyped(mark[terms.AIKG + "asWritten"])

    def _mark(self, node: Subject) -> dict[str, str]:
        self.nested.add(node)
        return {fact.predicate: fact.value.value for fact in self.facts.by_subject.get(node, [])}

    # ---- Values

    def _value(
        self, key: Key, fact: Fact, owner: Subject | None, path: Path, origins: dict[Path, Origin]
    ) -> Value | None:
        value = fact.value
        if key.nested is not None:
            return self._nested(key.nested, fact, owner, path, origins)
        if isinstance(value, ox.BlankNode):
            raise InputError(f"aikg:{key.name} takes one value, not an entry", self.file, fact.line)
        if isinstance(value, ox.NamedNode):
            if not (key.reference or key.catalogue or key.datatype == "string"):
                return IllTyped(value.value)
            return self._referred(value.value, key)
        text = value.value
        if not text.strip():
            return None
        kind = value.datatype.value.removeprefix(terms.XSD)
        if key.datatype in ("decimal", "integer"):
            found = number(text) if kind in _NUMBERS else None
            return IllTyped(text) if found is None else found
        if key.datatype == "boolean":
            word = {"1": "true", "0": "false"}.get(text, text)
            return typed(word, kind == "boolean", key)
        return text

    def _referred(self, iri: str, key: Key) -> str:
        return unquote(iri[len(terms.CAT) :]) if iri.startswith(terms.CAT) and key.catalogue else self.name_of(iri)

    def _nested(
        self, cls: str, fact: Fact, owner: Subject | None, path: Path, origins: dict[Path, Origin]
    ) -> dict[str, Value]:
        value: Object = fact.value
        if isinstance(value, ox.Literal):
            raise InputError(f"{short(fact.predicate)} takes an entry, not text", self.file, fact.line)
        self.nested.add(value)
        facts = list(duplicates_removed(self.facts.by_subject.get(value, [])))
        entry = self._entry(value, facts, cls, path)
        identity = self._local_id(cls, value, owner)
        if cls == "Nic" and identity is None and "id" not in entry.fields:
            raise InputError("an adapter has no id; give it an IRI or aikg:localId", self.file, fact.line)
        if identity is not None:
            entry.fields = {"id": identity, **entry.fields}
        origins |= entry.origins
        return entry.fields

    def _local_id(self, cls: str, value: Subject, owner: Subject | None) -> str | None:
        """The id of an adapter or supply from its IRI."""
        if cls not in ("Nic", "Psu") or not isinstance(value, ox.NamedNode):
            return None
        start = f"{owner.value}/" if isinstance(owner, ox.NamedNode) else ""
        rest = value.value[len(start) :] if start and value.value.startswith(start) else value.value
        rest = rest.removeprefix(f"{terms.PSU_SEGMENT}/") if cls == "Psu" else rest
        return self.name_of(rest) if "/" in rest else name_function("\n")(rest)
