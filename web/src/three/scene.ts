// The seven boards of Tri-D in space, drawn by three.js. This is a script of its own, which the
// page loads only where it shows this view (board/load_scene.ts).
import { AmbientLight, BoxGeometry, CanvasTexture, CylinderGeometry, DirectionalLight, DoubleSide,
  EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, PerspectiveCamera, PlaneGeometry, Raycaster, RingGeometry, Scene, Sprite,
  SpriteMaterial, Vector2, Vector3, WebGLRenderer, type BufferGeometry, type Material,
  type Object3D } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { MoveKind } from "../board/legal";
import type { PieceType } from "../board/pieces";
import type { SeatName } from "../board/position";
import { pieceGeometry } from "./pieces";

export interface SceneCell {
  name: string;
  /** Files from z (0) to e (5), ranks from 0 to 9, levels from 0 to 2 with attack boards between. */
  file: number;
  rank: number;
  level: number;
  isDark: boolean;
  isAttack: boolean;
}
export interface ScenePiece { cell: string; type: PieceType; color: SeatName; isChecked: boolean }
export interface ScenePin {
  name: string;
  /** Empty for a pin without a board. */
  text: string;
  file: number;
  rank: number;
  level: number;
}
export interface SceneState {
  cells: SceneCell[];
  pieces: ScenePiece[];
  pins: ScenePin[];
  last: readonly string[];
  targets: { name: string; kind: MoveKind }[];
  /** The selected cell, or the pin of the selected board. */
  selected: string | null;
  /** The cells above and below the selected piece. */
  column: readonly string[];
  cursor: string | null;
}

const HEIGHT = 3.1;    // between two levels
const TILE = 0.1;      // how thick a cell is
const COLORS = {
  light: 0xf3e7cd, dark: 0xb98f58, attackLight: 0xe2e9e6, attackDark: 0x7f9c98, last: 0xf0c64a,
  selected: 0x4f8fe8, column: 0x9cc3f5, mark: 0x1e63c4, cursor: 0x1e63c4, check: 0xd0342c,
  post: 0x8a7f6d, white: 0xfffaf0, black: 0x33302d, red: 0xc3262b, gray: 0x83888f,
} as const;

/** Disposes of what a part of the scene has on the graphics card. */
function dispose(part: Object3D): void {
  part.traverse((object) => {
    const { geometry, material } = object as Partial<Mesh>;
    (geometry as BufferGeometry | undefined)?.dispose();
    for (const one of [material ?? []].flat() as Material[]) {
      (one as SpriteMaterial).map?.dispose();
      one.dispose();
    }
  });
}

export class BoardScene {
  /** The scenes by their elements, for tests. */
  static readonly of = new WeakMap<Element, BoardScene>();

  /** The place that was clicked. */
  onchoose: (name: string) => void = () => {};

  #renderer: WebGLRenderer;
  #scene = new Scene();
  #camera = new PerspectiveCamera(38, 1, 0.1, 100);
  #controls: OrbitControls;
  #parts = new Group();
  #shapes = new Map<PieceType, BufferGeometry>();
  #frame = 0;
  #observer: ResizeObserver;
  #press: { x: number; y: number } | null = null;
  #ink: string;

