// Tests a static site in Chromium: opened from disk, and on a plain web server.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { serve as serveFolder } from "./static_server.mjs";
import {
  checkAccess, checkBotOutput, checkReplay, HOSTILE, launch, playTournaments, serve, temporaryFolder,
  triarch, until, visitPage,
} from "./real_program.mjs";

let place;
let db;
let many;  // a database with a tournament whose list takes two files
let site;
let api;
let browser;
let server;

before(async () => {
  place = temporaryFolder();
  db = playTournaments(place.folder);
  many = join(place.folder, "many.db");
  triarch("run", "--game", "triumvirate", "--bots", "random,greedy,smart",
          "--games", "252", "--name", "many", "--seed", "1", "--db", many);
  site = join(place.folder, "a site");  // a space, as in many people's folders
  triarch("export", "site", site, db, many);
  api = await serve("web", "--db", db, "--listen", "127.0.0.1:0");
  server = await serveFolder(site, {});
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  await api?.close();
  place?.remove();
});

const ask = async (path) => (await fetch(`${api.url}api/v2${path}`)).json();
const recordedGame = (id, index) => {
  const number = JSON.parse(triarch("games", String(id), "--db", db, "--json"))[index].id;
  return JSON.parse(triarch("games", String(id), "--db", db, "--json", "--id", number));
};
async function savedText(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent("download"), page.getByRole("button", { name: button }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

const FILTERS = [
  "bot=random&seat=red", "bot=greedy", "termination=checkmate", "termination=stalemate", "faults=1",
  "bot=smart&termination=checkmate", "plies_min=150", "plies_max=150", "plies_min=9999",
  "bot=random&plies_min=100&plies_max=200",
];

for (const way of ["disk", "server"]) {
  describe(`a site from a ${way}`, () => {
    function visit(hash, check, options) {
      const home = way === "disk" ? pathToFileURL(join(site, "index.html")).href : server.url;
      return visitPage(browser, home + hash, check, options);
    }

    test("the first page lists the tournaments", () => visit("", async (page) => {
      await page.getByRole("link", { name: "Tri-D cup" }).waitFor();
      assert.deepEqual(await page.locator(".cards h2").allInnerTexts(),
                       ["many", "Tri-D cup", HOSTILE, "Triumvirate cup"]);
      await page.getByRole("link", { name: HOSTILE }).click();
      await page.getByRole("heading", { name: "Results" }).waitFor();
      assert.equal(await page.locator("h1").innerText(), HOSTILE);
      assert.equal(await page.locator("img").count(), 0);
    }));

    test("what a bot said stands beside its move", () =>
      visit("#/tournaments/1/games/0", async (page) => {
        const game = recordedGame(1, 0);
        await checkBotOutput(page, game, (info) => (info.line ?? []).length > 1 || info.explanation);
      }));

    test("the standings are those of the program", () => visit("#/tournaments/1", async (page) => {
      await page.getByRole("heading", { name: "Results" }).waitFor();
      const standings = JSON.parse(triarch("standings", "1", "--db", db, "--json"));
      assert.deepEqual(await page.locator("table").first().locator("tbody th").allInnerTexts(),
                       standings.bots.map((bot) => bot.name));
    }));

    test("games are listed page by page", () => visit("#/tournaments/1/games", async (page) => {
      const rows = page.locator("tbody tr");
      await until(async () => await rows.count() === 50);
      await page.getByRole("button", { name: "More games" }).click();
      const { games } = await ask("/tournaments/1/games?limit=200");
      await until(async () => await rows.count() === games.length);
      assert.deepEqual(await rows.locator("td:first-child").allInnerTexts(),
                       games.map((game) => game.id));
    }));

    test("a list goes on in the next file", () => visit("#/tournaments/4/games", async (page) => {
      const rows = page.locator("tbody tr");
      for (const count of [50, 100, 150, 200, 250, 252]) {
        await until(async () => await rows.count() === count);
        if (count < 252) await page.getByRole("button", { name: "More games" }).click();
      }
      const all = JSON.parse(triarch("games", "1", "--db", many, "--json"));
      assert.deepEqual(await rows.locator("td:first-child").allInnerTexts(),
                       all.map((game) => game.id).reverse());
      assert.equal(await page.getByRole("button", { name: "More games" }).count(), 0);
      await page.getByLabel("Bot").selectOption("random");
      await page.getByLabel("Its seat").selectOption("red");
      const first = all.filter((game) => game.seats[2].bot === "random").reverse().slice(0, 50);
      await until(async () => (await rows.locator("td:first-child").allInnerTexts()).join()
        === first.map((game) => game.id).join());
    }));

    test("games are filtered as by the server", () => visit("", async (page) => {
      for (const filter of FILTERS) {
        const { games } = await ask(`/tournaments/1/games?limit=50&${filter}`);
        await page.evaluate((hash) => { location.hash = hash; }, `#/tournaments/1/games?${filter}`);
        const expected = games.map((game) => game.id).join();
        await until(async () => (await page.locator("tbody td:first-child").allInnerTexts())
          .join() === expected);
        if (games.length === 0) await page.getByText("No such game").waitFor();
      }
    }));

    for (const [id, game] of [[1, "triumvirate"], [2, "three-way"], [3, "tri-d"]]) {
      test(`a replay of ${game} has the program's positions and saves the game`, () =>
        visit(`#/tournaments/${id}/games/1?step=0`, async (page) => {
          await checkReplay(page, game, recordedGame(id, 1));
          const address = `/tournaments/${id}/games/1`;
          const tpgn = await (await fetch(`${api.url}api/v2${address}/tpgn`)).text();
          assert.equal(await savedText(page, "Save TPGN"), tpgn);
          assert.deepEqual(JSON.parse(await savedText(page, "Save JSON")), await ask(address));
          await page.getByRole("link", { name: "Next game" }).click();
          await page.getByRole("heading", { name: `game ${recordedGame(id, 2).id}` }).waitFor();
        }));

      test(`the rules of ${game} are there`, () => visit(`#/rules/${game}`, async (page) => {
        await page.locator("figure svg").first().waitFor();
        await until(async () => await page.getByText("Loading…").count() === 0);
        assert.equal(await page.getByRole("alert").count(), 0);
        await page.getByText("All rules in full").click();
        const text = await (await fetch(`${api.url}api/v2/rules/${game}`)).text();
        assert.equal(await page.locator("pre").textContent(), text);
        await checkAccess(page);
      }));
    }

    test("what does not exist says so", async () => {
      for (const hash of ["#/tournaments/99", "#/tournaments/1/games/9999", "#/tournaments/x",
                          "#/tournaments/1/games/71.5", "#/tournaments/../games"]) {
        await visit(hash, (page) => page.getByRole("alert").waitFor());
      }
    });

    test("pages are accessible", async () => {
      for (const hash of ["", "#/tournaments/1", "#/tournaments/2/games", "#/tournaments/3/games/1",
                          "#/analysis"]) {
        await visit(hash, async (page) => {
          await page.waitForLoadState("networkidle");
          await checkAccess(page);
        });
      }
    });

    test("analysis", () => visit("#/analysis?game=tri-d", async (page) => {
      if (way === "disk") {
        await page.getByText("Analysis needs a web server").waitFor();
      } else if (existsSync(join(site, "triarch/dist/triarch.wasm"))) {
        await page.locator(".status").getByText("White to move.").waitFor();
        await page.getByLabel("Search this position").check();
        await page.locator("td.line").first().waitFor();
      } else {
        await page.getByText("This build has no rules library").waitFor();
      }
    }));
  });
}
