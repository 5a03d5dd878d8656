// Plays on the boards of the analysis page in Chromium, against the rules' own legal moves.
// Needs the built page with the rules library: node --test tests/
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { serve } from "./static_server.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
assert.ok(existsSync(at("../dist/triarch/dist/triarch.wasm")),
  "the page has no rules library; build it with deploy/web.sh --wasm");
const GAMES = ["triumvirate", "three-way", "tri-d"];
const VARIANTS = { "triumvirate": "Triumvirate", "three-way": "Three-Way", "tri-d": "Tri-D" };
const PLIES = 60;

const { State, cells, findGame } = await import("../../javascript/src/triarch.js");
const [bundle] = await build({
  configFile: false, logLevel: "warn",
  build: { write: false, lib: { entry: at("../src/board/geometry.ts"), formats: ["es"] } },
});
const { layOut, neighbor, DIRECTIONS } =
  await import(`data:text/javascript,${encodeURIComponent(bundle.output[0].code)}`);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Numbers below `limit`, always the same for a seed. */
function generator(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
}

const pinsOf = (state) => (state.game === "tri-d" ? state.fen.split(" ")[0].split(",") : []);
const geometryOf = (game) => ({ game, cells: cells(game) });
const SEATS = {
  "triumvirate": ["white", "black", "red"], "three-way": ["white", "gray", "black"],
  "tri-d": ["white", "black"],
};
const piecesOf = (state) => state.pieces()
  .map(({ cell, type, color, owner }) =>
    `${cell} ${type} ${SEATS[state.game][color]} ${SEATS[state.game][owner]}`).sort();

/** Plays random moves until `isWanted` says so; returns null if the game ends before. */
function playUntil(game, seed, isWanted) {
  const random = generator(seed);
  const state = new State(game);
  while (!state.isOver && state.ply < 400) {
    const moves = state.legalMoves();
    if (isWanted(state, moves)) return state;
    state.play(moves[random(moves.length)]);
  }
  return null;
}
function findPosition(game, isWanted) {
  for (let seed = 1; seed < 200; ++seed) {
    const state = playUntil(game, seed, isWanted);
    if (state) return state;
  }
  throw new Error(`no such position of ${game}`);
}
const isPromotion = (move) => move.toJSON().promotion !== null;
const promotionNames = { Queen: "Queen", Rook: "Rook", Bishop: "Bishop", Knight: "Knight" };

describe("layout", () => {
  for (const game of GAMES) {
    test(`${game}: has the cells of the rules in many positions`, () => {
      for (let seed = 1; seed <= 10; ++seed) {
        const state = playUntil(game, seed, ({ ply }) => ply === 40) ?? new State(game);
        const expected = cells(game, state.fen).map(({ name }) => name).sort();
        for (const options of [{ view: "plan" }, { view: "plan", isTall: true },
          { view: "oblique" }]) {
          for (const bottom of SEATS[game].keys()) {
            const layout = layOut(geometryOf(game), { ...options, bottom, pins: pinsOf(state) });
            const found = layout.spots.filter(({ kind }) => kind === "cell");
            assert.deepEqual(found.map(({ name }) => name).sort(), expected);
          }
        }
      }
    });

    test(`${game}: each seat can be at the lower edge`, () => {
      const state = new State(game);
      for (const view of ["plan", "oblique"]) {
        for (const bottom of SEATS[game].keys()) {
          const layout = layOut(geometryOf(game), { bottom, view, isTall: true });
          const heights = SEATS[game].map((_, seat) => {
            const own = state.pieces().filter(({ owner }) => owner === seat);
            return own.reduce((sum, { cell }) => sum + layout.byName.get(cell).center.y, 0) /
              own.length;
          });
          assert.equal(heights.indexOf(Math.max(...heights)), bottom);
        }
      }
    });

    test(`${game}: the arrow keys lead from everywhere to everywhere`, () => {
      for (const options of [{ view: "plan" }, { view: "plan", isTall: true },
        { view: "oblique" }]) {
        for (const bottom of SEATS[game].keys()) {
          const layout = layOut(geometryOf(game), { ...options, bottom });
          for (const spot of layout.spots) {
            assert.equal(waysFrom(layout, spot.name).size, layout.spots.length, spot.name);
          }
        }
      }
    });

    test(`${game}: no cell lies on another`, () => {
      for (const options of [{ view: "plan" }, { view: "plan", isTall: true },
        { view: "oblique" }]) {
        const { spots } = layOut(geometryOf(game), { ...options, bottom: 0 });
        spots.forEach((spot, i) => spots.slice(0, i).forEach((other) => {
          const distance = Math.hypot(spot.center.x - other.center.x,
            spot.center.y - other.center.y);
          assert.ok(distance > 25, `${spot.name} and ${other.name}`);
        }));
      }
    });
  }
});

