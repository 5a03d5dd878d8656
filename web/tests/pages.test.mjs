// Tests the pages of tournaments and games in Chromium, on real games of all three games.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { TERMINATIONS } from "../../javascript/src/triarch.js";
import {
  checkAccess, checkBotOutput, checkReplay, HOSTILE, launch, playTournaments, serve, temporaryFolder,
  triarch, until, visitPage,
} from "./real_program.mjs";

let place;
let db;
let server;
let browser;

before(async () => {
  place = temporaryFolder();
  db = playTournaments(place.folder);
  server = await serve("web", "--db", db, "--listen", "127.0.0.1:0");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  place?.remove();
});

// Saves a file of the page by a button, and returns its text.
async function saved(page, name) {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name }).click();
  return readFileSync(await (await waiting).path(), "utf8");
}

const visit = (hash, check, options) => visitPage(browser, server.url + hash, check, options);

test("the first page lists the tournaments", () => visit("", async (page) => {
  await page.getByRole("link", { name: "Tri-D cup" }).waitFor();
  assert.deepEqual(await page.locator(".cards h2").allInnerTexts(),
                   ["Tri-D cup", HOSTILE, "Triumvirate cup"]);
  await page.getByRole("link", { name: "Triumvirate cup" }).click();
  await page.getByRole("heading", { name: "Results" }).waitFor();
}));

test("the standings are those of the program", () => visit("#/tournaments/1", async (page) => {
  await page.getByRole("heading", { name: "Results" }).waitFor();
  const standings = JSON.parse(triarch("standings", "1", "--db", db, "--json"));
  const table = page.locator("table").first();
  const names = await table.locator("tbody th").allInnerTexts();
  assert.deepEqual(names, standings.bots.map((bot) => bot.name));
  const games = await table.locator("tbody tr td:nth-child(4)").allInnerTexts();
  assert.deepEqual(games.map(Number), standings.bots.map((bot) => bot.games));
  assert.equal(await page.locator(".chart .dot").count(), standings.bots.length);
}));

const visitGames = (check) => visit("#/tournaments/1/games", check);

const OF_OTHER_GAMES = ["clock_limit", "king_capture", "fifty_moves"];

test("games are listed page by page and filtered", () => visitGames(async (page) => {
  const ending = page.getByLabel("Ending");
  await ending.waitFor();
  const endings = ending.locator("option");
  assert.deepEqual(await endings.evaluateAll((all) => all.map((option) => option.value)),
                   ["", ...TERMINATIONS.filter((name) => !OF_OTHER_GAMES.includes(name))]);
  const rows = page.locator("tbody tr");
  await page.getByRole("button", { name: "More games" }).click();
  await until(async () => await rows.count() === 72);
  assert.equal(await page.getByRole("button", { name: "More games" }).count(), 0);
  const all = triarch("games", "1", "--db", db, "--json").trim();
  const recorded = JSON.parse(all);
  assert.deepEqual(await rows.locator("td:first-child").allInnerTexts(),
                   recorded.map((game) => game.id).reverse());
  await page.getByLabel("Bot").selectOption("random");
  await page.getByLabel("Its seat").selectOption("red");
  const expected = recorded.filter((game) => game.seats[2].bot === "random");
  await until(async () => await rows.count() === expected.length);
  assert.match(page.url(), /bot=random&seat=red/);
}));

for (const [id, game] of [[1, "triumvirate"], [2, "three-way"], [3, "tri-d"]]) {
  test(`a replay of ${game} has the program's positions`, () =>
    visit(`#/tournaments/${id}/games/0?step=0`, async (page) => {
      const first = JSON.parse(triarch("games", String(id), "--db", db, "--json"))[0].id;
      const recorded = JSON.parse(
        triarch("games", String(id), "--db", db, "--json", "--id", first));
      await checkReplay(page, game, recorded);
      await page.keyboard.press("End");
      await page.locator(`[data-step="${recorded.events.length}"][aria-current]`).waitFor();
      await page.keyboard.press("Home");
      assert.match(page.url(), /step=0/);
    }));
}

const gameOf = (tournament, index) =>
  fetch(`${server.url}api/v2/tournaments/${tournament}/games/${index}`).then((told) => told.json());
async function findGame(tournament, bot) {
  for (let index = 0; ; ++index) {
    const game = await gameOf(tournament, index);
    if (game.seats.some((seat) => seat.bot.startsWith(bot))) return game;
  }
}

