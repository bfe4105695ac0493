"""The records that every reader of designs fills: one per component, each value with its place of origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something was written: a file (as the user named it) and a line or a sheet cell."""

    file: str
    line: int
    column: int | None = None
    cell: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.cell or self.line}"


@dataclass(frozen=True, slots=True)
class IllTyped:
    """A value of the wrong type for its key: it counts as missing, and is reported as it was written."""

    as_written: str


Scalar = str | Decimal | bool | IllTyped
Value = Scalar | list["Value"] | dict[str, "Value"]


@dataclass(slots=True)
class Record:
    """One component of a design.

    Attributes:
        kind: collection key: "nodes", "links", ..., "site", or "design" for the scalars at the top of the file
            and `parameters` (a mapping).
        name: the id as the designer wrote it.
        fields: key -> value, typed by the schema: str, Decimal, bool, IllTyped, list, or dict for nested entries.
            Missing (null, empty text) keys are left out.
        origin: where the entry starts.
        origins: path inside the entry, such as ("maxPowerKw",) or ("nics", 0, "speedGbps"), -> place of the value.
            Shared by all members of a folded entry.
    """

    kind: str
    name: str
    fields: dict[str, Value]
    origin: Origin
    origins: Mapping[Path, Origin] = field(default_factory=dict)

    def where(self, path: Path) -> Origin:
        """The place of the value at `path`, or of its closest enclosing value, or of the entry."""
        while path:
            if path in self.origins:
                return self.origins[path]
            path = path[:-1]
        return self.origin


@dataclass(slots=True)
class DesignSource:
    """A design as read, folding and includes resolved.

    Attributes:
        name: design name (`name:` of the file, else the file's stem).
        files: every file that was read, as the user named them, the main one first.
        records: one record per component, in the order of the file; the first has kind "design".
        expect: the `expect:` list of an example design: (rule, focus, verdict), else empty.
    """

    name: str
    files: list[str]
    records: list[Record]
    expect: list[tuple[str, str, str]] = field(default_factory=list)
