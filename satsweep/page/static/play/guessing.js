// @ts-check
// What becomes of guesses in Play: the choices of one menu, and their names on boards that are kept.

/**
 * `needs` is the hardest technique that clears the board (any: it may need a guess), `rule` what happens to mines when a cell
 * is opened (fairness.js), both by their names in questions; `says` what the choice means.
 * @typedef {{ needs: string, rule: string, label: string, says: string }} Guessing
 */

/** The first four are usual, the others variants of them. @type {[needs: string, rule: string, label: string, says: string][]} */
const ROWS = [
  ["any", "never", "as dealt", "All layouts are equally likely, so the board may need a guess."],
  ["all", "never", "never needed", "Every move follows from all numbers and the mine total."],
  ["any", "fair", "fair", "While no cell is certainly safe, a cell of least risk is never a mine."],
  ["any", "cruel", "cruel", "While some cell is certainly safe, every other cell is a mine if it can be."],
  ["pairs", "never", "never needed: two numbers at a time", "Every move follows from one or two numbers."],
  ["single", "never", "never needed: single numbers", "Every move follows from one number."],
  ["any", "fair-any", "fair to any guess", "While no cell is certainly safe, no cell is a mine unless it has to be."],
  ["any", "cruel-all", "cruel to all", "Every cell that can be a mine is one."],
];
export const USUAL = 4;

/** The choices by their names: that of the rule, or else of what the board needs. @type {Record<string, Guessing>} */
export const GUESSING = Object.fromEntries(
  ROWS.map(([needs, rule, label, says]) => [rule === "never" ? needs : rule, { needs, rule, label, says }]),
);

/**
 * The name of the choice with a rule, or else of the one with what the board needs; "any" for unknown ones.
 * @param {string | null} needs
 * @param {string | null} rule
 */
export const guessingOf = (needs, rule) => [rule, needs].find((name) => name && Object.hasOwn(GUESSING, name)) ?? "any";

/** What a board needs and its rule in words, where they are not the usual ones. @param {string} needs @param {string} rule */
export const guessesNamed = (needs, rule) => [
  ...(needs === "any" ? [] : [`guesses ${GUESSING[needs]?.label ?? needs}`]),
  ...(rule === "never" ? [] : [GUESSING[rule]?.label ?? rule]),
];
