-- The object/transition database (paper 001, section IV), with interned abstract states.
-- An object is no pickle but a recipe: the calls that make it, which can be replayed and printed as a test.

CREATE TABLE IF NOT EXISTS kind (
    kind INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE            -- the class, with its module
);
CREATE TABLE IF NOT EXISTS question (
    question INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES kind,
    text TEXT NOT NULL,                  -- an expression over x
    family TEXT NOT NULL,                -- query, element, threshold: what it was made from
    UNIQUE (kind, text)
);
CREATE TABLE IF NOT EXISTS state (
    state INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES kind,
    answers TEXT NOT NULL,               -- a sign for each question of the class: 1, 0, 2 (raises), - (no answer)
    UNIQUE (kind, answers)
);
CREATE TABLE IF NOT EXISTS holds (
    question INTEGER NOT NULL REFERENCES question,
    answer INTEGER NOT NULL,             -- 1, 0 or 2
    state INTEGER NOT NULL REFERENCES state,
    PRIMARY KEY (question, answer, state)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recipe (
    recipe INTEGER PRIMARY KEY,
    code BLOB NOT NULL UNIQUE,           -- statements, as in the session
    length INTEGER NOT NULL              -- calls that it makes
);
CREATE TABLE IF NOT EXISTS object (
    state INTEGER NOT NULL REFERENCES state,
    length INTEGER NOT NULL,             -- of the recipe: short ones come first
    recipe INTEGER NOT NULL REFERENCES recipe,
    position INTEGER NOT NULL,           -- of the statement that leaves it behind
    PRIMARY KEY (state, length, recipe, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS test (
    test INTEGER PRIMARY KEY,
    operation TEXT NOT NULL,
    recipe INTEGER NOT NULL REFERENCES recipe,
    outcome TEXT NOT NULL,               -- normal, or what was raised
    before TEXT NOT NULL,                -- literals that held, as a number in hexadecimal: see clause
    after TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS test_operation ON test (operation);
CREATE TABLE IF NOT EXISTS relation (
    text TEXT NOT NULL,                  -- over x and y, true
    kind_x INTEGER NOT NULL,
    kind_y INTEGER NOT NULL,
    recipe INTEGER NOT NULL REFERENCES recipe,
    position_x INTEGER NOT NULL,
    position_y INTEGER NOT NULL,
    PRIMARY KEY (text, kind_x, kind_y, recipe, position_x, position_y)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS transition (
    operation TEXT NOT NULL,
    state_before INTEGER NOT NULL REFERENCES state,
    state_after INTEGER NOT NULL REFERENCES state,
    times INTEGER NOT NULL,
    recipe INTEGER NOT NULL REFERENCES recipe,  -- one in which the last call did it, to its first input
    PRIMARY KEY (state_before, state_after, operation)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked (
    text TEXT NOT NULL                   -- a question that the search has asked, with its values and row count
);
CREATE TABLE IF NOT EXISTS clause (
    operation TEXT NOT NULL,
    sort TEXT NOT NULL,                  -- invariant, precondition, postcondition, implication, raises
    text TEXT NOT NULL,
    calls INTEGER NOT NULL,              -- that support it
    states INTEGER NOT NULL,             -- different ones
    status TEXT NOT NULL,                -- open, refuted, confirmed, fault
    words TEXT NOT NULL,                 -- why, or what is missing
    witness INTEGER REFERENCES recipe,   -- the call that decided it
    PRIMARY KEY (operation, sort, text)
) WITHOUT ROWID;
