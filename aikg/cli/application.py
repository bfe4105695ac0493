"""The commands, put together. Their modules import the engine only when a command runs: `--help` must be instant."""

from __future__ import annotations

from typing import Annotated

import typer

from aikg.cli import catalogue, check, expand, explain, fmt, query, rules
from aikg.version import __version__

app = typer.Typer(
    name="aikg",
    help="Check designs of GPU clusters: compute, fabric, storage, power and cooling, judged together.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 pass or warn, 1 fail, 2 the command could not do its work, 3 incomplete.",
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"aikg {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where in the program an error arose.")] = False,
) -> None:
    """Options of every command; `--debug` is taken out of the arguments before they get here."""


options.__doc__ = app.info.help
for module in (check, rules, explain, catalogue, expand, fmt, query):
    name = module.__name__.rpartition(".")[2]
    app.command(name)(getattr(module, name))
