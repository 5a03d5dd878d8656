// Tests in Chromium the pages of bots, openings, tests, searches, tunings and events, against what
// the program prints about the same games.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  checkAccess, launch, serve, temporaryFolder, triarch, until, visitPage,
} from "./real_program.mjs";

const STRANGE = "a/b?c#<i>&%2e";
const [TEST, BEST_OF, TUNING] = [1, 2, 3];
// By name, because the tuning may add a test of its result.
let ADAPTIVE;
let SWISS;
let KNOCKOUT;
let LEAGUE;
let OPENINGS;

let place;
let db;
let server;
let browser;

before(async () => {
  place = temporaryFolder();
  db = join(place.folder, "results.db");
  const common = ["--game", "tri-d", "--db", db, "--seed", "1"];
  const play = (...words) => triarch(...words, ...common);
  play("test", "greedy", "random", "--elo", "0,50");
  // Such a search may end undecided, with exit code 3 or 4.
  try { play("best-of", "random", "greedy", "r2=random", "--elo", "0,50", "--games", "400"); }
  catch (error) { assert.ok([3, 4].includes(error.status), String(error)); }
  try {
    play("tune", "smart", "--option", "risk=0..2:1", "--games", "40", "--plies-max", "12");
  } catch (error) { assert.ok([3, 4].includes(error.status), String(error)); }
  const file = join(place.folder, "event.yaml");
  for (const format of ["adaptive", "swiss", "knockout", "league"]) {
    writeFileSync(file, JSON.stringify({
      name: `${format} event`, game: "tri-d", format, seed: 1, output: { db },
      ...(format === "adaptive" ? { games: 60 } : {}),
      bots: ["random", "greedy", { name: "r2", bot: "random" }, { name: "g2", bot: "greedy" },
             { name: STRANGE, bot: "paranoid", depth: 1 }],
    }));
    triarch("run", file);
  }
  play("run", "--bots", "random,greedy,r2=random", "--games", "60", "--opening-set", "balanced",
       "--name", "openings");
  server = await serve("web", "--db", db, "--listen", "127.0.0.1:0");
  browser = await launch();
  const tournaments = await ask("/tournaments");
  [ADAPTIVE, SWISS, KNOCKOUT, LEAGUE, OPENINGS] = [
    "adaptive event", "swiss event", "knockout event", "league event", "openings",
  ].map((name) => tournaments.find((one) => one.name === name).id);
});
after(async () => {
  await browser?.close();
  await server?.close();
  place?.remove();
});

const visit = (hash, check, options) => visitPage(browser, server.url + hash, check, options);
const standingsOf = (id) => JSON.parse(triarch("standings", String(id), "--db", db, "--json"));
const ask = async (path) => (await fetch(`${server.url}api/v2${path}`)).json();
const textsOf = (locator) => locator.allInnerTexts();

test("the bots are listed and sought by name", () => visit("#/bots", async (page) => {
  const names = page.locator("tbody th");
  await names.first().waitFor();
  const listed = await ask("/bots");
  assert.deepEqual(await textsOf(names), listed.map((bot) => bot.name));
  assert.ok((await textsOf(names)).includes(STRANGE));
  await page.getByLabel("Name").fill("R2");
  await until(async () => (await textsOf(names)).join() === "r2");
  await page.getByLabel("Name").fill("nobody at all");
  await page.getByText("No bot has such a name").waitFor();
}));

