// Solve: a position to draw, paste or drop; the risk of every cell, why, and why not.

import { Board, geometryOf } from "./board.js";
import { isCancelled } from "./connection.js";
import { copy, download, flash, h, isNarrow, plural, say, settled } from "./dom.js";
import { address, packed, unpacked } from "./link.js";
import { Position, isCovered, numberOf, symbolOf, told } from "./position.js";
import { argument, cellsOf, fraction, ranking, verdict } from "./reasons.js";
import { field, select } from "./settings.js";

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
const SHOWN = 5; // corrections that are shown at once
const MOST = 40; // and at all
const TOOLS = [["#", "covered"], [".", "empty"], ..."12345678".split("").map((digit) => [digit, digit]), ["?", "open, shows nothing"], ["*", "a mine"], ["F", "a flag"]];

export class SolveView {
  constructor(element, page) {
    Object.assign(this, { element, page, connection: page.connection });
    this.history = [];
    this.answer = null;
    this.chosen = null;
    this.world = null;
    this.tool = null;
    this.solveSoon = settled(120, () => this.solve());
    this.keepSoon = settled(300, async () => this.page.keep("solve", await this.link()));
    this.board = new Board({
      label: "Position",
      below: 95,
      on: {
        open: (index) => this.choose(index),
        key: (index, event) => this.typed(index, event),
        paint: (index, first) => this.paint(index, first),
      },
    });
    this.board.tips = (index) => this.tip(index);
    this.build();
  }

  build() {
    this.undoButton = h("button", { type: "button", onclick: () => this.undo(), disabled: true }, "Undo");
    this.tools = h("div", { class: "palette", role: "radiogroup", "aria-label": "Draw" },
      this.toolButton(null, "Look", "look, do not draw"), TOOLS.map(([symbol, said]) => this.toolButton(symbol, symbol, said)));
    this.numbers = 8;
    this.rows = h("input", { type: "number", min: 1, max: 1000, inputMode: "numeric" });
    this.cols = h("input", { type: "number", min: 1, max: 1000, inputMode: "numeric" });
    this.mines = h("input", { type: "text", inputMode: "numeric", placeholder: "not known", autocomplete: "off" });
    this.topology = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
    this.topology.setAttribute("list", "topologies");
    this.clues = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
    this.clues.setAttribute("list", "clue-models");
    for (const control of [this.rows, this.cols, this.mines, this.topology, this.clues]) control.addEventListener("change", () => this.settle());
    this.problem = h("p", { class: "problem", role: "alert" });
    this.summary = h("dl", { class: "facts" });
    this.status = h("p", { class: "lead" });
    this.why = h("div", { class: "why" });
    this.rank = h("div");
    const formats = this.page.about.formats.filter(({ written, boards }) => written && boards);
    this.format = select(formats.map(({ name }) => [name]), "text");
    this.element.append(
      h("div", { class: "stage" },
        h("h1", { id: "solve-title", class: "unseen" }, "Solve a position"),
        h("div", { class: "bar" },
          h("button", { type: "button", class: "main", onclick: () => this.page.openDialog() }, "Open or paste"),
          h("button", { type: "button", onclick: () => this.clear() }, "Clear"),
          this.undoButton,
          h("button", { type: "button", id: "solve-share", onclick: (event) => this.share(event.target) }, "Copy link")),
        this.tools,
        this.board.element,
        this.legend()),
      h("aside", { class: "panel", "aria-label": "What is known" },
        h("section", { class: "card" }, this.status, this.problem, this.summary),
        h("section", { class: "card reason", "aria-label": "Reason", tabIndex: isNarrow() ? 0 : undefined }, this.why, this.rank),
        h("details", { class: "card", open: !isNarrow() }, h("summary", {}, "Board"),
          h("div", { class: "fields" }, field("Rows", this.rows), field("Columns", this.cols), field("Mines", this.mines, "a total, or a density such as 0.2"),
            field("Grid", this.topology), field("Numbers tell", this.clues))),
        h("details", { class: "card" }, h("summary", {}, "Save in another format"),
          h("div", { class: "fields" }, field("Format", this.format)),
          h("div", { class: "row" },
            h("button", { type: "button", onclick: (event) => this.write(event.target, "copy") }, "Copy"),
            h("button", { type: "button", onclick: (event) => this.write(event.target, "file") }, "Download")))));
  }

