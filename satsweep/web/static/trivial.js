// @ts-check
// What is easy to see: cells that single numbers settle, or pairs of them, without flags and without the mine total.

import { isCovered, numberOf } from "./position.js";

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
  /** @type {Map<number, Sentence>} */
  const sentences = new Map();
  for (let index = 0; index < symbols.length; index++) {
    const number = numberOf(symbols[index]);
    if (number < 0) continue;
    const cells = new Set(neighbours[index].filter((other) => isCovered(symbols[other])));
    const known = neighbours[index].filter((other) => symbols[other] === "*").length;
    if (cells.size) sentences.set(index, { cells, mines: number - known });
  }
  const waiting = new Set(sentences.keys());

  /** @param {Iterable<number>} cells @param {boolean} mined */
  const claim = (cells, mined) => {
    for (const cell of [...cells]) {
      if (safe.has(cell) || mines.has(cell)) continue;
      (mined ? mines : safe).add(cell);
      for (const index of neighbours[cell]) {
        const sentence = sentences.get(index);
        if (!sentence?.cells.delete(cell)) continue;
        if (mined) sentence.mines -= 1;
        waiting.add(index);
      }
    }
  };

  const singles = () => {
    for (const index of waiting) {
      waiting.delete(index);
      const { cells, mines: left } = /** @type {Sentence} */ (sentences.get(index));
      if (cells.size && (left === 0 || left === cells.size)) claim(cells, left > 0);
    }
  };

  singles();
  while (pairs && claimPairs(sentences, neighbours, claim)) singles();
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
