"""Cabling patterns become links: rail, clos, pairs and star. The keys are explained in docs/authoring.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import cycle

from aikg.design import ranges
from aikg.design.fold import Folder, kind_of
from aikg.design.ports import DEVICE_KINDS, Device, Port, devices_of
from aikg.design.records import Origin, Path, Record, Value
from aikg.design.schema import closest, did_you_mean
from aikg.design.templates import Keys
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.design.typed import number
from aikg.errors import InputError

PATTERNS = {
    "rail": "adapter k of every node of a scalable unit to the leaf of rail k of that unit",
    "clos": "every switch of one layer to every switch of the next",
    "pairs": "one to one, or blocks of equal size to one each",
    "star": "everything to one switch, or dealt round over several",
}
KEYS = ("pattern", "from", "to", "nics", "links", "within", "fabric", "speedGbps", "a", "b")
WITHIN = ("su", "pod", "rack")


@dataclass(frozen=True, slots=True)
class _End:
    """What a pattern says of one end of its links: given ports, and the other keys of a link end."""

    ports: list[str] | None
    fields: dict[str, Value]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One pattern as read."""

    name: str
    start: list[Device]
    end: list[Device]
    nics: list[str] | None
    links: int | None
    within: str | None
    fabric: str | None
    speed: Value | None
    a: _End
    b: _End
    origin: Origin
    origins: dict[Path, Origin]

    def fail(self, message: str, key: str | None = None) -> InputError:
        """An error at the pattern, or at one of its keys."""
        place = self.origins.get((key,), self.origin) if key else self.origin
        return InputError(message, place.file, place.line)


