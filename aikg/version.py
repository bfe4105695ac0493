"""The version, in one place: the build backend and the reports read it from here."""

__version__ = "0.1.0"
