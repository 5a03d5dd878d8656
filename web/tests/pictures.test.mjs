// Compares the boards with stored pictures. TRIARCH_RENEW_PICTURES=1 node --test tests/pictures.test.mjs
// stores them anew: look at them before you commit them.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { serve } from "./static_server.mjs";

const STORED = fileURLToPath(new URL("../../tests/data/web-pictures", import.meta.url));
const IS_NEW = process.env.TRIARCH_RENEW_PICTURES === "1";
/** The part of the pixels that may differ. A missing piece is more. */
const TOLERANCE = 0.0005;
/** The same for the view in space, which has texts, and no graphics card draws it like another. */
const SPACE_TOLERANCE = 0.03;

// Black's pieces are inherited, one pawn is stuck, and White is in check.
const INHERITED = "wKE1,wRA1,bP>rB6,bP>wB5,bR>wC5,rKI12,rQE4,rNG12,bP>wD6,bN>rJ7,wPC3,wPF2,rPK10 " +
  "w w-.b-.r- - cma 3 31";
const GAMES = [
  ["triumvirate-inherited", { game: "triumvirate", position: INHERITED }, "Red", null],
  ["three-way-start", { game: "three-way" }, "Gray", null],
  ["tri-d-plan", { game: "tri-d", moves: "a3W-a4N c6B-c5B" }, "White", "plan"],
  ["tri-d-oblique", { game: "tri-d", moves: "a3W-a4N c6B-c5B" }, "Black", "oblique"],
  ["tri-d-space", { game: "tri-d", moves: "a3W-a4N c6B-c5B" }, "White", "space"],
];

let server;
let browser;
before(async () => {
  server = await serve();
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--font-render-hinting=none"],
  });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function picture(query, seat, view) {
  const context = await browser.newContext({
    viewport: { width: 480, height: 900 }, reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(`${server.url}#/analysis?${new URLSearchParams(query)}`);
  await page.getByRole("combobox", { name: /^View from/ }).selectOption(seat);
  if (view) await page.getByRole("combobox", { name: /^Boards/ }).selectOption(view);
  if (view === "space") {
    await page.locator(".space[data-ready=true] canvas").waitFor({ timeout: 30_000 });
    await page.waitForTimeout(1000);
  }
  // Fonts differ from machine to machine.
  await page.locator("[role=application] text").evaluateAll((texts) => {
    for (const text of texts) text.style.visibility = "hidden";
  });
  const shown = await page.getByRole("application").screenshot();
  await context.close();
  return PNG.sync.read(shown);
}

/** Returns the part of the pixels that differ, and a picture of them. */
function compare(one, other) {
  assert.deepEqual([one.width, one.height], [other.width, other.height], "the size differs");
  const difference = new PNG({ width: one.width, height: one.height });
  const count = pixelmatch(one.data, other.data, difference.data, one.width, one.height,
                           { threshold: 0.1 });
  return { part: count / (one.width * one.height), difference };
}

for (const [name, query, seat, view] of GAMES) {
  test(`${name} looks as it is stored`, async () => {
    const file = join(STORED, `${name}.png`);
    const now = await picture(query, seat, view);
    if (IS_NEW) {
      mkdirSync(STORED, { recursive: true });
      writeFileSync(file, PNG.sync.write(now));
      return;
    }
    assert.ok(existsSync(file), `there is no ${file}`);
    const { part, difference } = compare(PNG.sync.read(readFileSync(file)), now);
    if (part <= (view === "space" ? SPACE_TOLERANCE : TOLERANCE)) return;
    const folder = mkdtempSync(join(tmpdir(), "triarch-pictures-"));
    writeFileSync(join(folder, `${name}.png`), PNG.sync.write(now));
    writeFileSync(join(folder, `${name}-difference.png`), PNG.sync.write(difference));
    assert.fail(`${(100 * part).toFixed(1)} % of the pixels differ: see ${folder}`);
  });
}

test("a missing piece is noticed", async () => {
  const all = await picture({ game: "triumvirate", position: INHERITED }, "Red", null);
  const without = await picture(
    { game: "triumvirate", position: INHERITED.replace("rNG12,", "") }, "Red", null);
  const { part } = compare(all, without);
  assert.ok(part > TOLERANCE, `only ${100 * part} % differ`);
});
