// The shapes of chess pieces in space. A piece is about one cell wide and stands at (0, 0, 0).
import { BoxGeometry, ExtrudeGeometry, LatheGeometry, Shape, SphereGeometry, Vector2,
  type BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { PieceType } from "../board/pieces";

const SEGMENTS = 28;

/** Turns an outline, given as radius and height from the bottom up, around the vertical axis. */
function turned(outline: readonly (readonly [number, number])[]): BufferGeometry {
  return new LatheGeometry(outline.map(([radius, height]) => new Vector2(radius, height)), SEGMENTS);
}
function ball(radius: number, x: number, y: number, z: number): BufferGeometry {
  return new SphereGeometry(radius, 14, 10).translate(x, y, z);
}
function box(width: number, height: number, depth: number, y: number): BufferGeometry {
  return new BoxGeometry(width, height, depth).translate(0, y, 0);
}
function around(count: number, make: (angle: number) => BufferGeometry): BufferGeometry[] {
  return Array.from({ length: count }, (_, i) => make(2 * Math.PI * i / count));
}

const FOOT = [[0, 0], [0.33, 0], [0.33, 0.06], [0.28, 0.11]] as const;

function pawn(): BufferGeometry[] {
  return [
    turned([...FOOT, [0.14, 0.24], [0.11, 0.4], [0.2, 0.43], [0.2, 0.46], [0, 0.47]]),
    ball(0.17, 0, 0.6, 0),
  ];
}
function rook(): BufferGeometry[] {
  return [
    turned([...FOOT, [0.2, 0.22], [0.18, 0.58], [0.27, 0.66], [0.27, 0.76], [0, 0.76]]),
    ...around(6, (angle) => new BoxGeometry(0.13, 0.12, 0.09)
      .translate(0, 0.81, 0.215).rotateY(angle)),
  ];
}
function bishop(): BufferGeometry[] {
  return [
    turned([...FOOT, [0.15, 0.26], [0.11, 0.52], [0.2, 0.56], [0.2, 0.6], [0.13, 0.63],
      [0.18, 0.74], [0.14, 0.86], [0.05, 0.96], [0, 0.98]]),
    ball(0.06, 0, 1, 0),
  ];
}
function queen(): BufferGeometry[] {
  return [
    turned([...FOOT, [0.17, 0.26], [0.12, 0.66], [0.22, 0.72], [0.14, 0.76], [0.25, 0.98],
      [0.2, 0.99], [0, 0.94]]),
    ball(0.08, 0, 1.02, 0),
    ...around(7, (angle) => ball(0.055, 0.22 * Math.sin(angle), 1, 0.22 * Math.cos(angle))),
  ];
}
function king(): BufferGeometry[] {
  return [
    turned([...FOOT, [0.18, 0.26], [0.13, 0.7], [0.23, 0.76], [0.15, 0.8], [0.22, 1.02],
      [0.17, 1.06], [0, 1.08]]),
    box(0.07, 0.26, 0.07, 1.2), box(0.2, 0.07, 0.07, 1.22),
  ];
}
function knight(): BufferGeometry[] {
  const outline = [[-0.2, 0.12], [-0.16, 0.34], [-0.05, 0.5], [-0.14, 0.47], [-0.24, 0.4],
    [-0.31, 0.46], [-0.22, 0.68], [-0.12, 0.8], [-0.1, 0.92], [0, 0.85], [0.14, 0.78],
    [0.22, 0.6], [0.24, 0.36], [0.22, 0.12]] as const;
  const head = new Shape(outline.map(([x, y]) => new Vector2(x, y)));
  const depth = 0.16;
  return [
    turned([...FOOT, [0.26, 0.14], [0, 0.14]]),
    new ExtrudeGeometry(head, {
      depth, bevelEnabled: true, bevelSize: 0.03, bevelThickness: 0.03, bevelSegments: 2,
    }).translate(0, 0, -depth / 2),
  ];
}

const MAKERS: Readonly<Record<PieceType, () => BufferGeometry[]>> = {
  pawn, rook, bishop, queen, king, knight,
};

export function pieceGeometry(type: PieceType): BufferGeometry {
  const parts = MAKERS[type]().map((part) => (part.index ? part.toNonIndexed() : part));
  for (const part of parts) {
    for (const name of Object.keys(part.attributes)) {
      if (name !== "position" && name !== "normal") part.deleteAttribute(name);
    }
  }
  return mergeGeometries(parts);
}
