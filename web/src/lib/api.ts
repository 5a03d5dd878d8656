// What the page asks the server for (docs/web-api.md).
import { ApiError } from "./api_error";
import { readSite, site } from "./site";

export type GameName = "triumvirate" | "three-way" | "tri-d";

export interface TournamentInfo {
  id: number;
  name: string;
  game: GameName;
  state: "active" | "paused" | "cancelled" | "done";
  /** Null if it is not known in advance. */
  games: number | null;
  recorded: number;
  bots: number | { name: string; bot: string }[];
  /** How the games begin; only where `bots` are listed. */
  openings?: { lines: number; random_plies: number };
  created: string;
}

/** A position as the server sends it. */
export interface SentPosition {
  text: string;
  to_move: string | null;
  /** "A1:Rw B6:Pbr": cell, piece, color, and the owner if it differs. */
  pieces: string;
  checks: string[];
  out: string[];
  /** Tri-D: where the attack boards WQL, WKL, BQL and BKL are. */
  pins?: string[];
}

export interface SeatOfGame {
  seat: string;
  bot: string;
  place: number | null;
  points: number | null;
  ending: string | null;
  moves: number | null;
  nodes: number | null;
  time_us: number | null;
  cpu_us: number | null;
  fallbacks: number;
}

export interface Fault {
  seat: string;
  ply: number;
  kind: string;
  message: string;
  answer: string;
  exit_status: string;
  errors: string;
  protocol: string;
}

export interface ListedGame {
  id: string;
  index: number;
  match: number;
  /** From 1, if the tournament has a list of openings. */
  opening?: number;
  result: string;
  placement: string | null;
  termination: string | null;
  plies: number;
  seats: SeatOfGame[];
  faults?: Fault[];
}

/** What a bot said about its move; a key is missing where it said nothing. */
export interface MoveInfo {
  depth?: number;
  nodes?: number;
  line?: string[];
  explanation?: string;
}

export interface GameEvent {
  round: number;
  ply: number;
  seat: string;
  move?: string;
  event?: string;
  clock_ms?: number;
  eval?: number[];
  fallback?: boolean;
  info?: MoveInfo;
  after: SentPosition;
  cells: string[];
}

export interface GameDetails extends ListedGame {
  tournament: { id: number; name: string };
  game: GameName;
  opening_plies: number;
  position: string | null;
  start: SentPosition;
  events: GameEvent[];
  previous: number | null;
  next: number | null;
}

/** A game in progress, as a worker reports it. */
export interface LiveListing {
  tournament: { id: number; name: string };
  game: GameName;
  id: string;
  index: number;
  seats: { seat: string; bot: string }[];
  plies: number;
  position: SentPosition;
  cells: string[];
}

export interface GamesPage {
  games: ListedGame[];
  before: number | null;
}

export interface Estimate { value: number | null; error: number | null }

/** Sends a request to a path of the API. Throws an ApiError unless the answer is good. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`api/v2${path}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer.", 0);
  }
  if (response.ok) return response;
  const detail = await response.json().then((body) => body?.detail, () => null);
  throw new ApiError(typeof detail === "string" ? detail : `The server answered ${response.status}.`,
                     response.status);
}

/** Returns the answer to a path of the API, from the server or the files of a static site. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  if (site) return readSite<T>(path, site, signal);
  return await (await ask(path, { signal })).json() as T;
}

/** Likewise, for answers that are text. */
export async function getText(path: string): Promise<string> {
  return site ? readSite<string>(path, site) : (await ask(path)).text();
}
