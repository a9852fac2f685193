// @ts-check
// The puzzles of Train (scripts/puzzles.py), by technique and pattern, and which one comes next.

const FILE = new URL("puzzles.json", import.meta.url);
const NEAR = 8; // puzzles about as hard as the player is strong, of which one is drawn

/** Why a cell is right. @typedef {Pick<Reason, "cell" | "clues" | "total" | "rule"> & { steps: Step[] }} Proof */

/**
 * A position in which a cell is to be found. `band` is the technique that it takes, `rating` what it is assumed to be.
 * @typedef {object} Deduction
 * @property {string} id that of its row of the corpus
 * @property {string} band
 * @property {string} pattern
 * @property {number} rating
 * @property {string} board
 * @property {boolean} mine true if a mine is to be found, false for a safe cell
 * @property {Proof[]} reasons of all cells that are right, first of the one that weaker techniques do not find
 * @property {Cell[]} others cells that are certain, but not what is to be found
 * @property {string[]} refutations solutions, a symbol for each cell: in one of them a cell that is not certain is not
 *   what is to be found
 */

/**
 * A position in which nothing is certain, and the cell that wins most often is to be found. Chances are a row, a column,
 * the risk, and the chance to win with that cell, as fractions.
 * @typedef {object} Choice
 * @property {string} id
 * @property {string} band
 * @property {string} pattern
 * @property {number} rating
 * @property {string} board
 * @property {Cell[]} best
 * @property {[row: number, col: number, risk: string, win: string][]} chances
 */

/** @typedef {Deduction | Choice} Puzzle */
/** What is wanted; empty text stands for anything. @typedef {{ band: string, pattern: string }} Wanted */

/** @param {Puzzle} puzzle @returns {puzzle is Choice} */
export const isChoice = (puzzle) => "best" in puzzle;

export class Puzzles {
  /** @param {Puzzle[]} all */
  constructor(all) {
    this.all = all;
  }

  static async load() {
    const response = await fetch(FILE).catch(() => null);
    if (!response?.ok) throw new Error("The puzzles cannot be loaded; try again when there is a network");
    return new Puzzles(await response.json());
  }

  /** @param {string | null} id */
  named(id) {
    return this.all.find((puzzle) => puzzle.id === id) ?? null;
  }

  /** Techniques with their numbers of puzzles, in their order. @returns {[band: string, count: number][]} */
  get bands() {
    return counted(this.all.map(({ band }) => band));
  }

  /** Patterns of a technique, or of all, with their numbers of puzzles. @param {string} band */
  patterns(band) {
    return counted(this.of({ band, pattern: "" }).map(({ pattern }) => pattern));
  }

  /** @param {Wanted} wanted */
  of({ band, pattern }) {
    return this.all.filter((one) => (!band || one.band === band) && (!pattern || one.pattern === pattern));
  }

  /**
   * A puzzle near a rating, drawn among those that were not answered; or else the one whose answer is the longest ago.
   * @param {Wanted} wanted
   * @param {number} rating
   * @param {string[]} answered ids, the last answer at the end
   * @param {Puzzle | null} [shown] is not drawn again, unless it is the only one
   * @returns {Puzzle}
   */
  next(wanted, rating, answered, shown = null) {
    const suiting = this.of(wanted);
    const others = suiting.length > 1 ? suiting.filter((puzzle) => puzzle !== shown) : suiting;
    const last = new Map(answered.map((id, at) => [id, at]));
    const fresh = others.filter(({ id }) => !last.has(id));
    if (!fresh.length) {
      return others.reduce((one, other) => ((last.get(other.id) ?? 0) < (last.get(one.id) ?? 0) ? other : one));
    }
    const distance = (/** @type {Puzzle} */ puzzle) => Math.abs(puzzle.rating - rating);
    const farthest = fresh.map(distance).sort((one, other) => one - other)[Math.min(NEAR, fresh.length) - 1];
    const near = fresh.filter((puzzle) => distance(puzzle) <= farthest);
    return near[Math.floor(Math.random() * near.length)];
  }
}

/**
 * @param {string[]} names
 * @returns {[name: string, count: number][]}
 */
function counted(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
