// What the tests of the page share: recorded games of all three games, `triarch web`, and Chromium.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
export const PROGRAM = process.env.TRIARCH_PROGRAM ?? "build/release/triarch";
export const HOSTILE = "<img src=x onerror=alert(1)>&\"'</script>";

export function triarch(...words) {
  return execFileSync(PROGRAM, words, { encoding: "utf8", maxBuffer: 1 << 28 });
}

// Plays tournaments into a new database and returns its path.
export function playTournaments(folder) {
  const db = join(folder, "games.db");
  const common = ["--db", db, "--seed", "3"];
  triarch("run", "--game", "triumvirate", "--bots", "random,greedy,smart,mcts:nodes=30",
          "--games", "72", "--name", "Triumvirate cup", "--search-info", "on", ...common);
  triarch("run", "--game", "three-way", "--bots", "random,greedy,mcts:nodes=30", "--games", "6",
          "--name", HOSTILE, ...common);
  triarch("run", "--game", "tri-d", "--bots", "random,greedy,mcts:nodes=30", "--games", "6",
          "--name", "Tri-D cup", ...common);
  return db;
}

// Starts a program that announces its address; `close` ends it and checks that it ends well.
export async function serve(...words) {
  const process_ = spawn(PROGRAM, words, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: process_.stdout });
  const line = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    process_.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const url = /http:\/\/[^ ]*/.exec(line)?.[0];
  assert.ok(url, line);
  return {
    url: url.endsWith("/") ? url : `${url}/`,
    async close() {
      const ended = new Promise((resolve) => { process_.once("exit", resolve); });
      process_.kill("SIGTERM");
      assert.equal(await ended, 0);
    },
  };
}

// Starts a program that logs to standard error. `said` waits for a line of the log and returns what
// the pattern's group matches.
export function start(...words) {
  const program = spawn(PROGRAM, words, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  createInterface({ input: program.stderr }).on("line", (line) => { log += `${line}\n`; });
  return {
    async said(pattern) {
      await until(() => pattern.test(log));
      return pattern.exec(log)[1];
    },
    async close(signal = "SIGTERM") {
      const ended = new Promise((resolve) => { program.once("exit", resolve); });
      program.kill(signal);
      return ended;
    },
  };
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "triarch-web-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function launch() {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
}

// Opens a page that must neither report errors nor ask other hosts.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const errors = [];
  const home = url.startsWith("file:") ? "file:" : new URL(url).origin;
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) {
      errors.push(message.text());
    }
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(home)) errors.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return { page, errors, close: () => context.close() };
}

// Steps through the beginning of a replay, which is at its start, and compares each position with
// that of the program.
export async function checkReplay(page, game, recorded) {
  const text = page.locator("details code").last();
  await page.getByText("Position as text").click();
  const moves = [];
  for (const event of recorded.events.filter((one) => one.move).slice(0, 25)) {
    moves.push(event.move.replace(/[+#]+$/, ""));
    await page.keyboard.press("ArrowRight");
    const told = triarch("play", "--game", game, ...moves).trim().split("\n");
    assert.equal(await text.innerText(), told.filter((line) => !line.startsWith("result ")).at(-1));
  }
}

// Checks that a replay shows what the bot said about the first move of this kind.
export async function checkBotOutput(page, game, isWanted) {
  const at = game.events.findIndex((event) => event.info && isWanted(event.info));
  assert.ok(at >= 0);
  const { info } = game.events[at];
  await page.locator(`[data-step="${at + 1}"]`).click();
  const said = page.getByRole("region", { name: "What the bot said" });
  await until(async () => await said.locator("code").count() === (info.line ?? []).length);
  assert.deepEqual(await said.locator("code").allInnerTexts(), info.line ?? []);
  const text = await said.innerText();
  if (info.depth) assert.ok(text.includes(`depth ${info.depth}`), text);
  if (info.nodes) assert.ok(text.includes(`${info.nodes.toLocaleString("en-US")} node`), text);
  if (info.explanation) assert.ok(text.includes(info.explanation), text);
  return said;
}

// Opens a page and lets `check` look at it; there must be no errors.
export async function visitPage(browser, url, check, options) {
  const opened = await openPage(browser, url, options);
  try {
    await check(opened.page);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.close();
  }
}

// Waits until something is so. The page's policy forbids Playwright's own way.
export async function until(isSo, seconds = 20) {
  const end = Date.now() + 1000 * seconds;
  while (!await isSo()) {
    assert.ok(Date.now() < end, "it took too long");
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

// Fails if axe finds violations of accessibility.
export async function checkAccess(page) {
  // Evaluated by the browser's debugger, which the page's policy does not concern.
  await page.evaluate((await import("node:fs")).readFileSync(AXE, "utf8"));
  const found = await page.evaluate(async () => {
    // Scripts cannot read style sheets from files.
    const preload = location.protocol !== "file:";
    const result = await globalThis.axe.run(document, { preload });
    return result.violations.map((one) =>
      `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" | ")}`);
  });
  assert.deepEqual(found, []);
}
