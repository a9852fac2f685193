// Solve: a position to draw, paste or drop; the risk of every cell with its reason, or why the board is impossible.

import { fromBase64 } from "./base64.js";
import { Board, geometryOf } from "./board.js";
import { isCancelled, Latest } from "./connection.js";
import {
  announce,
  button,
  capitalized,
  copy,
  debounce,
  described,
  download,
  flash,
  h,
  isNarrow,
  plural,
} from "./dom.js";
import { address, packed, unpacked } from "./link.js";
import { forced, lookOf } from "./look.js";
import { Palette } from "./palette.js";
import { DEFAULTS, inWords, isCovered, numberOf, Position, symbolOf } from "./position.js";
import { argument, fraction, ranking, verdict } from "./reasons.js";
import { cluesInput, field, select, topologyInput } from "./settings.js";
import { Sheet } from "./sheet.js";
import { View } from "./view.js";

const EXAMPLE = `mines 62
######################
############311#######
############313#######
####4#21213#21########
#####21...11112#######
####3311111...1#######
#####2#12#2.112#######
####22223#2.1#2#######
####212#211.12########
####4#211...12########
#####21122212#21######
#####323##2#2111######
#########3323111######
######################`;
const FEW_CORRECTIONS = 5; // shown at once
const MAX_CORRECTIONS = 40; // shown on request
const MAX_UNDO = 500;

export class SolveView extends View {
  constructor(element, page) {
    super("solve", element, page);
    this.history = [];
    this.answer = null;
    this.chosen = null;
    this.world = null;
    this.solving = new Latest();
    this.explaining = new Latest();
    this.solveSoon = debounce(120, () => this.solve());
    this.board = new Board({
      label: "Position",
      below: 95,
      look: (index) => this.look(index),
      tip: (index) => this.tip(index),
      on: {
        open: (index) => this.choose(index),
        key: (index, event) => this.typed(index, event),
        paint: (index, first) => this.paint(index, first),
      },
    });
    this.palette = new Palette((symbol) => {
      this.board.painting = symbol;
      this.board.grid.classList.toggle("drawing", symbol !== null);
    });
    this.build();
  }

