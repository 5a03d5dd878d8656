-- Bots of people's own, for the workers to fetch.

CREATE TABLE bundles (
  digest   TEXT PRIMARY KEY,        -- SHA-256 of the files
  number   BIGINT NOT NULL UNIQUE,  -- the newest has the largest
  name     TEXT NOT NULL,
  version  TEXT NOT NULL,
  type     TEXT NOT NULL,           -- process, plugin
  manifest TEXT NOT NULL,           -- bot.yaml
  bytes    BIGINT NOT NULL,         -- of the tar
  added    TIMESTAMPTZ NOT NULL,
  added_by TEXT NOT NULL,           -- operator, user
  tar      BYTEA NOT NULL           -- the files
);
