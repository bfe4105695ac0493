"""The command line: one module per command, loaded when it is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main() -> NoReturn:
    """Run the command line of this process and end it with the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A name that the terminal's encoding lacks must not end the command.
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _silenced()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run a command.

    Arguments:
        arguments: as on the command line, without the program's name.

    Returns:
        0 pass or warn, 1 fail, 2 the command could not do its work, 3 incomplete, 130 interrupted.
    """
    import typer

    from aikg.cli.application import app
    from aikg.cli.output import complain
    from aikg.errors import AikgError

    own, debug = _without_debug(arguments)
    try:
        code = app(args=own or ["--help"], prog_name="aikg", standalone_mode=False)
        return EXIT_ERROR if not own else code if isinstance(code, int) else 0
    except AikgError as error:
        if debug:
            raise
        complain(error)
    except typer.TyperException as error:
        _complain_of_usage(error)
    except BrokenPipeError:
        return _silenced()
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except SystemExit:
        raise
    # Panics of native code come as BaseException.
    except BaseException as error:
        if debug:
            raise
        complain(f"internal error: {type(error).__name__}: {error} (--debug shows where)")
    return EXIT_ERROR


def _without_debug(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """`--debug` counts wherever it stands before `--`."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    kept = [argument for argument in arguments[:end] if argument != "--debug"] + list(arguments[end:])
    return kept, len(kept) < len(arguments) or bool(os.environ.get("AIKG_DEBUG"))


def _complain_of_usage(error: Exception) -> None:
    from aikg.cli.output import complain

    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "aikg"
    says = getattr(error, "format_message", lambda: str(error))().replace("Value error, ", "")
    complain(f"{says.rstrip('.')}; see `{command} --help`")


def _silenced() -> int:
    """The reader of the output is gone: say nothing more, not even when Python flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_BROKEN_PIPE
