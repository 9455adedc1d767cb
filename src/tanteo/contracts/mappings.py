"""What has keys agrees with the dict of its items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_same
from tanteo.contracts.iteration import all_in, elements


class _Table:
    """Keeps all promises."""

    def __init__(self, **items: Any) -> None:
        self.table: dict[Any, Any] = dict(items)

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.table)

    def __contains__(self, key: object) -> bool:
        return key in self.table

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def keys(self) -> Any:
        return self.table.keys()

    def values(self) -> Any:
        return self.table.values()

    def items(self) -> Any:
        return self.table.items()

    def get(self, key: Any, default: Any = None) -> Any:
        return self.table.get(key, default)


class _Hidden(_Table):
    def keys(self) -> Any:
        return list(self.table)[1:]


class _Crossed(_Table):
    def items(self) -> Any:
        return [(value, key) for key, value in self.table.items()]


class _Swapped(_Table):
    def values(self) -> Any:
        return [*self.table.values()][::-1]


class _Forgetful(_Table):
    def get(self, key: Any, default: Any = None) -> Any:
        return default


MISSING = object()


def is_mapping(kind: type) -> bool:
    """Whether it is looked up by keys that it can tell."""
    return all(hasattr(kind, name) for name in ("keys", "__getitem__", "__iter__")) and defines(
        kind, "keys", "__getitem__", "__iter__", "items", "values", "get"
    )


def _keys(x: Any) -> list[Any] | None:
    """What iterating gives; None if that is not keys, or too many."""
    found = elements(x)
    if found is None or not all(_is_hashable(key) for key in found):
        return None
    return found if _are_keys(x, found) else None


def _are_keys(x: Any, found: list[Any]) -> bool:
    """Whether it is looked up by what iterating gives, and has one value for each: some give pairs instead,
    or the parts of what they are, or several items for one key."""
    try:
        keys = elements(x.keys()) or []
        if found:
            x[found[0]]
        return len(set(keys)) == len(keys) and (not found or any(key in keys for key in found))
    except (LookupError, TypeError, AttributeError):
        return False


def _is_hashable(key: object) -> bool:
    try:
        hash(key)
    except TypeError:
        return False
    return True


@contract(
    "list({x}.keys()) == list({x})",
    applies=is_mapping,
    holds=lambda: _Table(a=1, b=2),
    breaks=lambda: _Hidden(a=1, b=2),
)
def keys_agree_with_iteration(x: Any) -> bool | None:
    found = _keys(x)
    keys = x.keys()
    if found is None or isinstance(keys, (set, frozenset)):
        return None  # which have no order to agree on
    return is_same(list(keys), found)


@contract(
    "list({x}.items()) == [(key, {x}[key]) for key in {x}]",
    applies=lambda kind: is_mapping(kind) and hasattr(kind, "items"),
    holds=lambda: _Table(a=1, b=2),
    breaks=lambda: _Crossed(a=1, b=2),
)
def items_agree_with_look_ups(x: Any) -> bool | None:
    found = _keys(x)
    pairs = None if found is None else list(x.items())
    if found is None or pairs is None or len(pairs) > len(found):
        return None  # several values for one key
    return is_same(pairs, [(key, x[key]) for key in found])


@contract(
    "list({x}.values()) == [{x}[key] for key in {x}]",
    applies=lambda kind: is_mapping(kind) and hasattr(kind, "values"),
    holds=lambda: _Table(a=1, b=2),
    breaks=lambda: _Swapped(a=1, b=2),
)
def values_agree_with_look_ups(x: Any) -> bool | None:
    found = _keys(x)
    values = None if found is None else list(x.values())
    if found is None or values is None or len(values) > len(found):
        return None
    return is_same(values, [x[key] for key in found])


@contract(
    "[{x}.get(key) for key in {x}] == [{x}[key] for key in {x}]",
    applies=lambda kind: is_mapping(kind) and hasattr(kind, "get"),
    holds=lambda: _Table(a=1, b=2),
    breaks=lambda: _Forgetful(a=1),
)
def get_agrees_with_look_ups(x: Any) -> bool | None:
    found = _keys(x)
    return None if found is None else is_same([x.get(key) for key in found], [x[key] for key in found])


@contract(
    "all(key in {x} for key in {x}.keys())",
    applies=lambda kind: is_mapping(kind) and hasattr(kind, "__contains__"),
    holds=lambda: _Table(a=1),
    breaks=lambda: _Denying(a=1),
)
def keys_are_contained(x: Any) -> bool | None:
    found = _keys(x)
    return None if found is None else all_in(found, x)


class _Denying(_Table):
    def __contains__(self, key: object) -> bool:
        return key in self.table.values()


CONTRACTS: tuple[Contract, ...] = (
    keys_agree_with_iteration,
    items_agree_with_look_ups,
    values_agree_with_look_ups,
    get_agrees_with_look_ups,
    keys_are_contained,
)
