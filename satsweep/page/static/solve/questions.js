// @ts-check
// What Solve asks about a position, each as a function that tells what is known of it then.

import { isCancelled } from "../engine/connection.js";
import { advise, further } from "../shared/advice.js";

/**
 * Who is asked about which position, until `signal` ends it; `know` gets more that is known of the position.
 * @typedef {{
 *   connection: import("../engine/connection.js").Connection, position: import("../basics/position.js").Position,
 *   signal: AbortSignal, know: (change: Partial<import("./state.js").Known>) => void,
 * }} Asking
 */

const SLOW = 250; // milliseconds after which a question that takes a while is mentioned

/** Ask for the analysis and what is best to do, or which numbers cannot all be true. @param {Asking} asking */
export async function analyse(asking) {
  const { connection, know, position, signal } = asking;
  const board = position.toString();
  const slow = setTimeout(() => know({ phase: "counting" }), SLOW);
  try {
    const answer = await connection.ask("solve", { board }, { signal });
    clearTimeout(slow);
    if (answer.impossible) {
      await contradict(asking, answer.impossible);
      return;
    }
    know({ phase: "answered", answer });
    await advise(connection, board, answer, signal, (advice) => know({ advice }));
  } finally {
    clearTimeout(slow);
  }
}

/** @param {Asking} asking @param {Impossible} impossible */
async function contradict({ connection, know, position, signal }, impossible) {
  know({ phase: "answered", impossible, why: { note: "Looking for the numbers that cannot all be true…" } });
  try {
    const asked = { board: position.toString() };
    const { conflict, corrections_said: corrections } = await connection.ask("conflict", asked, { signal });
    know({ why: conflict && { conflict, corrections } });
  } catch (error) {
    if (isCancelled(error)) throw error;
    know({ why: { problem: /** @type {Error} */ (error).message } });
  }
}

/** Ask what takes longest about a position with safe cells. @param {Asking} asking @param {Advice} advice */
export const lookFurther = ({ connection, know, position, signal }, advice) =>
  further(connection, position.toString(), advice, signal, (found) => know({ advice: found })).catch(() => {});

/** Ask why a cell is what it is, or for a solution of either kind. @param {Asking} asking @param {number} index */
export async function explain({ connection, know, position, signal }, index) {
  const asked = { board: position.toString(), cell: position.place(index) };
  const slow = setTimeout(() => know({ why: { note: "Looking for the reason…" } }), SLOW);
  try {
    know({ why: await connection.ask("explain", asked, { signal }) });
  } catch (error) {
    if (!isCancelled(error)) know({ why: { problem: /** @type {Error} */ (error).message } });
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Ask for best play after a path; with a cell, for the numbers that it can show.
 * @param {Asking} asking
 * @param {{ path: import("./state.js").Path, cell?: Cell }} where
 */
export async function walk({ connection, know, position, signal }, { path, cell }) {
  const asked = { board: position.toString(), path, ...(cell && { cell }) };
  try {
    const node = await connection.ask("endgame", asked, { signal });
    know({ why: null, walk: { path, node: node.cells && node, note: node.why } });
  } catch (error) {
    if (!isCancelled(error)) know({ walk: { path, node: null, problem: /** @type {Error} */ (error).message } });
  }
}
