// @ts-check
// A hint in steps: where to look, which numbers, the conclusion, the move. Each press shows one step more.

import { announce, button, h } from "../basics/dom.js";
import { said, told } from "../words/places.js";

/** Indices of the cells to mark, by the names of marks. @typedef {Record<string, number[] | undefined>} Marks */

export class Hint {
  moved = false;

  /**
   * `mark` marks cells on the board, `move` makes the move of the last step.
   * @param {HintSteps} found
   * @param {import("../board/board.js").Board} board
   * @param {{ mark: (marks: Marks) => void, move: (index: number) => void }} how
   */
  constructor({ steps, cell, safe }, board, { mark, move }) {
    this.steps = steps;
    this.safe = safe;
    this.board = board;
    this.mark = mark;
    this.move = move;
    this.cell = board.index(cell);
    this.shown = 0;
    this.list = h("ol", { class: "hint-steps" });
    this.more = button("Tell me more", () => this.next(), { class: "main", id: "play-more" });
    this.element = h("div", { class: "hint" }, this.list, h("div", { class: "row" }, this.more));
  }

  get isWhole() {
    return this.shown >= this.steps.length;
  }

  /** Show the next step. */
  next() {
    if (this.isWhole) {
      this.act();
      return;
    }
    const step = this.steps[this.shown++];
    this.list.append(h("li", {}, told(step.text, this.board)));
    announce(`Hint: ${said(step.text, this.board)}`);
    this.mark(this.marks);
    if (this.isWhole) {
      this.more.textContent = "Open it";
      this.more.hidden = !step.action;
    }
    this.more.scrollIntoView({ block: "nearest" });
  }

  // What is marked on the board: first where to look, then the numbers, then the cell that follows.
  get marks() {
    const [region, numbers, conclusion] = this.steps.slice(0, this.shown);
    /** @type {Marks} */
    const marks = {};
    if (numbers?.cells?.length) marks.clue = this.board.indices(numbers.cells);
    else if (region?.cells?.length) marks.region = this.board.indices(region.cells);
    if (conclusion) {
      marks.best = [this.cell];
      if (this.safe) marks.good = [this.cell];
    }
    return marks;
  }

  act() {
    if (this.moved || !this.steps.at(-1)?.action) return;
    this.moved = true;
    this.move(this.cell);
  }
}
