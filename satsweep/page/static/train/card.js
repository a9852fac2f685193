// @ts-check
// One's own rating in Train, and how it went.

import { button, described, h, svgOf } from "../basics/dom.js";

const SHOWN = 60; // ratings of the last answers
const HEIGHT = 100;

export class TrainingCard {
  /**
   * `onAsk` is called when the user is to be asked whether all answers shall be forgotten, or no more; `onForget` when they
   * shall.
   * @param {{ onAsk: (isForgetting: boolean) => void, onForget: () => void }} how
   */
  constructor({ onAsk, onForget }) {
    this.isForgetting = false;
    this.facts = h("dl", { class: "sums" });
    this.ratings = h("div", { class: "ratings", role: "img" });
    this.forgetButton = button("", () => (this.isForgetting ? onForget() : onAsk(true)), {
      class: "link",
      id: "train-forget",
      onblur: () => this.isForgetting && onAsk(false),
    });
    this.element = h("section", { class: "card" }, h("h2", {}, "You"), this.facts, this.ratings, this.forgetButton);
  }

  /**
   * @param {import("./training.js").Training} training
   * @param {boolean} isForgetting
   */
  draw({ answers, said, streak }, isForgetting) {
    const right = answers.filter((answer) => answer.right).length;
    this.facts.replaceChildren(
      ...described([
        ["Rating", said],
        ["Right", `${right} of ${answers.length}`],
        ["In a row", String(streak)],
      ]),
    );
    this.isForgetting = isForgetting;
    this.forgetButton.textContent = isForgetting ? "Forget all answers and the rating?" : "Start anew";
    this.forgetButton.hidden = !answers.length;
    this.#draw(answers.slice(-SHOWN).map(({ rating }) => rating));
  }

  /** @param {number[]} ratings */
  #draw(ratings) {
    const last = ratings.length - 1;
    this.ratings.hidden = last < 1;
    if (last < 1) return;
    const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
    const points = ratings.map((rating, at) => `${at} ${HEIGHT * (1 - (rating - least) / Math.max(most - least, 1))}`);
    const svg = svgOf(`<path d="M${points.join("L")}"/>`, last, HEIGHT);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    this.ratings.replaceChildren(svg);
    const label = `Rating over the last ${ratings.length} answers: from ${ratings[0]} to ${ratings[last]}`;
    this.ratings.setAttribute("aria-label", label);
  }
}
