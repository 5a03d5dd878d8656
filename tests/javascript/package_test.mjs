// Tests the package javascript/ in Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import test from "node:test";
import { gzipSync } from "node:zlib";

const root = new URL("../../", import.meta.url);
const {
  Bot, GAMES, IllegalMoveError, State, TriarchError, cells, findGame, SEARCHERS, CLAIM, RESIGN,
} = await import(new URL("javascript/src/triarch.js", root));
const notation = await import(new URL("javascript/src/notation.js", root));
const { BotWorker } = await import(new URL("javascript/src/worker.js", root));
const FOLDERS = { triumvirate: "triumvirate", "three-way": "three_way", "tri-d": "tri_d" };
const read = (path) => readFileSync(new URL(path, root), "utf8");
const random = (() => {
  let seed = 1;
  return (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % n;
  };
})();

test("perft agrees with the recorded tables", () => {
  let checked = 0;
  for (const [game, folder] of Object.entries(FOLDERS)) {
    for (const line of read(`tests/data/${folder}/perft.tsv`).trimEnd().split("\n")) {
      const [name, position, ...counts] = line.split("\t");
      const state = new State(game, { position });
      counts.forEach((nodes, i) => {
        if (nodes === "") return;
        assert.equal(state.perft(i + 1), Number(nodes), `${game} ${name} depth ${i + 1}`);
        ++checked;
      });
    }
  }
  assert.ok(checked > 100);
});

test("the program says the same about random games", () => {
  const program = process.env.TRIARCH_PROGRAM;
  for (const game of GAMES) {
    const state = new State(game);
    while (!state.isOver && state.ply < 60) {
      const moves = state.legalMoves();
      state.play(moves[random(moves.length)]);
    }
    const call = (...options) => execFileSync(program, options, { encoding: "utf8" });
    const listed = call("moves", "--game", game, "--position", state.fen).trimEnd().split("\n");
    assert.deepEqual(state.legalMoves().map(String).sort(), state.isOver ? [] : listed);
    assert.deepEqual(JSON.parse(call("play", "--game", game, "--position", state.fen, "--json")),
      { ...state.toJSON() });
  }
});

test("undo restores everything", () => {
  for (const game of GAMES) {
    const state = new State(game, { draws: "claimed" });
    const seen = [];
    while (!state.isOver && state.ply < 200) {
      seen.push(state.copy());
      const moves = state.legalMoves();
      state.play(moves[random(moves.length)]);
      assert.equal(state.lastMove !== null, true);
    }
    while (seen.length > 0) {
      const before = seen.pop();
      assert.ok(state.undo().equals(before));
      assert.equal(state.fen, before.fen);
    }
    assert.throws(() => state.undo(), IllegalMoveError);
  }
});

test("moves have texts, indices and forms", () => {
  const state = new State("tri-d");
  const move = state.parseMove("b3W-b4N");
  assert.equal(`${move}`, "b3W-b4N");
  assert.equal(state.moveAtIndex(move.index).text, move.text);
  assert.equal(move.inForm("canonical"), move.text);
  assert.equal(move.toJSON().from, "b3W");
  assert.throws(() => move.inForm("x"), /unknown form "x"/);
  state.play(move);
  assert.equal(move.text, "b3W-b4N");
  assert.deepEqual(state.legalMoves("b2W").length, 0);
  assert.deepEqual(new State("triumvirate").legalMoves("E2").map(String), ["E2-E3", "E2-E4"]);
  const boards = new State("tri-d", {
    position: "QL1,KL1,QL6,KL6 3K/4/2pp/4|4/1k2/4/4|4/PP2/4/4|2/2|1p/2|2/P1|2/2 w - - 0 10",
  });
  assert.deepEqual(boards.legalMoves("QL1").map(String),
    boards.legalMoves().map(String).filter((text) => text.startsWith("QL1-")));
  assert.ok(boards.legalMoves("QL1").length > 0);
});

test("errors have codes and fields", () => {
  const bad = "wKE1,bKI8,rKI12 q w-.b-.r- - aaa 0 1";
  assert.throws(() => new State("triumvirate", { position: bad }),
    (error) => error instanceof TriarchError && error.code === "BAD_ACTIVE" && error.field === 2);
  assert.throws(() => new State("chess"), /unknown game/);
  assert.throws(() => new State("tri-d", { draws: "never" }), /expected "automatic"/);
  const state = new State("tri-d");
  const before = state.copy();
  assert.throws(() => state.play("E2-E9"), IllegalMoveError);
  assert.throws(() => state.claimDraw(), IllegalMoveError);
  assert.throws(() => state.legalMoves("Z9"), /no cell/);
  assert.ok(state.equals(before));
});

