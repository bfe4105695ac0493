"""Templates: partial entries that others take their keys from."""

from __future__ import annotations

from dataclasses import dataclass, field

from aikg.design.schema import did_you_mean
from aikg.design.tree import Map, Node, Scalar, Seq
from aikg.errors import InputError

_USE = "`use:` takes the name of a template or a list of names"


@dataclass(frozen=True, slots=True)
class Placed:
    """A key, its value and the file that both stand in, which may be another file than the entry's own."""

    key: Scalar
    node: Node
    file: str


Keys = dict[str, Placed]


@dataclass(slots=True)
class Templates:
    """The templates of a design.

    Attributes:
        entries: name -> the partial entry as written.
        resolved: name -> its keys with those of the templates that it uses, made once.
    """

    entries: dict[str, Placed] = field(default_factory=dict)
    resolved: dict[str, Keys] = field(default_factory=dict)

    def add(self, node: Node, file: str) -> None:
        """Take in the `templates:` of one file.

        Raises:
            InputError: not a mapping of names to mappings, or a name that is taken.
        """
        if isinstance(node, Scalar) and node.missing:
            return
        if not isinstance(node, Map):
            raise InputError("templates takes a mapping of names to partial entries", file, node.line)
        for name, template in node.values.items():
            key = node.keys[name]
            if not isinstance(template, Map):
                raise InputError(f"template {name} must be a mapping of keys to values", file, template.line)
            if name in self.entries:
                first = self.entries[name]
                also = f"{first.file}:{first.key.line}"
                raise InputError(f"template {name} is given twice (also in {also})", file, key.line)
            if "id" in template.values:
                raise InputError("a template has no id: the entries that use it have", file, template.keys["id"].line)
            self.entries[name] = Placed(key, template, file)

    def applied(self, entry: Map, file: str) -> Keys:
        """The keys of an entry with those of its templates: own keys win, then those of the template named first.

        Raises:
            InputError: an unknown template, or templates that use each other in a circle.
        """
        return self._applied(entry, file, ())

    def _applied(self, entry: Map, file: str, seen: tuple[str, ...]) -> Keys:
        found = {name: Placed(entry.keys[name], node, file) for name, node in entry.values.items()}
        use = found.pop("use", None)
        if use is None:
            return found
        names = use.node.items if isinstance(use.node, Seq) else [use.node]
        for name in names:
            if not isinstance(name, Scalar) or name.missing:
                raise InputError(_USE, file, name.line)
            for key, value in self._template(name, file, seen).items():
                found.setdefault(key, value)
        return found

    def _template(self, name: Scalar, file: str, seen: tuple[str, ...]) -> Keys:
        if name.text in seen:
            circle = " -> ".join((*seen[seen.index(name.text) :], name.text))
            raise InputError(f"templates use each other in a circle: {circle}", file, name.line)
        known = self.resolved.get(name.text)
        if known is None:
            template = self.entries.get(name.text)
            if template is None:
                hint = did_you_mean(name.text, self.entries)
                raise InputError(f"unknown template '{name.text}'{hint}", file, name.line)
            assert isinstance(template.node, Map)
            known = self.resolved[name.text] = self._applied(template.node, template.file, (*seen, name.text))
        return known
