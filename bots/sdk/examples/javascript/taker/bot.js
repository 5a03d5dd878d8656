// Captures or promotes when it can; otherwise it plays a random legal move.
//
// It knows no rules. It remembers where moves ended: a legal move to such a cell is a capture.
// Copy bots/sdk/javascript/triarch_bot.js next to it.
"use strict";
const { run, spin } = require("./triarch_bot.js");

// Returns the cells where a move begins and ends: A7 and A8 for A7-A8=Q.
const cells = (move) => move.split("=")[0].split("-");

// Returns the cells of the pieces that have moved.
function occupiedCells(moves) {
  const occupied = new Set();
  for (const [start, end] of moves.map(cells)) {
    occupied.delete(start);
    occupied.add(end);
  }
  return occupied;
}

function choose(turn) {
  const occupied = occupiedCells(turn.moves);
  let best = null;
  let most = -1;
  for (const move of turn.legal) {
    let worth = turn.random.real(); // ties are broken at random
    if (move.endsWith("=Q")) worth += turn.options.Promotion;
    if (occupied.has(cells(move)[1])) worth += 1;
    if (worth > most) [best, most] = [move, worth];
  }
  turn.info({ depth: 1, nodes: turn.legal.length, pv: [best] });
  return best;
}

run(choose, { name: "taker-js 1.0", options: { Promotion: spin(2, 0, 9) } });
