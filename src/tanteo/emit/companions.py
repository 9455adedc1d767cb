"""Asynchronous functions that a test file brings along; `operators` has those that we run."""

from __future__ import annotations

from tanteo.emit.source import names_in
from tanteo.operators import BOUND

COMPANIONS = {
    "awaited": """async def awaited(thing):
    return await thing
""",
    "collected": f"""async def collected(items):
    found = []
    async for item in items:
        found.append(item)
        if len(found) == {BOUND}:
            break
    return found
""",
    "give_back": """async def give_back(*args):
    return args[0] if args else None
""",
    "give_number": """async def give_number(*args):
    return len(args)
""",
}


def companions(body: str) -> list[str]:
    """Those that a body mentions."""
    if not any(name in body for name in COMPANIONS):
        return []
    mentioned = names_in(body)
    return [f"\n\n{source}" for name, source in COMPANIONS.items() if name in mentioned]
