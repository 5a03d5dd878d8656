// The objects of the API about results: progress, openings, bots (docs/web-api.md), and those of
// `triarch standings --json` for searches, tunings and events (docs/json.md).
import type { GameName } from "./api";
import type { Estimate } from "./standings";

export type Progress =
  | { kind: null }
  | { kind: "ratings"; games: number[];
      bots: { name: string; elo: (number | null)[]; margin: (number | null)[] }[] }
  | { kind: "test"; games: number[]; llr: number[]; elo: (number | null)[];
      margin: (number | null)[]; llr_low: number; llr_high: number }
  | { kind: "best-of"; games: number[]; llr_low: number; llr_high: number;
      bots: { name: string; llr: number[] }[] };

export interface Opening {
  number: number;
  position: string | null;
  moves: string;
  games: number;
  points: number[];
}
export interface OpeningResults { seats: string[]; openings: Opening[] }

export interface Faults { time_forfeit: number; illegal_move: number; crash: number }

export interface ListedBot {
  name: string;
  games: GameName[];
  versions: number;
  tournaments: number;
  last: string;
}
export interface Results {
  games: number;
  points: number;
  firsts: number;
  draws: number;
  seconds: number;
  thirds: number;
  faults: Faults;
  fallbacks: number;
}
export interface BotDetails {
  name: string;
  versions: { bot: string; digest: string; other_names: string[]; tournaments: number[] }[];
  totals: (Results & { game: GameName })[];
  tournaments: {
    id: number;
    name: string;
    game: GameName;
    kind: string;
    state: string;
    created: string;
    bot: string;
    digest: string;
    bots: number;
    rank: number | null;
    rating: Estimate | null;
    one_sided: boolean;
    results: Results | null;
  }[];
  opponents: { game: GameName; name: string; games: number; score: number }[];
}

/** A search for the best variant. */
export interface BestOf {
  verdict: string;
  text: string;
  base: string;
  best: string | null;
  games: number;
  left: number;
  llr_low: number;
  llr_high: number;
  variants: {
    name: string; state: string; units: number; games: number; llr: number; elo: number | null;
    elo_error: number | null; faults: Faults;
  }[];
}
export interface Tuning {
  iterations: number;
  iterations_asked: number;
  rate: number;
  bot: string;
  options: {
    name: string; start: number; min: number; max: number; step: number; integer: boolean;
    mean: number; result: string; steps: number; still_moving: boolean; path: [number, number][];
  }[];
}

export interface EventRank {
  rank: number; name: string; points: number; opponents_points: number; mutual_points: number;
  byes?: number; next_division?: number;
}
interface KnockoutTable {
  bots: { name: string; points: number; advances: boolean | null }[];
  matches: number;
}
export type EventDetails =
  | { format: "adaptive"; goal: string; error: number | null; reached: boolean;
      leader: string | null; leader_superiority: number | null }
  | { format: "swiss"; rounds: { finished: number; asked: number }; bots: EventRank[] }
  | { format: "knockout"; rounds: { byes: string[]; tables: KnockoutTable[] }[];
      ranking: string[] }
  | { format: "league"; matches: { finished: number; asked: number }; divisions: EventRank[][];
      next_season: string[] | null };

export function isBestOf(standings: object): standings is BestOf {
  return "variants" in standings && "base" in standings;
}
export function isTuning(standings: object): standings is Tuning {
  return "iterations" in standings && "options" in standings;
}
export function faultsOf({ faults }: { faults: Faults }): number {
  return faults.time_forfeit + faults.illegal_move + faults.crash;
}
