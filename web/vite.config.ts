// Builds the page into dist/: classic scripts, so that it also works when it is opened from a file.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { rulesLibrary } from "./vite_rules.js";
import { sceneScript } from "./vite_scene.js";

// Vite writes module scripts, which browsers do not load from files.
function classicScript(): Plugin {
  return {
    name: "classic-script",
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replace(/<script type="module" crossorigin/g, "<script defer")
        .replace(/<link rel="stylesheet" crossorigin/g, '<link rel="stylesheet"'),
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte(), classicScript(), rulesLibrary(), sceneScript()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { format: "iife", inlineDynamicImports: true },
    },
  },
});
