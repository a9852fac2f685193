// @ts-check
// The curve of the chance to win over the moves of a reviewed game, above the slider that walks through them.

import { h, svgOf } from "../basics/dom.js";
import { term } from "../words/term.js";

const HEIGHT = 100;

export class Curve {
  /** What is drawn. @type {(number | null)[]} */
  chances = [];

  constructor() {
    this.graph = h("div", { class: "graph", role: "img" });
    this.marker = h("i", {});
    this.now = h("strong", {});
    this.element = h(
      "div",
      { class: "curve", hidden: true },
      h("p", { class: "note" }, term("win chance", "Win chance"), " ", this.now),
      this.graph,
    );
  }

  /**
   * Draw the chances before each move and after the last one; null where a chance is not known.
   * @param {(number | null)[]} chances
   */
  show(chances) {
    /** @type {[at: number, chance: number][]} */
    const known = chances.flatMap((chance, at) => (chance === null ? [] : [[at, chance]]));
    this.element.hidden = known.length < 2;
    this.chances = this.element.hidden ? [] : chances;
    if (this.element.hidden) return;
    const pieces = known.map(([at, chance], place) => {
      const joined = place > 0 && known[place - 1][0] === at - 1;
      return `${joined ? "L" : "M"}${at} ${HEIGHT * (1 - chance)}`;
    });
    const width = chances.length - 1;
    const svg = svgOf(
      `<path d="M0 ${HEIGHT / 2}H${width}" class="half"/><path d="${pieces.join("")}"/>`,
      width,
      HEIGHT,
    );
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    this.graph.replaceChildren(svg, this.marker);
    const [[first, start], [last, end]] = [known[0], known[known.length - 1]];
    const [lowest, least] = known.reduce((low, other) => (other[1] < low[1] ? other : low));
    const low = lowest === last ? "" : `, least ${share(least)} after move ${lowest}`;
    const label = `Chance to win: ${share(start)} after move ${first}${low}, ${share(end)} after move ${last}`;
    this.graph.setAttribute("aria-label", label);
  }

  /**
   * Mark the position after a number of moves. Returns its chance in words, nothing where it is not known.
   * @param {number} at
   */
  mark(at) {
    const chance = this.chances[at] ?? null;
    this.now.textContent = chance === null ? "not known" : share(chance);
    if (this.chances.length) this.marker.style.left = `${(100 * at) / (this.chances.length - 1)}%`;
    return chance === null ? "" : `chance to win ${share(chance)}`;
  }
}

/** A chance in whole percent; only what is certain is 0 or 100. @param {number} chance */
function share(chance) {
  if (chance > 0 && chance < 0.005) return "under 1 %";
  if (chance < 1 && chance >= 0.995) return "over 99 %";
  return `${Math.round(100 * chance)} %`;
}
