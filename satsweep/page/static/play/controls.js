// @ts-check
// The controls of Play: the form of the board, the bar of buttons and counters, options, messages, the sheet.

import { field, option, press, select, toggle } from "../basics/controls.js";
import { announce, arrange, button, h } from "../basics/dom.js";
import { Settings } from "../shared/settings.js";
import { Sheet } from "../shared/sheet.js";
import { said, told } from "../words/places.js";
import { NEEDS } from "./dealing.js";
import { fading } from "./fading.js";
import { GUESSES } from "./fairness.js";
import { buttonChoices } from "./gestures.js";
import { timeText } from "./stopwatch.js";

// What the first cell is sure to be: its name, its label, and the hint before it is opened.
/** @type {[name: string, label: string, hint: string][]} */
export const FIRSTS = [
  ["zero", "safe, no mine around it", "The first cell has no mine around it, wherever it is."],
  ["safe", "safe", "The first cell is safe, wherever it is."],
  ["any", "anything", "Nothing is known yet."],
];
const WELCOME = "Hints, warnings and the review of your game are shown here.";

export class PlayControls {
  /**
   * @param {import("./state.js").Desk & {
   *   aids: { toggle: (pressed: HTMLElement, other: HTMLElement) => void },
   *   dealing: { cancel: () => void },
   *   ending: { best: { transport: { element: HTMLElement } } },
   * }} view
   */
  constructor(view) {
    this.view = view;
    this.settings = new Settings(view.page.about, { level: "beginner", firsts: FIRSTS });
    this.needs = select(Object.entries(NEEDS), "any", { id: "play-needs", onchange: () => view.start() });
    const labels = Object.entries(GUESSES).map(([name, { label }]) => /** @type {[string, string]} */ ([name, label]));
    this.guesses = select(labels, "never", { id: "play-guesses", onchange: () => view.start() });
    this.meaning = h("p", { class: "note meaning" });
    this.mines = h("strong", {});
    this.clock = h("strong", { class: "clock" });
    this.flag = toggle("Flag", () => press(this.flag), {
      id: "play-flagging",
      title: "A tap or the left button flags cells",
    });
    this.risks = toggle("Risks", () => view.aids.toggle(this.risks, this.advice), {
      id: "play-risks",
      title: "Show how likely a mine is, on every covered cell",
    });
    this.advice = toggle("Advice", () => view.aids.toggle(this.advice, this.risks), {
      id: "play-advice",
      title: "Show the best cells, chances to win, dead cells, and guesses that you cannot avoid",
    });
    this.undo = button("Undo", () => view.undo(), { id: "play-undo" });
    this.hint = button("Hint", () => view.hint(), { id: "play-hint" });
    this.safe = button("Safe cells", () => view.openSafe(), {
      id: "play-safe",
      title: "Open all cells that are safe now",
    });
    this.warn = option("play-warn", "Warn me before a risky move while a safe cell exists");
    this.auto = option("play-auto", "Make moves that single numbers settle by themselves", {
      onchange: () => view.settleTrivial(),
    });
    this.message = h("p", { class: "lead" });
    this.cancel = button("Cancel", () => view.dealing.cancel(), { class: "link", hidden: true, id: "play-cancel" });
    this.reopen = button("Review", () => this.openReview(), { class: "link", hidden: true, id: "play-review" });
    this.rated = h("p", { class: "note rated", "aria-live": "polite" });
    this.rate = button("Does this board need a guess?", () => view.rate(), {
      class: "link",
      hidden: true,
      id: "play-rate",
      title: "The answer is help: the game sets no record then",
    });
    /** What stands above the board, but for the bar of a game. @type {HTMLElement[]} */
    this.above = [];
    this.bar = fading(
      h(
        "div",
        { class: "bar playing" },
        h("span", { class: "counter" }, "Mines left ", this.mines),
        h("span", { class: "counter" }, "Time ", this.clock),
        this.flag,
        this.undo,
        this.hint,
        this.safe,
        this.risks,
        this.advice,
      ),
    );
    this.status = h("div", { class: "status" }, this.message, this.cancel, this.reopen);
    this.said = h("div", { class: "told" });
    this.sheet = new Sheet({ label: "Help", contents: [this.said], onClose: () => view.closed() });
  }

  /** The elements of the view. @param {HTMLElement} card what is kept of earlier games */
  elements(card) {
    const { view } = this;
    const form = this.settings.form("play", () => view.start(), {
      beside: [field("Luck", this.needs), field("Guesses", this.guesses)],
    });
    this.above.push(form, this.meaning);
    return [
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "play-title", class: "unseen" }, "Play"),
        ...this.above,
        this.bar,
        this.status,
        view.board.element,
        view.ending.best.transport.element,
        this.rated,
        this.rate,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Your game" },
        this.sheet.element,
        card,
        h("section", { class: "card options" }, this.warn.element, this.auto.element, buttonChoices()),
        h(
          "section",
          { class: "card" },
          h(
            "div",
            { class: "row" },
            view.shareButton,
            button("Open in Solve", () => view.solve(), { id: "play-solve" }),
            view.pictureButton(),
          ),
        ),
      ),
    ];
  }

  /** @param {boolean} boardFirst */
  arrange(boardFirst) {
    const { above, bar, status, view } = this;
    const board = view.board.element;
    const shown = [board, view.ending.best.transport.element];
    arrange(board, boardFirst ? [bar, ...shown, ...above, status] : [...above, bar, status, ...shown]);
  }

  /** The rule about guesses; numbers that may be wrong have none. */
  get rule() {
    return this.guesses.disabled ? "never" : this.guesses.value;
  }

  /** Say what the rule about guesses means. @param {boolean} exact the numbers are true */
  showRule(exact) {
    this.guesses.disabled = !exact;
    this.meaning.textContent = this.rule === "never" ? "" : GUESSES[this.rule].says;
    this.meaning.hidden = this.rule === "never";
    this.guesses.title = GUESSES[this.rule].says;
  }

  /** Show a message above the board, and announce it. @param {Sentence} sentence */
  tell(sentence) {
    const { board } = this.view;
    const words = said(sentence, board);
    this.message.replaceChildren(...told(sentence, board));
    this.message.title = words;
    announce(words);
  }

  /** Show elements in the sheet; without any, close it. @param {...any} contents */
  say(...contents) {
    this.said.replaceChildren(...(contents.length ? contents : [h("p", { class: "note welcome" }, WELCOME)]));
    this.reopen.hidden = true;
    if (contents.length) this.sheet.open();
    else this.sheet.close();
  }

  openReview() {
    this.sheet.open();
    this.reopen.hidden = true;
  }

  release() {
    for (const one of [this.risks, this.advice]) press(one, false);
  }

  /** Show how a game stands. @param {import("./game.js").Game | null} game */
  show(game) {
    this.mines.textContent = game ? String(game.over === "won" ? 0 : game.total - game.flags) : "";
    this.undo.disabled = !game?.moves.length;
    this.rate.hidden = !this.view.hidesNeeds;
    for (const one of [this.hint, this.safe, this.risks, this.advice]) one.disabled = !game || Boolean(game.over);
  }

  /** @param {number} seconds */
  showTime(seconds) {
    this.clock.textContent = timeText(seconds);
  }
}
