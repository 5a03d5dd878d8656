// Plays at a Triarch arena, over HTTP. A bot is a function that chooses a move:
//
//   import { play } from "./triarch_arena.mjs";
//   const choose = (turn) => turn.moves[Math.floor(Math.random() * turn.moves.length)];
//   console.log(await play("http://127.0.0.1:8080", choose, { game: "tri-d", name: "mine" }));
//
// The function may also return [move, message], RESIGN or CLAIM, or a promise of these. If it
// throws an error, or chooses an illegal move, the seat resigns and the error goes on to the
// caller.
//
// Copy this file beside your bot. It needs Node.js 18 or newer, or a browser, and no packages. The
// class Arena has the rest of the arena's API (docs/arena-api.md). Lost connections, restarts of
// the arena and "too many requests" are waited out, for up to `patience` seconds; console.warn
// tells. No move is played twice and no seat taken twice. For a proxy, pass another `fetch`, such
// as undici's.

export const RESIGN = "resign";
export const CLAIM = "claim"; // claims a draw by the rules

const WAIT_SECONDS = 30; // the longest that an arena lets a request wait
const SILENCE_SECONDS = 60; // after which a connection is given up
const BUSY = [429, 502, 503, 504];

// The arena refused a request. `status` is the HTTP status, `data` the whole answer.
export class ArenaError extends Error {
  constructor(status, data) {
    super(`${data?.detail ?? data} (HTTP ${status})`);
    this.name = "ArenaError";
    this.status = status;
    this.data = data;
  }
}

const crypto = globalThis.crypto ?? (await import("node:crypto")).webcrypto; // Node.js 18

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

function randomHex(bytes) {
  const numbers = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(numbers, (number) => number.toString(16).padStart(2, "0")).join("");
}

const isOver = (turn) => turn.stage === "finished" || turn.stage === "closed";

// `place` is the seat's (1 is best), and `places` those of all seats. Both are null if the table
// was closed before the end ("abandoned"), or if a house bot took the seat after too many timeouts
// ("replaced").
function resultOf({ table, seat, players, result }) {
  const isReplaced = players.some((player) => player.seat === seat && player.replaced);
  if (isReplaced || !result) {
    const termination = isReplaced ? "replaced" : "abandoned";
    return { table, seat, place: null, places: null, termination };
  }
  const { places, termination } = result;
  return { table, seat, place: places[seat], places, termination };
}

// An arena at a URL such as http://127.0.0.1:8080. `key` is that of your account, if any.
export class Arena {
  constructor(url, { key = null, patience = 300, fetch } = {}) {
    if (!/^https?:\/\//.test(url)) {
      throw new TypeError(`expected a URL such as http://127.0.0.1:8080, not ${url}`);
    }
    // A browser's fetch must not be called as a method.
    this.fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    this.base = url.replace(/\/+$/, "") + "/api/v2";
    this.key = key;
    this.patience = patience;
  }

  // ---- Play.

  // Takes a seat and returns it. The options are the members of docs/arena-api.md#join.
  async join(options) {
    const body = { secret: randomHex(16), ...options };
    return new Seat(this, await this.post("/join", body, this.key));
  }
  // Joins, plays one game and returns its result. `notations` asks for turn.texts.
  async play(choose, { notations = [], ...options }) {
    const seat = await this.join(options);
    return seat.play(choose, { notations });
  }

  // ---- Look.

