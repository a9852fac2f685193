// @ts-check
// Train: positions in which one cell is to be found, near one's own rating, with the reason afterwards.

import { address } from "../basics/address.js";
import { announce, button, capitalized, h, isNarrow } from "../basics/dom.js";
import { isCovered, Position } from "../basics/position.js";
import { squareGrid } from "../basics/square-grid.js";
import { Board } from "../board/board.js";
import { winHeat } from "../board/heat.js";
import { lookOf } from "../board/look.js";
import { View } from "../shared/view.js";
import { placesOf, said, told } from "../words/places.js";
import { explained } from "../words/reasons.js";
import {
  answersOf,
  chancesOf,
  inPercent,
  isRight,
  isSame,
  questionOf,
  refutation,
  remarksOn,
  whyBest,
} from "./answers.js";
import { TrainingCard } from "./card.js";
import { PuzzleChoice } from "./choice.js";
import { isChoice, Puzzles } from "./puzzles.js";
import { Training } from "./training.js";

/** @typedef {import("./puzzles.js").Puzzle} Puzzle */

const SAFE = { risk: 0, exact: "0", percent: "0 %" };
const MINE = { risk: 1, exact: "1", percent: "100 %" };

class State {
  /** The puzzle that is shown. @type {Puzzle | null} */
  puzzle = null;
  /** Its position. @type {Position} */
  position = new Position({});
  /** Asked; answered wrong, and asked again; or over, the answer is shown. @type {"asked" | "missed" | "over"} */
  phase = "asked";
  /** The cell of the last answer. @type {number | null} */
  chosen = null;
  /** A solution that refutes it, a symbol for each cell. @type {string | null} */
  solution = null;
  /** What the last answer changed the rating by; null where the puzzle was answered before. @type {number | null} */
  gain = null;
}

