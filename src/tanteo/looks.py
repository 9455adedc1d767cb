"""How values look (`repr`), asked once per run: a contract wants to know it, and the equality filter too."""

from __future__ import annotations

_known: dict[int, str] = {}  # by identity, so only as long as the values of one run are alive


def look(value: object) -> str:
    """`repr`, remembered until `forget`; whatever it raises is raised."""
    text = _known.get(id(value))
    if text is None:
        text = _known[id(value)] = repr(value)
    return text


def forget() -> None:
    """The values of another run may have the same identities."""
    _known.clear()
