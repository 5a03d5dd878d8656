// What the boards look like, and how games begin. Asked for once.
import type { Geometry } from "../board/geometry";
import { get, type GameName, type SentPosition } from "./api";

const asked = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  let answer = asked.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = get<T>(path);
    asked.set(path, answer);
    answer.catch(() => asked.delete(path)); // to be asked again
  }
  return answer;
}

export const geometryOf = (game: GameName) => once<Geometry>(`/geometry/${game}`);
export const startOf = (game: GameName) => once<SentPosition>(`/start/${game}`);