class Cabling:
    """Turns the patterns of a design into links, and remembers the ports that they take.

    Arguments:
        records: everything else in the design; the ports of its links are taken.
        folder: the unfolder of the design, for templates and limits.
    """

    def __init__(self, records: Sequence[Record], folder: Folder) -> None:
        self.folder = folder
        self.devices = devices_of(records)
        self.link_keys = folder.schema.keys["Link"]
        self.end_keys = folder.schema.keys["LinkEnd"]

    def links(self, node: Node, file: str) -> list[Record]:
        """The links of the `cabling:` list of one file.

        Arguments:
            node: the list as written.
            file: the file that it stands in.

        Raises:
            InputError: an unknown pattern, key or device, counts that do not divide, or a switch without a free port.
        """
        if isinstance(node, Scalar) and node.missing:
            return []
        if not isinstance(node, Seq):
            raise InputError("cabling takes a list of patterns (`- pattern: ...`)", file, node.line)
        made: list[Record] = []
        for entry in node.items:
            pattern = self._read(entry, file)
            before = len(made)
            for start, port, end in _PAIRING[pattern.name](pattern):
                made.append(self._link(pattern, start, port, end))
                self.folder.spend(1, file, entry)
            if len(made) == before:
                raise pattern.fail("the pattern makes no link: every port that it names has one already")
        return made

    # ---- Reading a pattern

    def _read(self, entry: Node, file: str) -> _Pattern:
        if not isinstance(entry, Map):
            raise InputError(f"a cabling pattern is {kind_of(entry)}, expected a mapping", file, entry.line)
        keys = self.folder.templates.applied(entry, file)
        for name, placed in keys.items():
            if name not in KEYS:
                hint = did_you_mean(name, (*KEYS, "use")) or f"; known keys: {', '.join(KEYS)}"
                raise InputError(f"unknown key '{name}' of cabling{hint}", placed.file, placed.key.line)
        origins: dict[Path, Origin] = {}
        for name, placed in keys.items():
            origins[(name,)] = Origin(placed.file, placed.node.line, placed.node.column)
        kind = self._word(keys, "pattern", tuple(PATTERNS), entry, file)
        assert kind is not None
        for name in ("from", "to"):
            if name not in keys:
                raise InputError(f"a {kind} pattern needs `{name}:`, the devices at that end", file, entry.line)
        fabric = self._value(keys, "fabric", origins)
        return _Pattern(
            name=kind,
            start=self._devices(keys["from"].node, keys["from"].file),
            end=self._devices(keys["to"].node, keys["to"].file),
            nics=self._names(keys["nics"].node, keys["nics"].file) if "nics" in keys else None,
            links=self._links(keys),
            within=self._word(keys, "within", WITHIN, entry, file),
            fabric=fabric if isinstance(fabric, str) else None,
            speed=self._value(keys, "speedGbps", origins),
            a=self._end(keys, "a", origins),
            b=self._end(keys, "b", origins),
            origin=Origin(file, entry.line, entry.column),
            origins=origins,
        )

    def _word(self, keys: Keys, key: str, known: tuple[str, ...], entry: Map, file: str) -> str | None:
        placed = keys.get(key)
        if placed is None:
            if key == "pattern":
                raise InputError(f"a cabling entry needs `pattern:`, one of {', '.join(known)}", file, entry.line)
            return None
        if isinstance(placed.node, Scalar) and placed.node.text in known:
            return placed.node.text
        found = f" '{placed.node.text}'" if isinstance(placed.node, Scalar) else ""
        close = closest(found[2:-1], known) if found else None
        hint = f"did you mean '{close}'?" if close else f"known: {', '.join(known)}"
        raise InputError(f"unknown {key}{found} of cabling; {hint}", placed.file, placed.node.line)

    def _value(self, keys: Keys, key: str, origins: dict[Path, Origin]) -> Value | None:
        return self.folder.plain(self.link_keys[key], keys[key], (key,), origins) if key in keys else None

    def _links(self, keys: Keys) -> int | None:
        placed = keys.get("links")
        if placed is None:
            return None
        value = number(placed.node.text) if isinstance(placed.node, Scalar) and placed.node.plain else None
        if value is None or value != int(value) or not 1 <= value <= 1000:
            raise InputError("links takes a whole number from 1 to 1000: links per pair", placed.file, placed.node.line)
        return int(value)

    def _end(self, keys: Keys, key: str, origins: dict[Path, Origin]) -> _End:
        placed = keys.get(key)
        if placed is None:
            return _End(None, {})
        if not isinstance(placed.node, Map):
            text = f"{key} takes a mapping of what the links have at that end; found {kind_of(placed.node)}"
            raise InputError(text, placed.file, placed.node.line)
        ports: list[str] | None = None
        fields: dict[str, Value] = {}
        for name, inner in self.folder.templates.applied(placed.node, placed.file).items():
            if name == "device":
                hint = "`from:`" if key == "a" else "`to:`"
                raise InputError(f"the devices of a pattern are named in {hint}", inner.file, inner.key.line)
            if name not in self.end_keys:
                raise self.folder.unknown(name, "LinkEnd", inner)
            origins[(key, name)] = Origin(inner.file, inner.node.line, inner.node.column)
            if name == "port":
                ports = self._names(inner.node, inner.file)
                continue
            value = self.folder.plain(self.end_keys[name], inner, (key, name), origins)
            if value is not None:
                fields[name] = value
        return _End(ports, fields)

    def _names(self, node: Node, file: str) -> list[str]:
        """Names from a name, a range, or a list of these."""
        items = node.items if isinstance(node, Seq) else [node]
        names: list[str] = []
        for item in items:
            if not isinstance(item, Scalar) or item.missing:
                raise InputError("expected a name, a range of names, or a list of these", file, item.line)
            names += ranges.expand(item.text, file, item.line)
        return names

    def _devices(self, node: Node, file: str) -> list[Device]:
        """Devices from a name, a range, a selection, or a list of these."""
        found: dict[str, Device] = {}
        for item in node.items if isinstance(node, Seq) else [node]:
            if isinstance(item, Map):
                found |= {device.name: device for device in self._selection(item, file)}
                continue
            if isinstance(item, Seq):
                raise InputError("expected a name, a range of names, a selection, or a list of these", file, item.line)
            for name in self._names(item, file):
                device = self.devices.get(name)
                if device is None:
                    hint = did_you_mean(name, self.devices)
                    raise InputError(f"cabling names '{name}', which no device has as its id{hint}", file, item.line)
                found[name] = device
        if not found:
            raise InputError("cabling selects no device here", file, node.line)
        return list(found.values())

    def _selection(self, node: Map, file: str) -> list[Device]:
        """Devices of some collections by the values of their keys: `{all: switches, tier: leaf, except: leaf9}`."""
        if "all" not in node.values:
            raise InputError("a selection of devices needs `all:`, such as `all: switches`", file, node.line)
        kinds = self._names(node.values["all"], file)
        for kind in kinds:
            if kind not in DEVICE_KINDS:
                text = f"`all:` takes {', '.join(DEVICE_KINDS)}; found '{kind}'{did_you_mean(kind, DEVICE_KINDS)}"
                raise InputError(text, file, node.values["all"].line)
        without = set(self._names(node.values["except"], file)) if "except" in node.values else set()
        wanted: dict[str, set[str]] = {}
        classes = [self.folder.schema.class_of[kind] for kind in kinds]
        for key, value in node.values.items():
            if key in ("all", "except"):
                continue
            known = {name for cls in classes for name in self.folder.schema.keys[cls]}
            if key not in known:
                hint = did_you_mean(key, [*known, "all", "except"])
                raise InputError(f"unknown key '{key}' of {', '.join(kinds)}{hint}", file, node.keys[key].line)
            wanted[key] = set(self._names(value, file))
        return [
            device
            for device in self.devices.values()
            if device.record.kind in kinds
            and device.name not in without
            and all(_has(device.record.fields.get(key), texts) for key, texts in wanted.items())
        ]

    # ---- Making links

    def _link(self, pattern: _Pattern, start: Device, port: Port | None, end: Device) -> Record:
        name = port.name if port is not None else self._free(pattern, start, pattern.a, "from")
        if name in start.used and port is not None:
            raise pattern.fail(f"port {name} of {start.name} has a link already, from an earlier pattern", "from")
        start.used.add(name)
        other = self._free(pattern, end, pattern.b, "to")
        end.used.add(other)
        fields: dict[str, Value] = {}
        fabric = pattern.fabric or (port.fabric if port is not None else None) or _only_fabric(start, end)
        if fabric is not None:
            fields["fabric"] = fabric
        speed = pattern.speed if pattern.speed is not None else port.speed if port is not None else None
        if speed is None and (port is None or port.nic is None):
            speed = start.number("portSpeedGbps")
        if speed is not None:
            fields["speedGbps"] = speed
        fields["a"] = {"device": start.name, "port": name, **pattern.a.fields}
        fields["b"] = {"device": end.name, "port": other, **pattern.b.fields}
        return Record("links", f"{start.name}.{name}-{end.name}.{other}", fields, pattern.origin, pattern.origins)

    def _free(self, pattern: _Pattern, device: Device, end: _End, key: str) -> str:
        if end.ports is not None:
            found = device.first_free(end.ports)
            if found is None:
                text = f"{device.name} has no free port left of the {len(end.ports)} that the pattern names"
                raise pattern.fail(text, key)
            return found
        if device.record.kind != "switches":
            side = "a" if key == "from" else "b"
            raise pattern.fail(f"{device.name} is no switch; name its ports with `{side}: {{port: ...}}`", key)
        found = device.next_free()
        if found is None:
            have = device.number("portCount")
            raise pattern.fail(f"{device.name} has no free port left: all {have} ports (portCount) have a link", key)
        return found


