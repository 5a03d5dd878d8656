// Compares the searches of the package javascript/ with those of the program: the same moves, nodes
// and expected points on 10 008 positions.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import test from "node:test";

const root = new URL("../../", import.meta.url);
const { Bot, GAMES, State } = await import(new URL("javascript/src/triarch.js", root));

const NODES = 60;
const POSITIONS = 1112; // of each game, for each searcher

/** Yields the texts of positions of random games that are not over. */
function* randomPositions(game, count) {
  let seed = 7;
  const random = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % n;
  };
  for (;;) {
    const state = new State(game);
    while (!state.isOver && state.ply < 120) {
      if (count-- === 0) return;
      yield state.fen;
      const moves = state.legalMoves();
      state.play(moves[random(moves.length)]);
    }
  }
}

/** Returns what the program's searcher says about each position: { move, nodes, shares }. */
async function askProgram(name, game, positions) {
  const child = spawn(process.env.TRIARCH_PROGRAM, ["uci", "--bot", name]);
  const lines = createInterface({ input: child.stdout });
  const answers = [];
  let info = null;
  const ask = () => child.stdin.write(positions.length === answers.length ? "quit\n"
    : `setoption name Seed value ${answers.length}\nucinewgame\n`
      + `position fen ${positions[answers.length]}\ngo nodes ${NODES}\n`);
  lines.on("line", (line) => {
    info = /^info nodes (\d+) .*score shares ([\d. ]+) pv/.exec(line) ?? info;
    const best = /^bestmove (\S+)/.exec(line);
    if (best === null) return;
    answers.push({
      move: best[1], nodes: Number(info[1]), shares: info[2].trim().split(" ").map(Number),
    });
    ask();
  });
  child.stdin.write(`uci\nsetoption name UCI_Variant value ${game}\nisready\n`);
  ask();
  await once(lines, "close");
  return answers;
}

for (const game of GAMES) {
  for (const name of ["paranoid", "maxn", "mcts"]) {
    test(`${name} searches ${game} as the program does`, async () => {
      const positions = [...randomPositions(game, POSITIONS)];
      const expected = await askProgram(name, game, positions);
      assert.equal(expected.length, positions.length);
      const bot = new Bot(name);
      for (const [i, position] of positions.entries()) {
        bot.newGame(i);
        const { move, nodes, shares } = bot.analyse(new State(game, { position }), { nodes: NODES });
        const said = expected[i];
        // The program writes four decimals.
        const isNear = (share, seat) => Math.abs(share - said.shares[seat]) < 0.00006;
        assert.ok(shares.every(isNear), `${position}: ${shares}, not ${said.shares}`);
        assert.deepEqual([String(move), nodes], [said.move, said.nodes], position);
      }
    });
  }
}