test("a searcher's line and explanation stand beside its move", async () => {
  const mcts = await findGame(1, "mcts");
  await visit(`#/tournaments/1/games/${mcts.index}?step=0`, async (page) => {
    const said = page.getByRole("region", { name: "What the bot said" });
    await said.getByText("The bot said nothing about this.").waitFor();
    const { height } = await said.boundingBox();
    await checkBotOutput(page, mcts, (info) => (info.line ?? []).length > 1 && info.depth);
    assert.equal((await said.boundingBox()).height, height);
    await checkAccess(page);
  });
  const smart = await findGame(1, "smart");
  await visit(`#/tournaments/1/games/${smart.index}`, (page) =>
    checkBotOutput(page, smart, (info) => /^plays .*\nrather than /.test(info.explanation ?? "")));
});

/** The steps at which some seat's share of the expected points changes by a quarter or more. */
function swingsOf(game) {
  const steps = [];
  let last = null;
  game.events.forEach((event, i) => {
    const sum = event.eval?.reduce((a, b) => a + b, 0);
    const share = event.eval ? event.eval.map((points) => points / sum) : last;
    if (last && share.some((one, seat) => Math.abs(one - last[seat]) >= 0.25)) steps.push(i + 1);
    last = share;
  });
  return steps;
}

test("swings of the expected points are marked above the graph and in the list", async () => {
  let game = await gameOf(3, 0);
  for (let index = 1; swingsOf(game).length === 0; ++index) game = await gameOf(3, index);
  await visit(`#/tournaments/3/games/${game.index}`, async (page) => {
    await page.getByText("Share of the points that each seat expects").waitFor();
    const marked = await page.locator("button.swing").evaluateAll(
      (all) => all.map((button) => Number(button.dataset.step)).sort((a, b) => a - b));
    assert.deepEqual(marked, swingsOf(game));
    assert.equal(await page.locator("figure line.swing").count(), marked.length);
    await page.getByText("swing of a quarter or more").waitFor();
    await page.getByText("Marks on the board").click();
    await page.getByText("a king in check").waitFor();
    assert.equal(await page.getByText("a capture", { exact: true }).count(), 0);
    await checkAccess(page);
  });
});

test("what a bot says is text, however hostile and long", async () => {
  const game = await findGame(1, "mcts");
  const at = game.events.findIndex((event) => event.info);
  game.events[at].info = {
    nodes: 1234567, line: Array(40).fill("A12-B12=Q"), explanation: HOSTILE + "x".repeat(500),
  };
  for (const colorScheme of ["light", "dark"]) {
    await visit("", async (page) => {
      await page.route(/\/tournaments\/1\/games\/\d+$/, (route) => route.fulfill({ json: game }));
      await page.evaluate((hash) => { location.hash = hash; }, `#/tournaments/1/games/${game.index}`);
      const said = await checkBotOutput(page, game, () => true);
      assert.equal(await said.locator("img").count(), 0);
      await checkAccess(page);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0);
    }, { colorScheme, viewport: { width: 390, height: 844 } });
  }
});

test("without search info nothing is shown", () =>
  visit("#/tournaments/3/games/0", async (page) => {
    await page.getByText("Position as text").waitFor();
    assert.equal(await page.getByRole("region", { name: "What the bot said" }).count(), 0);
  }));

test("a place that does not exist says so", async () => {
  await visit("#/nowhere", (page) => page.getByText("There is no such page").waitFor());
  for (const hash of ["#/tournaments/99", "#/tournaments/1/games/9999", "#/tournaments/x"]) {
    await visit(hash, (page) => page.getByRole("alert").waitFor());
  }
});

test("every page is accessible and fits a phone", async () => {
  const looks = [
    {}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 }, hasTouch: true },
  ];
  for (const options of looks) {
    for (const hash of ["", "#/tournaments/1", "#/tournaments/2/games", "#/tournaments/3/games/1",
                        "#/bots", "#/bots/greedy", "#/bots/nobody", "#/nowhere"]) {
      await visit(hash, async (page) => {
        await page.waitForLoadState("networkidle");
        await checkAccess(page);
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, hash);
      }, options);
    }
  }
});

test("a position of a replay is saved as a picture", () => visit(
  "#/tournaments/1/games/0?step=9", async (page) => {
    await page.getByRole("application").locator("svg").first().waitFor();
    const pieces = await page.locator(".board [data-at]").count();
    const svg = await saved(page, "Save SVG");
    const picture = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      const paths = [...root.querySelectorAll("g > g > path")];
      return {
        name: root.nodeName, width: root.getAttribute("width"),
        pieces: root.querySelectorAll("g > g").length,
        isColored: paths.every((path) => /^rgb/.test(path.getAttribute("stroke"))),
        classes: root.querySelectorAll("[class]").length,
      };
    }, svg);
    assert.equal(picture.name, "svg");
    assert.ok(Number(picture.width) > 300);
    assert.ok(picture.pieces >= pieces);
    assert.ok(picture.isColored);
    assert.equal(picture.classes, 0);
  }));
