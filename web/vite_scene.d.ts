// Types of vite_scene.js.

import type { Plugin } from "vite";

/** Sets `import.meta.env.SCENE` to the script's address, and writes it. */
export function sceneScript(): Plugin;