  tables(game) { return this.get("/tables", { game }); }
  table(table, notations = []) {
    return this.get(`/tables/${table}`, { notations: notations.join(",") || undefined });
  }
  // Yields the events of a table from number `after` on, as they come, until the last one of its
  // game. It goes on where it was if the connection breaks.
  async *events(table, after = 0) {
    if (after > 0) {
      const { stage, events } = await this.table(table);
      if (isOver({ stage }) && events <= after) return;
    }
    let retry = new Retry(this.patience);
    for (;;) {
      const headers = { Accept: "text/event-stream" };
      if (after > 0) headers["Last-Event-ID"] = String(after - 1);
      const stream = await this.#send(`/tables/${table}/events`, { headers }, openStream, retry);
      try {
        for await (const event of sentEvents(stream)) {
          retry = new Retry(this.patience);
          if (event === null) continue;
          after = event.n + 1;
          yield event;
          if (event.result || event.kind === "closed") return;
        }
      } finally {
        stream.watchdog.cut();
      }
      await retry.pause(new Error("the stream of events broke off"));
    }
  }
  // Yields the finished games, the latest first.
  async *games(game) {
    let before;
    do {
      const answer = await this.get("/games", { game, before });
      yield* answer.games;
      ({ before } = answer);
    } while (before !== null);
  }
  game(table) { return this.get(`/games/${table}`); }
  tpgn(table) { return this.get(`/games/${table}/tpgn`); }
  bots() { return this.get("/house-bots"); }
  rules(game) { return this.get(`/rules/${game}`); }
  geometry(game) { return this.get(`/geometry/${game}`); }
  leaderboard(game) { return this.get("/leaderboard", { game }); }
  standings(game) { return this.get("/standings", { game }); }
  player(name) { return this.get(`/players/${encodeURIComponent(name)}`); }
  health() { return this.get("/health"); }

  // ---- Accounts.

  // Claims a name and returns its key: keep it, for it is not shown again. With `key` set, the new
  // account gets the same owner as that key's.
  async claimName(name) {
    return (await this.post("/players", { name, key: randomHex(32) }, this.key)).key;
  }
  // Replaces the key, which stops working at once, and returns the new one.
  async renewKey(name) {
    const path = `/players/${encodeURIComponent(name)}/key`;
    this.key = (await this.post(path, { key: randomHex(32) }, this.key)).key;
    return this.key;
  }

  // ---- Requests.

  get(path, query = {}, token = null) {
    const given = Object.entries(query).filter(([, value]) => (value ?? null) !== null);
    const text = new URLSearchParams(given).toString();
    const request = { headers: authorization(token) };
    return this.#send(path + (text && `?${text}`), request, content, new Retry(this.patience));
  }
  post(path, body, token = null, patience = this.patience) {
    const headers = { "Content-Type": "application/json", ...authorization(token) };
    const request = { method: "POST", body: JSON.stringify(body), headers };
    return this.#send(path, request, content, new Retry(patience));
  }

  // Sends a request until it is answered, and returns what `take` makes of the answer.
  async #send(path, request, take, retry) {
    for (;;) {
      const watchdog = new Watchdog();
      let failure;
      let asked = 0;
      try {
        // A redirection would show the token to another server.
        const options = { ...request, redirect: "manual", signal: watchdog.signal };
        const answer = await this.fetch(this.base + path, options);
        if (answer.ok) return await take(answer, watchdog);
        failure = await refusal(answer);
        asked = Number(answer.headers.get("retry-after")) || 0;
      } catch (error) {
        failure = error;
      }
      watchdog.end();
      const isWrongCertificate = /CERT|SIGNATURE/.test(failure.cause?.code);
      const isRefused = failure instanceof ArenaError && !BUSY.includes(failure.status);
      if (isWrongCertificate || isRefused) throw failure;
      await retry.pause(failure, asked);
    }
  }
}

// The growing pauses between the attempts of a request, for at most `patience` seconds.
class Retry {
  #patience;
  #until = null;
  #pause = 0.2;

  constructor(patience) {
    this.#patience = patience;
  }

