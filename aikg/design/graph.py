"""Records become the design graph: N-Triples text, bulk-loaded, and an index from component to record.

The text is built by formatting, not through term objects: a design of 16,384 GPUs has over a million triples, and
the parser of the store is the fastest part of the chain.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from aikg import terms
from aikg.design.records import DesignSource, IllTyped, Path, Record, Value
from aikg.design.schema import Key, Schema, load_schema

_AIKG = terms.AIKG
_TYPE = f"<{terms.RDF_TYPE}>"
_DECIMAL = f"<{terms.XSD}decimal>"
_INTEGER = f"<{terms.XSD}integer>"
_BOOLEAN = f"<{terms.XSD}boolean>"
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"})


def literal(text: str) -> str:
    """A string as an N-Triples literal."""
    return f'"{text.translate(_ESCAPES)}"'


def number_text(value: Decimal) -> str:
    """The canonical spelling of a decimal: no exponent, no trailing zeros, so that equal values are equal terms."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


class _Writer:
    """Turns the records of one design into lines of N-Triples and remembers which record each component is."""

    def __init__(self, base: str, schema: Schema) -> None:
        self.base = base
        self.schema = schema
        self.lines: list[str] = []
        self.places: dict[str, tuple[Record, Path]] = {}
        # name -> [(kind, IRI)]: several only where an id is used twice
        self.by_name: dict[str, list[tuple[str, str]]] = {}
        self.nics: dict[tuple[str, str], str] = {}

    def register(self, records: Iterable[Record]) -> list[str]:
        """The IRI of each record; a repeated id gets a mark, so that two entries never merge in the graph."""
        iris = []
        for record in records:
            known = self.by_name.setdefault(record.name, [])
            iri = self.base + terms.encode(record.name) + (f"~{len(known) + 1}" if known else "")
            known.append((record.kind, iri))
            iris.append(iri)
        return iris

    def resolve(self, name: str, kinds: frozenset[str]) -> str:
        """The IRI that a reference means: of the expected kind where an id is used twice, the last one of these."""
        known = self.by_name.get(name)
        if known is None:
            return self.base + terms.encode(name)
        for kind, iri in reversed(known):
            if kind in kinds:
                return iri
        return known[-1][1]

    def entry(self, iri: str, cls: str, fields: dict[str, Value], record: Record, path: Path) -> None:
        """All facts of one entry; nested entries follow."""
        self.places[iri] = (record, path)
        subject = f"<{iri}>"
        if cls != "LinkEnd":  # half of all entries: `aikg:device` says it already
            self.lines.append(f"{subject} {_TYPE} <{_AIKG}{cls}> .\n")
        keys = self.schema.keys[cls]
        for name, value in fields.items():
            if name == "id":
                continue
            key = keys[name]
            if isinstance(value, IllTyped):
                self.ill_typed(iri, name, value)
            elif key.multiple:
                self.many(iri, key, value, record, (*path, name))
            else:
                self.value(iri, key, value, record, (*path, name))

    def many(self, iri: str, key: Key, values: Value, record: Record, path: Path) -> None:
        assert isinstance(values, list)
        if not values:
            self.lines.append(f"<{iri}> <{_AIKG}emptyList> <{_AIKG}{key.name}> .\n")
        for position, value in enumerate(values):
            self.value(iri, key, value, record, (*path, position))

    def value(self, iri: str, key: Key, value: Value, record: Record, path: Path) -> None:
        lines, predicate = self.lines, f"<{iri}> <{_AIKG}{key.name}>"
        if isinstance(value, IllTyped):
            self.ill_typed(iri, key.name, value)
        elif key.nested is not None:
            assert isinstance(value, dict)
            nested = self.nested_iri(iri, key, value, path)
            lines.append(f"{predicate} <{nested}> .\n")
            self.entry(nested, key.nested, value, record, path)
            if key.nested == "LinkEnd":
                self.resolved_end(nested, value)
        elif isinstance(value, bool):
            lines.append(f'{predicate} "{"true" if value else "false"}"^^{_BOOLEAN} .\n')
        elif isinstance(value, Decimal):
            whole = key.datatype == "integer" and value == value.to_integral_value()
            lines.append(f'{predicate} "{number_text(value)}"^^{_INTEGER if whole else _DECIMAL} .\n')
        elif key.reference:
            lines.append(f"{predicate} <{self.resolve(str(value), key.reference)}> .\n")
        elif key.catalogue:
            lines.append(f"{predicate} <{terms.CAT}{terms.encode(str(value))}> .\n")
        else:
            lines.append(f"{predicate} {literal(str(value))} .\n")

    def nested_iri(self, iri: str, key: Key, value: dict[str, Value], path: Path) -> str:
        if key.nested == "Nic":
            name = str(value["id"])
            # A repeated NIC id would merge two adapters; the mark keeps both.
            nested, count = f"{iri}/{terms.encode(name)}", 2
            while nested in self.places:
                nested, count = f"{iri}/{terms.encode(name)}~{count}", count + 1
            return nested
        if key.nested == "Psu":
            name = str(value.get("id", path[-1]))
            nested, count = f"{iri}/{terms.PSU_SEGMENT}/{terms.encode(name)}", 2
            while nested in self.places:
                nested, count = f"{iri}/{terms.PSU_SEGMENT}/{terms.encode(name)}~{count}", count + 1
            return nested
        if key.nested == "LinkEnd":
            return f"{iri}/{terms.END_SEGMENT}/{key.name}"
        return f"{iri}/{key.name}"

    def resolved_end(self, iri: str, end: dict[str, Value]) -> None:
        """The port and NIC that a link end means, so that rules join through IRIs and not through text."""
        device, port = end.get("device"), end.get("port")
        if not isinstance(device, str) or not isinstance(port, str):
            return
        device_iri = self.resolve(device, self.schema.device_kinds)
        self.lines.append(f"<{iri}> <{_AIKG}atPort> <{device_iri}/{terms.PORT_SEGMENT}/{terms.encode(port)}> .\n")
        nic = self.nics.get((device_iri, port.split(".", 1)[0]))
        if nic is not None:
            self.lines.append(f"<{iri}> <{_AIKG}atNic> <{nic}> .\n")

    def ill_typed(self, iri: str, key: str, value: IllTyped) -> None:
        mark = f"<{iri}#illTyped-{key}>"
        self.lines.append(
            f"<{iri}> <{_AIKG}illTyped> {mark} .\n{mark} <{_AIKG}property> <{_AIKG}{key}> .\n"
            f"{mark} <{_AIKG}asWritten> {literal(value.as_written)} .\n"
        )

    def note_nics(self, iri: str, record: Record) -> None:
        nics = record.fields.get("nics")
        if isinstance(nics, list):
            for nic in nics:
                if isinstance(nic, dict):
                    name = str(nic["id"])
                    self.nics.setdefault((iri, name), f"{iri}/{terms.encode(name)}")


