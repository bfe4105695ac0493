"""The wheel holds everything, and works where there is no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `aikg` command of a fresh environment that shares the other packages of this one: no network is needed."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "shared.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return home / "bin" / "aikg"


def outside(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder outside the checkout, and without its path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_ontology_shapes_and_data_are_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for top in ("ontology", "shapes", "data"):
        here = {
            f"aikg/_data/{file.relative_to(ROOT).as_posix()}"
            for file in (ROOT / top).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
        }
        assert here <= names
    assert {file.relative_to(ROOT).as_posix() for file in (ROOT / "aikg").rglob("*.rq")} <= names
    assert {"aikg/report/report.schema.json", "aikg/py.typed"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith("tests/") for name in names)


def test_an_installed_wheel_lists_its_rules_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    place = outside([str(installed.with_name("python")), "-c", "import aikg; print(aikg.__file__)"], tmp_path)
    assert place.stdout.startswith(str(installed.parents[1]))
    ends = outside([str(installed), "rules"], tmp_path)
    assert ends.returncode == 0, ends.stderr
    assert "COO-001" in ends.stdout


def test_an_installed_wheel_checks_a_design_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    lines = [
        "racks: [{id: r1, coolingTechnology: air}]",
        'nodes: [{id: "n[1-4]", model: dgx-h100, rack: r1}]',
    ]
    (tmp_path / "rack.yaml").write_text("\n".join(lines))
    ends = outside([str(installed), "check", "rack.yaml"], tmp_path)
    assert ends.returncode == 1, ends.stderr
    assert "COO-001" in ends.stdout
    assert "40.8" in ends.stdout
