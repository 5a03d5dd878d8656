// Where the boards of Tri-D are on the page: in a plan, with all boards flat beside each other, or
// obliquely from a player's side as in the program's picture.

import type { CellData, Geometry, Layout, LayoutOptions, Point, Spot } from "./geometry";
import { enclose, middle } from "./geometry";
import { firstRank } from "./position";

export const START_PINS: readonly string[] = ["QL1", "KL1", "QL6", "KL6"];
export const ATTACK_BOARDS: readonly string[] = ["WQL", "WKL", "BQL", "BKL"];
const PINS = [1, 2, 3, 4, 5, 6].flatMap((n) => [`QL${n}`, `KL${n}`]);
const FILES = "zabcde";

/** A pin as the picture shows it; `level`, `isRight` and `isBack` are seen from the lower edge. */
interface PinPlace { level: number; isRight: boolean; isBack: boolean; rank: number }

/** Turns the boards by half a turn if Black is at the lower edge. */
class Side {
  constructor(readonly isBlack: boolean) {}
  level(level: number): number { return this.isBlack ? 2 - level : level; }
  /** The lower left corner of a cell, or of a square of `size` cells. */
  file(file: number, size = 1): number { return this.isBlack ? 6 - file - size : file; }
  rank(rank: number, size = 1): number { return this.isBlack ? 10 - rank - size : rank; }
  pin(pin: string): PinPlace {
    const number = Number(pin.charAt(2));
    return {
      level: this.level(Math.floor((number - 1) / 2)),
      isRight: pin.startsWith("K") !== this.isBlack,
      isBack: (number % 2 === 0) !== this.isBlack,
      rank: this.rank(firstRank(pin), 2),
    };
  }
}

/** Places points given in files and ranks, as seen from the lower edge. */
interface Placing {
  onMain(level: number, file: number, rank: number): Point;
  /** `file` and `rank` from the lower left corner of the board: 0 to 2. */
  onPin(pin: PinPlace, file: number, rank: number): Point;
  tag(pin: PinPlace): Point;
  levelName(level: number): Point;
  cellLabel: Point;  // from the lower left corner
  shift: Point;      // of pieces, from the middle of their cell
  pieceScale: number;
  tagSize: Point;
}

const CELL = 60;
const GAP = 0.3 * CELL;

/** The levels side by side, as in the terminal. */
function placeWide(): Placing {
  const pitch = 6.5 * CELL;
  const onPin = (pin: PinPlace, file: number, rank: number): Point => ({
    x: pin.level * pitch + (file + (pin.isRight ? 4 : 0)) * CELL,
    y: pin.isBack ? -4 * CELL - GAP - rank * CELL : 2 * CELL + GAP - rank * CELL,
  });
  return {
    onMain: (level, file, rank) => ({
      x: level * pitch + file * CELL, y: -(rank - 1 - 2 * level) * CELL,
    }),
    onPin,
    tag: (pin) => {
      const { x, y } = onPin(pin, 1, pin.isBack ? 2 : 0);
      return { x, y: y + (pin.isBack ? -17 : 17) };
    },
    levelName: (level) => ({ x: level * pitch + 3 * CELL, y: GAP + 0.7 * CELL }),
    cellLabel: { x: 11, y: -7 }, shift: { x: 5, y: -3 }, pieceScale: 1.2,
    tagSize: { x: 112, y: 26 },
  };
}

/** The levels one above another, with their attack boards at their sides. */
function placeTall(): Placing {
  const pitch = 5.4 * CELL;
  const onPin = (pin: PinPlace, file: number, rank: number): Point => ({
    x: file * CELL + (pin.isRight ? 6 * CELL + 2 * GAP : 0),
    y: -pin.level * pitch + (pin.isBack ? -2.5 * CELL : 0.5 * CELL) - rank * CELL,
  });
  return {
    onMain: (level, file, rank) => ({
      x: (file + 1) * CELL + GAP, y: -level * pitch - (rank - 1 - 2 * level) * CELL,
    }),
    onPin,
    tag: (pin) => {
      const { x, y } = onPin(pin, 1, pin.isBack ? 0 : 2);
      return { x, y: y + (pin.isBack ? 14.5 : -14.5) };
    },
    levelName: (level) => ({ x: 4 * CELL + GAP, y: -level * pitch + 17 }),
    cellLabel: { x: 11, y: -7 }, shift: { x: 5, y: -3 }, pieceScale: 1.2,
    tagSize: { x: 112, y: 25 },
  };
}

// As in core/tri_d/svg_picture.cc.
const FILE_WIDTH = 58;
const RANK_STEP: Point = { x: 24, y: -42 };
const LEVEL_HEIGHT = 196;
const ATTACK_HEIGHT = 26;
const ASIDE = 1.5;

function placeOblique(): Placing {
  const on = (file: number, rank: number, level: number, above: number): Point => ({
    x: FILE_WIDTH * file + RANK_STEP.x * rank,
    y: RANK_STEP.y * rank - LEVEL_HEIGHT * level - above,
  });
  const onPin = (pin: PinPlace, file: number, rank: number): Point =>
    on(file + (pin.isRight ? 4 + ASIDE : -ASIDE), rank + pin.rank, pin.level, ATTACK_HEIGHT);
  return {
    onMain: (level, file, rank) => on(file, rank, level, 0),
    onPin,
    tag: (pin) => {
      const { x, y } = onPin(pin, 1, -0.42);
      return { x: x + 10, y };
    },
    levelName: (level) => {
      const { x, y } = on(3, 1 + 2 * level - 0.6, level, 0);
      return { x, y: y - 3 };
    },
    cellLabel: { x: 16, y: -7 }, shift: { x: 3, y: -3 }, pieceScale: 1, tagSize: { x: 112, y: 24 },
  };
}

