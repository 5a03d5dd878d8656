// Where the cells of the boards are on the page. The shapes are those of the program's pictures
// (core/*/svg_picture.cc).

import type { GameName } from "../lib/api";
import { layOutTriD } from "./tri_d";

export interface Point { x: number; y: number }

/** A cell as `triarch cells --json` prints it; only what the page needs. */
export interface CellData {
  cell: number;
  name: string;
  color: number;
  turned: number;
  center?: [number, number];
  corners?: [number, number][];
  /** Triumvirate and Three-Way. */
  sector?: number;
  /** Triumvirate: the sector at the other end of the cell's column. */
  facing?: number;
  third?: number;
  row?: number;
  column?: number;
  /** Tri-D: 0 to 2 are W, N and B, 3 to 6 are WQL, WKL, BQL and BKL. */
  board?: number;
  file?: number;
  rank?: number;
  [key: string]: unknown;
}
export interface Geometry { game: GameName; cells: CellData[] }

/** What a player can point at: a cell, and in Tri-D a pin with or without a board. */
export interface Spot {
  /** "E4", "a2W", or the name of a pin: "QL1". */
  name: string;
  kind: "cell" | "board" | "free";
  polygon: Point[];
  center: Point;
  /** Where a piece and the marks are drawn. */
  place: Point;
  /** The class of its color. */
  tone: string;
  text: { at: Point; text: string } | null;
}

export interface BoardText {
  kind: "label" | "level";
  at: Point;
  text: string;
}

export interface Layout {
  /** x, y, width and height. */
  box: [number, number, number, number];
  pieceScale: number;
  spots: Spot[];
  byName: Map<string, Spot>;
  lines: { kind: "front" | "rim" | "post"; path: string }[];
  texts: BoardText[];
  /** Where the names of the seats are, by seat. */
  seats: { at: Point; angle: number }[];
}

/** "space" is drawn by Scene.svelte; its places are those of the plan. */
export type View = "plan" | "oblique" | "space";
export interface LayoutOptions {
  /** The seat at the lower edge. */
  bottom: number;
  /** Tri-D. */
  view?: View;
  /** Tri-D: where the attack boards are; the default is their start. */
  pins?: readonly string[];
  /** Tri-D: whether the plan has its levels one above another instead of side by side. */
  isTall?: boolean;
}

export const add = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
export const subtract = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
export const times = (factor: number, a: Point): Point => ({ x: factor * a.x, y: factor * a.y });
const dot = (a: Point, b: Point): number => a.x * b.x + a.y * b.y;
const unit = (a: Point): Point => times(1 / Math.hypot(a.x, a.y), a);
const point = ([x, y]: [number, number]): Point => ({ x, y });

export function middle(points: readonly Point[]): Point {
  return times(1 / points.length, points.reduce(add, { x: 0, y: 0 }));
}

export const numbers = (a: Point): string => `${a.x.toFixed(2)},${a.y.toFixed(2)}`;
export const pointsText = (points: readonly Point[]): string => points.map(numbers).join(" ");

/** Returns a layout whose box surrounds all spots and the given points. */
export function enclose(layout: Omit<Layout, "box" | "byName">, margin: number,
                        others: readonly Point[] = []): Layout {
  const points = [...layout.spots.flatMap((spot) => spot.polygon), ...others];
  const x = Math.min(...points.map((p) => p.x)) - margin;
  const y = Math.min(...points.map((p) => p.y)) - margin;
  const width = Math.max(...points.map((p) => p.x)) + margin - x;
  const height = Math.max(...points.map((p) => p.y)) + margin - y;
  const byName = new Map(layout.spots.map((spot) => [spot.name, spot]));
  return { ...layout, box: [x, y, width, height], byName };
}

/** Returns the function that turns a board of three seats, and scales it. */
function turning(geometry: Geometry, bottom: number,
                 scale: number): (at: [number, number]) => Point {
  const centers = geometry.cells.map((cell) => point(cell.center ?? [0, 0]));
  const center = middle(centers);
  const first = subtract(centers[0]!, center);
  const next = subtract(centers[geometry.cells[0]!.turned]!, center);
  const step = Math.atan2(next.y, next.x) - Math.atan2(first.y, first.x);
  const cos = Math.cos(-step * bottom);
  const sin = Math.sin(-step * bottom);
  return (at) => {
    const { x, y } = subtract(point(at), center);
    return { x: scale * (cos * x - sin * y), y: scale * (sin * x + cos * y) };
  };
}

function spotsOf(geometry: Geometry, turn: (at: [number, number]) => Point, shift: Point,
                 toneOf: (cell: CellData) => string, isNamed: boolean): Spot[] {
  return geometry.cells.map((cell) => {
    const center = turn(cell.center ?? [0, 0]);
    return {
      name: cell.name,
      kind: "cell",
      center,
      place: add(center, shift),
      polygon: (cell.corners ?? []).map(turn),
      tone: toneOf(cell),
      text: isNamed ? { at: add(center, { x: 0, y: 29 }), text: cell.name } : null,
    };
  });
}

