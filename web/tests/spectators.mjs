// Measures `triarch web` under spectators who poll a tournament that is being played:
//   TRIARCH_PROGRAM=build/release/triarch node web/tests/spectators.mjs DB [SPECTATORS] [SECONDS]
// Each spectator has a connection and asks as the page does: every five seconds for the newest
// tournament, with the tag of its last answer, and if games were added, for the standings and the
// progress. One more client asks for pages of games and for games.
import { Agent, get } from "node:http";
import { serve } from "./real_program.mjs";

const [db, spectators = "1000", seconds = "30"] = process.argv.slice(2);
if (!db) throw new Error("expected the path of a database");
const POLL_MS = 5000;

const server = await serve("web", "--db", db, "--listen", "127.0.0.1:0");
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// Asks a path; returns the status, the tag, the body and the milliseconds.
function ask(agent, path, tag) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = tag ? { "If-None-Match": tag } : {};
    get(`${server.url}api/v2${path}`, { agent, headers }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve({
        status: answer.statusCode, tag: answer.headers.etag, body: Buffer.concat(parts),
        ms: performance.now() - began,
      }));
      answer.on("error", reject);
    }).on("error", reject);
  });
}
const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

const times = {};
let errors = 0;
async function measure(name, ...words) {
  const answer = await ask(...words);
  if (answer.status !== 200 && answer.status !== 304) ++errors;
  (times[`${name}: ${answer.status}`] ??= []).push(answer.ms);
  return answer;
}

const first = oneConnection();
const [newest] = JSON.parse((await ask(first, "/tournaments")).body);
const path = `/tournaments/${newest.id}`;
const { games } = JSON.parse((await ask(first, `${path}/games`)).body);
const end = performance.now() + 1000 * Number(seconds);

async function watch(number) {
  const agent = oneConnection();
  await sleep(POLL_MS * number / Number(spectators));
  let tag;
  const tags = {};
  while (performance.now() < end) {
    const answer = await measure("the tournament", agent, path, tag);
    if (answer.status === 200) {
      for (const part of ["standings", "progress"]) {
        tags[part] = (await measure(`the ${part}`, agent, `${path}/${part}`, tags[part])).tag;
      }
    }
    tag = answer.tag;
    await sleep(POLL_MS);
  }
  agent.destroy();
}
async function browse() {
  const agent = oneConnection();
  for (let i = 0; performance.now() < end; ++i) {
    const before = games[0].index - 50 * (i % 20);
    await measure("a page of games", agent, `${path}/games?before=${before}`);
    await measure("a game", agent, `${path}/games/${games[i % games.length].index}`);
    await sleep(20);
  }
  agent.destroy();
}

await Promise.all([browse(), ...Array.from({ length: Number(spectators) }, (_, i) => watch(i))]);
const at = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))];
console.log(`${spectators} spectators, ${newest.recorded} games at first, ${errors} errors`);
for (const [name, all] of Object.entries(times).sort()) {
  all.sort((a, b) => a - b);
  console.log(name.padEnd(24), String(all.length).padStart(7),
              `p50 ${at(all, 0.5).toFixed(1)} ms`, `p99 ${at(all, 0.99).toFixed(1)} ms`);
}
first.destroy();
await server.close();
