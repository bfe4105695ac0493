"""What the README shows is what happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def block(mark: str) -> str:
    """The code block after `<!-- mark -->`."""
    found = re.search(rf"<!-- {re.escape(mark)} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found is not None, mark
    return found[1]


@pytest.fixture
def rack(tmp_path: Path) -> Path:
    file = tmp_path / "rack.yaml"
    file.write_text(block("rack.yaml"), "utf-8")
    return file


@pytest.mark.usefixtures("rack")
def test_the_report_is_what_the_readme_shows(aikg: Callable[..., Outcome]) -> None:
    outcome = aikg("check", "rack.yaml")
    assert outcome.code == 1
    pieces = block("aikg check rack.yaml").split("...\n")
    # The counts of the first line change with every new rule; the README is brought up to date at a release.
    assert outcome.out.startswith(pieces[0].partition(":")[0])
    for piece in pieces[1:]:
        assert piece in outcome.out


@pytest.mark.usefixtures("rack")
def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(block("python"), {})
    assert capsys.readouterr().out.splitlines()[-1] == "r1 40.8"


@pytest.mark.usefixtures("rack")
@pytest.mark.parametrize("arguments", [("expand", "rack.yaml"), ("fmt", "rack.yaml"), ("explain", "COO-001")])
def test_the_commands_of_the_readme_run(aikg: Callable[..., Outcome], arguments: tuple[str, ...]) -> None:
    assert aikg(*arguments).code == 0


def test_files_that_the_readme_names_are_there() -> None:
    root = Path(__file__).parents[2]
    for name in [*re.findall(r"\]\(([\w./-]+)\)", README), "aikg/report/report.schema.json"]:
        assert (root / name).is_file(), name
