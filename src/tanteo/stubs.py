"""Types from stub files: one beside a module, or typeshed's for what is inherited from the standard library.

Only signatures are read. Their annotations are evaluated with the names of the module, of `typing` and of
`collections.abc`; what a stub imports from elsewhere, or makes of type variables, is anything.
"""

from __future__ import annotations

import ast
import builtins
import collections
import io
import os
import typing
from collections import abc
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tanteo.infer import wants_of
from tanteo.types import ANYTHING, Slot, Want


class Told(NamedTuple):
    """A parameter in a stub."""

    name: str
    annotations: list[ast.expr]  # of all overloads
    required: bool
    variadic: bool = False


Signature = list[Told]
Signatures = dict[str, Signature]  # by qualified name

# Protocols of typeshed that a plain type satisfies.
USUAL: dict[str, object] = {
    "SupportsIndex": int,
    "SupportsInt": int,
    "SupportsFloat": float,
    "SupportsKeysAndGetItem": dict,
    "SupportsRead": io.StringIO,
    "SupportsWrite": io.StringIO,
    "ReadableBuffer": bytes,
    "StrPath": str,
    "StrOrBytesPath": str,
    "SupportsTrunc": float,
    "ConvertibleToInt": int,
    "ConvertibleToFloat": float,
}
# Where typeshed has what built-in containers inherit.
GENERAL: dict[str, type] = {
    "dict": abc.MutableMapping,
    "list": abc.MutableSequence,
    "set": abc.MutableSet,
}
NAMES: dict[str, Any] = {**vars(abc), **vars(typing), **vars(collections), **vars(builtins), **USUAL}
ALLOWED = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.BitOr, ast.Constant, ast.Tuple, ast.List)


@dataclass(slots=True)
class Stubs:
    """Stub files, read when somebody asks."""

    typeshed: str = ""  # its folder
    _read: dict[str, Signatures] = field(default_factory=dict)  # by file

    def wants(self, function: Any, parameter: str) -> tuple[Want, ...]:
        """What a stub says about a parameter; nothing if there is none, or it says nothing."""
        said = [a for told in self._signature(function) if told.name == parameter for a in told.annotations]
        found = dict.fromkeys(w for annotation in said for w in _evaluated(annotation, function))
        return tuple(w for w in found if w != ANYTHING)

    def slots(self, function: Any) -> tuple[Slot, ...]:
        """The parameters of something written in C of which Python does not tell them."""
        told = self._signature(function)
        return tuple(
            Slot(t.name, (ANYTHING,), required=t.required, variadic=t.variadic, positional=True) for t in told
        )

    def _signature(self, function: Any) -> Signature:
        owner = getattr(function, "__objclass__", None)  # of a method that is written in C
        module = getattr(owner if isinstance(owner, type) else function, "__module__", None)
        name = getattr(function, "__qualname__", None)
        if not isinstance(module, str) or not isinstance(name, str):
            return []
        module = "typing" if module == "collections.abc" else module
        for file in self._files(module, function):
            if file not in self._read:
                self._read[file] = _signatures(file)
            if name in self._read[file]:
                return self._read[file][name]
        kind, _, method = name.partition(".")
        if kind in GENERAL and method:
            return self._signature(getattr(GENERAL[kind], method, None))
        return []

    def _files(self, module: str, function: Any) -> list[str]:
        code = getattr(function, "__code__", None)
        beside = [os.path.splitext(code.co_filename)[0] + ".pyi"] if code is not None else []
        place = os.path.join(self.typeshed, *module.split(".")) if self.typeshed else ""
        return [*beside, *([f"{place}.pyi", os.path.join(place, "__init__.pyi")] if place else [])]


def _signatures(file: str) -> Signatures:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: Signatures = {}
    _collect(tree.body, "", found)
    return found


def _collect(body: list[ast.stmt], prefix: str, found: Signatures) -> None:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            told = _parameters(node.args, method=prefix != "")
            name = prefix + node.name
            found[name] = _merged(found[name], told) if name in found else told
        elif isinstance(node, ast.ClassDef):
            _collect(node.body, f"{prefix}{node.name}.", found)
        elif isinstance(node, ast.If):  # on the version: whatever comes first
            _collect([*node.body, *node.orelse], prefix, found)


def _parameters(arguments: ast.arguments, method: bool) -> Signature:
    plain = [*arguments.posonlyargs, *arguments.args]
    first = len(plain) - len(arguments.defaults)
    found = [Told(a.arg.lstrip("_"), _said(a), n < first) for n, a in enumerate(plain)]
    if arguments.vararg is not None:
        found.append(Told(arguments.vararg.arg, _said(arguments.vararg), False, variadic=True))
    return found[1:] if method and found and found[0].name in ("self", "cls") else found


def _said(argument: ast.arg) -> list[ast.expr]:
    return [argument.annotation] if argument.annotation is not None else []


def _merged(one: Signature, other: Signature) -> Signature:
    """Two overloads: the longer one, with what both say."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    return [
        told._replace(
            annotations=told.annotations + shorter[n].annotations if n < len(shorter) else told.annotations,
            required=told.required and n < len(shorter) and shorter[n].required,
        )
        for n, told in enumerate(longer)
    ]


def _evaluated(annotation: ast.expr, function: Any) -> tuple[Want, ...]:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return ()
    parts = (n for n in ast.walk(annotation) if isinstance(n, (ast.expr, ast.operator)))
    if not all(isinstance(n, ALLOWED) for n in parts):
        return ()  # nothing is called
    names = {**NAMES, **_globals(function)}
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name) and node.id not in names:
            names[node.id] = Any  # a type variable, or a name that only the stub knows
    try:
        return wants_of(eval(compile(ast.Expression(annotation), "<stub>", "eval"), names))
    except Exception:  # such as Any[int]
        return ()


def _globals(function: Any) -> dict[str, Any]:
    found = getattr(function, "__globals__", {})
    return {k: v for k, v in found.items() if isinstance(v, type)} if isinstance(found, dict) else {}
