// Solve: a position to draw, paste or drop; the risk of every cell with its reason, or why the board is impossible.

import { adviceList, canLookAhead, marksOf, whyNoWins, winLooks, winOf } from "./advice.js";
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
  storage,
} from "./dom.js";
import { drawn, opened, PEN, toggledMine, turned } from "./draw.js";
import { Fields } from "./fields.js";
import { front, presets } from "./front.js";
import { address, packed, unpacked } from "./link.js";
import { forced, lookOf } from "./look.js";
import { Palette } from "./palette.js";
import { DEFAULTS, inWords, isCovered, numberOf, Position, symbolOf } from "./position.js";
import { argument, fraction, verdict } from "./reasons.js";
import { field, select } from "./settings.js";
import { Sheet } from "./sheet.js";
import { term } from "./term.js";
import { View } from "./view.js";
import { Walk } from "./walk.js";

const EXAMPLE = `mines 17
#####1..1##
#####2..12#
#####2...1#
##1111...1#
##1......1#
##211221.1#
#######1.1#
#######211#
###########`;
const FEW_CORRECTIONS = 5; // shown at once
const MAX_CORRECTIONS = 40; // shown on request
const MAX_UNDO = 500;
const AGAIN = 5000; // milliseconds between two questions for win chances while the search is not ready
const TRIES = 30; // such questions

export class SolveView extends View {
  constructor(element, page) {
    super("solve", element, page);
    this.history = [];
    this.answer = null;
    this.advice = null;
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
        flag: (index) => this.press(index),
        key: (index, event) => this.typed(index, event),
        paint: (index, first) => this.paint(index, first),
        turn: (index, by) => this.draw([[index, turned(this.position.cells[index], by, this.board.geometry.most)]]),
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
    this.fields = new Fields(() => this.settle());
    this.problem = h("p", { class: "problem", role: "alert" });
    this.summary = h("dl", { class: "facts" });
    this.status = h("p", { class: "lead" });
    this.deepNote = h("p", { class: "note" });
    this.totalNote = h("p", { class: "note" });
    this.why = h("div", { class: "why" });
    this.listed = h("section", { class: "card why", "aria-label": "Advice", hidden: true });
    this.walk = new Walk(this, () => this.walked());
    this.sheet = new Sheet({ label: "Reason", contents: [this.why, this.walk.element] });
    this.front = front(() => this.page.openDialog());
    this.follow = h("input", {
      type: "checkbox",
      id: "solve-follow",
      checked: storage.get("follow", "yes") === "yes",
      onchange: () => storage.set("follow", this.follow.checked ? "yes" : "no"),
    });
    const formats = this.page.about.formats.filter(({ written, boards }) => written && boards);
    this.format = select(
      formats.map(({ name }) => [name]),
      "text",
    );
    this.element.append(
      this.front,
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "solve-title", class: "unseen" }, "Solve a position"),
        h(
          "div",
          { class: "bar" },
          button("Open or paste", () => this.page.openDialog(), { class: "main" }),
          presets(this.page.about.levels, (name) => this.preset(name)),
          button("Clear", () => this.clear()),
          this.undoButton,
          this.shareButton,
        ),
        h(
          "div",
          { class: "bar" },
          this.palette.element,
          h(
            "div",
            { class: "check", title: "Drawing or removing a mine changes the numbers around it" },
            this.follow,
            h("label", { for: "solve-follow" }, "Numbers follow mines"),
          ),
        ),
        this.board.element,
        h("div", { class: "bar under" }, this.choices(), this.legend()),
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Analysis" },
        h("section", { class: "card" }, this.status, this.deepNote, this.totalNote, this.problem, this.summary),
        this.sheet.element,
        this.listed,
        h("details", { class: "card", open: !isNarrow() }, h("summary", {}, "Board"), this.fields.element),
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

  choices() {
    const choice = (name, text) =>
      button(text, () => this.number(name), { "aria-pressed": String(name === "risk"), "data-numbers": name });
    this.numbers = "risk";
    this.numberButtons = h(
      "span",
      { class: "choice", role: "group", "aria-label": "Numbers in covered cells" },
      choice("risk", "Risk %"),
      choice("win", "Win chance %"),
    );
    this.noWins = h("small", { class: "note", id: "solve-no-wins" });
    this.offerWins("");
    return [this.numberButtons, this.noWins];
  }

