"""Cable lists: CSV or XLSX with one link a row, as planners hand them to those who cable."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from aikg.design.files import decode, read_bytes
from aikg.design.ranges import MAX_MEMBERS
from aikg.design.records import Origin, Record, Value
from aikg.design.records import Path as FieldPath
from aikg.design.schema import Schema, closest
from aikg.design.typed import typed
from aikg.errors import InputError

# Column -> place in the link, and other spellings; compared without case, blanks and punctuation.
COLUMNS: dict[str, tuple[FieldPath, tuple[str, ...]]] = {
    "id": (("id",), ("link", "link_id", "cable", "cable_id")),
    "a_device": (("a", "device"), ("device_a", "source_device", "source", "src_device", "src", "from_device", "from")),
    "a_port": (("a", "port"), ("port_a", "source_port", "src_port", "from_port", "a_interface")),
    "b_device": (
        ("b", "device"),
        (
            "device_b",
            "destination_device",
            "destination",
            "dest_device",
            "dest",
            "dst_device",
            "dst",
            "to_device",
            "to",
        ),
    ),
    "b_port": (("b", "port"), ("port_b", "destination_port", "dest_port", "dst_port", "to_port", "b_interface")),
    "fabric": (("fabric",), ("network",)),
    "speedGbps": (("speedGbps",), ("speed", "gbps", "gb_s", "speed_gb_s")),
    **{
        f"{end}_{key}": ((end, key), aliases)
        for end in ("a", "b")
        for key, aliases in (
            ("plug", (f"plug_{end}",)),
            ("portConnector", (f"{end}_connector", f"connector_{end}", f"{end}_port_connector")),
            ("kind", (f"kind_{end}",)),
            ("lane", (f"lane_{end}",)),
            ("speedGbps", (f"{end}_speed",)),
        )
    },
}
_REQUIRED = ("a_device", "a_port", "b_device", "b_port")
_HEADER_ROWS = 20
MAX_UNPACKED = 512 * 1024 * 1024

Row = tuple[int, list[str]]  # number of the row, counted from 1, and its cells as text


def _normal(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


_KNOWN = {_normal(name): column for column, (_, aliases) in COLUMNS.items() for name in (column, *aliases)}


def read_cables(file: Path, shown: str, schema: Schema) -> list[Record]:
    """The links of a cable list.

    Arguments:
        file: a .csv or .xlsx file with a header row; required columns are a_device, a_port, b_device and b_port.
        shown: what to call it in messages.
        schema: the keys of links and their ends.

    Raises:
        InputError: another kind of file, no header, a misspelt or repeated column, or a package that is not installed.
    """
    data = read_bytes(file, shown)
    suffix = file.suffix.lower()
    if suffix == ".csv":
        header, rows = _header(_csv_rows(decode(data, shown), shown), shown)
        if not header:
            raise InputError(_no_header(), shown, 1)
        return [_link(row, header, shown, None, file.stem, schema) for row in rows]
    if suffix != ".xlsx":
        raise InputError("unknown kind of cable list; expected .csv or .xlsx", shown)
    records: list[Record] = []
    found = False
    for sheet, sheet_rows in _sheets(data, shown):
        header, rows = _header(sheet_rows, shown)
        found = found or bool(header)
        if header:
            records += [_link(row, header, shown, sheet, file.stem, schema) for row in rows]
    if not found:
        raise InputError(_no_header(), shown)
    return records


def _no_header() -> str:
    return f"no header row; expected at least the columns {', '.join(_REQUIRED)}"


def _csv_rows(text: str, shown: str) -> Iterator[Row]:
    first = text.lstrip().split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    start = 1
    try:
        for cells in reader:
            if not (cells and cells[0].startswith("#")):
                yield start, [cell.strip() for cell in cells]
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"broken CSV: {error}", shown, start) from None


def _sheets(data: bytes, shown: str) -> list[tuple[str, list[Row]]]:
    """The sheets of a workbook: name and rows."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise InputError("reading .xlsx needs openpyxl: pip install 'aikg[xlsx]', or save it as .csv", shown) from None
    _refuse_bombs(data, shown)
    try:
        workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = [(sheet.title, _rows_of(sheet.iter_rows(values_only=True), shown)) for sheet in workbook.worksheets]
    except InputError:
        raise
    except Exception as error:  # openpyxl raises what its XML and zip readers happen to raise
        raise InputError(f"is no readable workbook: {' '.join(str(error).split())[:200]}", shown) from None
    return sheets


