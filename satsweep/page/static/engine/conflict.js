// @ts-check
// Numbers that cannot all be true, and the changes that make the board possible: the engine's answer to `conflict`, as in
// why/explainer.py.

import { numberOf, symbolOf } from "../basics/position.js";
import { boardOf, codeOf, Unanswered } from "./answers.js";
import { inWords } from "./arguments.js";
import { ImpossibleError } from "./engine.js";
import { capitalized, placeOf, said, sentenceOf } from "./phrases.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {ReturnType<typeof boardOf>} Asked */
/** @typedef {(at: number) => Cell} Place */

/** A sentence as an answer has it. @param {import("./phrases.js").Sentence} sentence @returns {Sentence} */
const partsOf = (sentence) =>
  sentence.map((part) => {
    if (typeof part === "string") return part;
    const { rows, cols } = part;
    return rows.length * cols.length === 1 ? [rows[0], cols[0]] : { rows, cols };
  });

/**
 * The argument of a reason as an answer.
 * @param {import("./engine.js").Reason} reason
 * @param {Place} place
 * @returns {Argument}
 */
export function argumentOf(reason, place) {
  const { rule, steps } = inWords(reason);
  const told = steps.map((step) => ({
    ...{ said: partsOf(step.said), rule: step.rule, clues: step.clues.map(place), total: step.total, supposing: [] },
    ...{ cells: step.cells.map(place), mine: step.mine },
  }));
  const text = partsOf(sentenceOf(...steps.flatMap(({ said }, at) => [at ? " " : "", ...said])));
  return { rule, text, steps: told };
}

/**
 * @param {Engine} engine
 * @param {import("./answers.js").Fields} fields
 * @param {import("./answers.js").How} how
 * @returns {Conflicting}
 */
export function conflict(engine, { board }, how) {
  const asked = boardOf(board, how);
  const found = engine.conflict(asked.board);
  if (!found) return { conflict: null };
  const place = (/** @type {number} */ at) => asked.position.place(at);
  const argument = argumentOf(found, place);
  if (argument.steps.length < 2) throw new Unanswered("something has to be supposed");
  const { clues, total, smallest } = found;
  const mending = new Mending(engine, asked);
  const corrections = mending.corrections(clues, total);
  return {
    conflict: {
      ...{ clues: clues.map(place), total, smallest, ...argument },
      ...{ corrections, as_part: how.grid ? null : mending.asPart() },
    },
    corrections_said: corrections.map((one) => partsOf(capitalized(correctionInWords(asked, one)))),
  };
}

/** Single changes of an impossible board. */
class Mending {
  /** @param {Engine} engine @param {Asked} asked */
  constructor(engine, { board, position, neighbours }) {
    this.engine = engine;
    this.board = board;
    this.position = position;
    this.neighbours = neighbours;
  }

  /**
   * Changes of numbers, known mines and the mine total that help, the nearest to what is shown first; without any, open
   * cells that must be mines.
   * @param {number[]} clues
   * @param {boolean} total
   */
  corrections(clues, total) {
    const { position, neighbours } = this;
    const { cells, cols } = position;
    const around = new Set(total ? cells.keys() : clues.flatMap((clue) => [clue, ...neighbours[clue]]));
    const atStake = [...around].sort((one, other) => one - other);
    const others = clues.flatMap((clue) => this.#otherNumbers(clue));
    const mines = atStake.filter((at) => cells[at] === "*" && this.#allows(at, "#"));
    const told = (/** @type {number} */ at, /** @type {number | null} */ shown) => ({
      ...{ cell: position.place(at), shown, instead: null },
    });
    /** @type {Correction[]} */
    const found = [...others, ...mines.map((at) => told(at, null)), ...(total ? this.#otherTotals() : [])];
    if (!found.length) {
      const open = atStake.filter((at) => !"#F*".includes(cells[at]) && this.#allows(at, "#"));
      found.push(...open.map((at) => told(at, cells[at] === "?" ? null : numberOf(cells[at]))));
    }
    const rank = (/** @type {Correction} */ { cell, shown, instead }) => [
      instead === null || shown === null ? 1 : Math.abs(instead - shown),
      cell ? cell[0] * cols + cell[1] : -1,
      instead ?? 0,
    ];
    return found.sort((one, other) => {
      const [a, b] = [rank(one), rank(other)];
      return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
    });
  }

  /** The sides on which the board may be cut from a larger one: all of them, or null. */
  asPart() {
    const { rows, cols, mines, cells } = this.board;
    // Unseen cells around it, and beyond these as many as there are mines, which no number touches.
    const [wide, high] = [cols + 2, rows + 2 + Math.ceil((mines + 1) / (cols + 2))];
    const codes = new Int16Array(wide * high).fill(codeOf("#"));
    for (let row = 0; row < rows; row++) codes.set(cells.subarray(row * cols, (row + 1) * cols), (row + 1) * wide + 1);
    return this.#isPossible({ rows: high, cols: wide, mines, cells: codes, neighbours: undefined }) ? "all" : null;
  }

  /** @param {number} clue @returns {Correction[]} */
  #otherNumbers(clue) {
    const shown = numberOf(this.position.cells[clue]);
    const numbers = [...Array(this.neighbours[clue].length + 1).keys()].filter((number) => number !== shown);
    return numbers
      .filter((number) => this.#allows(clue, symbolOf(number)))
      .map((instead) => ({ cell: this.position.place(clue), shown, instead }));
  }

  /** The nearest totals below and above. @returns {Correction[]} */
  #otherTotals() {
    const { mines: shown, cells } = this.board;
    const fits = (/** @type {number} */ mines) => this.#isPossible({ ...this.board, mines });
    const below = [...Array(shown).keys()].reverse().find(fits);
    const above = Array.from({ length: cells.length - shown }, (_, more) => shown + 1 + more).find(fits);
    return [below, above].flatMap((instead) => (instead === undefined ? [] : { cell: null, shown, instead }));
  }

  /** @param {number} at @param {string} symbol */
  #allows(at, symbol) {
    return this.#isPossible({ ...this.board, cells: this.board.cells.with(at, codeOf(symbol)) });
  }

  /** @param {Asked["board"]} board */
  #isPossible(board) {
    try {
      this.engine.risks(board);
      return true;
    } catch (error) {
      if (error instanceof ImpossibleError) return false;
      throw error;
    }
  }
}

/** @param {Asked} asked @param {Correction} correction */
function correctionInWords({ position }, { cell, shown, instead }) {
  if (!cell) return said("other total", { instead: `${instead}`, shown: `${shown}` });
  const [row, col] = cell;
  const place = placeOf([row], [col]);
  if (instead === null && position.cells[row * position.cols + col] === "*")
    return said("no mine", { mine: "mine", place });
  if (instead === null) return said("open mine", { place, number: shown === null ? "an open cell" : `the ${shown}` });
  const number = `${[8, 11, 18].includes(instead) ? "an" : "a"} ${instead}`;
  return said("other number", { number, place, shown: `${shown}` });
}
