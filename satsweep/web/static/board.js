// A board as a grid of elements in the places that the server gives, for pointers, keys and screen readers.
//
// Each cell is drawn by its look (look.js). Only cells whose look changes are touched, so that a move on a board of ten
// thousand cells takes no longer than one on a hundred.

import { $, h, iconButton, svgOf } from "./dom.js";
import { Overview, TALL } from "./overview.js";
import { inWords, isCovered, numberOf } from "./position.js";
import { letZoom } from "./zoom.js";

const LONG_PRESS = 430; // milliseconds
const MAX_DRIFT = 10; // a press that moves by more pixels is no long press
const TEXT_FROM = 11; // cells smaller than this, in pixels, show no text
const READABLE = 15;
const MANY = 600; // a board of more cells has an overview map when it is larger than its frame
const OVERHANG = 1.25; // how much larger
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
const geometries = new Map();
const SHADES = 48; // colours of risks; cells of one class cost the browser less than a colour for each cell

const shadeOf = (heat) => `heat-${Math.round(SHADES * heat)}`;

function shades() {
  const sheet = new CSSStyleSheet();
  for (let shade = 0; shade <= SHADES; shade++) {
    const heat = shade / SHADES;
    const [from, to, share] = heat <= 0.5 ? ["safe", "even", 2 * heat] : ["even", "mined", 2 * heat - 1];
    const colour = `color-mix(in oklab, var(--${to}) ${100 * share}%, var(--${from}))`;
    sheet.insertRule(`.heat-${shade} { --heat: ${colour}; }`);
  }
  return sheet;
}
document.adoptedStyleSheets.push(shades());

// The places of the cells of a board; the last answers are kept.
export async function geometryOf(connection, rows, cols, topology) {
  const key = `${rows} ${cols} ${topology}`;
  if (!geometries.has(key)) {
    if (geometries.size > 12) geometries.delete(geometries.keys().next().value);
    const asked = connection.ask("grid", { rows, cols, topology });
    geometries.set(key, asked);
    asked.catch(() => geometries.delete(key));
  }
  return geometries.get(key);
}

