// @ts-check
// A board as a grid of elements in the places that the server gives, for pointers, keys and screen readers.
//
// Each cell is drawn by its look (look.js). Only cells whose look changes are touched, so that a move on a board of ten
// thousand cells takes no longer than one on a hundred.

import { $, h, iconButton, isNarrow, svgOf } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { inWords, isCovered, numberOf } from "../basics/position.js";
import { counting, place, placeInFull } from "../words/places.js";
import { isFull, toggleFull } from "./full.js";
import { begin, classOf } from "./heat.js";
import { letInput } from "./input.js";
import { letZoom } from "./zoom.js";

const TEXT_FROM = 10; // cells smaller than this, in pixels, show no text
const PADDING = 2; // pixels around the board in its frame (style.css)
const AT_FIRST = 9; // the least pixels of a cell with which a narrow window shows all columns
const READABLE = 15;
const SMALL = 20; // cells smaller than this have larger text for their size
const [SMALLEST, LARGEST] = [4, 90]; // pixels of a cell
const MANY = 600; // a board of more cells has an overview map when it is larger than its frame
const AT_ONCE = 2000; // cells that are drawn before the next frame, in sight or not
const SLICE = 8; // milliseconds of drawing cells that are not in sight, between two of other work
const OVERHANG = 1.25; // how much larger
const TALL = 84; // pixels of the height of this map
/** @type {Record<string, string>} */
const MARKS = {
  target: "this cell",
  clue: "part of the reason",
  bad: "part of the contradiction",
  good: "safe",
  best: "best move",
  region: "look here",
  last: "last move",
  dead: "tells nothing new",
  toss: "part of a guess that cannot be avoided",
};

/** @typedef {import("./look.js").Look} Look */

export class Board {
  /** Factor on the size at which the board fits. */
  zoom = 1;
  /** Pixels for one unit of the geometry. */
  unit = 1;
  /** True if cells are too small for text. */
  tiny = false;
  /** @type {Geometry} */
  geometry = /** @type {any} */ (null);
  rows = 0;
  cols = 0;
  /** The elements of the cells. @type {HTMLElement[]} */
  cells = [];
  /** What was drawn last for each cell, so that nothing is drawn twice. @type {string[]} */
  looks = [];
  /** The text of each cell, shown where cells are large enough. @type {string[]} */
  texts = [];
  /** The marks of cells, separated by blanks. @type {Map<number, string>} */
  marks = new Map();
  /** Cells that light up, since the user points at their names. @type {Set<number>} */
  lit = new Set();
  /** Covered cells that look pressed, since a button is down that opens them. @type {Set<number>} */
  sunk = new Set();
  /** The cell that has the focus, or would get it. */
  current = 0;
  /** The symbol that pointers paint; null if they do not. @type {string | null} */
  painting = null;
  /** The frame, or the timer, after which the cells that are not in sight are drawn. */
  later = 0;
  rest = 0;
  /** The overview map; loaded when a board is first larger than its frame. @type {import("./map.js").Overview | null} */
  overview = null;
  /** Aborted when the board is gone: all that listens beyond its own elements ends then. */
  ends = new AbortController();
  /** The share of a narrow window's height that the board may take; as much as there is if null. @type {number | null} */
  share = null;

