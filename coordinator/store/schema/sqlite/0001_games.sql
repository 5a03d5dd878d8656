-- Tournaments, their bots and the games that were recorded. Everything but `tournaments.spec` and
-- `game_texts` repeats what those two hold, so that it can be asked for.

CREATE TABLE tournaments (
  id      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL,
  game    TEXT NOT NULL,  -- triumvirate, …
  spec    TEXT NOT NULL,  -- JSON; spec ->> 'games' is how many games are asked for
  created TEXT NOT NULL   -- UTC, 2026-11-21T10:00:00Z
) STRICT;

CREATE TABLE bots (
  id         INTEGER PRIMARY KEY,
  tournament INTEGER NOT NULL REFERENCES tournaments (id),
  number     INTEGER NOT NULL,  -- place in the tournament's list, from 0
  name       TEXT NOT NULL,
  bot        TEXT NOT NULL,     -- the bot type: random, paranoid, …
  options    TEXT NOT NULL,     -- as in paranoid:depth=2
  UNIQUE (tournament, number),
  UNIQUE (tournament, name)
) STRICT;

CREATE TABLE games (
  id            INTEGER PRIMARY KEY,
  tournament    INTEGER NOT NULL REFERENCES tournaments (id),
  idx           INTEGER NOT NULL,  -- the game's index in its tournament, from 0
  match         INTEGER NOT NULL,  -- games of one match share bots and opening
  seed          TEXT NOT NULL,     -- decimal, up to 2^64 - 1
  result        TEXT NOT NULL,     -- 1-0-0: who shares the first place
  placement     TEXT NOT NULL,     -- 1-3-2: the place of each seat
  termination   TEXT NOT NULL,     -- why play stopped: checkmate, stalemate, …
  plies         INTEGER NOT NULL,
  opening_plies INTEGER NOT NULL,  -- of these, given by the opening
  UNIQUE (tournament, idx)
) STRICT;

CREATE TABLE game_seats (
  game    INTEGER NOT NULL REFERENCES games (id),
  seat    INTEGER NOT NULL,  -- 1, 2, 3: the order of play
  bot     INTEGER NOT NULL REFERENCES bots (id),
  place   INTEGER NOT NULL,  -- 1 is best
  points  REAL NOT NULL,     -- placement points: 1, 1/2, 0, ties share
  ending  TEXT,              -- how it was eliminated; NULL: it was not
  moves   INTEGER NOT NULL,
  nodes   INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

-- Apart from `games`, so that questions about results do not wade through the moves.
CREATE TABLE game_texts (
  game INTEGER PRIMARY KEY REFERENCES games (id),
  tpgn TEXT NOT NULL
) STRICT;

-- One line a game, for people: SELECT * FROM game_list LIMIT 10;
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