const CORNERS: readonly [number, number][] = [[0, 0], [1, 0], [1, 1], [0, 1]];

function cellSpot(name: string, isAttack: boolean, isDark: boolean, polygon: Point[],
                  placing: Placing): Spot {
  const center = middle(polygon);
  const corner = polygon[0]!;
  return {
    name, kind: "cell", polygon, center,
    place: { x: center.x + placing.shift.x, y: center.y + placing.shift.y },
    tone: `${isAttack ? "a" : ""}${isDark ? "dark" : "light"}`,
    text: {
      at: { x: corner.x + placing.cellLabel.x, y: corner.y + placing.cellLabel.y },
      text: name.slice(0, 2),
    },
  };
}

function mainSpot(cell: CellData, side: Side, placing: Placing): Spot {
  const level = side.level(cell.board ?? 0);
  const file = side.file(cell.file ?? 0);
  const rank = side.rank(cell.rank ?? 0);
  const polygon = CORNERS.map(([dx, dy]) => placing.onMain(level, file + dx, rank + dy));
  return cellSpot(cell.name, false, cell.color === 1, polygon, placing);
}

/** Returns the cells of the attack board on a pin, in the order of their numbers. */
function attackSpots(pin: string, side: Side, placing: Placing): Spot[] {
  const at = side.pin(pin);
  const fileZero = pin.startsWith("Q") ? 0 : 4;
  return [[0, 0], [1, 0], [0, 1], [1, 1]].map(([file = 0, rank = 0]) => {
    const [x, y] = side.isBlack ? [1 - file, 1 - rank] : [file, rank];
    const polygon = CORNERS.map(([dx, dy]) => placing.onPin(at, x + dx, y + dy));
    const ranked = firstRank(pin) + rank;
    const isDark = (fileZero + file + ranked) % 2 === 0;
    const name = `${FILES.charAt(fileZero + file)}${ranked}${pin}`;
    return cellSpot(name, true, isDark, polygon, placing);
  });
}

function pinSpot(pin: string, pins: readonly string[], side: Side, placing: Placing): Spot {
  const at = side.pin(pin);
  const board = pins.indexOf(pin);
  if (board < 0) {
    const polygon = ([[0, 0], [2, 0], [2, 2], [0, 2]] as const)
      .map(([x, y]) => placing.onPin(at, x, y));
    const center = middle(polygon);
    return {
      name: pin, kind: "free", polygon, center, place: { x: center.x, y: center.y - 20 },
      tone: "free", text: { at: { x: center.x, y: center.y + 5 }, text: pin },
    };
  }
  const center = placing.tag(at);
  const { x, y } = placing.tagSize;
  const polygon = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([dx = 0, dy = 0]) =>
    ({ x: center.x + dx * x / 2, y: center.y + dy * y / 2 }));
  return {
    name: pin, kind: "board", polygon, center, place: center, tone: "tag",
    text: { at: { x: center.x, y: center.y + 5.5 }, text: `${ATTACK_BOARDS[board]} on ${pin}` },
  };
}

/** Returns the post from the corner of a main board to the board on a pin. */
function post(pin: string, side: Side, placing: Placing): Layout["lines"][number] {
  const at = side.pin(pin);
  const file = at.isRight ? 4.5 : 1.5;
  const rank = at.rank + (at.isBack ? 0.5 : 1.5);
  const from = placing.onMain(at.level, file, rank);
  const to = placing.onPin(at, at.isRight ? 0.5 : 1.5, at.isBack ? 0.5 : 1.5);
  return { kind: "post", path: `M${from.x},${from.y}L${to.x},${to.y}` };
}

export function layOutTriD(geometry: Geometry, options: LayoutOptions): Layout {
  const side = new Side(options.bottom === 1);
  const pins = options.pins?.length === 4 ? options.pins : START_PINS;
  const isOblique = options.view === "oblique";
  const placing = isOblique ? placeOblique() : options.isTall ? placeTall() : placeWide();
  const spots = [
    ...geometry.cells.filter((cell) => (cell.board ?? 0) < 3)
      .map((cell) => mainSpot(cell, side, placing)),
    ...pins.flatMap((pin) => attackSpots(pin, side, placing)),
    ...PINS.map((pin) => pinSpot(pin, pins, side, placing)),
  ];
  const texts = [0, 1, 2].map((level) => ({
    kind: "level" as const, at: placing.levelName(side.level(level)), text: "WNB".charAt(level),
  }));
  const box = enclose({ pieceScale: 1, spots, lines: [], texts: [], seats: [] }, 0).box;
  const center = box[0] + box[2] / 2;
  const places = isOblique
    ? [{ x: box[0] + box[2] - 110, y: box[1] + box[3] - 26 }, { x: box[0] + 110, y: box[1] + 46 }]
    : [{ x: center, y: box[1] + box[3] + 26 }, { x: center, y: box[1] - 26 }];
  return enclose({
    pieceScale: placing.pieceScale,
    spots,
    lines: isOblique ? pins.map((pin) => post(pin, side, placing)) : [],
    texts,
    seats: [0, 1].map((seat) => ({ at: places[side.isBlack ? 1 - seat : seat]!, angle: 0 })),
  }, isOblique ? 18 : 8, isOblique ? []
    : [{ x: center, y: box[1] - 40 }, { x: center, y: box[1] + box[3] + 40 }]);
}
