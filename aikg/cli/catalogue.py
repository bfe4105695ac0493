"""`aikg catalogue`: the documented platforms, fabrics, storage, power and cooling."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from aikg.catalogue import Figure, Item
    from aikg.report.layout import Page


def catalogue(
    item: Annotated[
        str | None, typer.Argument(metavar="[ITEM]", help="Id of an item, such as dgx-h100; all in short without it.")
    ] = None,
    format: Annotated[Literal["text", "json"], typer.Option(help="What to write.")] = "text",
) -> None:
    """List the catalogue, or show one item: each figure of the founding document and of the vendor, with its source.

    \b
    Examples:
      aikg catalogue
      aikg catalogue dgx-h100
      aikg catalogue dgx-h100 --format json
    """
    from aikg.catalogue import find_item, load_catalogue
    from aikg.cli.output import write
    from aikg.report.json_text import to_json
    from aikg.report.layout import page_for

    items = load_catalogue() if item is None else [find_item(item)]
    if format == "json":
        found = [_item_dict(one) for one in items]
        write(to_json(found if item is None else found[0]) + "\n")
        return
    page = page_for(sys.stdout)
    write("\n".join(_list(items, page) if item is None else _one(items[0], page)) + "\n")


def _item_dict(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "label": item.label,
        "kind": item.kind,
        "notes": list(item.notes),
        "figures": [
            {
                "key": figure.key,
                "unit": figure.unit,
                "seed": list(figure.seed),
                "seedSource": figure.seed_source,
                "vendor": list(figure.vendor),
                "vendorSource": figure.vendor_source,
                "remark": figure.remark,
                "openEnded": figure.open_ended,
            }
            for figure in item.figures
        ],
    }


def _list(items: list[Item], page: Page) -> list[str]:
    lines: list[str] = []
    widest = max(len(item.id) for item in items)
    for kind in dict.fromkeys(item.kind for item in items):
        lines += ["", page.styled(kind.upper(), "bold")]
        for item in items:
            if item.kind == kind:
                lines += page.wrapped(item.label, 2, f"{item.id:{widest}}  ", "cyan")
    lines += ["", *page.wrapped(f"{len(items)} items; `aikg catalogue ITEM` shows the figures and sources of one.")]
    return lines[1:]


def _one(item: Item, page: Page) -> list[str]:
    lines = page.wrapped(f"{item.label} ({item.kind})", 0, f"{item.id}  ", "bold")
    for note in item.notes:
        lines += page.wrapped(note, 2)
    for figure in item.figures:
        lines.append("")
        about = [f"in {figure.unit}"] if figure.unit else []
        about += ["the two differ"] if figure.differs else []
        lines += page.wrapped("; ".join(about), 2, f"{figure.key}  ", "bold")
        lines += _side("seed    ", figure, figure.seed, figure.seed_source, page)
        lines += _side("vendor  ", figure, figure.vendor, figure.vendor_source, page)
        if figure.remark:
            lines += page.wrapped(figure.remark, 4, "vendor says  ", "dim")
    return lines


def _side(label: str, figure: Figure, values: tuple[str, ...], source: str, page: Page) -> list[str]:
    if not values:
        return []
    shown = ", ".join(values) + ("+" if figure.open_ended else "")
    return page.wrapped(f"{shown}  ({source})" if source else shown, 4, label, "dim")
