"""Targets in, module sources out, without importing anything; what is left out has a reason.

Runs under the subject's interpreter, whose syntax may be newer than ours.
"""

from __future__ import annotations

import ast
import difflib
import fnmatch
import hashlib
import importlib.machinery
import importlib.metadata
import importlib.util
import pkgutil
import sys
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from tanteo.errors import UserError
from tanteo.subject import Skipped

TESTS = ("tests", "test")
EXTENSIONS = tuple(importlib.machinery.EXTENSION_SUFFIXES)


@dataclass(slots=True)
class Found:
    """What the targets name: modules with their files, in import order."""

    sources: dict[str, Path] = field(default_factory=dict)
    chosen: dict[str, list[str]] = field(default_factory=dict)  # module -> qualified names inside
    skipped: list[Skipped] = field(default_factory=list)
    extensions: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)  # by the targets themselves


@dataclass(frozen=True, slots=True)
class Parsed:
    """A module's syntax tree."""

    name: str
    path: Path
    tree: ast.Module


def find(targets: list[str], include: list[str], exclude: list[str]) -> Found:
    """All modules that the targets name."""
    found = Found()
    for target in targets:
        if _is_path(target):
            _find_path(Path(target), found)
        else:
            _find_dotted(target, found)
    for name in list(found.sources):
        if include and not any(fnmatch.fnmatch(name, glob) for glob in include):
            _leave_out(found, name, "not in --include")
        elif any(fnmatch.fnmatch(name, glob) for glob in exclude):
            _leave_out(found, name, "in --exclude")
    return found


def _leave_out(found: Found, name: str, reason: str) -> None:
    del found.sources[name]
    found.skipped.append(Skipped(name, reason))


def _is_path(target: str) -> bool:
    return "/" in target or target.endswith(".py") or target in (".", "..")


def _find_path(path: Path, found: Found) -> None:
    if not path.exists():
        raise UserError(f"no such file or folder: {path}", "no-such-path")
    path = path.resolve()
    root = path.parent
    while (root / "__init__.py").exists():
        root = root.parent
    if path.is_dir() and not (path / "__init__.py").exists():
        sys.path.insert(0, str(path))  # a folder of modules, such as src/
        for child in sorted(path.iterdir()):
            if child.is_dir() and child.name in TESTS:
                found.skipped.append(Skipped(child.name, "tests"))
            elif child.suffix == ".py" or (child / "__init__.py").exists():
                _walk(child, child.stem, found)
        return
    sys.path.insert(0, str(root))
    name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    found.named.append(name)
    _walk(path, name, found)


def _find_dotted(target: str, found: Found) -> None:
    name, _, inside = target.partition(":")
    path = _locate(name)
    found.named.append(name)
    if path is None:
        found.extensions.append(name)
    elif path.name == "__init__.py" and not inside:
        _walk(path.parent, name, found)
    else:
        found.sources[name] = path
    if inside:
        found.chosen.setdefault(name, []).append(inside)


