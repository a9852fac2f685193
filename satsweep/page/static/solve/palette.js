// @ts-check
// The symbols that can be drawn on a board, as a group of radio buttons, and whether numbers follow mines.

import { button, h } from "../basics/dom.js";
import { symbolOf } from "../basics/position.js";
import { largest, PEN } from "./drawing.js";

/** @typedef {[symbol: string, label: string, title: string, text?: string, look?: string]} Tool */

const EXPLAIN = ""; // draw nothing
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
/** @type {Tool[]} */
const FIRST = [
  [EXPLAIN, "Explain", "click a covered cell for its reason; nothing is drawn", "Explain", "named"],
  [PEN, "Draw", "left: open or cover; right: a mine; wheel: the number", "Draw", "named"],
  ["#", "Draw covered", "covered", "", "covered"],
  [".", "Draw empty", "empty"],
];
/** @type {Tool[]} */
const LAST = [
  ["?", "Draw open, shows nothing", "open, shows nothing", "?"],
  ["*", "Draw a mine", "a mine", "", "mine"],
  ["F", "Draw a flag", "a flag", "", "flag"],
];
/** @param {number} number @returns {Tool} */
const drawing = (number) => [symbolOf(number), `Draw ${number}`, `${number}`, `${number}`, `n${number}`];

export class Palette {
  element = h("div", { class: "palette", role: "radiogroup", "aria-label": "Draw" });

  /** @param {{ pick: (tool: string | null) => void, follow: (on: boolean) => void }} how */
  constructor({ pick, follow }) {
    this.pick = pick;
    this.box = h("input", { type: "checkbox", id: "solve-follow", onchange: () => follow(this.box.checked) });
    this.follow = h(
      "div",
      { class: "check", title: "Drawing or removing a mine changes the numbers around it" },
      this.box,
      h("label", { for: this.box.id }, "Numbers follow mines"),
    );
  }

  /** Show which tool is chosen, of those for the grid. @param {import("./state.js").SolveState} state */
  draw({ follow, geometry, tool }) {
    this.box.checked = follow;
    const numbers = Array.from({ length: largest(geometry?.most ?? 0) }, (_, at) => drawing(at + 1));
    const tools = [...FIRST, ...numbers, ...LAST];
    if (tools.length !== this.element.childElementCount)
      this.element.replaceChildren(...tools.map((one) => this.#tool(one)));
    for (const one of this.#tools()) {
      const on = one.dataset.symbol === (tool ?? EXPLAIN);
      one.setAttribute("aria-checked", String(on));
      one.tabIndex = on ? 0 : -1;
    }
  }

  /** @param {Tool} tool */
  #tool([symbol, label, title, text = "", look = ""]) {
    return button(text, () => this.pick(symbol || null), {
      role: "radio",
      "aria-label": label,
      title,
      class: `tool ${look}`,
      "data-symbol": symbol,
      onkeydown: (/** @type {any} */ event) => this.#step(event),
    });
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
}
