// Looks one ply ahead: plays the move after which it stands best by Triarch's evaluation.
// Copy bots/sdk/javascript/triarch_bot.js next to it.
"use strict";
const { run } = require("./triarch_bot.js");

function worth(state, seat) {
  if (state.places) return 1e6 * (2 - state.places[seat]);
  return state.scores.length * state.scores[seat] - state.scores.reduce((sum, x) => sum + x, 0);
}

async function choose(turn) {
  const state = await turn.state();
  const children = await state.children();
  const worths = children.map((child) => worth(child.state, state.seat));
  return children[worths.indexOf(Math.max(...worths))].move;
}

run(choose, { name: "searcher-js 1.0" });
