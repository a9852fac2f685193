// @ts-check
// The engine in a worker: one question after another, so that the page stays alive meanwhile.

import { answer, prepare } from "./answer.js";
import { Unanswered } from "./answers.js";
import { load } from "./engine.js";

/** @type {WebAssembly.Module} */
let compiled;
/** @type {(module: WebAssembly.Module) => void} */
let begin;
/** A question may come before the compiled engine. @type {ReturnType<typeof load>} */
let loading = new Promise((resolve) => {
  begin = resolve;
}).then(load);

self.onmessage = async ({ data: { module, prepare: isPreparing, id, kind, fields, grid } }) => {
  if (module) {
    compiled = module;
    begin(module);
    return;
  }
  if (isPreparing) {
    prepare().catch(() => {}); // it is asked for again
    return;
  }
  const tell = (/** @type {any} */ said) => self.postMessage({ id, ...said });
  try {
    const engine = await loading;
    tell({ answer: await answer(engine, kind, fields, { grid, onPart: (part) => tell({ part }) }) });
  } catch (error) {
    // A trap leaves the memory of the engine in no known state.
    const isTrap = error instanceof WebAssembly.RuntimeError;
    if (isTrap) loading = load(compiled);
    if (isTrap || error instanceof Unanswered) tell({ unanswered: true });
    else tell({ error: { message: /** @type {Error} */ (error).message } });
  }
};
