-- The study file of Heldout, version 1. Any SQLite tool reads it; docs/study-file.md explains it.
-- Facts are written once and stand in one chain: number, previous and hash say in which order and after what.

PRAGMA application_id = 1212501060;  -- 'HELD'
PRAGMA user_version = 1;

CREATE TABLE fact (
    number   INTEGER PRIMARY KEY,                              -- 1, 2, 3, … without a gap
    kind     TEXT NOT NULL CHECK (typeof(kind) = 'text'),      -- study, seal, plan, cell, score, look, …
    key      TEXT NOT NULL CHECK (typeof(key) = 'text'),       -- names it among its kind, mostly a digest
    body     TEXT NOT NULL CHECK (typeof(body) = 'text'),      -- JSON: sorted keys, no blanks
    arrays   TEXT NOT NULL CHECK (typeof(arrays) = 'text'),    -- JSON: digests of its arrays by name
    at       TEXT NOT NULL CHECK (typeof(at) = 'text'),        -- universal time
    previous TEXT NOT NULL CHECK (length(previous) = 64),      -- hash of the fact before; zeros for the first
    hash     TEXT NOT NULL CHECK (length(hash) = 64),          -- SHA-256 of seven lines, as below
    UNIQUE (kind, key)
);

-- hash: SHA-256 of previous, number, at, kind, key, arrays and body, joined by line breaks.

CREATE TABLE array (
    fact    INTEGER NOT NULL REFERENCES fact (number) DEFERRABLE INITIALLY DEFERRED,
    name    TEXT NOT NULL CHECK (typeof(name) = 'text'),
    dtype   TEXT NOT NULL CHECK (typeof(dtype) = 'text'),      -- as NumPy spells it: <f8, |b1, <U5
    shape   TEXT NOT NULL CHECK (typeof(shape) = 'text'),      -- JSON: [rows] or [rows,columns]
    digest  TEXT NOT NULL CHECK (length(digest) = 64),         -- SHA-256 of dtype, ' ', shape, '\n', content
    content BLOB NOT NULL CHECK (typeof(content) = 'blob'),
    PRIMARY KEY (fact, name)
);

CREATE TRIGGER fact_continues_the_chain BEFORE INSERT ON fact
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM fact)
  OR NEW.previous IS NOT coalesce(
         (SELECT hash FROM fact ORDER BY number DESC LIMIT 1),
         '0000000000000000000000000000000000000000000000000000000000000000')
  OR EXISTS (SELECT 1 FROM fact WHERE kind = NEW.kind AND key = NEW.key)
BEGIN SELECT RAISE(ABORT, 'a fact continues the chain, and is written once'); END;

CREATE TRIGGER fact_is_never_changed BEFORE UPDATE ON fact
BEGIN SELECT RAISE(ABORT, 'a fact is never changed'); END;

CREATE TRIGGER fact_is_never_deleted BEFORE DELETE ON fact
BEGIN SELECT RAISE(ABORT, 'a fact is never deleted'); END;

-- Arrays are written just before their fact, whose hash then closes over them.
CREATE TRIGGER array_belongs_to_the_next_fact BEFORE INSERT ON array
WHEN NEW.fact IS NOT (SELECT coalesce(max(number), 0) + 1 FROM fact)
  OR EXISTS (SELECT 1 FROM array WHERE fact = NEW.fact AND name = NEW.name)
BEGIN SELECT RAISE(ABORT, 'an array is written once, with its fact'); END;

CREATE TRIGGER array_is_never_changed BEFORE UPDATE ON array
BEGIN SELECT RAISE(ABORT, 'an array is never changed'); END;

CREATE TRIGGER array_is_never_deleted BEFORE DELETE ON array
BEGIN SELECT RAISE(ABORT, 'an array is never deleted'); END;

-- One view per kind: the fields that people ask for. The rest is in fact.body, for json_extract.

CREATE VIEW study AS
SELECT number, at, key AS digest,
       json_extract(body, '$.roles.target') AS target, json_extract(body, '$.roles.kind') AS kind,
       json_extract(body, '$.roles.groups') AS groups, json_extract(body, '$.roles.time') AS time,
       json_extract(body, '$.n_table_rows') AS n_table_rows,
       json_extract(body, '$.n_task_rows') AS n_task_rows,
       json_extract(body, '$.table_digest') AS table_digest, json_extract(body, '$.source.path') AS source,
       json_extract(body, '$.held') AS held, json_extract(body, '$.looks_allowed') AS looks_allowed,
       json_extract(body, '$.seed') AS seed, json_extract(body, '$.is_seed_given') AS is_seed_given
FROM fact WHERE kind = 'study' ORDER BY number;

CREATE VIEW seal AS
SELECT number, at, key AS digest,
       json_extract(body, '$.n_open') AS n_open, json_extract(body, '$.n_held') AS n_held,
       json_extract(body, '$.n_left_out') AS n_left_out, json_extract(body, '$.how') AS how,
       json_extract(body, '$.seed') AS seed,
       json_extract(body, '$.open_digest') AS open_rows, json_extract(body, '$.held_digest') AS held_rows
FROM fact WHERE kind = 'seal' ORDER BY number;

