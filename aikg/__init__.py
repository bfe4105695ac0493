"""aikg: a knowledge-graph rules engine for AI-cluster designs.

>>> import aikg                                                   # doctest: +SKIP
>>> report = aikg.check("data/designs/four-dgx-rack.yaml")        # doctest: +SKIP
>>> report.verdict                                                # doctest: +SKIP
'fail'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aikg.version import __version__ as __version__

if TYPE_CHECKING:
    from aikg.checking import check as check
    from aikg.checking import load as load
    from aikg.design.model import Design as Design
    from aikg.report.finding import Finding as Finding
    from aikg.report.report import Report as Report

# Where each public name lives; loaded when it is first asked for, so that `import aikg` stays fast.
_HOMES = {
    "load": "aikg.checking",
    "check": "aikg.checking",
    "Design": "aikg.design.model",
    "Report": "aikg.report.report",
    "Finding": "aikg.report.finding",
}
__all__ = ["Design", "Finding", "Report", "__version__", "check", "load"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'aikg' has no attribute '{name}'")
    import importlib
    import sys

    found = getattr(importlib.import_module(_HOMES[name]), name)
    setattr(sys.modules[__name__], name, found)
    return found
