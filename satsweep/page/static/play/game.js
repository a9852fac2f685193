// @ts-check
// A game of the user: symbols, moves that can be undone, and how it stands. It draws nothing and asks nothing.

import { isCovered, numberOf, Position } from "../basics/position.js";

/** @typedef {import("../shared/clicks.js").Click} Click */
/** @typedef {{ before: string[], clicks: Click[], opened: number[] }} Move symbols before it, its clicks, cells it opened */

/**
 * The answer to `deal`: what every cell shows, and the cells that the first one opens.
 * @typedef {{
 *   layout: string[], shown: string, start: Cell, opened: number[],
 *   topology: string, mines: number, cascades: boolean, exact: boolean,
 * }} Dealt
 */

export class Game {
  /** What the user sees of each cell. @type {string[]} */
  symbols;
  /** @type {Move[]} */
  moves = [];
  /** Where the mines are, from the first opening on. @type {Dealt | null} */
  dealt = null;
  /** @type {"won" | "lost" | null} */
  over = null;
  /** Clicks by button; also those that changed nothing. */
  clicks = { left: 0, right: 0, chord: 0 };
  /** Those of a link are known if the address tells them. */
  areClicksKnown = true;
  /** The server is placing the mines. */
  isDealing = false;
  /** Its result is in the archive. */
  kept = false;
  /** Cells that were certainly safe by what was shown, where mines are redrawn. @type {Set<number>} */
  certain = new Set();
  /** What the user had help from; such games hold no records. @type {Set<string>} */
  help = new Set();

  /**
   * `total` is the number of mines, `rule` that of guesses (fairness.js), `clock` the seconds since the first opening.
   * @param {{
   *   rows: number, cols: number, geometry: Geometry, topology: string, clues: string, total: number, rule: string,
   *   clock: () => number,
   * }} board
   */
  constructor({ rows, cols, geometry, topology, clues, total, rule, clock }) {
    this.rows = rows;
    this.cols = cols;
    this.geometry = geometry;
    this.topology = topology;
    this.clues = clues;
    this.total = total;
    this.rule = rule;
    this.clock = clock;
    this.symbols = Array(rows * cols).fill("#");
  }

  get neighbours() {
    return this.geometry.neighbours;
  }

  get last() {
    return this.moves.at(-1) ?? null;
  }

  // The cell that the last opening move was about, or null.
  get lastOpened() {
    for (const { clicks, opened } of this.moves.toReversed()) {
      if (!opened.length) continue;
      const { index } = clicks.find(({ action }) => action === "open") ?? clicks[0];
      return opened.includes(index) ? index : opened[0];
    }
    return null;
  }

  /** Row and column of a cell. @param {number} index @returns {Cell} */
  place(index) {
    return [Math.floor(index / this.cols), index % this.cols];
  }

  /** @param {Cell} cell */
  index([row, col]) {
    return row * this.cols + col;
  }

  /** @param {Cell[] | null | undefined} cells */
  indices(cells) {
    return (cells ?? []).map((cell) => this.index(cell));
  }

  /** The cells that show a symbol. @param {string} wanted */
  cellsOf(wanted) {
    return [...this.symbols.keys()].filter((index) => this.symbols[index] === wanted);
  }

  get flags() {
    return this.symbols.filter((symbol) => symbol === "F" || symbol === "*").length;
  }

  get clicked() {
    const { left, right, chord } = this.clicks;
    return left + right + chord;
  }

  /** All clicks that are not undone. */
  get path() {
    return this.moves.flatMap(({ clicks }) => clicks);
  }

  /** Milliseconds until the last click. */
  get lastTime() {
    return Math.max(0, ...this.path.map(({ time }) => time ?? 0));
  }

  position(symbols = this.symbols) {
    const { rows, cols, total: mines, topology, clues } = this;
    return new Position({ rows, cols, mines, topology, clues, cells: [...symbols] });
  }

