// A position that a person sets up by hand, before it is known whether it is valid.
import type { PieceType } from "../board/pieces";
import { firstRank, type SeatName } from "../board/position";
import { ATTACK_BOARDS } from "../board/tri_d";
import type { GameName, SentPosition } from "../lib/api";
import type { State } from "./engine";

interface DraftPiece {
  cell: string;
  /** "King" */
  type: string;
  color: SeatName;
  owner?: SeatName;
  double_step?: true;
}

/** What a click puts on a cell; null takes the piece away. */
export interface Tool { type: PieceType; color: SeatName; owner: SeatName; hasDoubleStep: boolean }

/** Position JSON (docs/formats.md), as far as a person edits it. */
export interface Draft {
  pieces: DraftPiece[];
  active_player: SeatName;
  castling: Partial<Record<SeatName, { K: boolean; Q: boolean }>>;
  move_number: number;
  halfmove_clock: number;
  pins?: Record<string, string>;
}

/** Begins with a position, without what only its history explains. */
export function draftOf(state: State): Draft {
  const json = state.toJSON() as unknown as Draft;
  const { pieces, active_player, castling, move_number, halfmove_clock, pins } = json;
  return {
    pieces: pieces.map(({ cell, type, color, owner, double_step }) => ({
      cell, type, color, ...(owner ? { owner } : {}), ...(double_step ? { double_step } : {}),
    })),
    active_player, castling, move_number, halfmove_clock, ...(pins ? { pins } : {}),
  };
}

export function emptied(draft: Draft): Draft {
  const castling = Object.fromEntries(Object.keys(draft.castling)
    .map((seat) => [seat, { K: false, Q: false }]));
  return { ...draft, pieces: [], castling, move_number: 1, halfmove_clock: 0 };
}

const nameOf = (type: PieceType): string => type.charAt(0).toUpperCase() + type.slice(1);

/** Puts a piece on a cell, or takes it away if it is there already. */
export function placed(draft: Draft, game: GameName, cell: string, tool: Tool | null): Draft {
  const pieces = draft.pieces.filter((piece) => piece.cell !== cell);
  const old = draft.pieces.find((piece) => piece.cell === cell);
  if (!tool) return { ...draft, pieces };
  const piece: DraftPiece = {
    cell, type: nameOf(tool.type), color: tool.color,
    ...(game === "triumvirate" ? { owner: tool.owner } : {}),
    ...(game === "tri-d" && tool.type === "pawn" && tool.hasDoubleStep
      ? { double_step: true as const } : {}),
  };
  const isSame = old !== undefined && old.type === piece.type && old.color === piece.color &&
    (old.owner ?? old.color) === (piece.owner ?? piece.color) &&
    old.double_step === piece.double_step;
  return { ...draft, pieces: isSame ? pieces : [...pieces, piece] };
}

const FILES = "zabcde";
/** Returns the cell of another pin that has the same place on its board. */
function movedCell(cell: string, from: string, to: string): string {
  if (!cell.endsWith(from)) return cell;
  const file = FILES.indexOf(cell.charAt(0)) - (from.startsWith("Q") ? 0 : 4);
  const rank = Number(cell.slice(1, -from.length)) - firstRank(from);
  return `${FILES.charAt(file + (to.startsWith("Q") ? 0 : 4))}${firstRank(to) + rank}${to}`;
}

/** Moves an attack board of Tri-D, with its pieces, to a pin that is free. */
export function pinned(draft: Draft, board: string, pin: string): Draft {
  const from = draft.pins?.[board];
  if (!from || !draft.pins || Object.values(draft.pins).includes(pin)) return draft;
  return {
    ...draft, pins: { ...draft.pins, [board]: pin },
    pieces: draft.pieces.map((piece) => ({ ...piece, cell: movedCell(piece.cell, from, pin) })),
  };
}

const LETTERS: Readonly<Record<string, string>> = {
  Pawn: "P", Knight: "N", Bishop: "B", Rook: "R", Queen: "Q", King: "K",
};

/** Returns the position as the board takes it. */
export function shownDraft(draft: Draft): SentPosition {
  const pieces = draft.pieces.map(({ cell, type, color, owner }) =>
    `${cell}:${LETTERS[type]}${color.charAt(0)}` +
    `${owner && owner !== color ? owner.charAt(0) : ""}`);
  return {
    text: JSON.stringify(draft), to_move: draft.active_player, pieces: pieces.join(" "),
    checks: [], out: [],
    ...(draft.pins ? { pins: ATTACK_BOARDS.map((board) => draft.pins![board]!) } : {}),
  };
}