test("a state describes its position", () => {
  const state = new State("three-way");
  assert.equal(state.outcome, null);
  assert.equal(state.pieces().length, 48);
  assert.equal(state.evaluate().length, 3);
  assert.ok(state.toSvg({ players: ["Ada", "Bob", "Cyd"] }).includes("Bob"));
  assert.notEqual(state.toBoard(), state.toBoard({ colored: true }));
  assert.ok(new State("three-way", { position: state.toJSON() }).equals(state));
  assert.ok(State.fromBytes("three-way", state.toBytes()).equals(state));
  state.resign(2).resign();
  assert.deepEqual(state.outcome,
    { places: [2, 1, 3], points: [0.5, 1, 0], termination: "resignation" });
  assert.equal(state.ending(2), "resignation");
  assert.equal(state.isIn(2), false);
  assert.equal(cells("tri-d").length, findGame("tri-d").cells);
  assert.deepEqual(new State("triumvirate").play("E2-E4").attackers("D3").sort(), ["C2", "F1"]);
});

test("searchers choose what the native ones choose", () => {
  for (const game of GAMES) {
    for (const name of SEARCHERS) {
      const bot = new Bot(name, ["random", "greedy", "smart"].includes(name) ? {} : { nodes: 300 });
      const state = new State(game);
      const found = bot.analyse(state);
      assert.ok(state.legalMoves().some((move) => move.text === found.move.text));
      if (found.line.length > 0) assert.equal(found.line[0], found.move.text);
      assert.ok(![RESIGN, CLAIM].includes(found.answer));
    }
  }
  assert.throws(() => new Bot("stockfish"), /unknown bot/);
  assert.throws(() => new Bot("mcts", { nodes: "many" }), /nodes/);
});

test("a worker searches and can be stopped", async () => {
  const state = new State("tri-d");
  const worker = new BotWorker("mcts", { nodes: 300 });
  assert.equal((await worker.analyse(state)).answer, new Bot("mcts", { nodes: 300 })
    .choose(state).text);
  worker.close();
  const endless = new BotWorker("paranoid");
  for (const stop of ["stop", "signal"]) {
    const control = new AbortController();
    const answer = endless.choose(state, { nodes: 1e15, signal: control.signal });
    await assert.rejects(endless.choose(state), /still busy/);
    setTimeout(() => (stop === "stop" ? endless.stop() : control.abort()), 300);
    await assert.rejects(answer, { name: "AbortError" });
  }
  assert.ok((await endless.choose(state, { nodes: 100 })).includes("-"));
  endless.close();
  const wrong = new BotWorker("mcts", { nodes: "many" });
  await assert.rejects(wrong.choose(state), /nodes/);
  wrong.close();
});

test("v4.0 converts both ways", () => {
  const state = new State("triumvirate").play("E2-E4");
  for (const table of notation.TABLES) {
    const names = new Set();
    for (const { name } of cells("triumvirate")) {
      const v4 = notation.toV4(name, table);
      names.add(v4);
      assert.equal(notation.fromV4(v4, table), name);
      const parts = notation.describe(name, table);
      assert.equal(parts.buriedLevel, parts.ring + parts.depth);
    }
    assert.equal(names.size, 96);
    assert.equal(notation.sector("W", table).length, 32);
    assert.equal([0, 1, 2, 3].flatMap((n) => notation.ring(n, table)).length, 96);
    assert.equal(notation.positionFromV4(notation.positionToV4(state.fen, table), table),
      state.fen);
    for (const move of state.legalMoves()) {
      const text = move.inForm("tpgn");
      assert.equal(notation.moveFromV4(notation.moveToV4(text, table), table), text);
    }
  }
  for (const line of read("tests/data/triumvirate/v4_published.tsv").trimEnd().split("\n")) {
    if (line.startsWith("#")) continue;
    const row = line.split("\t");
    assert.equal(notation.toV4(row[0]), row.at(-1));
  }
  for (const [letter, name] of Object.entries(notation.PIECES)) {
    assert.equal(notation.pieceFromV4(notation.pieceToV4(letter)), letter);
    assert.equal(notation.pieceFromV4(name[0]), letter);
  }
  assert.equal(notation.moveToV4("A7-A8=N").endsWith("=N"), true);
  assert.throws(() => notation.toV4("A1", "x"), /unknown table "x"/);
  assert.throws(() => notation.fromV4("W9/B9.9"), /is not a cell/);
});

test("the package is small", () => {
  const packed = gzipSync(readFileSync(new URL("javascript/dist/triarch.wasm", root)));
  assert.ok(packed.length < 1.5e6, `${packed.length} bytes`);
  assert.ok(statSync(new URL("javascript/dist/triarch.mjs", root)).size < 100_000);
});
