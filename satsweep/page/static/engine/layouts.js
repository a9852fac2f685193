// @ts-check
// What is to be known of a layout: what its cells show, which of them open together, what it takes to clear it.

import { symbolOf } from "../basics/position.js";
import { trivial } from "./trivial.js";

/** @typedef {import("./engine.js").Layout} Layout */

/** Rows of `.` and `*`. @param {Layout} layout */
export const rowsOf = ({ cells, rows, cols }) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from(cells.subarray(row * cols, (row + 1) * cols), (mine) => (mine ? "*" : ".")).join(""),
  );

/**
 * What every cell shows once it is open.
 * @param {{ cells: ArrayLike<number> }} layout 1 for each mine
 * @param {number[][]} neighbours
 */
export const shownBy = ({ cells }, neighbours) =>
  Array.from(cells, (mine, at) => (mine ? "*" : symbolOf(neighbours[at].reduce((sum, own) => sum + cells[own], 0))));

/**
 * The cells that open with a cell, which is the first of them; `isClosed` says which can.
 * @param {number} cell
 * @param {ArrayLike<string>} shown
 * @param {number[][]} neighbours
 * @param {(cell: number) => boolean} isClosed
 */
export function cascade(cell, shown, neighbours, isClosed) {
  const opened = new Set([cell]);
  for (const own of opened)
    if (shown[own] === ".") for (const other of neighbours[own]) if (isClosed(other)) opened.add(other);
  return [...opened];
}

/**
 * The answer to `deal`.
 * @param {Layout} layout
 * @param {number[][]} neighbours
 * @param {Cell} start
 * @param {string} topology
 * @param {string[]} [remarks]
 */
export function dealt(layout, neighbours, start, topology, remarks = []) {
  const shown = shownBy(layout, neighbours);
  return {
    rows: layout.rows,
    cols: layout.cols,
    topology,
    remarks,
    mines: layout.mines,
    layout: rowsOf(layout),
    shown: shown.join(""),
    start,
    opened: cascade(start[0] * layout.cols + start[1], shown, neighbours, () => true),
    cascades: true,
    exact: true,
  };
}

/**
 * The easiest technique that clears a layout from a cell; 3BV and openings of the layout.
 * @param {Layout} layout
 * @param {number[][]} neighbours
 * @param {number} start
 * @param {() => boolean} isForced says whether forced cells clear it
 */
export function needsOf(layout, neighbours, start, isForced) {
  const shown = shownBy(layout, neighbours);
  const isCleared = (/** @type {boolean} */ pairs) => {
    const symbols = Array(shown.length).fill("#");
    for (let safe = [start]; safe.length; safe = [...trivial(symbols, neighbours, { pairs }).safe])
      for (const cell of safe)
        if (symbols[cell] === "#")
          for (const own of cascade(cell, shown, neighbours, (other) => symbols[other] === "#"))
            symbols[own] = shown[own];
    return symbols.every((symbol, at) => symbol !== "#" || shown[at] === "*");
  };
  const zeros = [...shown.keys()].filter((at) => shown[at] === ".");
  const seen = new Set();
  let openings = 0;
  for (const zero of zeros) {
    if (seen.has(zero)) continue;
    openings += 1;
    for (const own of cascade(zero, shown, neighbours, () => true)) seen.add(own);
  }
  const alone = shown.filter((symbol, at) => symbol !== "*" && !seen.has(at)).length;
  const needs = isCleared(false) ? "single" : isCleared(true) ? "pairs" : isForced() ? "all" : "guess";
  return { bv: openings + alone, openings, needs };
}
