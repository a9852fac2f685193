// @ts-check
// Numbers of a game that players compare: 3BV, how much of it is done, 3BV per second, clicks, efficiency.

import { isCovered } from "./position.js";
import { term } from "./term.js";

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
 * `bv` is the 3BV of a game's board, `done` the part of it that is open, `efficiency` the part done for each click.
 * @param {import("./game.js").Game} game
 * @param {import("./game.js").Dealt} dealt
 * @param {number} seconds
 */
export function countsOf(game, dealt, seconds) {
  const needed = clicksNeeded(dealt.shown, game.neighbours);
  const done = needed.filter((cells) => cells.some((cell) => !isCovered(game.symbols[cell]))).length;
  const { left, right, chord } = game.clicks;
  return {
    bv: needed.length,
    done,
    pace: seconds > 0 ? done / seconds : null,
    left,
    right,
    chord,
    clicks: game.clicked,
    efficiency: game.clicked ? done / game.clicked : null,
  };
}

// Help that opens cells: clicks say little then.
const CLICKLESS = ["automatic moves", "safe cells opened", "link"];

/**
 * These numbers as pairs of a name, which has a tooltip, and a text.
 * @param {ReturnType<typeof countsOf>} counts
 * @param {Set<string>} help
 * @returns {[name: HTMLElement | string, text: string][]}
 */
export function countsText({ bv, done, pace, left, right, chord, clicks, efficiency }, help) {
  const parts = Object.entries({ left, right, "on numbers": chord }).flatMap(([name, count]) =>
    count ? [`${count} ${name}`] : [],
  );
  /** @type {[name: HTMLElement | string, text: string][]} */
  const facts = [[term("3BV"), done === bv ? String(bv) : `${done} of ${bv}`]];
  if (CLICKLESS.some((name) => help.has(name))) return facts;
  return [
    ...facts,
    [term("3BV/s"), pace === null ? "" : pace.toFixed(2)],
    ["Clicks", parts.length > 1 ? `${clicks} (${parts.join(", ")})` : String(clicks)],
    [term("efficiency", "Efficiency"), efficiency === null ? "" : `${Math.round(100 * efficiency)} %`],
  ];
}
