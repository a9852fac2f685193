// @ts-check
// Reasons as elements: arguments step by step, verdicts.

import { h } from "../basics/dom.js";
import { placesOf, told } from "./places.js";

/** What is said of a forced cell. @typedef {Omit<Reason, "smallest">} Proof */

/**
 * The sentences of an argument, one list item each; `onStep` gets the step under the pointer, or null.
 * @param {import("./places.js").Board} board
 * @param {Argument} argument
 * @param {(step: Step | null) => void} [onStep]
 */
export function argument(board, { steps, text }, onStep = () => {}) {
  if (!steps?.length) return h("p", { class: "said" }, told(text, board));
  const item = (/** @type {Step} */ step) =>
    h("li", { onpointerenter: () => onStep(step), onpointerleave: () => onStep(null) }, told(step.said, board));
  return h("ol", { class: "steps" }, steps.map(item));
}

/**
 * Why a cell is forced: the cell and its verdict, the kind of argument, the argument.
 * @param {import("./places.js").Board} board
 * @param {Proof} reason
 * @param {number | null} mines the mine total
 * @param {(step: Step | null) => void} [onStep]
 */
export const explained = (board, reason, mines, onStep) => [
  h("h2", {}, placesOf(board, [reason.cell]), " is ", verdict(reason.mine)),
  h("p", { class: "rule" }, ruleOf(reason, mines)),
  argument(board, reason, onStep),
];

/** Kinds of arguments, as players would call them. @type {Record<string, string>} */
const RULES = {
  "single point": "one number is enough",
  subset: "two numbers together",
  chain: "one number after the other",
  supposition: "suppose it were otherwise",
  cases: "case by case",
  "mine count": "by the mine total",
};

/** The kind of an argument in a player's words. @param {string} rule */
export const inPlayersWords = (rule) => RULES[rule] ?? rule;

/** @param {Proof} reason @param {number | null} mines the mine total */
function ruleOf({ rule, total }, mines) {
  if (!total) return inPlayersWords(rule);
  return rule === "mine count"
    ? `by the mine total of ${mines}`
    : `${inPlayersWords(rule)}, with the mine total of ${mines}`;
}

/** @param {boolean} mine */
export const verdict = (mine) => h("span", { class: `badge ${mine ? "mined" : "free"}` }, mine ? "mine" : "safe");
