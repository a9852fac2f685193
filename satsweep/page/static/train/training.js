// @ts-check
// What the browser keeps of Train: the answers, and a rating of one's own that follows from them.

import { kept } from "../basics/kept.js";
import { rated, UNRATED } from "./glicko2.js";

const MOST = 5000; // answers that are kept; the oldest go first
const OF_A_PUZZLE = 100; // deviation of the ratings of puzzles, which are assumed

/** An answer: the puzzle, when, whether it was right, and the rating after it. @typedef {{ id: string, when: string, right: boolean, rating: number }} Answer */

/** @param {any} answer as the browser kept it */
const isAnswer = (answer) =>
  typeof answer?.id === "string" &&
  typeof answer.when === "string" &&
  typeof answer.right === "boolean" &&
  Number.isFinite(answer.rating);

/** @param {any} player as the browser kept it */
const isRated = (player) =>
  Object.keys(UNRATED).every((name) => Number.isFinite(player?.[name])) &&
  player.deviation > 0 &&
  player.volatility > 0;

export class Training {
  /** @type {import("./glicko2.js").Rated} */
  player = UNRATED;
  /** The oldest first. @type {Answer[]} */
  answers = [];

  constructor() {
    this.read();
  }

  // Another tab may have answered since.
  read() {
    const { player, answers } = kept.get("training");
    const isRight = isRated(player) && Array.isArray(answers);
    [this.player, this.answers] = isRight ? [player, answers.filter(isAnswer)] : [UNRATED, []];
  }

  /**
   * Keep an answer. Only the first to a puzzle changes the rating, as one remembers the solution.
   * @param {import("./puzzles.js").Puzzle} puzzle
   * @param {boolean} right
   * @returns {number | null} the change of the rating; null where it does not count
   */
  add({ id, rating }, right) {
    this.read();
    const before = this.player.rating;
    const isFirst = !this.has(id);
    if (isFirst) this.player = rated(this.player, [{ rating, deviation: OF_A_PUZZLE, score: right ? 1 : 0 }]);
    this.answers.push({ id, when: new Date().toISOString(), right, rating: Math.round(this.player.rating) });
    this.answers = this.answers.slice(-MOST);
    kept.set("training", { player: this.player, answers: this.answers });
    return isFirst ? Math.round(this.player.rating) - Math.round(before) : null;
  }

  clear() {
    kept.set("training", {});
    this.read();
  }

  /** @param {string} id */
  has(id) {
    return this.answers.some((answer) => answer.id === id);
  }

  // Right answers in a row, up to now.
  get streak() {
    const last = this.answers.findLastIndex(({ right }) => !right);
    return this.answers.length - 1 - last;
  }

  /** The rating in words, with twice its deviation. */
  get said() {
    const { rating, deviation } = this.player;
    return `${Math.round(rating)} ± ${Math.round(2 * deviation)}`;
  }
}
