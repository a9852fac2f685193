// @ts-check
// What is easy to see: cells that single numbers settle, or pairs of them, without flags and without the mine total.

import { isCovered, numberOf } from "../basics/position.js";

/** @typedef {{ cells: Set<number>, mines: number }} Sentence the unknown cells around a number, and the mines among them */

/**
 * The safe cells and the mines among covered cells. A number counts the mines that other numbers have settled. With
 * `pairs` the cells of a number may all belong to another one, too: what is left of this follows (the agent `subset`).
 * @param {ArrayLike<string>} symbols
 * @param {number[][]} neighbours
 * @param {{ pairs?: boolean }} [how]
 */
export function trivial(symbols, neighbours, { pairs = false } = {}) {
  /** @type {Set<number>} */
  const safe = new Set();
  /** @type {Set<number>} */
  const mines = new Set();
  // By cell, as plain numbers, since every edit of a large board asks: 1 for a covered cell of which nothing is known; for a
  // number 1 for that, how many such cells touch it, and the mines among them.
  const size = symbols.length;
  const unknown = new Uint8Array(size);
  const isNumber = new Uint8Array(size);
  const left = new Uint8Array(size);
  const need = new Int16Array(size);
  /** Numbers that are looked at next, each once. @type {number[]} */
  const waiting = [];
  const isWaiting = new Uint8Array(size);
  for (let index = 0; index < size; index++) unknown[index] = isCovered(symbols[index]) ? 1 : 0;
  for (let index = 0; index < size; index++) {
    const number = numberOf(symbols[index]);
    if (number < 0) continue;
    isNumber[index] = 1;
    need[index] = number;
    for (const other of neighbours[index]) {
      left[index] += unknown[other];
      if (symbols[other] === "*") need[index] -= 1;
    }
    isWaiting[index] = left[index] ? 1 : 0;
    if (left[index]) waiting.push(index);
  }

  /** @param {Iterable<number>} cells @param {boolean} mined */
  const claim = (cells, mined) => {
    for (const cell of cells) {
      if (!unknown[cell]) continue;
      unknown[cell] = 0;
      (mined ? mines : safe).add(cell);
      for (const index of neighbours[cell]) {
        if (!isNumber[index]) continue;
        left[index] -= 1;
        if (mined) need[index] -= 1;
        if (!isWaiting[index]) waiting.push(index);
        isWaiting[index] = 1;
      }
    }
  };

  const singles = () => {
    for (let at = 0; at < waiting.length; at++) {
      const index = waiting[at];
      isWaiting[index] = 0;
      if (left[index] && (need[index] === 0 || need[index] === left[index])) claim(neighbours[index], need[index] > 0);
    }
    waiting.length = 0;
  };

  const sentences = () => {
    /** @type {Map<number, Sentence>} */
    const found = new Map();
    for (let index = 0; index < size; index++) {
      const cells = left[index] ? neighbours[index].filter((other) => unknown[other]) : [];
      if (cells.length) found.set(index, { cells: new Set(cells), mines: need[index] });
    }
    return found;
  };

  singles();
  while (pairs && claimPairs(sentences(), neighbours, claim)) singles();
  return { safe, mines };
}

/**
 * Claim what follows from pairs of numbers; true if anything does.
 * @param {Map<number, Sentence>} sentences
 * @param {number[][]} neighbours
 * @param {(cells: Iterable<number>, mined: boolean) => void} claim
 */
function claimPairs(sentences, neighbours, claim) {
  /** @type {[rest: number[], mined: boolean][]} */
  const found = [];
  for (const { cells, mines } of sentences.values()) {
    const [first] = cells;
    for (const index of first === undefined ? [] : neighbours[first]) {
      const larger = sentences.get(index);
      if (!larger || larger.cells.size <= cells.size || ![...cells].every((cell) => larger.cells.has(cell))) continue;
      const rest = [...larger.cells].filter((cell) => !cells.has(cell));
      const left = larger.mines - mines;
      if (left === 0 || left === rest.length) found.push([rest, left > 0]);
    }
  }
  for (const [rest, mined] of found) claim(rest, mined);
  return found.length > 0;
}