/** Returns the keys that lead from a place to each other one. */
function waysFrom(layout, start) {
  const ways = new Map([[start, []]]);
  for (const [name, keys] of ways) {
    for (const [key, direction] of Object.entries(DIRECTIONS)) {
      const next = neighbor(layout, layout.byName.get(name), direction).name;
      if (!ways.has(next)) ways.set(next, [...keys, key]);
    }
  }
  return ways;
}

describe("page", () => {
  let server;
  let browser;
  before(async () => {
    server = await serve();
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--enable-unsafe-swiftshader"],  // 3D without a graphics card
    });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Calls `act` with a page, and checks that it had no errors and kept to the policy. */
  async function onPage(query, act, options = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce", ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const problems = [];
    page.on("console", (message) => {
      const isProblem = ["error", "warning"].includes(message.type());
      const isExpected = /GL Driver Message/.test(message.text()) ||
        options.expected?.test(message.text());
      if (isProblem && !isExpected) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!/^(blob:)?http:\/\/127\.0\.0\.1/.test(request.url())) problems.push(request.url());
    });
    await page.addInitScript(() => {
      globalThis.violations = [];
      addEventListener("securitypolicyviolation", (event) => {
        globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    try {
      await page.goto(`${server.url}#/analysis?${new URLSearchParams(query)}`);
      await page.locator(".board svg").waitFor();
      await act(page);
      problems.push(...await page.evaluate(() => globalThis.violations));
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  }

  const shown = (page) => page.locator("[data-at]").evaluateAll((pieces) =>
    pieces.map(({ dataset }) => `${dataset.at} ${dataset.piece}`).sort());
  const pointOf = (page, name) => page.locator(`[data-spot="${name}"]`).evaluate((cell) => {
    const { points } = cell;
    let x = 0;
    let y = 0;
    for (const point of points) {
      x += point.x / points.length;
      y += point.y / points.length;
    }
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(cell.getScreenCTM());
    return { x: left, y: top };
  });
  async function expectShown(page, state) {
    const expected = piecesOf(state);
    for (let i = 0; i < 50; ++i) {
      if (JSON.stringify(await shown(page)) === JSON.stringify(expected)) return;
      await page.waitForTimeout(10);
    }
    assert.deepEqual(await shown(page), expected, `after ${state.lastMove}`);
  }

  async function moveByMouse(page, move, isDrag) {
    const { from, to, promotion } = move.toJSON();
    const [first, second] = [await pointOf(page, from), await pointOf(page, to)];
    await page.mouse.move(first.x, first.y);
    await page.mouse.down();
    if (isDrag && from !== to) {
      await page.mouse.move((first.x + second.x) / 2, (first.y + second.y) / 2, { steps: 3 });
      await page.mouse.move(second.x, second.y);
    } else {
      await page.mouse.up();
      if (from !== to) await page.mouse.move(second.x, second.y);
      if (from !== to) await page.mouse.down();
    }
    await page.mouse.up();
    if (promotion) await page.getByRole("button", { name: promotionNames[promotion] }).click();
  }

  async function moveByKeys(page, state, move, view, isTall) {
    const { from, to, promotion } = move.toJSON();
    const layout = layOut(geometryOf(state.game), { bottom: 0, view, isTall, pins: pinsOf(state) });
    const cursor = () => page.locator(".board").getAttribute("data-cursor");
    const go = async (place) => {
      const start = await cursor();
      for (const key of waysFrom(layout, start).get(place)) await page.keyboard.press(key);
      assert.equal(await cursor(), place);
      await page.keyboard.press("Enter");
    };
    await go(from);
    if (from !== to) await go(to);
    if (!promotion) return;
    const number = Object.keys(promotionNames).indexOf(promotion);
    for (let i = 0; i < number; ++i) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
  }

  test("triumvirate: stuck pawns are marked", async () => {
    const isStuck = (state, { cell, type, color, owner }) => {
      const at = cells("triumvirate").find(({ name }) => name === cell);
      const ends = [at.sector, at.facing].sort().join();
      return type === "pawn" && color !== owner && ends === [color, owner].sort().join();
    };
    const found = findPosition("triumvirate", (state) => state.pieces().some((piece) =>
      isStuck(state, piece) && piece.owner === state.toMove));
    const stuck = found.pieces().filter((piece) => isStuck(found, piece));
    for (const { cell, owner } of stuck) {
      if (owner !== found.toMove) continue;
      assert.ok(found.legalMoves(cell).every((move) => move.toJSON().captured !== null), cell);
    }
    await onPage({ game: "triumvirate", position: found.fen }, async (page) => {
      await expectShown(page, found);
      assert.equal(await page.locator(".board [data-at] .stuck").count(), stuck.length);
    });
  });

  test("sounds are off until they are turned on, and stay so", async () => {
    await onPage({ game: "tri-d" }, async (page) => {
      await page.evaluate(() => {
        globalThis.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function(...when) {
          ++globalThis.tones;
          return start.apply(this, when);
        };
      });
      const state = new State("tri-d");
      const play = async () => {
        const move = state.legalMoves()[0];
        await moveByMouse(page, move, false);
        state.play(move);
        await expectShown(page, state);
        return page.evaluate(() => globalThis.tones);
      };
      assert.equal(await play(), 0);
      await page.getByRole("button", { name: "Turn sound on" }).click();
      const before = await page.evaluate(() => globalThis.tones);
      assert.ok(await play() > before);
      await page.reload();
      await page.getByRole("button", { name: "Turn sound off" }).waitFor();
    });
  });

  test("tri-d, 3D: moves by clicks and by keyboard, turned by buttons", async () => {
    await onPage({ game: "tri-d" }, async (page) => {
      assert.equal(await page.locator("script[src*=scene]").count(), 0);
      await page.getByRole("combobox", { name: /^Boards/ }).selectOption("space");
      const space = page.locator(".space[data-ready=true]");
      await space.locator("canvas").waitFor({ timeout: 30_000 });
      const board = page.locator(".board");
      await board.focus();
      const state = new State("tri-d");
      // Returns where a place is seen, or null if another one is before it.
      const seenAt = (name) => space.evaluate((element, wanted) => {
        const scene = globalThis.triarchScene.of.get(element);
        const point = scene.pointOf(wanted);
        const at = point && { x: Math.round(point.x), y: Math.round(point.y) };
        const isSeen = at && [-2, 0, 2].every((shift) =>
          scene.at(at.x + shift, at.y) === wanted && scene.at(at.x, at.y + shift) === wanted);
        return isSeen ? at : null;
      }, name);
      const playByClicks = async () => {
        for (const move of state.legalMoves()) {
          const { from, to } = move.toJSON();
          const [start, end] = [await seenAt(from), await seenAt(to)];
          if (!start || !end) continue;
          await page.mouse.click(start.x, start.y);
          await page.mouse.click(end.x, end.y);
          state.play(move);
          return page.locator("tbody tr td").filter({ hasText: move.text }).first().waitFor();
        }
        assert.fail("no move is seen");
      };
      for (let ply = 0; ply < 4; ++ply) await playByClicks();
      const placeOf = (name) => space.evaluate((element, wanted) =>
        globalThis.triarchScene.of.get(element).pointOf(wanted), name);
      const before = await placeOf("a1W");
      for (let i = 0; i < 3; ++i) await page.getByRole("button", { name: "To the left" }).click();
      const after = await placeOf("a1W");
      assert.ok(Math.hypot(before.x - after.x, before.y - after.y) > 20, "the boards have not been turned");
      await playByClicks();
      const move = state.legalMoves()[0];
      await board.focus();
      await moveByKeys(page, state, move, "plan", false);
      state.play(move);
      await page.locator("tbody tr td").filter({ hasText: move.text }).first().waitFor();
    }, { viewport: { width: 420, height: 900 } });  // small: it is drawn without a graphics card
  });

  test("tri-d, 3D: without WebGL, the plan is shown and says why", async () => {
    await onPage({ game: "tri-d" }, async (page) => {
      await page.evaluate(() => {
        HTMLCanvasElement.prototype.getContext = () => null;
      });
      await page.getByRole("combobox", { name: /^Boards/ }).selectOption("space");
      await page.getByText("This browser cannot show the 3D view: it has no WebGL.").waitFor();
      await page.locator(".board svg").waitFor();
    }, { expected: /WebGL/ });
  });

  for (const game of GAMES) {
    for (const view of game === "tri-d" ? ["plan", "oblique"] : ["plan"]) {
      test(`${game}, ${view}: a game by mouse`, async () => {
        await onPage({ game }, async (page) => {
          if (view === "oblique") {
            await page.getByRole("combobox", { name: /^Boards/ }).selectOption(view);
          }
          const random = generator(7);
          const state = new State(game);
          for (let ply = 0; ply < PLIES && !state.isOver; ++ply) {
            const moves = state.legalMoves();
            const move = moves[random(moves.length)];
            await moveByMouse(page, move, ply % 2 === 1);
            state.play(move);
            await expectShown(page, state);
          }
        });
      });
    }

    test(`${game}: a game by keyboard alone`, async () => {
      await onPage({ game }, async (page) => {
        for (let i = 0; i < 20; ++i) {
          await page.keyboard.press("Tab");
          if (await page.locator(".board").evaluate((e) => e === document.activeElement)) break;
        }
        const random = generator(11);
        const state = new State(game);
        for (let ply = 0; ply < PLIES && !state.isOver; ++ply) {
          const moves = state.legalMoves();
          const move = moves[random(moves.length)];
          await moveByKeys(page, state, move, "plan", false);
          state.play(move);
          await expectShown(page, state);
        }
        await page.keyboard.press("Tab");
        assert.notEqual(await page.evaluate(() => document.activeElement?.className), "board");
      });
    });

    test(`${game}: the legal targets of each piece are marked`, async () => {
      const state = playUntil(game, 3, ({ ply }) => ply === 30);
      await onPage({ game, position: state.fen }, async (page) => {
        const places = new Set(state.legalMoves().map((move) => move.toJSON().from));
        for (const from of places) {
          const { x, y } = await pointOf(page, from);
          await page.mouse.click(x, y);
          const targets = new Set(state.legalMoves(from).map((move) => move.toJSON().to));
          assert.equal(await page.locator(".board .mark").count(), targets.size, from);
          await page.mouse.click(x, y);
        }
      });
    });

    test(`${game}: promotion by mouse and by keyboard`, async () => {
      const found = findPosition(game, (_, moves) => moves.some(isPromotion));
      for (const promotion of Object.keys(promotionNames)) {
        const state = new State(game, { position: found.fen });
        const move = state.legalMoves().find((one) => one.toJSON().promotion === promotion);
        if (!move) continue;
        await onPage({ game, position: found.fen }, async (page) => {
          if (promotion === "Queen") await cancelPromotion(page, move, state);
          if (promotion === "Rook" || promotion === "Queen") {
            await page.locator(".board").focus();
            await moveByKeys(page, state, move, "plan", false);
          } else {
            await moveByMouse(page, move, promotion === "Bishop");
          }
          state.play(move);
          await expectShown(page, state);
          const focused = await page.evaluate(() => document.activeElement?.className ?? "");
          assert.match(focused, /board/);
        });
      }
    });

    test(`${game}: a dragged piece changes only its own place`, async () => {
      await onPage({ game }, async (page) => {
        const { from } = new State(game).legalMoves()[0].toJSON();
        const { x, y } = await pointOf(page, from);
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 20, y - 20, { steps: 3 });
        const changes = await page.evaluateHandle(() => {
          const seen = [];
          new MutationObserver((records) => {
            for (const { target, attributeName } of records) {
              seen.push(`${target.getAttribute("class")} ${attributeName}`);
            }
          }).observe(document.body, { attributes: true, childList: true, subtree: true });
          return seen;
        });
        await page.mouse.move(x + 120, y - 120, { steps: 30 });
        const kinds = new Set(await changes.jsonValue());
        assert.equal(kinds.size, 1, [...kinds].join(", "));
        assert.match([...kinds][0], /^lifted.* transform$/);
        await page.keyboard.press("Escape");
        await page.mouse.up();
      });
    });

    if (game === "tri-d") {
      test("an attack board is dragged to another pin", async () => {
        const isBoardMove = (move) => move.toJSON().type === "board";
        const state = findPosition(game, (at, moves) => moves.some(isBoardMove));
        const move = state.legalMoves().find(isBoardMove);
        await onPage({ game, position: state.fen }, async (page) => {
          await moveByMouse(page, move, true);
          state.play(move);
          await expectShown(page, state);
        });
      });
    }

    test(`${game}: a wrong position shows what the validator says`, async () => {
      const fields = new State(game).fen.split(" ");
      await onPage({ game }, async (page) => {
        await page.getByText("Set up a position").click();
        const box = page.getByRole("textbox");
        const submit = page.getByRole("button", { name: "Set up", exact: true });
        await box.fill(fields.slice(0, -1).join(" "));
        await submit.click();
        let message = "";
        assert.throws(() => new State(game, { position: fields.slice(0, -1).join(" ") }),
          (error) => { ({ message } = error); return true; });
        assert.equal(await page.getByRole("alert").textContent(), message);
        assert.match(message, game === "tri-d" ? /BAD_|FIELD_COUNT/ : /FIELD_COUNT/);
        await expectShown(page, new State(game));
        const right = playUntil(game, 5, ({ ply }) => ply === 20);
        await box.fill(JSON.stringify(right.toJSON()));
        await submit.click();
        await expectShown(page, right);
        assert.equal(await page.getByRole("alert").count(), 0);
        await page.getByText("Set up a position").click();
      });
    });

    test(`${game}: a pasted TPGN is played through`, async () => {
      const state = new State(game);
      const random = generator(13);
      let text = `[Event "?"]\n[Variant "${VARIANTS[game]}"]\n[Result "*"]\n\n`;
      for (let ply = 0; ply < 9; ++ply) {
        const moves = state.legalMoves();
        const move = moves[random(moves.length)];
        const seats = SEATS[game].length;
        if (ply % seats === 0) text += `${1 + ply / seats}. `;
        text += `${move.inForm(game === "tri-d" ? "short" : "tpgn")} {[%clk 0:01:00]} `;
        state.play(move);
      }
      await onPage({ game: "triumvirate" }, async (page) => {
        await page.getByText("Set up a position").click();
        await page.getByRole("textbox").fill(`${text}*\n`);
        await page.getByRole("button", { name: "Set up", exact: true }).click();
        await expectShown(page, state);
      });
    });

    test(`${game}: a position is set up by hand, by mouse and by keyboard`, async () => {
      const names = SEATS[game].map((seat) => seat.charAt(0).toUpperCase() + seat.slice(1));
      const start = new State(game);
      const kings = start.pieces().filter(({ type }) => type === "king");
      await onPage({ game }, async (page) => {
        await page.getByText("Set up a position").click();
        await page.getByRole("button", { name: "Set up by hand" }).click();
        await page.getByText("The position is valid").waitFor();
        await page.getByRole("button", { name: "Clear the board" }).click();
        await page.locator(".card p.warn").waitFor();
        assert.match(await page.locator(".card p.warn").innerText(), /^[A-Z_]+/);
        await page.getByRole("radio", { name: "king" }).check();
        for (const { cell, color } of kings) {
          await page.getByRole("combobox", { name: /^Color/ }).selectOption(names[color]);
          const { x, y } = await pointOf(page, cell);
          await page.mouse.click(x, y);
        }
        await page.getByText("The position is valid").waitFor();
        // A rook, by keyboard; then away, and there again.
        await page.getByRole("radio", { name: "rook" }).check();
        await page.getByRole("combobox", { name: /^Color/ }).selectOption(names[0]);
        await page.getByRole("application").focus();
        const layout = layOut(geometryOf(game), { bottom: 0, pins: pinsOf(start) });
        const rook = start.pieces().find(({ type, color }) => type === "rook" && color === 0).cell;
        const cursor = await page.getByRole("application").getAttribute("data-cursor");
        for (const key of waysFrom(layout, cursor).get(rook)) await page.keyboard.press(key);
        for (let i = 0; i < 3; ++i) await page.keyboard.press("Enter");
        await page.getByRole("combobox", { name: /^To move/ }).selectOption(names.at(-1));
        await check(page);
        const text = await page.locator(".card code").first().innerText();
        const wanted = new State(game, { position: text });
        assert.deepEqual(piecesOf(wanted), [
          ...kings.map(({ cell, color }) => `${cell} king ${SEATS[game][color]} ${SEATS[game][color]}`),
          `${rook} rook white white`,
        ].sort());
        assert.equal(wanted.toMove, names.length - 1);
        await page.getByRole("button", { name: "Use this position" }).click();
        await expectShown(page, wanted);
        await page.getByText(`${names.at(-1)} to move.`).first().waitFor();
      });
    });

    test(`${game}: the saved TPGN is what the program reads`, async () => {
      const [, second] = SEATS[game];
      for (const [seed, position, isResigned] of [[3, null, false], [5, 21, true]]) {
        const start = position && playUntil(game, seed, ({ ply }) => ply === position);
        const state = new State(game, start ? { position: start.fen } : {});
        const random = generator(seed);
        const texts = [];
        while (!state.isOver && state.ply < 41) {
          const moves = state.legalMoves();
          const move = moves[random(moves.length)];
          texts.push(move.text);
          state.play(move);
          if (isResigned && state.ply === 20 && state.isIn(1)) {
            texts.push(`resign:${second}`);
            state.resign(1);
          }
        }
        const query = { game, moves: texts.join(" "), ...(start ? { position: start.fen } : {}) };
        await onPage(query, async (page) => {
          await expectShown(page, state);
          const waiting = page.waitForEvent("download");
          await page.getByRole("button", { name: "Save TPGN" }).click();
          const file = await (await waiting).path();
          const told = execFileSync(process.env.TRIARCH_PROGRAM ?? "build/release/triarch",
                                    ["verify", file], { encoding: "utf8" });
          assert.match(told, /1 game/);
          const text = readFileSync(file, "utf8");
          await page.getByText("Set up a position").click();
          await page.getByRole("textbox").fill(text);
          await page.getByRole("button", { name: "Set up", exact: true }).click();
          await expectShown(page, state);
        });
      }
    });

    test(`${game}: a link and a reload keep the game`, async () => {
      const state = playUntil(game, 9, ({ ply }) => ply === 12);
      const replayed = playUntil(game, 9, ({ ply }) => ply === 0);
      const random = generator(9);
      const texts = [];
      while (replayed.ply < 12) {
        const moves = replayed.legalMoves();
        const move = moves[random(moves.length)];
        texts.push(move.text);
        replayed.play(move);
      }
      await onPage({ game, moves: texts.join(" ") }, async (page) => {
        await expectShown(page, state);
        await page.getByRole("button", { name: "Take back" }).click();
        await page.reload();
        state.undo();
        await expectShown(page, state);
      });
    });

    test(`${game}: bots answer, and their moves are taken back`, async () => {
      await onPage({ game }, async (page) => {
        const [first, ...others] = SEATS[game];
        for (const [i, seat] of others.entries()) {
          const name = seat.charAt(0).toUpperCase() + seat.slice(1);
          await page.getByRole("combobox", { name: `${name} is played by` })
            .selectOption(i === 0 ? "mcts" : "random");
          if (i === 0) {
            await page.getByRole("combobox", { name: `Strength of ${name}` }).selectOption("100");
          }
        }
        const state = new State(game);
        await moveByMouse(page, state.legalMoves()[0], false);
        await page.locator("tbody tr:first-child td").nth(others.length).filter({ hasText: "-" })
          .waitFor();
        await page.getByText(new RegExp(`^${first} to move`, "i")).first().waitFor();
        await page.getByRole("button", { name: "Take back" }).click();
        await expectShown(page, state);
      });
    });

    test(`${game}: the search shows lines and expected points`, async () => {
      await onPage({ game }, async (page) => {
        await page.getByRole("checkbox", { name: "Search this position" }).check();
        const row = page.getByRole("row", { name: /^Expected points/ });
        await row.waitFor();
        const points = (await row.getByRole("cell").allTextContents()).map(Number);
        const sum = points.reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(sum - findGame(game).seats / 2) < 0.03, `${points}`);
        await page.getByRole("checkbox", { name: "Search this position" }).uncheck();
      });
    });

    for (const [title, options] of [["light", {}], ["dark", { colorScheme: "dark" }],
      ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true }]]) {
      test(`${game}, ${title}: axe finds nothing`, async () => {
        const found = findPosition(game, (_, moves) => moves.some(isPromotion));
        await onPage({ game, position: found.fen }, async (page) => {
          await page.getByRole("checkbox", { name: "Search this position" }).check();
          await page.getByRole("row", { name: /^Expected points/ }).waitFor();
          await page.getByText("Set up a position").click();
          await page.getByRole("button", { name: "Set up", exact: true }).click();
          await check(page);
          const wide = await page.evaluate(() =>
            document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.equal(wide, 0, "the page scrolls sideways");
          await page.getByRole("checkbox", { name: "Search this position" }).uncheck();
          const { from, to } = found.legalMoves().find(isPromotion).toJSON();
          for (const name of new Set([from, to])) {
            await page.locator(`[data-spot="${name}"]`).evaluate((cell) => {
              cell.scrollIntoView({ block: "center" });
            });
            const { x, y } = await pointOf(page, name);
            if (options.hasTouch) await page.touchscreen.tap(x, y);
            else await page.mouse.click(x, y);
          }
          await page.getByRole("dialog").waitFor();
          await check(page);
        }, options);
      });
    }
  }

  async function cancelPromotion(page, move, state) {
    const { from, to } = move.toJSON();
    for (const name of new Set([from, to])) {
      const { x, y } = await pointOf(page, name);
      await page.mouse.click(x, y);
    }
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectShown(page, state);
  }

  async function check(page) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) =>
      `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
  }
});
