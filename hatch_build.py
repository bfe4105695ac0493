"""Puts ontology, shapes and data into the wheel, under `aikg/_data/`.

They stay at the top of the checkout, where people read and change them without Python; `aikg.knowledge.data_root`
finds both places. An editable install must not hold a copy, which would be stale at once.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the folders to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folders to include; `version` is "editable" for a linked install."""
        if version != "editable":
            build_data["force_include"].update(
                {folder: f"aikg/_data/{folder}" for folder in ("ontology", "shapes", "data")}
            )
