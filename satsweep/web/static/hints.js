// A hint in steps: where to look, which numbers, the conclusion, the move. Each press shows one step more.

import { announce, button, h } from "./dom.js";

const FLAG = { open: "Open it", flag: "Flag it" };

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
    if (this.isWhole) return this.act();
    const step = this.steps[this.shown++];
    this.list.append(h("li", {}, step.text));
    announce(`Hint: ${step.text}`);
    this.mark(this.marks);
    if (this.isWhole) {
      this.more.textContent = FLAG[step.action] ?? "Open it";
      this.more.hidden = !step.action;
    }
    this.more.scrollIntoView({ block: "nearest" });
    return null;
  }

  // The cells of the steps that are shown: first a region, then numbers, then the cell.
  get marks() {
    const marks = {};
    const shown = this.steps.slice(0, this.shown);
    const [region, numbers] = [shown[0]?.cells, shown[1]?.cells];
    if (numbers?.length) marks.clue = this.board.indices(numbers);
    else if (region?.length) marks.region = this.board.indices(region);
    if (this.isWhole && this.cell !== null) {
      marks.best = [this.cell];
      if (this.safe) marks.good = [this.cell];
    }
    return marks;
  }

  act() {
    const { action } = this.steps.at(-1);
    if (action && this.cell !== null) this.move(action, this.cell);
    return null;
  }
}
