// A bot that behaves as its option Does says, to test triarch_bot.js.
"use strict";
const { run, RESIGN, CLAIM, check, combo, spin, string } = require("./triarch_bot.js");

function tell(turn) {
  const number = turn.random.real();
  turn.memory.turns = (turn.memory.turns ?? 0) + 1;
  const { game, position, moves, legal, seats, seat, clocks, increments, movetime, nodes, depth } =
    turn;
  turn.info({
    string: JSON.stringify({
      game, position, moves, legal, seats, seat, clocks, increments, movetime, nodes, depth,
      moves_to_go: turn.movesToGo,
      budget: turn.budgetMs, options: turn.options, turns: turn.memory.turns, random: number,
    }),
  });
  turn.info({ depth: 3, nodes: 40, shares: [0.5, 1 / 3, 1 / 6], pv: turn.legal.slice(0, 2) });
}

async function choose(turn) {
  switch (turn.options.Does) {
    case "tell":
      tell(turn);
      break;
    case "think": {
      let nodes = 0;
      turn.info({ nodes });
      while (!(await turn.isStopped())) ++nodes;
      turn.info({ nodes });
      break;
    }
    case "resign":
      return RESIGN;
    case "claim":
      if (!turn.isClaimRefused) return CLAIM;
      break;
    case "throw":
      throw new RangeError("thrown for a test");
    case "answer_nothing":
      return undefined;
  }
  return turn.legal[0];
}

run(choose, {
  name: "odd 1.0",
  games: ["tri-d", "triumvirate", "three-way"],
  options: {
    Does: combo(["tell", "think", "resign", "claim", "throw", "answer_nothing"]),
    Fast: check(true),
    Level: spin(3, -1, 9),
    Book: string(),
    "Two words": string("both words"),
  },
});
