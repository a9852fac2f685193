// Play: a game of one's own, with hints that are exact, a way back, and a warning where a safe cell would do.

import { Board, geometryOf } from "./board.js";
import { isCancelled } from "./connection.js";
import { copy, flash, h, isNarrow, plural, say, settled, storage } from "./dom.js";
import { address, packed, unpacked } from "./link.js";
import { Position, isCovered, numberOf, told } from "./position.js";
import { argument, cellsOf, fraction, ranking } from "./reasons.js";
import { Settings } from "./settings.js";

const FIRSTS = [["zero", "safe, none around it"], ["safe", "safe"], ["any", "anything"]];

export class PlayView {
  constructor(element, page) {
    Object.assign(this, { element, page, connection: page.connection });
    this.board = new Board({
      label: "Your game",
      least: 26, roomy: 34, most: 48, below: 60,
      on: {
        open: (index) => this.press(index),
        flag: (index) => this.flag(index),
        key: (index, event) => this.typed(index, event),
      },
    });
    this.board.tips = (index) => this.tip(index);
    this.keepSoon = settled(300, async () => this.page.keep("play", await this.link()));
    this.build();
  }

  build() {
    this.settings = new Settings(this.page.about, { level: "beginner", firsts: FIRSTS });
    this.mines = h("strong", {});
    this.clock = h("strong", {});
    this.flagging = h("button", { type: "button", "aria-pressed": "false", id: "play-flagging", onclick: () => this.toggleFlagging() }, "Flag");
    this.undoButton = h("button", { type: "button", id: "play-undo", onclick: () => this.undo() }, "Undo");
    this.hintButton = h("button", { type: "button", id: "play-hint", onclick: () => this.hint() }, "Hint");
    this.riskButton = h("button", { type: "button", id: "play-risks", "aria-pressed": "false", onclick: () => this.toggleRisks() }, "Risks");
    this.warn = h("input", { type: "checkbox", id: "play-warn", checked: storage.get("warn", "yes") === "yes", onchange: () => storage.set("warn", this.warn.checked ? "yes" : "no") });
    this.message = h("p", { class: "lead" });
    this.warning = h("div", { class: "warning", role: "alert", hidden: true });
    this.why = h("div", { class: "why" });
    this.element.append(
      h("div", { class: "stage" },
        h("h1", { id: "play-title", class: "unseen" }, "Play"),
        h("form", { class: "setup", onsubmit: (event) => { event.preventDefault(); this.settings.newSeed(); this.start(); } },
          this.settings.levelField,
          h("button", { class: "main", id: "play-new" }, "New game"),
          h("button", { type: "button", id: "play-again", onclick: () => this.start() }, "Same board"),
          this.settings.more, this.settings.given, this.settings.custom),
        h("div", { class: "bar playing" },
          h("span", { class: "counter" }, "Mines left ", this.mines), h("span", { class: "counter" }, "Time ", this.clock),
          this.flagging, this.hintButton, this.riskButton, this.undoButton),
        this.warning,
        this.board.element),
      h("aside", { class: "panel", "aria-label": "Your game" },
        h("section", { class: "card reason", "aria-label": "Hint", tabIndex: isNarrow() ? 0 : undefined }, this.message, this.why),
        h("section", { class: "card" },
          h("div", { class: "check" }, this.warn, h("label", { for: "play-warn" }, "Warn me before a move that is not safe although a safe one exists"))),
        h("section", { class: "card" },
          h("div", { class: "row" },
            h("button", { type: "button", id: "play-share", onclick: (event) => this.share(event.target) }, "Copy link"),
            h("button", { type: "button", id: "play-solve", onclick: () => this.page.solve(this.position().toString()) }, "Open in Solve")))));
    this.settings.level.addEventListener("change", () => this.start());
    this.ticking = setInterval(() => this.tick(), 250);
  }

