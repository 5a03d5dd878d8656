// Reads the data of a static site, which `triarch export site` wrote as scripts: browsers load
// scripts also from files (docs/static-site.md).
import type { GamesPage } from "./api";
import { ApiError } from "./api_error";
import { meets } from "./filter";

interface Site {
  /** How many games a file lists. */
  listed: number;
  /** How many games a file has in full. */
  games_in_file: number;
}
declare global {
  // Set by data/site.js, which only a static site has.
  var triarchSite: Site | undefined;
  var triarchData: (key: string, value: unknown) => void;
}

export const site = globalThis.triarchSite;

/** How many games the page lists at once. */
const SHOWN = 50;

/** What the script that runs now has passed on, by key. */
let received = new Map<string, unknown>();
globalThis.triarchData = (key, value) => { received.set(key, value); };

/** Runs a script and returns what it passes on. */
function loadScript(address: string): Promise<Map<string, unknown>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    // The event of a script comes right after its end, before the next script.
    script.onload = () => {
      script.remove();
      resolve(received);
      received = new Map();
    };
    script.onerror = () => {
      script.remove();
      reject(new ApiError(`This site has no file ${address}, or it cannot be read.`, 404));
    };
    document.head.append(script);
  });
}

/** Returns the file of a key. Several games share one. */
function fileOf(key: string, { games_in_file }: Site): string {
  const game = /^(tournaments\/\d+\/games)\/(\d+)(\/tpgn)?$/.exec(key);
  return game ? `${game[1]}/file-${Math.floor(Number(game[2]) / games_in_file)}` : key;
}

async function load<T>(key: string, from: Site): Promise<T> {
  const values = await loadScript(`data/${fileOf(key, from)}.js`);
  if (values.has(key)) return values.get(key) as T;
  throw new ApiError("This site has no such game.", 404);
}

/** Lists games as the server does, but `before` counts the games that were looked at. */
async function listGames(key: string, query: URLSearchParams, from: Site,
                         signal?: AbortSignal): Promise<GamesPage> {
  const games: GamesPage["games"] = [];
  for (let at = Number(query.get("before")); ;) {
    signal?.throwIfAborted();
    const page = await load<GamesPage>(`${key}/page-${Math.floor(at / from.listed)}`, from);
    for (const game of page.games.slice(at % from.listed)) {
      if (meets(game, query)) {
        if (games.length === SHOWN) return { games, before: at };
        games.push(game);
      }
      ++at;
    }
    if (page.before === null) return { games, before: null };
  }
}

/** Finds a bot. Its place in the list names its file, because no file can have every name. */
async function findBot(name: string, from: Site): Promise<unknown> {
  const bots = await load<{ name: string }[]>("bots", from);
  const at = bots.findIndex((bot) => bot.name === name);
  if (at < 0) throw new ApiError(`there is no bot "${name}"`, 404);
  return load(`bots/${at}`, from);
}

/** Returns what the server would answer to a path of its API. */
export async function readSite<T>(path: string, from: Site, signal?: AbortSignal): Promise<T> {
  const [key = "", query = ""] = path.slice(1).split("?", 2);
  const isList = /^tournaments\/\d+\/games$/.test(key);
  const parameters = new URLSearchParams(query);
  const answer = await (isList ? listGames(key, parameters, from, signal)
    : key === "bot" ? findBot(parameters.get("name") ?? "", from) : load(key, from));
  signal?.throwIfAborted();
  return answer as T;
}