  // Whether win chances can be shown: null if they can, or else the reason why not, which is shown.
  offerWins(reason) {
    const choice = this.numberButtons.lastChild;
    choice.disabled = reason !== null;
    choice.title = this.noWins.textContent = reason ?? "";
    if (reason) choice.setAttribute("aria-describedby", this.noWins.id);
    else choice.removeAttribute("aria-describedby");
  }

  legend() {
    this.ends = [h("span", { class: "key safe" }, "safe"), h("span", { class: "key sure" }, "mine")];
    return h(
      "div",
      { class: "legend" },
      this.ends[0],
      h("span", { class: "ramp", "aria-hidden": "true" }),
      this.ends[1],
      h("span", { class: "key best" }, term("best move")),
      h("span", { class: "key dead" }, term("dead cell")),
      h("span", { class: "key toss" }, term("unavoidable guess")),
    );
  }

  // Show risks or win chances in the covered cells.
  number(name) {
    this.numbers = name;
    const said = name === "risk" ? ["safe", "mine"] : ["wins most", "wins least"];
    for (const [at, end] of this.ends.entries()) end.textContent = said[at];
    for (const choice of this.numberButtons.children)
      choice.setAttribute("aria-pressed", String(choice.dataset.numbers === name));
    this.board.drawAll();
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
    const position = Position.of(text);
    this.front.hidden = position.toString() !== EXAMPLE;
    if (this.front.hidden) this.rememberSize(position);
    await this.set(position, keep);
  }

  // Keep the size of a position for the preset "Last size".
  rememberSize({ rows, cols, mines }) {
    storage.set("size", JSON.stringify({ rows, cols, mines }));
  }

  // Begin an empty board of a usual size, or of the size of the last position, ready to be drawn on.
  async preset(name) {
    const { levels } = this.page.about;
    const chosen = levels[name] ?? JSON.parse(storage.get("size", JSON.stringify(levels.expert)));
    const { rows, cols, mines } = chosen;
    const cells = Array(rows * cols).fill("#");
    this.palette.pick(PEN);
    await this.bring(new Position({ rows, cols, mines, cells }).toString());
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
      // The only thing that the server can refuse here is the grid; what the user has typed stays to be mended.
      if (!keep || !this.position) throw error;
      this.fields.mark("topology", error.message);
      return;
    }
    this.fields.fill(position);
    this.forget();
    await this.solve();
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
    const made = this.fields.applied(this.position, this.board.geometry.neighbours, this.page.about.cells);
    if (made) this.set(made);
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

  // Draw with the tool of the palette. The pen covers all cells of a stroke if it has covered the first, else opens them.
  paint(index, first) {
    const { symbol } = this.palette;
    const { neighbours } = this.board.geometry;
    if (first) this.covering = symbol === PEN && this.position.cells[index] !== "#";
    const follow = this.follow.checked;
    if (symbol !== PEN) this.draw(drawn(this.position, neighbours, index, symbol, follow), first);
    else if (this.covering) this.draw(drawn(this.position, neighbours, index, "#", follow), first);
    else this.draw([[index, opened(this.position, neighbours, index, follow)]], first);
  }

  // The right button, or a long press: a mine while drawing, otherwise a flag.
  press(index) {
    if (this.palette.symbol !== null) {
      this.draw(toggledMine(this.position, this.board.geometry.neighbours, index, this.follow.checked));
    } else if (isCovered(this.position.cells[index])) {
      this.draw([[index, this.position.cells[index] === "F" ? "#" : "F"]]);
    }
  }

  // Change cells, given as pairs of an index and a symbol; a new step of undo unless a stroke goes on.
  draw(changes, first = true) {
    const changed = changes.filter(([index, symbol]) => this.position.cells[index] !== symbol);
    if (first) this.stroke = false;
    if (!changed.length) return;
    if (!this.stroke) this.remember();
    this.stroke = true;
    for (const [index, symbol] of changed) this.position.cells[index] = symbol;
    this.rememberSize(this.position);
    this.forget();
    this.solveSoon();
  }

  change(index, symbol) {
    this.draw(drawn(this.position, this.board.geometry.neighbours, index, symbol, this.follow.checked));
    announce(`${this.board.name(index)}: ${inWords(symbol)}`);
    return true;
  }

