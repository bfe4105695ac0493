"""`aikg check`: judge designs by the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from aikg.report.report import DesignReport, Report


def check(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Design files, folders of designs, or - for standard input.")
    ],
    format: Annotated[Literal["text", "json"], typer.Option(help="What to write.")] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.", dir_okay=False)
    ] = None,
    profile: Annotated[
        Literal["seed", "vendor-published"] | None,
        typer.Option(help="Whose figures to judge by, instead of the design's own choice."),
    ] = None,
    rules: Annotated[list[str] | None, typer.Option(metavar="IDS", help="Only these rules: POW-*,COO-002.")] = None,
    shapes: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="A folder with further rules; may be given several times.", exists=True, file_okay=False
        ),
    ] = None,
    engine: Annotated[
        Literal["setwise", "pyshacl"], typer.Option(help="How rules are run; pyshacl is the slow reference.")
    ] = "setwise",
    fail_on: Annotated[
        Literal["violation", "warning", "info"], typer.Option(help="The least severity that ends with exit code 1.")
    ] = "violation",
    allow_incomplete: Annotated[
        bool, typer.Option("--allow-incomplete", help="Exit with 0 although some rules could not be evaluated.")
    ] = False,
    verdicts: Annotated[
        bool, typer.Option("--verdicts", help="With json: every rule and focus with its verdict.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every finding on its own.")] = False,
) -> None:
    """Check designs and say what does not fit, by how much, and what to change.

    \b
    Examples:
      aikg check cluster.yaml
      aikg check designs/ --format json -o report.json
      aikg check cluster.yaml --rules 'POW-*,COO-001' --fail-on warning
      cat cluster.yaml | aikg check -

    Exit codes: 0 pass or warn, 1 fail, 2 the check could not run, 3 incomplete.
    """
    from aikg.cli.designs import rule_folders
    from aikg.cli.output import write

    if verdicts and format != "json":
        raise typer.BadParameter("--verdicts needs --format json")
    designs, failed = _check_all(
        paths,
        profile,
        [p.strip() for text in rules for p in text.split(",") if p.strip()] if rules else None,
        rule_folders(shapes),
        engine,
    )
    if not designs:
        raise typer.Exit(2)
    from aikg.report.report import Report

    report = Report(tuple(designs))
    write(report.to_json(verdicts=verdicts) if format == "json" else _text(report, output, verbose), output)
    raise typer.Exit(2 if failed else report.exit_code(fail_on, allow_incomplete=allow_incomplete))


def _check_all(
    paths: list[str], profile: str | None, rules: list[str] | None, shapes: list[Path], engine: str
) -> tuple[list[DesignReport], bool]:
    """The reports of all designs that could be checked, and whether some could not: one bad design stops no other."""
    from aikg.checking import check as check_design
    from aikg.cli.designs import design_files
    from aikg.cli.output import complain, working
    from aikg.errors import AikgError, RuleError

    reports: list[DesignReport] = []
    failed = False
    for path in design_files(paths):
        try:
            with working(f"checking {path}"):
                reports += check_design(path, profile=profile, rules=rules, shapes=shapes, engine=engine).designs
        except RuleError:
            raise  # every other design would meet the same
        except AikgError as error:
            complain(error)
            failed = True
    return reports, failed


def _text(report: Report, output: Path | None, verbose: bool) -> str:
    from aikg.report.layout import Page, page_for
    from aikg.report.text import render_text

    return render_text(report, Page() if output else page_for(sys.stdout), verbose=verbose)
