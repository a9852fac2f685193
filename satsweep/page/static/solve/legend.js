// @ts-check
// What the numbers in covered cells of Solve are, risks or win chances, to be chosen; and what the colours mean.

import { choice, press } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { term } from "../words/term.js";

/** @typedef {"risk" | "win"} Numbers */
/** @type {Record<Numbers, [least: string, most: string]>} */
const ENDS = { risk: ["safe", "mine"], win: ["wins most", "wins least"] };

export class Legend {
  /** @param {(numbers: Numbers) => void} onChoose */
  constructor(onChoose) {
    this.choices = choice(
      "Numbers in covered cells",
      [
        ["risk", "Risk %"],
        ["win", "Win chance %"],
      ],
      onChoose,
    );
    this.noWins = h("small", { class: "note", id: "solve-no-wins" });
    this.ends = [h("span", { class: "key safe" }), h("span", { class: "key sure" })];
    const [safe, mine] = this.ends;
    this.key = h(
      "div",
      { class: "legend" },
      safe,
      h("span", { class: "ramp", "aria-hidden": "true" }),
      mine,
      h("span", { class: "key best" }, term("best move")),
      h("span", { class: "key clue" }, "reason"),
      h("span", { class: "key dead" }, term("dead cell")),
      h("span", { class: "key toss" }, term("unavoidable guess")),
    );
    this.element = h("div", { class: "bar under" }, this.choices.element, this.noWins, this.key);
  }

  /** @param {import("./state.js").SolveState} state */
  draw({ numbers, noWins }) {
    for (const [at, end] of this.ends.entries()) end.textContent = ENDS[numbers][at];
    for (const one of this.choices.buttons) press(one, one.dataset.value === numbers);
    const wins = this.choices.buttons[1];
    wins.disabled = noWins !== null;
    wins.title = this.noWins.textContent = noWins ?? "";
    if (noWins) wins.setAttribute("aria-describedby", this.noWins.id);
    else wins.removeAttribute("aria-describedby");
  }
}
