// Implements Triarch's bot protocol, so a bot is just a function that chooses a move:
//
//   const { run } = require("./triarch_bot.js");
//   run((turn) => turn.random.choice(turn.legal), { name: "My bot 1.0" });
//
// Copy this file into your bot's folder: a bot sees no other files. It needs Node.js 18 or newer
// and no packages. An exception in the bot ends the program and thus the game; it is printed to
// standard error, which Triarch keeps. console.log() is harmless, but its output is not shown.
"use strict";
const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const { createInterface } = require("node:readline");
const { setImmediate: nextEvents } = require("node:timers/promises");

const RESIGN = "resign";
const CLAIM = "claim"; // claims a draw by the rules

// Each game's seats in turn order, and the field of a position's text with the seat to move.
const SEATS = { triumvirate: "wbr", "three-way": "wgb", "tri-d": "wb" };
const ACTIVE_FIELD = { triumvirate: 1, "three-way": 3, "tri-d": 2 };

// ---- The options of a bot: run(…, { options: { Level: spin(3, 1, 9) } })
// Each has a default value, a declaration, the expected value for error messages, and a reader that
// returns undefined for an invalid text.

// True or false.
const check = (byDefault = false) => ({
  byDefault,
  declaration: `type check default ${byDefault}`,
  expected: "true or false",
  read: (text) => (["true", "false"].includes(text) ? text === "true" : undefined),
});

// A whole number from lowest to highest.
const spin = (byDefault, lowest, highest) => ({
  byDefault,
  declaration: `type spin default ${byDefault} min ${lowest} max ${highest}`,
  expected: `a number from ${lowest} to ${highest}`,
  read(text) {
    const value = Number(text);
    return /^-?\d+$/.test(text) && value >= lowest && value <= highest ? value : undefined;
  },
});

// One of several words; the first is the default.
const combo = (values) => ({
  byDefault: values[0],
  declaration: `type combo default ${values[0]} var ${values.join(" var ")}`,
  expected: `one of ${values.join(", ")}`,
  read: (text) => (values.includes(text) ? text : undefined),
});

// Any text.
const string = (byDefault = "") => ({
  byDefault,
  declaration: `type string default ${byDefault || "<empty>"}`,
  expected: "a text",
  read: (text) => (text === "<empty>" ? "" : text),
});

// ---- The rules, from a child process

// A running `triarch rules`. It counts against the bot's own time and limits.
class Rules {
  #child;
  #waiting = [];

