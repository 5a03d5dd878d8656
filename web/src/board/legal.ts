// Legal moves as the board shows them.

export type MoveKind = "move" | "capture" | "castling" | "promotion" | "board move";

export interface LegalMove {
  /** A cell, or the pin that a board leaves. */
  from: string;
  to: string;
  /** What `onmove` is called with: "A7-A8=Q". */
  text: string;
  kind: MoveKind;
}

/** Returns the letter of the piece that a pawn becomes, or null. */
export function promotionOf(text: string): string | null {
  return /=([QRBN])/.exec(text)?.[1] ?? null;
}

/** The moves between two places; several if a pawn promotes. */
export function movesBetween(legal: readonly LegalMove[], from: string, to: string): LegalMove[] {
  return legal.filter((move) => move.from === from && move.to === to);
}

/** Whether the place has moves, and each of them stays there: a freed pawn of Tri-D promotes. */
export function isPromotionInPlace(legal: readonly LegalMove[], place: string): boolean {
  const own = legal.filter((move) => move.from === place);
  return own.length > 0 && own.every((move) => move.to === place);
}
