// @ts-check
// The symbols that can be drawn on a board, as a group of radio buttons.

import { button, h } from "../basics/dom.js";
import { numberOf, symbolOf } from "../basics/position.js";

export const PEN = "pen"; // the tool that opens and covers cells
const MIN_NUMBERS = 8; // numbers that are always offered
const EXPLAIN = ""; // draw nothing
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const NAMES = [
  ["#", "covered"],
  [".", "empty"],
  ["?", "open, shows nothing"],
  ["*", "a mine"],
  ["F", "a flag"],
];
/** @type {Record<string, string>} */
const CLASSES = { "#": " covered", "*": " mine", F: " flag" };

export class Palette {
  /** The symbol to draw; null for none. @type {string | null} */
  symbol = null;
  /** The buttons of the numbers, from 1 on. @type {HTMLElement[]} */
  numbers = [];

  /** @param {(symbol: string | null) => void} onPick gets the symbol to draw */
  constructor(onPick) {
    this.onPick = onPick;
    const [covered, empty, ...others] = NAMES.map(([symbol, name]) => this.#tool(symbol, `Draw ${name}`, name));
    this.afterNumbers = others[0];
    this.element = h(
      "div",
      { class: "palette", role: "radiogroup", "aria-label": "Draw" },
      this.#tool(EXPLAIN, "Explain", "click a covered cell for its reason; nothing is drawn"),
      this.#tool(PEN, "Draw", "left: open or cover; right: a mine; wheel: the number"),
      covered,
      empty,
      others,
    );
    this.offer(MIN_NUMBERS);
    this.pick(null);
  }

  /**
   * @param {string} symbol
   * @param {string} label
   * @param {string} title
   */
  #tool(symbol, label, title) {
    const number = symbol === PEN || symbol === EXPLAIN ? -1 : numberOf(symbol);
    const named = symbol === EXPLAIN || symbol === PEN;
    const text = named ? label : "#*F.".includes(symbol) ? "" : number > 0 ? title : symbol;
    return button(text, () => this.pick(symbol === EXPLAIN ? null : symbol), {
      role: "radio",
      "aria-label": label,
      title,
      class: `tool${named ? " named" : ""}${CLASSES[symbol] ?? ""}${number > 0 ? ` n${number}` : ""}`,
      "data-symbol": symbol,
      onkeydown: (/** @type {any} */ event) => this.#step(event),
    });
  }

  // Offer the numbers up to `most`, the most neighbours of a cell.
  offer(/** @type {number} */ most) {
    if (this.symbol?.length === 1 && numberOf(this.symbol) > Math.max(most, MIN_NUMBERS)) this.pick(null);
    while (this.numbers.length > Math.max(most, MIN_NUMBERS)) this.numbers.pop()?.remove();
    while (this.numbers.length < Math.max(most, MIN_NUMBERS)) {
      const number = this.numbers.length + 1;
      const tool = this.#tool(symbolOf(number), `Draw ${number}`, String(number));
      this.numbers.push(tool);
      this.afterNumbers.before(tool);
    }
  }

  // Arrow keys move from tool to tool, as in any group of radio buttons.
  #step(/** @type {any} */ event) {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    const all = this.#tools();
    const next = all[(all.indexOf(event.target) + by + all.length) % all.length];
    next.focus();
    next.click();
  }

  #tools() {
    return /** @type {HTMLElement[]} */ ([...this.element.children]);
  }

  pick(/** @type {string | null} */ symbol) {
    this.symbol = symbol;
    for (const tool of this.#tools()) {
      const on = tool.dataset.symbol === (symbol ?? EXPLAIN);
      tool.setAttribute("aria-checked", String(on));
      tool.tabIndex = on ? 0 : -1;
    }
    this.onPick(symbol);
  }
}