test("a bot's page has its results", () => visit("#/bots", async (page) => {
  await page.getByRole("link", { name: STRANGE }).click();
  await page.getByRole("heading", { name: STRANGE }).waitFor();
  const tournaments = page.getByRole("region", { name: "Results by tournament" });
  await tournaments.waitFor();
  const swiss = standingsOf(SWISS).bots.find((bot) => bot.name === STRANGE);
  const cells = tournaments.locator("tr", { hasText: "swiss event" }).locator("td");
  assert.equal(await cells.nth(0).innerText(), `${swiss.rank} of 5`);
  assert.equal(await cells.nth(2).innerText(), String(swiss.games));
  await page.getByText("paranoid:depth=1").waitFor();
  await page.getByRole("link", { name: "Games in swiss event" }).click();
  await page.getByLabel("Bot").waitFor();
  await until(async () => await page.locator("tbody tr").count() === swiss.games);
  await page.getByRole("link", { name: `All results of ${STRANGE}` }).click();
  await page.getByRole("heading", { name: STRANGE }).waitFor();
}));

const visitOpenings = (check) => visit(`#/tournaments/${OPENINGS}`, check);

test("the intervals narrow with the games", () => visitOpenings(async (page) => {
  await page.getByRole("img", { name: "Margin of each rating by number of games" }).waitFor();
  await page.getByText("As a table").click();
  const last = page.getByRole("region", { name: "Margin of each rating" }).locator("tr").last();
  const margins = standingsOf(OPENINGS).bots.filter((bot) => !bot.one_sided)
    .map(({ rating }) => (1.959964 * rating.error).toFixed(0));
  assert.deepEqual(await textsOf(last.locator("td")), margins);
  assert.equal(await last.locator("th").innerText(), "60");
}));

test("a test shows the way of its ratio", () => visit(`#/tournaments/${TEST}`, async (page) => {
  await page.getByRole("img", { name: "Log-likelihood ratio by number of games" }).waitFor();
  const standings = standingsOf(TEST);
  await page.getByText(standings.text).waitFor();
  await page.getByText("As a table").first().click();
  const last = page.getByRole("region", { name: "Log-likelihood ratio" }).locator("tr").last();
  assert.equal(await last.locator("td").innerText(), standings.llr.toFixed(2).replace("-", "−"));
  assert.equal(Number((await last.locator("th").innerText()).replace(",", "")), standings.games);
}));

test("a search shows its variants", () => visit(`#/tournaments/${BEST_OF}`, async (page) => {
  const standings = standingsOf(BEST_OF);
  await page.getByText(standings.text).waitFor();
  const rows = page.getByRole("region", { name: "The variants" }).locator("tbody tr");
  assert.deepEqual(await textsOf(rows.locator("th")), standings.variants.map(({ name }) => name));
  assert.deepEqual((await textsOf(rows.locator("td:nth-child(5)"))).map(Number),
                   standings.variants.map(({ games }) => games));
  await page.getByRole("img", { name: "Log-likelihood ratio of each variant" }).waitFor();
}));

test("a tuning shows its values", () => visit(`#/tournaments/${TUNING}`, async (page) => {
  const { bot, iterations, options } = standingsOf(TUNING);
  await page.getByText(bot, { exact: true }).waitFor();
  await page.getByText(`${iterations} of ${iterations} iterations`).waitFor();
  const cells = page.getByRole("region", { name: "The tuned options" }).locator("tbody tr > *");
  assert.deepEqual((await textsOf(cells)).slice(0, 3),
                   [options[0].name, String(options[0].start), options[0].result]);
  await page.getByRole("img", { name: "Value of risk by number of iterations" }).waitFor();
}));

