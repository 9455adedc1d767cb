"""Where things come from: the module that defines them, whatever a decorator has made of them."""

from __future__ import annotations

import functools
from typing import Any

from tanteo.declared import LIBRARIES


def undecorated(cls: type) -> type:
    """The class as it was written: `deal.inv` puts another one of its own making in its place."""
    return next((base for base in cls.__mro__ if not is_made_by_library(base)), cls)


def home_of(thing: Any) -> str | None:
    """The module that defines it; a partial application is at home where its function is.

    A class that a decorator has made anew is at home where the one that it was made of is.
    """
    function = thing.func if isinstance(thing, functools.partial) else thing
    if isinstance(thing, type):
        function = undecorated(thing)
    home = getattr(function, "__module__", None)
    return home if isinstance(home, str) else None


def is_made_by_library(cls: type) -> bool:
    """Whether a library of contracts has put it in place of another."""
    return cls.__module__.partition(".")[0] in LIBRARIES