  // Remove everything that is known only of the position before.
  forget() {
    this.answer = null;
    this.advice = null;
    this.wins = new Map();
    this.chosen = null;
    this.world = null;
    this.impossible = null;
    this.fields.clear();
    this.status.textContent = "";
    this.deepNote.textContent = "";
    this.totalNote.replaceChildren();
    this.summary.replaceChildren();
    this.why.replaceChildren();
    this.sheet.close();
    this.walk.end();
    this.listed.replaceChildren();
    this.listed.hidden = true;
    this.board.drawAll();
    this.board.mark();
  }

  odds(index) {
    const at = this.answer?.cells?.[index] ?? -1;
    return at < 0 ? null : this.answer.odds[at];
  }

  look(index) {
    const walked = this.walk.look(index);
    if (walked) return walked;
    const symbol = this.position.cells[index];
    if (this.world && isCovered(symbol)) {
      const mine = this.world[index] === "*";
      return {
        symbol: "#",
        extra: mine ? "left" : "",
        label: mine ? "a mine in this solution" : "safe in this solution",
      };
    }
    const odds = this.odds(index);
    if (this.numbers === "win" && this.wins.size && odds && !forced(odds)) {
      return this.wins.has(index) ? { symbol: "#", ...this.wins.get(index) } : { symbol: "#" };
    }
    return lookOf(symbol, { odds });
  }

