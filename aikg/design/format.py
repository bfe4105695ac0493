"""The canonical form of a design file in YAML: one style, keys in order, comments where they were.

The file stays folded: ranges, templates and patterns are kept as written. It is read as events and comments and written
anew, because the comments of an entry must move with its keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from aikg.design.key_order import KEY_RANK, LAST, PATTERN_RANK
from aikg.design.tree import Map, Node, Scalar, parse_yaml
from aikg.design.written import Item, Written, comments, read_written
from aikg.design.yaml_text import quoted
from aikg.errors import InputError

WIDTH = 120
# Mappings whose keys are names stay in the author's order, as does the top of the file.
_NAMES = ("templates", "parameters")
_INDENT = "  "


def format_text(text: str, file: str) -> str:
    """A design file in its canonical form, with its comments; formatting twice changes nothing more.

    Arguments:
        text: the file's content, YAML.
        file: what to call it in messages.

    Raises:
        InputError: broken syntax, or something that cannot be written anew without loss.
    """
    if file.endswith(".json"):
        raise InputError("only YAML files have a canonical form", file)
    before = parse_yaml(text, file)
    if before is None:
        return text
    text = text.replace("\r\n", "\n")
    root, rest = read_written(text)
    if root.kind != "map":
        raise InputError("a design file is a mapping (`nodes:`, `racks:` ...)", file)
    written = "\n".join(_spaced([*_map(root, "", ()), *rest])) + "\n"
    if _content(parse_yaml(written, file)) != _content(before) or sorted(comments(written)) != sorted(comments(text)):
        raise InputError("has something that the canonical form cannot hold; left as it is", file)
    return written


def _content(node: Node | None) -> object:
    """What a tree says, without places and the order of keys."""
    if node is None or isinstance(node, Scalar):
        return None if node is None or node.missing else (node.text, node.plain and not _is_word(node.text))
    if isinstance(node, Map):
        return {key: _content(value) for key, value in node.values.items()}
    return [_content(item) for item in node.items]


def _is_word(text: str) -> bool:
    """Whether quotes make no difference to what a text means."""
    return quoted(text) == text or "[" in text


def _spaced(lines: list[str]) -> Iterator[str]:
    """The lines with at most one blank line between them, and none at the start and end."""
    blank = False
    first = True
    for line in lines:
        if not line.strip():
            blank = True
            continue
        if blank and not first:
            yield ""
        blank = first = False
        yield line


def _ordered(value: Written, path: tuple[str, ...]) -> list[Item]:
    if not path or (len(path) == 1 and path[0] in _NAMES):
        return value.items
    ranks = PATTERN_RANK if path[0] == "cabling" else KEY_RANK
    return sorted(value.items, key=lambda item: ranks.get(item.key, LAST))


def _map(value: Written, indent: str, path: tuple[str, ...]) -> Iterator[str]:
    """The lines of a block mapping."""
    for position, item in enumerate(_ordered(value, path)):
        yield from _comments(item.before, indent, drop_blanks=position == 0 and bool(path))
        yield from _entry(f"{indent}{_key(item.key)}:", item, indent, (*path, item.key))
        yield from _comments(item.after, indent)


def _seq(value: Written, indent: str, path: tuple[str, ...]) -> Iterator[str]:
    """The lines of a block list."""
    for position, item in enumerate(value.items):
        yield from _comments(item.before, indent, drop_blanks=position == 0)
        if item.value.kind != "map" or _fits(f"{indent}-", item):
            yield from _entry(f"{indent}-", item, indent, (*path, ""))
        else:
            yield from _map_in_seq(item, indent, (*path, ""))
        yield from _comments(item.after, indent)


def _map_in_seq(item: Item, indent: str, path: tuple[str, ...]) -> Iterator[str]:
    """A block mapping that starts on the line of its dash; what must stand above its first key goes above the dash."""
    first, *others = _ordered(item.value, path)
    if item.trailing:
        yield indent + item.trailing
    yield from _comments(first.before, indent, drop_blanks=True)
    start = f"{indent}- {item.value.anchor}"
    if item.value.anchor:
        yield start.rstrip()
        start = indent + _INDENT
    inner = indent + _INDENT
    yield from _entry(f"{start}{_key(first.key)}:", first, inner, (*path, first.key))
    yield from _comments(first.after, inner)
    for other in others:
        yield from _comments(other.before, inner)
        yield from _entry(f"{inner}{_key(other.key)}:", other, inner, (*path, other.key))
        yield from _comments(other.after, inner)


def _entry(start: str, item: Item, indent: str, path: tuple[str, ...]) -> Iterator[str]:
    """An entry after `key:` or `-`: on the same line where it may stand there."""
    value = item.value
    trailing = f"  {item.trailing}" if item.trailing else ""
    if _fits(start, item):
        *lines, last = _wrapped(start, value, path)
        yield from lines
        yield last + trailing
        return
    if value.raw is not None:
        yield f"{start} {value.anchor}{value.raw[0]}{trailing}"
        yield from (f"{indent}{_INDENT}{line}".rstrip() for line in value.raw[1:])
        return
    yield f"{start} {value.anchor}".rstrip() + trailing
    yield from (_map if value.kind == "map" else _seq)(value, indent + _INDENT, path)


def _fits(start: str, item: Item) -> bool:
    """Whether the value is written right after `start`, in brackets if it is a list or mapping."""
    value = item.value
    if value.kind in ("scalar", "alias"):
        return value.raw is None
    if not value.items:
        return True
    if not value.flow or _has_comments(value):
        return False
    return all(len(start) + 2 + len(part) + 1 <= WIDTH for part in _parts(value, ("",)))


def _wrapped(start: str, value: Written, path: tuple[str, ...]) -> Iterator[str]:
    """A value after `start`, broken between its entries where it is too long for a line."""
    line = f"{start} {_inline(value, path, False)}".rstrip()
    if len(line) <= WIDTH or value.kind in ("scalar", "alias"):
        yield line
        return
    opening, closing = "{}" if value.kind == "map" else "[]"
    line = f"{start} {value.anchor}{opening}"
    margin = " " * len(line)
    *parts, last = _parts(value, path)
    for part in [*(f"{part}," for part in parts), last + closing]:
        if len(line) + 1 + len(part) > WIDTH:
            yield line
            line = margin + part
        else:
            line += part if line[-1] == opening else f" {part}"
    yield line


def _has_comments(value: Written) -> bool:
    return any(
        any(item.before) or item.trailing or any(item.after) or _has_comments(item.value) for item in value.items
    )


def _inline(value: Written, path: tuple[str, ...], flow: bool) -> str:
    """A value on one line; `flow` inside brackets."""
    if value.kind == "alias":
        return f"*{value.text}"
    if value.kind == "scalar":
        return value.anchor + _scalar(value, flow)
    opening, closing = "{}" if value.kind == "map" else "[]"
    return f"{value.anchor}{opening}{', '.join(_parts(value, path))}{closing}"


def _parts(value: Written, path: tuple[str, ...]) -> Iterator[str]:
    """The entries of a list or mapping, each as it stands in brackets."""
    if value.kind == "seq":
        return (_inline(item.value, (*path, ""), True) for item in value.items)
    ordered = _ordered(value, path or ("",))
    return (f"{_key(item.key)}: {_inline(item.value, (*path, item.key), True)}" for item in ordered)


def _scalar(value: Written, flow: bool) -> str:
    text = value.text
    if not value.plain:
        # A quoted number or word stays quoted: it is text where a number is expected.
        return quoted(text)
    if flow and not text:
        return "null"
    if any(letter in text for letter in "[]{}") or (flow and "," in text) or "\n" in text:
        return quoted(text)
    return text


def _key(text: str) -> str:
    return quoted(text)


def _comments(found: list[str], indent: str, drop_blanks: bool = False) -> Iterator[str]:
    for comment in found:
        if comment:
            drop_blanks = False
            yield indent + comment
        elif not drop_blanks:
            yield ""
