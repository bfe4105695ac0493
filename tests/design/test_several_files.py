"""Designs of several files: includes, cable lists, and the designs of a folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from aikg.design.find import find_designs
from aikg.design.read import read_design
from aikg.design.records import DesignSource, IllTyped
from aikg.errors import InputError
from tests.design.reading import components


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files, and give the path of the first."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder / next(iter(files))


def broken(folder: Path, files: Mapping[str, str]) -> str:
    """The message of a design that cannot be read, the folder left out."""
    with pytest.raises(InputError) as caught:
        read_design(write(folder, files))
    return str(caught.value).replace(f"{folder}/", "")


# ---- include


def test_included_files_add_to_the_design(tmp_path: Path) -> None:
    source = read_design(
        write(
            tmp_path,
            {
                "main.yaml": "name: whole\ninclude: [power/pdus.yaml, net.json]\ntemplates: {t: {rackUnits: 42}}\n",
                "power/pdus.yaml": "include: more.yaml\npdus:\n  - id: p1\n",
                "power/more.yaml": "racks:\n  - id: r1\n    use: t\n",
                "net.json": '{"switches": [{"id": "s[1-2]"}]}',
            },
        )
    )
    assert source.name == "whole"
    assert [(record.kind, record.name) for record in source.records] == [
        *(("design", "design"), ("pdus", "p1"), ("racks", "r1"), ("switches", "s1"), ("switches", "s2"))
    ]
    shown = [f"{tmp_path}/{name}" for name in ("main.yaml", "power/pdus.yaml", "power/more.yaml", "net.json")]
    assert source.files == shown
    assert str(source.records[2].origin) == f"{tmp_path}/power/more.yaml:2"
    assert components(source, "racks") == {"r1": {"rackUnits": Decimal(42)}}


def test_files_are_named_as_the_user_named_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"d/main.yaml": "include: sub/a.yaml", "d/sub/a.yaml": "racks: [{id: r}]"})
    monkeypatch.chdir(tmp_path)
    assert read_design("d/main.yaml").files == ["d/main.yaml", "d/sub/a.yaml"]


@pytest.mark.parametrize(
    ("include", "message"),
    [
        ("/etc/hostname", "main.yaml:1: '/etc/hostname' leaves the design's folder"),
        ("../other.yaml", "main.yaml:1: '../other.yaml' leaves the design's folder"),
        ("link.yaml", "main.yaml:1: 'link.yaml' leaves the design's folder"),
        ("none.yaml", "main.yaml:1: 'none.yaml' is no file in the design's folder"),
        (".", "main.yaml:1: '.' is no file in the design's folder"),
        ("a.txt", "main.yaml:1: 'a.txt' cannot be included; expected a .yaml, .yml or .json file"),
        ("empty.yaml", "empty.yaml: the file is empty"),
        ("main.yaml", "main.yaml:1: files include each other in a circle: main.yaml -> main.yaml"),
        ("[a.yaml, a.yaml]", "main.yaml:1: 'a.yaml' is included twice"),
        ("b.yaml", "c.yaml:1: files include each other in a circle: b.yaml -> c.yaml -> b.yaml"),
        ("[[a.yaml]]", "main.yaml:1: include takes file names"),
        ("named.yaml", "named.yaml:1: name is given twice (also in main.yaml:2)"),
        ("site.yaml", "site.yaml:1: a second site (the first is in main.yaml:3); a design has one"),
        ("template.yaml", "template.yaml:1: template t is given twice (also in main.yaml:4)"),
        ("x" * 5000, f"main.yaml:1: '{'x' * 100}' is no file name"),
    ],
)
def test_an_include_that_cannot_be_read_is_an_error(tmp_path: Path, include: str, message: str) -> None:
    (tmp_path / "other.yaml").write_text("racks: []")
    folder = tmp_path / "design"
    folder.mkdir()
    (folder / "link.yaml").symlink_to(tmp_path / "other.yaml")
    files = {
        "main.yaml": f"include: {include}\nname: x\nsite: {{id: s}}\ntemplates: {{t: {{}}}}\n",
        "a.yaml": "racks: []",
        "a.txt": "racks: []",
        "empty.yaml": "",
        "b.yaml": "include: c.yaml",
        "c.yaml": "include: b.yaml",
        "named.yaml": "name: y",
        "site.yaml": "site: {id: t}",
        "template.yaml": "templates: {t: {}}",
    }
    assert broken(folder, files) == message


# ---- cables


def with_cables(folder: Path, table: str) -> DesignSource:
    """A design with a cable list."""
    return read_design(write(folder, {"d.yaml": "cables: cables.csv\nnodes: [{id: n1}]\n", "cables.csv": table}))


def test_a_cable_list_gives_one_link_a_row(tmp_path: Path) -> None:
    source = with_cables(
        tmp_path,
        "id,a_device,a_port,b_device,b_port,fabric,speedGbps,a_plug,b_portConnector,a_kind\n"
        "l1,n1,c0,leaf1,01,ib,400,OSFP,QSFP112,mgmt\n\n# spare\nl2,n1,c1,leaf1,2,,400G,,,\n",
    )
    assert components(source, "links") == {
        "l1": {
            "fabric": "ib",
            "speedGbps": Decimal(400),
            "a": {"device": "n1", "port": "c0", "plug": "OSFP", "kind": "mgmt"},
            "b": {"device": "leaf1", "port": "01", "portConnector": "QSFP112"},
        },
        "l2": {
            "speedGbps": IllTyped("400G"),
            "a": {"device": "n1", "port": "c1"},
            "b": {"device": "leaf1", "port": "2"},
        },
    }
    assert [str(record.origin) for record in source.records[-2:]] == [
        f"{tmp_path}/cables.csv:2",
        f"{tmp_path}/cables.csv:5",
    ]
    assert source.files == [f"{tmp_path}/d.yaml", f"{tmp_path}/cables.csv"]


def test_columns_are_known_by_other_spellings_and_others_are_the_planners_own(tmp_path: Path) -> None:
    source = with_cables(
        tmp_path, "Source Device;Source Port;Dest-Device;Dest Port;Speed (Gb/s);Colour;A label\nn1;c0;s1;1;100;red;x\n"
    )
    assert components(source, "links") == {
        "n1.c0-s1.1": {
            "speedGbps": Decimal(100),
            "a": {"device": "n1", "port": "c0"},
            "b": {"device": "s1", "port": "1"},
        }
    }


def test_a_row_that_lacks_a_cell_is_a_link_that_lacks_a_fact(tmp_path: Path) -> None:
    source = with_cables(tmp_path, "a_device,a_port,b_device,b_port\nn1,c0,s1\n")
    assert components(source, "links") == {"cables-2": {"a": {"device": "n1", "port": "c0"}, "b": {"device": "s1"}}}


def test_ports_of_a_cable_list_are_taken_before_patterns_are_cabled(tmp_path: Path) -> None:
    files = {
        "d.yaml": "cables: c.csv\nswitches: [{id: 's[1-2]'}]\ncabling: [{pattern: pairs, from: s1, to: s2}]\n",
        "c.csv": "a_device,a_port,b_device,b_port\ns1,1,x,1\n",
    }
    assert list(components(read_design(write(tmp_path, files)), "links")) == ["s1.1-x.1", "s1.2-s2.1"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("a_device,a_port,b_device\nn1,c0,s1\n", "cables.csv:1: column b_port is missing; found a_device, a_port, b_"),
        (
            "a_device,a_port,b_device,b_port,fabrik\n",
            "cables.csv:1: unknown column 'fabrik'; did you mean 'fabric'?",
        ),
        ("a_device,a_port,b_device,b_port,from\n", "cables.csv:1: column a_device is there twice"),
        ("x,y\n1,2\n", "cables.csv:1: no header row; expected at least the columns a_device, a_port, b_device, b_port"),
        ("", "cables.csv:1: no header row"),
        ('a_device,a_port,b_device,b_port\n"n1,c0', "cables.csv:2: broken CSV: unexpected end of data"),
    ],
)
def test_a_cable_list_that_cannot_be_read_names_the_line(tmp_path: Path, table: str, message: str) -> None:
    assert broken(tmp_path, {"d.yaml": "cables: cables.csv\n", "cables.csv": table}).startswith(message)


def test_other_kinds_of_cable_lists_are_refused(tmp_path: Path) -> None:
    assert broken(tmp_path, {"d.yaml": "cables: c.ods\n", "c.ods": ""}) == (
        "c.ods: unknown kind of cable list; expected .csv or .xlsx"
    )


def workbook(file: Path, sheets: Mapping[str, list[list[object]]]) -> None:
    """Write an Excel workbook."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(file)


