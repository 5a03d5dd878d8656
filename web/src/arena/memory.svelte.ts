// What this browser remembers of its user at an arena: the name, the key and the seats.
import { SEATS, type SeatName } from "../board/position";
import type { GameName } from "../lib/api";

export interface OwnSeat {
  table: string;
  token: string;
  seat: SeatName;
  game: GameName;
}

/** The secrets of so many tables are kept. */
const SEATS_MAX = 200;
const NAME = "triarch-name";
const PENDING = "triarch-pending-key";
const KEY = "triarch-key";
const OWN_SEATS = "triarch-seats";

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";  // the browser keeps nothing
  }
}
/** Returns whether the browser keeps it; else it is known until the page is closed. */
function write(key: string, text: string): boolean {
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
/** Anything may be there: another program at this address, or a person, may have written it. */
function isSeat(value: unknown): value is OwnSeat {
  if (typeof value !== "object" || value === null) return false;
  const { table, token, seat, game } = value as Record<keyof OwnSeat, unknown>;
  const seats: readonly unknown[] | undefined = SEATS[game as GameName];
  return typeof table === "string" && /^[\w-]{36}$/.test(table) &&
    typeof token === "string" && /^[\w.-]+$/.test(token) && (seats?.includes(seat) ?? false);
}
function readSeats(): OwnSeat[] {
  try {
    const seats: unknown = JSON.parse(read(OWN_SEATS) || "[]");
    const valid = Array.isArray(seats) ? seats.filter(isSeat) : [];
    return valid.filter(({ table }, i) => valid.findIndex((one) => one.table === table) === i);
  } catch {
    return [];
  }
}
function readKey(): string {
  const key = read(KEY);
  return /^[0-9a-f]{64}$/.test(key) ? key : "";
}

class Memory {
  name = $state(read(NAME));
  /** The key of the account `name`; empty for a guest. */
  key = $state(readKey());
  /** The latest first. */
  seats = $state.raw<OwnSeat[]>(readSeats());

  constructor() {
    // Another tab has changed something.
    addEventListener("storage", () => {
      this.name = read(NAME);
      this.key = readKey();
      this.seats = readSeats();
    });
  }
  /** The key of a claim whose answer has not come yet. */
  get pendingKey(): string { return read(PENDING); }
  keepPending(key: string): void { write(PENDING, key); }
  setPlayer(name: string, key: string): void {
    this.name = name;
    this.key = key;
    write(NAME, name);
    write(KEY, key);
  }
  seatAt(table: string): OwnSeat | null {
    return this.seats.find((seat) => seat.table === table) ?? null;
  }
  keepSeat(seat: OwnSeat): void {
    const others = this.#known().filter((one) => one.table !== seat.table);
    this.#setSeats([seat, ...others].slice(0, SEATS_MAX));
  }
  forgetSeat(table: string): void {
    this.#setSeats(this.#known().filter((seat) => seat.table !== table));
  }
  #isKept = true;
  /** Another tab may have taken a seat a moment ago. */
  #known(): OwnSeat[] { return this.#isKept ? readSeats() : this.seats; }
  #setSeats(seats: OwnSeat[]): void {
    this.seats = seats;
    this.#isKept = write(OWN_SEATS, JSON.stringify(seats));
  }
}

export const memory = new Memory();
