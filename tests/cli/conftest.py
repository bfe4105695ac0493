"""Running commands inside the test's own process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from aikg.cli import run

DESIGN = """\
name: small
racks:
  - {id: r1, coolingTechnology: air}
nodes:
  - {id: "n[1-4]", model: dgx-h100, rack: r1}
"""


@dataclass(frozen=True)
class Outcome:
    """Exit code, standard output and standard error of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def aikg(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Outcome]:
    """Run a command in an empty folder; `stdin` is what it reads."""
    monkeypatch.chdir(tmp_path)
    for name in ("AIKG_DEBUG", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        code = run(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def design(tmp_path: Path) -> Path:
    """A small design: four DGX H100 in one rack."""
    file = tmp_path / "small.yaml"
    file.write_text(DESIGN, "utf-8")
    return file
