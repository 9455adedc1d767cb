"""Recording of the distinct (block, shape) fingerprints that calls reach; off until switched on."""

from collections.abc import Hashable

seen: set[tuple[Hashable, ...]] = set()
active = False


def switch(on: bool) -> None:
    """Start or stop recording; what was recorded so far stays."""
    global active
    active = on


def clear() -> None:
    """Forget every fingerprint."""
    seen.clear()


def record(*fingerprint: Hashable) -> None:
    """Remember a fingerprint. Callers test `active` first, so that shapes cost nothing when off."""
    if active:
        seen.add(fingerprint)
