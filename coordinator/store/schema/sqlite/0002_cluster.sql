-- What a coordinator keeps beside the games: how tournaments stand, workers, leases, ratings.

ALTER TABLE tournaments ADD COLUMN spec_text TEXT NOT NULL DEFAULT '';  -- as it was given, YAML
-- active, paused, cancelled; it is done when all its games are recorded
ALTER TABLE tournaments ADD COLUMN state TEXT NOT NULL DEFAULT 'active';

-- What its type must have at every worker of the tournament; '' until the first one plays.
ALTER TABLE bots ADD COLUMN digest TEXT NOT NULL DEFAULT '';

-- One row: the number of coordinators that this store has had.
CREATE TABLE cluster (
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO cluster (epoch) VALUES (0);

CREATE TABLE workers (
  name       TEXT PRIMARY KEY,
  slots      INTEGER NOT NULL,
  build      TEXT NOT NULL,
  quarantine TEXT NOT NULL  -- why it is given nothing; '' if it is given
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  token      INTEGER PRIMARY KEY,  -- of fencing, never given twice
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  first      INTEGER NOT NULL,     -- game indices [first, last)
  last       INTEGER NOT NULL,
  worker     TEXT NOT NULL,
  instance   INTEGER NOT NULL,     -- of that name's processes
  ended      TEXT NOT NULL         -- '', or how: finished, expired, …
) STRICT;
CREATE INDEX leases_live ON leases (token) WHERE ended = '';

CREATE TABLE ratings (
  id         INTEGER PRIMARY KEY,
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  time       TEXT NOT NULL,     -- UTC, 2026-11-21T10:00:00Z
  games      INTEGER NOT NULL,  -- recorded until then
  bot        TEXT NOT NULL,
  rating     REAL NOT NULL,     -- Elo
  error      REAL NOT NULL      -- standard error
) STRICT;
CREATE INDEX ratings_of ON ratings (tournament, id);
