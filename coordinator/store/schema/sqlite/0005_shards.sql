-- Files of samples of self-play. A shard counts exactly if it is here.

CREATE TABLE shards (
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  shard      TEXT NOT NULL,     -- its name where the tournament's data is
  sha256     TEXT NOT NULL,     -- of the file
  samples    INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,  -- of the file
  games      INTEGER NOT NULL,
  first      INTEGER NOT NULL,  -- index of its first game
  last       INTEGER NOT NULL,  -- of its last one
  format     INTEGER NOT NULL,  -- of the file
  game       TEXT NOT NULL,     -- triumvirate
  spec       TEXT NOT NULL,     -- SHA-256 of what makes the tournament itself
  build      TEXT NOT NULL,     -- of the worker that wrote it
  PRIMARY KEY (tournament, shard)
) STRICT, WITHOUT ROWID;
