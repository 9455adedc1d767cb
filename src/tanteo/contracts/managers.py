"""Context managers: what was entered can be left."""

from __future__ import annotations

import copy
from typing import Any

from tanteo.contracts import Contract, contract, defines


class _Door:
    """Keeps all promises."""

    def __init__(self) -> None:
        self.is_open = False

    def __enter__(self) -> _Door:
        self.is_open = True
        return self

    def __exit__(self, *problem: object) -> None:
        self.is_open = False


class _Jammed(_Door):
    def __exit__(self, *problem: object) -> None:
        raise AttributeError("handle")


def _is_manager(kind: type) -> bool:
    return defines(kind, "__enter__") and defines(kind, "__exit__")


@contract("import copy\nwith copy.deepcopy({x}):\n    pass", applies=_is_manager, holds=_Door, breaks=_Jammed)
def what_was_entered_can_be_left(x: Any) -> bool | None:
    try:
        made = copy.deepcopy(x)  # entering it would change what others use
        made.__enter__()
    except Exception:
        return None  # it holds something that cannot be copied, or is not ready to be entered
    made.__exit__(None, None, None)
    return True


CONTRACTS: tuple[Contract, ...] = (what_was_entered_can_be_left,)
