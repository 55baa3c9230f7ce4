// Builds the browser's code: `npm ci && npm run build`. The same sources give the same bytes.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

/** A file for each component of Streamlit: nothing is loaded besides it. */
const ENTRIES = {
  access: "src/look/access.js",
  card: "src/editor/card.js",
  editor: "src/editor/editor.js",
  keeper: "src/keeper/keeper.js",
  template: "src/compact/area.js",
  unsent: "src/editor/unsent.js",
};

const { metafile } = await build({
  entryPoints: ENTRIES,
  outdir: "built",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});

/** The licences of what is in the files besides our own code, each text once. */
function licences(inputs) {
  const found = inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  const texts = new Map();
  for (const name of [...new Set(found.filter(Boolean))].sort()) {
    const folder = `node_modules/${name}`;
    const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} comes without the text of its licence`);
    const text = readFileSync(`${folder}/${file}`, "utf8").trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
}

const blocks = licences(Object.keys(metafile.inputs));
writeFileSync("built/LICENSES.txt", blocks.join(`\n${"-".repeat(80)}\n\n`));