def test_a_workbook_gives_links_with_their_cells(tmp_path: Path) -> None:
    workbook(
        tmp_path / "c.xlsx",
        {
            "Notes": [["nothing here"]],
            "Links": [
                ["Cabling of hall 1"],
                ["a_device", "a_port", "b_device", "b_port", "speedGbps"],
                ["n1", "c0", "leaf1", 1, 400],
                [],
                ["n1", "c1", "leaf1", 2.0, 12.5],
            ],
        },
    )
    source = read_design(write(tmp_path, {"d.yaml": "cables: c.xlsx\n"}))
    links = [record for record in source.records if record.kind == "links"]
    assert [record.name for record in links] == ["n1.c0-leaf1.1", "n1.c1-leaf1.2"]
    assert [record.fields["speedGbps"] for record in links] == [Decimal(400), Decimal("12.5")]
    assert str(links[1].origin) == f"{tmp_path}/c.xlsx:Links!A5"
    assert str(links[1].where(("b", "port"))) == f"{tmp_path}/c.xlsx:Links!D5"


def test_a_workbook_that_is_none_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    message = broken(tmp_path, {"d.yaml": "cables: c.xlsx\n", "c.xlsx": "no workbook"})
    assert message == "c.xlsx: is no readable workbook: File is not a zip file"


