// Prints the seconds to encode and decode each payload with the JavaScript reference, best of many.
// Called by javascript.py with the folder of the package and a file of payloads.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [entry, file] = process.argv.slice(2);
const { encode, decode } = await import(pathToFileURL(entry));

function best(work) {
  const until = performance.now() + 400;
  let shortest = Infinity;
  for (let runs = 0; runs < 20 || performance.now() < until; runs++) {
    const start = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest / 1000;
}

const times = JSON.parse(readFileSync(file, "utf8")).map((value) => {
  const text = encode(value);
  return [best(() => encode(value)), best(() => decode(text))];
});
console.log(JSON.stringify(times));
