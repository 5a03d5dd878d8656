// The entry of the script: hands the scene to the page.
import { BoardScene } from "./scene";

declare global {
  var triarchScene: typeof BoardScene | undefined;
}
globalThis.triarchScene = BoardScene;
