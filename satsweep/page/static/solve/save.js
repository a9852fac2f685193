// @ts-check
// Saving Solve's position in another format; loaded when something is first saved.

import { fromBase64 } from "../basics/base64.js";
import { copy, download } from "../basics/dom.js";

/**
 * Copy or download the position in the chosen format; why it cannot be saved, null if it was. `tell` gets how it went.
 * @param {import("../engine/connection.js").Connection} connection
 * @param {import("./state.js").SolveState} state
 * @param {"copy" | "file"} where
 * @param {(said: string) => void} tell
 */
export async function save(connection, { format, position }, where, tell) {
  try {
    const written = await connection.ask("write", { board: position.toString(), format });
    const content = written.base64 === undefined ? written.text : fromBase64(written.base64);
    if (where === "file") download(`position${written.suffix}`, content);
    else tell(written.text !== undefined && (await copy(written.text)) ? "Copied" : "Not copied");
    return null;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}
