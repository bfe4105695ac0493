"""Which designs and rules a command is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


def design_files(paths: Sequence[str]) -> list[str]:
    """The design files that paths stand for, each once: files, all designs of a folder, `-` for standard input.

    Raises:
        InputError: a folder holds no design. A file that is not there is found out when it is read.
    """
    return list(dict.fromkeys(file for path in paths for file in _files(path)))


def _files(path: str) -> Iterator[str]:
    if path == "-" or not Path(path).is_dir():
        yield path
        return
    from aikg.design.find import find_designs

    yield from map(str, find_designs(Path(path)))


def rule_folders(folders: Sequence[Path] | None) -> list[Path]:
    """The folders of further rules, each of which holds one: a misspelt folder must not pass for an empty one.

    Raises:
        InputError: a folder holds no rule.
    """
    from aikg.errors import InputError

    for folder in folders or ():
        if next(folder.glob("**/rule.ttl"), None) is None:
            raise InputError("holds no rule; a rule is a folder with a rule.ttl", str(folder))
    return list(folders or ())
