// @ts-check
// A walk through best play in an endgame: where it has come to, and how cells look there.

import { isCovered, symbolOf } from "../basics/position.js";
import { winHeat } from "../board/heat.js";

/** @typedef {import("../basics/position.js").Position} Position */
/** A node where best play is known. @typedef {EndgameNode & { cells: NonNullable<EndgameNode["cells"]> }} Node */
/** Steps of a walk: cells and what they show. @typedef {[row: number, col: number, number: number][]} Path */

export class Walk {
  /** @type {Path} */
  path = [];
  /** What the path leads to; null while it is sought, and where best play is not known. @type {Node | null} */
  node = null;
  /** That it is sought, or why it is not known. */
  note = "";
  problem = "";

  /** @param {Partial<Walk>} values */
  constructor(values) {
    Object.assign(this, values);
  }

  /** The best cell: the one that is looked at if none wins more often; null if nothing is left to decide. */
  get best() {
    const { best = null, cell = null, cells = [] } = this.node ?? {};
    const own = cells.find((other) => String(other.cell) === String(cell));
    return own && cells.every(({ win }) => win <= own.win) ? cell : best;
  }

  /** What is marked on the board. @param {Position} position */
  marks(position) {
    const cell = this.node?.cell;
    return { best: position.indices(this.best && [this.best]), target: position.indices(cell && [cell]) };
  }

  /**
   * The look of a cell; null where it is as in the position.
   * @param {Position} position
   * @param {number} index
   * @returns {import("../board/look.js").Look | null}
   */
  look(position, index) {
    if (!this.node) return null;
    const step = this.path.find(([row, col]) => position.index([row, col]) === index);
    if (step) return { symbol: symbolOf(step[2]), extra: "walked" };
    if (!isCovered(position.cells[index])) return null;
    const known = this.node.cells.find(({ cell }) => position.index(cell) === index);
    if (!known) return { symbol: "#" };
    const all = this.node.cells.map(({ win }) => win);
    const text = String(Math.round(100 * known.win));
    return { symbol: "#", heat: winHeat(known.win, all), text, label: `covered, wins ${known.percent}` };
  }
}
