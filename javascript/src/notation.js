// Converts Triumvirate to and from the notation Triumvirate v4.0 (docs/formats.md).
//
// A cell is "W3/B3.0": sector, ring, opponent, depth and flank; the six of the rosette are "C/W.B".
// Two tables are in use: "published", the printed one, and "client", which is computed. All functions
// take the table's name.

import { TriarchError, cells } from "./library.js";

export const TABLES = Object.freeze(["published", "client"]);
export const PIECES = Object.freeze({
  K: "Leader", Q: "Marshal", R: "Train", B: "Drone", N: "Noctis", P: "Private",
});
const LETTERS = Object.fromEntries(
  Object.entries(PIECES).map(([letter, name]) => [name[0], letter]));
const SEATS = "WBR";
const CELL = "(?:C/[WBR]\\.[WBR]|[WBR][0-3]/[WBR][0-3]\\.[0-3])";

const tables = new Map();

function tableOf(name) {
  if (!TABLES.includes(name)) {
    throw new TriarchError(`unknown table "${name}"; known: ${TABLES.join(", ")}`);
  }
  if (!tables.has(name)) {
    const described = cells("triumvirate").map((cell) => {
      const v4 = cell.v4[name];
      return Object.freeze({
        name: v4.name,
        cell: cell.name,
        sector: SEATS[v4.sector],
        opponent: SEATS[v4.opponent],
        ring: v4.ring,
        depth: v4.depth,
        flank: v4.flank,
        isRosette: v4.is_rosette,
        buriedLevel: v4.buried_level,
        buriedClass: v4.buried_class,
      });
    });
    tables.set(name, {
      byCell: new Map(described.map((cell) => [cell.cell, cell])),
      byName: new Map(described.map((cell) => [cell.name, cell])),
    });
  }
  return tables.get(name);
}

/** Returns the parts of the name of a cell, which may be given in either notation. */
export function describe(cell, table = "published") {
  const { byCell, byName } = tableOf(table);
  const found = byCell.get(cell) ?? byName.get(cell);
  if (found === undefined) {
    throw new TriarchError(`"${cell}" is neither a cell (B3) nor a name of the ${table} table `
      + `(${byCell.get("A1").name}, C/W.B)`);
  }
  return found;
}

/** Returns the name of a cell: toV4("A1") is "W3/B3.0". */
export const toV4 = (cell, table = "published") => describe(cell, table).name;

/** Returns the classic name of a cell. */
export function fromV4(name, table = "published") {
  const found = tableOf(table).byName.get(name);
  if (found !== undefined) return found.cell;
  const other = TABLES.find((known) => known !== table);
  const hint = tableOf(other).byName.get(name);
  throw new TriarchError(`"${name}" is not a cell of the ${table} table`
    + (hint === undefined ? "" : ` (in the ${other} table it is ${hint.cell})`)
    + `; expected a name such as ${toV4("A1", table)} or C/W.B`);
}

const select = (table, has) =>
  [...tableOf(table).byCell.values()].filter(has).map((cell) => cell.cell);

/** Returns the cells on a ring. The rosette counts as ring 0. */
export const ring = (number, table = "published") =>
  select(table, (cell) => cell.ring === number);
/** Returns the cells of a sector: "W", "B" or "R". */
export const sector = (letter, table = "published") =>
  select(table, (cell) => cell.sector === letter);
/** Returns the buried level of a cell, 0 to 6: ring plus depth. */
export const buriedLevel = (cell, table = "published") => describe(cell, table).buriedLevel;

/** Returns the name of a piece by its letter: pieceToV4("K") is "Leader". */
export function pieceToV4(piece) {
  if (!Object.hasOwn(PIECES, piece)) {
    throw new TriarchError(`unknown piece "${piece}"; expected one of `
      + Object.keys(PIECES).join(", "));
  }
  return PIECES[piece];
}

/** Returns the letter of a piece by its name or the name's first letter. */
export function pieceFromV4(name) {
  const letter = LETTERS[name.slice(0, 1).toUpperCase()];
  if (letter === undefined || ![PIECES[letter], PIECES[letter][0]].includes(name)) {
    throw new TriarchError(`unknown piece "${name}"; expected one of `
      + Object.values(PIECES).join(", "));
  }
  return letter;
}

/** Converts a move in any of the game's forms: "E2-E4", "E4xD5", "A7-A8=Q", "O-O". */
export const moveToV4 = (move, table = "published") => String(move)
  .replace(/(?<![A-Za-z0-9/.])([A-L](?:1[0-2]|[1-9]))(?![0-9/.])/g, (cell) => toV4(cell, table))
  .replace(/=([A-Z])/g, (_, piece) => `=${pieceToV4(piece)[0]}`);

/** The inverse of moveToV4. */
export function moveFromV4(move, table = "published") {
  const text = String(move)
    .replace(/=([A-Z])/g, (_, piece) => `=${pieceFromV4(piece)}`)
    .replace(new RegExp(CELL, "g"), (name) => fromV4(name, table));
  if (text.includes("/")) {
    throw new TriarchError(`"${move}" contains a name that is not a cell of the ${table} table`);
  }
  return text;
}

function convertPosition(text, form, piece, cell, example) {
  const parts = text.split(" ");
  if (parts.length !== 7) {
    throw new TriarchError(`${parts.length} fields; expected the 7 of 3PF`, null, 1);
  }
  parts[0] = parts[0].split(",").map((word, i) => {
    const found = form.exec(word);
    if (found === null) {
      throw new TriarchError(`piece ${i + 1}, "${word}": expected a piece such as ${example}`,
        null, 1);
    }
    const [, colour, letter, owner, where, target] = found;
    return colour + piece(letter) + owner + cell(where) + target;
  }).join(",");
  if (parts[3] !== "-") parts[3] = cell(parts[3]);
  return parts.join(" ");
}

/** Converts a 3PF text: its pieces ("wKE1" becomes "wLW3/R3.3") and its en passant cell. */
export const positionToV4 = (text, table = "published") => convertPosition(
  String(text), /^([wbr])([KQRBNP])((?:>[wbr])?)([A-L]\d+)((?:\^[wbr])?)$/,
  (letter) => PIECES[letter][0], (cell) => toV4(cell, table), "wKE1");

/** The inverse of positionToV4. */
export const positionFromV4 = (text, table = "published") => convertPosition(
  String(text), new RegExp(`^([wbr])([LMTDNP])((?:>[wbr])?)(${CELL})((?:\\^[wbr])?)$`),
  (letter) => LETTERS[letter], (name) => fromV4(name, table), "wTW3/B3.0");
