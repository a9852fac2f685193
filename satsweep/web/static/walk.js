// A walk through best play in an endgame: the best cell, the numbers it can show, and what is best after each.

import { isCancelled, Latest } from "./connection.js";
import { announce, button, h, plural } from "./dom.js";
import { symbolOf } from "./position.js";
import { term } from "./term.js";

export class Walk {
  // `view` has a connection, a position and a board; `onChange` is called when the walk shows something else.
  constructor(view, onChange) {
    Object.assign(this, { view, onChange });
    this.node = null;
    this.path = [];
    this.asking = new Latest();
    this.element = h("section", { class: "why", "aria-label": "Best play", hidden: true });
  }

  // Begin with the cell that the advice puts first.
  begin(cell) {
    return this.go([], cell);
  }

  end() {
    this.asking.cancel();
    this.path = [];
    this.element.hidden = true;
    this.element.replaceChildren();
    if (!this.node) return;
    this.node = null;
    this.onChange();
  }

  // Go to the position after a path, whose steps are a row, a column and a number; look at the numbers of a cell.
  async go(path, cell) {
    const board = this.view.position.toString();
    const asked = cell ? { board, path, cell } : { board, path };
    const signal = this.asking.next();
    this.element.hidden = false;
    if (!this.node) this.element.replaceChildren(h("p", { class: "note" }, "Searching for best play…"));
    try {
      const node = await this.view.connection.ask("endgame", asked, { signal });
      this.path = path;
      this.node = node.cells ? node : null;
      if (node.cells) this.#show(node);
      else this.element.replaceChildren(h("p", { class: "note" }, node.why));
      this.onChange();
    } catch (error) {
      if (!isCancelled(error)) this.element.replaceChildren(h("p", { class: "problem" }, error.message));
    }
  }

  // A click on the board; true if it belongs to the walk.
  click(place) {
    if (!this.node) return false;
    if (this.node.cells.some(({ cell }) => String(cell) === String(place))) this.go(this.path, place);
    return true;
  }

  // The look of a cell during the walk; null where it is as in the position.
  look(index) {
    if (!this.node) return null;
    const [row, col] = this.view.board.place(index);
    const step = this.path.find(([r, c]) => r === row && c === col);
    if (step) return { symbol: symbolOf(step[2]), extra: "walked" };
    if (!["#", "F"].includes(this.view.position.cells[index])) return null;
    const known = this.node.cells.find(({ cell: [r, c] }) => r === row && c === col);
    if (!known) return { symbol: "#" };
    const all = this.node.cells.map(({ win }) => win);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const heat = most > least ? 0.04 + (0.92 * (most - known.win)) / (most - least) : 0.2;
    return { symbol: "#", heat, text: String(Math.round(100 * known.win)), label: `covered, wins ${known.percent}` };
  }

  get marks() {
    const { best, cell } = this.node;
    const board = this.view.board;
    const first = isBest(this.node) ? cell : best;
    return { best: first ? [board.index(first)] : [], target: cell ? [board.index(cell)] : [] };
  }

  #show(node) {
    const { worlds, win_exact: exact, percent, best, cell, numbers } = node;
    const place = cell?.join(",");
    const first = isBest(node) ? cell : best;
    const chance = exact === "0" || exact === "1" ? percent : `${percent} = ${exact}`;
    const steps = this.path.map(([row, col, number]) => `${row},${col} shows ${number}`);
    const item = ({ number, worlds: left, percent: wins }) =>
      h(
        "li",
        {},
        button(`It shows ${number}`, () => this.go([...this.path, [cell[0], cell[1], number]]), {
          "data-number": number,
        }),
        ` ${plural(left, "solution")}, wins ${wins}`,
      );
    this.element.replaceChildren(
      h("h2", {}, term("best play", "Best play"), ` wins ${chance}`),
      h("p", { class: "note" }, `${plural(worlds, "solution")}. `, steps.length ? `After ${steps.join("; ")}.` : ""),
      ...(cell
        ? [
            h("p", {}, first === cell ? `The best cell is ${place}.` : `If ${place} is opened:`),
            h("ul", { class: "numbers" }, numbers.map(item)),
          ]
        : [h("p", {}, "Nothing is left to decide.")]),
      h(
        "div",
        { class: "row" },
        button("Back", () => this.go(this.path.slice(0, -1)), { disabled: !this.path.length && first === cell }),
        button("Leave", () => this.end()),
      ),
    );
    announce(`Best play wins ${percent}. ${cell ? `The best cell is ${first.join(",")}.` : ""}`);
  }
}

// True if no cell wins more often than the one that is looked at.
const isBest = ({ cells, cell }) =>
  cell !== null && cells.every(({ win }) => win <= cells.find((own) => String(own.cell) === String(cell)).win);
