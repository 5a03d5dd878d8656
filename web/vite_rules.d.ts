// Types of vite_rules.js.

import type { Plugin } from "vite";

/** Sets `import.meta.env.HAS_RULES`, and copies the library if it has been built. */
export function rulesLibrary(): Plugin;
