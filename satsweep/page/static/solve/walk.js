// @ts-check
// A walk through best play in an endgame: the best cell, the numbers it can show, and what is best after each.

import { announce, button, h, plural } from "../basics/dom.js";
import { symbolOf } from "../basics/position.js";
import { winHeat } from "../board/heat.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { place, placesOf, told } from "../words/places.js";
import { term } from "../words/term.js";

/** A node where best play is known. @typedef {EndgameNode & { cells: NonNullable<EndgameNode["cells"]> }} Node */
/** @typedef {[row: number, col: number, number: number][]} Path */

export class Walk {
  /** The position that the walk has come to; null where there is no walk. @type {Node | null} */
  node = null;
  /** The steps to it: a row, a column and the number shown. @type {Path} */
  path = [];

  /**
   * `onChange` is called when the walk shows something else.
   * @param {{ connection: import("../engine/connection.js").Connection, position: import("../basics/position.js").Position, board: import("../board/board.js").Board }} view
   * @param {() => void} onChange
   */
  constructor(view, onChange) {
    this.view = view;
    this.onChange = onChange;
    this.asking = new Latest();
    this.element = h("section", { class: "why", "aria-label": "Best play", hidden: true });
  }

  /**
   * Begin with the cell that the advice puts first.
   * @param {Cell} cell
   */
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

  /**
   * Go to the position after a path; look at the numbers of a cell.
   * @param {Path} path
   * @param {Cell} [cell]
   */
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
      if (this.node) this.#show(this.node);
      else this.element.replaceChildren(h("p", { class: "note" }, node.why));
      this.onChange();
    } catch (error) {
      if (!isCancelled(error))
        this.element.replaceChildren(h("p", { class: "problem" }, /** @type {Error} */ (error).message));
    }
  }

  /**
   * A click on the board; true if it belongs to the walk.
   * @param {Cell} place
   */
  click(place) {
    if (!this.node) return false;
    if (this.node.cells.some(({ cell }) => String(cell) === String(place))) this.go(this.path, place);
    return true;
  }

  /**
   * The look of a cell during the walk; null where it is as in the position.
   * @param {number} index
   * @returns {import("../board/look.js").Look | null}
   */
  look(index) {
    if (!this.node) return null;
    const [row, col] = this.view.board.place(index);
    const step = this.path.find(([r, c]) => r === row && c === col);
    if (step) return { symbol: symbolOf(step[2]), extra: "walked" };
    if (!["#", "F"].includes(this.view.position.cells[index])) return null;
    const known = this.node.cells.find(({ cell: [r, c] }) => r === row && c === col);
    if (!known) return { symbol: "#" };
    const all = this.node.cells.map(({ win }) => win);
    return {
      symbol: "#",
      heat: winHeat(known.win, all),
      text: String(Math.round(100 * known.win)),
      label: `covered, wins ${known.percent}`,
    };
  }

  /** What is marked on the board during a walk. */
  get marks() {
    if (!this.node) return {};
    const { best, cell } = this.node;
    const board = this.view.board;
    const first = isBest(this.node) ? cell : best;
    return { best: first ? [board.index(first)] : [], target: cell ? [board.index(cell)] : [] };
  }

  /** @param {Node} node */
  #show(node) {
    const { worlds, win_exact: exact, percent, best, cell, numbers } = node;
    const { board } = this.view;
    const at = (/** @type {Cell | null} */ own) => (own ? placesOf(board, [own]) : "");
    const first = isBest(node) ? cell : best;
    const chance = exact === "0" || exact === "1" ? percent : `${percent} = ${exact}`;
    const steps = this.path.flatMap(([row, col, number], at) => [
      at ? "; " : "After ",
      /** @type {Cell} */ ([row, col]),
      ` shows ${number}`,
    ]);
    const item = (/** @type {EndgameNode["numbers"][0]} */ { number, worlds: left, percent: wins }) =>
      cell &&
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
      h("p", { class: "note" }, `${plural(worlds, "solution")}. `, steps.length ? told([...steps, "."], board) : ""),
      ...(cell
        ? [
            h("p", {}, ...(first === cell ? ["The best cell is ", at(cell), "."] : ["If ", at(cell), " is opened:"])),
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
    announce(`Best play wins ${percent}. ${first ? `The best cell is ${place(first)}.` : ""}`);
  }
}

/**
 * True if no cell wins more often than the one that is looked at.
 * @param {Node} node
 */
function isBest({ cells, cell }) {
  const own = cells.find((other) => String(other.cell) === String(cell));
  return own !== undefined && cells.every(({ win }) => win <= own.win);
}
