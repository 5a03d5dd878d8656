// Builds the view in space (src/three) as a script of its own, beside that of the page.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Sets `import.meta.env.SCENE` to the script's address, and writes it. */
export function sceneScript() {
  let name = "";
  let code = "";
  return {
    name: "scene-script",
    async config() {
      const [bundle] = await build({
        configFile: false, logLevel: "error",
        build: {
          write: false, target: "es2022",
          lib: {
            entry: fileURLToPath(new URL("src/three/main.ts", import.meta.url)),
            formats: ["iife"], name: "triarchSceneScript",
          },
        },
      });
      code = bundle.output[0].code;
      const hash = createHash("sha256").update(code).digest("hex").slice(0, 8);
      name = `assets/scene-${hash}.js`;
      return { define: { "import.meta.env.SCENE": JSON.stringify(name) } };
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: name, source: code });
    },
  };
}
