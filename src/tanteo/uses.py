"""What is done with a parameter, as data: noted from the source, or by a stand-in."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Use:
    """What is done with one parameter."""

    types: dict[str, float] = field(default_factory=dict)  # names of built-in types, with weights
    attributes: set[str] = field(default_factory=set)
    classes: list[str] = field(default_factory=list)  # expressions given to `isinstance`
    constants: list[object] = field(default_factory=list)  # compared with it
    passed: list[tuple[str, int | str]] = field(default_factory=list)  # function, position or keyword
    arity: int | None = None  # of its calls
    may_be_none: bool = False
    keys: dict[str, Use] = field(default_factory=dict)  # of a dict: what is done with the values
    element: Use | None = None  # what is done with what is in it
    prefixes: list[str] = field(default_factory=list)  # of names that it is the rest of: "visit_" + kind
    texts: list[str] = field(default_factory=list)  # of the language that it is parsed as
    names: list[str] = field(default_factory=list)  # of what it is compared with

    def inside(self) -> Use:
        """What is done with its elements."""
        if self.element is None:
            self.element = Use()
        return self.element

    def merge(self, other: Use) -> Use:
        """What both say."""
        types = dict(other.types)
        for name, weight in self.types.items():
            types[name] = types.get(name, 0.0) + weight
        return Use(
            types,
            self.attributes | other.attributes,
            [*self.classes, *other.classes],
            [*self.constants, *other.constants],
            [*self.passed, *other.passed],
            self.arity if self.arity is not None else other.arity,
            self.may_be_none or other.may_be_none,
            merge_keys(self.keys, other.keys),
            self.element or other.element,
            [*self.prefixes, *other.prefixes],
            [*self.texts, *other.texts],
            [*self.names, *other.names],
        )

    def note(self, names: tuple[str, ...] | str, weight: float = 1.0) -> None:
        """One of these types would do."""
        for name in (names,) if isinstance(names, str) else names:
            self.types[name] = self.types.get(name, 0.0) + weight


def merge_keys(one: dict[str, Use], other: dict[str, Use]) -> dict[str, Use]:
    """The keys of both, each with what both do with its value."""
    keys = sorted({*one, *other})
    return {k: one[k].merge(other[k]) if k in one and k in other else one.get(k) or other[k] for k in keys}


Uses = dict[str, dict[str, Use]]  # by qualified name of the function, by parameter