export class Board {
  // `look(index)` is the look of a cell, `tip(index)` the contents of its tooltip or null. `on` may have open(index),
  // flag(index), key(index, event), paint(index, first), turn(index, by) for the wheel while painting. Sizes of cells (least, roomy, most) and `below`, the room to
  // leave under the board, are in pixels.
  constructor({ label, look, tip = () => null, on = {}, least = 22, roomy = 30, most = 46, below = 60 }) {
    Object.assign(this, { look, tip, on, below });
    this.least = matchMedia("(pointer: coarse)").matches ? Math.max(least, roomy) : least;
    this.most = most;
    this.zoom = 1;
    this.cells = [];
    this.looks = [];
    this.texts = [];
    this.tiny = false;
    this.marks = new Map();
    this.current = 0;
    this.painting = null;
    this.stroke = null;
    this.grid = h("div", { class: "grid", role: "grid", "aria-label": label });
    this.frame = h("div", { class: "frame" }, this.grid);
    const zoom = (name, label, factor) => iconButton(name, label, () => this.zoomBy(factor), { class: "quiet round" });
    this.overview = new Overview(this);
    this.element = h(
      "div",
      { class: "board" },
      this.frame,
      h(
        "div",
        { class: "zoom", role: "group", "aria-label": "Size" },
        this.overview.element,
        zoom("minus", "Smaller", 1 / 1.25),
        zoom("fit", "Fit", 0),
        zoom("plus", "Larger", 1.25),
      ),
    );
    this.#listen();
    letZoom(this);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.frame);
  }

  set label(text) {
    this.grid.setAttribute("aria-label", text);
  }

  // Replace the cells, unless the board has the same shape already.
  shape(geometry, rows, cols) {
    if (this.geometry === geometry && this.rows === rows && this.cols === cols) return;
    Object.assign(this, { geometry, rows, cols });
    this.cells = [];
    this.looks = Array(rows * cols).fill("");
    this.texts = Array(rows * cols).fill("");
    this.marks = new Map();
    this.current = Math.min(this.current, rows * cols - 1);
    this.zoom = 1;
    this.grid.className = `grid ${geometry.shape}`;
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", cols);
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
        cell.setAttribute("aria-colindex", col + 1);
        cell.dataset.i = index;
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
    this.grid.style.setProperty("--wide", geometry.wide);
    this.grid.style.setProperty("--high", geometry.high);
    this.fit();
  }

  fit() {
    if (!this.geometry || !this.frame.clientWidth) return;
    const { width, height, side } = this.geometry;
    const top = this.frame.getBoundingClientRect().top + window.scrollY;
    const left =
      window.innerWidth > 1000 ? window.innerHeight - top - this.below : window.innerHeight * (this.share ?? 0.6);
    let room = Math.max(left, 300);
    // A board of few cells scrolls before it becomes too small to read.
    const least = this.cells.length <= 1000 && window.innerWidth > 1000 ? Math.max(this.least, READABLE) : this.least;
    const whole = Math.min(this.frame.clientWidth / width, room / height);
    const unit = Math.min(Math.max(whole, least / side), this.most / side);
    this.unit = Math.min(Math.max(unit * this.zoom, 4 / side), 90 / side);
    this.zoom = this.unit / unit;
    const mapped = this.cells.length > MANY && this.unit > OVERHANG * whole;
    if (mapped) room = Math.max(room - TALL, 300);
    this.grid.style.setProperty("--u", `${this.unit.toFixed(4)}px`);
    this.grid.style.width = `${(width * this.unit).toFixed(1)}px`;
    this.grid.style.height = `${(height * this.unit).toFixed(1)}px`;
    const tiny = side * this.unit < TEXT_FROM;
    this.grid.classList.toggle("tiny", tiny);
    if (tiny !== this.tiny) {
      this.tiny = tiny;
      this.cells.forEach((cell, index) => {
        cell.textContent = tiny ? "" : this.texts[index];
      });
    }
    this.frame.style.maxHeight = `${room + 4}px`;
    this.overview.fit(mapped);
  }

  // Zoom by a factor (0: to fit). The cell at these coordinates of the window, or else in the middle, stays there.
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

  place(index) {
    return [Math.floor(index / this.cols), index % this.cols];
  }

  coordinates(index) {
    return this.place(index).join(",");
  }

  index([row, col]) {
    return row * this.cols + col;
  }

  indices(cells) {
    return (cells ?? []).map((cell) => this.index(cell));
  }

  name(index) {
    const [row, col] = this.place(index);
    return `row ${row}, column ${col}`;
  }

  drawAll() {
    for (let index = 0; index < this.cells.length; index++) this.draw(index);
  }

  draw(index) {
    const look = this.look(index);
    const marks = this.marks.get(index) ?? "";
    const key = `${look.symbol}|${look.heat ?? ""}|${look.text ?? ""}|${look.label ?? ""}|${look.extra ?? ""}|${marks}`;
    if (this.looks[index] === key) return;
    this.looks[index] = key;
    this.overview.redraw();
    const cell = this.cells[index];
    const number = numberOf(look.symbol);
    const kinds = ["cell"];
    if (isCovered(look.symbol)) kinds.push("covered");
    else kinds.push("open");
    if (number > 0) kinds.push(`n${Math.min(number, 9)}`);
    if (look.symbol === "*") kinds.push("mine");
    if (look.symbol === "F") kinds.push("flag");
    if (look.heat !== undefined && look.heat !== null) {
      kinds.push("hot", shadeOf(look.heat));
      if (look.heat === 0) kinds.push("safe");
      if (look.heat === 1) kinds.push("sure");
    }
    if (look.extra) kinds.push(look.extra);
    if (marks) kinds.push(marks);
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

  // Mark cells: `marked` has the indices for each of MARKS. Earlier marks are removed.
  mark(marked = {}) {
    const marks = new Map();
    for (const [mark, indices] of Object.entries(marked)) {
      for (const index of indices ?? []) marks.set(index, marks.has(index) ? `${marks.get(index)} ${mark}` : mark);
    }
    const touched = new Set([...this.marks.keys(), ...marks.keys()]);
    this.marks = marks;
    for (const index of touched) if (index < this.cells.length) this.draw(index);
  }

  focus(index, { quietly = false } = {}) {
    if (!this.cells.length) return;
    this.cells[this.current].tabIndex = -1;
    this.current = index;
    this.cells[index].tabIndex = 0;
    if (!quietly) this.cells[index].focus({ preventScroll: false });
  }

  // Scroll a cell into view if the board is larger than its frame.
  show(index) {
    const { frame } = this;
    if (frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight) return;
    const cell = this.cells[index];
    const [x, y] = [cell.offsetLeft + cell.parentElement.offsetLeft, cell.offsetTop + cell.parentElement.offsetTop];
    const margin = 3 * cell.offsetWidth;
    const inside =
      x > frame.scrollLeft + margin &&
      x < frame.scrollLeft + frame.clientWidth - margin &&
      y > frame.scrollTop + margin &&
      y < frame.scrollTop + frame.clientHeight - margin;
    if (!inside) frame.scrollTo({ left: x - frame.clientWidth / 2, top: y - frame.clientHeight / 2 });
  }

  #listen() {
    const { grid } = this;
    const at = (event) => {
      const cell = event.target.closest?.("[data-i]");
      return cell && grid.contains(cell) ? Number(cell.dataset.i) : null;
    };
    grid.addEventListener("keydown", (event) => this.#key(event, at(event)));
    grid.addEventListener("focusin", (event) => {
      const index = at(event);
      if (index === null) return;
      this.focus(index, { quietly: true });
      if (this.cells[index].matches(":focus-visible") && this.#showTip(index)) {
        this.cells[index].setAttribute("aria-describedby", "tip");
      }
    });
    grid.addEventListener("focusout", (event) => {
      event.target.removeAttribute("aria-describedby");
      this.#showTip(null);
    });
    grid.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#showTip(at(event));
    });
    grid.addEventListener("pointerleave", () => this.#showTip(null));
    this.frame.addEventListener("scroll", () => this.#showTip(null), { passive: true });

    let pressed = null;
    let timer = 0;
    let suppressed = false;
    const release = () => {
      clearTimeout(timer);
      pressed = null;
      this.stroke = null;
    };
    grid.addEventListener("pointerdown", (event) => {
      const index = at(event);
      suppressed = false;
      if (index === null || event.button !== 0) return;
      if (this.painting) {
        event.preventDefault();
        this.focus(index, { quietly: true });
        this.cells[index].focus({ preventScroll: true });
        if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
        this.stroke = index;
        this.on.paint?.(index, true);
        return;
      }
      pressed = { x: event.clientX, y: event.clientY };
      if (event.pointerType === "touch" && this.on.flag) {
        timer = setTimeout(() => {
          suppressed = true;
          navigator.vibrate?.(15);
          this.on.flag(index);
        }, LONG_PRESS);
      }
    });
    grid.addEventListener("pointermove", (event) => {
      if (this.stroke !== null) {
        const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-i]");
        const index = cell && grid.contains(cell) ? Number(cell.dataset.i) : null;
        if (index !== null && index !== this.stroke) {
          this.stroke = index;
          this.on.paint?.(index, false);
        }
      } else if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > MAX_DRIFT) {
        clearTimeout(timer);
      }
    });
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release);
    grid.addEventListener("click", (event) => {
      const index = at(event);
      if (index === null || this.painting || suppressed) return;
      this.#showTip(null); // it would cover the numbers that the click marks
      this.on.open?.(index);
    });
    grid.addEventListener(
      "wheel",
      (event) => {
        const index = at(event);
        if (index === null || !this.painting || !this.on.turn || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        this.on.turn(index, event.deltaY < 0 ? 1 : -1);
      },
      { passive: false },
    );
    grid.addEventListener("contextmenu", (event) => {
      const index = at(event);
      if (index === null || !this.on.flag) return;
      event.preventDefault();
      if (!suppressed) this.on.flag(index);
      suppressed = true;
      clearTimeout(timer);
    });
  }

  #key(event, index) {
    if (index === null || (event.ctrlKey && !["Home", "End"].includes(event.key)) || event.metaKey || event.altKey)
      return;
    const [row, col] = this.place(index);
    const page = Math.max(1, Math.floor(this.frame.clientHeight / (this.geometry.side * this.unit)) - 1);
    const to = {
      ArrowLeft: [row, col - 1],
      ArrowRight: [row, col + 1],
      ArrowUp: [row - 1, col],
      ArrowDown: [row + 1, col],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? this.rows - 1 : row, this.cols - 1],
      PageUp: [Math.max(0, row - page), col],
      PageDown: [Math.min(this.rows - 1, row + page), col],
    }[event.key];
    if (to) {
      event.preventDefault();
      event.stopPropagation();
      if (to[0] >= 0 && to[0] < this.rows && to[1] >= 0 && to[1] < this.cols) this.focus(to[0] * this.cols + to[1]);
    } else if (this.on.open && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      this.on.open(index);
    } else if (this.on.key?.(index, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #showTip(index) {
    const tip = $("tip");
    const contents = index === null ? null : this.tip(index);
    tip.hidden = !contents;
    if (!contents) return false;
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