def to_ntriples(source: DesignSource) -> tuple[bytes, dict[str, tuple[Record, Path]]]:
    """The design graph of a design.

    Arguments:
        source: the design as read.

    Returns:
        the graph as N-Triples, and for the IRI of every component the record and the path inside it
        that it came from.
    """
    schema = load_schema()
    base = terms.design_base(source.name)
    writer = _Writer(base, schema)
    components = [record for record in source.records if record.kind != "design"]
    iris = writer.register(components)
    for iri, record in zip(iris, components, strict=True):
        if "nics" in record.fields:
            writer.note_nics(iri, record)
    for record in source.records:
        if record.kind == "design":
            _design_facts(writer, record, source.name)
    for iri, record in zip(iris, components, strict=True):
        writer.entry(iri, schema.class_of[record.kind], record.fields, record, ())
    first_pod = next((iri for iri, record in zip(iris, components, strict=True) if record.kind == "pods"), None)
    if first_pod is not None:
        # The order of the file is lost in a graph, and the first pod is the pattern that the others repeat.
        writer.lines.append(f"<{base}> <{_AIKG}firstPod> <{first_pod}> .\n")
    return "".join(writer.lines).encode(), writer.places


def _design_facts(writer: _Writer, record: Record, name: str) -> None:
    base = writer.base
    fields = {key: value for key, value in record.fields.items() if key not in ("name", "parameters")}
    writer.entry(base, "Design", fields, record, ())
    writer.lines.append(f"<{base}> <{_AIKG}designName> {literal(name)} .\n")
    parameters = record.fields.get("parameters")
    if isinstance(parameters, dict) and parameters:
        node = base + terms.PARAMETERS_FRAGMENT
        writer.places[node] = (record, ("parameters",))
        writer.lines.append(f"<{base}> <{_AIKG}parameters> <{node}> .\n")
        for key, value in parameters.items():
            if isinstance(value, Decimal):
                writer.lines.append(f'<{node}> <{_AIKG}{key}> "{number_text(value)}"^^{_DECIMAL} .\n')
            elif isinstance(value, IllTyped):
                writer.ill_typed(node, key, value)
