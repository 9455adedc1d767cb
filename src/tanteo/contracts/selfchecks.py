"""Classes that can check themselves: what they find wrong is wrong."""

from __future__ import annotations

import inspect
from typing import Any

from tanteo.contracts import Contract

# Only a failed assertion counts: `validate` may answer the user of an object with any other exception.
CHECKS = (
    *("check_rep", "_check_rep", "_check", "check_invariants", "_check_invariants", "_check_consistency"),
    *("verify", "validate"),
)
TOLD = ("verify", "validate")  # which may tell the user of an object what is missing
NOBODY = inspect.Parameter("nobody", inspect.Parameter.POSITIONAL_ONLY)


class _Checked:
    """Keeps all promises."""

    total = 0

    def check_rep(self) -> None:
        assert self.total == 0


class _Off(_Checked):
    total = 1


def checks_of(kind: type) -> list[str]:
    """The methods without parameters by which a class checks itself."""
    return [name for name in CHECKS if _is_plain(inspect.getattr_static(kind, name, None))]


def _is_plain(method: object) -> bool:
    if not inspect.isfunction(method) or inspect.iscoroutinefunction(method):
        return False
    receiver, *others = [*inspect.signature(method).parameters.values()] or [NOBODY]
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    optional = [p.default is not inspect.Parameter.empty or p.kind in variadic for p in others]
    return receiver is not NOBODY and all(optional)


def _published(name: str) -> Contract:
    def finds_nothing(x: Any) -> bool | None:
        try:
            getattr(x, name)()
        except AssertionError as error:
            return None if name in TOLD and error.args else False
        except Exception:
            return None
        return True

    return Contract(
        f"its_own_{name.strip('_')}_finds_nothing_wrong",
        f"{{x}}.{name}()",
        finds_nothing,
        lambda kind: name in checks_of(kind),
        _Checked if name == "check_rep" else None,
        _Off if name == "check_rep" else None,
    )


CONTRACTS: tuple[Contract, ...] = tuple(map(_published, CHECKS))