  async enter(query) {
    if ([...query.keys()].length) {
      await this.settings.take(query);
      const start = /^(\d{1,5}),(\d{1,5})$/.exec(query.get("start") ?? "");
      await this.start();
      if (start) await this.open(Number(start[1]) * this.cols + Number(start[2]));
      if (start && query.get("p")) this.resume(Position.of(await unpacked(query.get("p"))));
    } else if (!this.symbols) {
      await this.start();
    }
    this.board.fit();
  }

  bring(layout) {
    this.settings.bring(layout);
    return this.start();
  }

  // Go on where somebody else was, as far as the board is the same one.
  resume({ cells }) {
    const { shown } = this.dealt ?? {};
    if (!shown || cells.length !== shown.length || !cells.every((symbol, index) => isCovered(symbol) || symbol === shown[index])) return;
    this.move(() => { this.symbols = [...cells]; });
  }

  async start() {
    const [rows, cols] = this.settings.size;
    const asked = this.settings.asked;
    this.dealt = null;
    this.history = [];
    this.over = null;
    this.began = null;
    this.spent = 0;
    this.risks = null;
    this.analysing = null;
    this.showRisks = false;
    this.riskButton.setAttribute("aria-pressed", "false");
    this.hideWarning();
    this.why.replaceChildren();
    try {
      const topology = asked.layout ? /^topology (.*)$/m.exec(asked.layout)?.[1] ?? "square" : asked.topology;
      const geometry = await geometryOf(this.connection, rows, cols, topology);
      Object.assign(this, { rows, cols, geometry, topology, clues: asked.clues });
      this.total = asked.layout ? asked.layout.split("\n").filter((line) => /^[.*]+$/.test(line)).join("").split("*").length - 1 : asked.mines;
      if (!(this.total <= rows * cols)) throw new Error(`So many mines do not fit into ${plural(rows * cols, "cell")}.`);
      this.symbols = Array(rows * cols).fill("#");
      this.board.shape(geometry, rows, cols);
      this.board.label = `Your game, ${rows} rows of ${cols}, ${plural(this.total, "mine")}`;
      this.given = asked.layout ? this.fixedStart(asked.layout) : null;
      this.drawAll();
      this.say("Open a cell to begin.");
    } catch (error) {
      this.say(error.message);
    }
    this.tick();
  }

  fixedStart(layout) {
    const start = /^start (\d+),(\d+)$/m.exec(layout);
    return start ? [Number(start[1]), Number(start[2])] : null;
  }

  say(text) {
    this.message.textContent = text;
    if (text) say(text);
  }

  position() {
    return new Position({ rows: this.rows, cols: this.cols, mines: this.total, topology: this.topology, clues: this.clues, cells: [...this.symbols] });
  }

  tick() {
    const flags = this.symbols ? this.symbols.filter((symbol) => symbol === "F" || symbol === "*").length : 0;
    this.mines.textContent = this.total === undefined ? "" : String(this.total - flags);
    const seconds = this.began && !this.over ? this.spent + (Date.now() - this.began) / 1000 : this.spent;
    this.clock.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    this.undoButton.disabled = !this.history?.length;
  }

  look(index) {
    const symbol = this.symbols[index];
    if (this.over && this.dealt && isCovered(symbol)) {
      const mine = this.dealt.shown[index] === "*";
      if (symbol === "F" && !mine) return { symbol, extra: "wrong", label: "flagged, but safe" };
      if (symbol === "#" && mine) return { symbol, extra: "left", label: "covered, a mine" };
    }
    const odds = this.showRisks && this.risks ? this.risks.odds[this.risks.cells[index]] : null;
    if (odds && isCovered(symbol) && odds.risk !== null) {
      const forced = odds.exact === "0" || odds.exact === "1";
      const heat = forced ? odds.risk : Math.min(Math.max(odds.risk, 0.001), 0.999);
      return { symbol: "#", heat, text: forced ? "" : odds.label, label: `${told(symbol)}, ${forced ? (odds.risk ? "a mine" : "safe") : `risk ${odds.percent}`}`, extra: symbol === "F" ? "flagged" : "" };
    }
    return { symbol };
  }

