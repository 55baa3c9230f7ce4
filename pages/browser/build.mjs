// Builds the browser's code: `npm ci && npm run build`. The same sources give the same bytes.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

/** A file for each component of Streamlit: nothing is loaded besides it. */
const ENTRIES = {
  access: "src/look/access.js",
  card: "src/editor/card.js",
  editor: "src/editor/session.js",
  keeper: "src/keeper/keeper.js",
  template: "src/compact/area.js",
  unsent: "src/editor/unsent.js",
};

await build({
  entryPoints: ENTRIES,
  outdir: "built",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
});

/** The licences of all packages that are no tools, each text once. */
function licences({ packages }) {
  const texts = new Map();
  for (const [folder, { dev, version }] of Object.entries(packages)) {
    if (!folder || dev) continue;
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${folder} comes without the text of its licence`);
    const text = readFileSync(`${folder}/${file}`, "utf8").trim();
    const name = `${folder.replace("node_modules/", "")} ${version}`;
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
}

const blocks = licences(JSON.parse(readFileSync("package-lock.json", "utf8")));
writeFileSync("built/LICENSES.txt", blocks.join(`\n${"-".repeat(80)}\n\n`));