  /** Throws if the browser has no WebGL. `seat` is at the front. */
  constructor(readonly element: HTMLElement, seat: number, ink: string) {
    this.#ink = ink;
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    element.append(this.#renderer.domElement);
    BoardScene.of.set(element, this);
    const key = new DirectionalLight(0xffffff, 1.5);
    key.position.set(4, 12, 8);
    const fill = new DirectionalLight(0xffffff, 0.7);
    fill.position.set(-6, 5, -8);
    this.#scene.add(new AmbientLight(0xffffff, 1.1), key, fill, this.#parts);
    this.#controls = new OrbitControls(this.#camera, this.#renderer.domElement);
    this.#controls.enablePan = false;
    this.#controls.minDistance = 8;
    this.#controls.maxDistance = 40;
    this.#controls.maxPolarAngle = 0.92 * Math.PI / 2;
    this.#controls.addEventListener("change", () => this.#draw());
    this.face(seat);
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(element);
    const { domElement } = this.#renderer;
    domElement.addEventListener("pointerdown", this.#down);
    domElement.addEventListener("pointerup", this.#up);
  }

  /** Looks from a seat's side. */
  face(seat: number): void {
    this.#controls.target.set(0, 1.12 * HEIGHT, 0);
    const side = seat === 1 ? -1 : 1;
    this.#camera.position.set(side * 6.4, HEIGHT + 9.2, side * 15);
    this.#controls.update();
  }

  /** Turns the boards by angles: to the right, and upwards. */
  turn(right: number, up: number): void {
    const from = this.#camera.position.clone().sub(this.#controls.target);
    const axis = new Vector3(-from.z, 0, from.x).normalize();
    const polar = from.angleTo(new Vector3(0, 1, 0));
    const wanted = Math.min(Math.max(polar - up, 0.15), this.#controls.maxPolarAngle);
    from.applyAxisAngle(axis, wanted - polar);
    from.applyAxisAngle(new Vector3(0, 1, 0), -right);
    this.#camera.position.copy(this.#controls.target).add(from);
    this.#controls.update();
    this.#draw();
  }

  update(state: SceneState): void {
    dispose(this.#parts);
    this.#shapes.clear();
    this.#parts.clear();
    const places = new Map<string, Vector3>();
    for (const cell of state.cells) {
      const at = this.#place(cell.file, cell.rank, cell.level);
      places.set(cell.name, at);
      this.#addCell(cell, at, state);
    }
    for (const pin of state.pins) {
      const at = this.#place(pin.file, pin.rank, pin.level);
      places.set(pin.name, at);
      this.#addPin(pin, at, state);
    }
    for (const piece of state.pieces) {
      const at = places.get(piece.cell);
      if (at) this.#addPiece(piece, at, piece.cell === state.selected);
    }
    for (const target of state.targets) {
      const at = places.get(target.name);
      if (at) this.#addMark(target.name, target.kind, at);
    }
    const cursor = places.get(state.cursor ?? "");
    if (cursor) this.#addCursor(cursor);
    this.#addColumn(state.column.map((name) => places.get(name)).filter((at) => at !== undefined));
    this.#addLevelNames();
    this.#draw();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer.disconnect();
    this.#controls.dispose();
    dispose(this.#parts);
    this.#renderer.dispose();
    this.#renderer.domElement.remove();
  }

  #place(file: number, rank: number, level: number): Vector3 {
    return new Vector3(file - 2.5, level * HEIGHT, 4.5 - rank);
  }

  #add(geometry: BufferGeometry, material: Material, at: Vector3, name = ""): Mesh {
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(at);
    mesh.userData.name = name;
    this.#parts.add(mesh);
    return mesh;
  }

  #addCell(cell: SceneCell, at: Vector3, state: SceneState): void {
    const { name } = cell;
    const plain = cell.isAttack
      ? cell.isDark ? COLORS.attackDark : COLORS.attackLight
      : cell.isDark ? COLORS.dark : COLORS.light;
    const color = name === state.selected ? COLORS.selected
      : state.last.includes(name) ? COLORS.last
      : state.column.includes(name) ? COLORS.column : plain;
    const geometry = new BoxGeometry(0.98, TILE, 0.98);
    this.#add(geometry, new MeshStandardMaterial({
      color, transparent: true, opacity: 0.86, roughness: 0.8,
    }), at.clone().setY(at.y - TILE / 2), name);
    const edges = new LineSegments(new EdgesGeometry(geometry),
                                   new LineBasicMaterial({ color: 0x4a4338 }));
    edges.position.copy(at).setY(at.y - TILE / 2);
    this.#parts.add(edges);
  }

