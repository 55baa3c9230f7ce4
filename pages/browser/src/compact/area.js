// A textarea that tells Python what is typed, after a pause. Python replaces the text only by
// sending a new version, so no answer to an earlier key can undo a later one.

import { mounted } from "../shared/lasting.js";

/** Milliseconds after the last key until Python hears, and after the first key at the latest. */
const PAUSE = 250;
const CEILING = 1_000;

/** Texts by component key: they outlive the component, which a change of pages removes. */
const STORE = (window.__tokenLabTemplates ??= {});

class Area {
  constructor(parent) {
    this.field = parent.querySelector("textarea");
    this.field.addEventListener("input", () => this.typed());
    // A page that is opened meanwhile must not be overtaken by what was typed before.
    this.field.addEventListener("blur", () => this.since !== null && this.tell());
  }

  update({ data, setStateValue }) {
    this.send = setStateValue;
    if (this.version === data.version) return;
    const kept = STORE[data.key];
    const isKept = kept?.version === data.version;
    this.key = data.key;
    this.version = data.version;
    this.field.maxLength = data.limit;
    this.field.value = isKept ? kept.text : data.text;
    this.close(); // what was typed into the text before is not told
    if (isKept) this.tell(); // the page may have been left before the pause was over
  }

  typed() {
    STORE[this.key] = { version: this.version, text: this.field.value };
    this.since ??= performance.now();
    const left = this.since + CEILING - performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), Math.max(0, Math.min(PAUSE, left)));
  }

  tell() {
    this.close();
    this.send("typed", { version: this.version, text: this.field.value });
  }

  close() {
    clearTimeout(this.timer);
    this.since = null;
  }
}

export default mounted(Area);
