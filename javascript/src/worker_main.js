// What a worker of BotWorker runs: answers one question after another.

import { isNode } from "./library.js";
import { Bot, State } from "./triarch.js";

const port = isNode ? (await import("node:worker_threads")).parentPort : globalThis;
let bot = null;

function answer({ name, options, seed, game, state, limits }) {
  bot ??= new Bot(name, options, seed);
  const found = bot.analyse(State.fromBytes(game, state), limits);
  return {
    ...found,
    answer: String(found.answer),
    move: found.move.text,
    policy: found.policy.map(({ move, share }) => ({ move: move.text, share })),
  };
}

function reply(question) {
  try {
    port.postMessage({ found: answer(question) });
  } catch (error) {
    port.postMessage({ error: error.message });
  }
}

if (isNode) {
  port.on("message", reply);
} else {
  port.onmessage = (event) => reply(event.data);
}
port.postMessage("ready");
