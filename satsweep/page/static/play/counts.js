// @ts-check
// The numbers of a game of Play that players compare (counts.js), and the clicks by button, as an address tells them.

import { figures, figuresText, partsText, solved } from "../shared/counts.js";

/** @typedef {import("./game.js").Game} Game */

/**
 * `bv` is the 3BV of a game's board, `done` the part of it that is open; `clicks` are all, `effective` those that changed
 * something. Each other figure has its definition in the glossary.
 * @param {Game} game
 * @param {import("./game.js").Dealt} dealt
 * @param {number} seconds
 */
export function countsOf(game, dealt, seconds) {
  const { bv, done } = solved(dealt.shown, game.symbols, game.neighbours);
  const { left, right, chord } = game.clicks;
  return {
    ...figures({ bv, done, seconds, clicks: game.clicked, effective: game.moves.length }),
    left,
    right,
    chord,
  };
}

// Help that opens cells: clicks say little then.
const CLICKLESS = ["automatic moves", "safe cells opened"];

/** True if the clicks of a game are known, and the player's own. @param {Game} game */
export const areOwn = ({ areClicksKnown, help }) => areClicksKnown && !CLICKLESS.some((name) => help.has(name));

/** Clicks by button as an address tells them; null if they say little. @param {Game} game */
export const toldCounts = (game) =>
  areOwn(game) ? [game.clicks.left, game.clicks.right, game.clicks.chord].join(",") : null;

/**
 * Take the clicks by button that an address tells.
 * @param {Game} game
 * @param {string | null} told
 */
export function takeCounts(game, told) {
  const found = /^(\d{1,6}),(\d{1,6}),(\d{1,6})$/.exec(told ?? "");
  game.areClicksKnown = found !== null;
  if (found) [game.clicks.left, game.clicks.right, game.clicks.chord] = found.slice(1).map(Number);
}

/**
 * A game as it is left, to be gone on with after a reload.
 * @param {Game} game
 * @param {string} link
 * @param {number} seconds
 * @returns {import("../basics/kept.js").Left}
 */
export function leftOf({ areClicksKnown, clicks, help, kept }, link, seconds) {
  const known = areClicksKnown ? [clicks.left, clicks.right, clicks.chord] : null;
  return { link, help: [...help], seconds, clicks: known, isKept: kept };
}

/**
 * Go on with a game as it was left.
 * @param {Game} game
 * @param {import("../basics/kept.js").Left} left
 */
export function takeLeft(game, { clicks, help, isKept }) {
  for (const name of help) game.help.add(name);
  game.kept = isKept;
  takeCounts(game, clicks?.join(",") ?? null);
}

/**
 * The figures of a game in Play.
 * @param {ReturnType<typeof countsOf>} counts
 * @param {Game} game
 */
export function countsText(counts, game) {
  const facts = figuresText(counts, partsText(counts));
  return areOwn(game) ? facts : facts.slice(0, 1);
}
