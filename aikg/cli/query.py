"""`aikg query`: questions in SPARQL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer


def query(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH... QUERY", help="Designs (files, folders, -), then the query: a file or the text itself."
        ),
    ],
    format: Annotated[
        Literal["table", "csv", "json", "ttl"] | None,
        typer.Option(
            help="table, csv and json (SPARQL results) for SELECT and ASK; ttl for CONSTRUCT.",
            show_default="table, or ttl for CONSTRUCT",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Show at most N rows or triples; standard error says if there are more."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.", dir_okay=False)
    ] = None,
) -> None:
    """Ask about designs in SPARQL 1.1: over the design, what follows from it, the catalogue and the ontology.

    \b
    The prefixes aikg, cat, rule, sh, rdf, rdfs, xsd, owl, skos and dct are known.
    Of several designs, the column `design` names the one that a row is about.

    \b
    Examples:
      aikg query cluster.yaml 'SELECT ?rack ?kw { ?rack aikg:rackKw ?kw } ORDER BY DESC(?kw)'
      aikg query designs/ question.rq --format csv -o answer.csv
      aikg query cluster.yaml 'ASK { ?node aikg:model cat:dgx-h100 }'
    """
    if len(paths) < 2:
        raise typer.BadParameter("expected designs and then a query")
    from aikg.checking import load
    from aikg.cli.answers import rendered
    from aikg.cli.designs import design_files
    from aikg.cli.output import say, working, write
    from aikg.query import Truth, ask, refuse_outside

    text = _query_text(paths[-1])
    refuse_outside(text)
    with working("asking"):
        designs = [load(path) for path in design_files(paths[:-1])]
        answer = ask(designs, text, limit=limit)
    write(rendered(answer, format, designs, None if output else sys.stdout), output)
    if not isinstance(answer, Truth) and answer.cut:
        say(f"aikg: only the first {limit} are shown (--limit)")


def _query_text(argument: str) -> str:
    from aikg.errors import InputError

    looks_like_file = argument.lower().endswith((".rq", ".sparql")) and len(argument.split()) == 1
    # A long query is no file name that the system would accept.
    file = Path(argument) if looks_like_file or ("{" not in argument and len(argument) < 1000) else None
    if file is None:
        return argument
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", argument) from None
    except OSError as error:
        raise InputError(f"is no query and no file with one: {error.strerror or error}", argument) from None
