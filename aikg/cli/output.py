"""Where the output of a command goes: a terminal, a pipe or a file that is written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from aikg.errors import AikgError, InputError
from aikg.report.plain_text import printable


def write(text: str, file: Path | None = None) -> None:
    """Write text to a file or to standard output, as UTF-8 whatever the locale says.

    Arguments:
        text: the whole output.
        file: written beside its place and then moved there, so that no reader ever sees half of it.

    Raises:
        InputError: the file cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _write_file(data, file)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", str(file)) from None


def _write_file(data: bytes, file: Path) -> None:
    target = file.resolve()  # a symbolic link stays one
    if target.exists() and not target.is_file():
        target.write_bytes(data)  # /dev/null, a pipe: nothing that could be replaced
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def say(message: str) -> None:
    """One line for the user on standard error."""
    print(printable(message), file=sys.stderr)


def complain(error: AikgError | str) -> None:
    """An error as one line on standard error: `aikg: FILE:LINE: what, where, what to do`."""
    say("aikg: " + " ".join(str(error).split()))


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Tell a person at a terminal what takes so long, once it takes more than a second.

    Arguments:
        what: such as "checking su-32.yaml".
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def tell() -> None:
        start = time.monotonic()
        told = False
        while not done.wait(1.0):
            told = True
            print(
                f"\r\x1b[K{printable(what)} ... {time.monotonic() - start:.0f} s", end="", file=sys.stderr, flush=True
            )
        if told:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
