"""Targets in, a subject ready to run out: found, parsed, probed, imported, its operations read."""

from __future__ import annotations

import ast
import importlib
import platform
import sys
import threading
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tanteo import discover, evidence, examples, literals, operations, probes
from tanteo.bindings import Bindings
from tanteo.declared.legality import guard_calls
from tanteo.disarm import functions_of
from tanteo.errors import UserError
from tanteo.fixtures import add_fixtures
from tanteo.guesses import Knowledge
from tanteo.makers import add_makers
from tanteo.offers import add_objects, offer_classes
from tanteo.stubs import Stubs
from tanteo.subject import Skipped, Subject
from tanteo.uses import Use

Avoid = dict[str, str]  # module -> why it must not be imported


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to load."""

    targets: tuple[str, ...]
    private: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    makers: tuple[str, ...] = ()  # module:name
    conftests: tuple[str, ...] = ()  # files
    without: tuple[str, ...] = ()  # parts that are switched off
    typeshed: str = ""  # the folder of its stubs


@dataclass(frozen=True, slots=True)
class Loaded:
    """A subject with its live side."""

    subject: Subject
    bindings: Bindings
    literals: literals.Literals
    hits: probes.Hits
    implied: dict[int, int]  # arm -> function entry, see probes
    functions: list[types.FunctionType]  # those with probes


def import_error(error: BaseException) -> str:
    """Why an import failed, in one line."""
    text = " ".join(str(error).split())[:200]
    return f"cannot be imported: {type(error).__name__}: {text}".rstrip(": ")


def import_modules(names: list[str]) -> Avoid:
    """Import what can be imported; what cannot, with the reason."""
    failed: Avoid = {}
    for name in names:
        try:
            importlib.import_module(name)
        except (Exception, SystemExit) as error:
            failed[name] = import_error(error)
    return failed


Trial = Callable[[list[str], probes.Finder], Avoid]


def no_trial(names: list[str], finder: probes.Finder) -> Avoid:
    """For subjects that are trusted to be importable, in tests and benchmarks."""
    return {}


Inquiry = Callable[[Bindings], Mapping[int, Mapping[str, Use]]]


def load(
    wanted: Wanted, trial: Trial = no_trial, with_probes: bool = True, inquiry: Inquiry | None = None
) -> Loaded:
    """Load the subject; `trial` imports the modules somewhere harmless first and says which not to.

    `inquiry` calls operations with stand-ins; it needs a process of its own, too.
    """
    found = discover.find(list(wanted.targets), list(wanted.include), list(wanted.exclude))
    parsed, digest = discover.parse(found)
    known = _knowledge(parsed, found, wanted)  # of the source as it is, before there are probes in it
    mined, probed = _probe(parsed, wanted) if with_probes else (literals.Literals(), [])
    hits = probes.Hits(sum(len(p.blocks) for p in probed))
    finder = probes.Finder(probed, hits)
    names = [m.name for m in parsed] + found.extensions
    finder.install()
    avoid = trial(names, finder)
    avoid |= import_modules([n for n in names if n not in avoid])
    skipped = [*found.skipped, *(Skipped(name, reason) for name, reason in avoid.items())]
    modules = [sys.modules[n] for n in names if n not in avoid and n in sys.modules]
    bindings = _read(modules, found, wanted)
    add_makers(bindings, wanted.makers)
    add_fixtures(bindings, wanted.conftests)
    operations.guess(bindings, known)
    if inquiry is not None and "stand-in" not in wanted.without:
        operations.hear(bindings, known, inquiry(bindings))
    if "offers" not in wanted.without:
        offer_classes(bindings)
    guard_calls(bindings)
    if all(operation.kind == "display" for operation in bindings.operations):
        raise _nothing_to_test(wanted, [*skipped, *bindings.skipped])
    good = [p for p in probed if p.name not in avoid]
    arms = [pair for p in good for pair in p.arms]
    subject = Subject(
        targets=wanted.targets,
        modules=tuple(m.__name__ for m in modules),
        operations=tuple(bindings.operations),
        skipped=(*skipped, *bindings.skipped),
        arms=tuple(arm for _, arm in arms),
        arm_numbers=tuple(number for number, _ in arms),
        lines=sum(sum(p.blocks) for p in good),
        blocks=tuple(b for p in probed for b in p.blocks),
        imported=tuple(probes.set_bits(hits)),
        unmeasured=tuple(n for n in found.extensions if n not in avoid),
        digest=digest,
        python=platform.python_version(),
        threads=threading.active_count() > 1,
        files={m.name: str(m.path) for m in parsed},
    )
    implied = {arm: entry for p in probed for arm, entry in p.implied.items()}
    functions = functions_of(subject.files.values())
    return Loaded(subject, bindings, mined, hits, implied, functions)


def _probe(parsed: list[discover.Parsed], wanted: Wanted) -> tuple[literals.Literals, list[probes.Probed]]:
    """Constants of the source, and its trees with probes that are numbered through."""
    mined, probed, number = literals.Literals(), [], 0
    for module in parsed:
        if "mined" not in wanted.without:
            mined.add_mined(module.name, literals.mine(module.tree))
        probed.append(probes.probe(module.tree, module.name, module.path, number))
        number += len(probed[-1].blocks)
    return mined, probed


def _knowledge(parsed: list[discover.Parsed], found: discover.Found, wanted: Wanted) -> Knowledge:
    """What the sources about parameters are read from."""
    return Knowledge(
        {module.name: evidence.read_uses(module.tree) for module in parsed},
        examples.read_calls([module.tree for module in parsed], discover.prose(found)),
        off=frozenset(wanted.without),
        stubs=Stubs(wanted.typeshed),
        asynchronous=any(isinstance(n, ast.AsyncFunctionDef) for m in parsed for n in ast.walk(m.tree)),
    )


def _read(modules: list[types.ModuleType], found: discover.Found, wanted: Wanted) -> Bindings:
    roots = frozenset(m.__name__.partition(".")[0] for m in modules)
    for module, names in found.chosen.items():
        for name in names:
            thing: object = sys.modules.get(module)
            for part in name.split("."):
                if thing is not None and not hasattr(thing, part):
                    raise UserError(f"{module} has no {name}", "no-such-name")
                thing = getattr(thing, part, None)
    more = "subclass" not in wanted.without
    bindings = operations.read_modules(modules, roots, found.chosen, wanted.private, more, tuple(found.named))
    if "offers" not in wanted.without:
        add_objects(bindings, modules, roots)
    return bindings


def _nothing_to_test(wanted: Wanted, skipped: list[Skipped]) -> UserError:
    why = "; ".join(f"{s.name}: {s.reason}" for s in skipped[:3]) or "no public function or class"
    more = f" (and {len(skipped) - 3} more, see tanteo list)" if len(skipped) > 3 else ""
    return UserError(f"nothing to test in {' '.join(wanted.targets)}: {why}{more}", "nothing-to-test")
