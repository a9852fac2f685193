// The replay of one agent's game in Watch: the moves that have arrived, and the position after any of them.

import { marksOf } from "./advice.js";
import { Board, geometryOf } from "./board.js";
import { isCancelled } from "./connection.js";
import { button, h, plural } from "./dom.js";
import { lookOf } from "./look.js";
import { isCovered, Position } from "./position.js";

const BELOW = 150; // pixels for the transport below a board
const CURVE = 50; // pixels that the curve of win chances adds to it

export class Replay {
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
    this.stop = button("Stop", () => view.stop(this), { class: "stop", hidden: true });
    this.meter = h("div", { class: "meter", "aria-hidden": "true" }, h("i", {}));
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

  async start(agent, asked, signal) {
    const { view } = this;
    const entry = view.page.about.agents.find(({ name }) => name === agent.split(":")[0]);
    this.agent = agent;
    this.board.below = BELOW;
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
    const onPart = (part) => {
      if (signal.aborted) return;
      if (part.layout) this.layout = part.layout;
      if (part.rules) this.ready = this.prepare(part, asked.clues, signal);
      if (part.moves) this.moves.push(...part.moves);
      view.grown();
    };
    // The grid first: Python in a browser answers nothing else while a game goes on.
    const { rows, cols, topology } = view.settings.opened ?? asked;
    geometryOf(view.connection, rows, cols, topology).catch(() => {});
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
      this.problem = isCancelled(error) ? "stopped" : error.message;
      this.state.textContent = isCancelled(error) ? "stopped" : "";
      if (!isCancelled(error)) view.failed(this, error);
      else view.grown();
    }
  }

  // Show a game that somebody played, with the verdicts of its review.
  async review(found, signal) {
    const { rows, cols, mines, topology = "square", rules, layout, facts, outcome, won } = found;
    this.agent = found.player;
    this.asked = null;
    this.asking = signal;
    this.name.textContent = found.player;
    this.summary.textContent = this.summary.title = "A game that was played, and what could have been known.";
    const told = found.moves.filter(({ action, opened }) => action !== "open" || opened.length);
    this.moves = told.map(({ action, cell, said, opened, choice }) => ({
      action: action === "open" && choice ? "guess" : action,
      cell,
      why: said,
      clues: choice?.reason?.clues ?? [],
      ...(action === "open" ? { opened } : {}),
    }));
    this.board.below = BELOW + CURVE;
    this.chances = [...told.map(({ before }) => before), told.at(-1)?.after];
    this.at = 0;
    this.head = null;
    this.problem = null;
    this.ended = { reviewed: true, outcome, won, layout, facts };
    this.layout = layout;
    this.note.textContent = "";
    this.stop.hidden = true;
    this.ready = this.prepare({ rows, cols, mines, topology }, rules.clues, signal);
    await this.ready;
  }

  // Cover the board at once, so that no old game stands under a new heading.
  blank() {
    this.advised = null;
    if (!this.head) return;
    this.symbols.fill("#");
    this.board.mark();
    this.board.drawAll();
  }

  // Show the risks and the advice of an answer about the position that is shown; null for none.
  advise(answer) {
    const had = this.advised !== null;
    this.advised = answer;
    if (had || answer) this.board.drawAll();
  }

  get marks() {
    return this.advised ? marksOf(this.board, this.advised.advice) : {};
  }

  async prepare(head, clues, signal) {
    const { rows, cols } = head;
    const geometry = await geometryOf(this.view.connection, rows, cols, head.topology);
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

  // Show the position after a move. Cells that change on the way are drawn once.
  go(to) {
    if (!this.head) return;
    const target = Math.min(to, this.moves.length);
    if (target !== this.at) {
      this.reason = null;
      this.advise(null);
    }
    const changed = new Set();
    while (this.at < target) this.apply(this.moves[this.at++], changed);
    while (this.at > target) this.revert(this.moves[--this.at], changed);
    for (const index of changed) this.board.draw(index);
    this.count();
  }

  put(index, symbol, changed) {
    const before = this.symbols[index];
    this.counts.flags += (symbol === "F") - (before === "F");
    this.counts.mines += (symbol === "*") - (before === "*");
    this.counts.open += !isCovered(symbol) - !isCovered(before);
    this.symbols[index] = symbol;
    changed.add(index);
  }

  apply(move, changed) {
    const index = this.board.index(move.cell);
    this.counts.guesses += move.action === "guess";
    if (move.opened) {
      move.before = move.opened.map(([cell]) => this.symbols[cell]);
      for (const [cell, symbol] of move.opened) this.put(cell, symbol, changed);
    } else if (move.action !== "note") {
      move.before = [this.symbols[index]];
      this.put(index, move.action === "flag" ? "F" : "#", changed);
    }
  }

  revert(move, changed) {
    this.counts.guesses -= move.action === "guess";
    if (move.opened) for (const [at, [cell]] of move.opened.entries()) this.put(cell, move.before[at], changed);
    else if (move.action !== "note") this.put(this.board.index(move.cell), move.before[0], changed);
  }

  look(index) {
    const [row, col] = this.board.place(index);
    const known = this.advised && !this.over ? (this.advised.cells?.[index] ?? -1) : -1;
    return lookOf(this.symbols[index], {
      odds: known < 0 ? null : this.advised.odds[known],
      mine: this.over && this.layout ? this.layout[row][col] === "*" : null,
    });
  }

  get over() {
    return this.ended !== null && this.at === this.moves.length;
  }

  count() {
    const { flags, mines, open, guesses } = this.counts;
    const cells = this.symbols.length;
    this.mines.textContent = `${(flags + mines).toLocaleString("en")} of ${this.head.mines.toLocaleString("en")}`;
    this.opened.textContent = `${Math.floor((100 * open) / Math.max(1, cells))} %`;
    this.guesses.textContent = String(guesses);
    this.meter.firstChild.style.width = `${(100 * Math.min(1, (open + flags) / Math.max(1, cells))).toFixed(1)}%`;
    const over = this.over;
    if (over !== this.wasOver) {
      this.wasOver = over;
      for (let index = 0; index < cells; index++) if (isCovered(this.symbols[index])) this.board.draw(index);
    }
    const going = this.ended || this.problem ? "" : `plays: ${plural(this.moves.length, "move")} so far`;
    this.state.textContent = over ? this.ended.outcome : this.problem === "stopped" ? "stopped" : going;
    this.state.className = `state${over ? (this.ended.won ? " won" : " lost") : ""}`;
  }

  // The position before the last move that is shown.
  before() {
    const move = this.moves[this.at - 1];
    const cells = [...this.symbols];
    if (move?.opened) for (const [at, [cell]] of move.opened.entries()) cells[cell] = move.before[at];
    else if (move?.before) cells[this.board.index(move.cell)] = move.before[0];
    return this.position(cells);
  }

  position(cells = [...this.symbols]) {
    const { rows, cols, mines, topology } = this.head;
    return new Position({ rows, cols, mines, topology, clues: this.clues, cells });
  }
}
