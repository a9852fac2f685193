// @ts-check
// The replay of one agent's game in Watch: the moves that have arrived, and the position after any of them.

import { button, h, plural } from "../basics/dom.js";
import { isCovered, layoutText, Position } from "../basics/position.js";
import { Board } from "../board/board.js";
import { lookOf } from "../board/look.js";
import { isCancelled } from "../engine/connection.js";
import { marksOf } from "../shared/advice.js";

const BELOW = 150; // pixels for the transport below a board

/** A move that was shown, with what its cells were before. @typedef {WatchedMove & { before?: string[] }} Shown */

export class Replay {
  agent = "";
  /** The question about the game. @type {Record<string, unknown>} */
  asked = {};
  /** @type {AbortSignal | null} */
  asking = null;
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
  /** The model of the numbers. */
  clues = "exact";
  /** Where the mines are, as rows. @type {string[] | null} */
  layout = null;
  /** @type {WatchedEnd | null} */
  ended = null;
  /** Why the game did not come to its end. @type {string | null} */
  problem = null;
  /** Ends when the board is there. @type {Promise<void>} */
  ready = Promise.resolve();
  /** The analysis with advice that is shown. @type {Analysis | null} */
  advised = null;
  /** The numbers of the reason that is shown. @type {Cell[] | null} */
  reason = null;
  /** True if the end was shown. */
  wasOver = false;

  /**
   * `grown` is called when moves have come, `failed` when no more will.
   * @param {{
   *   page: import("../shared/view.js").Page, connection: import("../engine/connection.js").Connection,
   *   stop: () => void, grown: () => void, failed: (replay: Replay, error: Error) => void,
   * }} view
   */
  constructor(view) {
    this.view = view;
    this.board = new Board({ label: "Game", least: 8, roomy: 11, below: BELOW, look: (index) => this.look(index) });
    this.name = h("h2", { class: "player" });
    this.summary = h("p", { class: "note clip" });
    this.mines = h("strong", {});
    this.opened = h("strong", {});
    this.guesses = h("strong", {});
    this.state = h("span", { class: "state" });
    this.note = h("p", { class: "note cold", role: "status" });
    this.stop = button("Stop", () => view.stop(), { class: "stop", hidden: true });
    this.filled = h("i", {});
    this.meter = h("div", { class: "meter", "aria-hidden": "true" }, this.filled);
    this.element = h(
      "article",
      { class: "replay" },
      h(
        "header",
        {},
        h("div", { class: "heading" }, this.name, this.state, this.stop),
        this.summary,
        this.note,
        h(
          "p",
          { class: "counts" },
          h("span", {}, "Mines found ", this.mines),
          h("span", {}, "Open ", this.opened),
          h("span", {}, "Guesses ", this.guesses),
        ),
        this.meter,
      ),
      this.board.element,
    );
  }

  /**
   * @param {string} agent
   * @param {Record<string, any>} asked
   * @param {AbortSignal} signal
   */
  async start(agent, asked, signal) {
    const { view } = this;
    const agents = view.page.about.agents;
    const entry = agents.find(({ name }) => name === agent.split(":")[0]);
    this.agent = agent;
    this.asked = { agent, ...asked };
    this.asking = signal;
    this.name.textContent = agent;
    this.summary.textContent = entry ? entry.summary : "";
    this.summary.title = this.summary.textContent;
    this.moves = [];
    this.at = 0;
    this.ended = null;
    this.problem = null;
    this.layout = null;
    this.ready = Promise.resolve();
    this.note.textContent = "";
    this.stop.hidden = false;
    this.blank();
    this.head = null;
    this.state.textContent = "begins";
    this.state.className = "state";
    const onPart = (/** @type {any} */ part) => {
      if (signal.aborted) return;
      if (part.layout) this.layout = part.layout;
      if (part.rules) this.ready = this.prepare(part, asked.clues, signal);
      if (part.moves) this.moves.push(...part.moves);
      view.grown();
    };
    try {
      const ended = await view.connection.ask("watch", this.asked, { onPart, signal });
      if (signal.aborted) return;
      this.ended = ended;
      this.layout = ended.layout;
      await this.ready;
      this.stop.hidden = true;
      if (this.head) this.count();
      view.grown();
    } catch (error) {
      if (signal.aborted && this.asking !== signal) return;
      this.stop.hidden = true;
      const { message } = /** @type {Error} */ (error);
      this.problem = isCancelled(error) ? "stopped" : message;
      this.state.textContent = isCancelled(error) ? "stopped" : "";
      if (!isCancelled(error)) view.failed(this, /** @type {Error} */ (error));
      else view.grown();
    }
  }

  /** The question about the game as a moving picture: not every Python can play the games of the deep player again. */
  get pictured() {
    const { agent, asked, head, layout } = this;
    if (!agent.startsWith("deep") || !head || !layout) return asked;
    const { mines, topology } = head;
    const moves = this.moves.map(({ action, cell }) => [action === "guess" ? "open" : action, cell]);
    return { layout: layoutText({ layout, topology, mines }), first: "any", player: agent, moves };
  }