def _rows_of(rows: Iterable[Iterable[object]], shown: str) -> list[Row]:
    found: list[Row] = []
    for number, row in enumerate(rows, 1):
        if number > MAX_MEMBERS:
            raise InputError(f"more than {MAX_MEMBERS:,} rows", shown, number)
        found.append((number, [_cell(cell) for cell in row]))
    return found


def _refuse_bombs(data: bytes, shown: str) -> None:
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
                raise InputError(f"unpacks to more than {MAX_UNPACKED // 2**20} MiB", shown)
            for member in archive.infolist():
                with archive.open(member) as stream:
                    if b"<!DOCTYPE" in stream.read(4096):
                        raise InputError("is no readable workbook: it declares XML entities", shown)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(f"is no readable workbook: {error}", shown) from None


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _header(rows: Iterable[Row], shown: str) -> tuple[dict[int, str], Iterator[Row]]:
    """The columns by position, and the rows below the header; no columns where there is no header."""
    remaining = iter(rows)
    for number, cells in remaining:
        columns = {position: _KNOWN[_normal(cell)] for position, cell in enumerate(cells) if _normal(cell) in _KNOWN}
        if len(set(columns.values()) & set(_REQUIRED)) >= 2:
            _check_header(cells, columns, number, shown)
            return columns, (row for row in remaining if any(row[1]))
        if number >= _HEADER_ROWS:
            break
    return {}, iter(())


def _check_header(cells: list[str], columns: dict[int, str], number: int, shown: str) -> None:
    """Refuse a header that lacks, repeats or misspells a column; other columns are the planner's own."""
    found = list(columns.values())
    for position, cell in enumerate(cells):
        if position in columns:
            if found.count(columns[position]) > 1:
                raise InputError(f"column {columns[position]} is there twice", shown, number)
        elif (meant := closest(cell, [column for column in COLUMNS if column not in found], 0.8)) is not None:
            raise InputError(f"unknown column '{cell}'; did you mean '{meant}'?", shown, number)
    for column in _REQUIRED:
        if column not in found:
            raise InputError(f"column {column} is missing; found {', '.join(filter(None, cells))}", shown, number)


def _link(row: Row, header: dict[int, str], shown: str, sheet: str | None, stem: str, schema: Schema) -> Record:
    number, cells = row
    if number > MAX_MEMBERS:
        raise InputError(f"more than {MAX_MEMBERS:,} rows", shown, number)
    ends: dict[str, dict[str, Value]] = {"a": {}, "b": {}}
    fields: dict[str, Value] = {}
    origins: dict[FieldPath, Origin] = {}
    name = ""
    for position, column in header.items():
        text = cells[position] if position < len(cells) else ""
        if not text:
            continue
        path = COLUMNS[column][0]
        if sheet is not None:
            origins[path] = Origin(shown, number, position + 1, f"{sheet}!{_letters(position)}{number}")
        if path == ("id",):
            name = text
        elif len(path) == 2:
            ends[str(path[0])][str(path[1])] = typed(text, True, schema.keys["LinkEnd"][str(path[1])])
        else:
            fields[str(path[0])] = typed(text, True, schema.keys["Link"][str(path[0])])
    fields |= {end: inner for end, inner in ends.items() if inner}
    if not name:
        parts = [ends[end].get(key) for end in ("a", "b") for key in ("device", "port")]
        known = all(isinstance(part, str) for part in parts)
        name = f"{parts[0]}.{parts[1]}-{parts[2]}.{parts[3]}" if known else f"{stem}-{number}"
    place = Origin(shown, number, 1, f"{sheet}!A{number}" if sheet is not None else None)
    return Record("links", name, fields, place, origins)


def _letters(position: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