  toolButton(symbol, text, said) {
    const look = symbol === "*" ? " mine" : symbol === "F" ? " flag" : "";
    const number = symbol === null ? -1 : numberOf(symbol);
    return h("button", {
      type: "button", role: "radio", "aria-checked": String(symbol === null), "aria-label": symbol === null ? "Look" : `Draw ${said}`, title: said,
      class: `tool${look}${symbol === "#" ? " covered" : ""}${number > 0 ? ` n${number}` : ""}`, "data-symbol": symbol ?? "",
      onclick: () => this.pick(symbol),
      onkeydown: (event) => this.step(event),
      tabIndex: symbol === null ? 0 : -1,
    }, symbol === null ? text : "#*F".includes(symbol) ? "" : symbol === "." ? "" : text);
  }

  // Numbers up to so many, as cells have neighbours.
  offer(most) {
    if (this.tool !== null && numberOf(this.tool) > most) this.pick(null);
    for (; this.numbers > most; this.numbers--) this.tools.querySelector(`[data-symbol="${symbolOf(this.numbers)}"]`).remove();
    const after = () => this.tools.querySelector(`[data-symbol="${symbolOf(this.numbers)}"]`);
    while (this.numbers < most) {
      const number = this.numbers + 1;
      after().after(this.toolButton(symbolOf(number), String(number), String(number)));
      this.numbers = number;
    }
  }

  // Arrows go from tool to tool, as in any group of radio buttons.
  step(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = [...this.tools.children];
    const next = all[(all.indexOf(event.target) + by + all.length) % all.length];
    next.focus();
    next.click();
  }