  build() {
    this.undoButton = button("Undo", () => this.undo(), { disabled: true });
    const sizeInput = () => h("input", { type: "number", min: 1, max: 1000, inputMode: "numeric" });
    this.rows = sizeInput();
    this.cols = sizeInput();
    this.mines = h("input", { type: "text", inputMode: "numeric", placeholder: "not known", autocomplete: "off" });
    this.topology = topologyInput();
    this.clues = cluesInput();
    for (const control of [this.rows, this.cols, this.mines, this.topology, this.clues]) {
      control.addEventListener("change", () => this.settle());
    }
    this.problem = h("p", { class: "problem", role: "alert" });
    this.summary = h("dl", { class: "facts" });
    this.status = h("p", { class: "lead" });
    this.why = h("div", { class: "why" });
    this.rank = h("div");
    this.sheet = new Sheet({ label: "Reason", contents: [this.why, this.rank] });
    const formats = this.page.about.formats.filter(({ written, boards }) => written && boards);
    this.format = select(
      formats.map(({ name }) => [name]),
      "text",
    );
    this.element.append(
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "solve-title", class: "unseen" }, "Solve a position"),
        h(
          "div",
          { class: "bar" },
          button("Open or paste", () => this.page.openDialog(), { class: "main" }),
          button("Clear", () => this.clear()),
          this.undoButton,
          this.shareButton,
        ),
        this.palette.element,
        this.board.element,
        this.legend(),
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Analysis" },
        h("section", { class: "card" }, this.status, this.problem, this.summary),
        this.sheet.element,
        h(
          "details",
          { class: "card", open: !isNarrow() },
          h("summary", {}, "Board"),
          h(
            "div",
            { class: "fields" },
            field("Rows", this.rows),
            field("Columns", this.cols),
            field("Mines", this.mines, "a total, or a density such as 0.2"),
            field("Grid", this.topology),
            field("Clues", this.clues),
          ),
        ),
        h(
          "details",
          { class: "card" },
          h("summary", {}, "Save in another format"),
          h("div", { class: "fields" }, field("Format", this.format)),
          h(
            "div",
            { class: "row" },
            button("Copy", (event) => this.write(event.target, "copy")),
            button("Download", (event) => this.write(event.target, "file")),
          ),
        ),
      ),
    );
  }

  legend() {
    return h(
      "div",
      { class: "legend" },
      h("span", { class: "key safe" }, "safe"),
      h("span", { class: "ramp", "aria-hidden": "true" }),
      h("span", { class: "key sure" }, "mine"),
      h("span", { class: "key best" }, "best move"),
      h("span", { class: "note" }, "numbers in covered cells: risk in percent"),
    );
  }

  // Show the position of a link, or else the one that was shown last.
  async enter(query) {
    if (query.get("p")) {
      try {
        const { text } = await this.connection.ask("read", { text: await unpacked(query.get("p")) });
        await this.bring(text, { keep: this.position !== undefined });
      } catch (error) {
        this.page.complain(`This link does not hold a position: ${error.message}`);
      }
    }
    if (!this.position) await this.bring(EXAMPLE, { keep: false });
    this.board.fit();
  }

  async bring(text, { keep = true } = {}) {
    await this.set(Position.of(text), keep);
  }

  async set(position, keep = true) {
    try {
      const geometry = await geometryOf(this.connection, position.rows, position.cols, position.topology);
      if (keep && this.position) this.remember();
      this.position = position;
      this.board.shape(geometry, position.rows, position.cols);
      this.board.label = `Position, ${position.rows} rows of ${position.cols}`;
      this.palette.offer(geometry.most);
      this.problem.textContent = "";
    } catch (error) {
      this.problem.textContent = error.message;
      return;
    } finally {
      this.fill();
    }
    this.forget();
    await this.solve();
  }

  fill() {
    const { rows, cols, mines, density, topology, clues } = this.position;
    this.rows.value = rows;
    this.cols.value = cols;
    this.mines.value = density ?? mines ?? "";
    this.topology.value = topology;
    this.clues.value = clues;
  }

  remember() {
    this.history.push(this.position.copy());
    if (this.history.length > MAX_UNDO) this.history.shift();
    this.undoButton.disabled = false;
  }

  undo() {
    const before = this.history.pop();
    this.undoButton.disabled = !this.history.length;
    if (before) this.set(before, false);
  }

  clear() {
    this.set(this.position.copy({ cells: this.position.cells.map(() => "#") }));
  }

  // Apply the fields beside the board to the position.
  settle() {
    const rows = Math.floor(Number(this.rows.value));
    const cols = Math.floor(Number(this.cols.value));
    const mines = this.mines.value.trim();
    if (!(rows >= 1 && cols >= 1 && rows * cols <= this.page.about.cells)) {
      this.problem.textContent = `A board has 1 to ${this.page.about.cells.toLocaleString("en")} cells.`;
      return;
    }
    const total = /^\d{1,7}$/.test(mines);
    this.set(
      this.position.resized(rows, cols).copy({
        mines: total ? Number(mines) : null,
        density: total || !mines ? null : mines,
        topology: this.topology.value.trim() || DEFAULTS.topology,
        clues: this.clues.value.trim() || DEFAULTS.clues,
      }),
    );
  }

  typed(index, event) {
    if (event.key === "Delete" || event.key === "Backspace") return this.change(index, "#");
    const most = this.board.geometry.most;
    // Where a cell can have fifteen neighbours, f is a number.
    const symbol = event.key === "0" ? "." : event.key === "f" && most < 15 ? "F" : event.key;
    const number = symbol.length === 1 ? numberOf(symbol) : -1;
    if (!"#*F?.".includes(symbol) && !(number > 0 && number <= Math.max(8, most))) return false;
    return this.change(index, symbol);
  }

  paint(index, first) {
    if (first) this.stroke = false;
    const { symbol } = this.palette;
    if (this.position.cells[index] === symbol) return;
    if (!this.stroke) this.remember();
    this.stroke = true;
    this.put(index, symbol);
  }

  change(index, symbol) {
    if (this.position.cells[index] !== symbol) {
      this.remember();
      this.put(index, symbol);
      announce(`${this.board.name(index)}: ${inWords(symbol)}`);
    }
    return true;
  }

  put(index, symbol) {
    this.position.cells[index] = symbol;
    this.forget();
    this.solveSoon();
  }

  // Remove everything that is known only of the position before.
  forget() {
    this.answer = null;
    this.chosen = null;
    this.world = null;
    this.impossible = null;
    this.status.textContent = "";
    this.summary.replaceChildren();
    this.why.replaceChildren();
    this.rank.replaceChildren();
    this.board.drawAll();
    this.board.mark();
  }

  odds(index) {
    const at = this.answer?.cells?.[index] ?? -1;
    return at < 0 ? null : this.answer.odds[at];
  }

  look(index) {
    const symbol = this.position.cells[index];
    if (this.world && isCovered(symbol)) {
      const mine = this.world[index] === "*";
      return { symbol: "#", extra: mine ? "left" : "", label: mine ? "a mine in this world" : "safe in this world" };
    }
    return lookOf(symbol, { odds: this.odds(index) });
  }

  tip(index) {
    const odds = this.odds(index);
    if (!odds || this.world) return null;
    const known = forced(odds) ? `${forced(odds)} in every world` : fraction(odds.percent, odds.exact);
    return [h("strong", {}, this.board.coordinates(index)), ` ${known}`];
  }

  async solve() {
    this.solveSoon.cancel();
    const signal = this.solving.next();
    const text = this.position.toString();
    this.problem.textContent = "";
    this.element.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => {
      this.status.textContent = "Counting…";
    }, 250);
    try {
      const answer = await this.connection.ask("solve", { board: text }, { signal });
      clearTimeout(slow);
      if (signal.aborted) return;
      if (answer.impossible) await this.contradicted(text, answer.impossible, signal);
      else await this.solved(text, answer, signal);
    } catch (error) {
      clearTimeout(slow);
      if (isCancelled(error)) return;
      this.status.textContent = "This position cannot be solved.";
      this.summary.replaceChildren();
      this.problem.textContent = error.message;
    } finally {
      if (!signal.aborted) this.element.removeAttribute("aria-busy");
    }
  }

  async solved(text, answer, signal) {
    this.answer = answer;
    this.board.drawAll();
    this.remark();
    this.keepSoon();
    const best = answer.best
      ? `Best move: ${answer.best_said}`
      : answer.covered
        ? "No cell is worth opening"
        : "Every cell is open";
    this.status.textContent = best;
    const facts = [
      ["Worlds", answer.worlds],
      ["Safe", plural(answer.safe, "cell")],
      ["Mines", plural(answer.mines, "cell")],
      [
        "Expected",
        answer.expected === null
          ? "not known"
          : `${answer.expected} ${answer.expected === "1" ? "mine" : "mines"} in ${plural(answer.covered, "covered cell")}`,
      ],
      [
        "Took",
        `${(1000 * answer.seconds).toLocaleString("en", { maximumFractionDigits: answer.seconds < 0.01 ? 1 : 0 })} ms`,
      ],
    ];
    if (answer.unknown) facts.splice(3, 0, ["Not counted", `${plural(answer.unknown, "cell")}: out of time`]);
    for (const remark of answer.remarks) facts.push(["Note", remark]);
    this.summary.replaceChildren(...described(facts));
    this.why.replaceChildren(
      h("p", { class: "note" }, answer.covered ? "Choose a covered cell to see the reason for its risk." : ""),
    );
    announce(`${best}. ${plural(answer.safe, "safe cell")}, ${plural(answer.mines, "mine")}.`);
    if (!answer.safe && answer.best && answer.complete) {
      const { candidates } = await this.connection.ask("guesses", { board: text }, { signal });
      if (candidates.length) {
        this.rank.replaceChildren(
          ranking(candidates, (candidate) => {
            const cells = this.board.indices(candidate.cells);
            this.board.mark({ target: cells });
            this.board.show(cells[0]);
          }),
        );
      }
    }
  }

  // Mark the best move, and other cells.
  remark(marked = {}) {
    const { best } = this.answer ?? {};
    this.board.mark({ best: best ? [this.board.index(best)] : [], ...marked });
  }

  async contradicted(text, impossible, signal) {
    this.impossible = impossible;
    this.keepSoon();
    this.summary.replaceChildren();
    this.status.textContent = "No layout agrees with this board";
    announce("No layout agrees with this board");
    this.board.mark({ bad: this.board.indices(impossible.clues) });
    this.why.replaceChildren(h("p", { class: "note" }, "Looking for the numbers that cannot all be true…"));
    let answer;
    try {
      answer = await this.connection.ask("conflict", { board: text }, { signal });
    } catch (error) {
      if (isCancelled(error)) throw error;
      // The numbers of the first answer contradict each other, too, but may be more than necessary.
      this.why.replaceChildren(
        h("h2", {}, "Not every number can be true"),
        h("p", { class: "said" }, impossible.message),
        h("p", { class: "note" }, error.message),
      );
      return;
    }
    const { conflict, corrections_said: said } = answer;
    if (!conflict) return;
    const bad = this.board.indices(conflict.clues);
    this.board.mark({ bad });
    if (bad.length) this.board.show(bad[0]);
    const corrections = conflict.corrections.map((correction, at) =>
      h(
        "li",
        {},
        button(capitalized(said[at]), () => this.correct(correction)),
      ),
    );
    this.why.replaceChildren(
      h(
        "h2",
        { id: "conflict" },
        conflict.total && !bad.length ? "The mine total is impossible" : "These numbers cannot all be true",
      ),
      argument(conflict, (step) => this.board.mark({ bad, target: this.board.indices(step?.cells) })),
      corrections.length
        ? h("h3", {}, "The board would be possible with")
        : h("p", {}, "No single change would make the board possible."),
      h("ul", { class: "corrections", hidden: !corrections.length }, corrections.slice(0, FEW_CORRECTIONS)),
      corrections.length > FEW_CORRECTIONS
        ? h(
            "details",
            {},
            h("summary", {}, `${corrections.length - FEW_CORRECTIONS} more`),
            h("ul", { class: "corrections" }, corrections.slice(FEW_CORRECTIONS, MAX_CORRECTIONS)),
          )
        : "",
    );
  }

  correct({ cell, instead }) {
    this.remember();
    if (cell === null) this.position = this.position.copy({ mines: instead });
    else this.position.cells[this.board.index(cell)] = instead === null ? "#" : symbolOf(instead);
    this.fill();
    this.forget();
    this.solve();
  }

  // Explain a covered cell; any other clears the explanation.
  async choose(index) {
    const covered = isCovered(this.position.cells[index]) && this.answer;
    this.chosen = covered ? index : null;
    if (this.world) {
      this.world = null;
      this.board.drawAll();
    }
    if (!covered) {
      if (this.answer) this.remark();
      return;
    }
    this.remark({ target: [index] });
    this.sheet.open();
    this.sheet.reveal(this.board, [index]);
    const board = this.position.toString();
    const signal = this.explaining.next();
    const waiting = setTimeout(
      () => this.why.replaceChildren(h("p", { class: "note" }, "Looking for the reason…")),
      200,
    );
    try {
      const found = await this.connection.ask("explain", { board, cell: this.board.place(index) }, { signal });
      if (signal.aborted || this.chosen !== index) return;
      if (found.reason) this.reason(found.reason);
      else this.undecided(index, found.undecided);
    } catch (error) {
      if (!isCancelled(error)) this.why.replaceChildren(h("p", { class: "problem" }, error.message));
    } finally {
      clearTimeout(waiting);
    }
  }

  reason(reason) {
    const target = this.board.indices([reason.cell]);
    const clue = this.board.indices(reason.clues);
    this.remark({ target, clue });
    this.why.replaceChildren(
      h("h2", {}, `${reason.cell.join(",")} is `, verdict(reason.mine)),
      h("p", { class: "rule" }, reason.rule, reason.total ? `, with the mine total of ${this.position.mines}` : ""),
      argument(reason, (step) => this.remark({ target, clue: step ? this.board.indices(step.clues) : clue })),
    );
    announce(`${this.board.name(target[0])} is ${reason.mine ? "a mine" : "safe"}. ${reason.text}`);
  }

  undecided(index, undecided) {
    const show = (world, pressed) => {
      this.world = this.world === world ? null : world;
      for (const other of pressed.parentElement.children)
        other.setAttribute("aria-pressed", String(other === pressed && this.world !== null));
      this.board.drawAll();
      this.remark({ target: [index] });
    };
    const worlds = [
      ["A world where it is a mine", undecided.mined.join("")],
      ["A world where it is safe", undecided.safe.join("")],
    ];
    const odds = this.odds(index);
    const exact = undecided.risk_exact;
    this.why.replaceChildren(
      h("h2", {}, `${this.board.coordinates(index)}: ${odds?.percent ?? "not known"}`),
      exact ? h("p", { class: "exact", tabIndex: exact.length > 300 ? 0 : undefined }, exact) : "",
      h("p", { class: "said" }, "It may be a mine or safe: each of these worlds agrees with the board."),
      h(
        "div",
        { class: "row" },
        worlds.map(([name, world]) =>
          button(name, (event) => show(world, event.currentTarget), { "aria-pressed": "false" }),
        ),
      ),
    );
    announce(undecided.said);
  }

  async link() {
    return address("solve", { p: await packed(this.position.toString()) });
  }

  async write(target, where) {
    try {
      const written = await this.connection.ask("write", {
        board: this.position.toString(),
        format: this.format.value,
      });
      const content = written.base64 === undefined ? written.text : fromBase64(written.base64);
      if (where === "file") download(`position${written.suffix}`, content);
      else flash(target, written.text !== undefined && (await copy(written.text)) ? "Copied" : "Not copied");
      this.problem.textContent = "";
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}
