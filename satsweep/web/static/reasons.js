// Reasons as elements: sentences, the numbers that they are about, two worlds, guesses.

import { h } from "./dom.js";

// The sentences of an argument, one an item; pointing at one marks its numbers.
export function argument(told, onStep = () => {}) {
  if (!told.steps?.length) return h("p", { class: "said" }, told.text);
  return h("ol", { class: "steps" }, told.steps.map((step) =>
    h("li", { onpointerenter: () => onStep(step), onpointerleave: () => onStep(null) }, step.said)));
}

export const verdict = (mine) => h("span", { class: `badge ${mine ? "mined" : "free"}` }, mine ? "mine" : "safe");

export function fraction(percent, exact) {
  if (!exact || exact === "0" || exact === "1") return percent;
  return `${percent} = ${exact.length > 60 ? `${exact.slice(0, 57)}…` : exact}`;
}

// Guesses, best first; choosing one shows where it is.
export function ranking(candidates, onChoose) {
  return h("table", { class: "ranking" },
    h("caption", {}, "No cell is safe. The best guesses"),
    h("thead", {}, h("tr", {}, ["Cell", "Risk", "Safe cell follows", "Equal"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, candidates.map((candidate) => h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => onChoose(candidate) }, candidate.cells[0].join(","))),
      h("td", {}, candidate.risk_percent),
      h("td", {}, candidate.progress_percent ?? "not known"),
      h("td", {}, String(candidate.tied))))));
}

export const cellsOf = (cells, cols) => (cells ?? []).map(([row, col]) => row * cols + col);
