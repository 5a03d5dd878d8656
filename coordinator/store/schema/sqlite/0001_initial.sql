-- Defines all tables of a SQLite file: tournaments with their games, and a coordinator's data.

-- Apart from `tournaments.spec` and `game_texts`, all data about games is redundant and exists for
-- queries.

CREATE TABLE tournaments (
  id             INTEGER PRIMARY KEY,
  name           TEXT NOT NULL,
  game           TEXT NOT NULL,             -- triumvirate, …
  spec_text      TEXT NOT NULL DEFAULT '',  -- the submitted YAML; '' if not submitted as text
  spec           TEXT NOT NULL,             -- JSON; spec ->> 'games' is the requested number of games
  -- active, paused, cancelled, deleting or deleted; the tournament is done when all its games are
  -- recorded. Of a deleted tournament, only this row and its bots are left.
  state          TEXT NOT NULL DEFAULT 'active',
  priority       INTEGER NOT NULL DEFAULT 0,  -- higher first
  share          INTEGER NOT NULL DEFAULT 1,  -- of the workers' time, among equal priorities
  created        TEXT NOT NULL,             -- UTC, 2026-11-21T10:00:00Z
  ended          TEXT,                      -- when it was done or cancelled, or NULL
  games_recorded INTEGER NOT NULL DEFAULT 0,
  -- Of these, games of audited workers: those played again, those that count because other games of
  -- their workers were played again, and those that cannot be audited.
  games_audited   INTEGER NOT NULL DEFAULT 0,
  games_confirmed INTEGER NOT NULL DEFAULT 0,
  games_unaudited INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE bots (
  id         INTEGER PRIMARY KEY,
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  number     INTEGER NOT NULL,  -- position in the tournament's list, from 0
  name       TEXT NOT NULL,
  bot        TEXT NOT NULL,     -- the bot type: random, paranoid, …
  options    TEXT NOT NULL,     -- the type with its options: paranoid:depth=2
  -- digest that its type must have on every worker; '' until a worker has played
  digest     TEXT NOT NULL DEFAULT '',
  UNIQUE (tournament, number),
  UNIQUE (tournament, name)
) STRICT;

CREATE TABLE games (
  id            INTEGER PRIMARY KEY,
  tournament    INTEGER NOT NULL REFERENCES tournaments (id),
  idx           INTEGER NOT NULL,  -- the game's index in its tournament, from 0
  match         INTEGER NOT NULL,  -- games of one match share bots and opening
  seed          TEXT NOT NULL,     -- decimal, up to 2^64 - 1
  result        TEXT NOT NULL,     -- 1-0-0: which seats share first place
  placement     TEXT NOT NULL,     -- 1-3-2: the place of each seat
  termination   TEXT NOT NULL,     -- why play stopped: checkmate, stalemate, …
  plies         INTEGER NOT NULL,
  opening_plies INTEGER NOT NULL,  -- those given by the opening
  UNIQUE (tournament, idx)
) STRICT;

CREATE TABLE game_seats (
  game      INTEGER NOT NULL REFERENCES games (id),
  seat      INTEGER NOT NULL,  -- 1, 2, 3: the order of play
  bot       INTEGER NOT NULL REFERENCES bots (id),
  place     INTEGER NOT NULL,  -- 1 is best
  points    REAL NOT NULL,     -- placement points: 1, 1/2, 0; ties get the mean
  ending    TEXT,              -- how it was eliminated; NULL if not eliminated
  moves     INTEGER NOT NULL,
  nodes     INTEGER NOT NULL,
  time_us   INTEGER NOT NULL,
  cpu_us    INTEGER,           -- NULL if not measured
  fallbacks INTEGER NOT NULL,  -- moves that the bot failed to choose
  PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- Separate from `games`, so that queries of results do not read the moves.
CREATE TABLE game_texts (
  game INTEGER PRIMARY KEY REFERENCES games (id),
  tpgn TEXT NOT NULL
) STRICT;

-- The results of each 128 consecutive games, and sums of their costs, packed for standings
-- (coordinator/store/tally.h). A tally changes in the transaction that records its games.
CREATE TABLE tallies (
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  number     INTEGER NOT NULL,  -- of games 128 * number to 128 * number + 127
  tally      BLOB NOT NULL,
  PRIMARY KEY (tournament, number)
) STRICT;

-- One row per game, for people: SELECT * FROM game_list LIMIT 10;
CREATE VIEW game_list AS
SELECT games.tournament, games.idx, games.match,
       max(CASE game_seats.seat WHEN 1 THEN bots.name END) AS first_seat,
       max(CASE game_seats.seat WHEN 2 THEN bots.name END) AS second_seat,
       max(CASE game_seats.seat WHEN 3 THEN bots.name END) AS third_seat,
       games.result, games.placement, games.termination, games.plies
FROM games
JOIN game_seats ON game_seats.game = games.id
JOIN bots ON bots.id = game_seats.bot
GROUP BY games.id
ORDER BY games.tournament, games.idx;

-- One row: how many coordinators have led.
CREATE TABLE cluster (
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO cluster (epoch) VALUES (0);

CREATE TABLE workers (
  name       TEXT PRIMARY KEY,
  slots      INTEGER NOT NULL,
  build      TEXT NOT NULL,
  quarantine TEXT NOT NULL,  -- why it gets no games; '' if not quarantined
  seen       TEXT NOT NULL   -- when it registered last
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  token      INTEGER PRIMARY KEY,  -- for fencing, never reused
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  first      INTEGER NOT NULL,     -- game indices [first, last)
  last       INTEGER NOT NULL,
  worker     TEXT NOT NULL,
  instance   INTEGER NOT NULL,     -- which of the processes with that name
  ended      TEXT NOT NULL,        -- '' while live, else finished, expired, …
  ended_at   TEXT                  -- NULL while live
) STRICT;
CREATE INDEX leases_live ON leases (token) WHERE ended = '';

CREATE TABLE ratings (
  id         INTEGER PRIMARY KEY,
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  time       TEXT NOT NULL,     -- UTC, 2026-11-21T10:00:00Z
  games      INTEGER NOT NULL,  -- games recorded by then
  bot        TEXT NOT NULL,
  rating     REAL NOT NULL,     -- Elo
  error      REAL NOT NULL      -- standard error
) STRICT;
CREATE INDEX ratings_of ON ratings (tournament, id);
CREATE INDEX ratings_of_bot ON ratings (tournament, bot, id);

-- User-supplied bots, for workers to fetch.
CREATE TABLE bundles (
  number   INTEGER PRIMARY KEY,   -- the newest has the largest
  digest   TEXT NOT NULL UNIQUE,  -- SHA-256 of the files
  name     TEXT NOT NULL,
  version  TEXT NOT NULL,
  type     TEXT NOT NULL,         -- process, plugin, torch
  manifest TEXT NOT NULL,         -- bot.yaml
  bytes    INTEGER NOT NULL,      -- size of the tar
  added    TEXT NOT NULL,         -- UTC, 2026-11-21T10:00:00Z
  added_by TEXT NOT NULL,         -- operator, or the name of a user
  tar      BLOB NOT NULL          -- the files
) STRICT;

-- Reports about forfeits, for the bots' authors: of each bot and kind, those recorded first.
CREATE TABLE faults (
  tournament  INTEGER NOT NULL,  -- as in games, like idx
  idx         INTEGER NOT NULL,
  seat        INTEGER NOT NULL,  -- 1, 2, 3: the order of play
  bot         INTEGER NOT NULL REFERENCES bots (id),
  ply         INTEGER NOT NULL,  -- the number of the ply that was to be played, from 1
  kind        TEXT NOT NULL,     -- time_forfeit, illegal_move, crash
  message     TEXT NOT NULL,     -- it did not answer in time
  answer      TEXT NOT NULL,     -- the illegal answer, else ''
  exit_status TEXT NOT NULL,     -- exit code 1, or '' if it did not exit by itself
  errors      TEXT NOT NULL,     -- the end of its standard error
  protocol    TEXT NOT NULL,     -- the last lines sent and received
  PRIMARY KEY (tournament, idx, seat)
) STRICT;
CREATE INDEX faults_of ON faults (bot, kind);

-- Matches that were chosen from the results of earlier ones.
CREATE TABLE batches (
  tournament  INTEGER NOT NULL REFERENCES tournaments (id),
  first_match INTEGER NOT NULL,  -- number of its first match
  matches     TEXT NOT NULL,     -- JSON: a list of {number, first_game, bots, options}
  PRIMARY KEY (tournament, first_match)
) STRICT, WITHOUT ROWID;

-- Files with self-play samples. A shard counts if and only if it is listed here.
CREATE TABLE shards (
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  shard      TEXT NOT NULL,     -- its name in the location of the tournament's data
  sha256     TEXT NOT NULL,     -- digest of the file
  samples    INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,  -- size of the file
  games      INTEGER NOT NULL,
  first      INTEGER NOT NULL,  -- index of its first game
  last       INTEGER NOT NULL,  -- index of its last game
  format     INTEGER NOT NULL,  -- version of the file format
  game       TEXT NOT NULL,     -- triumvirate
  spec       TEXT NOT NULL,     -- SHA-256 of the tournament's identity
  build      TEXT NOT NULL,     -- build of the worker that wrote it
  PRIMARY KEY (tournament, shard)
) STRICT, WITHOUT ROWID;

-- Reports of audited workers, until their games count and are recorded.
CREATE TABLE held_reports (
  id            INTEGER PRIMARY KEY,  -- later reports have higher ones
  tournament    INTEGER NOT NULL REFERENCES tournaments (id),
  worker        TEXT NOT NULL,
  owner         TEXT NOT NULL,     -- the name of the worker's token
  audits        INTEGER NOT NULL,  -- that the worker must pass before the games count
  passes_before INTEGER NOT NULL,  -- audits in this tournament that it had passed before
  games         TEXT NOT NULL,     -- their indices: 3,4,7
  report        BLOB NOT NULL      -- the worker's ReportRequest
) STRICT;

-- Reported games that were played again by a worker of another owner.
CREATE TABLE audits (
  id         INTEGER PRIMARY KEY,
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  idx        INTEGER NOT NULL,
  worker     TEXT NOT NULL,  -- that reported the game
  owner      TEXT NOT NULL,
  auditor    TEXT NOT NULL,  -- the worker that played it again
  outcome    TEXT NOT NULL,  -- passed, lied, auditor_lied, irreproducible
  time       TEXT NOT NULL   -- UTC, 2026-11-21T10:00:00Z
) STRICT;

-- The tables of an arena (arena/table/event.h), of which the events are everything.
CREATE TABLE arena_tables (
  id        TEXT PRIMARY KEY,  -- a UUID
  game      TEXT NOT NULL,     -- triumvirate, …
  opened_ms INTEGER NOT NULL,  -- milliseconds since 1970, UTC
  ended_ms  INTEGER NOT NULL DEFAULT 0  -- 0 while it is live
) STRICT, WITHOUT ROWID;
CREATE INDEX arena_tables_live ON arena_tables (ended_ms);

CREATE TABLE arena_events (
  table_id TEXT NOT NULL REFERENCES arena_tables (id),
  n        INTEGER NOT NULL,  -- from 0
  event    TEXT NOT NULL,     -- JSON
  PRIMARY KEY (table_id, n)
) STRICT, WITHOUT ROWID;

-- The tournaments to which an arena adds its games.
CREATE TABLE arena_tournaments (
  name       TEXT PRIMARY KEY,
  tournament INTEGER NOT NULL REFERENCES tournaments (id)
) STRICT, WITHOUT ROWID;

-- Where a table's game is recorded.
CREATE TABLE arena_games (
  table_id   TEXT PRIMARY KEY,
  tournament INTEGER NOT NULL,  -- as in games, like idx
  idx        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Players with accounts.
CREATE TABLE arena_players (
  id         TEXT PRIMARY KEY,  -- the name in lower case
  name       TEXT NOT NULL,
  owner      TEXT NOT NULL,     -- players with one owner do not meet in rated games
  key_hash   TEXT NOT NULL,     -- SHA-256
  created_ms INTEGER NOT NULL  -- milliseconds since 1970, UTC
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX arena_players_key ON arena_players (key_hash);

-- Whom the operators of an arena have blocked or muted.
CREATE TABLE arena_bans (
  kind     TEXT NOT NULL,  -- name, address, mute
  what     TEXT NOT NULL,  -- a pattern of names in lower case, or a range of addresses
  note     TEXT NOT NULL,
  since_ms INTEGER NOT NULL,  -- milliseconds since 1970, UTC
  PRIMARY KEY (kind, what)
) STRICT, WITHOUT ROWID;
