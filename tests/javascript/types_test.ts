// Compiled, but not run: the types of the package fit its use.
import { Bot, GAMES, Move, Outcome, State, TriarchError, cells } from "../../javascript/src/triarch.js";
import { moveToV4, describe } from "../../javascript/src/notation.js";
import { BotWorker } from "../../javascript/src/worker.js";

const state: State = new State(GAMES[0], { draws: "claimed", position: null });
const moves: Move[] = state.legalMoves("E2");
const text: string = moveToV4(state.play(moves[0]).undo().parseMove("E2-E4"), "client");
const outcome: Outcome | null = state.outcome;
const points: number = outcome === null ? 0 : outcome.points[0];
const answer: Move | "resign" | "claim" = new Bot("mcts", { nodes: 300 }).choose(state, { depth: 2 });
const later: Promise<string> = new BotWorker("greedy").choose(state, { signal: null });
const level: number = describe("A1").buriedLevel + cells("tri-d")[0].knight.length;
const error = new TriarchError("x", "BAD_CELL", 1);
export const all: unknown[] = [text, points, answer, later, level, error.code];

// @ts-expect-error there is no such option
new State("tri-d", { drawz: "claimed" });
// @ts-expect-error moves are not numbers
state.play(3);
