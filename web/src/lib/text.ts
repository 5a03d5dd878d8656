// How numbers, seats and endings are written.
import type { GameName } from "./api";

export const GAME_NAMES: Record<GameName, string> = {
  "triumvirate": "Triumvirate", "three-way": "Three-Way Chess", "tri-d": "Tri-D chess",
};
export const GAMES = Object.keys(GAME_NAMES) as GameName[];

export function gameTitle(game: string): string {
  return GAME_NAMES[game as GameName] ?? game;
}

/** The class that colors a seat: White, the second seat or the third one. */
export function seatClass(seat: string): string {
  return `seat-${seat.toLowerCase()}`;
}

/** Rounds to so many digits after the point, with a real minus sign. */
export function fixed(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined) return "–";
  return value.toFixed(digits).replace("-", "−");
}
/** "+12", "−3", "0" */
export function signed(value: number, digits = 0): string {
  if (Number(value.toFixed(digits)) === 0) return fixed(0, digits);
  return (value > 0 ? "+" : "") + fixed(value, digits);
}
/** The program knows no greater difference in Elo. */
const ELO_MAX = 800;
/** "+12", ">+800" */
export function difference(elo: number): string {
  if (Math.abs(elo) < ELO_MAX) return signed(elo);
  return elo > 0 ? `>${signed(ELO_MAX)}` : `<${signed(-ELO_MAX)}`;
}
export function percent(share: number | null, digits = 0): string {
  return share === null ? "–" : `${fixed(100 * share, digits)} %`;
}
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
/** "checkmate", "threefold repetition", "75 moves" */
export function words(name: string | null): string {
  return (name ?? "").replaceAll("_", " ").replace("seventy five", "75").replace("fifty", "50");
}
/** "12 µs", "0.8 s", "2:05" */
export function duration(ms: number): string {
  if (ms < 1) return `${fixed(1000 * ms, ms < 0.01 ? 1 : 0)} µs`;
  if (ms < 1000) return `${fixed(ms)} ms`;
  if (ms < 60_000) return `${fixed(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
