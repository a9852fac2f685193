// @ts-check
// Clicks of a game in an address: two bytes for the action and the cell, then the milliseconds since the click before.

import { fromBase64, toBase64 } from "../basics/base64.js";

/**
 * A click of the user: on a covered cell, or a chord on a number. `time` is in milliseconds since the start of the game,
 * null where it is not known.
 * @typedef {{ action: "open" | "flag" | "unflag" | "chord", index: number, time: number | null }} Click
 */

/** In the order of their codes. @type {Click["action"][]} */
const ACTIONS = ["open", "flag", "unflag", "chord"];
const BITS = 14; // of the number of a cell

/** @param {Click[]} clicks */
export function packedClicks(clicks) {
  /** @type {number[]} */
  const bytes = [];
  let last = 0;
  for (const { action, index, time } of clicks) {
    const code = (ACTIONS.indexOf(action) << BITS) | index;
    bytes.push(code >> 8, code & 255);
    // 0 where the time is not known, seven bits a byte, the lowest first.
    let rest = time === null ? 0 : Math.max(0, Math.round(time) - last) + 1;
    for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
    if (time !== null) last = Math.max(last, Math.round(time));
  }
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The clicks of an address on a board of some cells. Throws an error where there are none.
 * @param {string} code
 * @param {number} cells
 * @returns {Click[]}
 */
export function unpackedClicks(code, cells) {
  const bytes = fromBase64(code.replaceAll("-", "+").replaceAll("_", "/"));
  const clicks = [];
  let [at, last] = [0, 0];
  while (at < bytes.length) {
    const head = (bytes[at] << 8) | bytes[at + 1];
    at += 2;
    let [rest, shift] = [0, 0];
    for (; bytes[at] > 127 && shift < 28; shift += 7) rest |= (bytes[at++] & 127) << shift;
    rest |= bytes[at++] << shift;
    const index = head & ((1 << BITS) - 1);
    if (at > bytes.length || index >= cells || rest < 0) throw new Error("This link does not hold a game.");
    if (rest) last += rest - 1;
    clicks.push({ action: ACTIONS[head >> BITS], index, time: rest ? last : null });
  }
  return clicks;
}

/**
 * Clicks as the server reads them.
 * @param {Click[]} clicks
 * @param {number} cols
 */
export const toldClicks = (clicks, cols) =>
  clicks.map(({ action, index, time }) => {
    const cell = [Math.floor(index / cols), index % cols];
    return time === null ? [action, cell] : [action, cell, time / 1000];
  });

/**
 * Clicks as the server tells them.
 * @param {[action: Click["action"], cell: Cell, seconds?: number][]} moves
 * @param {number} cols
 * @returns {Click[]}
 */
export const clicksOf = (moves, cols) =>
  moves.map(([action, [row, col], seconds]) => ({
    action,
    index: row * cols + col,
    time: seconds === undefined ? null : Math.round(1000 * seconds),
  }));