  #addPiece(piece: ScenePiece, at: Vector3, isSelected: boolean): void {
    let shape = this.#shapes.get(piece.type);
    if (!shape) {
      shape = pieceGeometry(piece.type);
      this.#shapes.set(piece.type, shape);
    }
    const mesh = this.#add(shape, new MeshStandardMaterial({
      color: COLORS[piece.color], roughness: 0.45,
      emissive: isSelected ? COLORS.selected : 0x000000, emissiveIntensity: 0.35,
    }), at, piece.cell);
    if (piece.color === "white") mesh.rotation.y = Math.PI;
    if (piece.isChecked) {
      this.#add(new RingGeometry(0.36, 0.47, 32).rotateX(-Math.PI / 2), new MeshBasicMaterial({
        color: COLORS.check, side: DoubleSide,
      }), at.clone().setY(at.y + 0.02));
    }
  }

  #addMark(name: string, kind: MoveKind, at: Vector3): void {
    const material = new MeshBasicMaterial({ color: COLORS.mark, side: DoubleSide });
    const isFlat = kind === "capture";
    const geometry = isFlat ? new RingGeometry(0.34, 0.46, 32).rotateX(-Math.PI / 2)
      : kind === "promotion" ? new CylinderGeometry(0, 0.2, 0.3, 3).translate(0, 0.15, 0)
      : kind === "castling" ? new BoxGeometry(0.28, 0.08, 0.28).translate(0, 0.04, 0)
      : kind === "board move" ? new BoxGeometry(0.3, 0.08, 0.3).rotateY(Math.PI / 4)
      : new CylinderGeometry(0.16, 0.16, 0.06, 24).translate(0, 0.03, 0);
    this.#add(geometry, material, at.clone().setY(at.y + 0.01), name);
  }

  #addPin(pin: ScenePin, at: Vector3, state: SceneState): void {
    if (pin.text !== "") {
      const isSelected = pin.name === state.selected;
      this.#add(new CylinderGeometry(0.07, 0.07, at.y - Math.floor(at.y / HEIGHT) * HEIGHT, 12)
        .translate(0, -(at.y - Math.floor(at.y / HEIGHT) * HEIGHT) / 2 - TILE, 0),
                new MeshStandardMaterial({ color: COLORS.post }), at);
      this.#addText(pin.text, at.clone().add(new Vector3(0, -0.42, 0)), pin.name,
                    isSelected ? "#1e63c4" : this.#ink, 0.42);
      return;
    }
    const target = state.targets.some(({ name }) => name === pin.name);
    this.#add(new PlaneGeometry(1.9, 1.9).rotateX(-Math.PI / 2), new MeshBasicMaterial({
      color: COLORS.mark, transparent: true, opacity: target ? 0.3 : 0.05, side: DoubleSide,
      depthWrite: false,
    }), at, pin.name);
  }

  #addCursor(at: Vector3): void {
    const frame = new LineSegments(new EdgesGeometry(new BoxGeometry(1.02, 0.2, 1.02)),
                                   new LineBasicMaterial({ color: COLORS.cursor }));
    frame.position.copy(at);
    this.#parts.add(frame);
  }

  /** The vertical through the selected piece. */
  #addColumn(places: Vector3[]): void {
    if (places.length < 2) return;
    const heights = places.map((at) => at.y);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    this.#add(new CylinderGeometry(0.05, 0.05, high - low, 8), new MeshBasicMaterial({
      color: COLORS.selected, transparent: true, opacity: 0.55, depthWrite: false,
    }), places[0]!.clone().setY((low + high) / 2));
  }

  #addLevelNames(): void {
    [..."WNB"].forEach((name, level) => {
      this.#addText(name, this.#place(2.5, 0.3 + 2 * level, level), "", this.#ink, 0.6);
    });
  }

  #addText(text: string, at: Vector3, name: string, color: string, height: number): void {
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d")!;
    const font = "bold 48px sans-serif";
    pen.font = font;
    canvas.width = Math.ceil(pen.measureText(text).width) + 16;
    canvas.height = 60;
    pen.font = font;
    pen.fillStyle = color;
    pen.textBaseline = "middle";
    pen.fillText(text, 8, 32);
    const sprite = new Sprite(new SpriteMaterial({
      map: new CanvasTexture(canvas), depthTest: false,
    }));
    sprite.scale.set(height * canvas.width / canvas.height, height, 1);
    sprite.position.copy(at);
    sprite.userData.name = name;
    this.#parts.add(sprite);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.#draw();
  }
  #draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#renderer.render(this.#scene, this.#camera));
  }

  #down = (event: PointerEvent): void => {
    this.#press = { x: event.clientX, y: event.clientY };
  };
  /** A press that does not turn the boards is a click. */
  #up = (event: PointerEvent): void => {
    const press = this.#press;
    this.#press = null;
    if (!press || Math.hypot(event.clientX - press.x, event.clientY - press.y) > 5) return;
    const name = this.at(event.clientX, event.clientY);
    if (name) this.onchoose(name);
  };
  /** Returns the place that is seen at a point of the window; null if there is none. */
  at(x: number, y: number): string | null {
    const frame = this.element.getBoundingClientRect();
    this.#scene.updateMatrixWorld();  // of parts that were not drawn yet
    const caster = new Raycaster();
    this.#camera.updateMatrixWorld();
    caster.setFromCamera(new Vector2(2 * (x - frame.left) / frame.width - 1,
                                     1 - 2 * (y - frame.top) / frame.height), this.#camera);
    const hit = caster.intersectObjects(this.#parts.children)
      .find(({ object }) => object.userData.name);
    return (hit?.object.userData.name as string | undefined) ?? null;
  }
  /** Returns where a place is seen in the window. */
  pointOf(name: string): { x: number; y: number } | null {
    const part = this.#parts.children.find((one) => one.userData.name === name);
    if (!part) return null;
    this.#camera.updateMatrixWorld();
    const frame = this.element.getBoundingClientRect();
    const at = part.getWorldPosition(new Vector3()).project(this.#camera);
    return {
      x: frame.left + (at.x + 1) / 2 * frame.width, y: frame.top + (1 - at.y) / 2 * frame.height,
    };
  }
}
