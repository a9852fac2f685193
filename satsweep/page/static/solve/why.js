// @ts-check
// What Solve does about reasons: asks for them, walks through best play, mends the board. Loaded when one is wanted.

import { symbolOf } from "../basics/position.js";
import { isCancelled } from "../engine/latest.js";
import { further } from "../shared/advice.js";
import { Explanation } from "./explanation.js";
import { Walk } from "./walk.js";

/** @typedef {import("./state.js").Asking} Asking */
/** @typedef {import("./walk.js").Path} Path */

const SLOW = 250; // milliseconds after which a question that takes a while is mentioned

/**
 * The part that says why, and what the user does there: `ask` begins a question, `set` shows another position, `know`
 * gets what else is known.
 * @param {{
 *   board: import("../board/board.js").Board, state: () => import("./state.js").SolveState, ask: () => Asking,
 *   set: (position: import("../basics/position.js").Position) => unknown,
 *   know: (change: Partial<import("./state.js").Known>) => void,
 * }} desk
 */
export function whyOf({ board, state, ask, set, know }) {
  const go = (/** @type {Path} */ path, /** @type {Cell | undefined} */ cell) => {
    if (!state().known.walk?.node) know({ why: null, walk: new Walk({ note: "Searching for best play…" }) });
    return walk(ask(), path, cell);
  };
  const explanation = new Explanation(board, {
    go,
    leave: () => know({ walk: null }),
    point: (step) => board.mark(state().marks(step)),
    solution: (solution) => know({ solution: state().known.solution === solution ? null : solution }),
    forget: () => know({ chosen: null, target: [], why: null, solution: null, walk: null }),
    cut: (part) => set(state().position.copy({ part })),
    correct: ({ cell, instead }) => {
      const corrected = state().position.copy(cell ? {} : { mines: instead });
      if (cell) corrected.cells[corrected.index(cell)] = instead === null ? "#" : symbolOf(instead);
      set(corrected);
    },
  });
  return { explanation, explain, go, lookFurther };
}

/** Ask why a cell is what it is, or for a solution of either kind. @param {Asking} asking @param {number} index */
async function explain({ connection, know, position, signal }, index) {
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

/** Ask for best play after a path. @param {Asking} asking @param {Path} path @param {Cell} [cell] */
async function walk({ connection, know, position, signal }, path, cell) {
  const asked = { board: position.toString(), path, ...(cell && { cell }) };
  try {
    const node = await connection.ask("endgame", asked, { signal });
    know({ why: null, walk: new Walk({ path, node: node.cells && node, note: node.why }) });
  } catch (error) {
    if (!isCancelled(error)) know({ walk: new Walk({ path, problem: /** @type {Error} */ (error).message }) });
  }
}

/** Ask what takes longest about a position with safe cells. @param {Asking} asking @param {Advice} advice */
const lookFurther = ({ connection, know, position, signal }, advice) =>
  further(connection, position.toString(), advice, signal, (found) => know({ advice: found })).catch(() => {});
