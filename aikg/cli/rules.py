"""`aikg rules`: the list of rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from aikg.rulebook import Rule


def rules(
    layer: Annotated[
        Literal["compute", "fabric", "storage", "power", "cooling", "system", "catalogue", "data"] | None,
        typer.Option(help="Only the rules of this layer."),
    ] = None,
    format: Annotated[Literal["text", "json"], typer.Option(help="What to write.")] = "text",
    shapes: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="A folder with further rules; may be given several times.", exists=True, file_okay=False
        ),
    ] = None,
) -> None:
    """List the rules with their severity.

    \b
    Examples:
      aikg rules
      aikg rules --layer power
      aikg rules --format json
    """
    from aikg.cli.designs import rule_folders
    from aikg.cli.output import write
    from aikg.report.json_text import to_json
    from aikg.rulebook import load_rules

    found = [rule for rule in load_rules(rule_folders(shapes)) if layer is None or rule.layer == layer]
    if format == "json":
        write(to_json([rule_dict(rule) for rule in found]) + "\n")
    else:
        write(_text(found))


def rule_dict(rule: Rule) -> dict[str, Any]:
    """Everything that is said about a rule, for machines."""
    return {
        "id": rule.id,
        "title": rule.title,
        "layer": rule.layer,
        "severity": rule.severity,
        "statement": rule.statement,
        "formula": rule.formula,
        "boundary": rule.boundary,
        "rationale": rule.rationale,
        "source": rule.source,
        "appliesToProfile": rule.applies_to_profile,
        "unit": rule.unit,
        "parameters": list(rule.parameters),
        "needs": sorted({need.key for need in rule.needs if need.key}),
        "fix": rule.fix_template,
    }


def _text(found: list[Rule]) -> str:
    from aikg.report.layout import page_for

    page = page_for(sys.stdout)
    widest = max((len(rule.severity) for rule in found), default=0)
    lines: list[str] = []
    for layer in dict.fromkeys(rule.layer for rule in found):
        own = [rule for rule in found if rule.layer == layer]
        lines += ["", f"{page.styled(layer.upper(), 'bold')}  {len(own)} rule{'s' if len(own) > 1 else ''}"]
        for rule in own:
            label = f"{rule.id}  {rule.severity.lower():{widest}}  "
            lines += page.wrapped(rule.title, 2, label, "cyan")
    lines += ["", *page.wrapped(f"{len(found)} rules; `aikg explain RULE` says more about one.")]
    return "\n".join(lines[1:]) + "\n"
