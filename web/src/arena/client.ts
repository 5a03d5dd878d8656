// What the page asks an arena for (docs/arena-api.md).
import type { SeatName } from "../board/position";
import { ask, type GameName, type SentPosition } from "../lib/api";

export type Stage = "waiting" | "playing" | "finished" | "closed";

export interface Player {
  seat: SeatName;
  name: string;
  type: "human" | "llm" | "bot";
  model: string;
  claimed: boolean;
  house_bot: boolean;
  replaced: boolean;
  in: boolean;
}

export interface ListedTable {
  table: string;
  game: GameName;
  stage: Stage;
  rated: boolean;
  ply: number;
  players: Player[];
  opened: string;
}

export interface TableResult {
  result: string;
  places: Partial<Record<SeatName, number>>;
  termination: string;
}

/** A move as the rules write it (docs/formats.md). */
export interface MoveObject {
  from: string;
  to: string;
  type: string;
  captured: string | null;
  promotion: string | null;
}

export interface Turn {
  stage: Stage;
  seat: SeatName;
  your_turn: boolean;
  ply: number;
  moves: string[];
  texts: { objects: MoveObject[] };
  can_claim: boolean;
  attempts_left: number;
  seconds_left: number | null;
  events: number;
}

export interface TableEvent {
  n: number;
  kind: "opened" | "joined" | "left" | "moved" | "missed" | "resigned" | "forfeited" |
    "claimed_draw" | "replaced" | "said" | "wants_rematch" | "closed";
  time: string;
  seat?: SeatName;
  // opened
  game?: GameName;
  rated?: boolean;
  private?: boolean;
  fill_seconds?: number;
  move_seconds?: number;
  rematch_of?: string | null;
  // joined, replaced
  name?: string;
  type?: Player["type"];
  model?: string;
  claimed?: boolean;
  house_bot?: boolean;
  // moved, and what else changes the position
  ply?: number;
  move?: string;
  cells?: string[];
  position?: string;
  board?: Omit<SentPosition, "text">;
  forced?: "timeout" | "illegal_moves" | null;
  message?: string;
  // forfeited, closed
  why?: string;
  // the event that ends the game
  result?: TableResult;
}
export interface FinishedGame {
  table: string;
  game: GameName;
  rated: boolean;
  /** Where it is recorded. */
  tournament: number;
  index: number;
  ended: string;
  players: { seat: SeatName; name: string }[];
  result: string;
  termination: string;
  plies: number;
}

export interface JoinAsk {
  game?: GameName;
  table?: string;
  name?: string;
  seat?: string;
  opponents?: string | string[];
  rated?: boolean;
  position?: string;
  draws?: string;
  move_seconds?: number;
  fill_seconds?: number;
}

export interface TakenSeat {
  token: string;
  table: string;
  seat: SeatName;
  stage: Stage;
}

export interface Ranked {
  rank: number;
  name: string;
  rating: number | null;
  error: number | null;
  games: number;
  points: number;
}

/** Of the secret of a seat. */
export const SECRET_DIGITS = 32;

/** So many random hexadecimal digits. */
export function randomDigits(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count / 2));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function headersOf(secret: string): Record<string, string> {
  return secret === "" ? {} : { Authorization: `Bearer ${secret}` };
}

/** Sends a request with the token of a seat or the key of a player; none if it is empty. */
export async function post<T>(path: string, secret: string, body: object = {}): Promise<T> {
  const response = await ask(path, {
    method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headersOf(secret) },
  });
  return await response.json() as T;
}

export async function getTurn(token: string): Promise<Turn> {
  return await (await ask("/turn?notations=objects", { headers: headersOf(token) })).json() as Turn;
}

/** Takes a seat. With the same secret, a second try after a lost answer gives the same one. */
export function join(wish: JoinAsk, key: string, secret: string): Promise<TakenSeat> {
  return post<TakenSeat>("/join", key, { ...wish, type: "human", secret });
}
