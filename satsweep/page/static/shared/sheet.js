// @ts-check
// A sheet for what is said of a board. Beside a board it is a card. In a narrow window it lies at the bottom, over at most
// 30 % of the height, and can be dragged smaller or away; the page scrolls so that the cells it speaks of stay in sight.

import { h, iconButton, NARROW } from "../basics/dom.js";

const LEAST = 72; // pixels; a sheet dragged below this height closes
const SHARE = 0.3; // of the height of the window, at most (as in sheet.css)
const MARGIN = 12; // pixels between a cell and the edge of the room for it

export class Sheet {
  /**
   * `onClose` is called when the user closes the sheet.
   * @param {{ label: string, contents: HTMLElement[], onClose?: () => void }} options
   */
  constructor({ label, contents, onClose = () => {} }) {
    this.onClose = onClose;
    this.body = h("div", { class: "sheet-body" }, contents);
    this.grip = h(
      "div",
      { class: "grip" },
      h("i", { "aria-hidden": "true" }),
      iconButton("close", "Close", () => this.dismiss(), { class: "quiet round" }),
    );
    this.element = h("section", { class: "card sheet", "aria-label": label }, this.grip, this.body);
    this.narrow = matchMedia(NARROW);
    this.narrow.addEventListener("change", () => this.#settle());
    this.#settle();
    this.#drag();
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.covers) return;
      event.preventDefault();
      this.dismiss();
    });
  }

  open() {
    this.element.classList.add("raised");
    this.element.style.removeProperty("height");
    this.body.scrollTop = 0;
  }

  close() {
    this.element.classList.remove("raised");
  }

  dismiss() {
    this.close();
    this.onClose();
  }

  // True while the sheet lies over the page.
  get covers() {
    return this.narrow.matches && this.element.classList.contains("raised");
  }

  /**
   * Scroll the board and the page so that the first of these cells, and the others if there is room, can be seen.
   * @param {import("../board/board.js").Board} board
   * @param {number[]} cells
   */
  reveal(board, [first, ...others]) {
    if (first === undefined) return;
    board.show(first);
    const floor = (this.covers ? 1 - SHARE : 1) * window.innerHeight - MARGIN;
    const place = (/** @type {number} */ index) => board.cells[index].getBoundingClientRect();
    let { top, bottom } = place(first);
    for (const other of others) {
      const box = place(other);
      if (Math.max(bottom, box.bottom) - Math.min(top, box.top) > floor - MARGIN) continue;
      [top, bottom] = [Math.min(top, box.top), Math.max(bottom, box.bottom)];
    }
    if (top < MARGIN) window.scrollBy(0, top - MARGIN);
    else if (bottom > floor) window.scrollBy(0, bottom - floor);
  }

  // A part that scrolls can be reached with keys.
  #settle() {
    if (this.narrow.matches) this.body.tabIndex = 0;
    else this.body.removeAttribute("tabindex");
  }

  #drag() {
    /** @type {{ y: number, height: number } | null} */
    let from = null;
    this.grip.addEventListener("pointerdown", (/** @type {any} */ event) => {
      if (!this.covers || event.target.closest("button")) return;
      from = { y: event.clientY, height: this.element.offsetHeight };
      this.grip.setPointerCapture(event.pointerId);
    });
    this.grip.addEventListener("pointermove", (event) => {
      if (from) this.element.style.height = `${Math.max(0, from.height - (event.clientY - from.y))}px`;
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.grip.addEventListener(name, () => {
        if (from && this.element.offsetHeight < LEAST) this.dismiss();
        from = null;
      });
    }
  }
}
