// @ts-check
// Sentences as words and names of cells, and what they are put together from: names of cells, lists, amounts, templates.

import { AMOUNTS, TEMPLATES } from "./templates.js";

/**
 * @typedef {{ text: string, rows: number[], cols: number[] }} CellName the name of the cells in all of these rows and columns
 * @typedef {(string | CellName)[]} Sentence words and names of cells
 * @typedef {string | CellName | Sentence} Pieces of a sentence
 */

/** The name of the cells in all of these rows and columns. @param {number[]} rows @param {number[]} cols @returns {CellName} */
export const placeOf = (rows, cols) => ({ text: `${lines("row", rows)}, ${lines("column", cols)}`, rows, cols });

/** Pieces as one sentence, words beside each other together. @param {...Pieces} pieces */
export function sentenceOf(...pieces) {
  /** @type {Sentence} */
  const found = [];
  for (const part of pieces.flat()) {
    const before = found.at(-1);
    if (typeof part === "string" && typeof before === "string") found[found.length - 1] = before + part;
    else if (part !== "") found.push(part);
  }
  return found;
}

/** Names with commas between them. @param {Pieces[]} names */
export const joined = (names) => sentenceOf(...names.flatMap((name, at) => [at ? ", " : "", name]));

/** Names as a list, the last after an "and". @param {Pieces[]} names @param {boolean} [comma] */
export function listed(names, comma = false) {
  if (names.length < 2) return sentenceOf(...names);
  return sentenceOf(joined(names.slice(0, -1)), comma ? ", and " : " and ", names[names.length - 1]);
}

/** The sentence of a template with its words. @param {keyof typeof TEMPLATES} name @param {Record<string, Pieces>} words */
export const said = (name, words) =>
  sentenceOf(...TEMPLATES[name].split(/[{}]/).map((piece, at) => (at % 2 ? words[piece] : piece)));

/** A number with commas. @param {number} count */
export const written = (count) => count.toLocaleString("en");

/** A number, as a word if it is small. @param {number} count */
export const amount = (count) => AMOUNTS[count] ?? written(count);

/** A number of things in words. @param {number} count @param {string} [noun] */
export const counted = (count, noun = "mine") => `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** The words for one row or column, or for several. @param {string} noun @param {number[]} numbers */
function lines(noun, numbers) {
  /** @type {number[][]} */
  const runs = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[run.length - 1] === number - 1) run.push(number);
    else runs.push([number]);
  }
  const named = runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run[run.length - 1]}`] : run.map(String)));
  return `${noun}${numbers.length > 1 ? "s" : ""} ${listed(named).join("")}`;
}

/** @param {Sentence} sentence @returns {Sentence} */
export function capitalized([first, ...rest]) {
  const upper = (/** @type {string} */ words) => words.charAt(0).toUpperCase() + words.slice(1);
  return [typeof first === "string" ? upper(first) : { ...first, text: upper(first.text) }, ...rest];
}
