-- What a coordinator keeps beside the games: workers, leases, ratings, and who leads.

-- One row: the number of coordinators that this store has had. Each transaction of a coordinator
-- reads it, and fails if it is no longer its own.
CREATE TABLE cluster (
  epoch BIGINT NOT NULL
);
CREATE UNIQUE INDEX cluster_is_one_row ON cluster ((true));
INSERT INTO cluster (epoch) VALUES (0);

CREATE TABLE workers (
  name       TEXT PRIMARY KEY,
  slots      BIGINT NOT NULL,
  build      TEXT NOT NULL,
  quarantine TEXT NOT NULL  -- why it is given nothing; '' if it is given
);

CREATE TABLE leases (
  token      NUMERIC(20) PRIMARY KEY,  -- of fencing, never given twice
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  first      BIGINT NOT NULL,          -- game indices [first, last)
  last       BIGINT NOT NULL,
  worker     TEXT NOT NULL,
  instance   NUMERIC(20) NOT NULL,     -- of that name's processes
  ended      TEXT NOT NULL,            -- '', or how: finished, expired, …
  given_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
  ended_at   TIMESTAMPTZ               -- NULL: it has not
);
CREATE INDEX leases_live ON leases (token) WHERE ended = '';

CREATE TABLE ratings (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  time       TIMESTAMPTZ NOT NULL DEFAULT now(),
  games      BIGINT NOT NULL,            -- recorded until then
  bot        TEXT NOT NULL,              -- bots.name
  rating     DOUBLE PRECISION NOT NULL,  -- Elo
  error      DOUBLE PRECISION NOT NULL   -- standard error
);
CREATE INDEX ratings_of ON ratings (tournament, id);