CREATE VIEW plan AS
SELECT number, at, key AS digest,
       json_extract(body, '$.plan.rigor') AS rigor,
       coalesce(json_extract(body, '$.plan.choose_by.name'),
                json_extract(body, '$.plan.choose_by')) AS choose_by,
       json_extract(body, '$.choose_reason') AS choose_reason,
       json_array_length(body, '$.contenders') AS n_contenders, json_array_length(body, '$.folds') AS n_folds,
       json_extract(body, '$.plan.folds') AS folds, json_extract(body, '$.plan.tuning') AS tuning,
       json_extract(body, '$.plan.seed') AS seed, json_extract(body, '$.protocol') AS protocol
FROM fact WHERE kind = 'plan' ORDER BY number;

CREATE VIEW contender AS
SELECT number, at, key AS digest,
       json_extract(body, '$.name') AS name, json_extract(body, '$.is_baseline') AS is_baseline,
       json_extract(body, '$.n_settings') AS n_settings,
       coalesce(json_extract(body, '$.contender.learner'), json_extract(body, '$.learner')) AS learner,
       coalesce(json_extract(body, '$.contender.space'), json_extract(body, '$.space')) AS space
FROM fact WHERE kind = 'contender' ORDER BY number;

CREATE VIEW cell AS
SELECT number, at, key,
       json_extract(body, '$.result.contender') AS contender, json_extract(body, '$.result.name') AS name,
       json_extract(body, '$.result.repeat') AS repeat, json_extract(body, '$.result.fold') AS fold,
       json_extract(body, '$.result.n_rows') AS n_rows, json_extract(body, '$.result.chosen') AS chosen,
       json_extract(body, '$.result.bits') AS bits,
       json_extract(body, '$.clock.seconds.tune') AS tune_seconds,
       json_extract(body, '$.clock.seconds.fit') AS fit_seconds,
       json_extract(body, '$.clock.seconds.predict') AS predict_seconds
FROM fact WHERE kind = 'cell' ORDER BY number;

CREATE VIEW score AS
SELECT fact.number, fact.at, cell.key AS cell,
       json_extract(cell.body, '$.result.contender') AS contender,
       json_extract(cell.body, '$.result.name') AS name,
       json_extract(cell.body, '$.result.repeat') AS repeat, json_extract(cell.body, '$.result.fold') AS fold,
       json_extract(fact.body, '$.metric') AS metric,
       CASE json_extract(fact.body, '$.value')  -- a word would count as 0 in a mean
           WHEN 'inf' THEN 9e999 WHEN '-inf' THEN -9e999 ELSE json_extract(fact.body, '$.value')
       END AS value
FROM fact
LEFT JOIN fact AS cell
       ON cell.kind = 'cell'
      AND cell.key = substr(fact.key, 1, length(fact.key) - length(json_extract(fact.body, '$.metric')) - 1)
WHERE fact.kind = 'score' ORDER BY fact.number;

CREATE VIEW look AS
SELECT number, at, key,
       json_extract(body, '$.what') AS what, json_extract(body, '$.by') AS by_whom,
       json_extract(body, '$.role') AS role, json_extract(body, '$.n_rows') AS n_rows,
       json_extract(body, '$.rows') AS rows_digest, json_extract(body, '$.bits') AS bits,
       json_extract(body, '$.gives_all') AS gives_all, json_extract(body, '$.reason') AS reason
FROM fact WHERE kind = 'look' ORDER BY number;

CREATE VIEW failure AS
SELECT number, at, key,
       json_extract(body, '$.cell') AS cell, json_extract(body, '$.contender') AS contender,
       json_extract(body, '$.name') AS name, json_extract(body, '$.error') AS error,
       json_extract(body, '$.attempts') AS attempts, json_extract(body, '$.is_crash') AS is_crash
FROM fact WHERE kind = 'failure' ORDER BY number;

CREATE VIEW verdict AS
SELECT number, at, key,
       json_extract(body, '$.plan') AS plan, json_extract(body, '$.winner') AS winner,
       json_extract(body, '$.best') AS best, json_extract(body, '$.beats_baseline') AS beats_baseline,
       json_extract(body, '$.metric') AS metric, json_extract(body, '$.number.estimate') AS estimate,
       json_extract(body, '$.number.low') AS low, json_extract(body, '$.number.high') AS high,
       json_extract(body, '$.text') AS text
FROM fact WHERE kind = 'verdict' ORDER BY number;

CREATE VIEW unseal AS
SELECT number, at, key,
       json_extract(body, '$.contender') AS contender, json_extract(body, '$.look_number') AS look_number,
       json_extract(body, '$.looks_allowed') AS looks_allowed,
       json_extract(body, '$.score.estimate') AS estimate,
       json_extract(body, '$.score.low') AS low, json_extract(body, '$.score.high') AS high,
       json_extract(body, '$.detail') AS detail, json_extract(body, '$.bits') AS bits,
       json_extract(body, '$.reason') AS reason
FROM fact WHERE kind = 'unseal' ORDER BY number;

CREATE VIEW model AS
SELECT number, at, key,
       json_extract(body, '$.contender') AS contender, json_extract(body, '$.name') AS name,
       json_extract(body, '$.setting') AS setting, json_extract(body, '$.rows') AS rows_digest,
       json_extract(body, '$.n_rows') AS n_rows
FROM fact WHERE kind = 'model' ORDER BY number;

CREATE VIEW curve AS
SELECT number, at, key AS digest,
       json_extract(body, '$.curve') AS curve, json_extract(body, '$.request.name') AS name,
       json_extract(body, '$.request') AS request, json_extract(body, '$.result') AS result
FROM fact WHERE kind = 'curve' ORDER BY number;