  // Waits for at least `asked` seconds, or throws the failure if the patience is over.
  async pause(failure, asked = 0) {
    if (this.#until === null) {
      this.#until = Date.now() + 1000 * this.#patience;
      const why = failure.cause?.code ?? failure.message; // `fetch` hides the reason there
      if (this.#patience > 0) console.warn(`${why}; trying again for ${this.#patience} s`);
    }
    // Clients that failed together should not come back together.
    const wait = Math.max(asked, this.#pause * (0.5 + Math.random() / 2));
    if (Date.now() + 1000 * wait > this.#until) throw failure;
    await sleep(wait);
    this.#pause = Math.min(2 * this.#pause, 5);
  }
}

// Ends a request that is silent.
class Watchdog {
  #controller = new AbortController();
  #timer;

  constructor() { this.feed(); }
  get signal() { return this.#controller.signal; }
  feed() {
    this.end();
    const bite = () => this.#controller.abort(new Error("the arena is silent"));
    this.#timer = setTimeout(bite, 1000 * SILENCE_SECONDS);
  }
  end() { clearTimeout(this.#timer); }
  cut() {
    this.end();
    this.#controller.abort();
  }
}

const authorization = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

async function content(answer, watchdog) {
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const data = isJson ? await answer.json() : await answer.text();
  watchdog.end();
  return data;
}

async function refusal(answer) {
  if (answer.type === "opaqueredirect" || (answer.status >= 300 && answer.status < 400)) {
    const place = answer.headers.get("location") ?? "another address";
    return new ArenaError(answer.status, `the server is at ${place}`);
  }
  const text = await answer.text();
  try {
    return new ArenaError(answer.status, JSON.parse(text));
  } catch {
    return new ArenaError(answer.status, text || answer.statusText);
  }
}

const openStream = (answer, watchdog) => ({ reader: answer.body.getReader(), watchdog });

// Yields the events of a stream of server-sent events, and null for other signs of life, until the
// stream ends or breaks off.
async function* sentEvents({ reader, watchdog }) {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true }));
    if (done) return;
    watchdog.feed();
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      // An arena sends the data of an event in one line.
      yield line.startsWith("data:") ? JSON.parse(line.slice("data:".length)) : null;
    }
  }
}

// A seat at a table. The token is all that it takes to go on later: new Seat(arena, { token }).
export class Seat {
  constructor(arena, { token, table, seat }) {
    this.arena = arena;
    this.token = token;
    this.table = table;
    this.seat = seat;
  }

  // Returns the turn when it is yours, or when the game is over, but after `wait` seconds in any
  // case.
  async turn({ wait = WAIT_SECONDS, notations = [] } = {}) {
    const query = { wait, notations: notations.join(",") || undefined };
    const turn = await this.arena.get("/turn", query, this.token);
    this.table = turn.table;
    this.seat = turn.seat;
    return turn;
  }
  // Plays a move. ArenaError: it is refused; status 422 means that it is illegal.
  move(move, ply, message) { return this.#post("/move", { move, ply, message }); }
  resign() { return this.#post("/resign"); }
  claim() { return this.#post("/claim"); }
  // Lets house bots take the empty seats now.
  fill() { return this.#post("/fill"); }
  // Takes a seat at the rematch, and returns it.
  async rematch() { return new Seat(this.arena, await this.#post("/rematch")); }

  // Plays to the end of the game and returns its result.
  async play(choose, { notations = [] } = {}) {
    try {
      for (;;) {
        const turn = await this.turn({ notations });
        if (isOver(turn)) return resultOf(turn);
        if (turn.your_turn) await this.#answer(turn, await choose(turn));
      }
    } catch (error) {
      if (error?.status === 410) {
        const { table, seat } = this;
        return { table, seat, place: null, places: null, termination: "replaced" };
      }
      // What made the bot leave is more important.
      await this.arena.post("/resign", {}, this.token, 0).catch(() => {});
      throw error;
    }
  }

  async #answer(turn, choice) {
    try {
      const [move, message] = Array.isArray(choice) ? choice : [choice];
      if (move === RESIGN) await this.resign();
      else if (move === CLAIM) await this.claim();
      else await this.move(move, turn.ply, message);
    } catch (error) {
      if (![403, 409].includes(error.status)) throw error;
      const now = await this.turn({ wait: 0 });
      if (now.your_turn && now.ply === turn.ply) throw error;
      if (now.stage !== "playing") return;
      console.warn(`${error.message}: the bot was too slow; the arena has played a random move`);
    }
  }

  #post(path, body = {}) { return this.arena.post(path, body, this.token); }
}

// Plays one game at the arena with this URL and returns its result. With `games`, plays so many,
// one after another, and returns the list of their results. `key` is an account's; without one,
// give a `name`. `patience` and `fetch` are as for Arena, `notations` as for its play. All other
// options are those of a join: game: "triumvirate", opponents: ["smart", "mcts:nodes=500"], …
export async function play(url, choose, { games, key, patience, fetch, ...options }) {
  const arena = new Arena(url, { key, patience, fetch });
  const results = [];
  while (results.length < (games ?? 1)) results.push(await arena.play(choose, options));
  return games === undefined ? results[0] : results;
}
