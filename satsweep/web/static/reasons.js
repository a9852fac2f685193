// Reasons as elements: arguments step by step, verdicts, exact risks, ranked guesses.

import { button, h, table } from "./dom.js";

// The sentences of an argument, one list item each; `onStep` gets the step under the pointer, or null.
export function argument({ steps, text }, onStep = () => {}) {
  if (!steps?.length) return h("p", { class: "said" }, text);
  const item = (step) => h("li", { onpointerenter: () => onStep(step), onpointerleave: () => onStep(null) }, step.said);
  return h("ol", { class: "steps" }, steps.map(item));
}

export const verdict = (mine) => h("span", { class: `badge ${mine ? "mined" : "free"}` }, mine ? "mine" : "safe");

export function fraction(percent, exact) {
  if (!exact || exact === "0" || exact === "1") return percent;
  return `${percent} = ${exact.length > 60 ? `${exact.slice(0, 57)}…` : exact}`;
}

// Guesses, best first; `onChoose` gets the guess that the user chooses.
export function ranking(candidates, onChoose) {
  const rows = candidates.map((candidate) => [
    button(candidate.cells[0].join(","), () => onChoose(candidate), { class: "link" }),
    candidate.risk_percent,
    candidate.progress_percent ?? "not known",
    String(candidate.tied),
  ]);
  return table("No cell is safe. The best guesses", ["Cell", "Risk", "Safe cell follows", "Equal"], rows);
}
