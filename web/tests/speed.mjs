// Measures how soon the page shows a board, and how smoothly a dragged piece moves:
//   TRIARCH_PROGRAM=build/release/triarch node web/tests/speed.mjs
import { launch, playTournaments, serve, temporaryFolder } from "./real_program.mjs";

const ROUNDS = 10;
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const place = temporaryFolder();
const server = await serve("web", "--db", playTournaments(place.folder), "--listen", "127.0.0.1:0");
const browser = await launch();

// Opens a place with an empty cache; returns how many milliseconds its board takes.
async function firstBoard(hash) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(server.url + hash);
  await page.locator("[data-spot]").first().waitFor();
  const took = performance.now() - began;
  await context.close();
  return took;
}

// Drags a piece to and fro; returns the milliseconds between the frames.
async function dragFrames(game, cell) {
  const page = await browser.newPage();
  await page.goto(`${server.url}#/analysis?game=${game}`);
  const box = await page.locator(`[data-spot="${cell}"]`).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.evaluate(() => {
    globalThis.frames_ = [];
    const note = (time) => {
      globalThis.frames_.push(time);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  for (let i = 0; i < 120; ++i) await page.mouse.move(box.x + 3 * (i % 60), box.y - 2 * (i % 60));
  const times = await page.evaluate(() => globalThis.frames_);
  await page.close();
  return times.slice(1).map((time, i) => time - times[i]);
}

function sum(text, times) {
  console.log(text.padEnd(44), median(times).toFixed(1).padStart(7), "ms");
}
for (const [id, game, cell] of [[1, "triumvirate", "E2"], [2, "three-way", "h5"],
                                [3, "tri-d", "a3W"]]) {
  const times = [];
  for (let i = 0; i < ROUNDS; ++i) times.push(await firstBoard(`#/tournaments/${id}/games/0`));
  sum(`${game}: the first board of a replay`, times);
  sum(`${game}: between frames while dragging`, await dragFrames(game, cell));
}
await browser.close();
await server.close();
place.remove();
