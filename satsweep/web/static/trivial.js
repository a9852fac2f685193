// @ts-check
// Trivial moves: cells that single numbers settle, one number at a time, without flags and without the mine total.

import { isCovered, numberOf } from "./position.js";

/**
 * The safe cells and the mines among covered cells. A number counts the mines that other numbers have settled.
 * @param {string[]} symbols
 * @param {number[][]} neighbours
 */
export function trivial(symbols, neighbours) {
  /** @type {Set<number>} */
  const safe = new Set();
  /** @type {Set<number>} */
  const mines = new Set();
  symbols.forEach((symbol, index) => {
    if (symbol === "*") mines.add(index);
  });
  const waiting = [...symbols.keys()].filter((index) => numberOf(symbols[index]) > 0);
  const queued = new Set(waiting);
  for (const index of waiting) {
    queued.delete(index);
    const unknown = [];
    let left = numberOf(symbols[index]);
    for (const other of neighbours[index]) {
      if (mines.has(other)) left -= 1;
      else if (isCovered(symbols[other]) && !safe.has(other)) unknown.push(other);
    }
    if (!unknown.length || (left !== 0 && left !== unknown.length)) continue;
    for (const cell of unknown) {
      (left === 0 ? safe : mines).add(cell);
      for (const other of neighbours[cell]) {
        if (numberOf(symbols[other]) <= 0 || queued.has(other)) continue;
        queued.add(other);
        waiting.push(other);
      }
    }
  }
  return { safe, mines };
}