_Cable = tuple[Device, Port | None, Device]


def _has(value: Value | None, texts: set[str]) -> bool:
    if isinstance(value, list):
        return any(_has(item, texts) for item in value)
    if isinstance(value, bool):
        return ("true" if value else "false") in texts
    if isinstance(value, Decimal):
        return any(number(text) == value for text in texts)
    return isinstance(value, str) and value in texts


def _only_fabric(start: Device, end: Device) -> str | None:
    """The fabric of a link between switches that share just one."""
    fabrics = [device.record.fields.get("fabrics") for device in (start, end)]
    known = [set(map(str, fabric)) for fabric in fabrics if isinstance(fabric, list)]
    shared = set.intersection(*known) if known else set()
    return shared.pop() if len(shared) == 1 else None


def _ports(pattern: _Pattern, device: Device) -> list[Port | None]:
    """The ports of a device at the `from` end: given ones, its adapters, or (None) the next free ones of a switch."""
    if pattern.a.ports is None and pattern.nics is None and device.record.kind == "switches":
        return [None] * (pattern.links or 1)
    if pattern.links is not None:
        raise pattern.fail("`links:` counts free ports of switches; here every port is named and has one link", "links")
    if pattern.a.ports is not None:
        nics = {port.name: port for port in device.ports()}
        named: list[Port | None] = [nics.get(name, Port(name)) for name in pattern.a.ports]
        return [port for port in named if port is None or port.name not in device.exceptions]
    ports = device.ports()
    if pattern.nics is not None:
        known = {port.nic for port in ports}
        for nic in pattern.nics:
            if nic not in known:
                hint = did_you_mean(nic, [port.nic for port in ports if port.nic])
                raise pattern.fail(f"{device.name} has no adapter '{nic}'{hint}", "nics")
        chosen = [port for nic in pattern.nics for port in ports if port.nic == nic]
    elif pattern.fabric is not None:
        chosen = [port for port in ports if port.fabric == pattern.fabric]
    else:
        chosen = [port for port in ports if port.purpose == "compute"] if pattern.name == "rail" else []
    if not chosen:
        what = f"no adapter of fabric {pattern.fabric}" if pattern.fabric else "no adapter that the pattern means"
        raise pattern.fail(f"{device.name} has {what}; name the ports with `nics:` or `a: {{port: ...}}`", "from")
    return [port for port in chosen if port.name not in device.exceptions]


