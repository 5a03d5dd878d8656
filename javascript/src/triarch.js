// The rules of Triumvirate, Three-Way Chess and Tri-D chess, and the bundled searchers.
//
//   import { State, Bot } from "triarch";
//
//   const state = new State("tri-d");
//   state.play("b3W-b4N");
//   state.play(new Bot("mcts", { nodes: 300 }).choose(state));

import {
  DRAWS_CLAIMED, GAMES, IllegalMoveError, MATERIAL_DRAWS, POSITION_BYTES, STATE_BYTES,
  TERMINATIONS, TriarchError, at, bytes, cells, check, findGame, float64, readText, setUp,
  textsAt, wasm, withText, word, words,
} from "./library.js";

export { GAMES, IllegalMoveError, TERMINATIONS, TriarchError, cells, findGame };

const TYPES = ["pawn", "knight", "bishop", "rook", "queen", "king"];
export const RESIGN = "resign";
export const CLAIM = "claim";

/** A legal move of one position. Its text is "E2-E4". */
export class Move {
  #position;

  constructor(number, position) {
    this.number = number;
    this.#position = position;
  }
  #load() {
    bytes().set(this.#position, at.other);
    return at.other;
  }
  /** The canonical text. */
  get text() {
    const position = this.#load();
    return readText((place, size) =>
      wasm._triarch_move_text(position, this.number, place, size));
  }
  /** The policy index (docs/selfplay-data.md). */
  get index() {
    return wasm._triarch_policy_index(this.#load(), this.number);
  }
  /** What a capture or promotion is expected to gain, in hundredths of a pawn; 0 for others. */
  get captureGain() {
    return wasm._triarch_capture_gain(this.#load(), this.number);
  }
  /** Returns the move in one of the forms of its game. */
  inForm(form) {
    const position = this.#load();
    const name = GAMES[wasm._triarch_game_of(position) - 1];
    const number = findGame(name).moveForms.indexOf(form);
    if (number < 0) {
      throw new TriarchError(
        `unknown form "${form}"; known: ${findGame(name).moveForms.join(", ")}`);
    }
    return readText((place, size) =>
      wasm._triarch_move_in_form(position, this.number, number, place, size));
  }
  /** Returns the move as an object, as `triarch moves --json` prints it. */
  toJSON() {
    const position = this.#load();
    return JSON.parse(readText((place, size) =>
      wasm._triarch_move_json(position, this.number, place, size)));
  }
  toString() {
    return this.text;
  }
}

/** A game in progress. */
export class State {
  #game;
  #bytes;
  #undo = [];

  constructor(game, { position = null, start = null, draws = "automatic",
    materialDraws = false } = {}) {
    if (draws !== "automatic" && draws !== "claimed") {
      throw new TriarchError(`draws "${draws}"; expected "automatic" or "claimed"`);
    }
    this.#game = findGame(game);
    setUp(this.#game, { position, start }, at.other);
    const flags = (draws === "claimed" ? DRAWS_CLAIMED : 0) | (materialDraws ? MATERIAL_DRAWS : 0);
    wasm._triarch_state_begin(at.state, at.other, flags);
    this.#keep();
  }
  #load() {
    bytes().set(this.#bytes, at.state);
    return at.state;
  }
  #keep() {
    this.#bytes = bytes().slice(at.state, at.state + STATE_BYTES);
  }
  #change(call) {
    this.#load();
    check(call());
    this.#undo.push(this.#bytes);
    this.#keep();
    return this;
  }
  #position() {
    return this.#bytes.slice(0, POSITION_BYTES);
  }
  #cell(name) {
    this.#load();
    check(withText(name, (place) =>
      wasm._triarch_find_cell(at.state, place, at.number, at.error)));
    return word(at.number);
  }
  #text(call) {
    this.#load();
    return readText(call);
  }

  /**
   * Returns the legal moves, or those of the piece on a cell (in Tri-D also of the board on a pin,
   * "QL1"); none if the game is over.
   */
  legalMoves(cell = null) {
    let count = 0;
    if (this.game === "tri-d" && /^[QK]L[1-6]$/.test(cell ?? "")) {
      return this.legalMoves().filter((move) => move.text.startsWith(`${cell}-`));
    }
    if (cell === null) {
      count = wasm._triarch_state_legal_moves(this.#load(), at.moves);
    } else {
      const number = this.#cell(cell);
      if (!this.isOver) count = wasm._triarch_legal_moves_from(at.state, number, at.moves);
    }
    const position = this.#position();
    const first = at.moves >> 2;
    return Array.from(words().subarray(first, first + count),
      (number) => new Move(number, position));
  }
  /** Returns the legal move that a text in any form of the game names. */
  parseMove(text) {
    this.#load();
    check(withText(text, (place) =>
      wasm._triarch_parse_move(at.state, place, at.number, at.error)));
    return new Move(word(at.number), this.#position());
  }
  /** Returns the legal move with a policy index. */
  moveAtIndex(index) {
    check(wasm._triarch_move_at_index(this.#load(), index, at.number, at.error));
    return new Move(word(at.number), this.#position());
  }
  /** Plays a Move or a text. If it is not legal, throws IllegalMoveError and changes nothing. */
  play(move) {
    const number = (move instanceof Move ? move : this.parseMove(move)).number;
    return this.#change(() => wasm._triarch_state_play(at.state, number, at.error));
  }
  /** Takes back the last move, resignation or claim. */
  undo() {
    if (this.#undo.length === 0) throw new IllegalMoveError("there is nothing to take back");
    this.#bytes = this.#undo.pop();
    return this;
  }
  /** Resigns for a seat, by default the one to move. */
  resign(seat = this.toMove) {
    return this.#change(() => wasm._triarch_state_resign(at.state, seat, at.error));
  }
  /** Claims a draw for the seat to move. */
  claimDraw() {
    return this.#change(() => wasm._triarch_state_claim_draw(at.state, at.error));
  }

  get game() {
    return this.#game.name;
  }
  get toMove() {
    return wasm._triarch_to_move(this.#load());
  }
  /** How many moves, resignations and claims `undo` can take back. */
  get ply() {
    return this.#undo.length;
  }
  get isOver() {
    return wasm._triarch_state_get_outcome(this.#load(), 0) !== 0;
  }
  /** How the game ended: { places, points, termination }; null while it runs. */
  get outcome() {
    if (wasm._triarch_state_get_outcome(this.#load(), at.outcome) === 0) return null;
    const seats = [...Array(this.#game.seats).keys()];
    return {
      places: seats.map((seat) => word(at.outcome, seat)),
      points: seats.map((seat) => float64(at.outcome + 16, seat)),
      termination: TERMINATIONS[word(at.outcome, 10)],
    };
  }
  /** Returns how a seat left the game, or null if it has not. */
  ending(seat) {
    const number = wasm._triarch_state_ending(this.#load(), seat);
    return number < 0 ? null : TERMINATIONS[number];
  }
  isIn(seat) {
    return wasm._triarch_is_in(this.#load(), seat) !== 0;
  }
  inCheck(seat = this.toMove) {
    return wasm._triarch_in_check(this.#load(), seat) !== 0;
  }
  get canClaimDraw() {
    return wasm._triarch_state_can_claim_draw(this.#load()) !== 0;
  }
  /** How often the position has occurred since the last irreversible move, including now. */
  get occurrences() {
    this.#load();
    return wasm._triarch_state_occurrences(at.state, wasm._triarch_hash(at.state));
  }
  get halfmoveClock() {
    return wasm._triarch_halfmove_clock(this.#load());
  }
  /** The canonical text of the last move, if `undo` can take it back; otherwise null. */
  get lastMove() {
    if (this.#undo.length === 0) return null;
    if (wasm._triarch_state_last_move(this.#load(), at.number) === 0) return null;
    return new Move(word(at.number), this.#undo.at(-1).slice(0, POSITION_BYTES)).text;
  }
  cellName(number) {
    return this.#text((place, size) => wasm._triarch_cell_text(at.state, number, place, size));
  }
  /** Returns the pieces on the board: { cell, type, owner, color }. */
  pieces() {
    const count = wasm._triarch_pieces(this.#load(), at.pieces);
    const found = bytes().slice(at.pieces, at.pieces + 4 * count);
    return Array.from({ length: count }, (_, i) => ({
      cell: this.cellName(found[4 * i]),
      type: TYPES[found[4 * i + 1]],
      owner: found[4 * i + 2],
      color: found[4 * i + 3],
    }));
  }
  /** Returns the cells of the pieces of all seats that attack a cell, pinned or not. */
  attackers(cell) {
    const count = wasm._triarch_attackers(at.state, this.#cell(cell), at.pieces);
    return Array.from(bytes().slice(at.pieces, at.pieces + count),
      (number) => this.cellName(number));
  }
  /** Returns the searchers' evaluation for each seat, in hundredths of a pawn. */
  evaluate() {
    wasm._triarch_evaluate(this.#load(), at.outcome);
    const first = at.outcome >> 2;
    return Array.from(wasm.HEAP32.slice(first, first + this.#game.seats));
  }
  /** Returns the number of sequences of `depth` legal moves. */
  perft(depth) {
    return Number(wasm._triarch_perft(this.#load(), depth));
  }

  /** The position as text: 3PF, HexFEN or TFEN. */
  get fen() {
    return this.#text((place, size) => wasm._triarch_text(at.state, place, size));
  }
  /** Returns the position as an object (docs/formats.md). */
  toJSON() {
    return JSON.parse(this.#text((place, size) => wasm._triarch_json(at.state, place, size)));
  }
  #draw(draw, { names = false, players = [], colored = false }) {
    words().fill(0, at.picture >> 2, (at.picture + 32) >> 2);
    const hasLast = wasm._triarch_state_last_move(this.#load(), at.number);
    words().set([32, hasLast, hasLast ? word(at.number) : 0, names ? 1 : 0, colored ? 1 : 0],
      at.picture >> 2);
    // Each player's name ends with a NUL.
    return withText(players.map((player) => `${player}\0`).join(""), (place) => {
      let where = place;
      players.forEach((player, seat) => {
        words()[(at.picture >> 2) + 5 + seat] = where;
        where += new TextEncoder().encode(player).length + 1;
      });
      return readText(draw);
    });
  }
  /** Returns an SVG picture that marks the last move. */
  toSvg({ names = false, players = [] } = {}) {
    return this.#draw((place, size) => wasm._triarch_svg(at.state, at.picture, place, size),
      { names, players });
  }
  /** Returns the board as text; `colored` with ANSI colours. */
  toBoard({ colored = false } = {}) {
    return this.#draw((place, size) => wasm._triarch_board(at.state, at.picture, place, size),
      { colored });
  }
  toString() {
    return this.fen;
  }

  /** Returns an independent copy with the same history. */
  copy() {
    const other = State.fromBytes(this.#game.name, this.#bytes);
    other.#undo = [...this.#undo];
    return other;
  }
  /** Returns whether positions and histories are equal. */
  equals(other) {
    this.#load();
    bytes().set(other.#bytes, at.other);
    return wasm._triarch_state_equal(at.state, at.other) !== 0;
  }
  /** Returns the state as bytes, for a worker with the same version of this package. */
  toBytes() {
    return this.#bytes.slice();
  }
  static fromBytes(game, content) {
    if (content.length !== STATE_BYTES) {
      throw new TriarchError(`${content.length} bytes; expected ${STATE_BYTES}`);
    }
    const state = new State(game);
    state.#bytes = content.slice();
    return state;
  }
}

const freeSearches = new FinalizationRegistry((searches) => {
  for (const search of searches.values()) wasm._triarch_search_destroy(search);
});

/** The names of the bundled searchers. */
export const SEARCHERS = Object.freeze(textsAt(wasm._triarch_searchers()));

/** A bundled searcher. It remembers one game of one seat at a time. */
export class Bot {
  #searches = new Map();
  #seed;

  constructor(name, options = {}, seed = 0) {
    this.name = name;
    this.options = { ...options };
    this.#seed = seed;
    freeSearches.register(this, this.#searches);
    this.#search("tri-d"); // reports wrong options now
  }
  #search(game) {
    if (!this.#searches.has(game)) {
      const { number } = findGame(game);
      const texts = Object.entries(this.options).flat().map(String);
      const places = texts.map((text) => withText(text, (place) => {
        const end = bytes().indexOf(0, place) + 1;
        const copy = wasm._malloc(end - place);
        bytes().copyWithin(copy, place, end);
        return copy;
      }));
      const list = wasm._malloc(4 * (places.length + 1));
      words().set([...places, 0], list >> 2);
      try {
        check(withText(this.name, (place) => wasm._triarch_search_create(
          number, place, list, at.number, at.error)));
      } finally {
        places.forEach((place) => wasm._free(place));
        wasm._free(list);
      }
      const search = word(at.number);
      wasm._triarch_search_new_game(search, BigInt(this.#seed));
      this.#searches.set(game, search);
    }
    return this.#searches.get(game);
  }
  /** Forgets the last game. All randomness derives from the seed. */
  newGame(seed = 0) {
    this.#seed = seed;
    for (const search of this.#searches.values()) {
      wasm._triarch_search_new_game(search, BigInt(seed));
    }
  }
  /**
   * Searches a position: { answer, move, nodes, shares, line, policy }. Limits of 0 do not apply;
   * the bot's own options do.
   */
  analyse(state, { nodes = 0, depth = 0, milliseconds = 0 } = {}) {
    const search = this.#search(state.game);
    const moves = state.legalMoves();
    bytes().set(state.toBytes(), at.state);
    words().set([24, depth], at.limits >> 2);
    wasm.HEAP64.set([BigInt(nodes), BigInt(milliseconds)], (at.limits >> 3) + 1);
    check(wasm._triarch_search_choose(search, at.state, at.limits, at.answer, at.policy,
      at.error));
    const kind = word(at.answer, 0);
    const number = word(at.answer, 1);
    const move = moves.find((other) => other.number === number);
    const seats = findGame(state.game).seats;
    const shares = word(at.answer, 4) === 0 ? null
      : Array.from({ length: seats }, (_, seat) => float64(at.answer + 24, seat));
    const first = at.policy >> 2;
    const policy = Array.from(wasm.HEAPF32.slice(first, first + moves.length));
    const line = [];
    const numbers = Array.from({ length: word(at.answer, 12) }, (_, i) => word(at.answer, 13 + i));
    const nodesSearched = Number(wasm.HEAP64[(at.answer >> 3) + 1]);
    const follow = state.copy();
    for (const next of numbers) {
      const found = follow.legalMoves().find((other) => other.number === next);
      line.push(found.text);
      follow.play(found);
    }
    return {
      answer: [move, RESIGN, CLAIM][kind], move, nodes: nodesSearched, shares, line,
      policy: policy.some((share) => share > 0)
        ? moves.map((other, i) => ({ move: other, share: policy[i] })) : [],
    };
  }
  /** Returns the bot's answer: a Move, RESIGN or CLAIM. */
  choose(state, limits = {}) {
    return this.analyse(state, limits).answer;
  }
}

/** Returns a bundled searcher: bot("mcts", { nodes: 300 }). */
export const bot = (name, options = {}, seed = 0) => new Bot(name, options, seed);
