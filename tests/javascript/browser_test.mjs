// Tests the package javascript/ in Chromium: a page imports it, plays a game and stops a worker.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import test from "node:test";

const root = new URL("../../", import.meta.url);
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const PAGE = `<!doctype html><script type="module">
  const report = (text) => fetch("/report", { method: "POST", body: text });
  try {
    const { Bot, State } = await import("/javascript/src/triarch.js");
    const { BotWorker } = await import("/javascript/src/worker.js");
    const state = new State("three-way");
    const bot = new Bot("greedy");
    while (!state.isOver && state.ply < 40) state.play(bot.choose(state));
    const worker = new BotWorker("mcts", { nodes: 200 });
    const answer = await worker.choose(new State("tri-d"));
    const endless = new BotWorker("paranoid");
    const search = endless.choose(new State("tri-d"), { nodes: 1e15 });
    setTimeout(() => endless.stop(), 200);
    const name = await search.catch((error) => error.name);
    document.body.innerHTML = state.toSvg();
    const shapes = document.querySelectorAll("svg polygon").length;
    await report(JSON.stringify(
      { plies: state.ply, perft: new State("tri-d").perft(3), answer, name, shapes }));
  } catch (error) {
    await report(String(error.stack));
  }
</script><body></body>`;

test("a page plays", { timeout: 60_000 }, async () => {
  let finish;
  const reported = new Promise((resolve) => { finish = resolve; });
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let body = "";
      request.on("data", (part) => { body += part; });
      request.on("end", () => finish(body));
      response.end();
    } else if (request.url === "/") {
      response.setHeader("Content-Type", "text/html");
      response.end(PAGE);
    } else {
      try {
        const content = readFileSync(new URL(`.${request.url}`, root));
        response.setHeader("Content-Type", TYPES[extname(request.url)] ?? "text/plain");
        response.end(content);
      } catch {
        response.statusCode = 404;
        response.end();
      }
    }
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const profile = mkdtempSync(join(tmpdir(), "triarch-chromium-"));
  const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu",
    "--disable-dev-shm-usage", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore", detached: true });
  const failed = new Promise((_, reject) => {
    browser.on("error", reject);
    browser.on("exit", (code) => reject(new Error(`chromium ended with ${code}`)));
  });
  try {
    const found = await Promise.race([reported, failed]);
    assert.ok(found.startsWith("{"), found);
    const { plies, perft, answer, name, shapes } = JSON.parse(found);
    assert.ok(plies >= 20);
    assert.equal(perft, 64648);
    assert.match(answer, /-/);
    assert.equal(name, "AbortError");
    assert.ok(shapes >= 96);
  } finally {
    failed.catch(() => {});
    try {
      process.kill(-browser.pid, "SIGKILL"); // with its own processes
    } catch {
      // It has ended already.
    }
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
