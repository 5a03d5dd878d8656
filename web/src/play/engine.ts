// The rules and searchers of javascript/, loaded as WebAssembly from beside the page.

import type { Limits, Move, State } from "../../../javascript/src/triarch";
import type { Geometry } from "../board/geometry";
import type { LegalMove, MoveKind } from "../board/legal";
import { SEATS, type SeatName } from "../board/position";
import type { GameName, SentPosition } from "../lib/api";

export type { Move, State } from "../../../javascript/src/triarch";
type Library = typeof import("../../../javascript/src/triarch");
type Workers = typeof import("../../../javascript/src/worker");
type Notation = typeof import("../../../javascript/src/notation");

export interface Rules extends Pick<Library, "State" | "cells" | "findGame"> {
  BotWorker: Workers["BotWorker"];
  notation: Notation;
}
export type BotWorker = InstanceType<Workers["BotWorker"]>;
export type { Limits };

declare global {
  interface ImportMetaEnv { readonly HAS_RULES: boolean | undefined }
}

const NO_LIBRARY = "This build has no rules library; build it with " +
  "“deploy/build.sh wasm triarch_wasm”, then build the page again.";
const NO_SERVER = "Analysis needs a web server: browsers do not load the rules library from files.";

let loading: Promise<Rules> | null = null;

/** Loads the library once. What is wrong is said in words for the page. */
export function loadRules(): Promise<Rules> {
  if (!import.meta.env.HAS_RULES) return Promise.reject(new Error(NO_LIBRARY));
  if (location.protocol === "file:") return Promise.reject(new Error(NO_SERVER));
  loading ??= importRules().catch((error: unknown) => {
    loading = null;
    throw new Error(`The rules library cannot be loaded: ${messageOf(error)}`);
  });
  return loading;
}

async function importRules(): Promise<Rules> {
  const at = (name: string) => new URL(`triarch/src/${name}.js`, document.baseURI).href;
  const [library, workers, notation] = await Promise.all([
    import(/* @vite-ignore */ at("triarch")) as Promise<Library>,
    import(/* @vite-ignore */ at("worker")) as Promise<Workers>,
    import(/* @vite-ignore */ at("notation")) as Promise<Notation>,
  ]);
  const { State, cells, findGame } = library;
  return { State, cells, findGame, BotWorker: workers.BotWorker, notation };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A move of the rules as JSON (docs/formats.md). */
interface MoveJson {
  from: string;
  to: string;
  type: "normal" | "capture" | "castling" | "en_passant" | "promotion" | "board";
  captured: string | null;
  promotion: string | null;
  board?: string;
}
const jsonOf = (move: Move): MoveJson => move.toJSON() as unknown as MoveJson;

function kindOf(move: MoveJson): MoveKind {
  if (move.promotion !== null) return "promotion";
  if (move.type === "castling") return "castling";
  if (move.type === "board") return "board move";
  return move.captured !== null || move.type === "en_passant" ? "capture" : "move";
}

export function legalOf(state: State): LegalMove[] {
  return state.legalMoves().map((move) => {
    const json = jsonOf(move);
    return { from: json.from, to: json.to, text: move.text, kind: kindOf(json) };
  });
}

/** The places that a move left and entered. */
export function placesOf(move: Move): string[] {
  const { from, to } = jsonOf(move);
  return from === to ? [from] : [from, to];
}

export function geometryOf(rules: Rules, game: GameName): Geometry {
  return { game, cells: rules.cells(game) as unknown as Geometry["cells"] };
}

export const seatName = (state: State, seat: number): SeatName => SEATS[state.game][seat]!;

const LETTERS: Readonly<Record<string, string>> = {
  pawn: "P", knight: "N", bishop: "B", rook: "R", queen: "Q", king: "K",
};

/** Returns a position as the server would send it. */
export function sentPosition(state: State): SentPosition {
  const seats = SEATS[state.game];
  const letter = (seat: number) => seats[seat]!.charAt(0);
  const pieces = state.pieces().map(({ cell, type, color, owner }) =>
    `${cell}:${LETTERS[type]}${letter(color)}${owner === color ? "" : letter(owner)}`);
  const isIn = (seat: number) => state.isIn(seat);
  const text = state.fen;
  return {
    text,
    to_move: state.isOver ? null : seats[state.toMove]!,
    pieces: pieces.join(" "),
    checks: seats.filter((_, seat) => isIn(seat) && state.inCheck(seat)),
    out: seats.filter((_, seat) => !isIn(seat)),
    ...(state.game === "tri-d" ? { pins: text.split(" ", 1)[0]!.split(",") } : {}),
  };
}

export interface SetUp {
  game: GameName;
  /** Null is the game's default start. */
  position: string | null;
  moves: string[];
}

const VARIANTS: Readonly<Record<string, GameName>> = {
  "triumvirate": "triumvirate", "three-way": "three-way", "tri-d": "tri-d",
};

function tagsOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$/gm)]
    .map((match) => [match[1]!, match[2]!.replace(/\\(.)/g, "$1")]));
}

