// A game on the analysis page: its moves, and who plays each seat.

import type { LegalMove } from "../board/legal";
import { SEATS } from "../board/position";
import type { GameName, SentPosition } from "../lib/api";
import { legalOf, messageOf, placesOf, playText, sentPosition, type BotWorker, type Move,
  type Rules, type SetUp, type State } from "./engine";

export const PLAYERS = ["person", "random", "greedy", "smart", "paranoid", "maxn", "mcts"] as const;
export type PlayerKind = typeof PLAYERS[number];
/** Whether a player thinks longer with more nodes. */
export const hasNodes = (kind: PlayerKind): boolean =>
  kind === "paranoid" || kind === "maxn" || kind === "mcts";

export interface Player { kind: PlayerKind; nodes: number }

export interface Ply {
  seat: number;
  /** Null if the seat resigned. */
  move: Move | null;
  text: string;
  places: string[];
}

/** The time between two moves of bots, for people to follow. */
const PAUSE_MS = 350;

export class Session {
  game = $state<GameName>("triumvirate");
  plies = $state.raw<Ply[]>([]);
  undone = $state.raw<string[]>([]);
  sent = $state.raw<SentPosition>({ text: "", to_move: null, pieces: "", checks: [], out: [] });
  legal = $state.raw<LegalMove[]>([]);
  players = $state<Player[]>([]);
  isThinking = $state(false);
  isPaused = $state(false);
  error = $state("");
  /** The start, if it is not the game's default. */
  position = $state<string | null>(null);
  /** The start as text. */
  startText = "";
  /** The number of the first round. */
  firstRound = $state(1);

  state: State;
  #rules: Rules;
  #workers = new Map<number, { key: string; worker: BotWorker }>();
  #turn = 0;

  constructor(rules: Rules, setUp: SetUp) {
    this.#rules = rules;
    this.state = new rules.State(setUp.game);
    this.load(setUp);
  }

  readonly isOver = $derived(this.sent.to_move === null);
  readonly isPersonsTurn = $derived.by(() => {
    const seat = SEATS[this.game].indexOf(this.sent.to_move as never);
    return seat >= 0 && this.players[seat]?.kind === "person";
  });
  readonly hasBots = $derived(this.players.some((player) => player.kind !== "person"));
  readonly hasPeople = $derived(this.players.some((player) => player.kind === "person"));
  readonly lastPlaces = $derived(this.plies.at(-1)?.places ?? []);

  /** Begins with a position and moves. Throws what the validator says, and changes nothing then. */
  load({ game, position, moves }: SetUp): void {
    const state = new this.#rules.State(game, { position });
    const startText = state.fen;
    const start = startText.split(" ");
    const plies: Ply[] = [];
    moves.forEach((text, i) => {
      try {
        plies.push(this.#playOn(state, text));
      } catch (error) {
        throw new Error(`Move ${i + 1}, “${text}”: ${messageOf(error)}`);
      }
    });
    this.close();
    if (game !== this.game || this.players.length === 0) {
      this.players = SEATS[game].map(() => ({ kind: "person", nodes: 1000 }));
    }
    this.game = game;
    this.state = state;
    this.position = position;
    this.startText = startText;
    this.firstRound = Number((game === "tri-d" ? start[6] : start.at(-1)) ?? 1) || 1;
    this.plies = plies;
    this.undone = [];
    this.error = "";
    this.isPaused = false;
    this.#show();
  }

  #playOn(state: State, text: string): Ply {
    const resigned = /^resign:(\w+)$/.exec(text)?.[1];
    if (resigned) {
      playText(state, text);
      return { seat: SEATS[state.game].indexOf(resigned as never), move: null, text, places: [] };
    }
    const seat = state.toMove;
    const move = state.parseMove(text);
    state.play(move);
    return { seat, move, text: move.text, places: placesOf(move) };
  }

  #show(): void {
    this.sent = sentPosition(this.state);
    this.legal = this.state.isOver ? [] : legalOf(this.state);
    void this.#think();
  }

  play(text: string): void {
    this.plies = [...this.plies, this.#playOn(this.state, text)];
    if (this.undone.at(-1) === this.plies.at(-1)?.text) this.undone = this.undone.slice(0, -1);
    else this.undone = [];
    this.#show();
  }

  /** Takes back a move; with bots at the table, also their answers to it. */
  takeBack(): void {
    if (this.plies.length === 0) return;
    const undone = [...this.undone];
    const plies = [...this.plies];
    do {
      this.state.undo();
      undone.push(plies.pop()!.text);
    } while (this.hasPeople && plies.length > 0 &&
      this.players[this.state.toMove]?.kind !== "person");
    if (this.players[this.state.toMove]?.kind !== "person") this.isPaused = true;
    this.plies = plies;
    this.undone = undone;
    this.#show();
  }

  /** Plays again what was taken back last. */
  redo(): void {
    const text = this.undone.at(-1);
    if (text) this.play(text);
  }

  restart(): void {
    this.load({ game: this.game, position: this.position, moves: [] });
  }

  setPlayer(seat: number, player: Player): void {
    this.players[seat] = player;
    void this.#think();
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    void this.#think();
  }

  /** Lets the bot on turn move. */
  async #think(): Promise<void> {
    const turn = ++this.#turn;
    const seat = this.state.toMove;
    const player = this.players[seat];
    if (this.isThinking) for (const { worker } of this.#workers.values()) worker.stop();
    this.isThinking = false;
    if (this.isOver || this.isPaused || !player || player.kind === "person") return;
    this.isThinking = true;
    try {
      const limits = hasNodes(player.kind) ? { nodes: player.nodes } : {};
      const [answer] = await Promise.all([
        this.#workerOf(seat, player.kind).choose(this.state, limits),
        new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); }),
      ]);
      if (turn !== this.#turn) return;
      this.isThinking = false;
      if (answer === "claim") {
        this.isPaused = true;
        this.error = "The bot claims a draw.";
        return;
      }
      this.play(answer === "resign" ? `resign:${SEATS[this.game][seat]}` : answer);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.isThinking = false;
      this.isPaused = true;
      this.error = `The bot failed: ${messageOf(error)}`;
    }
  }

  #workerOf(seat: number, kind: PlayerKind): BotWorker {
    const key = `${this.game} ${kind}`;
    const known = this.#workers.get(seat);
    if (known?.key === key) return known.worker;
    known?.worker.close();
    const worker = new this.#rules.BotWorker(kind, {}, Math.floor(Math.random() * 2 ** 31));
    this.#workers.set(seat, { key, worker });
    return worker;
  }

  /** Ends the bots. */
  close(): void {
    ++this.#turn;
    this.isThinking = false;
    for (const { worker } of this.#workers.values()) worker.close();
    this.#workers.clear();
  }
}
