// Plays at a real arena in Chromium: two people and a bot at one table, spectators, a restart.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { State } from "../../javascript/src/triarch.js";
import {
  checkAccess, HOSTILE, launch, openPage, PROGRAM, serve, temporaryFolder, until,
} from "./real_program.mjs";

// Names have no quotes.
const HOSTILE_NAME = "<img src=x onerror=alert(1)>&amp;</script>";

const SEATS = {
  "triumvirate": ["white", "black", "red"], "three-way": ["white", "gray", "black"],
  "tri-d": ["white", "black"],
};

let place;
let db;
let arena;
let browser;

const startArena = (address) => serve("arena", "--db", db, "--listen", address, "--fill-seconds",
                                      "600", "--house-ms", "20", "--linger-seconds", "5");
before(async () => {
  place = temporaryFolder();
  db = join(place.folder, "arena.db");
  arena = await startArena("127.0.0.1:0");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await arena?.close();
  place?.remove();
});

const ask = async (path) => (await fetch(`${arena.url}api/v2${path}`)).json();

// Opens a page of the arena as a person of their own, with other memory than all others.
async function visit(hash, options) {
  const opened = await openPage(browser, arena.url + hash, options);
  opened.page.setDefaultTimeout(15_000);
  return opened;
}
async function leave(...people) {
  for (const person of people) {
    // A restart of the arena cuts connections, which is no fault of the page.
    assert.deepEqual(person.errors.filter((text) => !/ERR_|net::/.test(text)), []);
    await person.close();
  }
}

// Clicks a place of the board.
async function click(page, name) {
  const at = await page.locator(`[data-spot="${name}"]`).evaluate((cell) => {
    const points = [...cell.points];
    const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
    const { x, y } = new DOMPoint(mean((one) => one.x), mean((one) => one.y))
      .matrixTransform(cell.getScreenCTM());
    return { x, y };
  });
  await page.mouse.click(at.x, at.y);
}
const shownPieces = (page) => page.locator("[data-at]").evaluateAll((all) =>
  all.map(({ dataset }) => `${dataset.at} ${dataset.piece}`).sort().join("\n"));

// Returns the moves of a table as its events have them.
async function movesOf(table) {
  const { events } = await ask(`/tables/${table}/events`);
  return events.filter((event) => event.kind === "moved").map((event) => event.move);
}
// Recorded captures have an "x".
const canonical = (text) => text.replace("x", "-");
const tableOf = (page) => page.url().split("/").at(-1);

// Plays the first legal move by mouse when it is the turn of the page's seat, and waits for it.
async function moveByMouse(page, game) {
  const table = tableOf(page);
  await page.getByText("It is your turn.").waitFor();
  const { position } = await ask(`/tables/${table}`);
  const move = new State(game, { position }).legalMoves()[0];
  const before = (await movesOf(table)).length;
  await until(async () => await page.locator(".spot.movable").count() > 0);
  const { from, to } = move.toJSON();
  await click(page, from);
  if (to !== from) await click(page, to);
  await until(async () => (await movesOf(table)).length > before);
  assert.equal(canonical((await movesOf(table))[before]), move.text);
}

const select = (page, name, value) =>
  page.getByRole("combobox", { name: new RegExp(`^${name}`) }).selectOption(value);

async function say(page, text) {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  await until(async () => await page.getByLabel("Message").inputValue() === "");
}

async function openTable(page, { game, opponents, name, seat, position }) {
  await select(page, "Game", game);
  await select(page, "Opponents", opponents);
  if (seat) await select(page, "Your seat", seat);
  if (name) await page.getByLabel("Your name").fill(name);
  if (position) {
    await page.getByText("Another position, other draws").click();
    await page.getByLabel("Position").fill(position);
  }
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/#\/arena\/tables\//);
}