  tip(index) {
    if (!this.showRisks || !this.risks || !isCovered(this.symbols[index])) return null;
    const odds = this.risks.odds[this.risks.cells[index]];
    return odds ? [h("strong", {}, this.board.place(index).join(",")), ` ${fraction(odds.percent, odds.exact)}`] : null;
  }

  drawAll() {
    for (let index = 0; index < this.symbols.length; index++) this.board.draw(index, this.look(index));
  }

  // A click, a tap, or Enter.
  press(index) {
    if (!this.symbols || this.over) return undefined;
    const symbol = this.symbols[index];
    if (this.flagging.getAttribute("aria-pressed") === "true" && isCovered(symbol)) return this.flag(index);
    if (symbol === "F") return this.say(`${this.board.place(index).join(",")} is flagged. Take the flag away first.`);
    return symbol === "#" ? this.open(index) : this.chord(index);
  }

  // On a number with as many flags around it: the other cells around it.
  chord(index) {
    const number = numberOf(this.symbols[index]);
    const around = this.geometry.neighbours[index];
    const marked = around.filter((other) => "F*".includes(this.symbols[other])).length;
    const left = around.filter((other) => this.symbols[other] === "#");
    if (number > 0 && number === marked && left.length && this.dealt?.exact) return this.open(...left);
    return undefined;
  }

  async open(...indices) {
    if (this.busy || this.over) return;
    this.busy = true;
    try {
      if (!this.dealt) await this.deal(indices[0]);
      else if (!(await this.warned(indices))) this.move(() => { for (const index of indices) this.reveal(index); }, indices[0]);
    } catch (error) {
      if (!isCancelled(error)) this.say(error.message);
    } finally {
      this.busy = false;
    }
  }

  // The first cell: now the mines get their places.
  async deal(index) {
    const asked = this.settings.asked;
    if (this.given && this.given[0] * this.cols + this.given[1] !== index) {
      // A layout says where play starts, and that cell is open before anything is chosen.
      index = this.given[0] * this.cols + this.given[1];
    }
    const first = asked.layout ? "any" : this.settings.first.value;
    this.dealt = await this.connection.ask("deal", { ...asked, first, start: this.board.place(index) });
    this.start0 = index;
    this.began = Date.now();
    this.move(() => { for (const cell of this.dealt.opened) this.symbols[cell] = this.dealt.shown[cell]; }, index);
  }

  // Open a cell, and with it what the cascade opens; flagged cells stay.
  reveal(index) {
    if (this.symbols[index] !== "#") return;
    const { shown, cascades } = this.dealt;
    const waiting = [index];
    this.symbols[index] = shown[index];
    for (const cell of waiting) {
      if (shown[cell] !== "." || !cascades) continue;
      for (const other of this.geometry.neighbours[cell]) {
        if (this.symbols[other] === "#") {
          this.symbols[other] = shown[other];
          waiting.push(other);
        }
      }
    }
  }

  // Do something that can be undone, and see what has become of the game. `at` is where it was done.
  move(act, at) {
    const before = [...this.symbols];
    act();
    const changed = this.symbols.flatMap((symbol, index) => (symbol === before[index] ? [] : [index]));
    if (!changed.length) return;
    this.history.push(before);
    this.hideWarning();
    this.risks = null;
    this.analysing = null;
    this.why.replaceChildren();
    this.board.mark({}, (index) => this.look(index));
    this.judge();
    if (this.over) this.drawAll();
    else for (const index of changed) this.board.draw(index, this.look(index));
    const opened = changed.filter((index) => !isCovered(this.symbols[index]));
    if (!this.over) {
      const one = opened.includes(at) ? at : opened[0] ?? changed[0];
      say(`${this.board.name(one)}: ${told(this.symbols[one])}${opened.length > 1 ? `, and ${plural(opened.length - 1, "more cell")} opened` : ""}`);
      this.message.textContent = "";
      if (this.showRisks) this.refreshRisks();
      else if (this.warn.checked && opened.length) this.analysis().catch(() => {});
    }
    this.tick();
    this.keepSoon();
  }