def _nearby(pattern: _Pattern) -> Callable[[Device], list[Device]]:
    """What a device may be cabled to: all of `to:`, or those of the same unit where `within` is given."""
    key = pattern.within
    if key is None:
        return lambda device: pattern.end
    by_unit: dict[str | None, list[Device]] = {}
    for end in pattern.end:
        by_unit.setdefault(end.text(key), []).append(end)

    def near(device: Device) -> list[Device]:
        unit = device.text(key)
        if unit not in by_unit:
            where = f"with {key} {unit}" if unit is not None else f"without a {key}"
            raise pattern.fail(f"{device.name} finds no device {where} among those of `to:`", "to")
        return by_unit[unit]

    return near


def _clos(pattern: _Pattern) -> Iterator[_Cable]:
    near = _nearby(pattern)
    for start in pattern.start:
        for end in near(start):
            if end is start:
                raise pattern.fail(f"{start.name} is on both ends of the pattern", "to")
            for _ in range(pattern.links or 1):
                yield start, None, end


def _pairs(pattern: _Pattern) -> Iterator[_Cable]:
    near = _nearby(pattern)
    groups: dict[str | None, list[Device]] = {}
    for start in pattern.start:
        groups.setdefault(start.text(pattern.within) if pattern.within else None, []).append(start)
    for group in groups.values():
        ends = near(group[0])
        if len(group) % len(ends):
            many, few = len(group), len(ends)
            raise pattern.fail(f"{many} devices cannot be paired with {few}: {many} is not divisible by {few}")
        block = len(group) // len(ends)
        for position, start in enumerate(group):
            for port in _ports(pattern, start):
                yield start, port, ends[position // block]


def _star(pattern: _Pattern) -> Iterator[_Cable]:
    near = _nearby(pattern)
    turns: dict[int, Iterator[Device]] = {}
    for start in pattern.start:
        ends = near(start)
        turn = turns.setdefault(id(ends), cycle(ends))
        for port in _ports(pattern, start):
            end = next(turn)
            if end is start:
                raise pattern.fail(f"{start.name} is on both ends of the pattern", "to")
            yield start, port, end


@dataclass(frozen=True, slots=True)
class _Unit:
    """The leaves of one scalable unit: in order, and by rail with the turns that leaves of one rail take."""

    leaves: list[Device]
    rails: dict[Decimal | None, Iterator[Device]]

    @classmethod
    def of(cls, leaves: list[Device]) -> _Unit:
        """The unit that some leaves make up."""
        by_rail: dict[Decimal | None, list[Device]] = {}
        for leaf in leaves:
            by_rail.setdefault(leaf.number("rail"), []).append(leaf)
        return cls(leaves, {rail: cycle(same) for rail, same in by_rail.items()})


def _rail(pattern: _Pattern) -> Iterator[_Cable]:
    key = pattern.within or "su"
    by_unit: dict[str | None, list[Device]] = {}
    for leaf in pattern.end:
        by_unit.setdefault(leaf.text(key), []).append(leaf)
    units = {name: _Unit.of(leaves) for name, leaves in by_unit.items()}
    for start in pattern.start:
        name = start.text(key)
        # A leaf without a unit serves them all.
        unit = units.get(name) or units.get(None)
        if unit is None:
            where = f"{key} {name}" if name is not None else f"no {key}"
            raise pattern.fail(f"{start.name} has {where}; no leaf of `to:` has it", "to")
        for position, port in enumerate(_ports(pattern, start)):
            if port is None:
                raise pattern.fail(f"{start.name} is a switch; rail cables adapters to switches", "from")
            yield start, port, _rail_leaf(pattern, start, port, position, unit)


def _rail_leaf(pattern: _Pattern, start: Device, port: Port, position: int, unit: _Unit) -> Device:
    """The leaf of the port's rail: by `rail` where both sides have it, else adapter k to leaf k."""
    if port.rail is not None and port.rail in unit.rails:
        return next(unit.rails[port.rail])
    where = f"{start.name}/{port.nic or port.name}"
    if port.rail is not None:
        raise pattern.fail(f"no leaf of `to:` has `rail: {port.rail}`, which {where} has", "to")
    if set(unit.rails) != {None}:
        raise pattern.fail(f"{where} has no `rail`, but the leaves have", "from")
    if position >= len(unit.leaves):
        raise pattern.fail(f"{start.name} has more adapters than there are leaves ({len(unit.leaves)}) for it", "to")
    return unit.leaves[position]


_PAIRING: dict[str, Callable[[_Pattern], Iterator[_Cable]]] = {
    "rail": _rail,
    "clos": _clos,
    "pairs": _pairs,
    "star": _star,
}
