// Loads triarch.wasm and calls its functions, which triarch.h describes.

import createModule from "../dist/triarch.mjs";

const SEATS_MAX = 3;
const MOVES_MAX = 2048;
const ABI_VERSION = 2;
export const POSITION_BYTES = 256;
export const STATE_BYTES = 256 + 8 * 256;
export const DRAWS_CLAIMED = 1;
export const MATERIAL_DRAWS = 2;
export const FIXED_VIEW = 16;
export const NO_RESET = 32;

export const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

async function load() {
  if (!isNode) return createModule();
  const { readFile } = await import("node:fs/promises");
  return createModule({
    wasmBinary: await readFile(new URL("../dist/triarch.wasm", import.meta.url)),
  });
}

export const wasm = await load();
if (wasm._triarch_abi_version() !== ABI_VERSION) {
  throw new Error(`triarch.wasm has another ABI version than ${ABI_VERSION}`);
}

/** What the rules or the library refuse. */
export class TriarchError extends Error {
  /**
   * @param {string} message
   * @param {string | null} code of an invalid position, as its notation names it: "BAD_CELL"
   * @param {number | null} field of the position's text, from 1
   */
  constructor(message, code = null, field = null) {
    super(message);
    this.name = "TriarchError";
    this.code = code;
    this.field = field;
  }
}

/** A move, resignation or claim that the rules do not allow now. */
export class IllegalMoveError extends TriarchError {
  constructor(message) {
    super(message);
    this.name = "IllegalMoveError";
  }
}

// Places in the memory for arguments and results. Every call ends before the next one begins.
export const at = {
  state: wasm._malloc(STATE_BYTES),
  other: wasm._malloc(STATE_BYTES),
  moves: wasm._malloc(4 * MOVES_MAX),
  policy: wasm._malloc(4 * MOVES_MAX),
  error: wasm._malloc(512),
  number: wasm._malloc(8),
  pieces: wasm._malloc(4 * 96),
  outcome: wasm._malloc(48),
  answer: wasm._malloc(256),
  limits: wasm._malloc(24),
  picture: wasm._malloc(64),
  argument: wasm._malloc(4096),
  text: wasm._malloc(1 << 17),
};
const ARGUMENT_ROOM = 4096;
const TEXT_ROOM = 1 << 17;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

// The memory may have grown, which makes earlier views invalid.
export const bytes = () => wasm.HEAPU8;
export const words = () => wasm.HEAPU32;
export const word = (place, index = 0) => wasm.HEAPU32[(place >> 2) + index];
export const float64 = (place, index = 0) => wasm.HEAPF64[(place >> 3) + index];

export function textAt(place) {
  if (place === 0) return null;
  const memory = bytes();
  let end = place;
  while (memory[end] !== 0) ++end;
  return decoder.decode(memory.slice(place, end));
}

/** Returns the texts of a list that ends with NULL. */
export function textsAt(place) {
  const texts = [];
  for (let i = 0; word(place, i) !== 0; ++i) texts.push(textAt(word(place, i)));
  return texts;
}

/** Calls f(place) with the place of a text. */
export function withText(text, f) {
  const content = encoder.encode(String(text));
  const isLong = content.length >= ARGUMENT_ROOM;
  const place = isLong ? wasm._malloc(content.length + 1) : at.argument;
  try {
    bytes().set(content, place);
    bytes()[place + content.length] = 0;
    return f(place);
  } finally {
    if (isLong) wasm._free(place);
  }
}

/** Returns the text that f(place, size) writes. */
export function readText(f) {
  const length = f(at.text, TEXT_ROOM);
  if (length < TEXT_ROOM) return decoder.decode(bytes().slice(at.text, at.text + length));
  const place = wasm._malloc(length + 1);
  f(place, length + 1);
  const text = decoder.decode(bytes().slice(place, place + length));
  wasm._free(place);
  return text;
}

/** Throws the error of a call that had at.error. */
export function check(status) {
  if (status === 0) return;
  const code = textAt(at.error) || null;
  const field = wasm.HEAP32[(at.error + 32) >> 2];
  const message = textAt(at.error + 36);
  if (code !== null) {
    const place = field > 0 ? `field ${field}: ` : "";
    throw new TriarchError(`${code} ${place}${message}`, code, field || null);
  }
  if (status === 2) throw new IllegalMoveError(message);
  throw new TriarchError(message);
}

const games = new Map();

/** Returns the game of that name. */
export function findGame(name) {
  if (!games.has(name)) {
    check(withText(name, (place) => wasm._triarch_find_game(place, at.number, at.error)));
    const number = word(at.number);
    const info = wasm._triarch_get_game_info(number);
    const seats = word(info, 2);
    games.set(name, Object.freeze({
      name: textAt(word(info, 0)),
      number,
      notation: textAt(word(info, 1)),
      seats,
      cells: word(info, 3),
      policySize: word(info, 4),
      seatNames: Array.from({ length: seats }, (_, i) => textAt(word(info, 6 + i))),
      seatLetters: decoder.decode(bytes().slice(info + 4 * (6 + SEATS_MAX),
        info + 4 * (6 + SEATS_MAX) + seats)),
      starts: textsAt(word(info, 10)),
      moveForms: textsAt(word(info, 11)),
      planeNames: textsAt(word(info, 12)),
    }));
  }
  return games.get(name);
}

export const GAMES = Object.freeze(["triumvirate", "three-way", "tri-d"]);
export const TERMINATIONS = [];
for (let i = 0; ; ++i) {
  const word_ = textAt(wasm._triarch_termination_name(i));
  if (word_ === null) break;
  TERMINATIONS.push(word_);
}
Object.freeze(TERMINATIONS);

/** Sets up a position at `place`: a text or JSON, a named start, or the default start. */
export function setUp(game, { position = null, start = null }, place) {
  if (position !== null && start !== null) {
    throw new TriarchError("expected a position or a start, not both");
  }
  if (position !== null) {
    const text = typeof position === "string" ? position : JSON.stringify(position);
    check(withText(text, (where) => wasm._triarch_parse(game.number, where, place, at.error)));
  } else {
    check(withText(start ?? "", (where) =>
      wasm._triarch_start(game.number, where, place, at.error)));
  }
}

/**
 * Returns the geometry of each cell, in order of their numbers, as `triarch cells --json` prints it.
 * The boards of Tri-D move, so its geometry is that of `position` (default: the start).
 */
export function cells(name, position = null) {
  setUp(findGame(name), { position }, at.other);
  return JSON.parse(readText((place, size) =>
    wasm._triarch_cells_json(at.other, place, size))).cells;
}