  judge() {
    const hit = this.symbols.includes("*");
    const left = this.symbols.some((symbol, index) => isCovered(symbol) && this.dealt && this.dealt.shown[index] !== "*");
    this.over = hit ? "lost" : this.dealt && !left ? "won" : null;
    if (!this.over) return;
    this.spent += (Date.now() - this.began) / 1000;
    this.began = null;
    const text = hit ? "That was a mine. Undo takes the move back." : `Cleared in ${this.clock.textContent}.`;
    this.say(text);
  }

  undo() {
    const before = this.history.pop();
    if (!before) return;
    if (this.over) this.began = Date.now();
    this.over = null;
    this.symbols = before;
    if (!this.history.length && before.every((symbol) => symbol === "#")) {
      // Before the first cell there are no mines yet; the same cell brings the same ones.
      this.dealt = null;
    }
    this.risks = null;
    this.analysing = null;
    this.hideWarning();
    this.why.replaceChildren();
    this.board.mark({}, (index) => this.look(index));
    this.drawAll();
    this.say("Taken back.");
    if (this.showRisks) this.refreshRisks();
    this.tick();
    this.keepSoon();
  }

  flag(index) {
    if (!this.symbols || this.over || !isCovered(this.symbols[index])) return;
    this.move(() => { this.symbols[index] = this.symbols[index] === "F" ? "#" : "F"; });
  }

  toggleFlagging() {
    const on = this.flagging.getAttribute("aria-pressed") !== "true";
    this.flagging.setAttribute("aria-pressed", String(on));
  }

  typed(index, event) {
    if (event.key.toLowerCase() === "f") { this.flag(index); return true; }
    return false;
  }

  // What is known about the position as it is; asked for once.
  analysis() {
    if (!this.analysing) {
      const board = this.position().toString();
      const asked = this.connection.ask("solve", { board });
      this.analysing = asked;
      asked.catch(() => { if (this.analysing === asked) this.analysing = null; });
    }
    return this.analysing;
  }

  // Whether somebody has to think again: a cell may be a mine, and another one cannot.
  async warned(indices) {
    if (!this.warn.checked) return false;
    const slow = setTimeout(() => this.say("Looking for safe cells…"), 300);
    let answer;
    try {
      answer = await this.analysis();
    } catch {
      return false; // Nothing is known, so there is nothing to warn of.
    } finally {
      clearTimeout(slow);
    }
    if (answer.impossible || !answer.safe) return false;
    const risky = indices.filter((index) => answer.odds[answer.cells[index]]?.exact !== "0");
    if (!risky.length || this.warnedOf === String(indices)) return false;
    this.warnedOf = String(indices);
    const odds = answer.odds[answer.cells[risky[0]]];
    const [row, col] = this.board.place(risky[0]);
    const safe = answer.best;
    const risk = odds.exact === "1" ? "is a mine for sure" : `is a mine with ${odds.percent}`;
    const again = h("button", { type: "button", class: "danger", onclick: () => this.open(...indices) }, "Open it all the same");
    this.warning.replaceChildren(
      h("p", {}, h("strong", {}, `${row},${col} ${risk}`), answer.safe === 1 ? ", and one cell is safe." : `, and ${answer.safe.toLocaleString("en")} cells are safe.`),
      h("div", { class: "row" },
        h("button", { type: "button", class: "main", onclick: () => { this.hideWarning(); this.point(safe, ["good", "best"]); } }, "Show me a safe one"),
        again,
        h("button", { type: "button", onclick: () => this.hideWarning() }, "Never mind")));
    this.warning.hidden = false;
    this.board.mark({ bad: risky }, (index) => this.look(index));
    return true;
  }

  hideWarning() {
    if (this.warning.hidden) return;
    this.warning.hidden = true;
    this.warnedOf = null;
    this.board.mark({}, (index) => this.look(index));
  }

