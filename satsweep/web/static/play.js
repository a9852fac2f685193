// Play: a game for the user, with exact hints, undo, and a warning before a risky move while a safe cell exists.

import { Board, geometryOf } from "./board.js";
import { isCancelled } from "./connection.js";
import { announce, button, h, plural, storage } from "./dom.js";
import { address, packed, unpacked } from "./link.js";
import { lookOf } from "./look.js";
import { inWords, isCovered, numberOf, Position } from "./position.js";
import { argument, fraction, ranking } from "./reasons.js";
import { Settings } from "./settings.js";
import { View } from "./view.js";

// What the first cell is sure to be: its name, its label, and the hint before it is opened.
const FIRSTS = [
  ["zero", "safe, no mine around it", "The first cell has no mine around it, wherever it is."],
  ["safe", "safe", "The first cell is safe, wherever it is."],
  ["any", "anything", "Nothing is known yet."],
];

export class PlayView extends View {
  constructor(element, page) {
    super("play", element, page);
    this.board = new Board({
      label: "Your game",
      least: 26,
      roomy: 34,
      most: 48,
      below: 60,
      look: (index) => this.look(index),
      tip: (index) => this.tip(index),
      on: {
        open: (index) => this.press(index),
        flag: (index) => this.flag(index),
        key: (index, event) => this.typed(index, event),
      },
    });
    this.build();
  }

