// Takes the pictures of the page for the documents, docs/images/web-*.jpg, from tournaments that it
// plays:
//   TRIARCH_PROGRAM=$PWD/build/release/triarch node web/tests/document_pictures.mjs [NAME...]
// Without names, it takes all of them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { State } from "../../javascript/src/triarch.js";
import { serve, start, temporaryFolder, triarch } from "./real_program.mjs";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const wanted = process.argv.slice(2);
const place = temporaryFolder();
const db = join(place.folder, "games.db");
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
const context = await browser.newContext({ viewport: { width: 1180, height: 980 } });

/** Opens a place, lets `prepare` act there, and takes its picture. */
async function take(name, url, prepare) {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await prepare?.(page);
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: at(`docs/images/web-${name}.jpg`), type: "jpeg", quality: 80 });
  await page.close();
  console.log(name);
}
const select = (page, name, value) =>
  page.getByRole("combobox", { name: new RegExp(`^${name}`) }).selectOption(value);

async function takeRecorded() {
  triarch("run", at("examples/quickstart.yaml"), "--db", db, "--tpgn", join(place.folder, "a.tpgn"));
  triarch("run", "--game", "tri-d", "--bots", "smart,paranoid:depth=2,mcts:nodes=200", "--games",
          "12", "--name", "Tri-D cup", "--search-info", "on", "--db", db);
  triarch("test", "--game", "tri-d", "new=mcts:nodes=60", "old=mcts:nodes=40", "--seed", "4",
          "--games", "4000", "--name", "Is the new version better?", "--db", db);
  const server = await serve("web", "--db", db, "--listen", "127.0.0.1:0");
  const { url } = server;
  await take("standings", `${url}#/tournaments/1`);
  await take("games", `${url}#/tournaments/1/games?bot=mcts-300`);
  await take("replay", `${url}#/tournaments/1/games/24?step=41`);
  await take("test", `${url}#/tournaments/3`);
  await take("bot", `${url}#/bots/greedy`);
  await take("tri-d", `${url}#/tournaments/2/games/3?step=24`,
             (page) => select(page, "Boards", "space"));
  await take("rules", `${url}#/rules/triumvirate`);
  await take("analysis", `${url}#/analysis?game=three-way&moves=h5-h7`, async (page) => {
    await page.getByLabel("Search this position").check();
    await page.waitForTimeout(6_000);
  });
  await take("editor", `${url}#/analysis?game=triumvirate`, async (page) => {
    await page.getByText("Set up a position").click();
    await page.getByRole("button", { name: "Set up by hand" }).click();
  });
  await server.close();
}

async function takeArena() {
  const arena = await serve("arena", "--db", join(place.folder, "arena.db"), "--listen",
                            "127.0.0.1:0", "--house-ms", "50");
  await take("arena", arena.url, async (page) => {
    await select(page, "Opponents", "bots");
    await select(page, "Your seat", "white");
    await page.getByLabel("Your name").fill("Anna");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByLabel("Message").fill("Hello! I have never played this before.");
    await page.getByRole("button", { name: "Send" }).click();
    const { token } = await page.evaluate(() => JSON.parse(localStorage["triarch-seats"])[0]);
    const ask = async (path, body) => (await fetch(`${arena.url}api/v2${path}`, {
      method: body ? "POST" : "GET", body: body && JSON.stringify(body),
      headers: { Authorization: `Bearer ${token}` },
    })).json();
    for (let i = 0; i < 8; ++i) {
      const { ply, moves } = await ask("/turn?wait=20");
      await ask("/move", { ply, move: moves[(7 * i + 5) % moves.length] });
    }
    const { position } = await ask("/turn?wait=20");
    await page.getByText("It is your turn.").waitFor();
    const { from } = new State("triumvirate", { position }).legalMoves().at(-1).toJSON();
    await page.locator(`[data-at="${from}"]`).scrollIntoViewIfNeeded();
    const { x, y, width, height } = await page.locator(`[data-at="${from}"]`).boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
  });
  await arena.close();
}

async function takeLive() {
  const coordinator = start("serve", "--store", join(place.folder, "cluster.db"), "--listen",
                            "127.0.0.1:0", "--web", "127.0.0.1:0");
  const url = `http://${await coordinator.said(/web=(\S+)/)}/`;
  const address = await coordinator.said(/workers and operators.* listen=(\S+)/);
  const worker = start("work", "--coordinator", address, "--slots", "2");
  const file = join(place.folder, "tournament.yaml");
  writeFileSync(file, JSON.stringify({
    name: "Blitz", game: "triumvirate", bots: ["paranoid", "maxn", "mcts"], games: 60,
    openings: { random_plies: 4 }, time_control: { movetime_ms: 200 },
  }));
  triarch("submit", file, "--coordinator", address);
  await take("live", `${url}#/live`, async (page) => {
    await page.locator(".games > li").nth(1).waitFor();
    await page.waitForTimeout(6_000);
  });
  await worker.close("SIGKILL");
  await coordinator.close("SIGKILL");
}

await takeRecorded();
await takeArena();
await takeLive();
await browser.close();
place.remove();
