-- What a seat's moves cost the processor beside the wall's time, and how many the bot failed to
-- choose.

-- Microseconds; NULL: not measured, as in games that were recorded before this.
ALTER TABLE game_seats ADD COLUMN cpu_us INTEGER;
-- 0 in games that were recorded before this, whatever their texts say.
ALTER TABLE game_seats ADD COLUMN fallbacks INTEGER NOT NULL DEFAULT 0;
