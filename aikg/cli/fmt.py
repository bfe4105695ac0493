"""`aikg fmt`: design files in their canonical form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def fmt(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Design files in YAML.", exists=True, dir_okay=False)
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if a file is not in canonical form.")
    ] = False,
) -> None:
    """Write design files in their canonical form: keys in order, one style, comments kept.

    \b
    Examples:
      aikg fmt cluster.yaml
      aikg fmt --check designs/*.yaml
    """
    from aikg.cli.output import say, write
    from aikg.design.write import format_text

    unformatted = 0
    for file in files:
        before = _read(file)
        after = format_text(before, str(file))
        if after == before:
            continue
        unformatted += 1
        if check:
            say(f"aikg: {file}: not in canonical form; `aikg fmt {file}` writes it")
        else:
            write(after, file)
            say(f"{file}: written in canonical form")
    raise typer.Exit(1 if check and unformatted else 0)


def _read(file: Path) -> str:
    from aikg.errors import InputError

    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", str(file)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(file)) from None
