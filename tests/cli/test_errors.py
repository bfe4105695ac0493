"""What a user sees when a command cannot do its work: one line, and the exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

import pytest

from aikg.errors import EngineError, InputError
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]


def raising(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            InputError("unknown key 'modle'; did you mean 'model'?", "d.yaml", 3),
            "aikg: d.yaml:3: unknown key 'modle'; did",
        ),
        (EngineError("the engine\nstopped"), "aikg: the engine stopped"),
        (InputError("\x1b[2J", "d.yaml"), "aikg: d.yaml: \\x1b[2J"),
        (ValueError("oops"), "aikg: internal error: ValueError: oops (--debug shows where)"),
        (RecursionError("too deep"), "aikg: internal error: RecursionError: too deep (--debug"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    aikg: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, line: str
) -> None:
    monkeypatch.setattr("aikg.rulebook.load_rules", raising(error))
    outcome = aikg("rules")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith(line)
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [("--debug", "rules"), ("rules", "--debug")])
def test_debug_shows_where_an_error_arose(aikg: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str]) -> None:
    monkeypatch.setattr("aikg.rulebook.load_rules", raising(ValueError("oops")))
    with pytest.raises(ValueError, match="oops"):
        aikg(*arguments)


def test_an_interrupt_ends_with_130(aikg: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aikg.rulebook.load_rules", raising(KeyboardInterrupt()))
    assert aikg("rules") == Outcome(130, "", "")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("chek",), "aikg: No such command 'chek'. Did you mean 'check'?; see `aikg --help`"),
        (("check",), "aikg: Missing argument 'PATH'; see `aikg check --help`"),
        (("check", "x", "--formt", "json"), "aikg: No such option: --formt"),
        (("check", "x", "--format", "xml"), "aikg: Invalid value for '--format': 'xml' is not one of 'text', 'json'"),
        (("check", "x", "--verdicts"), "aikg: Invalid value: --verdicts needs --format json; see `aikg check --help`"),
        (("expand", "x", "--derived"), "aikg: Invalid value: --derived needs --format ttl or nt"),
        (("query", "x"), "aikg: Invalid value: expected designs and then a query"),
        (("explain", "COO-00"), "aikg: there is no rule 'COO-00'; did you mean COO-0"),
        (("catalogue", "dgx-h10"), "aikg: the catalogue has no 'dgx-h10'; did you mean 'dgx-h100'?"),
        (("check", "nowhere.yaml"), "aikg: nowhere.yaml: no such file"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(aikg: Run, arguments: tuple[str], line: str) -> None:
    outcome = aikg(*arguments)
    assert outcome.code == 2
    assert outcome.err.startswith(line)
    assert outcome.err.count("\n") == 1


def test_without_arguments_the_help_is_shown(aikg: Run) -> None:
    outcome = aikg()
    assert outcome.code == 2
    assert "Usage: aikg" in outcome.out


@pytest.mark.parametrize("command", ["check", "rules", "explain", "catalogue", "expand", "fmt", "query"])
def test_every_command_shows_examples(aikg: Run, command: str) -> None:
    outcome = aikg(command, "--help")
    assert outcome.code == 0
    assert f"aikg {command}" in outcome.out.partition("Examples:")[2]


def test_the_version_is_shown(aikg: Run) -> None:
    assert aikg("--version") == Outcome(0, "aikg 0.1.0\n", "")


def test_a_reader_that_leaves_is_no_error() -> None:
    ends = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m aikg rules --format json | head -1; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=True,
    )
    first, code = ends.stdout.splitlines()
    assert first == "["
    assert code in ("0", "141")  # all of it may have fitted into the pipe
    assert ends.stderr == ""


def test_an_ascii_terminal_gets_every_name() -> None:
    ends = subprocess.run(
        [sys.executable, "-m", "aikg", "explain", "\u00e9\u202e"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        check=False,
    )
    assert ends.returncode == 2
    assert ends.stderr.startswith(b"aikg: there is no rule '\\xe9\\u202e'")


HEAVY = (
    "pyoxigraph",
    "rdflib",
    "rustworkx",
    "yaml",
    "ruamel",
    "numpy",
    "aikg.design",
    "aikg.rulebook",
    "aikg.validate",
)


def test_help_and_version_load_no_engine() -> None:
    program = (
        "import sys; from aikg.cli import run; run(['check', '--help']); run(['--version']);"
        f"print('loaded:', [name for name in {HEAVY} if name in sys.modules])"
    )
    ends = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ends.stdout.splitlines()[-1] == "loaded: []"


def test_rules_load_no_rdflib() -> None:
    program = (
        "import sys; from aikg.cli import run; run(['rules']); run(['explain', 'COO-001']); run(['catalogue']);"
        "print('loaded:', [name for name in ('rdflib', 'rustworkx', 'numpy', 'rich') if name in sys.modules])"
    )
    ends = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ends.stdout.splitlines()[-1] == "loaded: []"
