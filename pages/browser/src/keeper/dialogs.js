// The dialogs of the header: what this browser has kept, and how to share what is open.

import { button, element } from "../shared/dom.js";
import { LAB, TITLES, TYPED } from "../shared/lab.js";
import { pngOf } from "../shared/picture.js";
import { copy, saveAs } from "../shared/transfer.js";
import { mayHoldKeys } from "./keys.js";
import { SAFE_LINK, documentOf } from "./link.js";
import { isKeeping, setKeeping, worthListing } from "./storage.js";

const MOMENTS = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const DAYS = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const COUNTS = new Intl.NumberFormat("en");

/** Characters of a name that have room on the card. */
const LONGEST_NAME = 28;

/** What an option of a document says in words; "" for what says nothing. */
const IN_WORDS = {
  delimiter: (name) => (name ? `delimiter ${name}` : ""),
  indent: (width) => `indent ${width}`,
  strict: (isOn) => (isOn ? "" : "not strict"),
  explained_together: (count) => `payloads in a prompt: ${COUNTS.format(count)}`,
  explained_cached: (share) => (share ? `${share} % of notes from cache` : ""),
  explained_none: (isOn) => (isOn ? "no note to the model" : ""),
  calls: (count) => `${COUNTS.format(count)} calls a month`,
  cached: (share) => (share ? `${share} % from cache` : ""),
  batch: (isOn) => (isOn ? "batch" : ""),
  wordings: (texts) => (Object.keys(texts).length ? "your notes to the model" : ""),
};

/** A name that every file system takes. */
function fileName(name) {
  return name.replace(/[^\p{L}\p{N}._ -]/gu, "_").slice(0, 80) || "payload";
}

/** A dialog of the keeper with the class `name`; a button of the header calls its `open`. */
export class Dialog {
  constructor(root, keeper, name) {
    this.keeper = keeper;
    this.dialog = root.querySelector(`dialog.${name}`);
    root.querySelector(`.open-${name}`).addEventListener("click", () => this.open());
    this.onClick("close", () => this.dialog.close());
  }

  find(name) {
    return this.dialog.querySelector(`.${name}`);
  }

  onClick(name, act) {
    this.find(name).addEventListener("click", act);
  }

  async open() {
    this.dialog.showModal();
  }
}

export class HistoryDialog extends Dialog {
  constructor(root, keeper) {
    super(root, keeper, "history");
    this.find("keeping").addEventListener("change", ({ target }) => this.keep(target.checked));
    this.onClick("forget", () => this.keep(isKeeping(), true));
  }

  async open() {
    this.find("keeping").checked = isKeeping();
    await this.list();
    super.open();
  }

  async list() {
    const entries = worthListing(await this.keeper.listed());
    this.find("entries").replaceChildren(...entries.map((entry) => this.row(entry)));
    this.find("none").hidden = entries.length > 0;
  }

  row(entry) {
    const { name, side, text } = entry;
    const title = name === TYPED ? text.trim().slice(0, 80).replace(/\s+/g, " ") : name;
    const size = `${TITLES[side]} · ${COUNTS.format(text.length)} characters`;
    const figure = entry.figure && ` · ${entry.figure} ${entry.against}`;
    const detail = `${size} · ${MOMENTS.format(entry.time)}${figure || ""}`;
    const open = () => {
      this.dialog.close();
      this.keeper.reopen(entry);
    };
    const remove = () => this.keeper.remove(entry).then(() => this.list());
    return element(
      "li",
      "entry",
      element("div", "facts", element("b", "title", title), element("span", "detail", detail)),
      button("reopen", "Open", open, { ariaLabel: `Open ${title}` }),
      button("remove", "Remove", remove, { ariaLabel: `Remove ${title}` }),
    );
  }

  async keep(isOn, isForgotten = !isOn) {
    setKeeping(isOn);
    if (isForgotten) await this.keeper.forget();
    else this.keeper.save();
    await this.list();
  }
}

export class ShareDialog extends Dialog {
  constructor(root, keeper) {
    super(root, keeper, "share");
    this.onClick("copy-link", async () =>
      this.tell((await copy(this.link)) ? "Link copied." : "The browser does not let us copy."),
    );
    this.onClick("save-state", () => {
      const text = documentOf(LAB.work, keeper.chosen);
      saveAs(`${fileName(LAB.work.name)}.tokenlab.json`, text, "application/json");
      this.tell("Saved. It opens when dropped on an editor.");
    });
    this.onClick("copy-card", () => this.copyCard());
    this.onClick("save-card", async () => {
      saveAs(`${fileName(LAB.work.name)}.png`, await this.card(), "image/png");
      this.tell("Picture saved.");
    });
  }

  async open() {
    const { work } = LAB;
    const { chosen: options, model } = this.keeper;
    const said = Object.entries(IN_WORDS).map(([name, say]) => name in options && say(options[name]));
    this.link = await this.keeper.link();
    const size = `${COUNTS.format(work.text.length)} characters`;
    this.find("holds").textContent =
      `It holds the whole ${TITLES[work.side]} text (${size}), its name “${work.name}”, and ` +
      `what is chosen: ${[model, ...said].filter(Boolean).join(", ")}.`;
    this.find("reach").textContent = this.link
      ? `The link has ${COUNTS.format(this.link.length)} characters. All of it stands after #, ` +
        "which browsers send to no server; whoever gets the link can read it."
      : mayHoldKeys(work.text)
        ? "A curl command, HTTP header or token may hold keys and gets no link: take its body first."
        : `Too long for a link: ${COUNTS.format(SAFE_LINK)} characters are safe. Save a state file ` +
        "instead; it opens when dropped on an editor.";
    this.find("copy-link").disabled = !this.link;
    const pictures = [this.find("copy-card"), this.find("save-card")];
    for (const button of pictures) button.disabled = true;
    this.tell("");
    super.open();
    this.drawn = await this.keeper.drawing("card").catch(() => "");
    for (const button of pictures) button.disabled = !this.drawn;
    if (!this.drawn) this.tell("There is a picture once the playground has an answer.");
  }

  /** The answer as a picture for a chat. */
  card() {
    const { model } = this.keeper;
    const { name, side } = LAB.work;
    const card = new DOMParser().parseFromString(this.drawn, "image/svg+xml").documentElement;
    const letters = [...name.replace(/\p{C}/gu, " ")]; // an image takes no control characters
    const called = letters.slice(0, LONGEST_NAME).join("") + (letters[LONGEST_NAME] ? "…" : "");
    const about = [called, TITLES[side], DAYS.format(new Date())];
    card.querySelector(".about").textContent = about.join(" · ");
    card.querySelector(".model").textContent = model;
    const { width, height } = /** @type {any} */ (card).viewBox.baseVal;
    return pngOf(card, width, height);
  }

  async copyCard() {
    try {
      const item = new ClipboardItem({ "image/png": this.card() });
      await navigator.clipboard.write([item]);
      this.tell("Picture copied.");
    } catch {
      this.tell("The browser does not let us copy pictures: save it instead.");
    }
  }

  tell(sentence) {
    this.find("told").textContent = sentence;
  }
}
