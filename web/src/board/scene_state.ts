// What the view in space shows of a position of Tri-D.
import type { SceneCell, ScenePin, SceneState } from "../three/scene";
import type { Geometry } from "./geometry";
import type { MoveKind } from "./legal";
import { firstRank, type Position } from "./position";
import { ATTACK_BOARDS, START_PINS } from "./tri_d";

const FILES = "zabcde";
/** How far above its level an attack board is, in levels. */
const RAISED = 0.42;

/** Returns the level of a pin: "QL3" is at the second one. */
const levelOf = (pin: string): number => Math.floor((Number(pin.charAt(2)) - 1) / 2) + RAISED;

function attackCells(pin: string): SceneCell[] {
  const fileZero = pin.startsWith("Q") ? 0 : 4;
  return [[0, 0], [1, 0], [0, 1], [1, 1]].map(([right = 0, up = 0]) => {
    const file = fileZero + right;
    const rank = firstRank(pin) + up;
    return {
      name: `${FILES.charAt(file)}${rank}${pin}`, file, rank, level: levelOf(pin),
      isDark: (file + rank) % 2 === 0, isAttack: true,
    };
  });
}

export function sceneOf({ geometry, position, ...marks }: {
  geometry: Geometry;
  position: Position;
  last: readonly string[];
  targets: { name: string; kind: MoveKind }[];
  selected: string | null;
  column: readonly string[];
  cursor: string | null;
}): SceneState {
  const pins = position.pins.length === 4 ? position.pins : START_PINS;
  const main = geometry.cells.filter((cell) => (cell.board ?? 0) < 3).map((cell) => ({
    name: cell.name, file: cell.file ?? 0, rank: cell.rank ?? 0, level: cell.board ?? 0,
    isDark: cell.color === 1, isAttack: false,
  }));
  const places: ScenePin[] = [1, 2, 3, 4, 5, 6].flatMap((n) => [`QL${n}`, `KL${n}`])
    .map((name) => {
      const board = pins.indexOf(name);
      return {
        name, text: board < 0 ? "" : `${ATTACK_BOARDS[board]} on ${name}`,
        file: name.startsWith("Q") ? 0.5 : 4.5, rank: firstRank(name) + 0.5, level: levelOf(name),
      };
    });
  return {
    ...marks, cells: [...main, ...pins.flatMap(attackCells)], pins: places,
    pieces: [...position.pieces.values()].map(({ cell, type, color, owner }) => ({
      cell, type, color, isChecked: type === "king" && position.checks.includes(owner),
    })),
  };
}