  build() {
    this.settings = new Settings(this.page.about, { level: "beginner", firsts: FIRSTS });
    this.mines = h("strong", {});
    this.clock = h("strong", {});
    const toggle = (text, onclick, id) => button(text, onclick, { id, "aria-pressed": "false" });
    this.flagButton = toggle("Flag", () => this.toggleFlagging(), "play-flagging");
    this.riskButton = toggle("Risks", () => this.toggleRisks(), "play-risks");
    this.undoButton = button("Undo", () => this.undo(), { id: "play-undo" });
    this.hintButton = button("Hint", () => this.hint(), { id: "play-hint" });
    this.warn = h("input", {
      type: "checkbox",
      id: "play-warn",
      checked: storage.get("warn", "yes") === "yes",
      onchange: () => storage.set("warn", this.warn.checked ? "yes" : "no"),
    });
    this.message = h("p", { class: "lead" });
    this.warning = h("div", { class: "warning", role: "alert", hidden: true });
    this.why = h("div", { class: "why" });
    const warning = "Warn me before a risky move while a safe cell exists";
    this.element.append(
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "play-title", class: "unseen" }, "Play"),
        this.settings.form("play", () => this.start()),
        h(
          "div",
          { class: "bar playing" },
          h("span", { class: "counter" }, "Mines left ", this.mines),
          h("span", { class: "counter" }, "Time ", this.clock),
          this.flagButton,
          this.hintButton,
          this.riskButton,
          this.undoButton,
        ),
        this.warning,
        this.board.element,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Your game" },
        h("section", { class: "card", "aria-label": "Hint" }, this.message, this.why),
        h(
          "section",
          { class: "card" },
          h("div", { class: "check" }, this.warn, h("label", { for: "play-warn" }, warning)),
        ),
        h(
          "section",
          { class: "card" },
          h(
            "div",
            { class: "row" },
            this.shareButton,
            button("Open in Solve", () => this.page.solve(this.position().toString()), { id: "play-solve" }),
            this.pictureButton(),
          ),
        ),
      ),
    );
    setInterval(() => this.tick(), 250);
  }

  async enter(query) {
    if ([...query.keys()].length) {
      await this.settings.take(query);
      const start = /^(\d{1,5}),(\d{1,5})$/.exec(query.get("start") ?? "");
      await this.start();
      if (start) await this.open(this.board.index([Number(start[1]), Number(start[2])]));
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

  // Continue the game of a link, if its position belongs to this board.
  resume({ cells }) {
    const { shown } = this.dealt ?? {};
    const agrees = (symbol, index) => isCovered(symbol) || symbol === shown[index];
    if (!shown || cells.length !== shown.length || !cells.every(agrees)) return;
    const acts = cells.flatMap((symbol, index) => {
      if (symbol === this.symbols[index]) return [];
      return [[{ F: "flag", "#": "unflag" }[symbol] ?? "open", index]];
    });
    acts.sort(([, one], [, other]) => (cells[other] === ".") - (cells[one] === ".")); // cascades first
    this.move(() => {
      this.symbols = [...cells];
    }, acts);
  }

  async start() {
    const [rows, cols] = this.settings.size;
    const { asked, opened } = this.settings;
    this.dealt = null;
    this.history = [];
    this.acts = [];
    this.over = null;
    this.began = null;
    this.spent = 0;
    this.showRisks = false;
    this.riskButton.setAttribute("aria-pressed", "false");
    this.forget();
    try {
      const { topology } = opened ?? asked;
      const geometry = await geometryOf(this.connection, rows, cols, topology);
      Object.assign(this, { rows, cols, geometry, topology, clues: asked.clues });
      this.total = opened ? opened.cells.filter((symbol) => symbol === "*").length : asked.mines;
      if (!(this.total <= rows * cols))
        throw new Error(`${plural(this.total, "mine")} do not fit into ${plural(rows * cols, "cell")}.`);
      this.symbols = Array(rows * cols).fill("#");
      this.board.shape(geometry, rows, cols);
      this.board.label = `Your game, ${rows} rows of ${cols}, ${plural(this.total, "mine")}`;
      this.given = opened?.start ? this.board.index(opened.start) : null;
      this.board.drawAll();
      this.tell("Open a cell to begin.");
    } catch (error) {
      this.tell(error.message);
    }
    this.tick();
  }

  // Show a message, and announce it.
  tell(text) {
    this.message.textContent = text;
    announce(text);
  }

  position() {
    const { rows, cols, total: mines, topology, clues, symbols } = this;
    return new Position({ rows, cols, mines, topology, clues, cells: [...symbols] });
  }

  tick() {
    const flags = this.symbols ? this.symbols.filter((symbol) => symbol === "F" || symbol === "*").length : 0;
    this.mines.textContent = this.total === undefined ? "" : String(this.total - flags);
    const seconds = this.began && !this.over ? this.spent + (Date.now() - this.began) / 1000 : this.spent;
    this.clock.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    this.undoButton.disabled = !this.history?.length;
    this.showPicture();
  }

  // The question for the moving picture: the board and the moves. Of cells opened at once a mine is the last.
  picture() {
    const isMine = ([action, index]) => action === "open" && this.dealt.shown[index] === "*";
    const acts = this.acts.flatMap((acts) => [...acts].sort((one, other) => isMine(one) - isMine(other)));
    return { ...this.question, moves: acts.map(([action, index]) => [action, this.board.place(index)]) };
  }

  look(index) {
    const mine = this.over && this.dealt ? this.dealt.shown[index] === "*" : null;
    return lookOf(this.symbols[index], { odds: this.odds(index), mine });
  }

  // The risk of a cell, if risks are shown.
  odds(index) {
    return this.showRisks && this.risks ? this.risks.odds[this.risks.cells[index]] : null;
  }

  tip(index) {
    const odds = isCovered(this.symbols[index]) ? this.odds(index) : null;
    return odds ? [h("strong", {}, this.board.coordinates(index)), ` ${fraction(odds.percent, odds.exact)}`] : null;
  }

  // A click, a tap or Enter on a cell.
  press(index) {
    if (!this.symbols || this.over) return;
    const symbol = this.symbols[index];
    if (this.flagButton.getAttribute("aria-pressed") === "true" && isCovered(symbol)) this.flag(index);
    else if (symbol === "F") this.tell(`${this.board.coordinates(index)} is flagged. Remove the flag first.`);
    else if (symbol === "#") this.open(index);
    else this.chord(index);
  }

  // Chord: on a number with as many flags around it, open the other cells around it.
  chord(index) {
    const number = numberOf(this.symbols[index]);
    const around = this.geometry.neighbours[index];
    const marked = around.filter((other) => "F*".includes(this.symbols[other])).length;
    const left = around.filter((other) => this.symbols[other] === "#");
    if (number > 0 && number === marked && left.length && this.dealt?.exact) this.open(...left);
  }

  async open(...indices) {
    if (this.busy || this.over) return;
    this.busy = true;
    try {
      if (!this.dealt) await this.deal(indices[0]);
      else if (!(await this.warned(indices))) {
        this.move(
          () => {
            for (const index of indices) this.reveal(index);
          },
          indices.map((index) => ["open", index]),
        );
      }
    } catch (error) {
      if (!isCancelled(error)) this.tell(error.message);
    } finally {
      this.busy = false;
    }
  }

  // Open the first cell: the server places the mines so that it is what the settings say.
  async deal(index) {
    const { asked } = this.settings;
    const first = asked.layout ? "any" : this.settings.first.value;
    // A layout may say where play starts; that cell is open before the first choice.
    this.firstCell = this.given ?? index;
    this.question = { ...asked, first, start: this.board.place(this.firstCell) };
    this.dealt = await this.connection.ask("deal", this.question);
    this.began = Date.now();
    const flagged = this.dealt.opened.filter((cell) => this.symbols[cell] === "F");
    this.move(() => {
      for (const cell of this.dealt.opened) this.symbols[cell] = this.dealt.shown[cell];
    }, [...flagged.map((cell) => ["unflag", cell]), ["open", this.firstCell]]);
  }

  // Open a cell, and the cells that the cascade opens with it; flagged cells stay covered.
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

  // Make a move that can be undone, and judge the game after it. `acts` are its actions, each with the index of a cell.
  move(act, acts) {
    const before = [...this.symbols];
    act();
    const changed = this.symbols.flatMap((symbol, index) => (symbol === before[index] ? [] : [index]));
    if (!changed.length) return;
    this.history.push(before);
    this.acts.push(acts);
    this.forget();
    this.judge();
    if (this.over) this.board.drawAll();
    else for (const index of changed) this.board.draw(index);
    const opened = changed.filter((index) => !isCovered(this.symbols[index]));
    if (!this.over) {
      const [, at] = acts.find(([action]) => action === "open") ?? acts[0];
      const one = opened.includes(at) ? at : (opened[0] ?? changed[0]);
      const more = opened.length > 1 ? `, and ${plural(opened.length - 1, "more cell")} opened` : "";
      announce(`${this.board.name(one)}: ${inWords(this.symbols[one])}${more}`);
      this.message.textContent = "";
      if (this.showRisks) this.refreshRisks();
      else if (this.warn.checked && opened.length) this.analysis().catch(() => {});
    }
    this.tick();
    this.keepSoon();
  }

  // Remove everything that is known or shown of the position before.
  forget() {
    this.risks = null;
    this.analysing = null;
    this.warning.hidden = true;
    this.warnedOf = null;
    this.why.replaceChildren();
    this.board.mark();
  }

  judge() {
    const hit = this.symbols.includes("*");
    const left = this.symbols.some(
      (symbol, index) => isCovered(symbol) && this.dealt && this.dealt.shown[index] !== "*",
    );
    this.over = hit ? "lost" : this.dealt && !left ? "won" : null;
    if (!this.over) return;
    this.spent += (Date.now() - this.began) / 1000;
    this.began = null;
    this.tick(); // so that the message has the time that the clock shows from now on
    this.tell(hit ? "That was a mine. Undo takes the move back." : `Cleared in ${this.clock.textContent}.`);
  }

  undo() {
    const before = this.history.pop();
    if (!before) return;
    this.acts.pop();
    if (this.over) this.began = Date.now();
    this.over = null;
    this.symbols = before;
    if (!this.history.length && before.every((symbol) => symbol === "#")) {
      // Before the first cell the mines have no places; the same cell and seed bring the same ones.
      this.dealt = null;
    }
    this.forget();
    this.board.drawAll();
    this.tell("Move undone.");
    if (this.showRisks) this.refreshRisks();
    this.tick();
    this.keepSoon();
  }

  flag(index) {
    if (!this.symbols || this.over || !isCovered(this.symbols[index])) return;
    const flagged = this.symbols[index] === "F";
    this.move(() => {
      this.symbols[index] = flagged ? "#" : "F";
    }, [[flagged ? "unflag" : "flag", index]]);
  }

  toggleFlagging() {
    const on = this.flagButton.getAttribute("aria-pressed") !== "true";
    this.flagButton.setAttribute("aria-pressed", String(on));
  }

  typed(index, event) {
    if (event.key.toLowerCase() !== "f") return false;
    this.flag(index);
    return true;
  }

  // The analysis of the current position, asked for once.
  analysis() {
    if (!this.analysing) {
      const analysing = this.connection.ask("solve", { board: this.position().toString() });
      this.analysing = analysing;
      analysing.catch(() => {
        if (this.analysing === analysing) this.analysing = null;
      });
    }
    return this.analysing;
  }

  // Warn of a move that may hit a mine while a safe cell exists; false if there is nothing to warn of.
  async warned(indices) {
    if (!this.warn.checked) return false;
    const slow = setTimeout(() => this.tell("Looking for safe cells…"), 300);
    let answer;
    try {
      answer = await this.analysis();
    } catch {
      return false; // without an analysis there is nothing to warn of
    } finally {
      clearTimeout(slow);
    }
    if (answer.impossible || !answer.safe) return false;
    const risky = indices.filter((index) => answer.odds[answer.cells[index]]?.exact !== "0");
    if (!risky.length || this.warnedOf === String(indices)) return false;
    this.warnedOf = String(indices);
    const odds = answer.odds[answer.cells[risky[0]]];
    const risk = odds.exact === "1" ? "is certainly a mine" : `is a mine with ${odds.percent}`;
    const others = answer.safe === 1 ? "one cell is safe" : `${answer.safe.toLocaleString("en")} cells are safe`;
    const showSafe = () => {
      this.hideWarning();
      this.point(answer.best, ["good", "best"]);
    };
    this.warning.replaceChildren(
      h("p", {}, h("strong", {}, `${this.board.coordinates(risky[0])} ${risk}`), `, and ${others}.`),
      h(
        "div",
        { class: "row" },
        button("Show a safe cell", showSafe, { class: "main" }),
        button("Open it anyway", () => this.open(...indices), { class: "danger" }),
        button("Cancel", () => this.hideWarning()),
      ),
    );
    this.warning.hidden = false;
    this.board.mark({ bad: risky });
    return true;
  }

  hideWarning() {
    if (this.warning.hidden) return;
    this.warning.hidden = true;
    this.warnedOf = null;
    this.board.mark();
  }

  point(cell, marks = ["best"]) {
    const index = this.board.index(cell);
    this.board.mark(Object.fromEntries(marks.map((mark) => [mark, [index]])));
    this.board.show(index);
    this.board.focus(index);
  }

  // Show a wrong flag, a safe cell with the reason for it, or the best guess.
  async hint() {
    if (this.over || !this.symbols) return;
    if (!this.dealt) {
      this.tell(FIRSTS.find(([name]) => name === this.settings.first.value)[2]);
      return;
    }
    this.tell("Looking for a hint…");
    const board = this.position().toString();
    try {
      const answer = await this.analysis();
      if (board !== this.position().toString()) return;
      const isSafe = (index) => answer.odds[answer.cells[index]]?.exact === "0";
      const wrong = answer.impossible
        ? []
        : [...this.symbols.keys()].filter((index) => this.symbols[index] === "F" && isSafe(index));
      if (answer.impossible) this.tell("The numbers contradict each other.");
      else if (wrong.length) this.showWrong(wrong);
      else if (answer.safe) await this.showSafe(board, answer.best);
      else await this.bestGuess(board, answer);
    } catch (error) {
      this.tell(error.message);
    }
  }

  showWrong(flags) {
    const some = flags
      .slice(0, 5)
      .map((index) => this.board.coordinates(index))
      .join("  ");
    this.board.mark({ bad: flags });
    this.tell(`${plural(flags.length, "flag")} ${flags.length === 1 ? "is" : "are"} wrong: ${some}`);
  }

  async showSafe(board, cell) {
    const { reason } = await this.connection.ask("explain", { board, cell });
    if (board !== this.position().toString()) return;
    this.tell(`${cell.join(",")} is safe`);
    const index = this.board.index(cell);
    const mark = ({ clues }) => this.board.mark({ good: [index], best: [index], clue: this.board.indices(clues) });
    mark(reason);
    this.board.show(index);
    this.why.replaceChildren(argument(reason, (step) => mark(step ?? reason)));
    announce(`Hint: ${cell.join(",")} is safe. ${reason.text}`);
  }

  async bestGuess(board, answer) {
    this.tell(`No cell is safe. The best guess: ${answer.best_said}`);
    if (!answer.best) return;
    this.point(answer.best);
    const { candidates } = await this.connection.ask("guesses", { board });
    if (board !== this.position().toString() || !candidates.length) return;
    this.point(candidates[0].cells[0]);
    this.tell(
      `No cell is safe. The best guess: ${candidates[0].cells[0].join(",")} with risk ${candidates[0].risk_percent}`,
    );
    this.why.replaceChildren(
      ranking(candidates.slice(0, 5), (candidate) => this.board.mark({ best: this.board.indices(candidate.cells) })),
    );
  }

  toggleRisks() {
    this.showRisks = !this.showRisks;
    this.riskButton.setAttribute("aria-pressed", String(this.showRisks));
    if (this.showRisks) this.refreshRisks();
    else this.board.drawAll();
  }

  async refreshRisks() {
    const board = this.position().toString();
    try {
      const answer = await this.analysis();
      if (board !== this.position().toString() || answer.impossible) return;
      this.risks = answer;
      this.board.drawAll();
    } catch (error) {
      this.tell(error.message);
    }
  }

  // A link carries the board, the first cell, which decides where the mines are, and the position.
  async link() {
    const game = await this.settings.query();
    if (!this.dealt) return address("play", game);
    return address("play", {
      ...game,
      start: this.board.coordinates(this.firstCell),
      p: await packed(this.position().toString()),
    });
  }

  key(event) {
    if (event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey || event.altKey) return super.key(event);
    this.hint();
    return true;
  }
}
