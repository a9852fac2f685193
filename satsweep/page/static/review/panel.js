// @ts-check
// The review of a finished game: its head, the curve of win chances, and a walk through all choices with their verdicts.

import { announce, button, debounce, described, h, iconButton, plural } from "../basics/dom.js";
import { percent } from "../basics/numbers.js";
import { isCancelled, Latest } from "../engine/connection.js";
import { named } from "../words/named.js";
import { told } from "../words/places.js";
import { argument } from "../words/reasons.js";
import { term } from "../words/term.js";
import { Curve } from "./curve.js";
import { DECIDED, ReviewedGame } from "./reviewed.js";

/** Facts in large type, and those below them. */
const HEAD = ["start", "skill", "luck"];
const REST = ["moves", "overlooked", "wrong flags"];
/** How chances to win are known, where they are not exact. */
const KNOWN = {
  exact: "",
  estimate: "Chances to win are estimates where many solutions are left.",
  risk: "Chances to win are not known in this game, only risks.",
};
const REDRAWN = "The rule decides how mines fall, so choices are judged by their risk, and luck is left out.";
const PATIENCE = 160; // milliseconds until a safe cell that is walked to is explained

class ReviewState {
  /** The game, once its review has come. @type {ReviewedGame | null} */
  game = null;
  /** The step that is shown; the number of steps at the end. */
  step = 0;
  /** What the player saw before that step. @type {string[]} */
  symbols = [];
  /** True if clicks are told. */
  ownClicks = true;
}

export class Review {
  state = new ReviewState();
  asking = new Latest();
  explaining = new Latest();
  explainSoon = debounce(PATIENCE, () => this.#explain());

  /**
   * `onWalk` is called when another step is shown; the board then has to be drawn by `look`.
   * @param {{
   *   name: string, connection: import("../engine/connection.js").Connection, board: import("../board/board.js").Board,
   *   sheet: import("../shared/sheet.js").Sheet, onWalk: () => void,
   * }} how
   */
  constructor({ name, connection, board, sheet, onWalk }) {
    Object.assign(this, { connection, board, sheet });
    this.connection = connection;
    this.board = board;
    this.sheet = sheet;
    this.onWalk = onWalk;
    this.strip = h("div", { class: "strip", "aria-hidden": "true" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      value: 0,
      "aria-label": "Move of the review",
      oninput: () => this.walk(Number(this.slider.value)),
    });
    this.summary = h("p", { class: "summary" });
    this.sums = h("dl", { class: "sums" });
    this.said = h("p", { class: "judged" });
    this.clicked = h("p", { class: "note" });
    this.why = h("div", { class: "why" });
    this.curve = new Curve();
    this.facts = h("dl", { class: "facts" });
    this.decided = h("div", { class: "decided" });
    this.known = h("p", { class: "note" });
    const step = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {() => number} */ to) =>
      iconButton(icon, label, () => this.walk(to()), { class: "round quiet" });
    this.next = button("Next mistake", () => this.walk(this.game?.nextFault(this.state.step) ?? 0), {
      id: `${name}-mistake`,
      class: "main",
    });
    this.walking = h(
      "div",
      { class: "row walking" },
      step("first", "To the first move", () => 0),
      step("back", "Previous move", () => this.state.step - 1),
      step("next", "Next move", () => this.state.step + 1),
      step("last", "To the end", () => this.last),
      this.next,
    );
    this.timeline = h("div", { class: "timeline" }, this.curve.element, this.strip, this.slider);
    this.element = h(
      "div",
      { class: "review" },
      this.summary,
      this.sums,
      this.timeline,
      this.walking,
      this.said, // below what walks, which must not move with the length of a verdict
      this.clicked,
      this.why,
      this.facts,
      this.decided,
      this.known,
    );
  }

  get game() {
    return this.state.game;
  }

  /** The number of steps, which stands for the end. */
  get last() {
    return this.game?.steps.length ?? 0;
  }

  /** True while a position before the end is shown. */
  get isWalking() {
    return this.game !== null && this.state.step < this.last;
  }

  stop() {
    this.asking.cancel();
    this.#rest();
    this.state = new ReviewState();
  }

  /**
   * Ask for a review and show it.
   * @param {Record<string, unknown>} asked as `review_game` is asked
   * @param {{ ownClicks?: boolean }} [how] `ownClicks`: nothing else has clicked
   * @returns {Promise<Reviewed | null>} null if something else came between
   */
  async begin(asked, how) {
    this.stop();
    this.#clear("Looking at the moves…");
    const signal = this.asking.next();
    try {
      const found = await this.connection.ask("review_game", asked, { signal });
      this.show(found, how);
      return found;
    } catch (error) {
      if (isCancelled(error)) return null;
      this.#clear(/** @type {Error} */ (error).message);
      throw error;
    }
  }

