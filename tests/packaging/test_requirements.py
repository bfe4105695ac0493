"""The locked requirements: hashes for everything, the same versions in both, and nobody's mirror."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
_PIN = re.compile(r"^([a-z0-9-]+)==(\S+?)(?: ; (.+?))? \\$", re.MULTILINE)


def pins(lock: Path) -> dict[tuple[str, str], str]:
    """Name and marker -> version."""
    return {(name, marker): version for name, version, marker in _PIN.findall(lock.read_text("utf-8"))}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_host(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert not re.search(r"://|--index|--extra-index|--find-links|--trusted-host|^-[a-z]", text, re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_of_a_lock_has_hashes(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", lock.read_text("utf-8"))
    for entry in entries:
        if not entry.startswith("#"):
            assert _PIN.match(entry), entry
            assert "--hash=sha256:" in entry, entry


def test_both_locks_agree() -> None:
    runtime, dev = pins(ROOT / "requirements/runtime.txt"), pins(ROOT / "requirements/dev.txt")
    assert runtime.items() <= dev.items()


def test_the_locks_cover_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for wanted, lock in ((project["dependencies"], "runtime"), (project["optional-dependencies"]["dev"], "dev")):
        pinned = {name for name, _ in pins(ROOT / f"requirements/{lock}.txt")}
        names = {re.split(r"[\[<>=]", requirement)[0].lower().replace(".", "-") for requirement in wanted} - {"aikg"}
        assert names <= pinned
