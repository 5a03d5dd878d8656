// The objects of `triarch standings --json` (docs/json.md).
import type { EventDetails } from "./results";

export interface Estimate { elo: number; error: number; low: number; high: number }

export interface BotStanding {
  rank: number | null;
  name: string;
  rating: Estimate | null;
  superior_to_next: number | null;
  one_sided: boolean;
  games: number;
  points: number;
  firsts: number;
  draws: number;
  seconds: number;
  thirds: number;
  faults: { time_forfeit: number; illegal_move: number; crash: number };
  fallbacks: number;
  time_per_move_ms: number | null;
  nodes_per_move: number | null;
}

export interface PairTest {
  bots: string[];
  games: number;
  gang: { observed: number; expected: number; p_holm: number | null; significant: boolean };
  feed: { observed: number; expected: number; p_holm: number | null; significant: boolean };
}

export interface Standings {
  /** Only of events. */
  event?: EventDetails;
  name: string;
  games: { recorded: number; asked: number | null };
  rated: boolean;
  plies_per_game: number | null;
  bots: BotStanding[];
  seats: { name: string; effect: Estimate | null; points_per_game: number | null }[];
  cross: { names: string[]; score: (number | null)[][]; games: number[][] };
  terminations: Record<string, number>;
  next_margin: { now_elo: number; next_elo: number; games: number } | null;
  pairs: PairTest[];
}

/** The standings of a test of one bot against another. */
export interface TestStatus {
  verdict: string;
  text: string;
  games: number;
  units: number;
  games_left: number | null;
  llr: number;
  llr_low: number;
  llr_high: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
  hypotheses: number[];
  sides: { name: string; games: number; points: number; points_per_game: number | null }[];
}

export function isTest(standings: object): standings is TestStatus {
  return "llr" in standings && "sides" in standings;
}
export function isTable(standings: object): standings is Standings {
  return "bots" in standings && "cross" in standings;
}
export function faultCount(bot: BotStanding): number {
  return bot.faults.time_forfeit + bot.faults.illegal_move + bot.faults.crash;
}
