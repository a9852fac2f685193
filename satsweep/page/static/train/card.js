// @ts-check
// One's own rating in Train, and how it went.

import { button, described, h, svgOf } from "../basics/dom.js";

const SHOWN = 60; // ratings of the last answers
const HEIGHT = 100;
const FORGET = ["Start anew", "Forget all answers and the rating?"];

export class TrainingCard {
  /**
   * @param {import("./training.js").Training} training
   * @param {() => void} onForget is called when all answers are forgotten
   */
  constructor(training, onForget) {
    this.training = training;
    this.facts = h("dl", { class: "sums" });
    this.ratings = h("div", { class: "ratings", role: "img" });
    this.forgetButton = button(FORGET[0], () => this.#forget(onForget), {
      class: "link",
      id: "train-forget",
      onblur: () => this.#ask(0),
    });
    this.element = h("section", { class: "card" }, h("h2", {}, "You"), this.facts, this.ratings, this.forgetButton);
  }

  show() {
    const { answers, said, streak } = this.training;
    const right = answers.filter((answer) => answer.right).length;
    this.facts.replaceChildren(
      ...described([
        ["Rating", said],
        ["Right", `${right} of ${answers.length}`],
        ["In a row", String(streak)],
      ]),
    );
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

  // Forget all answers, after a second click.
  #forget(/** @type {() => void} */ onForget) {
    if (this.forgetButton.textContent === FORGET[0]) {
      this.#ask(1);
      return;
    }
    this.#ask(0);
    this.training.clear();
    onForget();
  }

  #ask(/** @type {0 | 1} */ at) {
    this.forgetButton.textContent = FORGET[at];
  }
}
