// Copies the rules library (javascript/) beside the page, where the analysis page loads it from.
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LIBRARY = fileURLToPath(new URL("../javascript", import.meta.url));

function copyFolder(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const isCode = /\.(js|mjs|wasm)$/.test(name) && statSync(join(from, name)).isFile();
    if (isCode) copyFileSync(join(from, name), join(to, name));
  }
}

/** Sets `import.meta.env.HAS_RULES`, and copies the library if it has been built. */
export function rulesLibrary() {
  const hasRules = existsSync(join(LIBRARY, "dist", "triarch.wasm"));
  let config = null;
  return {
    name: "rules-library",
    apply: "build",
    config: () => ({ define: { "import.meta.env.HAS_RULES": JSON.stringify(hasRules) } }),
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle() {
      if (!hasRules) {
        config.logger.warn("no rules library in javascript/dist: the page cannot analyze");
        return;
      }
      const target = join(config.root, config.build.outDir, "triarch");
      for (const folder of ["src", "dist"]) {
        copyFolder(join(LIBRARY, folder), join(target, folder));
      }
    },
  };
}
