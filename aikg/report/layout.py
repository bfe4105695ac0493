"""Lines of a report on a terminal: wrapping, tables and, where the terminal has them, colours."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from aikg.report.plain_text import printable

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
_WIDTH = 100
_NARROWEST, _WIDEST = 40, 140


@dataclass(frozen=True, slots=True)
class Page:
    """What the lines are written on.

    Attributes:
        width: columns.
        colour: whether escape codes may be used. Without them nothing but the colour is lost.
    """

    width: int = _WIDTH
    colour: bool = False

    def styled(self, text: str, *styles: str) -> str:
        """The text in bold, dim or a colour."""
        if not self.colour or not text or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def wrapped(self, text: str, indent: int = 0, label: str = "", *styles: str, hang: int | None = None) -> list[str]:
        """A text of a design or rule over as many lines as it takes, control characters neutralised.

        Arguments:
            text: what to print; its own line breaks count as spaces.
            indent: columns before the first line.
            label: stands before the text on the first line, in `styles`.
            hang: columns before the other lines; the end of the label where None.
        """
        text = printable(" ".join(text.split()))
        space = " " * indent
        rest = " " * (indent + len(label) if hang is None else hang)
        wrapper = textwrap.TextWrapper(
            width=self.width, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
        )
        wrapper.initial_indent = space + "\0" * len(label)
        lines = wrapper.wrap(text) if text else [space + "\0" * len(label)]
        lines[0] = lines[0].replace("\0" * len(label), self.styled(label, *styles), 1) if label else lines[0]
        return [line.rstrip() for line in lines]

    def table(self, rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset(), indent: int = 2) -> list[str]:
        """Rows in columns as wide as their widest cell; the first row is the heading.

        Arguments:
            rows: cells as text.
            right: the columns that are set to the right, such as numbers.
            indent: columns before each row.
        """
        cells = [[printable(cell) for cell in row] for row in rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
        lines = []
        for number, row in enumerate(cells):
            parts = [
                cell.rjust(width) if column in right else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            line = " " * indent + "  ".join(parts).rstrip()
            lines.append(self.styled(line, "dim") if number == 0 else line)
        return lines


def page_for(stream: TextIO) -> Page:
    """The page that an output stream offers: its width, and colours on a terminal unless NO_COLOR asks for none."""
    terminal = stream.isatty()
    dumb = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
    colour = (terminal and not dumb) or bool(os.environ.get("FORCE_COLOR"))
    width = shutil.get_terminal_size((_WIDTH, 24)).columns if terminal or "COLUMNS" in os.environ else _WIDTH
    return Page(max(_NARROWEST, min(width, _WIDEST)), colour)
