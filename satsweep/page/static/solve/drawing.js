// @ts-check
// Changes of a drawn position: symbols, mines with the numbers around them, what the wheel and keys draw.

import { numberOf, symbolOf } from "../basics/position.js";

/** @typedef {import("../basics/position.js").Position} Position */
/** Cells and the symbols that they get. @typedef {[index: number, symbol: string][]} Changes */

/** The tool that opens and covers cells. */
export const PEN = "pen";

/** The largest number that can be drawn, where a cell has at most so many neighbours. @param {number} most */
export const largest = (most) => Math.max(8, most);

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