test("events show their tables", async () => {
  await visit(`#/tournaments/${ADAPTIVE}`, async (page) => {
    const { leader } = standingsOf(ADAPTIVE).event;
    await page.getByText(`${leader} leads`).waitFor();
  });
  await visit(`#/tournaments/${SWISS}`, async (page) => {
    const rows = page.getByRole("region", { name: "Table of the Swiss event" }).locator("tbody tr");
    await rows.first().waitFor();
    const { bots } = standingsOf(SWISS).event;
    assert.deepEqual(await textsOf(rows.locator("th")), bots.map(({ name }) => name));
    assert.deepEqual((await textsOf(rows.locator("td:nth-child(3)"))).map(Number),
                     bots.map(({ points }) => points));
  });
  await visit(`#/tournaments/${KNOCKOUT}`, async (page) => {
    const { ranking, rounds } = standingsOf(KNOCKOUT).event;
    await page.getByRole("heading", { name: `Round ${rounds.length}` }).waitFor();
    const tables = rounds.reduce((sum, round) => sum + round.tables.length, 0);
    assert.equal(await page.locator(".bracket .table").count(), tables);
    const ranked = page.locator("h3 + ol a");
    assert.deepEqual(await textsOf(ranked), ranking);
  });
  await visit(`#/tournaments/${LEAGUE}`, async (page) => {
    const { divisions } = standingsOf(LEAGUE).event;
    await page.getByRole("heading", { name: `Division ${divisions.length}` }).waitFor();
    const first = page.getByRole("region", { name: "Division 1" }).locator("tbody th");
    assert.deepEqual(await textsOf(first), divisions[0].map(({ name }) => name));
  });
});

test("games are listed by opening", () => visitOpenings(async (page) => {
  await page.getByRole("link", { name: "Openings" }).click();
  const rows = page.getByRole("region", { name: "Results by opening" }).locator("tbody tr");
  await rows.first().waitFor();
  const { openings } = await ask(`/tournaments/${OPENINGS}/openings`);
  assert.equal(await rows.count(), openings.length);
  assert.equal(openings.reduce((sum, { games }) => sum + games, 0), 60);
  const opening = openings[2];
  await page.getByRole("link", { name: `games of opening ${opening.number}` }).first().click();
  const games = page.locator("tbody tr");
  await until(async () => await games.count() === opening.games);
  assert.match(page.url(), new RegExp(`opening=${opening.number}$`));
  await page.locator("tbody a").first().click();
  // The game begins with the moves of the opening.
  await page.locator("[data-step]").first().waitFor();
  const [, index] = /games\/(\d+)/.exec(page.url());
  const { events } = await ask(`/tournaments/${OPENINGS}/games/${index}`);
  const moves = opening.moves.split(" ");
  assert.deepEqual(events.slice(0, moves.length).map(({ move }) => move.replace(/[+#]+$/, "")),
                   moves);
}));

test("a static site has all of this", async () => {
  const site = join(place.folder, "site");
  triarch("export", "site", site, db);
  const home = pathToFileURL(join(site, "index.html")).href;
  const see = (hash, check) => visitPage(browser, home + hash, check);
  await see(`#/bots/${encodeURIComponent(STRANGE)}`, async (page) => {
    await page.getByRole("region", { name: "Results by tournament" }).waitFor();
    await page.getByRole("link", { name: "Games in swiss event" }).waitFor();
  });
  await see("#/bots/nobody", (page) => page.getByRole("alert").waitFor());
  await see(`#/tournaments/${TEST}`, (page) =>
    page.getByRole("img", { name: "Log-likelihood ratio by number of games" }).waitFor());
  await see(`#/tournaments/${OPENINGS}/games?opening=3`, async (page) => {
    const { openings } = await ask(`/tournaments/${OPENINGS}/openings`);
    const { games } = openings.find(({ number }) => number === 3);
    await until(async () => await page.locator("tbody tr").count() === games);
  });
});

test("these pages are accessible and fit a phone", async () => {
  const looks = [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }];
  const places = ["#/bots", `#/bots/${encodeURIComponent(STRANGE)}`, "#/bots/..",
                  `#/tournaments/${OPENINGS}/openings`, `#/tournaments/${OPENINGS}/games`];
  for (let id = TEST; id <= OPENINGS; ++id) places.push(`#/tournaments/${id}`);
  for (const options of looks) {
    for (const hash of places) {
      await visit(hash, async (page) => {
        await page.waitForLoadState("networkidle");
        for (const details of await page.getByText("As a table").all()) await details.click();
        await checkAccess(page);
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, hash);
      }, options);
    }
  }
});
