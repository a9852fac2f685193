// @ts-check
// The card of Train with which technique and pattern are chosen.

import { field, select } from "../basics/controls.js";
import { capitalized, h } from "../basics/dom.js";
import { inPlayersWords } from "../words/reasons.js";

/** @typedef {import("./puzzles.js").Wanted} Wanted */

export class PuzzleChoice {
  /** @type {Wanted} */
  wanted = { band: "", pattern: "" };

  /** @param {() => void} onChoose */
  constructor(onChoose) {
    const choose = (/** @type {Wanted} */ wanted) => {
      this.wanted = wanted;
      onChoose();
    };
    this.bands = select([], "", { id: "train-band", onchange: (band) => choose({ band, pattern: "" }) });
    this.patterns = select([], "", {
      id: "train-pattern",
      onchange: (pattern) => choose({ ...this.wanted, pattern }),
    });
    this.left = h("p", { class: "note" });
    this.element = h(
      "section",
      { class: "card" },
      h("h2", {}, "Puzzles"),
      h("div", { class: "fields" }, field("Technique", this.bands), field("Pattern", this.patterns)),
      this.left,
    );
  }

  /**
   * Offer techniques, and the patterns of the one that is wanted; say how many are left.
   * @param {import("./puzzles.js").Puzzles} puzzles
   * @param {import("./training.js").Training} training
   */
  show(puzzles, training) {
    const { band, pattern } = this.wanted;
    offer(this.bands, puzzles.bands, band);
    offer(this.patterns, puzzles.patterns(band), pattern);
    const suiting = puzzles.of(this.wanted);
    const left = suiting.filter(({ id }) => !training.has(id)).length;
    this.left.textContent = left
      ? `${left} of ${suiting.length} not answered yet. The next one is about as hard as your rating.`
      : `You have answered all ${suiting.length}. They come again, and your rating stays.`;
  }
}

/**
 * @param {HTMLSelectElement} list
 * @param {[name: string, count: number][]} kinds
 * @param {string} chosen
 */
function offer(list, kinds, chosen) {
  const text = (/** @type {string} */ name) => capitalized(inPlayersWords(name));
  const options = kinds.map(([name, count]) => h("option", { value: name }, `${text(name)} (${count})`));
  list.replaceChildren(h("option", { value: "" }, "Any"), ...options);
  list.value = chosen;
}
