// @ts-check
// Changes of a drawn position: mines with the numbers around them, numbers turned by the wheel, another size.

import { option } from "../basics/controls.js";
import { announce, button } from "../basics/dom.js";
import { inWords, isCovered, numberOf, symbolOf } from "../basics/position.js";
import { Palette, PEN } from "./palette.js";

/** @typedef {import("../basics/position.js").Position} Position */

const MAX_UNDO = 500;

/** Cells and the symbols that they get. @typedef {[index: number, symbol: string][]} Changes */

/**
 * The symbol of an open cell: the mines drawn around it if numbers `follow` mines.
 * @param {Position} position
 * @param {number[][]} neighbours
 * @param {number} index
 * @param {boolean} follow
 */
export function opened(position, neighbours, index, follow) {
  const around = follow ? neighbours[index].filter((other) => position.cells[other] === "*").length : 0;
  return symbolOf(around);
}

/**
 * The changes that draw a mine or remove one.
 * @param {Position} position
 * @param {number[][]} neighbours
 * @param {number} index
 * @param {boolean} follow
 * @returns {Changes}
 */
export function toggledMine(position, neighbours, index, follow) {
  const has = position.cells[index] === "*";
  return [[index, has ? "#" : "*"], ...(follow ? followed(position, neighbours, index, has ? -1 : 1) : [])];
}

/**
 * The changes of the numbers around a cell that becomes a mine (1) or is one no longer (-1).
 * @param {Position} position
 * @param {number[][]} neighbours
 * @param {number} index
 * @param {number} by
 * @returns {Changes}
 */
function followed({ cells }, neighbours, index, by) {
  return [...new Set(neighbours[index])].flatMap((other) => {
    const number = numberOf(cells[other]);
    /** @type {Changes} */
    const change = [[other, symbolOf(Math.max(0, number + by))]];
    return number < 0 || other === index ? [] : change;
  });
}

/**
 * The changes that draw a symbol on a cell.
 * @param {Position} position
 * @param {number[][]} neighbours
 * @param {number} index
 * @param {string} symbol
 * @param {boolean} follow
 * @returns {Changes}
 */
export function drawn(position, neighbours, index, symbol, follow) {
  const mined = Number(symbol === "*") - Number(position.cells[index] === "*");
  return [[index, symbol], ...(follow && mined ? followed(position, neighbours, index, mined) : [])];
}

/**
 * The symbol that the wheel turns a symbol to: covered, empty, 1, 2, ... up to `most`.
 * @param {string} symbol
 * @param {number} by
 * @param {number} most
 */
export function turned(symbol, by, most) {
  const number = numberOf(symbol);
  if (number < 0) return by > 0 ? "." : "#";
  if (number + by < 0) return "#";
  return symbolOf(Math.min(number + by, most));
}

/**
 * The position in another size. The mine total keeps the density; a number that loses a cell that may be a mine is not
 * known any more.
 * @param {Position} position
 * @param {number[][]} neighbours
 * @param {number} rows
 * @param {number} cols
 */
export function resized(position, neighbours, rows, cols) {
  const { cells, rows: before, cols: wide, mines } = position;
  const outside = (/** @type {number} */ index) => index % wide >= cols || Math.floor(index / wide) >= rows;
  const clipped = cells.map((symbol, index) => {
    const loses = (/** @type {number} */ other) => outside(other) && numberOf(cells[other]) < 0;
    return numberOf(symbol) >= 0 && neighbours[index].some(loses) ? "?" : symbol;
  });
  const total = mines === null ? null : Math.round((mines * rows * cols) / (before * wide));
  return position.copy({ cells: clipped }).resized(rows, cols).copy({ mines: total });
}

