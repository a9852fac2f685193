// @ts-check
// The review of a finished game: its head, the curve of win chances, and a walk through all choices with their verdicts.
//
// What is shown follows from the state (WalkState of state.js): `#set` changes it, and `draw` shows it.

import { announce, button, debounce, described, h, iconButton, plural } from "../basics/dom.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { named } from "../words/named.js";
import { said, told } from "../words/places.js";
import { argument } from "../words/reasons.js";
import { term } from "../words/term.js";
import { Curve } from "./curve.js";
import { WalkState } from "./state.js";

/** Facts in large type, and those below them. */
const HEAD = ["start", "skill", "luck"];
const REST = ["moves", "overlooked", "wrong flags"];
const PATIENCE = 160; // milliseconds until a safe cell that is walked to is explained

export class Review {
  state = new WalkState();
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
    this.remark = h("p", { class: "note" });
    const step = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {() => number} */ to) =>
      iconButton(icon, label, () => this.walk(to()), { class: "round quiet" });
    this.next = button("Next mistake", () => this.walk(this.state.nextFault), {
      id: `${name}-mistake`,
      class: "main",
    });
    this.walking = h(
      "div",
      { class: "row walking" },
      step("first", "To the first move", () => 0),
      step("back", "Previous move", () => this.state.step - 1),
      step("next", "Next move", () => this.state.step + 1),
      step("last", "To the end", () => this.state.last),
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
      this.remark,
    );
    window.addEventListener("counting", () => this.draw());
  }

  get game() {
    return this.state.game;
  }

  stop() {
    this.asking.cancel();
    this.#rest();
    this.state = new WalkState();
  }

  /**
   * Ask for a review and show it.
   * @param {Record<string, unknown>} asked as `review_game` is asked
   * @param {{ ownClicks?: boolean }} [how] `ownClicks`: nothing else has clicked
   * @returns {Promise<Reviewed | null>} null if something else came between
   */
  async begin(asked, how) {
    this.stop();
    this.#set(new WalkState({ note: "Looking at the moves…" }));
    const signal = this.asking.next();
    try {
      const found = await this.connection.ask("review_game", asked, { signal });
      this.show(found, how);
      return found;
    } catch (error) {
      if (isCancelled(error)) return null;
      this.#set(new WalkState({ note: /** @type {Error} */ (error).message }));
      throw error;
    }
  }

  /**
   * @param {Reviewed} found
   * @param {{ ownClicks?: boolean }} [how]
   */
  show(found, { ownClicks = true } = {}) {
    this.#rest();
    this.#set(WalkState.of(found, ownClicks));
    this.onWalk();
    announce(found.summary);
  }

  /** @param {number} to */
  walk(to) {
    if (!this.game) return;
    this.#rest();
    this.#set(this.state.at(to));
    this.onWalk();
    this.board.mark(this.#marks());
    const { shown } = this.state;
    if (!shown) return;
    this.sheet.reveal(this.board, this.board.indices([...shown.chosen, ...shown.better]));
    if (shown.kind === "safe") this.explainSoon();
  }

  /** @param {WalkState} state */
  #set(state) {
    const isOther = state.game !== this.game || state.note !== this.state.note;
    this.state = state;
    if (isOther) this.#drawGame();
    this.draw();
  }

  // Show what holds for the whole game.
  #drawGame() {
    const { state } = this;
    const { game, last } = state;
    const rows = (/** @type {string[]} */ names) =>
      described(state.facts(names).map(([name, value]) => [named(name), value]));
    this.summary.textContent = state.summary;
    this.sums.replaceChildren(...rows(HEAD));
    this.facts.replaceChildren(...rows(REST), ...this.#spare());
    this.remark.textContent = state.remark;
    for (const element of [this.timeline, this.walking]) element.hidden = !game;
    this.next.disabled = !state.hasFaults;
    this.strip.replaceChildren(...(game?.steps ?? []).map(({ kind }) => h("i", { class: kind.split(" ")[0] })));
    this.slider.max = String(last);
    this.curve.show(game?.chances ?? []);
    this.decided.replaceChildren(
      ...state.decided.flatMap(({ heading, guesses }) => [
        h("h3", {}, heading),
        h(
          "ul",
          {},
          guesses.map(({ step, said: sentence }) =>
            h(
              "li",
              {},
              button(`Move ${step + 1}`, () => this.walk(step), { class: "link" }),
              ": ",
              told(sentence, this.board),
            ),
          ),
        ),
      ]),
    );
  }

  // How many clicks were not needed, with a way to see where.
  #spare() {
    const count = this.state.spareClicks;
    if (!count) return [];
    const show = () => {
      this.walk(this.state.last);
      this.#set(this.state.with({ marksSpare: true }));
    };
    const link = button(plural(count, "click"), show, { class: "link", title: "Show them on the board" });
    return described([[term("not needed", "Not needed"), link]]);
  }

  /** Show the step: all that is seen of it follows from the state. */
  draw() {
    const { board, state } = this;
    const { clicked, place, reason, shown, step } = state;
    const sentence = shown?.said ?? [];
    this.slider.value = String(step);
    this.said.replaceChildren(...(shown ? [place, ...told(sentence, board)] : []));
    this.clicked.textContent = clicked;
    const chance = this.curve.mark(step);
    const text = shown ? `${place}${said(sentence, board)}` : "The end";
    this.slider.setAttribute("aria-valuetext", chance ? `${text} ${chance}` : text);
    for (const [at, piece] of [...this.strip.children].entries()) piece.classList.toggle("here", at === step);
    const parts = reason ? [argument(board, reason, (one) => board.mark(this.#marks(one)))] : [];
    this.why.replaceChildren(...parts);
    if (state.game) board.mark(this.#marks());
  }

  /** @param {Step | null} [step] */
  #marks(step) {
    const marks = Object.entries(this.state.marks(step));
    return Object.fromEntries(marks.map(([name, cells]) => [name, this.board.indices(cells)]));
  }

  #rest() {
    this.explainSoon.cancel();
    this.explaining.cancel();
  }

  // Say why a cell that the player opened was safe.
  async #explain() {
    const { game, shown, step } = this.state;
    if (!game || !shown) return;
    const signal = this.explaining.next();
    const asked = { board: game.position(step).toString(), cell: shown.move.cell };
    try {
      const { reason } = await this.connection.ask("explain", asked, { signal });
      if (reason) this.#set(this.state.with({ reason }));
    } catch {
      // Numbers that may be wrong force nothing.
    }
  }
}
