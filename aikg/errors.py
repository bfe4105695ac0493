"""Errors that a user sees: one line that says what, where and what to do."""

from __future__ import annotations


class AikgError(Exception):
    """Base of all errors that are reported as one line with exit code 2."""


class InputError(AikgError):
    """A design that cannot be read: broken syntax, an unknown key, a wrong structure, a limit exceeded.

    Arguments:
        message: what was read, what is expected, the closest valid spelling.
        file: the file as the user named it, or None where there is none (Python objects).
        line: line in that file, counted from 1, or None.
    """

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.file = file
        self.line = line
        place = "" if file is None else file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}" if place else message)


class RuleError(AikgError):
    """A rule that cannot be used: unknown SHACL term, unparsable query, missing metadata or target."""


class EngineError(AikgError):
    """A validation engine or executor failed; nothing may be concluded from the run."""