const RADIUS = 430;
const HEXAGON_HEIGHT = Math.sqrt(3) / 2;

/** Returns the labels at the rim: letters along the base rows, numbers along the other sides. */
function rimLabels(geometry: Geometry, spots: readonly Spot[]): BoardText[] {
  const edges = new Map<string, { from: Point; to: Point; cell: CellData; count: number }>();
  geometry.cells.forEach((cell, i) => {
    const corners = spots[i]!.polygon;
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % corners.length]!;
      const at = middle([from, to]);
      const key = `${Math.round(at.x)},${Math.round(at.y)}`;
      const edge = edges.get(key) ?? { from, to, cell, count: 0 };
      ++edge.count;
      edges.set(key, edge);
    });
  });
  return [...edges.values()].filter(({ count }) => count === 1).map(({ from, to, cell }) => {
    const at = middle([from, to]);
    const along = subtract(to, from);
    let outward = unit({ x: along.y, y: -along.x });
    if (dot(outward, at) < 0) outward = times(-1, outward);
    const isBase = dot(outward, homeOf(geometry, spots, cell.sector ?? 0)) > 0.9;
    const label = isBase ? cell.name.charAt(0) : cell.name.slice(1);
    return { kind: "label", at: add(at, times(20, outward)), text: label };
  });
}

/** Returns the direction from the center to a sector's base row. */
function homeOf(geometry: Geometry, spots: readonly Spot[], sector: number): Point {
  return unit(middle(spots.filter((_, i) =>
    geometry.cells[i]!.sector === sector && geometry.cells[i]!.row === 0).map((s) => s.center)));
}

function layOutTriumvirate(geometry: Geometry, bottom: number): Layout {
  const turn = turning(geometry, bottom, RADIUS);
  const spots = spotsOf(geometry, turn, { x: 0, y: 0 },
    (cell) => `${"wbr".charAt(cell.sector ?? 0)}${cell.color === 1 ? "d" : "l"}`, false);
  const homes = [0, 1, 2].map((sector) => homeOf(geometry, spots, sector));
  const corners = [0, 1, 2, 3, 4, 5].map((i) =>
    ({ x: RADIUS * Math.cos(i * Math.PI / 3), y: RADIUS * Math.sin(i * Math.PI / 3) }));
  const seats = homes.map((home) => {
    const angle = Math.round(Math.atan2(home.y, home.x) * 180 / Math.PI) - 90;
    return {
      at: times(RADIUS * HEXAGON_HEIGHT + 58, home),
      // So that all names read from left to right.
      angle: Math.abs((angle + 540) % 360 - 180) > 90 ? angle + 180 : angle,
    };
  });
  return enclose({
    pieceScale: 1.2,
    spots,
    lines: [
      {
        kind: "front",
        path: homes.map((home) =>
          `M0,0L${numbers(times(-RADIUS * HEXAGON_HEIGHT, home))}`).join(""),
      },
      { kind: "rim", path: `M${corners.map(numbers).join("L")}z` },
    ],
    texts: rimLabels(geometry, spots),
    seats,
  }, 12, [{ x: -450, y: -395 }, { x: 450, y: 448 }]);
}

const TONES = ["cream", "brown", "green"];

function layOutThreeWay(geometry: Geometry, bottom: number): Layout {
  const spots = spotsOf(geometry, turning(geometry, bottom, 40), { x: 0, y: -6 },
    (cell) => TONES[cell.color] ?? "cream", true);
  // The notches behind the back rows, from the lower one on.
  const places = [{ x: 0, y: 376 }, { x: 352, y: -212 }, { x: -352, y: -212 }];
  return enclose({
    pieceScale: 1.35, spots, lines: [], texts: [],
    seats: [0, 1, 2].map((seat) => ({ at: places[(seat - bottom + 3) % 3]!, angle: 0 })),
  }, 6, []);
}

export function layOut(geometry: Geometry, options: LayoutOptions): Layout {
  if (geometry.game === "tri-d") return layOutTriD(geometry, options);
  return geometry.game === "triumvirate" ? layOutTriumvirate(geometry, options.bottom)
    : layOutThreeWay(geometry, options.bottom);
}

function isInside(polygon: readonly Point[], at: Point): boolean {
  let inside = false;
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    if (a.y > at.y !== b.y > at.y && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
  });
  return inside;
}

export function spotAt(layout: Layout, at: Point): Spot | null {
  return layout.spots.find((spot) => isInside(spot.polygon, at)) ?? null;
}

export const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Returns the nearest spot in a direction, or the same one at the edge. */
export function neighbor(layout: Layout, from: Spot, direction: Point): Spot {
  let best = from;
  let least = Infinity;
  for (const spot of layout.spots) {
    const way = subtract(spot.center, from.center);
    const ahead = dot(way, direction);
    const aside = Math.abs(way.x * direction.y - way.y * direction.x);
    // Ahead, within 60 degrees to both sides.
    if (ahead < 1 || aside > 1.75 * ahead) continue;
    const cost = Math.hypot(ahead, aside) + aside;
    if (cost >= least - 0.01) continue;
    least = cost;
    best = spot;
  }
  return best;
}
