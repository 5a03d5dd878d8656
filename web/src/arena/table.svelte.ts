// A table of the arena as its events tell it, and what its player can do there.
import type { LegalMove, MoveKind } from "../board/legal";
import { capitalized, SEATS, type SeatName } from "../board/position";
import { get, type GameEvent, type GameName, type SentPosition } from "../lib/api";
import { ApiError } from "../lib/api_error";
import { words } from "../lib/text";
import { getTurn, post, type FinishedGame, type MoveObject, type Player, type Stage,
  type TableEvent, type TableResult, type TakenSeat, type Turn } from "./client";
import { memory } from "./memory.svelte";

export interface ChatLine { n: number; seat: SeatName; name: string; text: string; round: number }

/** A sudden end of the stream is followed by another try. */
const RETRY_MS = 2000;
/** Several events at once are followed by one request. */
const SETTLE_MS = 30;
const TRIES = 5;
/** How often the page asks whether a rematch has begun. */
const REMATCH_MS = 3000;
/** A rematch waits so long for its players, or as long as the table did. */
const REMATCH_SECONDS = 60;

function kindOf(move: MoveObject): MoveKind {
  if (move.promotion !== null) return "promotion";
  if (move.type === "castling") return "castling";
  if (move.type === "board") return "board move";
  return move.captured !== null || move.type === "en_passant" ? "capture" : "move";
}

const pause = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });

export class Table {
  readonly id: string;
  game = $state<GameName | null>(null);
  stage = $state<Stage>("waiting");
  isRated = $state(false);
  isPrivate = $state(false);
  moveSeconds = $state(0);
  players = $state.raw<Player[]>([]);
  /** What has happened in the game. */
  steps = $state.raw<GameEvent[]>([]);
  start = $state.raw<SentPosition | null>(null);
  chat = $state.raw<ChatLine[]>([]);
  result = $state.raw<TableResult | null>(null);
  wantsRematch = $state.raw<SeatName[]>([]);
  /** The table of the rematch, once it has begun. */
  rematchTable = $state<string | null>(null);
  /** Where the finished game is recorded. */
  recorded = $state.raw<FinishedGame | null>(null);
  /** Why the table is closed. */
  why = $state("");
  /** What is wrong with the connection. */
  trouble = $state("");
  error = $state("");
  /** What the arena did for the player. */
  notice = $state("");
  /** The seat of this browser's user, and what it may do now. */
  readonly own = $derived.by(() => memory.seatAt(this.id));
  turn = $state.raw<Turn | null>(null);
  isSending = $state(false);
  isSaying = $state(false);
  /** When the time for the turn ends, in milliseconds of performance.now(). */
  deadline = $state<number | null>(null);