export class TrainView extends View {
  state = new State();
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
      look: (index) => this.look(index),
      tip: (index) => this.tip(index),
      on: { open: (index) => this.answer(index) },
    });
    this.board.share = 0.6;
    this.lead = h("p", { class: "lead" });
    this.remarks = h("p", { class: "note" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.againButton = button("Try again", () => this.#ask(), { id: "train-again" });
    this.giveUp = button("Show the answer", () => this.reveal(), { id: "train-answer" });
    this.nextButton = button("Next puzzle", () => this.next(), { id: "train-next", class: "main" });
    this.solveButton = button("Open in Solve", () => this.page.solve(this.state.position.toString()), {
      id: "train-solve",
    });
    const row = h(
      "div",
      { class: "row" },
      this.againButton,
      this.giveUp,
      this.nextButton,
      this.solveButton,
      this.shareButton,
    );
    this.why = h("section", { class: "card why answer", "aria-label": "Reason" });
    this.card = new TrainingCard(this.training, () => this.#showTraining());
    this.choice = new PuzzleChoice(() => this.next());
    const stage = h(
      "div",
      { class: "stage" },
      h("h1", { id: "train-title", class: "unseen" }, "Train"),
      this.problem,
      this.lead,
      this.remarks,
      this.board.element,
      row,
    );
    element.append(
      stage,
      h("aside", { class: "panel", "aria-label": "Training" }, this.why, this.card.element, this.choice.element),
    );
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    this.problem.textContent = "";
    const signal = this.wanted.next();
    try {
      this.puzzles ??= await Puzzles.load();
      if (signal.aborted) return;
    } catch (error) {
      this.problem.textContent = /** @type {Error} */ (error).message;
      return;
    }
    const { choice, puzzles, state } = this;
    const wanted = { band: query.get("band") ?? "", pattern: query.get("pattern") ?? "" };
    if ((wanted.band || wanted.pattern) && puzzles.of(wanted).length) choice.wanted = wanted;
    const id = query.get("puzzle");
    const named = puzzles.named(id);
    if (id && !named) this.problem.textContent = `There is no puzzle ${id} here, so this is another one.`;
    if (named) this.show(named);
    else if (!state.puzzle) this.next();
    this.board.fit();
  }

  async link() {
    return address("train", { ...this.choice.wanted, puzzle: this.state.puzzle?.id });
  }

  next() {
    const { choice, puzzles, state, training } = this;
    if (!puzzles) {
      this.enter(new URLSearchParams());
      return;
    }
    training.read();
    const answered = training.answers.map(({ id }) => id);
    this.show(puzzles.next(choice.wanted, training.player.rating, answered, state.puzzle));
  }

  /** @param {Puzzle} puzzle */
  show(puzzle) {
    const position = Position.of(puzzle.board);
    Object.assign(this.state, { puzzle, position, phase: "asked", gain: null });
    const { board } = this;
    const isFocused = board.grid.contains(document.activeElement);
    board.shape(squareGrid(position.rows, position.cols), position.rows, position.cols);
    board.focus(position.cells.indexOf("#"), { quietly: !isFocused });
    this.#ask();
    this.#showTraining();
    board.fit();
    this.keepSoon();
  }

  // Ask for the cell, also once more.
  #ask() {
    const { puzzle, position } = this.state;
    if (!puzzle) return;
    Object.assign(this.state, { chosen: null, solution: null });
    const question = questionOf(puzzle);
    this.lead.replaceChildren(question);
    this.remarks.textContent = remarksOn(puzzle, position);
    this.why.replaceChildren();
    this.#draw();
    announce(`${question} ${this.remarks.textContent}`);
  }

  /**
   * A cell is the answer.
   * @param {number} index
   */
  answer(index) {
    const { board, state } = this;
    const { phase, position, puzzle } = state;
    if (!puzzle || phase === "over" || position.cells[index] !== "#") return;
    const cell = board.place(index);
    const right = isRight(puzzle, cell);
    this.#count(right);
    state.chosen = index;
    if (right) this.#end(cell, phase === "asked" ? "Right" : "Yes");
    else if (isChoice(puzzle)) this.#end(cell, "Not the best");
    else {
      const { sentence, solution } = refutation(puzzle, cell, index);
      Object.assign(state, { phase: "missed", solution });
      this.#say(sentence, "Try again, or see the answer.");
    }
  }

  // Show the answer to those who do not find it.
  reveal() {
    const { state, board } = this;
    if (!state.puzzle || state.phase === "over") return;
    this.#count(false);
    const cell = answersOf(state.puzzle)[0];
    state.chosen = board.index(cell);
    this.#end(cell, "The answer");
  }

  // Only the first answer counts.
  #count(/** @type {boolean} */ right) {
    const { state } = this;
    if (state.phase !== "asked") state.gain &&= 0;
    else state.gain = this.training.add(/** @type {Puzzle} */ (state.puzzle), right);
    this.#showTraining();
  }

  /**
   * The answer and its reason are shown.
   * @param {Cell} cell the one that was chosen, or that is right
   * @param {string} verdict
   */
  #end(cell, verdict) {
    const { board, state } = this;
    const puzzle = /** @type {Puzzle} */ (state.puzzle);
    Object.assign(state, { phase: "over", solution: null });
    if (isChoice(puzzle)) {
      const best = isRight(puzzle, cell) ? cell : puzzle.best[0];
      const chances = (/** @type {Cell} */ one) => /** @type {any} */ (chancesOf(puzzle, one));
      const most = ` wins ${inPercent(chances(best).win)}`;
      if (best === cell) this.#say([`${verdict}: `, best, `${most}, no cell wins more often.`]);
      else this.#say([`${verdict}: `, cell, ` wins ${inPercent(chances(cell).win)}, `, best, `${most}.`]);
      this.#explainChoice(puzzle);
    } else {
      const proof = puzzle.reasons.find((one) => isSame(one.cell, cell)) ?? puzzle.reasons[0];
      this.#say([`${verdict}: `, cell, ` is ${puzzle.mine ? "a mine" : "safe"}.`]);
      this.#explain({ ...proof, mine: puzzle.mine, text: "" });
    }
    const kind = isChoice(puzzle) ? `${puzzle.band}: ${puzzle.pattern}` : puzzle.band;
    this.why.append(h("p", { class: "note" }, `${capitalized(kind)}. Rated about ${puzzle.rating}.`));
    if (isNarrow()) this.why.firstElementChild?.scrollIntoView({ block: "nearest" });
    board.showTip(null);
  }

  /** @param {Reason} reason */
  #explain(reason) {
    const { board, state } = this;
    const target = board.indices([reason.cell]);
    const mark = (/** @type {Cell[]} */ clues) => board.mark({ target, clue: board.indices(clues) });
    mark(reason.clues);
    this.why.replaceChildren(
      ...explained(board, reason, state.position.mines, (step) => mark(step?.clues ?? reason.clues)),
    );
  }

  /** @param {import("./puzzles.js").Choice} puzzle */
  #explainChoice(puzzle) {
    const { board, state } = this;
    const best = board.indices(puzzle.best);
    const target = best.includes(state.chosen ?? -1) ? [] : [state.chosen ?? -1];
    board.mark({ best, target });
    const [cell] = puzzle.best;
    const { win, exact } = /** @type {any} */ (chancesOf(puzzle, cell));
    this.why.replaceChildren(
      h("h2", {}, placesOf(board, [cell]), ` wins ${inPercent(win)} = ${exact}`),
      h("p", {}, told(whyBest(puzzle), board)),
      h("p", { class: "note" }, "The numbers on the board are chances to win, in percent."),
    );
  }

  /**
   * Say what an answer was.
   * @param {Sentence} sentence
   * @param {string} [remark]
   */
  #say(sentence, remark = "") {
    const { board, state } = this;
    const gain = state.gain ? `Your rating: ${signed(state.gain)}.` : "";
    const again = state.gain === null ? "You have answered this one before, so your rating stays." : "";
    this.lead.replaceChildren(...told(sentence, board));
    this.remarks.textContent = [gain, again, remark].filter(Boolean).join(" ");
    this.#draw();
    announce(`${said(sentence, board)} ${this.remarks.textContent}`);
  }

  #draw() {
    const { board, state } = this;
    const over = state.phase === "over";
    board.drawAll();
    board.mark(state.chosen === null ? {} : { target: [state.chosen] });
    this.againButton.hidden = over || state.chosen === null;
    this.giveUp.hidden = over;
    this.nextButton.disabled = state.phase === "asked";
    for (const one of [this.solveButton, this.shareButton]) one.hidden = !over;
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const { phase, position, puzzle, solution } = this.state;
    const symbol = position.cells[index];
    if (symbol === "*") return { symbol: "F", label: "flagged, a mine" };
    if (symbol === "?") return { symbol, text: "", label: "open, not needed", extra: "untold" };
    if (!puzzle || !isCovered(symbol)) return { symbol };
    if (solution) {
      const mine = solution[index] === "*";
      return { symbol, extra: mine ? "left" : "", label: mine ? "a mine in this solution" : "safe in this solution" };
    }
    if (phase !== "over") return { symbol };
    const cell = this.board.place(index);
    if (isChoice(puzzle)) {
      const win = chancesOf(puzzle, cell)?.win ?? 0;
      const all = puzzle.chances.map(([row, col]) => chancesOf(puzzle, [row, col])?.win ?? 0);
      const label = `covered, wins ${inPercent(win)}`;
      return { symbol, heat: winHeat(win, all), text: String(Math.round(100 * win)), label };
    }
    if (isRight(puzzle, cell)) return lookOf(symbol, { odds: puzzle.mine ? MINE : SAFE });
    return puzzle.others.some((other) => isSame(other, cell))
      ? lookOf(symbol, { odds: puzzle.mine ? SAFE : MINE })
      : { symbol };
  }

  /** @param {number} index */
  tip(index) {
    const { phase, puzzle } = this.state;
    if (!puzzle || phase !== "over" || !isChoice(puzzle)) return null;
    const chances = chancesOf(puzzle, this.board.place(index));
    if (!chances) return null;
    return [h("strong", {}, this.board.coordinates(index)), ` wins ${chances.exact}, risk ${inPercent(chances.risk)}`];
  }

  #showTraining() {
    this.card.show();
    if (this.puzzles) this.choice.show(this.puzzles, this.training);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return super.key(event);
    const key = event.key.toLowerCase();
    if (key === "n" && this.state.phase !== "asked") this.next();
    else if (key === "a") this.reveal();
    else return false;
    return true;
  }
}

/** @param {number} change */
const signed = (change) => (change < 0 ? `−${-change}` : `+${change}`);
