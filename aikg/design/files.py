"""Design files as bytes and text: what may be read, and where the files lie that a design brings in."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from aikg.errors import InputError

MAX_BYTES = 256 * 1024 * 1024


def read_bytes(file: Path, shown: str) -> bytes:
    """The content of a regular file of at most `MAX_BYTES`.

    Arguments:
        file: the file.
        shown: what to call it in messages.

    Raises:
        InputError: no such file, a folder, a device or pipe, too large, or not readable.
    """
    try:
        # Without O_NONBLOCK, opening a pipe would wait for its writer.
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise InputError("is a folder, expected a design file", shown)
            if not stat.S_ISREG(status.st_mode):
                raise InputError("is no regular file", shown)
            return _limited(stream.read(MAX_BYTES + 1), shown)
    except FileNotFoundError:
        raise InputError("no such file", shown) from None
    except IsADirectoryError:
        raise InputError("is a folder, expected a design file", shown) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"cannot be read: {reason or error}", shown) from None


def read_standard_input(shown: str) -> bytes:
    """What stands on standard input, at most `MAX_BYTES`."""
    return _limited(sys.stdin.buffer.read(MAX_BYTES + 1), shown)


def _limited(data: bytes, shown: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(f"is larger than {MAX_BYTES // 2**20} MiB", shown)
    return data


def decode(data: bytes, shown: str) -> str:
    """UTF-8 text, a byte order mark left out.

    Raises:
        InputError: not UTF-8, or a NUL character in it; names the line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"is not UTF-8 (byte {data[error.start]:#04x})", shown, line) from None
    if "\0" in text:
        raise InputError("holds a NUL character", shown, text.count("\n", 0, text.index("\0")) + 1)
    return text


class DesignFolder:
    """The folder of a design, outside of which nothing is read.

    Arguments:
        shown: the folder as the user named it.
    """

    def __init__(self, shown: Path) -> None:
        self.shown = shown
        self.root = shown.resolve()

    def inside(self, text: str, base: str, line: int) -> tuple[Path, str]:
        """A file that a design names, and what to call it in messages.

        Arguments:
            text: the path as written, relative to the file that names it.
            base: the file that names it.
            line: the line there.

        Raises:
            InputError: an absolute path, one that leaves the folder (also through a symbolic link), or no file.
        """
        try:
            target = (Path(base).parent / text).resolve()
            if Path(text).is_absolute() or not target.is_relative_to(self.root):
                raise InputError(f"'{text}' leaves the design's folder", base, line)
            if not target.is_file():
                raise InputError(f"'{text}' is no file in the design's folder", base, line)
        except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, links in a circle
            raise InputError(f"'{text[:100]}' is no file name", base, line) from None
        return target, str(self.shown / target.relative_to(self.root))