def test_a_workbook_without_a_header_is_refused(tmp_path: Path) -> None:
    workbook(tmp_path / "c.xlsx", {"A": [["x"]]})
    assert broken(tmp_path, {"d.yaml": "cables: c.xlsx\n"}).startswith("c.xlsx: no header row")


def test_a_workbook_that_declares_entities_is_refused(tmp_path: Path) -> None:
    import zipfile

    pytest.importorskip("openpyxl")
    with zipfile.ZipFile(tmp_path / "c.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    message = broken(tmp_path, {"d.yaml": "cables: c.xlsx\n"})
    assert message == "c.xlsx: is no readable workbook: it declares XML entities"


def test_a_workbook_needs_openpyxl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    message = broken(tmp_path, {"d.yaml": "cables: c.xlsx\n", "c.xlsx": ""})
    assert message == "c.xlsx: reading .xlsx needs openpyxl: pip install 'aikg[xlsx]', or save it as .csv"


# ---- folders


def test_all_designs_of_a_folder_are_found_in_order(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "b/main.yaml": "aikg: 1\ninclude: part.yaml\nnodes: [{id: n}]\n",
            "b/part.yaml": "racks: [{id: r}]\n",
            "a.json": '{"nodes": [{"id": "n"}]}',
            "c.ttl": "@prefix aikg: <https://w3id.org/aikg/ontology#> . <x:/n> a aikg:Node .",
            "d.nt": "<x:/n> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/aikg/ontology#Node> .",
            "e.yaml": "site: {utilityKw: 5}\n",
            "f.yaml": "nodes: [\n",
            ".hidden/x.yaml": "aikg: 1\n",
            "ci.yaml": "jobs: {test: {steps: []}}\n",
            "kind.yaml": "kind: Cluster\nnodes:\n  - role: control-plane\n",
            "aikg.toml": "x = 1\n",
            "package.json": '{"name": "x"}',
            "rule.ttl": "@prefix sh: <http://www.w3.org/ns/shacl#> . rule:X sh:targetClass aikg:Rack .",
            "notes.txt": "nodes:",
            "broken.yaml": "a: [\n",
            "cables.csv": "a_device\n",
        },
    )
    (tmp_path / "binary.yaml").write_bytes(b"nodes: \xff")
    found = [str(file.relative_to(tmp_path)) for file in find_designs(tmp_path)]
    assert found == ["a.json", "b/main.yaml", "c.ttl", "d.nt", "e.yaml", "f.yaml"]


def test_files_are_taken_as_they_are_and_each_once(tmp_path: Path) -> None:
    file = write(tmp_path, {"x.yaml": "aikg: 1\n"})
    assert find_designs([file, tmp_path, "none.yaml", "-"]) == [file, Path("none.yaml"), Path("-")]
    assert find_designs(str(file)) == [file]


def test_a_folder_without_designs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no design"):
        find_designs(tmp_path)


def test_a_link_that_leaves_the_folder_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"outside.yaml": "aikg: 1\n", "in/a.yaml": "aikg: 1\n"})
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(InputError, match="is a symbolic link that leaves the folder"):
        find_designs(tmp_path / "in")


def test_the_designs_of_this_repository_are_found() -> None:
    root = Path(__file__).parents[2]
    found = {file.name for file in find_designs(root / "data")}
    assert "su-32-dgx-h100.yaml" in found
    assert all(file.suffix == ".yaml" for file in find_designs(root / "shapes"))
