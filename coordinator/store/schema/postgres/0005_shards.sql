-- Files of samples of self-play. A shard counts exactly if it is here.

CREATE TABLE shards (
  tournament bigint NOT NULL REFERENCES tournaments (id),
  shard      text NOT NULL,    -- its name where the tournament's data is
  sha256     text NOT NULL,    -- of the file
  samples    bigint NOT NULL,
  bytes      bigint NOT NULL,  -- of the file
  games      bigint NOT NULL,
  first      bigint NOT NULL,  -- index of its first game
  last       bigint NOT NULL,  -- of its last one
  format     bigint NOT NULL,  -- of the file
  game       text NOT NULL,    -- triumvirate
  spec       text NOT NULL,    -- SHA-256 of what makes the tournament itself
  build      text NOT NULL,    -- of the worker that wrote it
  PRIMARY KEY (tournament, shard)
);
