// @ts-check
// What Watch knows and shows, apart from its elements: the games, the move that is shown, and the position after it.

import { plural } from "../basics/dom.js";
import { isCovered, Position } from "../basics/position.js";
import { lookOf } from "../board/look.js";

/** A move that was shown, with what its cells were before. @typedef {WatchedMove & { before?: string[] }} Shown */

/** The game of one agent: the moves that have arrived, and the position after any of them. */
export class WatchedGame {
  /** The moves that have arrived. @type {Shown[]} */
  moves = [];
  /** The number of moves that are shown. */
  at = 0;
  /** Rows, columns and mines, once the board is there. @type {WatchedHead | null} */
  head = null;
  /** What is shown of each cell. @type {string[]} */
  symbols = [];
  /** Numbers of what is shown. */
  counts = { flags: 0, mines: 0, open: 0, guesses: 0 };
  /** Where the mines are, as rows. @type {string[] | null} */
  layout = null;
  /** @type {WatchedEnd | null} */
  ended = null;
  /** Why the game did not come to its end. @type {string | null} */
  problem = null;
  /** The analysis with advice that is shown. @type {Analysis | null} */
  advised = null;
  /** The numbers of the reason that is shown. @type {Cell[] | null} */
  reason = null;

  /**
   * @param {string} [agent]
   * @param {string} [clues] the model of the numbers
   */
  constructor(agent = "", clues = "exact") {
    this.agent = agent;
    this.clues = clues;
  }

  /** The board is there: every cell is covered. @param {WatchedHead} head */
  prepare(head) {
    this.head = head;
    this.symbols = Array(head.rows * head.cols).fill("#");
    this.counts = { flags: 0, mines: 0, open: 0, guesses: 0 };
    this.at = 0;
  }

  /** The last move that is shown. */
  get last() {
    return this.moves[this.at - 1];
  }

  /** True if the end is shown. */
  get over() {
    return this.ended !== null && this.at === this.moves.length;
  }

  /** @param {Cell} cell */
  #index([row, col]) {
    return row * (this.head?.cols ?? 0) + col;
  }

  /**
   * Show the position after a move, of those that have arrived.
   * @param {number} to
   * @returns {Set<number>} the cells that may have changed
   */
  go(to) {
    const target = Math.min(to, this.moves.length);
    if (target !== this.at) this.reason = this.advised = null;
    /** @type {Set<number>} */
    const changed = new Set();
    while (this.at < target) this.#apply(this.moves[this.at++], changed);
    while (this.at > target) this.#revert(this.moves[--this.at], changed);
    return changed;
  }

  /**
   * @param {number} index
   * @param {string} symbol
   * @param {Set<number>} changed
   */
  #put(index, symbol, changed) {
    const before = this.symbols[index];
    this.counts.flags += Number(symbol === "F") - Number(before === "F");
    this.counts.mines += Number(symbol === "*") - Number(before === "*");
    this.counts.open += Number(isCovered(before)) - Number(isCovered(symbol));
    this.symbols[index] = symbol;
    changed.add(index);
  }

  /**
   * @param {Shown} move
   * @param {Set<number>} changed
   */
  #apply(move, changed) {
    const index = this.#index(move.cell);
    this.counts.guesses += Number(move.action === "guess");
    if (move.opened) {
      move.before = move.opened.map(([cell]) => this.symbols[cell]);
      for (const [cell, symbol] of move.opened) this.#put(cell, symbol, changed);
    } else if (move.action !== "note") {
      move.before = [this.symbols[index]];
      this.#put(index, move.action === "flag" ? "F" : "#", changed);
    }
  }

  /**
   * @param {Shown} move
   * @param {Set<number>} changed
   */
  #revert(move, changed) {
    this.counts.guesses -= Number(move.action === "guess");
    const before = move.before ?? [];
    if (move.opened) for (const [at, [cell]] of move.opened.entries()) this.#put(cell, before[at], changed);
    else if (move.action !== "note") this.#put(this.#index(move.cell), before[0], changed);
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const { advised, head, layout, over } = this;
    const cols = head?.cols ?? 1;
    const known = advised && !over ? (advised.cells?.[index] ?? -1) : -1;
    return lookOf(this.symbols[index] ?? "#", {
      odds: known < 0 ? null : (advised?.odds[known] ?? null),
      mine: over && layout ? layout[Math.floor(index / cols)][index % cols] === "*" : null,
    });
  }

  /** The position before the last move that is shown. */
  before() {
    const move = this.last;
    const cells = [...this.symbols];
    if (move?.opened && move.before) for (const [at, [cell]] of move.opened.entries()) cells[cell] = move.before[at];
    else if (move?.before) cells[this.#index(move.cell)] = move.before[0];
    return this.position(cells);
  }

  position(cells = [...this.symbols]) {
    const { rows, cols, mines, topology } = /** @type {WatchedHead} */ (this.head);
    return new Position({ rows, cols, mines, topology, clues: this.clues, cells });
  }

  /** What stands above the board: numbers in words, and the share of cells that are settled. */
  get facts() {
    const { flags, mines, open, guesses } = this.counts;
    const cells = Math.max(1, this.symbols.length);
    return {
      mines: `${(flags + mines).toLocaleString("en")} of ${(this.head?.mines ?? 0).toLocaleString("en")}`,
      opened: `${Math.floor((100 * open) / cells)} %`,
      guesses: String(guesses),
      share: Math.min(1, (open + flags) / cells),
    };
  }

  /** How the game stands, in words. */
  get standing() {
    const { ended, head, moves, over, problem } = this;
    if (over && ended) return ended.outcome;
    if (problem) return problem === "stopped" ? problem : "";
    if (ended) return "";
    return head ? `plays: ${plural(moves.length, "move")} so far` : "begins";
  }
}

export class WatchState {
  /** The games that are shown: one, or two on the same board. @type {WatchedGame[]} */
  games = [];
  /** The number of the last move that is shown. */
  at = 0;
  /** The move to show once it has arrived. @type {number | null} */
  wanted = null;
  /** The game whose moves are listed. */
  chosen = 0;
  /** The user has closed the sheet. */
  closed = false;
  /** The end that was told last. @type {WatchedEnd | null} */
  told = null;

  /** @param {Partial<WatchState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** The game whose moves are listed. */
  get game() {
    return this.games[this.chosen];
  }

  /** Moves of the longest game so far. */
  get length() {
    return Math.max(0, ...this.games.map(({ moves }) => moves.length));
  }

  /** True once no more moves will come. */
  get complete() {
    return this.games.every(({ ended, problem }) => ended || problem);
  }

  /** The move that can be shown now although it was asked for before it had arrived; null for none. */
  get due() {
    const isThere = this.complete || this.length >= (this.wanted ?? 0);
    return this.wanted !== null && isThere && this.games.every(({ head }) => head) ? this.wanted : null;
  }

  /** Games whose moves came later than the other's, and which can catch up. */
  get late() {
    return this.games.filter(({ head, at, moves }) => head && at < Math.min(this.at, moves.length));
  }

  /** The end of the game that is listed, while it is shown. */
  get ending() {
    return this.game?.head && this.game.over ? this.game.ended : null;
  }
}
