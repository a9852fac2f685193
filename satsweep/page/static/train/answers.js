// @ts-check
// What is asked in Train, which answers are right, and what is said of an answer.

import { plural } from "../basics/dom.js";
import { general } from "../basics/numbers.js";
import { isChoice } from "./puzzles.js";

/** @typedef {import("./puzzles.js").Puzzle} Puzzle */
/** @typedef {import("./puzzles.js").Deduction} Deduction */
/** @typedef {import("./puzzles.js").Choice} Choice */

/** @param {Cell} one @param {Cell} other */
export const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** @param {Cell[]} cells @param {Cell} cell */
const has = (cells, cell) => cells.some((other) => isSame(cell, other));

/** The cells that are right, the one that is shown as the answer first. @param {Puzzle} puzzle */
export const answersOf = (puzzle) => (isChoice(puzzle) ? puzzle.best : puzzle.reasons.map(({ cell }) => cell));

/** @param {Puzzle} puzzle @param {Cell} cell */
export const isRight = (puzzle, cell) => has(answersOf(puzzle), cell);

/** @param {Puzzle} puzzle */
export function questionOf(puzzle) {
  if (isChoice(puzzle)) return "Nothing is certain here. Which cell wins most often?";
  return puzzle.mine ? "Which cell is certainly a mine?" : "Which cell is certainly safe?";
}

/** What one has to know besides. @param {Puzzle} puzzle @param {import("../basics/position.js").Position} position */
export function remarksOn(puzzle, { mines, cells }) {
  const flags = cells.filter((symbol) => symbol === "*").length;
  const remarks = [isChoice(puzzle) ? "Best play follows." : "If several are, any of them counts."];
  if (mines !== null) {
    const flagged = flags ? `, ${flags} of them flagged` : "";
    remarks.unshift(`${plural(mines, "mine")} in all${flagged}.`);
  }
  if (cells.includes("?")) remarks.push("Grey cells are open: ignore them.");
  return remarks.join(" ");
}

/**
 * Why an answer is wrong: a sentence, and a solution in which the cell is not what was asked for.
 * @param {Deduction} puzzle
 * @param {Cell} cell
 * @param {number} index of the cell
 * @returns {{ sentence: Sentence, solution: string | null }}
 */
export function refutation(puzzle, cell, index) {
  const opposite = puzzle.mine ? "safe" : "a mine";
  if (has(puzzle.others, cell)) return { sentence: [cell, ` is certainly ${opposite}.`], solution: null };
  const solution = puzzle.refutations.find((one) => (one[index] === "*") !== puzzle.mine) ?? null;
  return { sentence: [cell, ` is not certain: in the solution on the board it is ${opposite}.`], solution };
}

/** The number that a fraction is. @param {string} fraction */
export function numberFrom(fraction) {
  const [over, under = 1] = fraction.split("/").map(Number);
  return over / under;
}

/** Risk and chance to win of a cell; null for an open one. @param {Choice} puzzle @param {Cell} cell */
export function chancesOf(puzzle, cell) {
  const found = puzzle.chances.find(([row, col]) => isSame([row, col], cell));
  return found ? { risk: numberFrom(found[2]), win: numberFrom(found[3]), exact: found[3] } : null;
}

/** A chance in words. @param {number} chance */
export const inPercent = (chance) => `${general(100 * chance)} %`;

/** Why the best cell is the best. @param {Choice} puzzle @returns {Sentence} */
export function whyBest(puzzle) {
  const { risk } = /** @type {NonNullable<ReturnType<typeof chancesOf>>} */ (chancesOf(puzzle, puzzle.best[0]));
  const others = puzzle.chances
    .filter(([row, col]) => !has(puzzle.best, [row, col]))
    .map(([row, col, ...chances]) => ({
      cell: /** @type {Cell} */ ([row, col]),
      risk: numberFrom(chances[0]),
      win: numberFrom(chances[1]),
    }));
  const rival = others.reduce((one, other) =>
    other.risk < one.risk || (other.risk === one.risk && other.win > one.win) ? other : one,
  );
  if (rival.risk > risk) return [`Its risk, ${inPercent(risk)}, is the least.`];
  const less = rival.risk < risk ? `less, ${inPercent(rival.risk)}` : "the same";
  return [
    `Its risk is ${inPercent(risk)}. The risk of `,
    rival.cell,
    ` is ${less}, but that cell wins ${inPercent(rival.win)}: what it shows helps less.`,
  ];
}
