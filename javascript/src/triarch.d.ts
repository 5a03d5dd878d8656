// Types of triarch.js.

/** "triumvirate", "three-way" or "tri-d". */
export type GameName = "triumvirate" | "three-way" | "tri-d";
/** 0, 1, 2 in turn order. */
export type Seat = number;
export type PieceType = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";

/** A game's names and sizes. */
export interface Game {
  readonly name: GameName;
  readonly number: number;
  /** Of its positions' texts: "3PF", "HexFEN", "TFEN". */
  readonly notation: string;
  readonly seats: number;
  readonly cells: number;
  readonly policySize: number;
  readonly seatNames: readonly string[];
  readonly seatLetters: string;
  /** The named starts, the default first. */
  readonly starts: readonly string[];
  readonly moveForms: readonly string[];
  readonly planeNames: readonly string[];
}

/** How a game ended. */
export interface Outcome {
  /** By seat; 1 is best, tied seats share a place. */
  places: number[];
  /** 1, 1/2, 0 for three seats and 1, 0 for two; ties share. */
  points: number[];
  /** "checkmate", "threefold_repetition", … */
  termination: string;
}

export interface Piece {
  cell: string;
  type: PieceType;
  /** The seat that moves it. */
  owner: Seat;
  /** The seat whose colour it has: the owner's, unless it was inherited. */
  color: Seat;
}

/** The geometry of a cell, as `triarch cells --json` prints it. */
export interface Cell {
  cell: number;
  name: string;
  color: number;
  orthogonal: number[];
  diagonal: number[];
  knight: number[];
  /** A ray that splits is given as two rays with a common beginning. */
  rays: { rook: number[][]; bishop: number[][] };
  /** The seats whose pawns promote here. */
  promotes: Seat[];
  /** The cell onto which the board's rotation to the next seat moves it. */
  turned: number;
  center?: [number, number];
  corners?: [number, number][];
  /** The game's own coordinates, and more. */
  [key: string]: unknown;
}

/** What the rules or the library refuse. */
export class TriarchError extends Error {
  constructor(message: string, code?: string | null, field?: number | null);
  /** Of an invalid position, as its notation names it: "BAD_CELL". */
  readonly code: string | null;
  /** Of the position's text, from 1. */
  readonly field: number | null;
}
/** A move, resignation or claim that the rules do not allow now. */
export class IllegalMoveError extends TriarchError {
  constructor(message: string);
}

export const GAMES: readonly GameName[];
/** The words that say how games end. */
export const TERMINATIONS: readonly string[];
/** The names of the bundled searchers. */
export const SEARCHERS: readonly string[];
export const RESIGN: "resign";
export const CLAIM: "claim";

export function findGame(name: string): Game;
/**
 * Returns the geometry of each cell, in order of their numbers. The boards of Tri-D move, so its
 * geometry is that of `position` (default: the start).
 */
export function cells(game: string, position?: string | object | null): Cell[];

/** A legal move of one position. Its text is "E2-E4". */
export class Move {
  private constructor();
  readonly number: number;
  readonly text: string;
  /** The policy index (docs/selfplay-data.md). */
  readonly index: number;
  /** What a capture or promotion is expected to gain, in hundredths of a pawn; 0 for others. */
  readonly captureGain: number;
  inForm(form: string): string;
  toJSON(): Record<string, unknown>;
  toString(): string;
}

export interface StateOptions {
  /** A text (3PF, HexFEN, TFEN) or position JSON; default: the start. */
  position?: string | object | null;
  /** The name of another start (Game.starts). */
  start?: string | null;
  /** Whether repetition and move-count draws end the game, or must be claimed. */
  draws?: "automatic" | "claimed";
  /** Three-Way: insufficient material is a draw (§5.7). */
  materialDraws?: boolean;
}

/** A game in progress. */
export class State {
  constructor(game: string, options?: StateOptions);
  static fromBytes(game: string, content: Uint8Array): State;
  readonly game: GameName;
  readonly toMove: Seat;
  /** How many moves, resignations and claims `undo` can take back. */
  readonly ply: number;
  readonly isOver: boolean;
  readonly outcome: Outcome | null;
  readonly canClaimDraw: boolean;
  /** How often the position has occurred since the last irreversible move, including now. */
  readonly occurrences: number;
  readonly halfmoveClock: number;
  readonly lastMove: string | null;
  /** The position as text: 3PF, HexFEN or TFEN. */
  readonly fen: string;
  /** Returns the legal moves, or those of a cell's piece or of a pin's board. */
  legalMoves(cell?: string | null): Move[];
  parseMove(text: string): Move;
  moveAtIndex(index: number): Move;
  /** Plays a Move or a text. If it is not legal, throws IllegalMoveError and changes nothing. */
  play(move: Move | string): this;
  undo(): this;
  resign(seat?: Seat): this;
  claimDraw(): this;
  ending(seat: Seat): string | null;
  isIn(seat: Seat): boolean;
  inCheck(seat?: Seat): boolean;
  cellName(number: number): string;
  pieces(): Piece[];
  attackers(cell: string): string[];
  /** The searchers' evaluation for each seat, in hundredths of a pawn. */
  evaluate(): number[];
  perft(depth: number): number;
  toJSON(): Record<string, unknown>;
  toSvg(options?: { names?: boolean; players?: string[] }): string;
  toBoard(options?: { colored?: boolean }): string;
  toString(): string;
  copy(): State;
  equals(other: State): boolean;
  toBytes(): Uint8Array;
}

/** 0 means no limit. */
export interface Limits {
  nodes?: number;
  depth?: number;
  milliseconds?: number;
}

export interface Analysis<M = Move> {
  /** What the bot would do: a move, or "resign" or "claim". */
  answer: M | "resign" | "claim";
  move: M;
  nodes: number;
  /** Each seat's expected share of the points. */
  shares: number[] | null;
  /** The expected moves, beginning with `move`. */
  line: string[];
  policy: { move: M; share: number }[];
}

/** A bundled searcher. It remembers one game of one seat at a time. */
export class Bot {
  constructor(name: string, options?: Record<string, string | number>, seed?: number);
  readonly name: string;
  readonly options: Record<string, string | number>;
  newGame(seed?: number): void;
  analyse(state: State, limits?: Limits): Analysis;
  choose(state: State, limits?: Limits): Move | "resign" | "claim";
}
export function bot(name: string, options?: Record<string, string | number>, seed?: number): Bot;
