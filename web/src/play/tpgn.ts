// Writes the game of the analysis as TPGN (docs/tpgn.md).
import { capitalized, SEATS } from "../board/position";
import type { GameName } from "../lib/api";
import type { Player, Ply, Session } from "./session.svelte";

const VARIANTS: Readonly<Record<GameName, string>> = {
  "triumvirate": "Triumvirate", "three-way": "Three-Way", "tri-d": "Tri-D",
};
const WIDTH = 100;

function nameOf({ kind, nodes }: Player): string {
  return kind === "person" ? "Person" : kind === "random" || kind === "greedy" || kind === "smart"
    ? kind : `${kind}:nodes=${nodes}`;
}

function resultOf({ state }: Session): string {
  const places = state.outcome?.places;
  if (!places) return "*";
  const winners = places.filter((place) => place === 1).length;
  return places.map((place) => (place !== 1 ? "0" : winners === 1 ? "1" : `1/${winners}`)).join("-");
}

const moveText = (game: GameName, { move }: Ply): string =>
  (game === "tri-d" ? move!.text : move!.inForm("tpgn"));

/** Returns the words of the moves: numbers, slots and comments. */
function wordsOf({ game, plies, firstRound }: Session): string[] {
  const seats = SEATS[game];
  const words: string[] = [];
  let round = firstRound - 1;
  /** The slot of the last move; the one after the last begins a new round. */
  let slot: number = seats.length;
  let isCut = true;
  for (const ply of plies) {
    if (!ply.move) {
      words.push(`{${capitalized(seats[ply.seat]!)} resigns}`);
      isCut = true;
      continue;
    }
    const isShared = ply.seat === slot && game === "tri-d";
    if (!isShared) {
      if (ply.seat <= slot) {
        // The rest of the last round was skipped.
        if (seats.length === 3 && round >= firstRound) {
          for (let i = slot + 1; i < 3; ++i) words.push("--");
        }
        ++round;
        if (seats.length === 3) {
          words.push(`${round}.`);
          for (let i = 0; i < ply.seat; ++i) words.push("--");
        } else {
          words.push(ply.seat === 0 ? `${round}.` : `${round}...`);
        }
      } else if (seats.length === 3) {
        for (let i = slot + 1; i < ply.seat; ++i) words.push("--");
      } else if (isCut) {
        words.push(`${round}...`);
      }
    }
    words.push(moveText(game, ply));
    slot = ply.seat;
    isCut = false;
  }
  return words;
}

export function tpgnOf(session: Session): string {
  const { game, position, players } = session;
  const result = resultOf(session);
  const tags: [string, string][] = [
    ["Event", "Analysis"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "1.1"],
    ...SEATS[game].map((seat, i): [string, string] => [capitalized(seat), nameOf(players[i]!)]),
    ["Result", result], ["Variant", VARIANTS[game]],
  ];
  if (position) tags.push(["SetUp", "1"], ["FEN", session.startText]);
  const lines = [];
  let line = "";
  for (const word of [...wordsOf(session), result]) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    line += (line === "" ? "" : " ") + word;
  }
  lines.push(line);
  const quoted = (text: string) => text.replace(/[\\"]/g, "\\$&");
  return `${tags.map(([tag, value]) => `[${tag} "${quoted(value)}"]\n`).join("")}\n` +
    `${lines.join("\n")}\n`;
}
