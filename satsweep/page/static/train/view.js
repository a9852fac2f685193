// @ts-check
// Train: positions in which one cell is to be found, near one's own rating, with the reason afterwards.
//
// What is shown follows from the state (state.js): `#set` changes it, and `draw` shows it.

import { address } from "../basics/address.js";
import { announce, button, h, isNarrow } from "../basics/dom.js";
import { actOf } from "../basics/keys.js";
import { squareGrid } from "../basics/square-grid.js";
import { Board } from "../board/board.js";
import { View } from "../shared/view.js";
import { placesOf, said, told } from "../words/places.js";
import { explained } from "../words/reasons.js";
import { TrainingCard } from "./card.js";
import { PuzzleChoice } from "./choice.js";
import { Puzzles } from "./puzzles.js";
import { TrainState } from "./state.js";
import { Training } from "./training.js";

/** @typedef {import("./puzzles.js").Puzzle} Puzzle */

export class TrainView extends View {
  state = new TrainState();
  training = new Training();
  /** All puzzles, once they are loaded. @type {Puzzles | null} */
  puzzles = null;

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("train", element, page);
    /** @type {Board} */
    this.board = new Board({
      label: "Puzzle",
      most: 64,
      below: 110,
      look: (index) => this.state.look(index),
      tip: (index) => this.tip(index),
      on: { left: (index) => this.answer(index) },
    });
    this.board.share = 0.6;
    this.lead = h("p", { class: "lead" });
    this.remarks = h("p", { class: "note" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.againButton = button("Try again", () => this.#set(this.state.askingAgain()), { id: "train-again" });
    this.giveUp = button("Show the answer", () => this.reveal(), { id: "train-answer" });
    this.nextButton = button("Next puzzle", () => this.next(), { id: "train-next", class: "main" });
    this.solveButton = button("Open in Solve", () => this.page.solve(this.state.position.toString()), {
      id: "train-solve",
    });
    const buttons = [this.againButton, this.giveUp, this.nextButton, this.solveButton, this.shareButton];
    this.why = h("section", { class: "card why answer", "aria-label": "Reason" });
    this.card = new TrainingCard({
      onAsk: (isForgetting) => this.draw(this.state.with({ isForgetting })),
      onForget: () => {
        this.training.clear();
        this.draw(this.state.with({ isForgetting: false }));
      },
    });
    this.choice = new PuzzleChoice((wanted) => {
      this.state = this.state.with({ wanted });
      this.next();
    });
    const title = h("h1", { id: "train-title", class: "unseen" }, "Train");
    const row = h("div", { class: "row" }, buttons);
    element.append(
      h("div", { class: "stage" }, title, this.problem, this.lead, this.board.element, this.remarks, row),
      h("aside", { class: "panel", "aria-label": "Training" }, this.why, this.card.element, this.choice.element),
    );
    window.addEventListener("counting", () => this.draw());
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    const signal = this.wanted.next();
    let problem = "";
    try {
      this.puzzles ??= await Puzzles.load();
      if (signal.aborted) return;
    } catch (error) {
      this.draw(this.state.with({ problem: /** @type {Error} */ (error).message }));
      return;
    }
    const { puzzles, state } = this;
    const wanted = { band: query.get("band") ?? "", pattern: query.get("pattern") ?? "" };
    const isKnown = (wanted.band || wanted.pattern) && puzzles.of(wanted).length;
    const id = query.get("puzzle");
    const named = puzzles.named(id);
    if (id && !named) problem = `There is no puzzle ${id} here, so this is another one.`;
    this.state = state.with({ problem, wanted: isKnown ? wanted : state.wanted });
    if (named) this.show(named);
    else if (!state.puzzle) this.next();
    else this.draw();
    this.board.fit();
  }

  async link() {
    return address("train", { ...this.state.wanted, puzzle: this.state.puzzle?.id });
  }

  next() {
    const { puzzles, state, training } = this;
    if (!puzzles) {
      this.enter(new URLSearchParams());
      return;
    }
    training.read();
    const answered = training.answers.map(({ id }) => id);
    this.show(puzzles.next(state.wanted, training.player.rating, answered, state.puzzle));
  }

  /** @param {Puzzle} puzzle */
  show(puzzle) {
    const { board } = this;
    const isFocused = board.grid.contains(document.activeElement);
    const next = this.state.asking(puzzle);
    const { rows, cols, cells } = next.position;
    this.state = next;
    board.shape(squareGrid(rows, cols), rows, cols);
    board.focus(cells.indexOf("#"), { quietly: !isFocused });
    this.#set(next);
    board.fit();
    this.keepSoon();
  }

  /** A cell is the answer. @param {number} index */
  answer(index) {
    const { state } = this;
    if (state.mayChoose(index)) this.#set(state.answered(index, this.#count(state.isRight(index))));
  }

  // Show the answer to those who do not find it.
  reveal() {
    const { state } = this;
    if (state.puzzle && state.phase !== "over") this.#set(state.revealed(this.#count(false)));
  }

  /** What an answer changes the rating by; only the first one counts. @param {boolean} right */
  #count(right) {
    const { gain, phase, puzzle } = this.state;
    if (phase === "asked") return this.training.add(/** @type {Puzzle} */ (puzzle), right);
    return gain === null ? null : 0;
  }

  /** Show another state of the puzzle, and say it. @param {TrainState} state */
  #set(state) {
    this.draw(state);
    announce(`${said(state.lead, this.board)} ${state.remarks}`);
    if (state.phase !== "over") return;
    if (isNarrow()) this.why.firstElementChild?.scrollIntoView({ block: "nearest" });
    this.board.showTip(null);
  }

  /** Show a state: all that is seen follows from it. */
  draw(state = this.state) {
    this.state = state;
    const { board, puzzles, training } = this;
    const over = state.phase === "over";
    this.problem.textContent = state.problem;
    this.lead.replaceChildren(...told(state.lead, board));
    this.remarks.textContent = state.remarks;
    this.why.replaceChildren(...this.#why());
    board.drawAll();
    board.mark(state.marks());
    this.againButton.hidden = over || state.chosen === null;
    this.giveUp.hidden = over;
    this.nextButton.disabled = state.puzzle !== null && state.phase === "asked";
    for (const one of [this.solveButton, this.shareButton]) one.hidden = !over;
    this.card.draw(training, state.isForgetting);
    if (puzzles) this.choice.draw(puzzles, training, state.wanted);
  }

  #why() {
    const { board, state } = this;
    const { best, reason } = state;
    const kind = h("p", { class: "note" }, state.kind);
    if (reason)
      return [...explained(board, reason, state.position.mines, (step) => board.mark(state.marks(step))), kind];
    if (!best) return [];
    return [
      h("h2", {}, placesOf(board, [best.cell]), ` wins ${best.chance}`),
      h("p", {}, told(best.sentence, board)),
      h("p", { class: "note" }, "The numbers on the board are chances to win, in percent."),
      kind,
    ];
  }

  /** @param {number} index */
  tip(index) {
    const text = this.state.tip(index);
    return text ? [h("strong", {}, this.board.coordinates(index)), text] : null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const act = actOf("train", event);
    if (act === "next" && this.state.phase !== "asked") this.next();
    else if (act === "reveal") this.reveal();
    else return super.key(event);
    return true;
  }
}
