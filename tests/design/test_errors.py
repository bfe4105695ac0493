"""What cannot be read: one line that names file and line, and the closest valid spelling."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aikg.design import files, tree
from aikg.design.read import read_design, read_mapping, read_text
from aikg.errors import InputError
from tests.design.reading import error, read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nodes:\n  - id: n1\n    maxPowerKW: 1",
            "d.yaml:3: unknown key 'maxPowerKW' of nodes; did you mean 'maxPowerKw'?",
        ),
        ("nodse:\n  - id: n1", "d.yaml:1: unknown key 'nodse' at the top of the file; did you mean 'nodes'?"),
        ("x:\n", "d.yaml:1: unknown key 'x' at the top of the file; known keys: aikg, "),
        (
            "nodes:\n  - id: n1\n    nics: [{id: c0, speed: 4}]",
            "d.yaml:3: unknown key 'speed' of nics; did you mean 'speedGbps'?",
        ),
        ("links: [{id: l, a: {devcie: n1}}]", "d.yaml:1: unknown key 'devcie' of a link end; did you mean 'device'?"),
        ("racks: [{id: r, id: s}]", "d.yaml:1: key 'id' is repeated (first on line 1)"),
        ("racks:\nnodes:\nracks:", "d.yaml:3: key 'racks' is repeated (first on line 1)"),
        ("nodes:\n  - rack: r1", "d.yaml:2: an entry of nodes has no id"),
        ("nodes:\n  - id: ''", "d.yaml:2: the id of an entry of nodes must be a name"),
        ("nodes:\n  - id: [a]", "d.yaml:2: the id of an entry of nodes must be a name"),
        ("nodes:\n  - n1", "d.yaml:2: an entry of nodes is a value, expected a mapping such as `id: ...`"),
        ("nodes:\n  - null", "d.yaml:2: an entry of nodes is a value, expected a mapping such as `id: ...`"),
        ("nodes: {id: n1}", "d.yaml:1: nodes takes a list of entries (`- id: ...`); found a mapping"),
        ("nodes: n1", "d.yaml:1: nodes takes a list of entries (`- id: ...`); found a value"),
        ("nodes: [{id: n, nics: [{rail: 1}]}]", "d.yaml:1: an entry of nics has no id"),
        ("nodes: [{id: n, nics: {id: c}}]", "d.yaml:1: nics takes a list, such as `nics: [...]`; found a mapping"),
        ("nodes: [{id: n, nics: [c0]}]", "d.yaml:1: nics is a list of mappings; found a value in it"),
        ("storage: [{id: s, uses: checkpoint}]", "d.yaml:1: uses takes a list, such as `uses: [...]`; found a value"),
        ("storage: [{id: s, uses: [[a]]}]", "d.yaml:1: uses is a list of names; found a list in it"),
        ("switches: [{id: s, fabrics: f1}]", "d.yaml:1: fabrics takes a list, such as `fabrics: [...]`; found a value"),
        (
            "nodes:\n  - id: n\n    rack: [r1]",
            'd.yaml:3: rack takes one value; found a list; a range needs quotes: "[r1]"',
        ),
        ("nodes: [{id: n, rack: {a: b}}]", "d.yaml:1: rack takes one value; found a mapping"),
        ("fabrics: [{id: f, lossless: pfc}]", "d.yaml:1: lossless takes a mapping; found a value"),
        ("links: [{id: l, a: n1}]", "d.yaml:1: a takes a mapping; found a value"),
        ("site: [a]", "d.yaml:1: site takes a mapping; found a list"),
        ('site: {id: "s[1-2]"}', "d.yaml:1: a design has one site"),
        ("name: [a]", "d.yaml:1: name takes one value; found a list"),
        ("aikg: 2", "d.yaml:1: unknown format version; this aikg reads `aikg: 1`"),
        ("- a\n- b", "d.yaml:1: a design file is a mapping (`nodes:`, `racks:` ...); found a list"),
        ("text", "d.yaml:1: a design file is a mapping (`nodes:`, `racks:` ...); found a value"),
        ("", "d.yaml: the file is empty: nothing to check"),
        ("# only a comment\n", "d.yaml: the file is empty: nothing to check"),
        ("---\n", "d.yaml: the file is empty: nothing to check"),
        ("nodes: [\n", "d.yaml:2: broken YAML: did not find expected node content"),
        ("nodes:\n\t- id: a", "d.yaml:2: broken YAML: found character that cannot start any token"),
        ("nodes: 'a", "d.yaml:1: broken YAML: found unexpected end of stream"),
        (
            "nodes:\n  - {id: dgx[1-2], rack: r1}",
            "d.yaml:2: broken YAML: did not find expected ',' or '}'; a range inside { } needs quotes: \"dgx[1-2]\"",
        ),
        ("a: 1\n---\nb: 2", "d.yaml:2: a second document (---): one design per file"),
        ("nodes: !!python/object:os.system [a]", "d.yaml:1: tag !!python/object:os.system is not accepted"),
        ("nodes: !x [a]", "d.yaml:1: tag !x is not accepted"),
        ("? [a]\n: b", "d.yaml:1: a key must be a word"),
        ("nodes:\n  - <<: {id: a}", "d.yaml:2: merge keys (<<) are not accepted; use `templates:` and `use:`"),
        ("nodes: *x", "d.yaml:1: alias *x names no anchor before it"),
        ('name: "a\\0"', "d.yaml:1: holds a NUL character"),
        ("name: a\nracks: [{id: \x01}]", "d.yaml"),
        ("parameters: [1]", "d.yaml:1: parameters takes a mapping of names to numbers"),
        ("parameters:\n  upsMargn: 2", "d.yaml:2: unknown parameter 'upsMargn'; did you mean 'upsMargin'?"),
        ("parameters: {zzz: 2}", "d.yaml:1: unknown parameter 'zzz'; known: airHardKw, "),
        ("parameters: {upsMargin: [1]}", "d.yaml:1: parameter upsMargin takes one number"),
        ("parameters: {storageOversub: 4}", "d.yaml:1: storageOversub takes two numbers, such as [4, 3]"),
        ("parameters: {storageOversub: [4, 3, 2]}", "d.yaml:1: storageOversub takes two numbers, such as [4, 3]"),
        (
            "parameters: {storageOversub: [4, 3], storageOversubUp: 1}",
            "d.yaml:1: parameter storageOversubUp is given twice (also in d.yaml:1)",
        ),
        ("expect: {rule: x}", "d.yaml:1: expect takes a list of {rule, focus, verdict}"),
        ("expect: [{rule: x}]", "d.yaml:1: expect takes entries of exactly rule, focus and verdict"),
        ("expect: [{rule: x, focus: [a], verdict: b}]", "d.yaml:1: rule, focus and verdict of expect are texts"),
        ("include: a.yaml", "d.yaml:1: this design was not read from a file, so it cannot bring in others"),
        ("include: {a: b}", "d.yaml:1: include takes file names"),
        ("'@context': http://example.org/", "d.yaml:1: the @context of a design file is https://w3id.org/aikg/"),
    ],
)
def test_an_error_names_the_line_and_what_is_expected(text: str, message: str) -> None:
    assert error(text).startswith(message)


def test_unknown_values_of_enumerations_are_no_errors() -> None:
    read("nodes: [{id: n, role: trainer, model: no-such}]\nprofile: mine\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "d.json:1: broken JSON: found the end of the text"),
        ('{"nodes": [1,\n 2', "d.json:2: broken JSON: found the end of the text"),
        ('{"a": 1,}', "d.json:1: broken JSON: found '}', expected a key in quotes"),
        ('{"a" 1}', "d.json:1: broken JSON: found '1', expected ':' after key 'a'"),
        ('{"a": [1 2]}', "d.json:1: broken JSON: found '2', expected ',' or ']'"),
        ('{"a": 01}', "d.json:1: broken JSON: '01' is no number"),
        ('{"a": NaN}', "d.json:1: broken JSON: found 'N'"),
        ('{\n"a": ]}', "d.json:2: broken JSON: found ']', expected a value"),
        ('{"a": "\\ud800"}', "d.json:1: broken JSON: an escape in this text means no character"),
        ('{"a": "\\u0000"}', "d.json:1: broken JSON: an escape in this text means no character"),
        ('{"nodes": []}\n{}', "d.json:2: more text after the end of the JSON value"),
        ('{"nodes": [],\n"nodes": []}', "d.json:2: key 'nodes' is repeated (first on line 1)"),
        ('{"nodes": [\n{"id": "a", "x": 1}]}', "d.json:2: unknown key 'x' of nodes"),
        (" \n", "d.json: the file is empty: nothing to check"),
        ("[1]", "d.json:1: a design file is a mapping"),
        ("[" * 40, "d.json:1: nested deeper than 32 levels"),
    ],
)
def test_broken_json_names_the_line(text: str, message: str) -> None:
    assert error(text, "json").startswith(message)


def test_deep_nesting_is_refused() -> None:
    assert error("nodes: " + "[" * 40 + "]" * 40) == "d.yaml:1: nested deeper than 32 levels"
    assert error("nodes: " + "[" * 100_000) == "d.yaml:1: broken YAML: exceeded maximum nesting depth"
    deep: object = 1
    for _ in range(40):
        deep = [deep]
    with pytest.raises(InputError, match="nested deeper than 32 levels"):
        read_mapping({"nodes": deep})


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 20)]
    assert "aliases expand to more than" in error("\n".join(lines))


def test_an_alias_that_nests_too_deep_is_refused() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 40))]
    assert error("\n".join(lines)).endswith("nested deeper than 32 levels by an alias")


def test_an_alias_inside_its_own_anchor_is_refused() -> None:
    assert error("nodes: &a [*a]") == "d.yaml:1: alias *a names no anchor before it"


def test_aliases_may_repeat_an_entry() -> None:
    source = read("racks: [&r {id: r1, rackUnits: 42}]\nnodes: [{id: n, psus: &p [{pdu: x}]}, {id: m, psus: *p}]\n")
    assert source.records[-1].fields == source.records[-2].fields


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_NODES", 100)
    assert error("nodes:\n" + "  - {id: a}\n" * 60).endswith("more than 100 values")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("d.txt", b"nodes: []", "unknown kind of design file; expected one of .yaml, .yml, .json, .ttl, .nt, .jsonld"),
        ("d.yaml", b"name: \xff", "d.yaml:1: is not UTF-8 (byte 0xff)"),
        ("d.yaml", b"name: a\nx: \xc3(", "d.yaml:2: is not UTF-8 (byte 0xc3)"),
        ("d.yaml", b"name: a\n\0", "d.yaml:2: holds a NUL character"),
        ("d.json", b"{\n\n}x", "d.json:3: more text after"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_design(file)
    assert message in str(caught.value)


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path: Path) -> None:
    file = tmp_path / "d.yaml"
    file.write_bytes(b"\xef\xbb\xbfnodes:\r\n  - id: n1\r\n    rack: r1\r\n")
    record = read_design(file).records[1]
    assert record.fields == {"rack": "r1"}
    assert record.where(("rack",)).line == 3


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 1024 * 1024)
    file = tmp_path / "d.yaml"
    file.write_text("#" * (1024 * 1024 + 1))
    with pytest.raises(InputError, match="is larger than 1 MiB"):
        read_design(file)


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    device = tmp_path / "device.yaml"
    device.symlink_to("/dev/zero")
    gone = tmp_path / "gone.yaml"
    gone.symlink_to("nowhere.yaml")
    for path, message in (
        (pipe, "is no regular file"),
        (device, "is no regular file"),
        (gone, "no such file"),
        (tmp_path / "none.yaml", "no such file"),
        (tmp_path, "is a folder, expected a design file"),
    ):
        with pytest.raises(InputError, match=message):
            read_design(path)


def test_python_objects_that_are_no_design_are_refused() -> None:
    for value, message in (
        ({"nodes": {1, 2}}, "a value of type set cannot stand in a design"),
        ({"name": "\ud800"}, "a text holds what is no character"),
        ({"name": "a\0"}, "a text holds what is no character"),
        ([], "a design file is a mapping"),
    ):
        with pytest.raises(InputError, match=message):
            read_mapping(value)  # type: ignore[arg-type]


def test_errors_of_the_folder_say_which_file(tmp_path: Path) -> None:
    (tmp_path / "main.yaml").write_text("include: part.yaml\n")
    (tmp_path / "part.yaml").write_text("nodes:\n  - id: n\n    rak: r1\n")
    with pytest.raises(InputError) as caught:
        read_design(tmp_path / "main.yaml")
    assert str(caught.value) == f"{tmp_path}/part.yaml:3: unknown key 'rak' of nodes; did you mean 'rack'?"
    assert (caught.value.file, caught.value.line) == (f"{tmp_path}/part.yaml", 3)


def test_the_reader_leaves_the_collector_as_it_was() -> None:
    import gc

    for enabled in (True, False):
        gc.enable() if enabled else gc.disable()
        try:
            read_text("nodes: []", "yaml", "x", "x")
            with pytest.raises(InputError):
                read_text("x: []", "yaml", "x", "x")
            assert gc.isenabled() is enabled
        finally:
            gc.enable()
