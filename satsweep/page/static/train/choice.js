// @ts-check
// The card of Train with which technique and pattern are chosen.

import { field, select } from "../basics/controls.js";
import { capitalized, h } from "../basics/dom.js";
import { inPlayersWords } from "../words/reasons.js";

/** @typedef {import("./puzzles.js").Wanted} Wanted */

export class PuzzleChoice {
  /** @param {(wanted: Wanted) => void} onChoose */
  constructor(onChoose) {
    this.bands = select([], "", { id: "train-band", onchange: (band) => onChoose({ band, pattern: "" }) });
    this.patterns = select([], "", {
      id: "train-pattern",
      onchange: (pattern) => onChoose({ band: this.bands.value, pattern }),
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
   * @param {Wanted} wanted
   */
  draw(puzzles, training, wanted) {
    const { band, pattern } = wanted;
    offer(this.bands, puzzles.bands, band);
    offer(this.patterns, puzzles.patterns(band), pattern);
    const suiting = puzzles.of(wanted);
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
