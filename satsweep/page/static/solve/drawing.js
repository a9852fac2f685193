// @ts-check
// Changes of a drawn position: symbols, mines with the numbers around them, what the wheel and keys draw.

import { DEFAULTS, numberOf, symbolOf } from "../basics/position.js";

/**
 * What is drawn on: a position, what each of its cells touches, and whether numbers follow mines.
 * @typedef {{ position: import("../basics/position.js").Position, neighbours: number[][], follow: boolean }} On
 */
/** Cells and the symbols that they get. @typedef {[index: number, symbol: string][]} Changes */

/** The tool that opens and covers cells. */
export const PEN = "pen";

/** The largest number that can be drawn, where a cell has at most so many neighbours. @param {number} most */
export const largest = (most) => Math.max(8, most);

/** The symbol of an open cell: with the mines drawn around it. @param {On} on @param {number} index */
export function opened({ position, neighbours, follow }, index) {
  const around = follow ? neighbours[index].filter((other) => position.cells[other] === "*").length : 0;
  return symbolOf(around);
}

/** Changes that draw a symbol. @param {On} on @param {number} index @param {string} symbol @returns {Changes} */
export function drawn({ position: { cells }, neighbours, follow }, index, symbol) {
  const by = Number(symbol === "*") - Number(cells[index] === "*"); // mines around its neighbours
  const around = follow && by ? [...new Set(neighbours[index])] : [];
  const numbers = around.filter((other) => other !== index && numberOf(cells[other]) >= 0);
  return [[index, symbol], ...numbers.map(followed)];

  /** @param {number} other @returns {Changes[0]} */
  function followed(other) {
    return [other, symbolOf(Math.max(0, numberOf(cells[other]) + by))];
  }
}

/** What the wheel makes of a symbol. @param {string} symbol @param {number} by @param {number} most */
export function turned(symbol, by, most) {
  const number = numberOf(symbol);
  if (number < 0) return by > 0 ? "." : "#";
  if (number + by < 0) return "#";
  return symbolOf(Math.min(number + by, most));
}

/** The symbol that a key draws; null if it draws none. @param {string} key @param {number} most */
export function symbolOfKey(key, most) {
  if (key === "0") return ".";
  if (key === "Delete" || key === "Backspace") return "#";
  // Where a cell can have fifteen neighbours, f is a number.
  const symbol = key === "f" && most < 15 ? "F" : key;
  if (symbol.length !== 1) return null;
  const number = numberOf(symbol);
  return "#*F?.".includes(symbol) || (number > 0 && number <= largest(most)) ? symbol : null;
}

/**
 * The changes around a cell that is typed: an empty one opens its neighbours, whose numbers are then to be typed; one
 * that is empty no longer covers them again, but for those beside another one.
 * @param {On} on
 * @param {number} index
 * @param {string} symbol
 * @returns {Changes}
 */
export function spread(on, index, symbol) {
  const { cells, clues } = on.position;
  const opens = symbol === ".";
  const around = clues === DEFAULTS.clues && (opens || cells[index] === ".") ? on.neighbours[index] : [];
  const changed = around.filter((one) => one !== index && cells[one] === (opens ? "#" : "?"));
  if (opens) return changed.map((one) => [one, "?"]);
  return changed.filter((one) => !isBesideEmpty(on, one, index)).map((one) => [one, "#"]);
}

/** True for a cell beside an empty one. @param {On} on @param {number} index @param {number} [but] */
export const isBesideEmpty = ({ position: { cells, clues }, neighbours }, index, but = index) =>
  clues === DEFAULTS.clues && neighbours[index].some((one) => one !== but && cells[one] === ".");

/** True for an open cell whose number has not been given yet. @param {On} on @param {number} index */
export const isToType = (on, index) => on.position.cells[index] === "?" && isBesideEmpty(on, index);
