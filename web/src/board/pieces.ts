// The outlines of the pieces, as in the program's pictures (core/game/svg_pieces.cc). They are
// drawn around (0, 0) with a height of about 32.

export type PieceType = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";

export const SHAPES: Readonly<Record<PieceType, string>> = {
  pawn: "M-10.5 14.5c0-4.2 1.6-6 4-7.6 2.3-1.6 3-4.6 3-7.4h-3.2v-2.8h2.5a6.2 6.2 0 1 1 8.4 0h2.5v" +
    "2.8h-3.2c0 2.8.7 5.8 3 7.4 2.4 1.6 4 3.4 4 7.6z",
  knight:
    "M-9 14.5c-.6-6.3 5.4-8.6 5.3-13.3-2.3 1.3-4.1 1-5.6 2.8-.9 1.1-2.2 1.5-3.5.7-1.5-.9-1.8-" +
    "2.4-1-3.9l4.2-7.6c.3-2.6 1.5-4.3 3.1-5.6l.3-4.1 3.5 2.7c8 .2 12.7 6.5 12.7 15.6 0 5-1 8." +
    "3-1.3 12.7z",
  bishop:
    "M-11 14.5v-2.6c0-1.6 1.2-2.4 3-2.4h3.6l.7-3.3c-3.2-1.4-5-3.7-5-6.9 0-4.6 3.9-8.5 6.7-10." +
    "9a2.9 2.9 0 1 1 4 0c2.8 2.4 6.7 6.3 6.7 10.9 0 3.2-1.8 5.5-5 6.9l.7 3.3h3.6c1.8 0 3 .8 3" +
    " 2.4v2.6z",
  rook: "M-11.5 14.5v-3.7l2.9-2.6 1.1-11.5-3-2.6v-8.1h4.7v3h3.4v-3h4.8v3h3.4v-3h4.7v8.1l-3 2.6 1." +
    "1 11.5 2.9 2.6v3.7z",
  queen:
    "M-10 14.5l-.6-3.9 1.2-2.4-4.9-13.4a2.3 2.3 0 1 1 2.9-.9l4.6 5.9 1.5-10.6a2.3 2.3 0 1 1 2" +
    ".7-.2l2.6 10 2.6-10a2.3 2.3 0 1 1 2.7.2l1.5 10.6 4.6-5.9a2.3 2.3 0 1 1 2.9.9l-4.9 13.4 1" +
    ".2 2.4-.6 3.9z",
  king: "M-10 14.5l-.5-4.1c-3.2-2.5-5-5.1-5-8.4 0-4 3-6.6 6.6-6.6 2.9 0 5.4 1.4 7.1 3.8v-8h-3.7v-" +
    "3.2h3.7v-3.5h3.6v3.5h3.7v3.2h-3.7v8c1.7-2.4 4.2-3.8 7.1-3.8 3.6 0 6.6 2.6 6.6 6.6 0 3.3-" +
    "1.8 5.9-5 8.4l-.5 4.1z",
};
/** The lines inside the outlines. */
export const DETAILS: Readonly<Record<PieceType, string>> = {
  pawn: "",
  knight: "M-5.3-7.2h.01M-11.2 2.5l1.5-1.7",
  bishop: "M0-8v7.5M-3.7-4.2h7.4M-4.3 9.5h8.6",
  rook: "M-8.3 8.2h16.6M-7.5-3.3h15",
  queen: "M-10.6 10.6h21.2M-9.4 8.2c6-1.7 12.8-1.7 18.8 0",
  king: "M-10.5 10.4c6.5-2 14.5-2 21 0M0-.8v8.7",
};

/** The types by the letters of positions and promotions. */
export const TYPES: Readonly<Record<string, PieceType>> = {
  P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king",
};
