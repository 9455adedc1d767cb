-- The session on disk. Version 1.
-- History: 1 first version.

-- Facts about the session as a whole, one JSON value each:
--   format     version of this schema
--   identity   settings that must be equal for a run to continue this one
--   subject    what is under test (operations by number, arms, what was skipped)
--   tally      counters, faults and arms at the last commit
--   saved_at   when that was, on the monotonic clock of the machine
--   stopped_by, elapsed   how the run ended and how long it took in all
--   finished   whether the run came to its end
CREATE TABLE IF NOT EXISTS fact (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Sequences worth keeping: they reached a new arm, showed a new outcome, or feed the pools.
CREATE TABLE IF NOT EXISTS kept (
    job      INTEGER NOT NULL,  -- which explorer
    step     INTEGER NOT NULL,  -- its step number; unique within the job
    seconds  REAL    NOT NULL,  -- since that explorer began
    verdict  TEXT    NOT NULL,  -- normal or expected
    outcome  TEXT    NOT NULL,  -- tells outcomes of the last operation apart
    values_  TEXT    NOT NULL,  -- positions of the values that may be used again: "3,5"
    arms     TEXT    NOT NULL,  -- arms that this run was the first to reach: "12,40"
    code     BLOB    NOT NULL,  -- the sequence, one statement a line (see model.py)
    PRIMARY KEY (job, step)
) WITHOUT ROWID;
