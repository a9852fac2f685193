// @ts-check
// The engine's answer to a question. Those about a position are there at once, as the first look needs them; those about
// games are loaded when one is first asked for.

import { advice, solve, Unanswered } from "./answers.js";
import { ImpossibleError, LimitError, NotFoundError } from "./engine.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./answers.js").Fields} Fields */
/** @typedef {import("./answers.js").How} How */

/** @type {Record<string, (engine: Engine, fields: Fields, how: How) => any>} */
const ANSWERS = { solve, advice };

/** Load the answers about games. */
export const prepare = () => import("./game-answers.js");

/**
 * An answer, or its parts and then the answer.
 * @param {Engine} engine
 * @param {string} kind
 * @param {Fields} fields
 * @param {How} how
 */
export async function answer(engine, kind, fields, how) {
  const own = ANSWERS[kind] ?? (await prepare()).ANSWERS[kind];
  try {
    return own(engine, fields, how);
  } catch (error) {
    if (error instanceof NotFoundError) throw new Error("No such board was found; try fewer mines.");
    const beyond = [ImpossibleError, LimitError, TypeError].some((Kind) => error instanceof Kind);
    throw beyond ? new Unanswered(/** @type {Error} */ (error).message) : error;
  }
}
