"""`aikg fmt`: design files in their canonical form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def fmt(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help="Design files in YAML, folders of them, or - for standard input."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if a file is not in canonical form.")
    ] = False,
) -> None:
    """Write design files in their canonical form: keys in order, one style, comments kept.

    \b
    Examples:
      aikg fmt cluster.yaml
      aikg fmt --check designs/
      aikg fmt - < cluster.yaml
    """
    from aikg.cli.output import complain
    from aikg.errors import AikgError

    codes = [0]
    for file in _yaml_files(paths):
        try:
            codes.append(0 if _is_canonical(file, check) else 1)
        except AikgError as error:
            complain(error)
            codes.append(2)
    raise typer.Exit(max(codes) if check or 2 in codes else 0)


def _yaml_files(paths: list[str]) -> list[str]:
    """The files of all paths; of a folder those in YAML, which alone has a canonical form."""
    from aikg.cli.designs import design_files

    named = set(paths)
    return [file for file in design_files(paths) if file in named or file.lower().endswith((".yaml", ".yml"))]


def _is_canonical(file: str, check: bool) -> bool:
    """Whether a file was in canonical form; it is written in it unless `check`."""
    from aikg.cli.output import say, write
    from aikg.design.files import decode, read_bytes, read_standard_input
    from aikg.design.write import format_text

    if file == "-":
        before = decode(read_standard_input("<stdin>"), "<stdin>")
        after = format_text(before, "<stdin>")
        if not check:
            write(after)
        elif after != before:
            say("aikg: <stdin>: not in canonical form")
        return after == before
    before = decode(read_bytes(Path(file), file), file)
    after = format_text(before, file)
    if after == before:
        return True
    if check:
        say(f"aikg: {file}: not in canonical form; `aikg fmt {file}` writes it")
    else:
        write(after, Path(file))
        say(f"{file}: written in canonical form")
    return False
