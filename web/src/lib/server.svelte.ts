// What the server of the page offers.
import { get } from "./api";
import { site } from "./site";

interface Health { version: string; tables?: number; live?: boolean }

const RETRY_MS = 3000;

class Server {
  /** Whether the answer is there, or there is no server to ask. */
  isKnown = $state(site !== undefined);
  /** Whether people and programs can play there. */
  hasArena = $state(false);
  /** Whether it knows of games in progress on a cluster. */
  hasLive = $state(false);

  constructor() {
    if (!site) void this.#ask();
  }
  async #ask(): Promise<void> {
    try {
      const health = await get<Health>("/health");
      this.hasArena = health.tables !== undefined;
      this.hasLive = health.live === true;
    } catch {
      // The pages say what is wrong.
      setTimeout(() => { void this.#ask(); }, RETRY_MS);
    }
    this.isKnown = true;
  }
}

export const server = new Server();