test("two people and a bot play, chat, reload, survive a restart, and meet again", async () => {
  const alice = await visit("");
  await checkAccess(alice.page);
  await openTable(alice.page, {
    game: "triumvirate", opponents: "private", name: HOSTILE_NAME, seat: "white",
  });
  const table = tableOf(alice.page);
  await alice.page.getByText("Waiting for 2 more players.").waitFor();
  await checkAccess(alice.page);

  const bob = await visit(`#/arena/tables/${table}`);
  await bob.page.getByLabel("Your name").fill("Bob");
  await select(bob.page, "Seat", "red");
  await checkAccess(bob.page);
  await bob.page.getByRole("button", { name: "Join" }).click();
  await alice.page.getByText("Waiting for one more player.").waitFor();
  const bot = spawn(PROGRAM, ["join", arena.url, "--bot", "greedy", "--table", table],
                    { stdio: "ignore" });
  const botEnded = new Promise((resolve) => { bot.once("exit", resolve); });
  const spectator = await visit(`#/arena/tables/${table}`, { colorScheme: "dark" });

  const play = async (person, rounds) => {
    for (let i = 0; i < rounds; ++i) await moveByMouse(person.page, "triumvirate");
  };
  await say(alice.page, HOSTILE);
  await play(alice, 1);
  await play(bob, 1);
  for (const { page } of [alice, bob, spectator]) {
    await until(async () => (await page.getByRole("log").innerText()).includes(HOSTILE));
  }
  await checkAccess(alice.page);

  await alice.page.reload();
  await play(alice, 1);
  const { port } = new URL(arena.url);
  await arena.close();
  arena = await startArena(`127.0.0.1:${port}`);
  await play(bob, 1);
  await play(alice, 1);

  // All see the same as the rules.
  await bob.page.getByText("It is your turn.").waitFor();
  const { position } = await ask(`/tables/${table}`);
  const state = new State("triumvirate", { position });
  const seats = SEATS.triumvirate;
  const expected = state.pieces().map(({ cell, type, color, owner }) =>
    `${cell} ${type} ${seats[color]} ${seats[owner]}`).sort().join("\n");
  for (const { page } of [alice, bob, spectator]) {
    await until(async () => await shownPieces(page) === expected);
  }
  assert.equal((await movesOf(table)).length, 8);
  await checkAccess(spectator.page);

  // An earlier position is shown, and cannot be played on.
  await bob.page.getByRole("button", { name: "Start" }).click();
  await bob.page.getByText("This is an earlier position.").waitFor();
  assert.equal(await bob.page.locator(".spot.movable").count(), 0);
  await bob.page.getByRole("button", { name: "Back to the game" }).click();

  for (const { page } of [bob, alice]) {
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Resign", exact: true }).click();
  }
  for (const { page } of [alice, bob, spectator]) {
    await page.getByText("Black wins (resignation).").waitFor();
  }
  await say(bob.page, "Well played.");
  await alice.page.getByText("Well played.").waitFor();
  await checkAccess(alice.page);
  await botEnded;
  const atEnd = await shownPieces(alice.page);

  await alice.page.getByRole("button", { name: "Rematch" }).click();
  await alice.page.waitForURL((url) => !url.href.endsWith(table));
  await bob.page.getByText("wants a rematch.").waitFor();
  await bob.page.getByRole("button", { name: "Rematch" }).click();
  await bob.page.getByText("Waiting for one more player.").waitFor();
  assert.equal(tableOf(bob.page), tableOf(alice.page));
  await alice.page.getByRole("button", { name: "Begin with bots" }).click();
  await alice.page.getByRole("button", { name: "Resign", exact: true }).waitFor();
  await spectator.page.getByRole("link", { name: "The rematch" }).click();
  await spectator.page.waitForURL((url) => url.href.endsWith(tableOf(alice.page)));
  // The lobby lists it, and the game before.
  await spectator.page.getByRole("link", { name: "All tables" }).click();
  await spectator.page.getByRole("list").getByText("Bob").first().waitFor();
  await spectator.page.getByRole("application", { name: /^Board/ }).waitFor();
  await spectator.page.locator("table", { hasText: "Ending" }).getByText("resignation").waitFor();
  await checkAccess(spectator.page);
  await spectator.page.goBack();
  await spectator.page.goBack();
  await spectator.page.getByRole("link", { name: "Replay" }).click();
  await spectator.page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await spectator.page.goBack();

  // The game is among the tournaments, and a finished table without a stream is read from there.
  await spectator.page.route(/\/tables\/[^/]+(\/events.*)?$/, (route) =>
    route.fulfill({ status: 404, json: { detail: "there is no such table" } }));
  await spectator.page.routeWebSocket(/./, (socket) => socket.close());
  await spectator.page.reload();
  await until(async () => await shownPieces(spectator.page) === atEnd);
  await spectator.page.getByText("Black wins (resignation).").waitFor();
  await leave(alice, bob, spectator);
});

test("a table of bots begins at once, by keyboard alone, on a phone", async () => {
  const person = await visit("#/arena", {
    viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: "reduce",
  });
  const { page } = person;
  await openTable(page, { game: "tri-d", opponents: "bots", name: "Cleo", seat: "white" });
  await page.getByText("It is your turn.").waitFor();
  await until(async () => await page.locator(".spot.movable").count() > 0);
  await page.getByRole("application").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until(async () => await page.locator(".board .mark").count() > 0);
  await page.keyboard.press("Escape");
  await checkAccess(page);
  const wide = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0);
  await leave(person);
});

