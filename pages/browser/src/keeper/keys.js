// Texts that may hold keys: curl commands, HTTP messages and their headers, tokens.

/** Characters that are looked at from the beginning and from the end: a body may be long. */
const LOOKED_AT = 8_000;

/** How a line of JSON, XML, YAML, TOON or CSV begins: a command in its values is data. */
const DATA = /["'{<,]|[\]}](?!["'])|\[(?![^"'{}\n]*[$%>#❯➜✗][ \t])|- |[\w.-]+:[ \t]|[^\s"'=]*,/;

/** curl as a word of a shell, before an option, a quote or a host: prose names it too. */
const CURL =
  /(?:[^\n]*[ \t|;&(`/!])?curl(?:\.exe)?[ \t]+(?:[-'"$\\^`{[%<]|[\w-]+(?:[.:/][\w/]|[ \t]+[-\\^`]))/;

const LINES_WITH_KEYS = [
  new RegExp(`^(?![ \\t]*(?:${DATA.source}))${CURL.source}`, "m"),
  /^(?:[<>] ?)?(?:[A-Z]{3,7} \S+ HTTP\/\d(?:\.\d)?[ \t]*$|HTTP\/\d(?:\.\d)? \d{3}(?:\s|$))/m,
  /^(?:[<>] ?)?(?:(?:proxy-)?authorization:|(?:set-)?cookie:\s*[^\s=;]+=|x-[\w-]*(?:key|token):)/im,
  /^(?:Bearer[ \t]+)?eyJ[\w-]+\.[\w-]/m,
];

/** Whether a text may hold keys, in headers or as a token: it is neither kept nor linked. */
export function mayHoldKeys(text) {
  const wholeLines = text.slice(-LOOKED_AT).replace(/^[^\n]*/, "");
  const ends = text.trimStart().slice(0, LOOKED_AT) + wholeLines;
  return LINES_WITH_KEYS.some((line) => line.test(ends));
}
