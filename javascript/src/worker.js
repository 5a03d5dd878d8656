// Runs a searcher in a worker, so that a page or program goes on meanwhile, and can stop it.
//
//   const bot = new BotWorker("mcts", { nodes: 100000 });
//   const { answer } = await bot.analyse(state);   // a text: "E2-E4", "resign" or "claim"
//   bot.stop();

import { TriarchError, isNode } from "./library.js";

async function startWorker() {
  const url = new URL("./worker_main.js", import.meta.url);
  let worker = null;
  if (isNode) {
    const { Worker: NodeWorker } = await import("node:worker_threads");
    worker = new NodeWorker(url);
  } else {
    worker = new Worker(url, { type: "module" });
  }
  // A browser drops messages that arrive before the worker listens.
  await new Promise((resolve, reject) => { listen(worker, resolve, reject); });
  if (isNode) worker.unref(); // an idle worker does not keep the program alive
  return worker;
}

function listen(worker, onMessage, onError) {
  if (isNode) {
    worker.removeAllListeners("message").removeAllListeners("error");
    worker.on("message", onMessage).on("error", onError);
  } else {
    worker.onmessage = (event) => onMessage(event.data);
    worker.onerror = (event) => onError(new TriarchError(event.message || "the worker failed"));
  }
}

/** A bundled searcher in a worker. It answers one question at a time. */
export class BotWorker {
  #name;
  #options;
  #seed;
  #worker = null;
  #pending = null;

  constructor(name, options = {}, seed = 0) {
    this.#name = name;
    this.#options = { ...options };
    this.#seed = seed;
  }

  /**
   * Searches a position, like Bot.analyse, with moves as texts. With `signal`, an AbortSignal, the
   * search can be stopped from outside.
   */
  async analyse(state, { signal = null, ...limits } = {}) {
    if (this.#pending !== null) {
      throw new TriarchError("the bot is still busy with the last question");
    }
    signal?.throwIfAborted();
    const question = {
      name: this.#name, options: this.#options, seed: this.#seed,
      game: state.game, state: state.toBytes(), limits,
    };
    return new Promise((resolve, reject) => {
      const pending = { resolve, reject };
      this.#pending = pending;
      const stop = () => this.stop();
      signal?.addEventListener("abort", stop, { once: true });
      const settle = (call) => (value) => {
        if (this.#pending !== pending) return; // stopped meanwhile
        this.#pending = null;
        signal?.removeEventListener("abort", stop);
        if (isNode) this.#worker?.unref();
        call(value);
      };
      const fail = settle(reject);
      this.#ask(pending, question, settle((reply) => {
        if (reply.error === undefined) {
          resolve(reply.found);
        } else {
          reject(new TriarchError(reply.error));
        }
      }), fail).catch(fail);
    });
  }
  /** Returns the bot's answer as a text: a move, "resign" or "claim". */
  async choose(state, limits = {}) {
    return (await this.analyse(state, limits)).answer;
  }

  async #ask(pending, question, onReply, onError) {
    if (this.#worker === null) {
      const worker = await startWorker();
      if (this.#pending !== pending) { // stopped before it started
        worker.terminate();
        return;
      }
      this.#worker = worker;
    }
    listen(this.#worker, onReply, (error) => {
      this.#worker = null;
      onError(error);
    });
    if (isNode) this.#worker.ref();
    this.#worker.postMessage(question);
  }

  /** Forgets the last game. */
  newGame(seed = 0) {
    this.#seed = seed;
    this.close();
  }
  /**
   * Stops a running search at once: its promise is rejected with an error whose name is
   * "AbortError". The bot forgets what it had found, and can be asked again.
   */
  stop() {
    this.close();
  }
  /** Ends the worker. It starts again when the bot is asked. */
  close() {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = this.#pending;
    this.#pending = null;
    pending?.reject(new DOMException("the search was stopped", "AbortError"));
  }
}