def _locate(name: str) -> Path | None:
    """The file of a module, None for a C extension; only the import system's finders are asked."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        raise UserError(f"not a module name or a path: {name}", "bad-target")
    try:
        spec = _fresh_spec(parts[0], None)
        for depth, part in enumerate(parts[1:], 2):
            if spec is None or spec.submodule_search_locations is None:
                spec = None
                break
            locations = list(spec.submodule_search_locations)
            spec = _fresh_spec(".".join(parts[:depth]), locations) if part else None
    except (ImportError, ValueError, AttributeError):
        spec = None
    if spec is None:
        raise UserError(f"no module named {name}{_nearest(name)}", "no-such-module")
    if spec.origin and spec.origin.endswith(".py"):
        return Path(spec.origin)
    if spec.submodule_search_locations:  # a namespace package has no file of its own
        return Path(next(iter(spec.submodule_search_locations))) / "__init__.py"
    return None


def _fresh_spec(name: str, path: list[str] | None) -> importlib.machinery.ModuleSpec | None:
    for finder in sys.meta_path:
        spec = finder.find_spec(name, path)
        if spec is not None:
            return spec
    return None


def _nearest(name: str) -> str:
    head, _, last = name.rpartition(".")
    try:
        parent = _locate(head) if head else None
        paths = [str(parent.parent)] if parent else None
    except UserError:
        return ""
    names = [m.name for m in pkgutil.iter_modules(paths)]
    near = difflib.get_close_matches(last, names, 1, 0.6)
    if near:
        return f"; did you mean {head + '.' if head else ''}{near[0]}?"
    return "" if head else "; install it, or name its folder with --path"


def _walk(path: Path, name: str, found: Found) -> None:
    """A module, or a package with everything below it."""
    if path.is_file():
        _add_file(path, name, found)
        return
    if (path / "__init__.py").exists():
        _add_file(path / "__init__.py", name, found)
    children = sorted(path.iterdir())
    compiled = {c.name.partition(".")[0]: None for c in children if c.name.endswith(EXTENSIONS)}
    found.extensions += [f"{name}.{stem}" for stem in compiled]
    for child in children:
        if child.stem in compiled or child.name.endswith(EXTENSIONS):
            continue  # of a module and what was compiled from it Python imports the latter
        if child.suffix == ".py" and child.name != "__init__.py":
            _add_file(child, f"{name}.{child.stem}", found)
        elif child.is_dir() and (child / "__init__.py").exists():
            if child.name in TESTS:
                found.skipped.append(Skipped(f"{name}.{child.name}", "tests"))
            else:
                _walk(child, f"{name}.{child.name}", found)


def _add_file(path: Path, name: str, found: Found) -> None:
    stem = path.stem
    if stem in ("__main__", "setup", "conftest"):
        found.skipped.append(Skipped(name, "a script, not a library module"))
    elif stem.startswith("test_") or stem.endswith("_test"):
        found.skipped.append(Skipped(name, "tests"))
    elif stem != "__init__" and not stem.isidentifier():
        found.skipped.append(Skipped(name, "cannot be imported by this name"))
    else:
        found.sources[name] = path


def prose(found: Found) -> list[str]:
    """The README of each package: beside a source tree, or as its installed description."""
    texts: dict[str, None] = {}
    for folder in {
        p.parents[n.count(".") + (p.name == "__init__.py")]: None for n, p in found.sources.items()
    }:
        for file in sorted((*folder.glob("README*"), *folder.parent.glob("README*")))[:1]:
            texts[file.read_text(errors="replace")] = None
    if not texts and found.sources:
        top = next(iter(found.sources)).partition(".")[0]
        for dist in importlib.metadata.packages_distributions().get(top, [])[:1]:
            texts[str(importlib.metadata.metadata(dist).json.get("description", ""))] = None
    return list(texts)


def parse(found: Found) -> tuple[list[Parsed], str]:
    """Syntax trees of all modules and one digest of their sources."""
    digest = hashlib.sha256()
    parsed: list[Parsed] = []
    mistakes: list[UserError] = []
    for name, path in found.sources.items():
        try:
            with tokenize.open(path) as stream:
                text = stream.read()
            digest.update(name.encode() + b"\0" + text.encode(errors="replace"))
            parsed.append(Parsed(name, path, ast.parse(text, str(path))))
        except (SyntaxError, UnicodeDecodeError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            message = f"syntax error in {path}, line {line}: {getattr(error, 'msg', error)}"
            mistakes.append(UserError(message, "syntax-error"))
            found.skipped.append(Skipped(name, message))
        except OSError as error:
            if path.exists() or path.name != "__init__.py":
                found.skipped.append(Skipped(name, f"cannot be read: {error.strerror}"))
    if mistakes and not parsed:
        raise mistakes[0]
    return parsed, digest.hexdigest()
