// Reads the positions that the server or the rules library send.

import type { GameName, SentPosition } from "../lib/api";
import type { CellData, Geometry } from "./geometry";
import { TYPES, type PieceType } from "./pieces";

export type SeatName = "white" | "black" | "red" | "gray";

export const SEATS: Readonly<Record<GameName, readonly SeatName[]>> = {
  "triumvirate": ["white", "black", "red"],
  "three-way": ["white", "gray", "black"],
  "tri-d": ["white", "black"],
};
const BY_LETTER: Readonly<Record<string, SeatName>> = {
  w: "white", b: "black", r: "red", g: "gray",
};

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export interface BoardPiece {
  cell: string;
  type: PieceType;
  /** The seat whose color it has. */
  color: SeatName;
  /** The seat that moves it: another one if it was inherited. */
  owner: SeatName;
}

export interface Position {
  text: string;
  /** Null when the game is over. */
  toMove: SeatName | null;
  /** By their cells. */
  pieces: Map<string, BoardPiece>;
  checks: SeatName[];
  out: SeatName[];
  /** Tri-D: where the boards WQL, WKL, BQL and BKL are. */
  pins: string[];
}

function parsePiece(word: string): BoardPiece | null {
  const [cell = "", code = ""] = word.split(":", 2);
  const type = TYPES[code.charAt(0)];
  const color = BY_LETTER[code.charAt(1)];
  if (cell === "" || !type || !color) return null;
  return { cell, type, color, owner: BY_LETTER[code.charAt(2)] ?? color };
}

export function parsePosition(sent: SentPosition): Position {
  const pieces = sent.pieces.split(" ").map(parsePiece).filter((piece) => piece !== null);
  return {
    text: sent.text,
    toMove: sent.to_move as SeatName | null,
    pieces: new Map(pieces.map((piece) => [piece.cell, piece])),
    checks: sent.checks as SeatName[],
    out: sent.out as SeatName[],
    pins: sent.pins ?? [],
  };
}

/** What the text of a position says beyond its pieces. */
export interface Extras {
  /** Pawns may be captured en passant here; in Tri-D, the pawns themselves. */
  enPassant: string[];
  /** Tri-D: the pawns that still have their double step. */
  doubleSteps: string[];
  /** Tri-D: the pawn that must promote first. */
  pending: string | null;
  /** Triumvirate: inherited pawns that cannot go on, only capture. */
  stuck: string[];
}

/** Returns the cell of a pawn that passed over a column's third cell, in HexFEN. */
function passedCell(cells: CellData[], third: number, column: string): string | null {
  return cells.find((cell) => cell.third === third && cell.row === 2 &&
    cell.column === Number(column) - 1)?.name ?? null;
}

/** Returns the pawns with a double step in the blocks of a TFEN. */
function doubleSteppers(placement: string, pins: string[]): string[] {
  const found: string[] = [];
  placement.split("|").forEach((block, board) => {
    const level = board < 3 ? "WNB".charAt(board) : pins[board - 3] ?? "";
    const first = board < 3 ? 1 + 2 * board : firstRank(level);
    const files = board < 3 ? "abcd" : level.startsWith("Q") ? "za" : "de";
    const rows = block.split("/");
    rows.forEach((row, index) => {
      const rank = first + rows.length - 1 - index;
      let file = 0;
      for (const sign of row) {
        if (/\d/.test(sign)) {
          file += Number(sign);
          continue;
        }
        if (/d/i.test(sign)) found.push(`${files.charAt(file)}${rank}${level}`);
        ++file;
      }
    });
  });
  return found;
}

/** Returns the lower rank of a board on a pin of Tri-D. */
export function firstRank(pin: string): number {
  return [0, 4, 2, 6, 4, 8][Number(pin.charAt(2)) - 1] ?? 0;
}

/** Returns the inherited pawns between the bases of their color and of their owner. */
function stuckPawns(pieces: Position["pieces"], cells: CellData[]): string[] {
  const seats = SEATS.triumvirate;
  return cells.filter(({ name, sector, facing }) => {
    const piece = pieces.get(name);
    if (piece?.type !== "pawn" || piece.color === piece.owner) return false;
    const ends = [seats.indexOf(piece.color), seats.indexOf(piece.owner)];
    return ends.includes(sector ?? -1) && ends.includes(facing ?? -1);
  }).map((cell) => cell.name);
}

export function extrasOf(game: GameName, { text, pieces }: Position, geometry: Geometry): Extras {
  const fields = text.split(" ");
  const none: Extras = { enPassant: [], doubleSteps: [], pending: null, stuck: [] };
  if (game === "triumvirate") {
    const passed = fields[3] ?? "-";
    return {
      ...none, enPassant: passed === "-" ? [] : [passed],
      stuck: stuckPawns(pieces, geometry.cells),
    };
  }
  if (game === "three-way") {
    const cells = [...fields[5] ?? ""].map((column, third) =>
      column === "-" ? null : passedCell(geometry.cells, third, column));
    return { ...none, enPassant: cells.filter((cell) => cell !== null) };
  }
  const passed = fields[4] ?? "-";
  return {
    ...none, enPassant: passed === "-" ? [] : [passed],
    doubleSteps: doubleSteppers(fields[1] ?? "", (fields[0] ?? "").split(",")),
    pending: fields[7] ?? null,
  };
}

function plural(type: PieceType, count: number): string {
  return count === 1 ? type : `${type}s`;
}

/** Describes a seat's pieces: "king E1, pawns A2 B2". */
function armyText(position: Position, seat: SeatName): string {
  const kinds: PieceType[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
  const own = [...position.pieces.values()].filter((piece) => piece.owner === seat);
  const texts = kinds.flatMap((type) => {
    const cells = own.filter((piece) => piece.type === type)
      .map((piece) => piece.cell + (piece.color === seat ? "" : ` (${piece.color})`));
    return cells.length === 0 ? [] : [`${plural(type, cells.length)} ${cells.join(" ")}`];
  });
  return texts.join(", ") || "no pieces";
}

/** Describes a position for screen readers, a sentence for each seat first. */
export function describe(game: GameName, position: Position,
                         lastMove: readonly string[]): string[] {
  const sentences = SEATS[game].map((seat) =>
    `${capitalized(seat)}${position.out.includes(seat) ? ", out of the game" : ""}: ` +
    `${armyText(position, seat)}.`);
  if (position.pins.length === 4) {
    const names = ["WQL", "WKL", "BQL", "BKL"];
    const places = names.map((name, i) => `${name} on ${position.pins[i]}`);
    sentences.push(`Boards: ${places.join(", ")}.`);
  }
  return [...sentences, announce(position, lastMove)];
}

/** Says what has just happened. */
export function announce(position: Position, lastMove: readonly string[]): string {
  const parts = [];
  if (lastMove.length > 0) {
    parts.push(`Last move: ${lastMove.join(" to ")}.`);
  }
  for (const seat of position.checks) parts.push(`${capitalized(seat)} is in check.`);
  parts.push(position.toMove ? `${capitalized(position.toMove)} to move.` : "The game is over.");
  return parts.join(" ");
}
