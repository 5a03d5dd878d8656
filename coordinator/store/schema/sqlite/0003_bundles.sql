-- Bots of people's own, for the workers to fetch.

CREATE TABLE bundles (
  number   INTEGER PRIMARY KEY,   -- the newest has the largest
  digest   TEXT NOT NULL UNIQUE,  -- SHA-256 of the files
  name     TEXT NOT NULL,
  version  TEXT NOT NULL,
  type     TEXT NOT NULL,         -- process, plugin
  manifest TEXT NOT NULL,         -- bot.yaml
  bytes    INTEGER NOT NULL,      -- of the tar
  added    TEXT NOT NULL,         -- UTC, 2026-11-21T10:00:00Z
  added_by TEXT NOT NULL,         -- operator, user
  tar      BLOB NOT NULL          -- the files
) STRICT;
