"""Output files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from aikg.cli.output import write
from aikg.errors import InputError


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")
    file.chmod(0o640)
    write("new é\ud800\n", file)
    assert file.read_text("utf-8") == "new é\\ud800\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match=r"out\.json: cannot be written: No space left"):
        write("new", file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write("new", link)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        write("new", tmp_path / "none" / "out")


def test_devices_are_written_to() -> None:
    write("new", Path("/dev/null"))
    assert not Path("/dev/null").is_file()
