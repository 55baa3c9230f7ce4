// The text of one pane: a CodeMirror editor, and what the others ask of it.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import * as commands from "@codemirror/commands";
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches } from "@codemirror/search";
import { Annotation, Compartment, EditorSelection, EditorState, Transaction } from "@codemirror/state";
import * as views from "@codemirror/view";
import { TITLES } from "../shared/lab.js";
import { coloured, colouring } from "./colours.js";
import { placeInWords } from "./facts.js";
import { finding } from "./find.js";
import { LANGUAGES } from "./languages.js";
import { tabs } from "./tabs.js";
import { changeOf, stringOf } from "./text.js";

/** Characters around the caret in which the other bracket is looked for. */
const BRACKETS_WITHIN = 10_000;

const { EditorView } = views;

/** Marks what did not come from the user of this pane. */
const given = Annotation.define();

const LINE_FEEDS = EditorView.theme({ ".cm-line:not(:last-child)::after": { content: '"↵"' } });

/** Of a shadow root the window sees the host alone, and takes a tip away that the pointer is in. */
const unheard = (event) => event.stopPropagation();

const KEYS = [
  { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
  ...closeBracketsKeymap,
  ...commands.defaultKeymap,
  ...commands.historyKeymap,
  ...foldKeymap,
];

export class Code {
  /**
   * `look` is the shared look (shortcuts.js), `tips` where tips are drawn. `onEdit(isUsers)` is called
   * after every change of the text, `onFault(error)` when the editor has failed. `onPaste(text)`
   * gives true for what it takes itself, `onOffer(offer)` hears of a chosen way to repair an error.
   */
  constructor(parent, side, options) {
    this.parent = parent;
    this.options = options;
    this.side = side;
    this.isWrong = false;
    this.looking = new Compartment();
    this.extensions = this.extended(options);
    this.view = this.viewOf(this.stateOf(""));
    options.tips.addEventListener("mousemove", unheard);
  }

  viewOf(state) {
    return new EditorView({
      parent: this.parent,
      state,
      // What an editor does that fails is said in its pane; its last text stays.
      dispatchTransactions: (transactions, view) => {
        try {
          this.latest = transactions.at(-1)?.state ?? this.latest;
          view.update(transactions);
        } catch (error) {
          this.options.onFault(error);
        }
      },
    });
  }

  /** A new editor for the text of one that has failed, with its undo. */
  restart() {
    this.latest = this.stateOf(this.doc, this.state);
    try {
      this.view.destroy();
    } catch {
      this.parent.replaceChildren();
    }
    this.view = this.viewOf(this.latest);
  }

  extended({ tips, onEdit, onFault, onPaste }) {
    const title = TITLES[this.side];
    return [
      lintGutter(),
      views.lineNumbers(),
      LANGUAGES[this.side],
      views.highlightSpecialChars(),
      views.drawSelection(),
      views.dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      views.rectangularSelection(),
      views.crosshairCursor(),
      indentOnInput(),
      indentUnit.of("  "),
      EditorState.tabSize.of(2),
      bracketMatching({ maxScanDistance: BRACKETS_WITHIN }),
      closeBrackets(),
      views.highlightActiveLineGutter(),
      highlightSelectionMatches(),
      finding(title),
      views.keymap.of(KEYS),
      views.placeholder(`Paste ${title} here`),
      colouring,
      this.side === "toon" ? tabs : [],
      views.tooltips({ parent: tips, position: "absolute" }),
      EditorView.exceptionSink.of(onFault),
      EditorView.contentAttributes.of(() => ({
        "aria-label": `${title} editor`,
        "aria-invalid": String(this.isWrong),
        tabindex: "0",
      })),
      EditorView.domEventHandlers({
        paste: (event) => onPaste(event.clipboardData?.getData("text/plain") ?? ""),
      }),
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        if (docChanged) onEdit(transactions.some((each) => each.docChanged && !each.annotation(given)));
      }),
    ];
  }

  /** A state with a text and, of a state before, its selection and its undo. */
  stateOf(doc, before = null) {
    const undo = before?.field(commands.historyField); // alone: a state holds on to its editor
    return EditorState.create({
      doc,
      selection: before?.selection,
      extensions: [
        commands.history(),
        undo ? commands.historyField.init(() => undo) : [],
        this.looking.of(drawn(this.options.look)),
        this.extensions,
      ],
    });
  }

  /** The state that the text is in, also where the editor has failed to draw it. */
  get state() {
    return this.latest ?? this.view.state;
  }

  get doc() {
    return this.state.doc;
  }

  get text() {
    return stringOf(this.doc);
  }

  get caret() {
    return this.state.selection.main.head;
  }

  /** Another document, with the undo of the state that another component had, `before`, if any. */
  open(doc, before = null) {
    this.latest = this.stateOf(doc, before);
    this.view.setState(this.latest);
    this.options.onEdit(false);
  }

  /** What was converted from the other side: only what differs is touched, no undo is added. */
  show(text) {
    const changes = changeOf(this.text, text);
    if (!changes) return;
    const annotations = [given.of(true), Transaction.addToHistory.of(false)];
    this.view.dispatch({ changes, annotations });
  }

  /** Another text as its user would write it, in one step of undo. */
  replace(text, caret = 0) {
    const changes = changeOf(this.text, text);
    if (!changes) return;
    const selection = EditorSelection.cursor(Math.min(caret, text.length));
    const annotations = [commands.isolateHistory.of("full"), Transaction.userEvent.of("input.replace")];
    this.view.dispatch({ changes, selection, annotations, scrollIntoView: true });
  }

  /** Takes over what the switches above the panes say. */
  lookChanged() {
    this.view.dispatch({ effects: this.looking.reconfigure(drawn(this.options.look)) });
  }

  /** Colours by runs of the server for `text`, which may have been edited since; none for null. */
  colour(text, runs, colour) {
    this.view.dispatch({ effects: coloured(text, this.text, runs, colour) });
  }

  /** Marks an error of the server, or none for null. */
  mark(error) {
    this.isWrong = Boolean(error);
    const found = error?.line ? [this.diagnostic(error)] : [];
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  diagnostic({ line: number, column, message, hint, offers = [] }) {
    const line = this.doc.line(Math.min(number, this.doc.lines));
    // The server counts characters, the editor units.
    const head = [...line.text.slice(0, 2 * (column ?? 0))].slice(0, (column ?? 1) - 1).join("");
    const from = Math.min(line.from + head.length, line.to);
    return {
      from,
      to: column ? Math.min(from + 1, line.to) : line.to,
      severity: /** @type {const} */ ("error"),
      source: placeInWords({ line: number, column }),
      message: hint ? `${message}\nHint: ${hint}` : message,
      actions: offers.map((offer) => ({
        name: offer.label,
        apply: () => this.options.onOffer(offer),
      })),
    };
  }

}

/** How the text is drawn by what the switches say. */
function drawn({ wrap, whitespace }) {
  return [
    wrap ? EditorView.lineWrapping : [],
    whitespace ? [views.highlightWhitespace(), LINE_FEEDS] : [],
  ];
}
