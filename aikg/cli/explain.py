"""`aikg explain`: one rule, what it asks for and why, with a design that passes and one that fails."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from aikg.report.layout import Page
    from aikg.rulebook import Rule


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id of a rule, such as POW-003.")],
    shapes: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="A folder with further rules; may be given several times.", exists=True, file_okay=False
        ),
    ] = None,
) -> None:
    """Explain a rule: what must hold, why, where it comes from, what it needs, how to fix what it finds.

    \b
    Examples:
      aikg explain COO-001
      aikg explain pow-003
    """
    from aikg.cli.designs import rule_folders
    from aikg.cli.output import write
    from aikg.report.layout import page_for
    from aikg.rulebook import load_rules

    found = _named(rule, load_rules(rule_folders(shapes)))
    write("\n".join(_explained(found, page_for(sys.stdout))) + "\n")


def _named(name: str, rules: list[Rule]) -> Rule:
    import difflib

    from aikg.errors import InputError

    by_id = {rule.id.upper(): rule for rule in rules}
    if name.upper() in by_id:
        return by_id[name.upper()]
    close = difflib.get_close_matches(name.upper(), by_id, 1, 0.5)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise InputError(f"there is no rule '{name}'{hint} (`aikg rules` lists all)")


def _explained(rule: Rule, page: Page) -> list[str]:
    lines = page.wrapped(rule.title, 0, f"{rule.id}  ", "bold")
    lines += page.wrapped(f"{rule.severity.lower()} of the {rule.layer} layer", 0)
    parts = {
        "Holds": rule.statement,
        "Formula": rule.formula,
        "Boundary": rule.boundary,
        "Why": rule.rationale,
        "Source": rule.source,
        "Profiles": rule.applies_to_profile,
        "Needs": "; ".join(_needs(rule)) or "nothing beyond the components themselves",
        "Parameters": "; ".join(_parameters(rule)) or "none",
        "Finding": rule.message_template,
        "Fix": rule.fix_template,
    }
    lines.append("")
    for label, text in parts.items():
        lines += page.wrapped(text, 0, f"{label:12}", "bold")
    for file in sorted(rule.examples(), key=_example_order):
        lines += [
            "",
            *page.wrapped(_path(file), 0, f"{_EXAMPLES.get(file.stem.partition('-')[0], 'example')}: ", "bold"),
        ]
        lines += ["  " + line for line in _content(file)]
    return lines


_EXAMPLES = {"pass": "passes", "fail": "fails", "boundary": "at the boundary", "not": "cannot be judged"}


def _example_order(file: Path) -> tuple[int, str]:
    kinds = list(_EXAMPLES)
    kind = file.stem.partition("-")[0]
    return (kinds.index(kind) if kind in kinds else len(kinds), file.name)


def _path(file: Path) -> str:
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def _content(file: Path) -> list[str]:
    from aikg.report.plain_text import printable

    return [printable(line) for line in file.read_text("utf-8").splitlines()]


def _needs(rule: Rule) -> list[str]:
    from aikg.design.schema import load_schema

    schema = load_schema()
    found = []
    for need in rule.needs:
        said = f"{need.key}: {schema.expected(need.key)}" if need.key else ""
        words = (need.text or "").replace("{components}", "the component")
        found.append(f"{said} ({words})" if said and words else said or words)
    return list(dict.fromkeys(text for text in found if text))


def _parameters(rule: Rule) -> list[str]:
    if not rule.parameters:
        return []
    import pyoxigraph as ox

    from aikg import terms
    from aikg.knowledge import knowledge_store

    store = knowledge_store()
    said = []
    for name in rule.parameters:
        parameter = ox.NamedNode(terms.AIKG + name)
        values = [
            " ".join(
                q.object.value
                for q in store.quads_for_pattern(parameter, ox.NamedNode(terms.AIKG + p), None, None)
                if isinstance(q.object, ox.Literal)
            )
            for p in ("defaultValue", "unit")
        ]
        unit = f" {values[1]}" if values[1] not in ("", "1") else ""
        said.append(f"{name} (default {values[0]}{unit})")
    return said
