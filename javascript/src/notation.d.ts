// Types of notation.js.

export type Table = "published" | "client";
export const TABLES: readonly Table[];
/** The names of the pieces by their letters. */
export const PIECES: Readonly<Record<string, string>>;

/** The parts of a cell's name in Triumvirate v4.0. */
export interface V4Cell {
  readonly name: string;
  /** The classic name: "B3". */
  readonly cell: string;
  readonly sector: string;
  readonly opponent: string;
  readonly ring: number;
  readonly depth: number;
  readonly flank: number;
  readonly isRosette: boolean;
  readonly buriedLevel: number;
  readonly buriedClass: string;
}
export function describe(cell: string, table?: Table): V4Cell;
export function toV4(cell: string, table?: Table): string;
export function fromV4(name: string, table?: Table): string;
export function ring(number: number, table?: Table): string[];
export function sector(letter: string, table?: Table): string[];
export function buriedLevel(cell: string, table?: Table): number;
export function pieceToV4(piece: string): string;
export function pieceFromV4(name: string): string;
export function moveToV4(move: string | { toString(): string }, table?: Table): string;
export function moveFromV4(move: string, table?: Table): string;
export function positionToV4(text: string | { toString(): string }, table?: Table): string;
export function positionFromV4(text: string, table?: Table): string;
