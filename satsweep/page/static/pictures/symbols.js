// @ts-check
// The symbols that a cell may get, in a small menu beside it.

import { button, h } from "../basics/dom.js";
import { inWords, numberOf } from "../basics/position.js";
import { shareText } from "./state.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const GAP = 6; // pixels between the cell and the menu
/** @type {Record<string, string>} */
const CLASSES = { "#": "covered", "*": "mine", F: "flag" };

export class SymbolMenu {
  /** @param {{ onPick: (symbol: string) => void, onClose: () => void }} on */
  constructor({ onPick, onClose }) {
    this.onPick = onPick;
    this.element = h("div", {
      class: "symbols",
      role: "menu",
      popover: "auto",
      "aria-label": "What this cell is",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      ontoggle: (/** @type {ToggleEvent} */ event) => {
        if (event.newState === "closed") onClose();
      },
    });
  }

  /** Open it at a cell. @param {HTMLElement} cell @param {import("./state.js").Choice[]} choices @param {string} current */
  open(cell, choices, current) {
    this.element.replaceChildren(...choices.map((choice) => this.#item(choice, choice.symbol === current)));
    this.element.showPopover();
    const [at, own] = [cell.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const left = Math.min(Math.max(GAP, at.left + (at.width - own.width) / 2), innerWidth - own.width - GAP);
    const below = at.bottom + GAP;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${below + own.height < innerHeight ? below : Math.max(GAP, at.top - own.height - GAP)}px`;
    this.#items()[0].focus({ preventScroll: true });
  }

  close() {
    this.element.hidePopover();
  }

  /** @param {import("./state.js").Choice} choice @param {boolean} isCurrent */
  #item({ symbol, share }, isCurrent) {
    const number = numberOf(symbol);
    const said = share === null ? inWords(symbol) : `${inWords(symbol)}, ${shareText(share)}`;
    const kind = `tool ${CLASSES[symbol] ?? ""}${number > 0 ? ` n${number}` : ""}`;
    return button(
      [
        h("span", { class: kind, "aria-hidden": "true" }, number > 0 ? symbol : ""),
        share === null ? null : h("small", { "aria-hidden": "true" }, shareText(share)),
      ],
      () => this.onPick(symbol),
      {
        role: "menuitemradio",
        "aria-checked": String(isCurrent),
        "aria-label": said,
        title: said,
        class: share === null ? "choice-of-symbol" : "choice-of-symbol read",
        "data-symbol": symbol,
      },
    );
  }

  #items() {
    return /** @type {HTMLElement[]} */ ([...this.element.children]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const items = this.#items();
    const by = STEPS[event.key];
    if (by)
      items[(items.indexOf(/** @type {any} */ (document.activeElement)) + by + items.length) % items.length].focus();
    else if (event.key === "Tab") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
