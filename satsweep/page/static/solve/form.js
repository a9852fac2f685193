// @ts-check
// The fields of a position as text, and the position that they make.

import { DEFAULTS, numberOf } from "../basics/position.js";
import { formOf } from "./state.js";

/** @typedef {import("../basics/position.js").Position} Position */
/** @typedef {import("./state.js").Form} Form */

/**
 * The position that fields make of another one, or what is wrong with them.
 * @param {Form} form
 * @param {Position} position
 * @param {number[][]} neighbours
 * @param {number} most cells of a board
 * @returns {{ made?: Position, faults: Partial<Form> }}
 */
export function applied(form, position, neighbours, most) {
  const [rows, cols] = [form.rows, form.cols].map((text) => Math.floor(Number(text)));
  const wrong = Object.entries({ rows, cols }).filter(([, value]) => !(value >= 1));
  const expected = "Expected a number from 1 on.";
  if (wrong.length) return { faults: Object.fromEntries(wrong.map(([name]) => [name, expected])) };
  if (rows * cols > most) return { faults: { rows: `A board has at most ${most.toLocaleString("en")} cells.` } };
  const changed = rows !== position.rows || cols !== position.cols;
  const made = (changed ? resized(position, neighbours, [rows, cols]) : position).copy({
    topology: form.topology.trim() || DEFAULTS.topology,
    clues: form.clues.trim() || DEFAULTS.clues,
    part: form.part,
  });
  const text = form.mines.trim();
  if (text === formOf(position).mines) return { made, faults: {} };
  const total = /^\d{1,7}$/.test(text);
  return { made: made.copy({ mines: total ? Number(text) : null, density: total || !text ? null : text }), faults: {} };
}

/** The position in another size. @param {Position} position @param {number[][]} neighbours @param {number[]} size */
function resized(position, neighbours, [rows, cols]) {
  const { cells, rows: before, cols: wide, mines } = position;
  const outside = (/** @type {number} */ index) => index % wide >= cols || Math.floor(index / wide) >= rows;
  // A number that loses a cell that may be a mine is not known any more; the mine total keeps the density.
  const clipped = cells.map((symbol, index) => {
    const loses = (/** @type {number} */ other) => outside(other) && numberOf(cells[other]) < 0;
    return numberOf(symbol) >= 0 && neighbours[index].some(loses) ? "?" : symbol;
  });
  const total = mines === null ? null : Math.round((mines * rows * cols) / (before * wide));
  return position.copy({ cells: clipped }).resized(rows, cols).copy({ mines: total });
}
