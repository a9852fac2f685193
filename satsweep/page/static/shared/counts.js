// @ts-check
// Numbers of a game that players compare: 3BV, how much of it is done, 3BV per second, clicks, efficiency.

import { isCovered } from "../basics/position.js";
import { term } from "../words/term.js";

/**
 * The clicks that clear a board without flags, each as a list of cells: one of them has to be opened by that click.
 * An opening is one click, and so is every other safe cell that touches none.
 * @param {string} shown what each cell shows
 * @param {number[][]} neighbours
 */
export function clicksNeeded(shown, neighbours) {
  const needed = [];
  const seen = new Set();
  for (let index = 0; index < shown.length; index++) {
    if (shown[index] !== "." || seen.has(index)) continue;
    const area = [index];
    seen.add(index);
    for (const cell of area) {
      for (const other of shown[cell] === "." ? neighbours[cell] : []) {
        if (shown[other] === "." && !seen.has(other)) area.push(other);
        seen.add(other);
      }
    }
    needed.push(area);
  }
  for (let index = 0; index < shown.length; index++) {
    if (shown[index] !== "*" && !seen.has(index)) needed.push([index]);
  }
  return needed;
}

/**
 * The 3BV of a board, and the part of it that is open.
 * @param {string} shown what each cell shows
 * @param {string[]} symbols what is seen
 * @param {number[][]} neighbours
 */
export function solved(shown, symbols, neighbours) {
  const needed = clicksNeeded(shown, neighbours);
  const done = needed.filter((cells) => cells.some((cell) => !isCovered(symbols[cell]))).length;
  return { bv: needed.length, done };
}

/**
 * What players compare, from the counts of a game; null where a figure is not known.
 * @param {{ bv: number, done: number, seconds: number, clicks: number | null, effective: number }} counts
 */
export function figures({ bv, done, seconds, clicks, effective }) {
  return {
    bv,
    done,
    clicks: clicks ?? effective,
    pace: seconds > 0 ? done / seconds : null,
    rqp: seconds > 0 && done === bv ? (seconds * seconds) / bv : null,
    efficiency: clicks ? done / clicks : null,
    throughput: effective ? done / effective : null,
    correctness: clicks ? effective / clicks : null,
  };
}

const share = (/** @type {number | null} */ value) => (value === null ? "" : `${Math.round(100 * value)} %`);
const rounded = (/** @type {number | null} */ value) => (value === null ? "" : value.toFixed(2));

/**
 * Figures as pairs of a name, which has a tooltip, and a text; those that are not known are left out.
 * @param {ReturnType<typeof figures>} found
 * @param {string} [parts] the clicks by button
 * @returns {[name: HTMLElement | string, text: string][]}
 */
export function figuresText({ bv, done, pace, rqp, clicks, efficiency, throughput, correctness }, parts = "") {
  /** @type {[name: HTMLElement | string, text: string][]} */
  const facts = [
    [term("3BV"), done === bv ? String(bv) : `${done} of ${bv}`],
    [term("3BV/s"), rounded(pace)],
    ["Clicks", clicks ? `${clicks}${parts && ` (${parts})`}` : ""],
    [term("efficiency", "Efficiency"), share(efficiency)],
    [term("throughput", "Throughput"), share(throughput)],
    [term("correctness", "Correctness"), share(correctness)],
    [term("RQP"), rounded(rqp)],
  ];
  return facts.filter(([, text]) => text);
}

/**
 * Clicks by button, if there are several kinds.
 * @param {{ left: number, right: number, chord: number }} clicks
 */
export function partsText({ left, right, chord }) {
  const parts = Object.entries({ left, right, "on numbers": chord }).flatMap(([name, count]) =>
    count ? [`${count} ${name}`] : [],
  );
  return parts.length > 1 ? parts.join(", ") : "";
}
