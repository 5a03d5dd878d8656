// What this browser remembers of its user at an arena: the name, the key and the seats.
import type { SeatName } from "../board/position";
import type { GameName } from "../lib/api";

export interface OwnSeat {
  table: string;
  token: string;
  seat: SeatName;
  game: GameName;
}

/** The secrets of so many tables are kept. */
const SEATS_MAX = 30;
const NAME = "triarch-name";
const KEY = "triarch-key";
const SEATS = "triarch-seats";

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";  // the browser keeps nothing
  }
}
function write(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Then it is known until the page is closed.
  }
}
function readSeats(): OwnSeat[] {
  try {
    const seats: unknown = JSON.parse(read(SEATS) || "[]");
    return Array.isArray(seats) ? seats as OwnSeat[] : [];
  } catch {
    return [];
  }
}

class Memory {
  name = $state(read(NAME));
  /** The key of the account `name`; empty for a guest. */
  key = $state(read(KEY));
  /** The latest first. */
  seats = $state.raw<OwnSeat[]>(readSeats());

  constructor() {
    // Another tab has changed something.
    addEventListener("storage", () => {
      this.name = read(NAME);
      this.key = read(KEY);
      this.seats = readSeats();
    });
  }
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
    const others = readSeats().filter((one) => one.table !== seat.table);
    this.#setSeats([seat, ...others].slice(0, SEATS_MAX));
  }
  forgetSeat(table: string): void {
    this.#setSeats(readSeats().filter((seat) => seat.table !== table));
  }
  #setSeats(seats: OwnSeat[]): void {
    this.seats = seats;
    write(SEATS, JSON.stringify(seats));
  }
}

export const memory = new Memory();
