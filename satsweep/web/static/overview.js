// An overview map of a board that is larger than its frame: a pixel or more for each cell, and the part that is in sight.

import { h } from "./dom.js";
import { isCovered } from "./position.js";

export const TALL = 84; // pixels
const MOST_WIDE = 220; // pixels
const COLOURS = ["open", "open-line", "covered", "safe", "even", "mined", "best", "ink", "bad"];

export class Overview {
  constructor(board) {
    this.board = board;
    this.canvas = h("canvas");
    this.sight = h("i");
    this.element = h("div", { class: "overview", "aria-hidden": "true", hidden: true }, this.canvas, this.sight);
    this.due = 0;
    board.frame.addEventListener("scroll", () => this.#look(), { passive: true });
    const go = (event) => {
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
  fit(shown) {
    this.element.hidden = !shown;
    if (!shown) return;
    const { width, height } = this.board.geometry;
    this.scale = Math.min(TALL / height, MOST_WIDE / width);
    const sharp = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.scale * sharp);
    this.canvas.height = Math.round(height * this.scale * sharp);
    this.canvas.style.width = `${width * this.scale}px`;
    this.canvas.style.height = `${height * this.scale}px`;
    this.#look();
    this.redraw();
  }

  // Draw the map before the next frame, once for all cells that have changed.
  redraw() {
    if (this.element.hidden || this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      if (!this.element.hidden) this.#draw();
    });
  }

  #draw() {
    const { geometry, cells, marks } = this.board;
    const colour = {};
    for (const name of COLOURS) {
      this.sight.style.color = `var(--${name})`;
      colour[name] = getComputedStyle(this.sight).color;
    }
    this.sight.style.color = "";
    const context = this.canvas.getContext("2d");
    const scale = this.canvas.width / geometry.width;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const { middles, wide, high } = geometry;
    const block = (index, name, more = 0) => {
      context.fillStyle = colour[name];
      const [across, down] = [scale * (wide + more), scale * (high + more)];
      context.fillRect(
        scale * middles[2 * index] - across,
        scale * middles[2 * index + 1] - down,
        2 * across,
        2 * down,
      );
    };
    for (let index = 0; index < cells.length; index++) block(index, shade(this.board.look(index)));
    for (const [index, mark] of marks) {
      const name = mark.includes("bad")
        ? "bad"
        : mark.includes("best")
          ? "best"
          : mark.includes("target")
            ? "ink"
            : null;
      if (name) block(index, name, 2 * wide);
    }
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

// The colour of a cell on the map, by its look.
function shade({ symbol, heat }) {
  if (symbol === "*") return "mined";
  if (!isCovered(symbol)) return symbol === "." ? "open" : "open-line";
  if (heat === undefined || heat === null) return "covered";
  return heat === 0 ? "safe" : heat === 1 ? "mined" : heat < 0.5 ? "covered" : "even";
}
