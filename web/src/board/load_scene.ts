// Loads the script of the view in space, once, when it is shown for the first time.
import type { BoardScene } from "../three/scene";

declare global {
  interface ImportMetaEnv {
    /** The script, relative to the page. */
    readonly SCENE: string;
  }
  var triarchScene: typeof BoardScene | undefined;
}

let loading: Promise<typeof BoardScene> | null = null;

export function loadScene(): Promise<typeof BoardScene> {
  loading ??= new Promise<typeof BoardScene>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = import.meta.env.SCENE;
    script.onload = () => resolve(globalThis.triarchScene!);
    script.onerror = () => reject(new Error("The 3D view cannot be loaded."));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