for (const game of ["triumvirate", "three-way", "tri-d"]) {
  test(`${game}: a pawn is promoted, and the bot answers`, async () => {
    const { fen, move } = promotionOf(game);
    const person = await visit("#/arena");
    const { page } = person;
    const seat = SEATS[game][new State(game, { position: fen }).toMove];
    await openTable(page, { game, opponents: "bots", name: "Dora", seat, position: fen });
    await page.getByText("It is your turn.").waitFor();
    await until(async () => await page.locator(".spot.movable").count() > 0);
    const { from, to } = move.toJSON();
    await click(page, from);
    if (to !== from) await click(page, to);
    await page.getByRole("button", { name: "Queen" }).click();
    const table = tableOf(page);
    await until(async () => (await movesOf(table)).length > 1 ||
      (await ask(`/tables/${table}`)).stage === "finished");
    assert.equal(canonical((await movesOf(table))[0]), move.text);
    // Another bot may move, and capture, while this looks.
    await until(async () => {
      const { position } = await ask(`/tables/${table}`);
      const pieces = new State(game, { position }).pieces().length;
      return await page.locator("[data-at]").count() === pieces;
    });
    await leave(person);
  });
}

// Returns a position in which a pawn can become a queen, and that move.
function promotionOf(game) {
  for (let seed = 1; ; ++seed) {
    const state = new State(game);
    let number = seed;
    while (!state.isOver && state.ply < 300) {
      const moves = state.legalMoves();
      const move = moves.find((one) => one.toJSON().promotion === "Queen");
      if (move) return { fen: state.fen, move };
      number = (Math.imul(number, 1664525) + 1013904223) >>> 0;
      state.play(moves[Math.floor(number / 2 ** 32 * moves.length)]);
    }
  }
}

test("a name is claimed, its games are rated, and the key works in another browser", async () => {
  const eve = await visit("#/arena/account");
  await eve.page.getByLabel("Name").first().fill("Eve");
  await checkAccess(eve.page);
  await eve.page.getByRole("button", { name: "Claim" }).click();
  await eve.page.getByText("You play as Eve").waitFor();
  const key = await eve.page.locator("code").innerText();
  assert.match(key, /^[0-9a-f]{64}$/);
  await checkAccess(eve.page);

  const thief = await visit("#/arena");
  await thief.page.getByLabel("Your name").fill("Eve");
  await thief.page.getByRole("button", { name: "Play", exact: true }).click();
  await thief.page.getByRole("alert").getByText("belongs to an account").waitFor();
  await thief.page.goto(`${arena.url}#/arena/account`);
  const form = thief.page.locator("form", { hasText: "I have a key" });
  await form.getByLabel("Name").fill("Eve");
  await form.getByLabel("Key").fill("0".repeat(64));
  await form.getByRole("button", { name: "Use it" }).click();
  await thief.page.getByRole("alert").waitFor();
  await form.getByLabel("Key").fill(key);
  await form.getByRole("button", { name: "Use it" }).click();
  await thief.page.getByText("You play as Eve").waitFor();

  await thief.page.goto(`${arena.url}#/arena`);
  await openTable(thief.page, { game: "three-way", opponents: "anyone" });
  await thief.page.getByText("Rated").waitFor();
  await thief.page.getByRole("button", { name: "Begin with bots" }).click();
  thief.page.once("dialog", (dialog) => dialog.accept());
  await thief.page.getByRole("button", { name: "Resign", exact: true }).click();
  await thief.page.locator(".status", { hasText: /(wins|win|draw).*\(/ }).waitFor({ timeout: 60_000 });
  await thief.page.goto(`${arena.url}#/tournaments`);
  await thief.page.getByRole("link", { name: "arena three-way" }).first().waitFor();
  await thief.page.goto(`${arena.url}#/arena`);
  await until(async () => {
    await thief.page.getByRole("button", { name: "Triumvirate" }).click();
    await thief.page.getByRole("button", { name: "Three-Way Chess" }).click();
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    return await thief.page.locator("table", { hasText: "Rating" }).getByText("Eve").count() > 0;
  });
  await checkAccess(thief.page);

  eve.page.once("dialog", (dialog) => dialog.accept());
  await eve.page.getByRole("button", { name: "Forget it here" }).click();
  await eve.page.getByRole("button", { name: "Claim" }).waitFor();
  await leave(eve, thief);
});

test("a table that is not there says so", async () => {
  const person = await visit("#/arena/tables/00000000-0000-4000-8000-000000000000");
  await person.page.getByRole("alert").getByText("There is no such table.").waitFor();
  await leave(person);
});