  /**
   * Begin with the server's answer: the mines have their places now.
   * @param {Dealt} dealt
   * @param {number} start
   */
  deal(dealt, start) {
    this.dealt = dealt;
    const flagged = dealt.opened.filter((cell) => this.symbols[cell] === "F");
    return this.#move(() => {
      for (const cell of dealt.opened) this.symbols[cell] = dealt.shown[cell];
    }, [...flagged.map((cell) => this.#click("unflag", cell)), this.#click("open", start)]);
  }

  /**
   * Open cells at once, by a chord on a number if there is one.
   * @param {number[]} indices
   * @param {number | null} [number]
   */
  open(indices, number = null) {
    const closed = indices.filter((index) => this.symbols[index] === "#");
    const isMine = (/** @type {number} */ index) => Number(this.dealt?.shown[index] === "*");
    // A mine ends the game, so it comes last; where mines are redrawn on the way, cells come as they are.
    const first = closed.findIndex(isMine);
    const opens =
      this.rule === "never"
        ? closed.toSorted((one, other) => isMine(one) - isMine(other))
        : closed.slice(0, first < 0 ? closed.length : first + 1);
    return this.#move(
      () => {
        for (const index of opens) this.#reveal(index);
      },
      number === null ? opens.map((index) => this.#click("open", index)) : [this.#click("chord", number)],
    );
  }

  /**
   * Flag covered cells, or take the flags away.
   * @param {number[]} indices
   */
  flag(indices) {
    const clicks = indices.map((index) => this.#click(this.symbols[index] === "F" ? "unflag" : "flag", index));
    return this.#move(() => {
      for (const { action, index } of clicks) this.symbols[index] = action === "flag" ? "F" : "#";
    }, clicks);
  }

  /**
   * Make a click of a link again, at its time.
   * @param {Click} click
   */
  repeat({ action, index, time }) {
    const clock = this.clock;
    this.clock = () => (time ?? 0) / 1000;
    if (action === "chord") this.open(this.chord(index), index);
    else if (action === "open") this.open([index]);
    else if (this.symbols[index] === { flag: "#", unflag: "F" }[action]) this.flag([index]);
    this.clock = clock;
  }

  /**
   * Make a move; the indices of the cells that it changed, or null if it changed none.
   * @param {() => void} act
   * @param {Click[]} clicks
   */
  #move(act, clicks) {
    const before = [...this.symbols];
    act();
    const changed = this.symbols.flatMap((symbol, index) => (symbol === before[index] ? [] : [index]));
    if (!changed.length) return null;
    const opened = changed.filter((index) => !isCovered(this.symbols[index]));
    this.moves.push({ before, clicks, opened });
    this.#judge();
    return changed;
  }

  /**
   * @param {Click["action"]} action
   * @param {number} index
   * @returns {Click}
   */
  #click(action, index) {
    return { action, index, time: Math.round(1000 * this.clock()) };
  }

  undo() {
    const move = this.moves.pop();
    if (!move) return false;
    this.symbols = move.before;
    this.over = null;
    this.certain.clear();
    this.help.add("undo");
    // Before the first cell the mines have no places; the same cell and seed bring the same ones.
    if (!this.symbols.some((symbol) => !isCovered(symbol))) this.dealt = null;
    return true;
  }

  /**
   * Open a cell, and the cells that the cascade opens with it; flagged cells stay covered.
   * @param {number} index
   */
  #reveal(index) {
    if (this.symbols[index] !== "#" || !this.dealt) return;
    const { shown, cascades } = this.dealt;
    const waiting = [index];
    this.symbols[index] = shown[index];
    for (const cell of waiting) {
      if (shown[cell] !== "." || !cascades) continue;
      for (const other of this.neighbours[cell]) {
        if (this.symbols[other] === "#") {
          this.symbols[other] = shown[other];
          waiting.push(other);
        }
      }
    }
  }

  /**
   * The cells that a chord on a number opens: the others around it, if it has as many flags.
   * @param {number} index
   */
  chord(index) {
    const number = numberOf(this.symbols[index]);
    const around = this.neighbours[index];
    const marked = around.filter((other) => "F*".includes(this.symbols[other])).length;
    if (number <= 0 || number !== marked || !this.dealt?.exact) return [];
    return around.filter((other) => this.symbols[other] === "#");
  }

  #judge() {
    const { dealt } = this;
    const hit = this.symbols.includes("*");
    const left = this.symbols.some((symbol, index) => isCovered(symbol) && dealt && dealt.shown[index] !== "*");
    this.over = hit ? "lost" : dealt && !left ? "won" : null;
  }
}