// Drawing on the position of Solve: with the palette, the wheel, the keys, and flags. What was drawn can be undone.
export class Drawing {
  /** @param {import("./state.js").Desk} view */
  constructor(view) {
    this.view = view;
    this.palette = new Palette((symbol) => {
      view.board.painting = symbol;
      view.board.grid.classList.toggle("drawing", symbol !== null);
    });
    this.follow = option("solve-follow", "Numbers follow mines", {
      title: "Drawing or removing a mine changes the numbers around it",
    });
    this.undoButton = button("Undo", () => view.undo(), { disabled: true });
  }

  get #position() {
    return this.view.state.position;
  }

  get #neighbours() {
    return this.view.board.geometry.neighbours;
  }

  /**
   * What the gestures on the board do; a click without a tool explains a cell.
   * @returns {import("../board/pointers.js").Actions}
   */
  get actions() {
    return {
      right: (index) => this.#press(index),
      hold: (index) => this.#press(index),
      atOnce: true,
      key: (index, event) => this.#typed(index, event),
      paint: (index, first) => this.#paint(index, first),
      turn: (index, by) =>
        this.#draw([[index, turned(this.#position.cells[index], by, this.view.board.geometry.most)]]),
    };
  }

  // Keep the position for undo.
  remember() {
    const { history, position } = this.view.state;
    history.push(position.copy());
    if (history.length > MAX_UNDO) history.shift();
    this.undoButton.disabled = false;
  }

  // The position before the last change; undefined if there is none.
  takeBack() {
    const { history } = this.view.state;
    const before = history.pop();
    this.undoButton.disabled = !history.length;
    return before;
  }

  /**
   * @param {number} index
   * @param {KeyboardEvent} event
   */
  #typed(index, event) {
    if (event.key === "Delete" || event.key === "Backspace") return this.#change(index, "#");
    const { most } = this.view.board.geometry;
    // Where a cell can have fifteen neighbours, f is a number.
    const symbol = event.key === "0" ? "." : event.key === "f" && most < 15 ? "F" : event.key;
    const number = symbol.length === 1 ? numberOf(symbol) : -1;
    if (!"#*F?.".includes(symbol) && !(number > 0 && number <= Math.max(8, most))) return false;
    return this.#change(index, symbol);
  }

  /**
   * Draw with the tool of the palette. The pen covers all cells of a stroke if it has covered the first, else opens them.
   * @param {number} index
   * @param {boolean} first
   */
  #paint(index, first) {
    const { state } = this.view;
    const symbol = this.palette.symbol ?? PEN;
    if (first) state.covering = symbol === PEN && this.#position.cells[index] !== "#";
    const follow = this.follow.checked;
    if (symbol !== PEN || state.covering) {
      const drawing = symbol === PEN ? "#" : symbol;
      this.#draw(drawn(this.#position, this.#neighbours, index, drawing, follow), first);
    } else this.#draw([[index, opened(this.#position, this.#neighbours, index, follow)]], first);
  }

  // The right button, or a long press: a mine while drawing, otherwise a flag.
  #press(/** @type {number} */ index) {
    const symbol = this.#position.cells[index];
    if (this.palette.symbol !== null) {
      this.#draw(toggledMine(this.#position, this.#neighbours, index, this.follow.checked));
    } else if (isCovered(symbol)) this.#draw([[index, symbol === "F" ? "#" : "F"]]);
  }

  /**
   * Change cells: a new step of undo unless a stroke goes on.
   * @param {Changes} changes
   * @param {boolean} [first]
   */
  #draw(changes, first = true) {
    const { state } = this.view;
    const changed = changes.filter(([index, symbol]) => this.#position.cells[index] !== symbol);
    if (first) state.stroke = false;
    if (!changed.length) return;
    if (!state.stroke) this.remember();
    state.stroke = true;
    for (const [index, symbol] of changed) this.#position.cells[index] = symbol;
    this.view.changed();
  }

  /**
   * @param {number} index
   * @param {string} symbol
   */
  #change(index, symbol) {
    this.#draw(drawn(this.#position, this.#neighbours, index, symbol, this.follow.checked));
    announce(`${this.view.board.name(index)}: ${inWords(symbol)}`);
    return true;
  }
}