  pick(symbol) {
    this.tool = symbol;
    this.board.painting = symbol;
    this.board.grid.classList.toggle("drawing", symbol !== null);
    for (const button of this.tools.children) {
      const on = button.dataset.symbol === (symbol ?? "");
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  }

  legend() {
    return h("div", { class: "legend" },
      h("span", { class: "key safe" }, "safe"), h("span", { class: "ramp", "aria-hidden": "true" }), h("span", { class: "key sure" }, "mine"),
      h("span", { class: "key best" }, "best move"), h("span", { class: "note" }, "numbers in covered cells: risk in percent"));
  }

  // Show what an address says, or what was there before.
  async enter(query) {
    if (query.get("p")) {
      try {
        await this.bring((await this.connection.ask("read", { text: await unpacked(query.get("p")) })).text, { keep: this.position !== undefined });
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
      this.offer(Math.max(8, geometry.most));
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
    if (this.history.length > 500) this.history.shift();
    this.undoButton.disabled = false;
  }

  undo() {
    const before = this.history.pop();
    this.undoButton.disabled = !this.history.length;
    if (before) this.set(before, false);
  }

  clear() {
    const { rows, cols, mines, density, topology, clues } = this.position;
    this.set(Position.empty(rows, cols, mines, { density, topology, clues }));
  }

  // What the fields beside the board say now.
  settle() {
    const rows = Math.floor(Number(this.rows.value));
    const cols = Math.floor(Number(this.cols.value));
    const mines = this.mines.value.trim();
    if (!(rows >= 1 && cols >= 1 && rows * cols <= this.page.about.cells)) {
      this.problem.textContent = `A board has 1 to ${this.page.about.cells.toLocaleString("en")} cells.`;
      return;
    }
    const total = /^\d{1,7}$/.test(mines);
    this.set(this.position.resized(rows, cols).copy({
      mines: total ? Number(mines) : null, density: total || !mines ? null : mines,
      topology: this.topology.value.trim() || "square", clues: this.clues.value.trim() || "exact",
    }));
  }

  typed(index, event) {
    if (event.key === "Delete" || event.key === "Backspace") return this.change(index, "#");
    const most = this.board.geometry.most;
    // Where cells have fifteen neighbours, f is a number.
    const symbol = event.key === "0" ? "." : event.key === "f" && most < 15 ? "F" : event.key;
    if (!["#", "*", "F", "?", "."].includes(symbol) && !(numberOf(symbol) > 0 && numberOf(symbol) <= Math.max(8, most) && symbol.length === 1)) return false;
    return this.change(index, symbol);
  }

  paint(index, first) {
    if (first) this.stroke = false;
    const symbol = this.tool;
    if (this.position.cells[index] === symbol) return;
    if (!this.stroke) this.remember();
    this.stroke = true;
    this.put(index, symbol);
  }

  change(index, symbol) {
    if (this.position.cells[index] !== symbol) {
      this.remember();
      this.put(index, symbol);
      say(`${this.board.name(index)}: ${told(symbol)}`);
    }
    return true;
  }

  put(index, symbol) {
    this.position.cells[index] = symbol;
    this.forget();
    this.solveSoon();
  }

  // What was known is not known of another position.
  forget() {
    this.answer = null;
    this.chosen = null;
    this.world = null;
    this.impossible = null;
    this.status.textContent = "";
    this.summary.replaceChildren();
    this.why.replaceChildren();
    this.rank.replaceChildren();
    this.drawAll();
    this.board.mark({}, (index) => this.look(index));
  }

  drawAll() {
    for (let index = 0; index < this.position.cells.length; index++) this.board.draw(index, this.look(index));
  }

  odds(index) {
    const at = this.answer?.cells?.[index] ?? -1;
    return at < 0 ? null : this.answer.odds[at];
  }

  look(index) {
    const symbol = this.position.cells[index];
    const odds = this.odds(index);
    if (this.world && isCovered(symbol)) {
      const mine = this.world[index] === "*";
      return { symbol: "#", extra: mine ? "left" : "", label: mine ? "a mine in this world" : "safe in this world" };
    }
    if (!odds) return { symbol };
    if (odds.risk === null) return { symbol, text: "?", label: "covered, risk not known", extra: "unknown" };
    const forced = odds.exact === "0" || odds.exact === "1";
    const label = odds.exact === "0" ? "covered, safe" : odds.exact === "1" ? "covered, a mine" : `covered, risk ${odds.percent}`;
    // A cell that is not forced never looks forced, whatever its risk is rounded to.
    const heat = forced ? Number(odds.exact) : Math.min(Math.max(odds.risk, 0.001), 0.999);
    return { symbol: "#", heat, text: forced ? "" : odds.label, label: symbol === "F" ? `${label}, flagged` : label, extra: symbol === "F" ? "flagged" : "" };
  }

  tip(index) {
    const odds = this.odds(index);
    if (!odds || this.world) return null;
    const [row, col] = this.board.place(index);
    const head = h("strong", {}, `${row},${col}`);
    if (odds.exact === "0" || odds.exact === "1") return [head, ` ${odds.exact === "0" ? "safe in every world" : "a mine in every world"}`];
    return [head, ` ${fraction(odds.percent, odds.exact)}`];
  }

  async solve() {
    this.solveSoon.cancel();
    this.asking?.abort();
    const asking = this.asking = new AbortController();
    const text = this.position.toString();
    this.problem.textContent = "";
    this.element.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => { this.status.textContent = "Counting…"; }, 250);
    try {
      const answer = await this.connection.ask("solve", { board: text }, { signal: asking.signal });
      clearTimeout(slow);
      if (asking.signal.aborted) return;
      if (answer.impossible) await this.contradicted(text, answer.impossible, asking.signal);
      else await this.solved(text, answer, asking.signal);
    } catch (error) {
      clearTimeout(slow);
      if (isCancelled(error)) return;
      this.status.textContent = "This position cannot be solved.";
      this.summary.replaceChildren();
      this.problem.textContent = error.line ? `${error.message} (line ${error.line}, column ${error.column})` : error.message;
    } finally {
      if (this.asking === asking) this.element.removeAttribute("aria-busy");
    }
  }

  async solved(text, answer, signal) {
    this.answer = answer;
    this.drawAll();
    this.remark();
    this.keepSoon();
    const best = answer.best ? `Best move: ${answer.best_said}` : answer.covered ? "No cell is worth opening" : "Every cell is open";
    this.status.textContent = best;
    const facts = [
      ["Worlds", answer.worlds], ["Safe", plural(answer.safe, "cell")], ["Mines", plural(answer.mines, "cell")],
      ["Expected", answer.expected === null ? "not known" : `${answer.expected} mines in ${plural(answer.covered, "covered cell")}`],
      ["Took", `${(1000 * answer.seconds).toLocaleString("en", { maximumFractionDigits: answer.seconds < 0.01 ? 1 : 0 })} ms`],
    ];
    if (answer.unknown) facts.splice(3, 0, ["Not counted", `${plural(answer.unknown, "cell")}: out of time`]);
    for (const remark of answer.remarks) facts.push(["Note", remark]);
    this.summary.replaceChildren(...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    this.why.replaceChildren(h("p", { class: "note" }, answer.covered ? "Choose a covered cell to learn why it is what it is." : ""));
    say(`${best}. ${plural(answer.safe, "safe cell")}, ${plural(answer.mines, "mine")}.`);
    if (!answer.safe && answer.best && answer.complete) {
      const { candidates } = await this.connection.ask("guesses", { board: text }, { signal });
      if (candidates.length) {
        this.rank.replaceChildren(ranking(candidates, (candidate) => {
          this.board.mark({ target: cellsOf(candidate.cells, this.position.cols) }, (index) => this.look(index));
          this.board.show(cellsOf(candidate.cells, this.position.cols)[0]);
        }));
      }
    }
  }

  // The marks that there are when nothing is asked about.
  remark(marked = {}) {
    const best = this.answer?.best ? [this.answer.best[0] * this.position.cols + this.answer.best[1]] : [];
    this.board.mark({ best, ...marked }, (index) => this.look(index));
  }

  async contradicted(text, impossible, signal) {
    this.impossible = impossible;
    this.keepSoon();
    this.summary.replaceChildren();
    this.status.textContent = "No layout agrees with this board";
    say("No layout agrees with this board");
    this.board.mark({ bad: cellsOf(impossible.clues, this.position.cols) }, (index) => this.look(index));
    this.why.replaceChildren(h("p", { class: "note" }, "Looking for the numbers that cannot all be true…"));
    let answer;
    try {
      answer = await this.connection.ask("conflict", { board: text }, { signal });
    } catch (error) {
      if (isCancelled(error)) throw error;
      // The numbers that came with the answer are not the fewest, but they do contradict each other.
      this.why.replaceChildren(h("h2", {}, "Not every number can be true"), h("p", { class: "said" }, impossible.message), h("p", { class: "note" }, error.message));
      return;
    }
    const { conflict, corrections_said: said } = answer;
    if (!conflict) return;
    const cols = this.position.cols;
    this.board.mark({ bad: cellsOf(conflict.clues, cols) }, (index) => this.look(index));
    if (conflict.clues.length) this.board.show(cellsOf(conflict.clues, cols)[0]);
    const corrections = conflict.corrections.map((correction, at) => h("li", {},
      h("button", { type: "button", onclick: () => this.correct(correction) }, said[at][0].toUpperCase() + said[at].slice(1))));
    this.why.replaceChildren(
      h("h2", { id: "conflict" }, conflict.total && !conflict.clues.length ? "The mine total cannot be" : "These numbers cannot all be true"),
      argument(conflict, (step) => this.board.mark({ bad: cellsOf(conflict.clues, cols), target: cellsOf(step?.cells, cols) }, (index) => this.look(index))),
      corrections.length ? h("h3", {}, "The board would be possible with") : h("p", {}, "No single change would make the board possible."),
      h("ul", { class: "corrections", hidden: !corrections.length }, corrections.slice(0, SHOWN)),
      corrections.length > SHOWN ? h("details", {}, h("summary", {}, `${corrections.length - SHOWN} more`), h("ul", { class: "corrections" }, corrections.slice(SHOWN, MOST))) : "");
  }

  correct({ cell, instead }) {
    this.remember();
    if (cell === null) this.position = this.position.copy({ mines: instead });
    else this.position.cells[cell[0] * this.position.cols + cell[1]] = instead === null ? "#" : symbolOf(instead);
    this.fill();
    this.forget();
    this.solve();
  }

  // Why a cell is what it is.
  async choose(index) {
    if (!isCovered(this.position.cells[index]) || !this.answer) {
      this.chosen = null;
      this.world = null;
      if (this.answer) { this.drawAll(); this.remark(); }
      return;
    }
    this.chosen = index;
    if (this.world) { this.world = null; this.drawAll(); }
    this.remark({ target: [index] });
    const text = this.position.toString();
    this.explaining?.abort();
    const explaining = this.explaining = new AbortController();
    const waiting = setTimeout(() => this.why.replaceChildren(h("p", { class: "note" }, "Looking for the reason…")), 200);
    try {
      const found = await this.connection.ask("explain", { board: text, cell: this.board.place(index) }, { signal: explaining.signal });
      if (explaining.signal.aborted || this.chosen !== index) return;
      if (found.reason) this.reason(found.reason);
      else this.undecided(index, found.undecided);
    } catch (error) {
      if (!isCancelled(error)) this.why.replaceChildren(h("p", { class: "problem" }, error.message));
    } finally {
      clearTimeout(waiting);
    }
  }

  reason(reason) {
    const cols = this.position.cols;
    const target = cellsOf([reason.cell], cols);
    const clues = cellsOf(reason.clues, cols);
    this.remark({ target, clue: clues });
    this.why.replaceChildren(
      h("h2", {}, `${reason.cell.join(",")} is `, verdict(reason.mine)),
      h("p", { class: "rule" }, reason.rule, reason.total ? `, with the mine total of ${this.position.mines}` : ""),
      argument(reason, (step) => this.remark({ target, clue: step ? cellsOf(step.clues, cols) : clues })));
    say(`${this.board.name(target[0])} is ${reason.mine ? "a mine" : "safe"}. ${reason.text}`);
  }

  undecided(index, undecided) {
    const show = (world, button) => {
      this.world = this.world === world ? null : world;
      for (const other of button.parentElement.children) other.setAttribute("aria-pressed", String(other === button && this.world !== null));
      this.drawAll();
      this.remark({ target: [index] });
    };
    const worlds = [["A world where it is a mine", undecided.mined.join("")], ["One where it is safe", undecided.safe.join("")]];
    const odds = this.odds(index);
    const exact = undecided.risk_exact;
    this.why.replaceChildren(
      h("h2", {}, `${this.board.place(index).join(",")}: ${odds?.percent ?? "not known"}`),
      exact ? h("p", { class: "exact", tabIndex: exact.length > 300 ? 0 : undefined }, exact) : "",
      h("p", { class: "said" }, "It may be a mine or safe: each of these worlds agrees with the board."),
      h("div", { class: "row" }, worlds.map(([name, world]) =>
        h("button", { type: "button", "aria-pressed": "false", onclick: (event) => show(world, event.currentTarget) }, name))));
    say(undecided.said);
  }

  async link() { return address("solve", { p: await packed(this.position.toString()) }); }

  async share(button) { flash(button, (await copy(await this.link())) ? "Copied" : "Not copied"); }

  async write(button, where) {
    try {
      const written = await this.connection.ask("write", { board: this.position.toString(), format: this.format.value });
      const content = written.base64 === undefined ? written.text : Uint8Array.from(atob(written.base64), (byte) => byte.charCodeAt(0));
      if (where === "file") download(`position${written.suffix}`, content);
      else flash(button, written.text !== undefined && await copy(written.text) ? "Copied" : "Not copied");
      this.problem.textContent = "";
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      this.undo();
      return true;
    }
    return false;
  }
}

