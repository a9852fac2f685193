// @ts-check
// What is wrong with a position that is impossible or refused; loaded when one is.

import { isCancelled } from "../engine/latest.js";

/** @typedef {import("./state.js").Asking} Asking */

/** Ask which numbers cannot all be true. @param {Asking} asking @param {Impossible} impossible */
export async function contradict({ connection, know, position, signal }, impossible) {
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

/**
 * A state whose position is refused, at a field or a cell.
 * @param {import("./state.js").SolveState} state
 * @param {import("../engine/latest.js").Refused} reason
 */
export function refused(state, { said, message, line = 0, column = 0 }) {
  const { form, position } = state;
  const lines = position.toString().split("\n");
  const headers = lines.length - position.rows;
  const found = state.knowing({ phase: "refused" });
  const name = lines[line - 1]?.split(" ")[0].replace("density", "mines");
  if (line && line <= headers && Object.hasOwn(form, name)) return found.with({ faults: { [name]: said } });
  if (line <= headers || !column) return found.with({ problem: [message] });
  /** @type {Cell} */
  const cell = [line - headers - 1, column - 1];
  return found.knowing({ bad: [position.index(cell)] }).with({ problem: [cell, `: ${said}`] });
}