  #events = $state(0);
  // What has happened, until it is shown.
  #steps: GameEvent[] = [];
  #chat: ChatLine[] = [];
  #seats = new Map<SeatName, Player>();
  #lastTime = 0;
  #fillSeconds = 0;
  #isAskingForRematch = false;
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(id: string) {
    this.id = id;
    for (const change of ["online", "pageshow"]) addEventListener(change, this.#reopen);
    document.addEventListener("visibilitychange", this.#reopen);
    void this.#begin();
  }

  readonly position = $derived(this.steps.at(-1)?.after ?? this.start);
  readonly toMove = $derived(
    this.stage === "playing" ? this.position?.to_move as SeatName | null : null);
  readonly legal = $derived.by<LegalMove[] | null>(() => {
    const { turn } = this;
    if (!turn?.your_turn || turn.events !== this.#events || this.stage !== "playing") return null;
    return turn.moves.map((text, i) => {
      const move = turn.texts.objects[i]!;
      return { from: move.from, to: move.to, text, kind: kindOf(move) };
    });
  });
  readonly isOver = $derived(this.stage === "finished" || this.stage === "closed");

  playerOf(seat: SeatName): Player | null {
    return this.players.find((player) => player.seat === seat) ?? null;
  }

  /** Takes the seat that the arena has given. */
  sit(taken: TakenSeat): void {
    if (this.game) memory.keepSeat({ ...taken, game: this.game });
    this.#settle();
  }

  close(): void {
    this.#isClosed = true;
    for (const change of ["online", "pageshow"]) removeEventListener(change, this.#reopen);
    document.removeEventListener("visibilitychange", this.#reopen);
    this.#socket?.close();
    clearTimeout(this.#timer);
  }

  // ---- What is told by the server.

  /** Reads what has happened at once, then follows. */
  async #begin(): Promise<void> {
    try {
      const { events } = await get<{ events: TableEvent[] }>(`/tables/${this.id}/events`);
      this.#takeAll(events);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return this.#readGame();
    }
    if (!this.#isClosed) this.#open();
  }

  /** The network may have gone meanwhile, without a word. */
  #reopen = (): void => {
    const isIdle = document.hidden || this.#isClosed || this.stage === "closed";
    if (!isIdle && this.game) this.#open();
  };

  #open(): void {
    this.#socket?.close();
    const url = new URL(`api/v2/tables/${this.id}/socket?after=${this.#events}`, document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    // Not an event stream: browsers open only six of these to a server, of all tabs together.
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => {
      this.trouble = "";
      this.#settle();  // the clock may have changed meanwhile
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      this.error = "";
      this.#takeAll([JSON.parse(data) as TableEvent]);
    };
    socket.onclose = () => {
      if (this.#isClosed || this.#socket !== socket || this.stage === "closed") return;
      if (!this.isOver) this.trouble = "The connection is lost. Trying again…";
      void this.#find();
    };
  }

  /** The table has no stream any more: it may be an old one, or the server is busy. */
  async #find(): Promise<void> {
    try {
      await get(`/tables/${this.id}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        return this.isOver ? undefined : this.#readGame();
      }
      this.trouble = `${error instanceof Error ? error.message : String(error)} Trying again…`;
    }
    await pause(RETRY_MS);
    if (!this.#isClosed) this.#open();
  }

  async #readGame(): Promise<void> {
    try {
      const { events } = await get<{ events: TableEvent[] }>(`/games/${this.id}`);
      this.#takeAll(events);
      this.trouble = "";
    } catch (error) {
      this.trouble = error instanceof ApiError && error.status === 404
        ? "There is no such table. Tables without a result are not kept."
        : error instanceof Error ? error.message : String(error);
    }
  }

  #takeAll(events: TableEvent[]): void {
    for (const event of events) {
      if (event.n === this.#events) this.#take(event);
    }
    this.steps = [...this.#steps];
    this.chat = [...this.#chat];
    const out = new Set(this.#steps.at(-1)?.after.out);
    this.players = [...this.#seats.values()]
      .map((player) => ({ ...player, in: !out.has(player.seat) }));
    if (this.isOver) this.deadline = null;
    else this.#settle();
  }

  #take(event: TableEvent): void {
    ++this.#events;
    const time = Date.parse(event.time);
    switch (event.kind) {
      case "opened":
        this.game = event.game!;
        this.isRated = event.rated!;
        this.isPrivate = event.private!;
        this.moveSeconds = event.move_seconds!;
        this.#fillSeconds = event.fill_seconds!;
        this.start = this.#positionOf(event);
        break;
      case "joined":
      case "replaced":
        this.#seat(event);
        break;
      case "left":
        this.#seats.delete(event.seat!);
        break;
      case "moved":
        this.#addStep(event, time, { move: event.move!, fallback: event.forced !== null });
        if (event.message) this.#say(event);
        this.#noteForced(event);
        break;
      case "resigned":
        this.#addStep(event, time, { event: "resigns" });
        break;
      case "forfeited":
        this.#addStep(event, time, { event: `forfeits (${words(event.why ?? "")})` });
        break;
      case "claimed_draw":
        this.#addStep(event, time, { event: "claims a draw" });
        break;
      case "said":
        this.#say(event);
        // The turn is the same.
        if (this.turn?.events === event.n) this.turn = { ...this.turn, events: event.n + 1 };
        break;
      case "wants_rematch":
        this.wantsRematch = [...this.wantsRematch, event.seat!];
        void this.#findRematch();
        break;
      case "closed":
        this.stage = "closed";
        this.why = event.why ?? "";
        break;
      default:
        break;
    }
    this.#lastTime = time;
    if (event.result) {
      this.result = event.result;
      this.stage = "finished";
      void this.#findRecord();
    }
  }

  /** A rematch is shown to others than its players as soon as it has begun. */
  async #findRematch(): Promise<void> {
    if (this.#isAskingForRematch) return;
    this.#isAskingForRematch = true;
    const tries = 1000 * Math.max(this.#fillSeconds, REMATCH_SECONDS) / REMATCH_MS + 1;
    for (let i = 0; i < tries && !this.rematchTable && !this.#isClosed; ++i) {
      try {
        this.rematchTable = (await get<{ rematch: string | null }>(`/tables/${this.id}`)).rematch;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return;
      }
      if (!this.rematchTable) await pause(REMATCH_MS);
    }
    this.#isAskingForRematch = false;
  }

  /** The game is recorded a moment after its end. */
  async #findRecord(): Promise<void> {
    for (let i = 0; i < TRIES && !this.recorded && !this.#isClosed; ++i) {
      try {
        const { games } = await get<{ games: FinishedGame[] }>(`/games?table=${this.id}`);
        this.recorded = games[0] ?? null;
      } catch {
        // Asked again.
      }
      if (!this.recorded) await pause(RETRY_MS);
    }
  }

  #noteForced({ seat, forced, move }: TableEvent): void {
    if (seat !== this.own?.seat) return;
    this.notice = forced === "timeout" ? `Your time ran out: the arena played ${move} for you.`
      : forced ? `After three illegal moves, the arena played ${move} for you.` : "";
  }

  #positionOf(event: TableEvent): SentPosition {
    return { ...event.board!, text: event.position! };
  }

  #seat(event: TableEvent): void {
    this.#seats.set(event.seat!, {
      seat: event.seat!, name: event.name!, type: event.type!, model: event.model!,
      claimed: event.claimed!, house_bot: event.house_bot!, replaced: event.kind === "replaced",
      in: true,
    });
    if (this.stage === "waiting" && this.#seats.size === SEATS[this.game!].length) {
      this.stage = "playing";
    }
  }

  #addStep(event: TableEvent, time: number, what: { move?: string; event?: string;
    fallback?: boolean }): void {
    const last = this.#steps.at(-1);
    this.#steps.push({
      round: this.#roundOf(last?.after ?? this.start!), ply: event.ply ?? (last ? last.ply + 1 : 0),
      seat: capitalized(event.seat!), clock_ms: Math.max(time - this.#lastTime, 0),
      after: this.#positionOf(event), cells: event.cells ?? [], ...what,
    });
    this.deadline = performance.now() + 1000 * this.moveSeconds;
  }
  #roundOf(position: SentPosition): number {
    const fields = position.text.split(" ");
    return Number(this.game === "tri-d" ? fields[6] : fields.at(-1)) || 1;
  }
  #say(event: TableEvent): void {
    const player = this.#seats.get(event.seat!);
    this.#chat.push({
      n: event.n, seat: event.seat!, name: player?.name ?? "", text: event.message!,
      round: this.#steps.at(-1)?.round ?? this.#roundOf(this.start!),
    });
  }

  /** Asks for what only the player or the clock of the server knows. */
  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { void this.#readTurn(); }, SETTLE_MS);
  }
  async #readTurn(): Promise<void> {
    if (this.#isClosed || this.isOver) return;
    const { own } = this;
    try {
      const now = own ? await getTurn(own.token)
        : await get<{ seconds_left: number | null; events: number }>(`/tables/${this.id}`);
      // An answer from before the last event is followed by a later one.
      if (now.events < this.#events) return;
      if (own) this.turn = now as Turn;
      this.deadline = now.seconds_left === null ? null
        : performance.now() + 1000 * now.seconds_left;
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 401 || status === 410) this.#loseSeat(status === 410);
      else if (status !== 404) this.#timer = setTimeout(() => { void this.#readTurn(); }, RETRY_MS);
    }
  }
  #loseSeat(isTaken: boolean): void {
    if (isTaken) this.error = "You have lost the seat: your time ran out too often.";
    memory.forgetSeat(this.id);
    this.turn = null;
  }

  // ---- What the player does.

  /** Plays a move. The ply makes it safe to send it again. */
  async move(text: string): Promise<void> {
    if (this.turn) await this.#send("/move", { move: text, ply: this.turn.ply });
  }
  /** Writes to the chat; returns whether it is there. */
  async say(message: string): Promise<boolean> {
    if (!this.own || this.isSaying) return false;
    this.isSaying = true;
    const isSaid = await this.#persist(async (token) => { await post("/say", token, { message }); });
    this.isSaying = false;
    return isSaid;
  }
  resign(): Promise<boolean> { return this.#send("/resign"); }
  claim(): Promise<boolean> { return this.#send("/claim"); }
  fill(): Promise<boolean> { return this.#send("/fill"); }

  /** Leaves the table; refused if the game has begun meanwhile. */
  async leave(): Promise<void> {
    if (!await this.#send("/leave")) return;
    memory.forgetSeat(this.id);
    this.turn = null;
  }

  /** Returns the id of the table of the rematch; null if it failed. */
  async rematch(): Promise<string | null> {
    let table: string | null = null;
    await this.#try(async (token) => {
      const taken = await post<TakenSeat>("/rematch", token);
      memory.keepSeat({ ...taken, game: this.game! });
      table = taken.table;
    });
    return table;
  }

  #send(path: string, body: object = {}): Promise<boolean> {
    return this.#try(async (token) => { await post(path, token, body); });
  }
  async #try(send: (token: string) => Promise<void>): Promise<boolean> {
    if (!this.own || this.isSending) return false;
    this.isSending = true;
    const isDone = await this.#persist(send);
    this.isSending = false;
    this.#settle();
    return isDone;
  }
  /** Tries again if the answer was lost or the arena is busy. */
  async #persist(send: (token: string) => Promise<void>): Promise<boolean> {
    this.error = "";
    for (let left = TRIES; ; --left) {
      try {
        await send(this.own!.token);
        return true;
      } catch (error) {
        const status = error instanceof ApiError ? error.status : -1;
        if (![0, 429, 503].includes(status) || left === 1) {
          this.error = error instanceof Error ? error.message : String(error);
          return false;
        }
        await pause(RETRY_MS / 2);
      }
    }
  }
}
