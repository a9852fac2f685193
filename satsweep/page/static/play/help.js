// @ts-check
// What the sheet of Play shows: a hint in steps, a warning, advice, or the end of the game.

import { button, h } from "../basics/dom.js";
import { adviceList } from "../shared/advice.js";
import { placesOf, told } from "../words/places.js";

const WELCOME = "Hints, warnings and the review of your game are shown here.";

/** @typedef {import("./state.js").PlayState} PlayState */

export class Help {
  /** What is shown. @type {PlayState["says"]} */
  says = null;

  /**
   * `ended` is the element of a finished game. `onMore` is called for the next step of a hint, `onSafe` for the safe cell of a
   * warning, `onOpen` for the move that it warns of, `onDismiss` to do neither, `onPoint` with cells of advice.
   * @param {{
   *   board: import("../board/board.js").Board, ended: HTMLElement, onMore: () => void, onSafe: (cell: Cell) => void,
   *   onOpen: (warning: import("./state.js").Warning) => void, onDismiss: () => void, onPoint: (cells: Cell[]) => void,
   * }} how
   */
  constructor(how) {
    this.how = how;
    this.steps = h("ol", { class: "hint-steps" });
    this.more = button("", how.onMore, { class: "main", id: "play-more" });
    this.hint = h("div", { class: "hint" }, h("h2", {}, "Hint"), this.steps, h("div", { class: "row" }, this.more));
    this.element = h("div", { class: "told" }, this.#contents(null));
  }

  /** Show what there is to say; true if it is another thing than before. @param {PlayState} state */
  draw({ says, help }) {
    const isOther = says !== this.says;
    this.says = says;
    if (isOther) this.element.replaceChildren(...this.#contents(says));
    if (help?.kind === "hint") this.#drawHint(help);
    return isOther;
  }

  /** @param {PlayState["says"]} says @returns {HTMLElement[]} */
  #contents(says) {
    if (!says) return [h("p", { class: "note welcome" }, WELCOME)];
    if ("steps" in says) return [this.hint];
    if ("risky" in says) return [this.#warning(says)];
    return "won" in says ? [this.how.ended] : this.#advice(says);
  }

  /** @param {import("./state.js").Hint} hint */
  #drawHint({ found: { steps }, told: count }) {
    const { board } = this.how;
    this.steps.replaceChildren(...steps.slice(0, count).map((step) => h("li", {}, told(step.text, board))));
    const isWhole = count >= steps.length;
    this.more.textContent = isWhole ? "Open it" : "Tell me more";
    this.more.hidden = isWhole && !steps.at(-1)?.action;
    this.more.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("./state.js").Warning} warning */
  #warning(warning) {
    const { board, onDismiss, onOpen, onSafe } = this.how;
    const { best, odds, risky, safe } = warning;
    const risk = odds.exact === "1" ? "is certainly a mine" : `has ${odds.percent} risk`;
    const others = safe === 1 ? "one cell is safe" : `${safe.toLocaleString("en")} cells are safe`;
    return h(
      "div",
      { class: "warning", role: "alert" },
      h("p", {}, h("strong", {}, placesOf(board, [board.place(risky[0])]), ` ${risk}`), `, and ${others}.`),
      h(
        "div",
        { class: "row" },
        button("Show a safe cell", () => onSafe(best), { class: "main" }),
        button("Open it anyway", () => onOpen(warning), { class: "danger" }),
        button("Cancel", onDismiss),
      ),
    );
  }

  /** @param {Advice} advice */
  #advice(advice) {
    const { board, onPoint } = this.how;
    return [h("p", { class: "advised" }, told(advice.sentence, board)), ...adviceList(board, advice, onPoint)];
  }
}
