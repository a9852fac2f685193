// @ts-check
// The engine in a worker: one question after another, so that the page stays alive meanwhile.

import { answer, Unanswered } from "./answers.js";
import { load } from "./engine/engine.js";

/** @type {WebAssembly.Module} */
let compiled;
/** @type {ReturnType<typeof load>} */
let loading;

self.onmessage = async ({ data: { module, id, kind, fields, grid } }) => {
  if (module) {
    compiled = module;
    loading = load(compiled);
    return;
  }
  const tell = (/** @type {any} */ said) => self.postMessage({ id, ...said });
  try {
    const engine = await loading;
    tell({ answer: answer(engine, kind, fields, { grid, onPart: (part) => tell({ part }) }) });
  } catch (error) {
    // A trap leaves the memory of the engine in no known state.
    const isTrap = error instanceof WebAssembly.RuntimeError;
    if (isTrap) loading = load(compiled);
    if (isTrap || error instanceof Unanswered) tell({ unanswered: true });
    else tell({ error: { message: /** @type {Error} */ (error).message } });
  }
};
