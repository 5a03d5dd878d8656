-- Tournaments, their bots and the games that were recorded. The words are those of the SQLite
-- schema wherever the thing is the same. Everything but `tournaments.spec` and `game_texts` repeats
-- what those two hold, so that it can be asked for.

CREATE TABLE tournaments (
  id             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name           TEXT NOT NULL,
  game           TEXT NOT NULL,             -- triumvirate, …
  spec_text      TEXT NOT NULL,             -- as it was given, YAML; '' if it was not
  spec           JSONB NOT NULL,            -- as it was understood
  state          TEXT NOT NULL DEFAULT 'active'
                 CHECK (state IN ('active', 'paused', 'cancelled', 'done')),
  created        TIMESTAMPTZ NOT NULL DEFAULT now(),
  games          BIGINT NOT NULL,           -- how many are asked for
  games_recorded BIGINT NOT NULL DEFAULT 0,
  plies_recorded BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE bots (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  number     INTEGER NOT NULL,          -- place in the tournament's list, from 0
  name       TEXT NOT NULL,
  bot        TEXT NOT NULL,             -- the bot type: random, paranoid, …
  options    TEXT NOT NULL,             -- as in paranoid:depth=2
  digest     TEXT NOT NULL DEFAULT '',  -- what its type must have at every worker; '' until settled
  UNIQUE (tournament, number),
  UNIQUE (tournament, name)
);

-- No foreign keys on the three tables that grow with the games: one transaction alone writes them,
-- which has read the tournament's row and its bots, and the checks would cost the server several
-- times what all else costs that recording asks of it.
CREATE TABLE games (
  tournament    BIGINT NOT NULL,       -- tournaments.id
  idx           BIGINT NOT NULL,       -- the game's index in its tournament, from 0
  match         BIGINT NOT NULL,       -- games of one match share bots and opening
  plies         BIGINT NOT NULL,
  opening_plies BIGINT NOT NULL,       -- of these, given by the opening
  time_us       BIGINT NOT NULL,       -- thinking time of all seats
  recorded_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
  seed          NUMERIC(20) NOT NULL,  -- up to 2^64 - 1
  pairing       TEXT NOT NULL,         -- 0-2-3: numbers of the bots at the table, ascending
  result        TEXT NOT NULL,         -- 1-0-0: who shares the first place
  placement     TEXT NOT NULL,         -- 1-3-2: the place of each seat
  termination   TEXT NOT NULL,         -- why play stopped: checkmate, stalemate, …
  position      TEXT NOT NULL,         -- the start, '' for the game's own
  opening       TEXT NOT NULL,         -- the moves of the opening, separated by spaces
  PRIMARY KEY (tournament, idx)
);
CREATE INDEX games_of_pairing ON games (tournament, pairing);
CREATE INDEX games_by_termination ON games (tournament, termination);

CREATE TABLE game_seats (
  tournament BIGINT NOT NULL,            -- of games, as idx
  idx        BIGINT NOT NULL,
  bot        BIGINT NOT NULL,            -- bots.id
  moves      BIGINT NOT NULL,
  nodes      BIGINT NOT NULL,
  time_us    BIGINT NOT NULL,
  points     DOUBLE PRECISION NOT NULL,  -- placement points: 1, 1/2, 0, ties share
  seat       SMALLINT NOT NULL,          -- 1, 2, 3: the order of play
  place      SMALLINT NOT NULL,          -- 1 is best
  ending     TEXT,                       -- how it was eliminated; NULL: it was not
  PRIMARY KEY (tournament, idx, seat)
);
CREATE INDEX game_seats_of_bot ON game_seats (bot, idx);

-- Apart from `games`, so that questions about results do not wade through the moves.
CREATE TABLE game_texts (
  tournament BIGINT NOT NULL,  -- of games, as idx
  idx        BIGINT NOT NULL,
  tpgn       TEXT NOT NULL,
  PRIMARY KEY (tournament, idx)
);
-- It takes half of the server's time away, and a fifth more room than the default. Not every
-- server is built with it.
DO $$ BEGIN
  ALTER TABLE game_texts ALTER COLUMN tpgn SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  NULL;
END $$;

-- The indices of the recorded games as ranges that neither overlap nor touch: it changes in the
-- transaction that records the games, and says in an instant what is left of 10^9.
CREATE TABLE ledger (
  tournament BIGINT NOT NULL REFERENCES tournaments (id),
  first      BIGINT NOT NULL,
  last       BIGINT NOT NULL CHECK (first < last),  -- exclusive
  PRIMARY KEY (tournament, first)
);

-- One line a game, for people: SELECT * FROM game_list LIMIT 10;
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
