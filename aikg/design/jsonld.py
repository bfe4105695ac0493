"""placeholder"""

from __future__ import annotations

from aikg.design.records import DesignSource
from aikg.design.tree import Node


def is_authoring(root: Node, file: str) -> bool:
    return True


def read_jsonld(text: str, root: Node, name: str, file: str) -> DesignSource:
    raise NotImplementedError
