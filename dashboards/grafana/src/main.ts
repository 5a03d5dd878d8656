// Writes the dashboards as JSON into the given folder.
import { arena } from "./arena";
import { coordinator } from "./coordinator";
import { fleet } from "./fleet";
import { tournament } from "./tournament";

// Node's own modules, without a dependency on their types.
declare function require(name: string): any;
declare const process: { argv: string[] };
const fs = require("node:fs");
const path = require("node:path");

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: main.js FOLDER");
fs.mkdirSync(folder, { recursive: true });
for (const made of [tournament(), fleet(), coordinator(), arena()]) {
  const name = made.uid!.replace(/^triarch-/, "");
  fs.writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(made, null, 2) + "\n");
}
