// Filters games as the server does (core/record/game_conditions.h).
import type { ListedGame } from "./api";

const FORFEITS: readonly (string | null)[] = ["time_forfeit", "illegal_move", "crash"];

/** Returns whether a game meets the conditions of a list. With a bot, they concern only it. */
export function meets(game: ListedGame, query: URLSearchParams): boolean {
  const bot = query.get("bot");
  const seat = query.get("seat");
  const termination = query.get("termination");
  const seats = bot ? game.seats.filter((one) => one.bot === bot) : game.seats;
  if (seats.length === 0) return false;
  if (seat && !seats.some((one) => one.seat.toLowerCase() === seat)) return false;
  if (query.get("match") && game.match + 1 !== Number(query.get("match"))) return false;
  if (query.get("opening") && game.opening !== Number(query.get("opening"))) return false;
  if (game.plies < Number(query.get("plies_min"))) return false;
  if (game.plies > Number(query.get("plies_max") || Infinity)) return false;
  if (query.get("faults") === "1"
      && !seats.some((one) => one.fallbacks > 0 || FORFEITS.includes(one.ending))) return false;
  return !termination || game.termination === termination
    || seats.some((one) => one.ending === termination);
}