  /** @param {string} text */
  #clear(text) {
    this.summary.textContent = text;
    for (const element of [this.timeline, this.walking]) element.hidden = true;
    for (const element of [this.sums, this.said, this.clicked, this.why, this.facts, this.decided, this.known])
      element.replaceChildren();
  }

  /**
   * @param {Reviewed} found
   * @param {{ ownClicks?: boolean }} [how]
   */
  show(found, { ownClicks = true } = {}) {
    const game = new ReviewedGame(found);
    this.state = { game, step: game.steps.length, symbols: game.symbols(game.steps.length), ownClicks };
    const rows = (/** @type {string[]} */ names) =>
      described(found.facts.filter(([name]) => names.includes(name)).map(([name, value]) => [named(name), value]));
    this.summary.textContent = found.summary;
    this.sums.replaceChildren(...rows(HEAD));
    this.facts.replaceChildren(...rows(REST), ...this.#notNeeded(game));
    this.decided.replaceChildren(...this.#decided(game));
    const [[, mode] = []] = found.facts.filter(([name]) => name === "mode");
    this.known.textContent = game.isRedrawn ? REDRAWN : mode ? `Mode ${mode}.` : KNOWN[found.known];
    for (const element of [this.timeline, this.walking]) element.hidden = false;
    this.next.disabled = !game.steps.some(({ isFault }) => isFault);
    this.strip.replaceChildren(...game.steps.map(({ kind }) => h("i", { class: kind.split(" ")[0] })));
    this.slider.max = String(this.last);
    this.curve.show(game.chances);
    this.walk(this.last);
    announce(found.summary);
  }

  /** How many clicks were not needed, with a way to see where. @param {ReviewedGame} game */
  #notNeeded({ found, notNeeded }) {
    const count = found.clicks?.not_needed;
    if (!count || !this.state.ownClicks) return [];
    const show = () => {
      this.walk(this.last);
      this.board.mark({ target: this.board.indices(notNeeded) });
    };
    const link = button(plural(count, "click"), show, { class: "link", title: "Show them on the board" });
    return described([[term("not needed", "Not needed"), link]]);
  }

  /** Lists of the guesses that the rules decided, each with a way to it. @param {ReviewedGame} game */
  #decided(game) {
    return /** @type {const} */ (["safe", "mine"]).flatMap((kind) => {
      const guesses = game.decided(kind);
      if (!guesses.length) return [];
      const items = guesses.map(({ move, step }) => {
        const [of, all] = (move.choice?.cells.length === 1 ? move.choice.risk : "").split("/").map(Number);
        const risk = all ? ` with ${percent(of / all)} risk` : "";
        const jump = button(`Move ${step + 1}`, () => this.walk(step), { class: "link" });
        return h("li", {}, jump, ": ", ...told([move.cell, risk], this.board));
      });
      return [h("h3", {}, `${DECIDED[kind].heading}: ${items.length}`), h("ul", {}, ...items)];
    });
  }

  /** @param {number} to */
  walk(to) {
    const { game } = this;
    if (!game) return;
    const step = Math.min(Math.max(to, 0), this.last);
    this.state.step = step;
    this.state.symbols = game.symbols(step);
    this.#rest();
    this.slider.value = String(step);
    const shown = game.steps[step];
    const place = shown && `Move ${step + 1} of ${this.last}: `;
    this.said.replaceChildren(...(shown ? [place, ...told(shown.said, this.board)] : []));
    this.clicked.textContent = this.state.ownClicks ? (shown?.move.click_said ?? "") : "";
    const chance = this.curve.mark(step);
    const text = shown ? `${place}${this.said.textContent?.slice(place.length)}` : "The end";
    this.slider.setAttribute("aria-valuetext", chance ? `${text} ${chance}` : text);
    for (const [at, piece] of [...this.strip.children].entries()) piece.classList.toggle("here", at === step);
    this.onWalk();
    this.#mark();
    if (shown) this.sheet.reveal(this.board, this.board.indices([...shown.chosen, ...shown.better]));
    if (shown?.kind === "safe") this.explainSoon();
  }

  /** Mark what the step is about. @param {Record<string, number[]>} [more] */
  #mark(more = {}) {
    const { board, game, state } = this;
    const shown = game?.steps[state.step];
    if (!shown) {
      board.mark();
      return;
    }
    const chosen = board.indices(shown.chosen);
    const [best, ...others] = board.indices(shown.better);
    board.mark({
      [shown.isFault ? "bad" : "target"]: chosen,
      good: others,
      best: best === undefined ? [] : [best],
      clue: board.indices(shown.clues),
      ...more,
    });
  }

  #rest() {
    this.explainSoon.cancel();
    this.explaining.cancel();
    this.why.replaceChildren();
  }

  // Say why a cell that the player opened was safe.
  async #explain() {
    const { game, state, board } = this;
    const shown = game?.steps[state.step];
    if (!game || !shown) return;
    const signal = this.explaining.next();
    const asked = { board: game.position(state.step).toString(), cell: shown.move.cell };
    try {
      const { reason } = await this.connection.ask("explain", asked, { signal });
      if (signal.aborted || !reason) return;
      this.#mark({ clue: board.indices(reason.clues) });
      this.why.replaceChildren(
        argument(board, reason, (step) => this.#mark({ clue: board.indices((step ?? reason).clues) })),
      );
    } catch {
      // Numbers that may be wrong force nothing.
    }
  }
}