  /**
   * `look` is how a cell is drawn, `tip` the contents of its tooltip or null. Sizes of cells (least, roomy, most) and
   * `below`, the room to leave under the board, are in pixels.
   * @param {{
   *   label: string,
   *   look: (index: number) => Look,
   *   tip?: (index: number) => any[] | null,
   *   on?: import("./pointers.js").Actions,
   *   least?: number,
   *   roomy?: number,
   *   most?: number,
   *   below?: number,
   * }} options
   */
  constructor({ label, look, tip = () => null, on = {}, least = 22, roomy = 30, most = 46, below = 60 }) {
    begin();
    this.look = look;
    this.tip = tip;
    this.on = on;
    this.below = below;
    this.least = matchMedia("(pointer: coarse)").matches ? Math.max(least, roomy) : least;
    this.most = most;
    this.grid = h("div", { class: "grid", role: "grid", "aria-label": label });
    this.frame = h("div", { class: "frame" }, this.grid);
    const zoom = (/** @type {string} */ name, /** @type {string} */ said, /** @type {number} */ factor) =>
      iconButton(name, said, () => this.zoomBy(factor), { class: "quiet round" });
    this.sizes = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Size" },
      zoom("minus", "Smaller", 1 / 1.25),
      zoom("fit", "Fit", 0),
      zoom("plus", "Larger", 1.25),
      iconButton("full", "Full screen", toggleFull, { class: "quiet round" }),
    );
    this.element = h("div", { class: "board" }, this.frame, this.sizes);
    letInput(this);
    letZoom(this);
    const { signal } = this.ends;
    const onCounting = () => {
      this.#number();
      this.looks.fill("");
      this.drawAll();
    };
    window.addEventListener("counting", onCounting, { signal });
    window.addEventListener("resize", () => this.fit(), { signal });
    const sizes = new ResizeObserver(() => this.fit());
    sizes.observe(this.frame);
    signal.addEventListener("abort", () => {
      sizes.disconnect();
      this.#stopDrawing();
    });
  }

  /** The board is shown no more. */
  destroy() {
    this.ends.abort();
    this.element.remove();
  }

  #stopDrawing() {
    cancelAnimationFrame(this.later);
    clearTimeout(this.rest);
  }

  /** @param {string} text */
  set label(text) {
    this.grid.setAttribute("aria-label", text);
  }

  /**
   * Replace the cells, unless the board has the same shape already.
   * @param {Geometry} geometry
   * @param {number} rows
   * @param {number} cols
   */
  shape(geometry, rows, cols) {
    if (this.geometry === geometry && this.rows === rows && this.cols === cols) return;
    Object.assign(this, { geometry, rows, cols });
    this.cells = [];
    this.looks = Array(rows * cols).fill("");
    this.texts = Array(rows * cols).fill("");
    this.marks = new Map();
    this.lit = new Set();
    this.sunk = new Set();
    this.current = Math.min(this.current, rows * cols - 1);
    this.zoom = 1;
    this.grid.className = `grid ${geometry.shape}`;
    this.grid.setAttribute("aria-rowcount", String(rows));
    this.grid.setAttribute("aria-colcount", String(cols));
    const ground = svgOf(geometry.ground, geometry.width, geometry.height);
    ground.setAttribute("class", "ground");
    ground.setAttribute("aria-hidden", "true");
    const lines = [];
    const { middles, wide, high } = geometry;
    for (let row = 0; row < rows; row++) {
      const line = h("div", { role: "row", class: "line", "aria-rowindex": row + 1 });
      // A row is a box around its cells, so that the browser leaves out the rows that are not in sight.
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let index = row * cols; index < (row + 1) * cols; index++) {
        left = Math.min(left, middles[2 * index] - wide);
        right = Math.max(right, middles[2 * index] + wide);
        top = Math.min(top, middles[2 * index + 1] - high);
        bottom = Math.max(bottom, middles[2 * index + 1] + high);
      }
      line.style.left = `calc(${left} * var(--u))`;
      line.style.top = `calc(${top} * var(--u))`;
      line.style.width = `calc(${right - left} * var(--u))`;
      line.style.height = `calc(${bottom - top} * var(--u))`;
      for (let col = 0; col < cols; col++) {
        const index = row * cols + col;
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.setAttribute("aria-colindex", String(col + 1));
        cell.dataset.i = String(index);
        cell.tabIndex = index === this.current ? 0 : -1;
        const [x, y] = [middles[2 * index] - wide - left, middles[2 * index + 1] - high - top];
        cell.style.left = `calc(${x} * var(--u))`;
        if (y) cell.style.top = `calc(${y} * var(--u))`;
        this.cells.push(cell);
        line.append(cell);
      }
      lines.push(line);
    }
    this.grid.replaceChildren(ground, ...lines);
    this.grid.style.setProperty("--wide", String(geometry.wide));
    this.grid.style.setProperty("--high", String(geometry.high));
    this.#number();
    this.fit();
  }

  // Number rows and columns as the user counts them.
  #number() {
    for (const text of this.grid.querySelectorAll(".axis text")) {
      const number = /** @type {any} */ (text);
      number.fromZero ??= Number(text.textContent);
      text.textContent = String(number.fromZero + counting.first);
    }
  }

  fit() {
    if (!this.geometry || !this.frame.clientWidth) return;
    const { width, height, side } = this.geometry;
    const top = this.frame.getBoundingClientRect().top + window.scrollY;
    const narrow = isNarrow();
    const { innerHeight } = window;
    const share = this.share === null ? Math.max(0.6 * innerHeight, innerHeight - top) : this.share * innerHeight;
    const left = narrow ? share : innerHeight - top - this.below;
    let room = Math.max(left, 300);
    const across = (this.frame.clientWidth - 2 * PADDING) / width;
    const whole = Math.min(across, room / height);
    // A board of few cells scrolls before it becomes too small to read; in a narrow window not sideways at first.
    const readable = this.cells.length <= 1000 && !narrow ? Math.max(this.least, READABLE) : this.least;
    const least = narrow && across * side >= AT_FIRST ? Math.min(across * side, readable) : readable;
    const most = isFull() ? LARGEST : this.most;
    const chosen = kept.get("settings-cells");
    const unit = chosen === "fit" ? Math.min(Math.max(whole, least / side), most / side) : Number(chosen) / side;
    this.unit = Math.min(Math.max(unit * this.zoom, SMALLEST / side), LARGEST / side);
    this.zoom = this.unit / unit;
    const mapped = this.cells.length > MANY && this.unit > OVERHANG * whole;
    if (mapped) room = Math.max(room - TALL, 300);
    this.grid.style.setProperty("--u", `${this.unit.toFixed(4)}px`);
    this.grid.style.width = `${(width * this.unit).toFixed(1)}px`;
    this.grid.style.height = `${(height * this.unit).toFixed(1)}px`;
    const tiny = side * this.unit < TEXT_FROM;
    this.grid.classList.toggle("tiny", tiny);
    this.grid.classList.toggle("small", side * this.unit < SMALL);
    if (tiny !== this.tiny) {
      this.tiny = tiny;
      this.cells.forEach((cell, index) => {
        cell.textContent = tiny ? "" : this.texts[index];
      });
    }
    this.frame.style.maxHeight = `${room + 4}px`;
    if (this.overview) this.overview.fit(mapped);
    else if (mapped) this.#map().catch(() => {}); // a board can do without
  }

  async #map() {
    const { Overview } = await import("./map.js");
    if (this.overview) return;
    this.overview = new Overview(this, TALL);
    this.sizes.prepend(this.overview.element);
    this.fit();
  }

  /**
   * Zoom by a factor (0: to fit). The cell at these coordinates of the window, or else in the middle, stays there.
   * @param {number} factor
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomBy(factor, x, y) {
    const frame = this.frame.getBoundingClientRect();
    const before = this.grid.getBoundingClientRect();
    const [left, top] = [x ?? frame.left + frame.width / 2, y ?? frame.top + frame.height / 2];
    const [across, down] = [(left - before.left) / this.unit, (top - before.top) / this.unit];
    this.zoom = factor ? this.zoom * factor : 1;
    this.fit();
    const after = this.grid.getBoundingClientRect();
    this.frame.scrollBy(across * this.unit - (left - after.left), down * this.unit - (top - after.top));
  }

  /**
   * @param {number} index
   * @returns {Cell}
   */
  place(index) {
    return [Math.floor(index / this.cols), index % this.cols];
  }

  // The name of a cell, as the user counts.
  coordinates(/** @type {number} */ index) {
    return place(this.place(index));
  }

  /** @param {Cell} cell */
  index([row, col]) {
    return row * this.cols + col;
  }

  /** @param {Cell[] | null | undefined} cells */
  indices(cells) {
    // Some may be unseen ones around a part of a larger board.
    const isHere = (/** @type {Cell} */ [row, col]) => row >= 0 && col >= 0 && row < this.rows && col < this.cols;
    return (cells ?? []).filter(isHere).map((cell) => this.index(cell));
  }

  // The name of a cell in full.
  name(/** @type {number} */ index) {
    return placeInFull(this.place(index));
  }

  // Draw all cells; of a large board first those in sight, the others after the next frame.
  drawAll() {
    this.#stopDrawing();
    const all = this.cells.keys();
    if (this.cells.length <= AT_ONCE) {
      for (const index of all) this.draw(index);
      return;
    }
    const isInSight = this.#sight();
    /** @type {number[]} */
    const left = [];
    for (const index of all) {
      if (isInSight(index)) this.draw(index);
      else left.push(index);
    }
    this.later = requestAnimationFrame(() => this.#drawRest(left));
  }

  // Draw a part of these cells after the frame, then the others.
  #drawRest(/** @type {number[]} */ left) {
    this.rest = window.setTimeout(() => {
      const end = performance.now() + SLICE;
      while (left.length && performance.now() < end) for (const index of left.splice(-100)) this.draw(index);
      if (left.length) this.#drawRest(left);
    });
  }

  // A test whether a cell is in the part of the board that its frame shows.
  #sight() {
    const { frame, unit } = this;
    const { middles, wide, high } = this.geometry;
    const [left, top] = [frame.scrollLeft / unit - wide, frame.scrollTop / unit - high];
    const right = left + 2 * wide + frame.clientWidth / unit;
    const bottom = top + 2 * high + frame.clientHeight / unit;
    return (/** @type {number} */ index) => {
      const [x, y] = [middles[2 * index], middles[2 * index + 1]];
      return x > left && x < right && y > top && y < bottom;
    };
  }

  /** @param {number} index */
  draw(index) {
    const look = this.look(index);
    const marks = this.marks.get(index) ?? "";
    const key = `${look.symbol}|${look.heat ?? ""}|${look.text ?? ""}|${look.label ?? ""}|${look.extra ?? ""}|${marks}|${this.lit.has(index)}|${this.sunk.has(index)}`;
    if (this.looks[index] === key) return;
    this.looks[index] = key;
    this.overview?.redraw();
    const cell = this.cells[index];
    const number = numberOf(look.symbol);
    const kinds = ["cell"];
    if (isCovered(look.symbol)) kinds.push("covered");
    else kinds.push("open");
    if (number > 0) kinds.push(`n${Math.min(number, 9)}`);
    if (look.symbol === "*") kinds.push("mine");
    if (look.symbol === "F") kinds.push("flag");
    if (look.heat !== undefined && look.heat !== null) {
      kinds.push("hot", classOf(look.heat));
      if (look.heat === 0) kinds.push("safe");
      if (look.heat === 1) kinds.push("sure");
    }
    if (look.extra) kinds.push(look.extra);
    if (marks) kinds.push(marks);
    if (this.lit.has(index)) kinds.push("lit");
    if (this.sunk.has(index)) kinds.push("sunk");
    cell.className = kinds.join(" ");
    const text = look.text ?? (number > 0 ? String(number) : look.symbol === "?" ? "?" : "");
    if (text !== this.texts[index]) {
      this.texts[index] = text;
      // Text too small to read only costs time.
      if (!this.tiny) cell.textContent = text;
    }
    const spoken = Object.keys(MARKS)
      .filter((mark) => marks.split(" ").includes(mark))
      .map((mark) => MARKS[mark]);
    cell.setAttribute("aria-label", [this.name(index), look.label ?? inWords(look.symbol), ...spoken].join(", "));
  }

  /**
   * Mark cells: `marked` has the indices for each of MARKS. Earlier marks are removed.
   * @param {Record<string, number[] | undefined>} [marked]
   */
  mark(marked = {}) {
    const marks = new Map();
    for (const [mark, indices] of Object.entries(marked)) {
      for (const index of indices ?? []) marks.set(index, marks.has(index) ? `${marks.get(index)} ${mark}` : mark);
    }
    const touched = new Set([...this.marks.keys(), ...marks.keys()]);
    this.marks = marks;
    for (const index of touched) if (index < this.cells.length) this.draw(index);
  }

  // Let cells light up, and no others.
  light(/** @type {number[]} */ indices) {
    const touched = new Set([...this.lit, ...indices]);
    this.lit = new Set(indices);
    for (const index of touched) if (index < this.cells.length) this.draw(index);
  }

  // Let cells look pressed, and no others.
  sink(/** @type {number[]} */ indices) {
    const touched = new Set([...this.sunk, ...indices]);
    this.sunk = new Set(indices);
    for (const index of touched) if (index < this.cells.length) this.draw(index);
  }

  /**
   * @param {number} index
   * @param {{ quietly?: boolean }} [how]
   */
  focus(index, { quietly = false } = {}) {
    if (!this.cells.length) return;
    this.cells[this.current].tabIndex = -1;
    this.current = index;
    this.cells[index].tabIndex = 0;
    if (!quietly) this.cells[index].focus({ preventScroll: false });
  }

  // Scroll a cell into view if the board is larger than its frame.
  show(/** @type {number} */ index) {
    const { frame } = this;
    if (frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight) return;
    const cell = this.cells[index];
    const line = /** @type {HTMLElement} */ (cell.parentElement);
    const [x, y] = [cell.offsetLeft + line.offsetLeft, cell.offsetTop + line.offsetTop];
    const margin = 3 * cell.offsetWidth;
    const inside =
      x > frame.scrollLeft + margin &&
      x < frame.scrollLeft + frame.clientWidth - margin &&
      y > frame.scrollTop + margin &&
      y < frame.scrollTop + frame.clientHeight - margin;
    if (!inside) frame.scrollTo({ left: x - frame.clientWidth / 2, top: y - frame.clientHeight / 2 });
  }

  // Show the tooltip of a cell, or none; true if there is one.
  showTip(/** @type {number | null} */ index) {
    const tip = $("tip");
    const contents = index === null ? null : this.tip(index);
    tip.hidden = !contents;
    if (index === null || !contents) return false;
    tip.replaceChildren(...contents);
    const cell = this.cells[index].getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(Math.max(6, cell.left + cell.width / 2 - width / 2), innerWidth - width - 6);
    const above = cell.top - height - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 4 ? above : cell.bottom + 8}px`;
    return true;
  }
}
