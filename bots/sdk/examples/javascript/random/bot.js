// Plays random legal moves. Copy bots/sdk/javascript/triarch_bot.js next to it.
"use strict";
const { run } = require("./triarch_bot.js");

run((turn) => turn.random.choice(turn.legal), { name: "random-js 1.0" });
