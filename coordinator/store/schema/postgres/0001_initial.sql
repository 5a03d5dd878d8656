-- Defines all tables of a PostgreSQL database: tournaments with games, and coordinators' data.

-- Names are those of the SQLite schema wherever the meaning is the same. Apart from
-- `tournaments.spec` and `game_texts`, all data about games is redundant and exists for queries.

CREATE TABLE tournaments (
  id             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name           TEXT NOT NULL,
  game           TEXT NOT NULL,             -- triumvirate, …
  spec_text      TEXT NOT NULL,             -- the submitted YAML; '' if not submitted as text
  spec           JSONB NOT NULL,            -- the tournament without slots and paths
  state          TEXT NOT NULL DEFAULT 'active'
                 CHECK (state IN ('active', 'paused', 'cancelled', 'done',
                                  'deleting', 'deleted')),  -- this row and the bots are left
  priority       BIGINT NOT NULL DEFAULT 0,  -- higher first
  share          BIGINT NOT NULL DEFAULT 1,  -- of the workers' time, among equal priorities
  created        TIMESTAMPTZ NOT NULL DEFAULT now(),
  ended          TIMESTAMPTZ,               -- when it was done or cancelled
  games          BIGINT NOT NULL,           -- number requested
  games_recorded BIGINT NOT NULL DEFAULT 0,
  -- Of these, games of audited workers: those played again, those that count because other games of
  -- their workers were played again, and those that cannot be audited.
  games_audited   BIGINT NOT NULL DEFAULT 0,
  games_confirmed BIGINT NOT NULL DEFAULT 0,
  games_unaudited BIGINT NOT NULL DEFAULT 0,
  plies_recorded BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE bots (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  number     INTEGER NOT NULL,          -- position in the tournament's list, from 0
  name       TEXT NOT NULL,
  bot        TEXT NOT NULL,             -- the bot type: random, paranoid, …
  options    TEXT NOT NULL,             -- the type with its options: paranoid:depth=2
  digest     TEXT NOT NULL DEFAULT '',  -- required digest of its type; '' until settled
  UNIQUE (tournament, number),
  UNIQUE (tournament, name)
);

-- The three tables that grow with the games have no foreign keys: the one transaction that writes
-- them has just read the tournament's row and its bots, and the checks would take the server
-- several times as long as recording.
CREATE TABLE games (
  tournament    BIGINT NOT NULL,       -- tournaments.id
  idx           BIGINT NOT NULL,       -- the game's index in its tournament, from 0
  match         BIGINT NOT NULL,       -- games of one match share bots and opening
  plies         BIGINT NOT NULL,
  opening_plies BIGINT NOT NULL,       -- those given by the opening
  time_us       BIGINT NOT NULL,       -- wall-clock time of all seats
  recorded_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
  seed          NUMERIC(20) NOT NULL,  -- up to 2^64 - 1
  pairing       TEXT NOT NULL,         -- 0-2-3: numbers of the game's bots, ascending
  result        TEXT NOT NULL,         -- 1-0-0: which seats share first place
  placement     TEXT NOT NULL,         -- 1-3-2: the place of each seat
  termination   TEXT NOT NULL,         -- why play stopped: checkmate, stalemate, …
  position      TEXT NOT NULL,         -- where it begins; '' for the game's default start
  opening       TEXT NOT NULL,         -- the moves of the opening, separated by spaces
  PRIMARY KEY (tournament, idx)
);
CREATE INDEX games_of_pairing ON games (tournament, pairing);
CREATE INDEX games_by_termination ON games (tournament, termination);

CREATE TABLE game_seats (
  tournament BIGINT NOT NULL,            -- as in games, like idx
  idx        BIGINT NOT NULL,
  bot        BIGINT NOT NULL,            -- bots.id
  moves      BIGINT NOT NULL,
  nodes      BIGINT NOT NULL,
  time_us    BIGINT NOT NULL,
  points     DOUBLE PRECISION NOT NULL,  -- placement points: 1, 1/2, 0; ties get the mean
  seat       SMALLINT NOT NULL,          -- 1, 2, 3: the order of play
  place      SMALLINT NOT NULL,          -- 1 is best
  ending     TEXT,                       -- how it was eliminated; NULL if not eliminated
  cpu_us     BIGINT,                     -- NULL if not measured
  fallbacks  BIGINT NOT NULL,            -- moves that the bot failed to choose
  PRIMARY KEY (tournament, idx, seat)
);
CREATE INDEX game_seats_of_bot ON game_seats (bot, idx);

-- Separate from `games`, so that queries of results do not read the moves.
CREATE TABLE game_texts (
  tournament BIGINT NOT NULL,  -- as in games, like idx
  idx        BIGINT NOT NULL,
  tpgn       TEXT NOT NULL,
  PRIMARY KEY (tournament, idx)
);
-- lz4 halves the server's time and takes a fifth more space than the default compression. Not every
-- server is built with lz4.
DO $$ BEGIN
  ALTER TABLE game_texts ALTER COLUMN tpgn SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  NULL;
END $$;

-- The results of each 128 consecutive games, and sums of their costs, packed for standings
-- (coordinator/store/tally.h). A tally changes in the transaction that records its games; free space
-- in its page keeps these changes cheap.
CREATE TABLE tallies (
  tournament BIGINT NOT NULL,  -- as in games
  number     BIGINT NOT NULL,  -- of games 128 * number to 128 * number + 127
  tally      BYTEA NOT NULL,
  PRIMARY KEY (tournament, number)
) WITH (fillfactor = 50);

-- The indices of the recorded games as ranges that neither overlap nor touch. The ledger changes in
-- the transaction that records the games, and quickly shows which of 10^9 games are left.
CREATE TABLE ledger (
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  first      BIGINT NOT NULL,
  last       BIGINT NOT NULL CHECK (first < last),  -- exclusive
  PRIMARY KEY (tournament, first)
);

-- One row per game, for people: SELECT * FROM game_list LIMIT 10;
CREATE VIEW game_list AS
SELECT games.tournament, games.idx, games.match,
       first_bot.name AS first_seat, second_bot.name AS second_seat, third_bot.name AS third_seat,
       games.result, games.placement, games.termination, games.plies
FROM games
JOIN game_seats AS one ON one.tournament = games.tournament AND one.idx = games.idx AND one.seat = 1
JOIN bots AS first_bot ON first_bot.id = one.bot
JOIN game_seats AS two ON two.tournament = games.tournament AND two.idx = games.idx AND two.seat = 2
JOIN bots AS second_bot ON second_bot.id = two.bot
LEFT JOIN game_seats AS three
  ON three.tournament = games.tournament AND three.idx = games.idx AND three.seat = 3
LEFT JOIN bots AS third_bot ON third_bot.id = three.bot
ORDER BY games.tournament, games.idx;

-- One row: how many coordinators have led. Each transaction of a coordinator reads it, and fails if
-- another coordinator leads.
CREATE TABLE cluster (
  epoch BIGINT NOT NULL
);
CREATE UNIQUE INDEX cluster_is_one_row ON cluster ((true));
INSERT INTO cluster (epoch) VALUES (0);

CREATE TABLE workers (
  name       TEXT PRIMARY KEY,
  slots      BIGINT NOT NULL,
  build      TEXT NOT NULL,
  quarantine TEXT NOT NULL,  -- why it gets no games; '' if not quarantined
  seen       TIMESTAMPTZ NOT NULL DEFAULT now()  -- when it registered last
);

CREATE TABLE leases (
  token      NUMERIC(20) PRIMARY KEY,  -- for fencing, never reused
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  first      BIGINT NOT NULL,          -- game indices [first, last)
  last       BIGINT NOT NULL,
  worker     TEXT NOT NULL,
  instance   NUMERIC(20) NOT NULL,     -- which of the processes with that name
  ended      TEXT NOT NULL,            -- '' while live, else finished, expired, …
  given_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
  ended_at   TIMESTAMPTZ               -- NULL while live
);
CREATE INDEX leases_live ON leases (token) WHERE ended = '';

CREATE TABLE ratings (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  time       TIMESTAMPTZ NOT NULL DEFAULT now(),
  games      BIGINT NOT NULL,            -- games recorded by then
  bot        TEXT NOT NULL,              -- bots.name
  rating     DOUBLE PRECISION NOT NULL,  -- Elo
  error      DOUBLE PRECISION NOT NULL   -- standard error
);
CREATE INDEX ratings_of ON ratings (tournament, id);
CREATE INDEX ratings_of_bot ON ratings (tournament, bot, id);

-- Reports about forfeits, for the bots' authors: of each bot and kind, those recorded first.
CREATE TABLE faults (
  tournament  BIGINT NOT NULL,    -- as in games, like idx
  idx         BIGINT NOT NULL,
  seat        SMALLINT NOT NULL,  -- 1, 2, 3: the order of play
  bot         BIGINT NOT NULL REFERENCES bots (id),
  ply         BIGINT NOT NULL,    -- the number of the ply that was to be played, from 1
  kind        TEXT NOT NULL,      -- time_forfeit, illegal_move, crash
  message     TEXT NOT NULL,      -- it did not answer in time
  answer      TEXT NOT NULL,      -- the illegal answer, else ''
  exit_status TEXT NOT NULL,      -- exit code 1, or '' if it did not exit by itself
  errors      TEXT NOT NULL,      -- the end of its standard error
  protocol    TEXT NOT NULL,      -- the last lines sent and received
  PRIMARY KEY (tournament, idx, seat)
);
CREATE INDEX faults_of ON faults (bot, kind);

-- Matches that were chosen from the results of earlier ones.
CREATE TABLE batches (
  tournament  BIGINT NOT NULL REFERENCES tournaments (id),
  first_match BIGINT NOT NULL,  -- number of its first match
  matches     TEXT NOT NULL,    -- JSON: a list of {number, first_game, bots, options}
  PRIMARY KEY (tournament, first_match)
);

-- User-supplied bots, for workers to fetch.
CREATE TABLE bundles (
  digest   TEXT PRIMARY KEY,        -- SHA-256 of the files
  number   BIGINT NOT NULL UNIQUE,  -- the newest has the largest
  name     TEXT NOT NULL,
  version  TEXT NOT NULL,
  type     TEXT NOT NULL,           -- process, plugin, torch
  manifest TEXT NOT NULL,           -- bot.yaml
  bytes    BIGINT NOT NULL,         -- size of the tar
  added    TIMESTAMPTZ NOT NULL,
  added_by TEXT NOT NULL,           -- operator, or the name of a user
  tar      BYTEA NOT NULL           -- the files
);

-- Files with self-play samples. A shard counts if and only if it is listed here.
CREATE TABLE shards (
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  shard      TEXT NOT NULL,    -- its name in the location of the tournament's data
  sha256     TEXT NOT NULL,    -- digest of the file
  samples    BIGINT NOT NULL,
  bytes      BIGINT NOT NULL,  -- size of the file
  games      BIGINT NOT NULL,
  first      BIGINT NOT NULL,  -- index of its first game
  last       BIGINT NOT NULL,  -- index of its last game
  format     BIGINT NOT NULL,  -- version of the file format
  game       TEXT NOT NULL,    -- triumvirate
  spec       TEXT NOT NULL,    -- SHA-256 of the tournament's identity
  build      TEXT NOT NULL,    -- build of the worker that wrote it
  PRIMARY KEY (tournament, shard)
);

-- Reports of audited workers, until their games count and are recorded.
CREATE TABLE held_reports (
  id            BIGINT PRIMARY KEY,  -- later reports have higher ones
  tournament    BIGINT NOT NULL REFERENCES tournaments (id),
  worker        TEXT NOT NULL,
  owner         TEXT NOT NULL,     -- the name of the worker's token
  audits        BIGINT NOT NULL,  -- that the worker must pass before the games count
  passes_before BIGINT NOT NULL,  -- audits in this tournament that it had passed before
  games         TEXT NOT NULL,     -- their indices: 3,4,7
  report        BYTEA NOT NULL      -- the worker's ReportRequest
);

-- Reported games that were played again by a worker of another owner.
CREATE TABLE audits (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  idx        BIGINT NOT NULL,
  worker     TEXT NOT NULL,  -- that reported the game
  owner      TEXT NOT NULL,
  auditor    TEXT NOT NULL,  -- the worker that played it again
  outcome    TEXT NOT NULL,  -- passed, lied, auditor_lied, irreproducible
  time       TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- The tables of an arena (arena/table/event.h), of which the events are everything.
CREATE TABLE arena_tables (
  id        TEXT PRIMARY KEY,  -- a UUID
  game      TEXT NOT NULL,     -- triumvirate, …
  opened_ms BIGINT NOT NULL,  -- milliseconds since 1970, UTC
  ended_ms  BIGINT NOT NULL DEFAULT 0, -- 0 while it is live
  runner    TEXT NOT NULL      -- the arena that runs its timers and house bots, if it is alive
);
CREATE INDEX arena_tables_live ON arena_tables (ended_ms, id);

-- The arenas that share this database.
CREATE TABLE arena_instances (
  id          TEXT PRIMARY KEY,  -- of a process
  alive_until TIMESTAMPTZ NOT NULL
);

CREATE TABLE arena_events (
  table_id TEXT NOT NULL REFERENCES arena_tables (id),
  n        BIGINT NOT NULL,  -- from 0
  event    TEXT NOT NULL,     -- JSON
  PRIMARY KEY (table_id, n)
);

-- The tournaments to which an arena adds its games.
CREATE TABLE arena_tournaments (
  name       TEXT PRIMARY KEY,
  tournament BIGINT NOT NULL REFERENCES tournaments (id)
);

-- Where a table's game is recorded.
CREATE TABLE arena_games (
  table_id   TEXT PRIMARY KEY,
  tournament BIGINT NOT NULL,  -- as in games, like idx
  idx        BIGINT NOT NULL
);

-- Players with accounts.
CREATE TABLE arena_players (
  id         TEXT PRIMARY KEY,  -- the name in lower case
  name       TEXT NOT NULL,
  owner      TEXT NOT NULL,     -- players with one owner do not meet in rated games
  key_hash   TEXT NOT NULL,     -- SHA-256
  created_ms BIGINT NOT NULL  -- milliseconds since 1970, UTC
);
CREATE UNIQUE INDEX arena_players_key ON arena_players (key_hash);

-- Whom the operators of an arena have blocked or muted.
CREATE TABLE arena_bans (
  kind     TEXT NOT NULL,  -- name, address, mute
  what     TEXT NOT NULL,  -- a pattern of names in lower case, or a range of addresses
  note     TEXT NOT NULL,
  since_ms BIGINT NOT NULL,  -- milliseconds since 1970, UTC
  PRIMARY KEY (kind, what)
);
