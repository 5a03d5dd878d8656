// Several best lines and the expected points of a position, searched in a worker.

import type { BotWorker, Rules, State } from "./engine";

export interface Line {
  moves: string[];
  /** The share of the search that the first move got. */
  share: number;
  /** Expected points by seat. */
  points: number[];
}

const BUDGETS = [400, 1600, 6400, 25600, 102400];
const LINES = 3;

export class Analyzer {
  lines = $state.raw<Line[]>([]);
  /** Expected points by seat. */
  points = $state.raw<number[] | null>(null);
  nodes = $state(0);
  isBusy = $state(false);
  error = $state("");
  #worker: BotWorker;
  #run = 0;

  constructor(rules: Rules) {
    this.#worker = new rules.BotWorker("mcts", {}, 1);
  }

  stop(): void {
    ++this.#run;
    if (this.isBusy) this.#worker.stop();
    this.isBusy = false;
  }

  close(): void {
    this.stop();
    this.#worker.close();
  }

  /** Searches longer and longer, until it is stopped. */
  async start(position: State): Promise<void> {
    this.stop();
    this.lines = [];
    this.points = null;
    this.nodes = 0;
    this.error = "";
    if (position.isOver) return;
    const run = this.#run;
    const state = position.copy();
    this.isBusy = true;
    try {
      for (const nodes of BUDGETS) {
        const isDone = await this.#deepen(state, nodes, () => run !== this.#run);
        if (!isDone) return;
      }
      this.isBusy = false;
    } catch (error) {
      if (run !== this.#run) return;
      this.isBusy = false;
      this.error = error instanceof Error ? error.message : String(error);
    }
  }

  /** Searches the position, and then those after its best moves. */
  async #deepen(state: State, nodes: number, isStale: () => boolean): Promise<boolean> {
    const seats = state.game === "tri-d" ? 2 : 3;
    const toPoints = (shares: number[]) => shares.map((share) => share * seats / 2);
    const found = await this.#worker.analyse(state, { nodes });
    if (isStale()) return false;
    const best = [...found.policy].sort((a, b) => b.share - a.share).slice(0, LINES);
    if (best.length === 0) best.push({ move: found.move, share: 1 });
    const lines: Line[] = [];
    for (const { move, share } of best) {
      const child = state.copy().play(move);
      const outcome = child.outcome;
      if (outcome) {
        const total = outcome.points.reduce((a, b) => a + b, 0);
        const points = toPoints(outcome.points.map((value) => value / total));
        lines.push({ moves: [move], share, points });
        continue;
      }
      const next = await this.#worker.analyse(child, { nodes: Math.max(100, nodes / 4) });
      if (isStale()) return false;
      lines.push({ moves: [move, ...next.line], share, points: toPoints(next.shares ?? []) });
    }
    this.points = found.shares ? toPoints(found.shares) : null;
    this.nodes = found.nodes;
    this.lines = lines;
    return true;
  }
}