  point(cell, marks = ["best"]) {
    const index = cell[0] * this.cols + cell[1];
    this.board.mark(Object.fromEntries(marks.map((mark) => [mark, [index]])), (other) => this.look(other));
    this.board.show(index);
    this.board.focus(index);
  }

  // A safe cell, a mine that has no flag yet, or the best guess; with the reason.
  async hint() {
    if (this.over || !this.symbols) return;
    if (!this.dealt) {
      const promise = { zero: "The first cell has no mine around it, wherever it is.", safe: "The first cell is safe, wherever it is.", any: "Nothing is known yet." };
      this.say(promise[this.settings.first.value]);
      return;
    }
    this.say("Thinking…");
    const board = this.position().toString();
    try {
      const answer = await this.analysis();
      if (board !== this.position().toString()) return;
      if (answer.impossible) return this.say("The numbers contradict each other.");
      const exact = (index) => answer.odds[answer.cells[index]]?.exact;
      const wrong = this.symbols.flatMap((symbol, index) => (symbol === "F" && exact(index) === "0" ? [index] : []));
      if (wrong.length) {
        this.board.mark({ bad: wrong }, (index) => this.look(index));
        return this.say(`${plural(wrong.length, "flag")} ${wrong.length === 1 ? "is" : "are"} wrong: ${wrong.slice(0, 5).map((index) => this.board.place(index).join(",")).join("  ")}`);
      }
      if (!answer.safe) return await this.bestGuess(board, answer);
      const cell = answer.best;
      const { reason } = await this.connection.ask("explain", { board, cell });
      if (board !== this.position().toString()) return;
      this.say(`${cell.join(",")} is safe`);
      const clues = cellsOf(reason.clues, this.cols);
      const index = cell[0] * this.cols + cell[1];
      this.board.mark({ good: [index], best: [index], clue: clues }, (other) => this.look(other));
      this.board.show(index);
      this.why.replaceChildren(argument(reason, (step) =>
        this.board.mark({ good: [index], best: [index], clue: step ? cellsOf(step.clues, this.cols) : clues }, (other) => this.look(other))));
      say(`Hint: ${cell.join(",")} is safe. ${reason.text}`);
    } catch (error) {
      this.say(error.message);
    }
    return undefined;
  }

  async bestGuess(board, answer) {
    this.say(`No cell is safe. The best guess: ${answer.best_said}`);
    if (!answer.best) return;
    this.point(answer.best);
    const { candidates } = await this.connection.ask("guesses", { board });
    if (board !== this.position().toString() || !candidates.length) return;
    this.point(candidates[0].cells[0]);
    this.say(`No cell is safe. The best guess: ${candidates[0].cells[0].join(",")} with risk ${candidates[0].risk_percent}`);
    this.why.replaceChildren(ranking(candidates.slice(0, 5), (candidate) =>
      this.board.mark({ best: cellsOf(candidate.cells, this.cols) }, (index) => this.look(index))));
  }

  toggleRisks() {
    this.showRisks = !this.showRisks;
    this.riskButton.setAttribute("aria-pressed", String(this.showRisks));
    if (this.showRisks) this.refreshRisks();
    else this.drawAll();
  }

  async refreshRisks() {
    const board = this.position().toString();
    try {
      const answer = await this.analysis();
      if (board !== this.position().toString() || answer.impossible) return;
      this.risks = answer;
      this.drawAll();
    } catch (error) {
      this.say(error.message);
    }
  }

  async share(button) {
    flash(button, await copy(await this.link()) ? "Copied" : "Not copied");
  }

  // The board, the first cell, without which the mines have no places, and what is open.
  async link() {
    const game = await this.settings.query();
    if (!this.dealt) return address("play", game);
    return address("play", { ...game, start: this.board.place(this.start0).join(","), p: await packed(this.position().toString()) });
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { this.undo(); return true; }
    if (event.key.toLowerCase() === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) { this.hint(); return true; }
    return false;
  }
}