const RESULT = /^(0|1|1\/2|1\/3)(-(0|1|1\/2|1\/3)){1,2}$/;
const IGNORED = /^(\d+\.+|--|\*|\$\d+|e\.p\.|\.\.\.|[-+#!?]*)$/;

/**
 * Returns the moves of a TPGN text or a plain list, without numbers, comments and the result. A
 * resignation or forfeit is "resign:white".
 */
function movesOf(text: string): string[] {
  const plain = text
    .replace(/\{\s*(\w+) (resigns|forfeits)[^}]*\}/g, (_, seat: string) =>
      ` resign:${seat.toLowerCase()} `)
    .replace(/\{[^}]*\}/g, " ").replace(/;[^\n]*/g, " ").replace(/\([^()]*\)/g, " ");
  return plain.split(/\s+/).map((word) => word.replace(/^\d+\.+/, "").replace(/[+#!?]+$/, ""))
    .filter((word) => {
      const isCastling = word === "0-0" || word === "0-0-0";  // nobody's win: not a result
      return isCastling || !IGNORED.test(word) && !RESULT.test(word);
    });
}

/** Plays a move, or "resign:white". */
export function playText(state: State, text: string): void {
  const resigned = /^resign:(\w+)$/.exec(text)?.[1];
  if (!resigned) {
    state.play(text);
    return;
  }
  const seat = SEATS[state.game].indexOf(resigned as SeatName);
  if (seat < 0) throw new Error(`There is no seat “${resigned}”.`);
  state.resign(seat);
}

/**
 * Reads what a person pasted: position JSON, 3PF, HexFEN, TFEN, TPGN, or a list of moves. What
 * looks like nothing of these is left for the validator of `game`.
 */
export function readPasted(pasted: string, game: GameName): SetUp {
  const text = pasted.trim();
  if (text.startsWith("{")) {
    const guess: GameName = /"pins"\s*:/.test(text) ? "tri-d"
      : /"gray"\s*:/.test(text) ? "three-way" : /"red"\s*:/.test(text) ? "triumvirate" : game;
    return { game: guess, position: text, moves: [] };
  }
  if (text.startsWith("[")) {
    const tags = tagsOf(text);
    const variant = tags.get("Variant");
    const found = variant ? VARIANTS[variant.toLowerCase()] : "triumvirate";
    if (!found) throw new Error(`The variant “${variant}” is none of the three games.`);
    // The first game of several.
    const [, body = ""] = text.split(/\n\s*\n/);
    return { game: found, position: tags.get("FEN") ?? null, moves: movesOf(body) };
  }
  const fields = text.split(/\s+/);
  if (/^[QK]L\d,/.test(text)) return { game: "tri-d", position: text, moves: [] };
  if (/^[wbr][KQRBNP]/.test(text)) return { game: "triumvirate", position: text, moves: [] };
  if (/^[1-8pnbrqkX/]+$/i.test(fields[0] ?? "") && fields[0]!.includes("/")) {
    return { game: "three-way", position: text, moves: [] };
  }
  if (/^(\d+\.|[a-zA-Z]+\d+[A-Z0-9]*[-x])/.test(text)) {
    return { game, position: null, moves: movesOf(text) };
  }
  return { game, position: text, moves: [] };
}
