// @ts-check
// Risks and advice on the board of Play: what the user sees of them, while their buttons are pressed.

import { isPressed, press } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { fraction } from "../basics/numbers.js";
import { isCovered } from "../basics/position.js";
import { lookOf } from "../board/look.js";
import { adviceList, marksOf, winLooks } from "../shared/advice.js";
import { told } from "../words/places.js";

/** How cells look. @typedef {Map<number, Partial<import("../board/look.js").Look>>} Looks */

export class Aids {
  /** The analysis whose risks are shown. @type {Analysis | null} */
  risks = null;
  /** How the advice makes cells look. @type {Looks | null} */
  wins = null;

  /** @param {import("./state.js").Desk & { coach: import("./coach.js").Coach, controls: import("./controls.js").PlayControls }} view */
  constructor(view) {
    this.view = view;
  }

  // Remove everything that is known or shown of the position before.
  forget() {
    this.risks = null;
    this.wins = null;
    this.view.coach.forget();
  }

  /**
   * @param {number} index
   * @param {string} symbol
   * @returns {import("../board/look.js").Look}
   */
  look(index, symbol) {
    const wins = symbol === "#" ? this.wins?.get(index) : null;
    return wins ? { symbol, ...wins } : lookOf(symbol, { odds: this.#odds(index) });
  }

  /** The risk of a cell, if risks are shown. @param {number} index */
  #odds(index) {
    return this.risks ? this.risks.odds[this.risks.cells[index]] : null;
  }

  /**
   * @param {number} index
   * @returns {any[] | null}
   */
  tip(index) {
    const { game, board } = this.view;
    if (!game || game.over || !isCovered(game.symbols[index])) return null;
    const odds = this.#odds(index);
    const parts = [odds && `risk ${fraction(odds.percent, odds.exact)}`, this.wins?.get(index)?.label];
    const known = parts.filter(Boolean).join(", ");
    return known ? [h("strong", {}, board.coordinates(index)), ` ${known}`] : null;
  }

  /**
   * Switch risks or advice on or off; one of them is shown at a time.
   * @param {HTMLElement} pressed
   * @param {HTMLElement} other
   */
  toggle(pressed, other) {
    const { view } = this;
    press(pressed);
    press(other, false);
    this.risks = null;
    this.wins = null;
    view.coach.hide();
    view.say();
    view.controls.message.textContent = "";
    view.board.drawAll();
    this.refresh();
  }

  // Show risks or advice, if the user wants that.
  refresh() {
    const { view } = this;
    const { risks, advice } = view.controls;
    if (!view.game?.dealt || view.over) return;
    if (isPressed(risks)) {
      view.coach.risks((/** @type {Analysis} */ answer) => {
        if (!isPressed(risks)) return;
        this.risks = answer;
        view.board.drawAll();
      });
    }
    if (isPressed(advice)) view.coach.advice((/** @type {Advice} */ found) => this.#showAdvice(found));
  }

  /** @param {Advice} advice */
  #showAdvice(advice) {
    const { board, coach, controls, sheet } = this.view;
    // A hint or a warning goes first.
    if (!isPressed(controls.advice) || coach.speaks) return;
    const mark = (/** @type {Cell[]} */ cells) =>
      board.mark({ ...marksOf(board, advice), target: board.indices(cells) });
    this.wins = looksOf(board, advice);
    board.drawAll();
    mark([]);
    controls.tell(advice.sentence);
    if (advice.kind === "safe" || !advice.candidates.length) return;
    controls.say(h("p", { class: "advised" }, told(advice.sentence, board)), ...adviceList(board, advice, mark));
    sheet.reveal(board, board.indices([advice.candidates[0].cell]));
  }
}

/**
 * How advice makes cells look: safe, or with their chance to win.
 * @param {import("../board/board.js").Board} board
 * @param {Advice} advice
 * @returns {Looks}
 */
function looksOf(board, advice) {
  if (advice.kind !== "safe") return winLooks(board, advice);
  return new Map(advice.candidates.map(({ cell }) => [board.index(cell), { heat: 0, text: "", label: "safe" }]));
}