  constructor(game) {
    const program = process.env.TRIARCH_PROGRAM ?? "triarch";
    this.#child = spawn(program, ["rules", "--game", game], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const { resolve, reject } = this.#waiting.shift();
      const answer = JSON.parse(line);
      if (answer.error === undefined) resolve(answer);
      else reject(new Error(answer.error));
    });
    const fail = () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("triarch rules has ended"));
    };
    this.#child.on("error", fail).on("exit", fail);
  }

  ask(...words) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${words.join("\t")}\n`);
    });
  }
}

const rulesOf = {};

// A position, without the history that repetition depends on.
//
//   text     the position as text
//   seat     the seat to move, 0, 1 or 2; `seats` of a turn has their letters
//   scores   Triarch's evaluation for each seat, in hundredths of a pawn
//   isIn, inCheck   by seat: whether it has not been eliminated, and whether its king is attacked
//   places   by seat, once the position ends the game: 1 is best; otherwise null
class State {
  #rules;
  #legal;

  constructor(rules, answer) {
    this.#rules = rules;
    this.#legal = answer.moves;
    this.text = answer.position;
    this.seat = answer.seat;
    this.scores = answer.scores;
    this.isIn = answer.in.map(Boolean);
    this.inCheck = answer.check.map(Boolean);
    this.places = answer.places;
  }

  // Promises the legal moves; none once the game is over.
  async legal() {
    this.#legal ??= (await this.#rules.ask("look", this.text)).moves;
    return this.#legal;
  }

  // Promises the state after a move in any form of the game, or several, separated by spaces.
  async play(move) {
    return new State(this.#rules, await this.#rules.ask("play", this.text, move));
  }

  // Promises { move, state } for each legal move, at less cost than `play`.
  async children() {
    const { children } = await this.#rules.ask("children", this.text);
    return children.map((child) => ({ move: child.move, state: new State(this.#rules, child) }));
  }

  // Promises the cells of the pieces of all seats that attack a cell, pinned or not.
  async attackers(cell) {
    return (await this.#rules.ask("attackers", this.text, cell)).attackers;
  }
}

// ---- Randomness

// Random numbers from a text (sfc32, seeded with a hash of the text).
class Random {
  constructor(seed) {
    const hash = createHash("sha256").update(seed).digest();
    this.state = [0, 4, 8, 12].map((at) => hash.readUInt32LE(at));
  }

  // Returns a whole number that is at least 0 and below 2^32.
  bits() {
    let [a, b, c, counter] = this.state;
    const bits = (a + b + counter) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + bits) >>> 0;
    counter = (counter + 1) >>> 0;
    this.state = [a, b, c, counter];
    return bits;
  }

  // Returns a number that is at least 0 and below 1.
  real() {
    return this.bits() / 2 ** 32;
  }

  // Returns a whole number that is at least 0 and below n.
  below(n) {
    return Math.floor(this.real() * n);
  }

  choice(list) {
    return list[this.below(list.length)];
  }
}

// ---- A turn

// The request for a move.
//
//   game        "triumvirate", "three-way" or "tri-d"
//   position    before `moves`: "startpos", or a text (3PF, HexFEN or TFEN)
//   moves       the moves played since then, by all seats
//   legal       the legal moves
//   seats       the letters of all seats in turn order: "wbr"
//   seat        the letter of the bot's seat (derived from the moves if the host does not send it)
//   canClaim    whether CLAIM would be granted now
//   clocks, increments   milliseconds by seat letter; empty if there are no clocks
//   movesToGo   moves until the bot's clock gets more time; null if it never does
//   movetime    milliseconds for this move, or null; nodes and depth likewise
//   isClaimRefused       whether the bot has made an invalid draw claim this turn
//   options     the values of the options, by name
//   random      a Random seeded at the start of the game: take all randomness from it, so that
//               games are reproducible
//   memory      an object for the bot's own use, empty at the start of each game
class Turn {
  legal = [];
  clocks = {};
  increments = {};
  canClaim = false;
  movesToGo = null;
  movetime = null;
  nodes = null;
  depth = null;
  #stop;

  constructor(words, stop, facts) {
    this.#stop = stop;
    Object.assign(this, facts);
    for (let i = 0; i < words.length; ++i) {
      const word = words[i];
      if (word === "legal") {
        this.legal = words.slice(i + 1);
        break;
      }
      if (word === "seat") this.seat = words[++i];
      else if (word === "claimable") this.canClaim = true;
      else if (["movetime", "nodes", "depth"].includes(word)) this[word] = Number(words[++i]);
      else if (word === "movestogo") this.movesToGo = Number(words[++i]);
      else if (word.endsWith("time")) this.clocks[word.slice(0, -4)] = Number(words[++i]);
      else if (word.endsWith("inc")) this.increments[word.slice(0, -3)] = Number(words[++i]);
    }
  }

  // Promises the current State. Its first use starts a child process that knows the rules.
  async state() {
    const rules = (rulesOf[this.game] ??= new Rules(this.game));
    const words = this.moves.length > 0 ? ["play", this.position, this.moves.join(" ")]
      : ["look", this.position];
    return new State(rules, await rules.ask(...words));
  }

  // The recommended time for this move in milliseconds; null if there is no time limit. With a
  // clock it is the same as for the bundled bots: 1/25 of the remaining time, or a larger share if
  // the clock soon gets more time, plus the increment.
  get budgetMs() {
    const budgets = this.movetime === null ? [] : [this.movetime];
    if (this.seat in this.clocks) {
      const left = this.clocks[this.seat];
      const shares = Math.min(25, (this.movesToGo ?? 25) + 1);
      budgets.push(Math.min(left, left / shares + (this.increments[this.seat] ?? 0)));
    }
    return budgets.length > 0 ? Math.min(...budgets) : null;
  }

  // Returns whether to answer now, as a promise, because `stop` is only read while the bot awaits.
  // Takes a few microseconds; call `if (await turn.isStopped()) …` about every hundred positions.
  async isStopped() {
    await nextEvents();
    return this.#stop.isAsked;
  }

  // Reports the search: depth in plies, number of positions, each seat's expected share of the
  // points, the expected line, and any text.
  info({ depth, nodes, shares, pv, string: text } = {}) {
    let line = "info";
    if (depth !== undefined) line += ` depth ${depth}`;
    if (nodes !== undefined) line += ` nodes ${nodes}`;
    if (shares) line += ` score shares ${shares.map((share) => share.toFixed(6)).join(" ")}`;
    if (pv?.length > 0) line += ` pv ${pv.join(" ")}`;
    if (line !== "info") write(line);
    if (text !== undefined) write(`info string ${String(text).replace(/[\r\n]+/g, " ")}`);
  }
}

// ---- The session

const write = (line) => process.stdout.write(`${line}\n`);
const wordsOf = (text) => text.split(/\s+/).filter((word) => word !== "");

// Returns whether the mover moves again: after promoting a pawn that the opponent's board move has
// freed, "a8B=Q". All other moves of Tri-D contain a dash.
const isFreedPromotion = (game, move) => game === "tri-d" && !move.includes("-");

// Returns the text before and after the first `separator`.
function parted(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

class Conversation {
  constructor(choose, { name, games = Object.keys(SEATS), options = {} }) {
    this.choose = choose;
    this.name = name;
    this.options = {
      UCI_Variant: combo(games),
      LegalMoves: check(),
      Seed: string("0"),
      ...options,
    };
    this.values = {};
    for (const [key, option] of Object.entries(this.options)) this.values[key] = option.byDefault;
    this.beginGame();
  }

  // Handles lines one after another; a thinking bot sees `stop` as soon as it arrives.
  hold() {
    let last = Promise.resolve();
    let stop = { isAsked: false };
    createInterface({ input: process.stdin })
      .on("line", (text) => {
        const [command, rest] = parted(text.trim(), " ");
        if (command === "stop" || command === "quit") stop.isAsked = true;
        if (command === "go") stop = { isAsked: false };
        const ownStop = stop;
        last = last.then(() => this.obey(command, rest, ownStop));
      })
      .on("close", () => {
        stop.isAsked = true;
        last.then(() => process.exit(0));
      });
  }

  obey(command, rest, stop) {
    if (command === "uci") this.introduce();
    else if (command === "isready") write("readyok");
    else if (command === "setoption") this.setOption(rest);
    else if (command === "ucinewgame") this.beginGame();
    else if (command === "position") this.setPosition(rest);
    else if (command === "go") return this.go(rest, stop);
    else if (command === "quit") process.exit(0);
    return undefined;
  }

  introduce() {
    write(`id name ${this.name}`);
    for (const [key, option] of Object.entries(this.options)) {
      write(`option name ${key} ${option.declaration}`);
    }
    write("uciok");
  }

  setOption(rest) {
    const [, key, text = ""] = rest.match(/^(?:name )?(.*?)(?: value(?: (.*))?)?$/);
    if (!Object.hasOwn(this.options, key)) {
      write(`info string there is no option ${key}`);
      return;
    }
    const value = this.options[key].read(text);
    if (value === undefined) {
      // Playing on with another value would measure a different bot.
      console.error(`error: option ${key} is '${text}'; expected ${this.options[key].expected}`);
      process.exit(1);
    }
    this.values[key] = value;
  }

  beginGame() {
    this.position = "startpos";
    this.moves = [];
    this.seat = null;
    this.memory = {};
    this.random = new Random(this.values.Seed);
    this.claimedAt = null; // position and moves
  }

  setPosition(rest) {
    const [position, moves] = parted(rest, " moves");
    this.position = position.replace(/^fen /, "");
    this.moves = wordsOf(moves);
  }

  placeInGame() {
    return [this.position, ...this.moves].join(" ");
  }

  // Returns the seat to move, assuming that no seat is out.
  countSeat() {
    const game = this.values.UCI_Variant;
    const seats = SEATS[game];
    const fields = this.position.split(" ");
    const first =
      this.position === "startpos" ? 0 : seats.indexOf(fields[ACTIVE_FIELD[game]].toLowerCase());
    const turns = this.moves.filter((move) => !isFreedPromotion(game, move)).length;
    return seats[(first + turns) % seats.length];
  }

  async go(rest, stop) {
    this.seat ??= this.countSeat();
    const game = this.values.UCI_Variant;
    const turn = new Turn(wordsOf(rest), stop, {
      game,
      position: this.position,
      moves: [...this.moves],
      seats: SEATS[game],
      seat: this.seat,
      isClaimRefused: this.claimedAt === this.placeInGame(),
      options: { ...this.values },
      random: this.random,
      memory: this.memory,
    });
    const move = await this.choose(turn);
    if (typeof move !== "string") {
      throw new TypeError(`the bot answered ${move}; expected a move as text, RESIGN or CLAIM`);
    }
    // After an invalid claim the same turn is requested again.
    this.claimedAt = move === CLAIM ? this.placeInGame() : null;
    write(`bestmove ${move}`);
  }
}

// Runs the bot until Triarch sends `quit`. choose(turn) returns, or promises, a move as text,
// RESIGN or CLAIM. `games` are the games that the bot plays, `options` its own options by name.
function run(choose, { name, games, options }) {
  // Print the message last, because Triarch's log shows the last line; Node.js would print its
  // version there.
  process.on("uncaughtException", (error) => {
    console.error(error);
    console.error(`error: ${error?.message ?? error}`);
    process.exit(1);
  });
  new Conversation(choose, { name, games, options }).hold();
}

module.exports = { run, RESIGN, CLAIM, SEATS, check, spin, combo, string };