  // Cover the board at once, so that no old game stands under a new heading.
  blank() {
    this.advised = null;
    if (!this.head) return;
    this.symbols.fill("#");
    this.board.mark();
    this.board.drawAll();
  }

  /** The last move that is shown. */
  get last() {
    return this.moves[this.at - 1];
  }

  /**
   * Show the risks and the advice of an answer about the position that is shown; null for none.
   * @param {Analysis | null} answer
   */
  advise(answer) {
    const had = this.advised !== null;
    this.advised = answer;
    if (had || answer) this.board.drawAll();
  }

  /** Mark the last move, its numbers, what the advice says, and other cells. @param {Record<string, number[]>} [more] */
  mark(more = {}) {
    const { board, last } = this;
    const advised = this.advised ? marksOf(board, this.advised.advice) : {};
    board.mark({ ...advised, last: [board.index(last.cell)], clue: board.indices(this.reason ?? last.clues), ...more });
  }

  /**
   * @param {WatchedHead} head
   * @param {string} clues
   * @param {AbortSignal} signal
   */
  async prepare(head, clues, signal) {
    const { rows, cols } = head;
    const geometry = await this.view.connection.ask("grid", { rows, cols, topology: head.topology });
    if (signal.aborted) return;
    this.board.shape(geometry, rows, cols);
    this.board.label = `Game of ${this.agent}, ${rows} rows of ${cols}`;
    this.head = head;
    this.symbols = Array(rows * cols).fill("#");
    this.clues = clues;
    this.counts = { flags: 0, mines: 0, open: 0, guesses: 0 };
    this.at = 0;
    this.board.drawAll();
    this.count();
    this.view.grown();
  }

  /** Show the position after a move. Cells that change on the way are drawn once. @param {number} to */
  go(to) {
    if (!this.head) return;
    const target = Math.min(to, this.moves.length);
    if (target !== this.at) {
      this.reason = null;
      this.advise(null);
    }
    /** @type {Set<number>} */
    const changed = new Set();
    while (this.at < target) this.apply(this.moves[this.at++], changed);
    while (this.at > target) this.revert(this.moves[--this.at], changed);
    for (const index of changed) this.board.draw(index);
    this.count();
  }

  /**
   * @param {number} index
   * @param {string} symbol
   * @param {Set<number>} changed
   */
  put(index, symbol, changed) {
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
  apply(move, changed) {
    const index = this.board.index(move.cell);
    this.counts.guesses += Number(move.action === "guess");
    if (move.opened) {
      move.before = move.opened.map(([cell]) => this.symbols[cell]);
      for (const [cell, symbol] of move.opened) this.put(cell, symbol, changed);
    } else if (move.action !== "note") {
      move.before = [this.symbols[index]];
      this.put(index, move.action === "flag" ? "F" : "#", changed);
    }
  }

  /**
   * @param {Shown} move
   * @param {Set<number>} changed
   */
  revert(move, changed) {
    this.counts.guesses -= Number(move.action === "guess");
    const before = move.before ?? [];
    if (move.opened) for (const [at, [cell]] of move.opened.entries()) this.put(cell, before[at], changed);
    else if (move.action !== "note") this.put(this.board.index(move.cell), before[0], changed);
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const [row, col] = this.board.place(index);
    const known = this.advised && !this.over ? (this.advised.cells?.[index] ?? -1) : -1;
    return lookOf(this.symbols[index], {
      odds: known < 0 ? null : (this.advised?.odds[known] ?? null),
      mine: this.over && this.layout ? this.layout[row][col] === "*" : null,
    });
  }

  get over() {
    return this.ended !== null && this.at === this.moves.length;
  }

  count() {
    if (!this.head) return;
    const { flags, mines, open, guesses } = this.counts;
    const cells = this.symbols.length;
    this.mines.textContent = `${(flags + mines).toLocaleString("en")} of ${this.head.mines.toLocaleString("en")}`;
    this.opened.textContent = `${Math.floor((100 * open) / Math.max(1, cells))} %`;
    this.guesses.textContent = String(guesses);
    this.filled.style.width = `${(100 * Math.min(1, (open + flags) / Math.max(1, cells))).toFixed(1)}%`;
    const over = this.over;
    if (over !== this.wasOver) {
      this.wasOver = over;
      for (let index = 0; index < cells; index++) if (isCovered(this.symbols[index])) this.board.draw(index);
    }
    const going = this.ended || this.problem ? "" : `plays: ${plural(this.moves.length, "move")} so far`;
    const { ended } = this;
    this.state.textContent = over && ended ? ended.outcome : this.problem === "stopped" ? "stopped" : going;
    this.state.className = `state${over && ended ? (ended.won ? " won" : " lost") : ""}`;
  }

  // The position before the last move that is shown.
  before() {
    const move = this.last;
    const cells = [...this.symbols];
    if (move?.opened && move.before) for (const [at, [cell]] of move.opened.entries()) cells[cell] = move.before[at];
    else if (move?.before) cells[this.board.index(move.cell)] = move.before[0];
    return this.position(cells);
  }

  position(cells = [...this.symbols]) {
    const { rows, cols, mines, topology } = /** @type {WatchedHead} */ (this.head);
    return new Position({ rows, cols, mines, topology, clues: this.clues, cells });
  }
}
