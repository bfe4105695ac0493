"""`aikg expand`: the unfolded design, as a design file or as a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def expand(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A design file, or - for standard input.")],
    format: Annotated[
        Literal["yaml", "json", "ttl", "nt"],
        typer.Option(
            help="yaml and json: a design file without ranges, templates and cabling patterns; ttl and nt: its graph."
        ),
    ] = "yaml",
    derived: Annotated[
        bool,
        typer.Option(
            "--derived", help="With ttl or nt: also the derived facts, on which any SHACL tool can run the rules."
        ),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.", dir_okay=False)
    ] = None,
) -> None:
    """Write a design with everything unfolded.

    \b
    Examples:
      aikg expand cluster.yaml
      aikg expand cluster.yaml --format json -o cluster.json
      aikg expand cluster.yaml --format ttl --derived
    """
    if derived and format not in ("ttl", "nt"):
        raise typer.BadParameter("--derived needs --format ttl or nt: a design file holds no derived facts")
    from aikg.cli.output import working, write

    with working(f"expanding {file}"):
        text = _authored(file, format) if format in ("yaml", "json") else _graph(file, format, derived)
    write(text, output)


def _authored(file: str, format: str) -> str:
    from aikg.design.read import read_design
    from aikg.design.write import to_json, to_yaml

    source = read_design(file)
    return to_json(source) if format == "json" else to_yaml(source)


def _graph(file: str, format: str, derived: bool) -> str:
    from aikg.checking import load
    from aikg.design.model import load_design

    text = (load(file) if derived else load_design(file)).to_ntriples(derived=derived)
    if format == "nt":
        return text.decode()
    import pyoxigraph as ox

    from aikg import terms

    triples = (quad.triple for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES))
    turtle = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=terms.PREFIXES)
    assert turtle is not None
    return turtle.decode()
