"""What may be written where: the keys of every collection, read from the ontology."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import pyoxigraph as ox

from aikg import terms
from aikg.knowledge import data_root

_SCALARS = {"decimal", "integer", "boolean", "string"}
_NESTED = {"Nic", "Psu", "LosslessSetting", "LinkEnd"}
# Top-level keys that describe how the file is written rather than the cluster.
FILE_KEYS = ("aikg", "templates", "cabling", "include", "cables", "expect")
# Ratios that are two parameters, NAMEDown and NAMEUp, and may be written as one pair: `storageOversub: [4, 3]`.
PAIRS = ("storageOversub", "inferenceOversub")
_EXPECTED = {"decimal": "a number", "integer": "a whole number", "boolean": "true or false", "string": "text"}
# Texts for people and for the record: a bracket in them is a bracket.
_PROSE = ("Evidence", "Source", "evidence", "alternative")


@dataclass(frozen=True, slots=True)
class Key:
    """One authoring key of one class.

    Attributes:
        name: the key, local name of the ontology property.
        datatype: "decimal", "integer", "boolean" or "string"; "" for references and nested entries.
        multiple: whether the value is a list.
        nested: class of the nested entry ("Nic", "Psu", "LosslessSetting", "LinkEnd"), else None.
        reference: collection keys that the value may name a component of; empty for no reference.
        catalogue: whether the value names a catalogue item.
        unit: unit of the number, or "".
        allowed: the known values of a small enumeration.
        definition: what the key means, in a sentence.
    """

    name: str
    datatype: str = ""
    multiple: bool = False
    nested: str | None = None
    reference: frozenset[str] = frozenset()
    catalogue: bool = False
    unit: str = ""
    allowed: tuple[str, ...] = ()
    definition: str = ""

    @property
    def prose(self) -> bool:
        """Whether the value is free text, in which brackets are no range."""
        return self.datatype == "string" and self.name.endswith(_PROSE)


@dataclass(frozen=True)
class Schema:
    """The authoring vocabulary.

    Attributes:
        class_of: collection key -> class, such as "nodes" -> "Node".
        keys: class -> key name -> Key. "Design" holds the keys at the top of the file.
        parameters: names of the parameters that a design may replace.
        device_kinds: collections whose entries are devices.
        by_name: key name -> that key in each class that has it.
        definitions: class, key or parameter -> its definition in a sentence.
        units: parameter -> its unit.
    """

    class_of: dict[str, str]
    keys: dict[str, dict[str, Key]]
    parameters: tuple[str, ...]
    device_kinds: frozenset[str]
    by_name: dict[str, list[Key]] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)

    def collections(self) -> list[str]:
        """The collection keys that hold lists, in alphabetical order."""
        return [key for key in self.class_of if key != "site"]

    def kind_of(self, cls: str) -> str:
        """What a class is called in messages: its collection key, or the key that nests it."""
        for kind, known in self.class_of.items():
            if known == cls:
                return kind
        for keys in self.keys.values():
            for key in keys.values():
                if key.nested == cls:
                    return "a link end" if cls == "LinkEnd" else key.name
        return cls

    def expected(self, key: str) -> str:
        """What to write after a key, in words: `<number in kW>`, `<one of air, rdhx>`, `<name of a rack>`."""
        known = self.by_name.get(key)
        if not known:
            return "..."
        first = known[0]
        if first.allowed:
            return f"<one of {', '.join(first.allowed)}>"
        if first.datatype in ("decimal", "integer"):
            unit = f" in {first.unit}" if first.unit and first.unit != "1" else ""
            return f"<{_EXPECTED[first.datatype][2:]}{unit}>"
        if first.datatype:
            return f"<{_EXPECTED[first.datatype]}>"
        if first.reference:
            return f"<name of one of {', '.join(sorted(first.reference))}>"
        return "<name in the catalogue>" if first.catalogue else "[...]"

    def top_keys(self) -> list[str]:
        """Every key that may stand at the top of a design file."""
        return [*FILE_KEYS[:1], *self.keys["Design"], "parameters", *self.class_of, *FILE_KEYS[1:]]

    def suggestion(self, name: str, cls: str) -> str | None:
        """The closest key of a class to a misspelt one."""
        return closest(name, self.top_keys() if cls == "Design" else [*self.keys[cls], "id", "use"])


def closest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that a misspelt one most likely means, None where none is close.

    Arguments:
        name: as written.
        known: what it may mean.
        cutoff: how alike they must be, from 0 to 1.
    """
    lowered = {key.lower(): key for key in known}
    found = difflib.get_close_matches(name.lower()[:100], lowered, 1, cutoff)
    return lowered[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'X'?`, or nothing where no known name is close."""
    found = closest(name, known)
    return f"; did you mean '{found}'?" if found else ""


_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_Facts = dict[str, dict[_Term, list[_Term]]]


def _facts() -> _Facts:
    """What the ontology states, as predicate -> subject -> objects.

    Parsed directly and without the derived terms: a store and SPARQL take 39 ms instead of 9.
    """
    found: _Facts = defaultdict(lambda: defaultdict(list))
    for file in sorted((data_root() / "ontology").glob("*.ttl")):
        for quad in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
            found[quad.predicate.value][quad.subject].append(quad.object)
    return found


def _local(term: _Term) -> str:
    assert isinstance(term, ox.NamedNode)
    return term.value.rsplit("#", 1)[-1]


def _text(terms_: list[_Term] | None) -> str:
    return terms_[0].value if terms_ and isinstance(terms_[0], ox.Literal) else ""


def _below(parents: dict[_Term, list[_Term]], classes: Iterable[str]) -> dict[str, set[str]]:
    """Each class with all classes below it, itself included."""
    upward = {_local(c): [_local(p) for p in ps if isinstance(p, ox.NamedNode)] for c, ps in parents.items()}
    below: dict[str, set[str]] = defaultdict(set)
    for cls in [*upward, *classes]:
        todo = [cls]
        while todo:
            current = todo.pop()
            if cls not in below[current]:
                below[current].add(cls)
                todo += upward.get(current, ())
    return below


def _allowed(facts: _Facts, prop: _Term, cls: _Term) -> tuple[str, ...]:
    """The known values of a key in a class: those for this class where there are such, else those for all."""
    values = list(facts[terms.AIKG + "allowedValue"].get(prop, ()))
    for node in facts[terms.AIKG + "allowedValueIn"].get(prop, ()):
        if cls in facts[terms.AIKG + "authoredIn"].get(node, ()):
            values = facts[terms.AIKG + "allowedValue"][node]
            break
    return tuple(sorted({value.value for value in values if isinstance(value, ox.Literal)}))


@cache
def load_schema() -> Schema:
    """The schema, read from the ontology once per process."""
    facts = _facts()
    types = facts[terms.RDF_TYPE]
    class_of = dict(
        sorted((_text(keys), _local(cls)) for cls, keys in facts[terms.AIKG + "collectionKey"].items() if _text(keys))
    )
    kind_of = {cls: kind for kind, cls in class_of.items()}
    below = _below(facts[terms.RDFS + "subClassOf"], class_of.values())
    definitions = {
        _local(term): _text(texts)
        for term, texts in facts[terms.SKOS + "definition"].items()
        if isinstance(term, ox.NamedNode)
    }
    units = facts[terms.AIKG + "unit"]
    keys: dict[str, dict[str, Key]] = {cls: {} for cls in [*class_of.values(), *sorted(_NESTED), "Design"]}
    by_name: dict[str, list[Key]] = defaultdict(list)
    authored = [term for term in facts[terms.AIKG + "authoredIn"] if isinstance(term, ox.NamedNode)]
    for prop in sorted(authored, key=_local):
        name = _local(prop)
        target = _local(facts[terms.RDFS + "range"][prop][0])
        for cls in facts[terms.AIKG + "authoredIn"][prop]:
            key = Key(
                name=name,
                datatype=target if target in _SCALARS else "",
                multiple=prop in facts[terms.AIKG + "multiple"],
                nested=target if target in _NESTED else None,
                reference=frozenset(kind_of[c] for c in below[target] if c in kind_of),
                catalogue=target == "CatalogueItem" or target in below["CatalogueItem"],
                unit=_text(units.get(prop)),
                allowed=_allowed(facts, prop, cls),
                definition=definitions.get(name, ""),
            )
            keys.setdefault(_local(cls), {})[name] = key
            by_name[name].append(key)
    parameter = ox.NamedNode(terms.AIKG + "Parameter")
    parameters = tuple(sorted(_local(term) for term, kinds in types.items() if parameter in kinds))
    return Schema(
        class_of=class_of,
        keys=keys,
        parameters=parameters,
        device_kinds=frozenset(kind_of[c] for c in below["Device"] if c in kind_of),
        by_name=dict(by_name),
        definitions=definitions,
        units={name: _text(units.get(ox.NamedNode(terms.AIKG + name))) for name in parameters},
    )