  tip(index) {
    const odds = this.odds(index);
    if (!odds || this.world) return null;
    const known = forced(odds) ? `certainly ${forced(odds)}` : `risk ${fraction(odds.percent, odds.exact)}`;
    const candidate = this.advice?.candidates.find(({ cell }) => this.board.index(cell) === index);
    const win = candidate ? winOf(candidate) : null;
    return [h("strong", {}, this.board.coordinates(index)), ` ${known}${win === null ? "" : `, wins ${win}`}`];
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
      this.locate(error);
    } finally {
      if (!signal.aborted) this.element.removeAttribute("aria-busy");
    }
  }

  // Show an error of the server at the field or cell that it is about.
  locate(error) {
    const lines = this.position.toString().split("\n");
    const name = lines[error.line - 1]?.split(" ")[0].replace("density", "mines");
    const headers = lines.length - this.position.rows;
    if (error.line && error.line <= headers && this.fields.mark(name, error.said)) return;
    if (error.line > headers && error.column) {
      const index = this.board.index([error.line - headers - 1, error.column - 1]);
      this.board.mark({ bad: [index] });
      this.problem.textContent = `${this.board.coordinates(index)}: ${error.said}`;
    } else this.problem.textContent = error.message;
  }

  async solved(text, answer, signal) {
    this.answer = answer;
    this.element.classList.toggle("inviting", !this.front.hidden);
    this.board.drawAll();
    this.keepSoon();
    const facts = [
      [term("solutions", "Solutions"), answer.worlds],
      ["Safe", plural(answer.safe, "cell")],
      ["Mines", plural(answer.mines, "cell")],
      [
        term("expected mines", "Expected"),
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
    this.totalNote.replaceChildren(...this.totalMissing());
    this.advise(answer.advice);
    announce(`${this.status.textContent} ${plural(answer.safe, "safe cell")}, ${plural(answer.mines, "mine")}.`);
    if (this.chosen !== null) this.choose(this.chosen);
    if (!canLookAhead(answer)) return;
    this.deepNote.textContent = "Looking ahead for win chances…";
    await this.lookAhead(text, signal);
  }

  // What it means that no mine total is given, and a button for the usual one.
  totalMissing() {
    const { rows, cols, cells, mines, density, topology } = this.position;
    if ((mines ?? density) !== null || !cells.some(isCovered)) return [];
    const usual = Object.values(this.page.about.levels).filter(
      (level) => level.rows === rows && level.cols === cols && topology === DEFAULTS.topology,
    );
    const total = (level) => button(`${level.mines} mines`, () => this.set(this.position.copy({ mines: level.mines })));
    return ["No mine total given: every layout counts alike. ", ...usual.map(total)];
  }

  // Ask for win chances; while the search is not ready, again from time to time.
  async lookAhead(text, signal, tries = TRIES) {
    try {
      const deep = await this.connection.ask("advice", { board: text, deep: true }, { signal });
      if (!deep.note) {
        this.deepNote.textContent = "";
        this.advise(deep);
      } else if (tries) {
        this.deepNote.textContent = "Win chances follow: the search ahead is being prepared, about a minute, once.";
        setTimeout(() => !signal.aborted && this.lookAhead(text, signal, tries - 1), AGAIN);
      } else this.deepNote.textContent = "Win chances are not known.";
    } catch (error) {
      if (!isCancelled(error)) this.deepNote.textContent = `Win chances are not known: ${error.message}`;
    }
  }

  // Show what is best to do.
  advise(advice) {
    this.advice = advice;
    this.wins = winLooks(this.board, advice);
    this.offerWins(this.wins.size ? null : whyNoWins(advice, this.position.cells.length));
    this.status.textContent = advice.sentence;
    const shown = adviceList(advice, (cells) => this.point(cells));
    const walk = button("Walk through best play", () => this.walk.begin(advice.candidates[0].cell), {
      id: "solve-walk",
    });
    this.listed.replaceChildren(...shown, ...(advice.kind === "exact" ? [h("div", { class: "row" }, walk)] : []));
    this.listed.hidden = !shown.length;
    if (this.numbers === "win") this.board.drawAll();
    if (this.chosen === null) this.remark();
    else this.remark({ target: [this.chosen] });
  }

  // Show where a walk through best play has come to.
  walked() {
    this.board.drawAll();
    this.remark();
    if (!this.walk.node) return;
    this.why.replaceChildren();
    this.sheet.open();
    this.sheet.reveal(this.board, this.walk.marks.best);
  }

  // Point out cells that the advice names; the reason of a single one.
  point(cells) {
    const indices = this.board.indices(cells);
    if (indices.length === 1) {
      this.choose(indices[0]);
      return;
    }
    this.remark({ target: indices });
    this.sheet.reveal(this.board, indices);
  }

  // Mark what the advice says, and other cells.
  remark(marked = {}) {
    const marks = this.walk.node ? this.walk.marks : marksOf(this.board, this.advice);
    this.board.mark({ ...marks, ...marked });
  }

  async contradicted(text, impossible, signal) {
    this.impossible = impossible;
    this.keepSoon();
    this.summary.replaceChildren();
    this.status.textContent = "No layout agrees with this board";
    announce("No layout agrees with this board");
    this.offerWins("Win chances need a board that is possible.");
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
    if (conflict.total) this.fields.mark("mines", "This total does not fit the numbers.");
    this.sheet.open();
    this.sheet.reveal(this.board, bad);
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
    this.fields.fill(this.position);
    this.forget();
    this.solve();
  }

  // Explain a covered cell, at once or when the position is solved; any other clears the explanation.
  async choose(index) {
    if (this.impossible || this.walk.click(this.board.place(index))) return;
    const covered = isCovered(this.position.cells[index]);
    this.chosen = covered ? index : null;
    this.element.classList.remove("inviting");
    if (this.world) {
      this.world = null;
      this.board.drawAll();
    }
    this.remark(covered ? { target: [index] } : {});
    if (!covered || !this.answer) {
      this.why.replaceChildren();
      this.sheet.close();
      return;
    }
    if (this.sheet.covers) this.sheet.reveal(this.board, [index]);
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
      this.sheet.open();
      this.sheet.reveal(this.board, [index, ...this.board.indices(found.reason?.clues)]);
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
      ["A solution where it is a mine", undecided.mined.join("")],
      ["A solution where it is safe", undecided.safe.join("")],
    ];
    const odds = this.odds(index);
    const exact = undecided.risk_exact;
    const candidate = this.advice?.candidates.find(({ cell }) => this.board.index(cell) === index);
    this.why.replaceChildren(
      h("h2", {}, `${this.board.coordinates(index)}: ${odds?.percent ?? "not known"}`),
      candidate?.why ? h("p", { class: "said" }, candidate.why) : "",
      exact ? h("p", { class: "exact", tabIndex: exact.length > 300 ? 0 : undefined }, exact) : "",
      h("p", { class: "said" }, "It may be a mine or safe: each of these solutions agrees with the board."),
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
