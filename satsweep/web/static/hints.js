// A hint in steps: where to look, which numbers, the conclusion, the move. Each press shows one step more.

import { announce, button, h } from "./dom.js";
import { said, told } from "./places.js";

const MOVES = { open: "Open it", flag: "Flag it" };

export class Hint {
  // `mark(marks)` marks cells on the board, `move(action, index)` makes the move of the last step.
  constructor({ steps, cell, safe }, board, mark, move) {
    Object.assign(this, { steps, safe, board, mark, move });
    this.cell = cell ? board.index(cell) : null;
    this.shown = 0;
    this.list = h("ol", { class: "hint-steps" });
    this.more = button("Tell me more", () => this.next(), { class: "main", id: "play-more" });
    this.element = h("div", { class: "hint" }, this.list, h("div", { class: "row" }, this.more));
  }

  get isWhole() {
    return this.shown >= this.steps.length;
  }

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
      this.more.textContent = MOVES[step.action];
      this.more.hidden = !step.action;
    }
    this.more.scrollIntoView({ block: "nearest" });
  }

  // What is marked on the board: first where to look, then the numbers, then the cell that follows.
  get marks() {
    const [region, numbers, conclusion] = this.steps.slice(0, this.shown);
    const marks = {};
    if (numbers?.cells?.length) marks.clue = this.board.indices(numbers.cells);
    else if (region?.cells?.length) marks.region = this.board.indices(region.cells);
    if (conclusion && this.cell !== null) {
      marks.best = [this.cell];
      if (this.safe) marks.good = [this.cell];
    }
    return marks;
  }

  act() {
    const { action } = this.steps.at(-1);
    if (action && this.cell !== null) this.move(action, this.cell);
  }
}
