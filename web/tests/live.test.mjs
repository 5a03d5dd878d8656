// Tests the pages of games in progress in Chromium, on a real cluster: a coordinator and a worker.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  checkAccess, HOSTILE, launch, serve, start, temporaryFolder, triarch, until, visitPage,
} from "./real_program.mjs";

let place;
let coordinator;
let worker;
let address;
let url;
let browser;

function submit(name, game, games, plies, ms = 50) {
  const file = join(place.folder, "tournament.yaml");
  writeFileSync(file, JSON.stringify({
    name, game, games, seed: 3,
    bots: ["paranoid", { name: "<b>bob</b>&amp;", bot: "greedy" }, "mcts"],
    time_control: { movetime_ms: ms, margin_ms: 60_000 }, adjudication: { plies_max: plies },
  }));
  return triarch("submit", file, "--coordinator", address).trim();
}

before(async () => {
  place = temporaryFolder();
  coordinator = start("serve", "--store", join(place.folder, "arena.db"), "--listen", "127.0.0.1:0",
                      "--web", "127.0.0.1:0", "--lease-seconds", "6");
  url = `http://${await coordinator.said(/web=(\S+)/)}/`;
  address = await coordinator.said(/workers and operators.* listen=(\S+)/);
  worker = start("work", "--coordinator", address, "--slots", "2");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await worker?.close();
  assert.equal(await coordinator?.close(), 0);
  place?.remove();
});

const visit = (hash, check, options) => visitPage(browser, url + hash, check, options);
const cancel = (id) => triarch("cancel", id, "--coordinator", address);

test("a game is followed to its end and on to its replay", async () => {
  const id = submit("followed", "triumvirate", 4, 120, 120);
  await visit(`#/tournaments/${id}`, async (page) => {
    await page.getByRole("link", { name: "Watch its games in progress" }).click();
    const card = page.locator(".games > li");
    await card.first().waitFor();
    const text = await card.first().locator("h2").innerText();
    assert.match(text, /^followed, game \d+\.\d+$/);
    // The small board follows the game.
    const plies = async () => Number(/(\d+) (ply|plies)/.exec(
      await card.filter({ hasText: text }).locator("p").first().innerText())[1]);
    const early = await plies();
    await until(async () => await plies() > early);

    await page.getByRole("link", { name: text }).click();
    await page.getByText("Unconfirmed: reported by a worker, not yet recorded.").waitFor();
    const index = /#\/live\/\d+\/(\d+)$/.exec(page.url())[1];
    // The list of moves grows, and the last move is the current one.
    const moves = page.locator(".list [data-step]");
    const listed = async () => (await moves.allInnerTexts());
    await until(async () => await moves.count() > 2);
    const first = await listed();
    await until(async () => await moves.count() > first.length);
    const second = await listed();
    assert.deepEqual(second.slice(0, first.length), first);
    const current = () => page.locator("[aria-current=step]").getAttribute("data-step");
    await until(async () => Number(await current()) > first.length);

    // A move that was chosen stays, until the game is followed again.
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const count = await moves.count();
    await until(async () => await moves.count() > count);
    assert.equal(await current(), "1");
    await page.getByRole("button", { name: "Follow the last move" }).click();
    await until(async () => Number(await current()) > count);
    const last = await listed();

    await until(() => page.url().endsWith(`#/tournaments/${id}/games/${index}`), 60);
    await page.getByRole("button", { name: "Save TPGN" }).waitFor();
    const replayed = await page.locator(".list [data-step]").allInnerTexts();
    assert.deepEqual(replayed.slice(0, last.length), last);
  });
});

test("a page that nobody sees asks for nothing", async () => {
  await visit("#/live", async (page) => {
    await page.getByText("No worker reports a game now.").waitFor();
    let asked = 0;
    page.on("request", (request) => { asked += request.url().endsWith("/live") ? 1 : 0; });
    await until(() => asked > 1);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.waitForTimeout(200);
    asked = 0;
    await page.waitForTimeout(2_500);
    assert.equal(asked, 0);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: false, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await until(() => asked > 1);
  });
});

test("a game that nobody plays is awaited", () => visit("#/live/999/0", async (page) => {
  await page.getByText("No worker reports that it plays this game").waitFor();
}));

test("the pages are accessible and fit a phone, for all games", async () => {
  const looks = [
    {}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 }, hasTouch: true },
  ];
  for (const game of ["triumvirate", "three-way", "tri-d"]) {
    const id = submit(HOSTILE, game, 100, 1000, 150);
    for (const options of looks) {
      await visit(`#/live?tournament=${id}`, async (page) => {
        const link = page.locator(".games h2 a").first();
        await link.waitFor();
        for (const shot of ["list", "game"]) {
          await page.waitForLoadState("load");
          await checkAccess(page);
          const wide = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.equal(wide, 0, `${game} ${shot}`);
          if (process.env.TRIARCH_SHOTS) {
            const look = Object.keys(options)[0] ?? "light";
            const path = `${process.env.TRIARCH_SHOTS}/${game}-${shot}-${look}.png`;
            await page.screenshot({ fullPage: true, path });
          }
          if (shot === "list") {
            // By keyboard alone; the small boards are passed over.
            await link.focus();
            await page.keyboard.press("Enter");
            await page.locator(".list [data-step]").first().waitFor();
          }
        }
      }, options);
    }
    cancel(id);
  }
});

test("without a coordinator there is no such page", async () => {
  const db = join(place.folder, "games.db");
  triarch("run", "--bots", "random,greedy,smart", "--games", "6", "--db", db);
  const web = await serve("web", "--db", db, "--listen", "127.0.0.1:0");
  try {
    await visitPage(browser, `${web.url}#/live`, async (page) => {
      await page.getByText("This server knows of no games in progress.").waitFor();
      assert.equal(await page.getByRole("link", { name: "Live", exact: true }).count(), 0);
    });
  } finally {
    await web.close();
  }
});
