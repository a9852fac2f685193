// @ts-check
// What Train knows and shows, apart from its elements: how an answer changes it, and what follows from it for the screen.

import { capitalized } from "../basics/dom.js";
import { isCovered, Position } from "../basics/position.js";
import { winHeat } from "../board/heat.js";
import { lookOf } from "../board/look.js";
import {
  answersOf,
  chancesOf,
  inPercent,
  isRight,
  isSame,
  questionOf,
  refutation,
  remarksOn,
  whyBest,
} from "./answers.js";
import { isChoice } from "./puzzles.js";

/** @typedef {import("./puzzles.js").Puzzle} Puzzle */

const SAFE = { risk: 0, exact: "0", percent: "0 %" };
const MINE = { risk: 1, exact: "1", percent: "100 %" };

/** What was said of an answer: right at once, or later; not the best one; the answer was shown. @typedef {"Right" | "Yes" | "Not the best" | "The answer"} Verdict */

export class TrainState {
  /** The puzzle that is shown. @type {Puzzle | null} */
  puzzle = null;
  /** Its position. @type {Position} */
  position = new Position({});
  /** Asked; answered wrong, and asked again; or over, the answer is shown. @type {"asked" | "missed" | "over"} */
  phase = "asked";
  /** The cell of the last answer, or of the one that is shown. @type {number | null} */
  chosen = null;
  /** What is said of it, once the puzzle is over. @type {Verdict | null} */
  verdict = null;
  /** What the last answer changed the rating by; null where the puzzle was answered before. @type {number | null} */
  gain = null;
  /** Which puzzles are wanted. @type {import("./puzzles.js").Wanted} */
  wanted = { band: "", pattern: "" };
  /** Why there is no puzzle, or another one than was asked for. */
  problem = "";
  /** True while the user is asked whether all answers shall be forgotten. */
  isForgetting = false;

  /** @param {Partial<TrainState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** This state with changes. @param {Partial<TrainState>} change */
  with(change) {
    return new TrainState({ ...this, ...change });
  }

  /** A puzzle is asked. @param {Puzzle} puzzle */
  asking(puzzle) {
    const position = Position.of(puzzle.board);
    return this.with({ puzzle, position, phase: "asked", chosen: null, verdict: null, gain: null });
  }

  /** It is asked once more. */
  askingAgain() {
    return this.with({ chosen: null });
  }

  /** True if a cell can be an answer now. @param {number} index */
  mayChoose(index) {
    return this.puzzle !== null && this.phase !== "over" && this.position.cells[index] === "#";
  }

  /** @param {number} index */
  isRight(index) {
    return this.puzzle !== null && isRight(this.puzzle, this.position.place(index));
  }

  /**
   * The user has chosen a cell; `gain` is what that changed the rating by.
   * @param {number} index
   * @param {number | null} gain
   */
  answered(index, gain) {
    const answer = { chosen: index, gain };
    if (this.isRight(index)) return this.#over(answer, this.phase === "asked" ? "Right" : "Yes");
    if (this.puzzle && isChoice(this.puzzle)) return this.#over(answer, "Not the best");
    return this.with({ ...answer, phase: "missed" });
  }

  /** The answer is shown to those who do not find it. @param {number | null} gain */
  revealed(gain) {
    const [[row, col]] = answersOf(/** @type {Puzzle} */ (this.puzzle));
    return this.#over({ chosen: row * this.position.cols + col, gain }, "The answer");
  }

