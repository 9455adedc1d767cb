"""When tests are written: a first time after a few seconds, beside exploring, and at the end."""

from __future__ import annotations

import threading
import time
from typing import Any

from tanteo.emit.suite import Suite
from tanteo.errors import UserError
from tanteo.execute.supervisor import Supervisor
from tanteo.store.database import Database, KeptRow
from tanteo.tally import Tally

FIRST = 0.05  # of the budget; then a round follows the other with pauses
LONG_ROUND = 0.35  # of the budget; looking at sequences takes most of the time, not writing
SHORT_ROUND = 2.0  # seconds that a round needs to be worth while
PUNCTUAL = 0.97  # of the budget: then everything is on disk
MEASURED = 1.7  # times a validation, kept for the last one, which has more tests than any before
ALONE = 1.6  # times a validation: nothing else runs beside the last one
LEAST, MOST = 0.15, 0.4  # of the budget, kept for the last round
HASTY, SPLIT = 12.0, 0.55  # a smaller budget has one round only, which gets this share of it
VALIDATION = 1.4  # seconds that the first one is expected to take
IMPATIENT = 6.0  # seconds for the last round after Ctrl-C
UNHURRIED = 3600.0  # seconds for the last round if steps alone decide


class Rounds:
    """Runs the rounds of a suite in a thread beside exploring, never two at once.

    Without a budget in seconds there is only the last round: what is written must not depend on the clock.
    """

    def __init__(self, suite: Suite, supervisor: Supervisor) -> None:
        self.suite, self._supervisor = suite, supervisor
        self.mishap = ""
        budget = supervisor.settings.seconds
        self._budget = budget
        self._next = FIRST * budget if budget else float("inf")
        self._thread: threading.Thread | None = None
        self._until = float("inf")
        self._rounds = 0  # as long as none has led to a test, the next one has twice the time
        if budget:
            supervisor.reserve = self._reserve()

    def consider(self, database: Database, tally: Tally) -> None:
        """Start a round if it is time for one."""
        now = self._supervisor.elapsed()
        budget = self._budget or 0.0
        self._supervisor.reserve = self._reserve()
        if now < self._next or (self._thread is not None and self._thread.is_alive()):
            return
        if not self.suite.study.started():  # exploring comes first; loading takes a while
            self.suite.study.start()
            return
        if budget < HASTY:
            return
        share = LONG_ROUND if self.suite.tests else min(LONG_ROUND, FIRST * 2**self._rounds)
        self._rounds += 1
        seconds = max(SHORT_ROUND, share * budget)
        self._begin(database, tally, self._supervisor.started + PUNCTUAL * budget, seconds, False)

    def _reserve(self) -> float:
        """Time for the last round: some to look at sequences, more than the last validation took."""
        budget = self._budget or 0.0
        if budget < HASTY:
            return SPLIT * budget
        wanted = max(LEAST * budget, SHORT_ROUND + max(2.0, MEASURED * self.suite.seconds))
        return min(MOST * budget, wanted)

    def finish(self, database: Database, tally: Tally) -> None:
        """The last round, over everything; an earlier one makes way for it unless it is about to write."""
        if self._thread is not None and not self.suite.validating:
            self._until = 0.0
        if self._thread is not None:
            self._thread.join()
        if not self.suite.study.started():
            self.suite.study.start()
        end = time.monotonic() + UNHURRIED
        if self._budget:
            end = self._supervisor.started + PUNCTUAL * self._budget
        if self._supervisor.stopped_by == "interrupt":  # somebody is waiting
            end = min(end, time.monotonic() + IMPATIENT)
        validation = max(VALIDATION, ALONE * self.suite.seconds)
        self._begin(database, tally, end, end - time.monotonic() - validation, True)
        assert self._thread is not None
        self._thread.join()

    def _begin(self, database: Database, tally: Tally, until: float, seconds: float, last: bool) -> None:
        accepted = self.suite.study.settings.accept
        faults = {name: fault for name, fault in tally.faults.items() if name not in accepted}
        task = database.kept(), faults, max(0.5, seconds), last
        self._until = until
        self._thread = threading.Thread(target=self._round, args=task, daemon=True)
        self._thread.start()

    def _round(self, rows: list[KeptRow], faults: dict[str, Any], seconds: float, last: bool) -> None:
        try:
            self.suite.round(rows, faults, seconds, lambda: self._until - time.monotonic(), last)
        except UserError as error:  # no reason to lose what was found
            self.mishap = error.args[0]
        except Exception as error:  # ours; told in the summary instead of a lost run
            self.mishap = f"{type(error).__name__}: {error}"

    def report(self) -> dict[str, Any]:
        """For the JSON file."""
        suite = self.suite
        found: dict[str, Any] = {
            "written": suite.tests,
            "files": suite.written,
            "dropped": {k: v for k, v in sorted((suite.study.dropped + suite.unstable).items()) if v},
            "faults": suite.fault_tests,
            "short": suite.short,
            "passing": sorted(suite.passing),
            "accepted": list(suite.study.settings.accept),
        }
        if suite.changed:
            found["changed"] = suite.changed
        if suite.coverage is not None:
            lines, branches = suite.coverage
            found["coverage"] = {"measured_by": "coverage.py", "lines_pct": lines, "branches_pct": branches}
        if self.mishap or suite.trouble:
            found["note"] = self.mishap or suite.trouble
        return found

    def close(self) -> None:
        """End everything that still runs."""
        self._until = 0.0
        if self._thread is not None:
            self._thread.join()
        self.suite.study.close()
