// @ts-check
// What Solve asks about each position; it tells what is known of it then, step by step.

import { advise } from "../shared/advice.js";

/** @typedef {import("./state.js").Asking} Asking */

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
      const { contradict } = await import("./wrong.js");
      await contradict(asking, answer.impossible);
      return;
    }
    know({ phase: "answered", answer });
    await advise(connection, board, answer, signal, (advice) => know({ advice }));
  } finally {
    clearTimeout(slow);
  }
}
