// Plays any legal move.
"use strict";
const { run } = require("./triarch_bot.js");

run((turn) => turn.random.choice(turn.legal), { name: "random-js 1.0" });