  /** @param {Partial<TrainState>} answer @param {Verdict} verdict */
  #over(answer, verdict) {
    return this.with({ ...answer, phase: "over", verdict });
  }

  /** What was wrong with the last answer; null where nothing was. */
  get refuted() {
    const { chosen, phase, puzzle } = this;
    if (!puzzle || isChoice(puzzle) || phase !== "missed" || chosen === null) return null;
    return refutation(puzzle, this.position.place(chosen), chosen);
  }

  /** The sentence above the board: what is asked, or what is said of the answer. @returns {Sentence} */
  get lead() {
    const { chosen, phase, puzzle, verdict } = this;
    if (!puzzle) return [];
    if (chosen === null) return [questionOf(puzzle)];
    if (phase !== "over") return this.refuted?.sentence ?? [];
    const cell = this.position.place(chosen);
    if (!isChoice(puzzle)) return [`${verdict}: `, cell, ` is ${puzzle.mine ? "a mine" : "safe"}.`];
    const wins = (/** @type {Cell} */ one) => ` wins ${inPercent(chancesOf(puzzle, one)?.win ?? 0)}`;
    if (isRight(puzzle, cell)) return [`${verdict}: `, cell, `${wins(cell)}, no cell wins more often.`];
    return [`${verdict}: `, cell, `${wins(cell)}, `, puzzle.best[0], `${wins(puzzle.best[0])}.`];
  }

  /** What is to be known besides. */
  get remarks() {
    const { chosen, gain, phase, position, puzzle } = this;
    if (!puzzle) return "";
    if (chosen === null) return remarksOn(puzzle, position);
    const rating = gain ? `Your rating: ${signed(gain)}.` : "";
    const again = gain === null ? "You have answered this one before, so your rating stays." : "";
    return [rating, again, phase === "missed" ? "Try again, or see the answer." : ""].filter(Boolean).join(" ");
  }

  /** Why a cell is certain, once the puzzle is over; null where nothing is, and before. @returns {import("../words/reasons.js").Proof | null} */
  get reason() {
    const { chosen, phase, position, puzzle } = this;
    if (!puzzle || isChoice(puzzle) || phase !== "over" || chosen === null) return null;
    const cell = position.place(chosen);
    const proof = puzzle.reasons.find((one) => isSame(one.cell, cell)) ?? puzzle.reasons[0];
    return { ...proof, mine: puzzle.mine, text: [] };
  }

  /** Why a cell wins most often, once the puzzle is over: the cell, its chance, and the sentence. */
  get best() {
    const { phase, puzzle } = this;
    if (!puzzle || !isChoice(puzzle) || phase !== "over") return null;
    const [cell] = puzzle.best;
    const { win = 0, exact = "" } = chancesOf(puzzle, cell) ?? {};
    return { cell, chance: `${inPercent(win)} = ${exact}`, sentence: whyBest(puzzle) };
  }

  /** What kind of puzzle this was. */
  get kind() {
    const { puzzle } = this;
    if (!puzzle) return "";
    const kind = isChoice(puzzle) ? `${puzzle.band}: ${puzzle.pattern}` : puzzle.band;
    return `${capitalized(kind)}. Rated about ${puzzle.rating}.`;
  }

  /**
   * What is marked on the board; `step` is the step of the reason that the user points at.
   * @param {Step | null} [step]
   * @returns {Record<string, number[]>}
   */
  marks(step = null) {
    const { chosen, position, puzzle, reason } = this;
    const indices = (/** @type {Cell[]} */ cells) => cells.map(([row, col]) => row * position.cols + col);
    if (reason) return { target: indices([reason.cell]), clue: indices((step ?? reason).clues) };
    const target = chosen === null ? [] : [chosen];
    if (!this.best || !puzzle || !isChoice(puzzle)) return { target };
    const best = indices(puzzle.best);
    return { best, target: target.filter((index) => !best.includes(index)) };
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const { phase, position, puzzle, refuted } = this;
    const symbol = position.cells[index];
    if (symbol === "*") return { symbol: "F", label: "flagged, a mine" };
    if (symbol === "?") return { symbol, text: "", label: "open, not needed", extra: "untold" };
    if (!puzzle || !isCovered(symbol)) return { symbol };
    if (refuted?.solution) {
      const mine = refuted.solution[index] === "*";
      return { symbol, extra: mine ? "left" : "", label: mine ? "a mine in this solution" : "safe in this solution" };
    }
    if (phase !== "over") return { symbol };
    const cell = position.place(index);
    if (isChoice(puzzle)) {
      const win = chancesOf(puzzle, cell)?.win ?? 0;
      const all = puzzle.chances.map(([row, col]) => chancesOf(puzzle, [row, col])?.win ?? 0);
      const label = `covered, wins ${inPercent(win)}`;
      return { symbol, heat: winHeat(win, all), text: String(Math.round(100 * win)), label };
    }
    if (isRight(puzzle, cell)) return lookOf(symbol, { odds: puzzle.mine ? MINE : SAFE });
    return puzzle.others.some((other) => isSame(other, cell))
      ? lookOf(symbol, { odds: puzzle.mine ? SAFE : MINE })
      : { symbol };
  }

  /** What a tooltip says of a cell; empty where there is none. @param {number} index */
  tip(index) {
    const { phase, position, puzzle } = this;
    if (!puzzle || phase !== "over" || !isChoice(puzzle)) return "";
    const chances = chancesOf(puzzle, position.place(index));
    return chances ? ` wins ${chances.exact}, risk ${inPercent(chances.risk)}` : "";
  }
}

/** @param {number} change */
const signed = (change) => (change < 0 ? `−${-change}` : `+${change}`);
