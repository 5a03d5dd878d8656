// Plays one game at an arena: node bot.mjs URL GAME NAME. Captures if it can.
import { play } from "./triarch_arena.mjs";

const [url, game, name] = process.argv.slice(2);
const notation = game === "tri-d" ? "short" : "tpgn"; // shows captures: "E2xD3"

function choose({ moves, texts }) {
  const captures = moves.filter((_, i) => texts[notation][i].includes("x"));
  const from = captures.length ? captures : moves;
  return from[Math.floor(Math.random() * from.length)];
}

console.log(await play(url, choose, { game, name, notations: [notation] }));
