// Types of worker.js.

import { Analysis, Limits, State } from "./triarch.js";

/** A bundled searcher in a worker. It answers one question at a time. */
export class BotWorker {
  constructor(name: string, options?: Record<string, string | number>, seed?: number);
  /** Searches a position, with moves as texts. */
  analyse(state: State, limits?: Limits & { signal?: AbortSignal | null }): Promise<Analysis<string>>;
  choose(state: State, limits?: Limits & { signal?: AbortSignal | null }): Promise<string>;
  newGame(seed?: number): void;
  /** Stops a running search at once: its promise is rejected with an "AbortError". */
  stop(): void;
  close(): void;
}
