// Finding and replacing in a pane: the bar above its text, what is found, and where.

import * as cm from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { keymap, runScopeHandlers } from "@codemirror/view";
import { button, element, setText } from "../shared/dom.js";
import { grouped } from "./facts.js";
import { stringOf } from "./text.js";

/** Places that are counted at most; beyond them "next" goes on, but nobody knows the number. */
const MOST_COUNTED = 10_000;

/** Milliseconds without a change of the text before its places are counted again. */
const RECOUNT = 150;

/** `text` in small letters and of the same length, so that offsets are those of the text. */
function inSmallLetters(text) {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

/** @type {WeakMap<import("@codemirror/state").Text, string>} */
const FOLDED = new WeakMap();

/** The offsets at which `sought` begins in `text`, none within another, `most` of them at most. */
function placesOf(text, sought, most) {
  const places = [];
  let at = sought ? text.indexOf(sought) : -1;
  for (; at >= 0 && places.length < most; at = text.indexOf(sought, at + sought.length)) {
    places.push(at);
  }
  return places;
}

/** A query that searches strings as a whole: CodeMirror's own takes a second for 10 MB. */
class Query extends cm.SearchQuery {
  get sought() {
    return this.caseSensitive ? this.search : inSmallLetters(this.search);
  }

  /** The document as it is searched; a long one is made small once. */
  hay({ doc }) {
    if (this.caseSensitive) return stringOf(doc);
    let text = FOLDED.get(doc);
    if (text === undefined) FOLDED.set(doc, (text = inSmallLetters(stringOf(doc))));
    return text;
  }

  match(from) {
    return from < 0 ? null : { from, to: from + this.search.length, precise: true };
  }

  /** What CodeMirror's commands ask, by the names that they use. */
  create() {
    const { sought } = this;
    return {
      spec: this,
      nextMatch: (state, from, to) => {
        const at = this.hay(state).indexOf(sought, to);
        const found = at < 0 ? this.hay(state).indexOf(sought) : at;
        return found === from && found + sought.length === to ? null : this.match(found);
      },
      prevMatch: (state, from) => {
        const hay = this.hay(state);
        const at = from < sought.length ? -1 : hay.lastIndexOf(sought, from - sought.length);
        return this.match(at < 0 ? hay.lastIndexOf(sought) : at);
      },
      matchAll: (state, limit) =>
        placesOf(this.hay(state), sought, limit).map((at) => this.match(at)),
      getReplacement: () => this.replace,
      highlight: ({ doc }, from, to, add) => {
        const begin = Math.max(0, from - sought.length);
        const near = doc.sliceString(begin, to + sought.length);
        const text = this.caseSensitive ? near : inSmallLetters(near);
        for (const at of placesOf(text, sought, text.length)) {
          add(begin + at, begin + at + sought.length);
        }
      },
    };
  }
}

/**
 * Every query searches so, whoever has made it, such as one of what is selected. What is sought anew
 * is selected where it comes first, from what is selected on.
 */
const searching = EditorState.transactionFilter.of((change) => {
  const { effects, startState: state } = change;
  const asked = effects.find((each) => each.is(cm.setSearchQuery))?.value;
  if (!asked || asked instanceof Query) return change;
  const query = new Query({ ...asked, literal: true });
  const isNew = query.valid && query.search !== cm.getSearchQuery(state).search;
  const at = isNew ? query.create().nextMatch(state, -1, state.selection.main.from) : null;
  const going = at && { selection: { anchor: at.from, head: at.to }, scrollIntoView: true };
  return [change, { effects: cm.setSearchQuery.of(query), ...going }];
});

/** The bar, as CodeMirror's panel. */
class Bar {
  top = true;

  constructor(view, title) {
    this.view = view;
    const text = { type: "text", spellcheck: false, autocomplete: "off" };
    const field = (placeholder) => {
      const about = { placeholder, ariaLabel: `${placeholder} in ${title}` };
      return element("input", { ...text, ...about, oninput: () => this.search() });
    };
    const act = (className, sign, ariaLabel, command) =>
      button(className, sign, () => command(view), { ariaLabel });
    this.sought = field("Find");
    this.sought.setAttribute("main-field", "true");
    this.replacement = field("Replace");
    this.count = element("span", { className: "count", role: "status" });
    this.cases = act("cases", "Aa", "Match case", () => this.search(!this.isExact));
    this.dom = element(
      "div",
      { className: "finder", role: "search", ariaLabel: this.sought.ariaLabel },
      this.sought,
      this.count,
      act("previous", "↑", "Previous place", cm.findPrevious),
      act("following", "↓", "Next place", cm.findNext),
      this.cases,
      act("close", "✕", "Close Find", cm.closeSearchPanel),
      this.replacement,
      act("replace", "Replace", "Replace this place", cm.replaceNext),
      act("replace-all", "All", "Replace all places", cm.replaceAll),
    );
    this.dom.onkeydown = (event) => this.pressed(event);
    this.take(cm.getSearchQuery(view.state));
  }

  /** Shows what is sought, whoever seeks it. */
  take({ search, replace, caseSensitive }) {
    this.sought.value = search;
    this.replacement.value = replace;
    this.cases.ariaPressed = String(caseSensitive);
    this.say();
  }

  mount() {
    this.sought.select();
  }

  get isExact() {
    return this.cases.ariaPressed === "true";
  }

  search(caseSensitive = this.isExact) {
    const [search, replace] = [this.sought.value, this.replacement.value];
    const query = new cm.SearchQuery({ search, replace, caseSensitive });
    this.view.dispatch({ effects: cm.setSearchQuery.of(query) });
  }

  pressed(event) {
    if (runScopeHandlers(this.view, event, "search-panel")) event.preventDefault();
    else if (event.key === "Enter" && event.target.tagName === "INPUT") {
      event.preventDefault();
      if (event.target === this.replacement) cm.replaceNext(this.view);
      else (event.shiftKey ? cm.findPrevious : cm.findNext)(this.view);
    }
  }

  update({ transactions, docChanged, selectionSet, state }) {
    const effects = transactions.flatMap((each) => each.effects);
    const isAnew = effects.some((each) => each.is(cm.setSearchQuery));
    if (isAnew) this.take(cm.getSearchQuery(state));
    else if (selectionSet) this.say();
    if (!docChanged) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say(), RECOUNT);
  }

  say() {
    const { state } = this.view;
    const query = cm.getSearchQuery(state);
    if (!(query instanceof Query)) return;
    const { from, to } = state.selection.main;
    const places = placesOf(query.hay(state), query.sought, MOST_COUNTED + 1);
    const { length } = places;
    const all = length > MOST_COUNTED ? `${grouped(MOST_COUNTED)}+` : grouped(length);
    const index = to - from === query.search.length ? places.indexOf(from) : -1;
    const found = index < 0 ? all : `${grouped(index + 1)} of ${all}`;
    setText(this.count, query.search ? (length ? found : "None found") : "");
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

export function finding(title) {
  return [
    cm.search({ createPanel: (view) => new Bar(view, title), literal: true }),
    searching,
    keymap.of(cm.searchKeymap),
  ];
}
