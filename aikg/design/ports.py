"""Ports of the devices of a design: which a pattern cables, and which are still free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from aikg.design.records import Record, Value

DEVICE_KINDS = ("nodes", "switches", "storage")


@dataclass(frozen=True, slots=True)
class Port:
    """A port to be cabled.

    Attributes:
        name: as links name it: "c1", "c1.p2", "49".
        fabric: fabric of its adapter, or None.
        speed: rate of its adapter in Gb/s, or None.
        rail: rail of its adapter, or None.
        purpose: purpose of its adapter, or None.
        nic: id of its adapter, or None.
    """

    name: str
    fabric: str | None = None
    speed: Decimal | None = None
    rail: Decimal | None = None
    purpose: str | None = None
    nic: str | None = None


@dataclass(slots=True)
class Device:
    """A device that patterns cable.

    Attributes:
        record: its record.
        used: ports that have a link.
        exceptions: of these, the ports whose link was written by hand: patterns leave them alone.
        last: the last port number that was given out.
    """

    record: Record
    used: set[str] = field(default_factory=set)
    exceptions: set[str] = field(default_factory=set)
    last: int = 0

    @property
    def name(self) -> str:
        """Its id."""
        return self.record.name

    def text(self, key: str) -> str | None:
        """The value of a key that holds text, else None."""
        value = self.record.fields.get(key)
        return value if isinstance(value, str) else None

    def number(self, key: str) -> Decimal | None:
        """The value of a key that holds a number, else None."""
        return _number(self.record.fields.get(key))

    def ports(self) -> list[Port]:
        """The ports of its adapters; adapter c1 with two ports has c1.p1 and c1.p2."""
        nics = self.record.fields.get("nics")
        found: list[Port] = []
        for nic in nics if isinstance(nics, list) else ():
            if isinstance(nic, dict):
                found += _ports_of(nic)
        return found

    def next_free(self) -> str | None:
        """The next port number without a link, None where `portCount` is reached. Unknown counts set no limit."""
        count = self.number("portCount")
        while count is None or self.last < count:
            self.last += 1
            name = str(self.last)
            if name not in self.used:
                return name
        return None

    def first_free(self, pool: Iterable[str]) -> str | None:
        """The first port of a pool without a link."""
        return next((name for name in pool if name not in self.used), None)


def _number(value: Value | None) -> Decimal | None:
    return value if isinstance(value, Decimal) else None


def _ports_of(nic: dict[str, Value]) -> Iterator[Port]:
    name = str(nic.get("id"))
    ports = _number(nic.get("ports")) or Decimal(1)
    fabric, purpose = nic.get("fabric"), nic.get("purpose")
    for position in range(1, min(int(ports), 64) + 1):
        yield Port(
            name=f"{name}.p{position}" if ports > 1 else name,
            fabric=fabric if isinstance(fabric, str) else None,
            speed=_number(nic.get("speedGbps")),
            rail=_number(nic.get("rail")),
            purpose=purpose if isinstance(purpose, str) else None,
            nic=name,
        )


def devices_of(records: Sequence[Record]) -> dict[str, Device]:
    """The devices of a design by name, with the ports that explicit links use."""
    devices: dict[str, Device] = {}
    for record in records:
        if record.kind in DEVICE_KINDS:
            devices.setdefault(record.name, Device(record))
    for record in records:
        if record.kind != "links":
            continue
        for end in (record.fields.get("a"), record.fields.get("b")):
            if isinstance(end, dict):
                device, port = devices.get(str(end.get("device"))), end.get("port")
                if device is not None and isinstance(port, str):
                    device.used.add(port)
                    device.exceptions.add(port)
    return devices
