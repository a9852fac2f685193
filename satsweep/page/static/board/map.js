// @ts-check
// An overview map of a board that is larger than its frame: a pixel or more for each cell, and the part that is in sight.

import { h } from "../basics/dom.js";
import { isCovered } from "../basics/position.js";
import { colourOf, shadeOf } from "./heat.js";

const DARK = "(prefers-color-scheme: dark)";
const MOST_WIDE = 220; // pixels
const LEAST = 3; // pixels of a certainly safe cell, which shows where to go on
/** Marks that the map shows, the most important first, and their colours. */
const MARKED = Object.entries({ bad: "var(--bad)", best: "var(--best)", target: "var(--ink)" });

/**
 * What the map shows of a board.
 * @typedef {{
 *   grid: HTMLElement, frame: HTMLElement, cells: HTMLElement[], marks: Map<number, string>, geometry: Geometry,
 *   unit: number, look: (index: number) => import("./look.js").Look,
 * }} Mapped
 */

export class Overview {
  /** The animation frame that will draw the map; 0 for none. */
  due = 0;
  /** The colours as they are computed, by their styles. @type {Map<string, string>} */
  computed = new Map();
  /** The theme in which they were. */
  theme = "";
  /** Pixels for one unit of the board's geometry. */
  scale = 1;

  /** @param {Mapped} board @param {number} tall pixels that the map may be high */
  constructor(board, tall) {
    this.board = board;
    this.tall = tall;
    this.canvas = h("canvas");
    this.sight = h("i");
    this.element = h("div", { class: "overview", "aria-hidden": "true", hidden: true }, this.canvas, this.sight);
    board.frame.addEventListener("scroll", () => this.#look(), { passive: true });
    const go = (/** @type {PointerEvent} */ event) => {
      if (!event.buttons) return;
      const box = this.canvas.getBoundingClientRect();
      const { grid, frame } = board;
      frame.scrollTo(
        ((event.clientX - box.left) / box.width) * grid.offsetWidth - frame.clientWidth / 2,
        ((event.clientY - box.top) / box.height) * grid.offsetHeight - frame.clientHeight / 2,
      );
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      go(event);
    });
    this.element.addEventListener("pointermove", go);
  }

  // Show or hide the map for the size that the board has now.
  fit(/** @type {boolean} */ shown) {
    this.element.hidden = !shown;
    if (!shown) return;
    const { width, height } = this.board.geometry;
    this.scale = Math.min(this.tall / height, MOST_WIDE / width);
    const sharp = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.scale * sharp);
    this.canvas.height = Math.round(height * this.scale * sharp);
    this.canvas.style.width = `${width * this.scale}px`;
    this.canvas.style.height = `${height * this.scale}px`;
    this.#look();
    this.redraw();
  }

  // Draw the map after the next frame, once for all cells that have changed.
  redraw() {
    if (this.element.hidden || this.due) return;
    this.due = requestAnimationFrame(() =>
      setTimeout(() => {
        this.due = 0;
        if (!this.element.hidden) this.#draw();
      }),
    );
  }

  #draw() {
    const { geometry, cells, marks } = this.board;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const { colorScheme } = getComputedStyle(this.board.grid);
    const theme = [colorScheme, matchMedia(DARK).matches, document.documentElement.dataset.skin].join();
    if (theme !== this.theme) this.computed.clear();
    this.theme = theme;
    const { computed } = this;
    const colour = (/** @type {string} */ css) => {
      const known = computed.get(css);
      if (known) return known;
      this.sight.style.color = css;
      const found = getComputedStyle(this.sight).color;
      computed.set(css, found);
      return found;
    };
    const scale = this.canvas.width / geometry.width;
    const sharp = window.devicePixelRatio || 1;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const { middles, wide, high } = geometry;
    const block = (/** @type {number} */ index, /** @type {string} */ css, least = 0) => {
      context.fillStyle = colour(css);
      const [across, down] = [wide, high].map((half) => Math.max(scale * half, (sharp * least) / 2));
      const [x, y] = [scale * middles[2 * index], scale * middles[2 * index + 1]];
      context.fillRect(x - across, y - down, 2 * across, 2 * down);
    };
    const safe = [];
    for (let index = 0; index < cells.length; index++) {
      const look = this.board.look(index);
      if (look.heat === 0) safe.push(index);
      else block(index, shade(look));
    }
    for (const [index, mark] of marks) {
      const found = MARKED.find(([name]) => mark.split(" ").includes(name));
      if (found) block(index, found[1], 3 * LEAST);
    }
    for (const index of safe) block(index, "var(--accent)", LEAST);
    this.sight.style.color = "";
  }

  // Outline the part of the board that its frame shows.
  #look() {
    if (this.element.hidden) return;
    const { frame, unit } = this.board;
    const scale = this.scale / unit;
    const style = this.sight.style;
    style.left = `${frame.scrollLeft * scale}px`;
    style.top = `${frame.scrollTop * scale}px`;
    style.width = `${Math.min(frame.clientWidth * scale, this.canvas.offsetWidth)}px`;
    style.height = `${Math.min(frame.clientHeight * scale, this.canvas.offsetHeight)}px`;
  }
}

/**
 * The colour of a cell on the map, as on the board.
 * @param {import("./look.js").Look} look
 */
function shade({ symbol, heat }) {
  if (symbol === "*") return "var(--mined)";
  if (!isCovered(symbol)) return symbol === "." ? "var(--open)" : "var(--open-line)";
  return heat === undefined || heat === null ? "var(--covered)" : colourOf(shadeOf(heat));
}
