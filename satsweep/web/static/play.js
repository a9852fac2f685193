// Play: a game for the user, with hints in steps, help that can be switched on, times that are kept, and a review.

import { Archive } from "./archive.js";
import { archiveDialog, summaryText } from "./archive-dialog.js";
import { Board, geometryOf } from "./board.js";
import { isCancelled, Latest } from "./connection.js";
import { countsOf, countsText } from "./counts.js";
import { announce, button, described, h, plural, storage } from "./dom.js";
import { Game } from "./game.js";
import { ACTIONS, chosen, GESTURES, listen } from "./gestures.js";
import { Hint } from "./hints.js";
import { address, packed, unpacked } from "./link.js";
import { lookOf } from "./look.js";
import { inWords, isCovered, Position } from "./position.js";
import { fraction } from "./reasons.js";
import { couldBeBetter, Review } from "./review.js";
import { field, Settings, select } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Stopwatch, timeText } from "./stopwatch.js";
import { trivial } from "./trivial.js";
import { View } from "./view.js";
import { celebrate, settle } from "./win.js";

// What the first cell is sure to be: its name, its label, and the hint before it is opened.
const FIRSTS = [
  ["zero", "safe, no mine around it", "The first cell has no mine around it, wherever it is."],
  ["safe", "safe", "The first cell is safe, wherever it is."],
  ["any", "anything", "Nothing is known yet."],
];
// What a board may need: the name of the technique, the choice, and what is said of a board that was looked at.
const NEEDS = {
  any: "may need a guess",
  all: "no guess needed",
  pairs: "no guess: two numbers at a time",
  single: "no guess: single numbers",
};
const RATED = {
  single: "This board needs no guess: one number at a time is enough.",
  pairs: "This board needs no guess: two numbers at a time are enough.",
  all: "This board needs no guess, but more than two numbers at a time, or the mine total.",
  guess: "This board needs a guess.",
};
const WELCOME = "Hints, warnings and the review of your game are shown here.";
const TICK = 50; // milliseconds between two drawings of the clock

export class PlayView extends View {
  constructor(element, page) {
    super("play", element, page);
    this.board = new Board({
      label: "Your game",
      least: 26,
      roomy: 34,
      most: 48,
      below: 100,
      look: (index) => this.look(index),
      tip: (index) => this.tip(index),
      on: { key: (index, event) => this.typed(index, event) },
    });
    listen(this.board, (gesture, index) => this.act(chosen.of(gesture), index));
    this.watch = new Stopwatch();
    this.archive = new Archive();
    this.dealing = new Latest();
    this.rating = new Latest();
    this.analysing = new Latest();
    this.turn = Promise.resolve();
    this.build();
  }

  build() {
    this.settings = new Settings(this.page.about, { level: "beginner", firsts: FIRSTS });
    this.needs = select(Object.entries(NEEDS), "any");
    this.needs.id = "play-needs";
    this.needs.addEventListener("change", () => this.start());
    this.mines = h("strong", {});
    this.clock = h("strong", { class: "clock" });
    const toggle = (text, onclick, id) => button(text, onclick, { id, "aria-pressed": "false" });
    this.flagButton = toggle("Flag", () => press(this.flagButton), "play-flagging");
    this.riskButton = toggle("Risks", () => this.toggleRisks(), "play-risks");
    this.undoButton = button("Undo", () => this.undo(), { id: "play-undo" });
    this.hintButton = button("Hint", () => this.hint(), { id: "play-hint" });
    this.safeButton = button("Safe cells", () => this.openSafe(), {
      id: "play-safe",
      title: "Open all cells that are safe now",
    });
    this.warn = option("warn", "Warn me before a risky move while a safe cell exists", "yes");
    this.auto = option("auto", "Make moves that single numbers settle by themselves", "no", () => this.settleTrivial());
    this.message = h("p", { class: "lead" });
    this.cancel = button("Cancel", () => this.dealing.cancel(), { class: "link", hidden: true, id: "play-cancel" });
    this.rated = h("p", { class: "note rated", "aria-live": "polite" });
    this.said = h("div", { class: "told" });
    this.sheet = new Sheet({ label: "Help", contents: [this.said], onClose: () => this.closed() });
    this.review = new Review(this.connection, (step) => this.walk(step));
    this.summary = h("dl", { class: "facts" });
    this.summaryTitle = h("h2", {});
    this.element.append(
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "play-title", class: "unseen" }, "Play"),
        this.settings.form("play", () => this.start(), { beside: [field("Luck", this.needs)] }),
        h(
          "div",
          { class: "bar playing" },
          h("span", { class: "counter" }, "Mines left ", this.mines),
          h("span", { class: "counter" }, "Time ", this.clock),
          this.flagButton,
          this.hintButton,
          this.undoButton,
          this.safeButton,
          this.riskButton,
        ),
        h("div", { class: "status" }, this.message, this.cancel),
        this.board.element,
        this.rated,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Your game" },
        this.sheet.element,
        h(
          "section",
          { class: "card" },
          this.summaryTitle,
          this.summary,
          h("div", { class: "row" }, button("All games", () => this.showArchive(), { id: "play-archive" })),
        ),
        h("section", { class: "card options" }, this.warn.element, this.auto.element, buttonChoices()),
        h(
          "section",
          { class: "card" },
          h(
            "div",
            { class: "row" },
            this.shareButton,
            button("Open in Solve", () => this.page.solve(this.game.position().toString()), { id: "play-solve" }),
            this.pictureButton(),
          ),
        ),
      ),
    );
    setInterval(() => this.tickClock(), TICK);
  }

  async enter(query) {
    if ([...query.keys()].length) {
      await this.settings.take(query);
      this.needs.value = query.get("luck") in NEEDS ? query.get("luck") : "any";
      const start = /^(\d{1,5}),(\d{1,5})$/.exec(query.get("start") ?? "");
      await this.start();
      if (start) await this.open([this.board.index([Number(start[1]), Number(start[2])])]);
      if (start && query.get("p")) this.resume(Position.of(await unpacked(query.get("p"))));
    } else if (!this.game) {
      await this.restore();
      await this.start();
    }
    this.board.fit();
  }

  // Take the board that was played last.
  async restore() {
    const [rows, cols, mines, luck] = storage.get("play-board", "").split(" ");
    await this.settings.take(new URLSearchParams({ rows, cols, mines }));
    if (luck in NEEDS) this.needs.value = luck;
  }

  bring(layout) {
    this.settings.bring(layout);
    this.needs.value = "any";
    return this.start();
  }

  // Continue the game of a link, if its position belongs to this board.
  resume({ cells }) {
    const { shown } = this.game?.dealt ?? {};
    const agrees = (symbol, index) => isCovered(symbol) || symbol === shown[index];
    if (!shown || cells.length !== shown.length || !cells.every(agrees)) return;
    const acts = cells.flatMap((symbol, index) => {
      if (symbol === this.game.symbols[index]) return [];
      return [[{ F: "flag", "#": "unflag" }[symbol] ?? "open", index]];
    });
    acts.sort(([, one], [, other]) => (cells[other] === ".") - (cells[one] === ".")); // cascades first
    this.game.help.add("link");
    this.moved(
      this.game.move(() => {
        this.game.symbols = [...cells];
      }, acts),
    );
  }

  async start() {
    const [rows, cols] = this.settings.size;
    const { asked, opened } = this.settings;
    for (const latest of [this.dealing, this.rating, this.analysing]) latest.cancel();
    this.review.stop();
    settle(this.board);
    this.watch.reset();
    this.game = null;
    this.asked = null;
    this.rated.textContent = "";
    this.needs.disabled = opened !== null;
    press(this.riskButton, false);
    this.showRisks = false;
    this.forget();
    this.say();
    try {
      const { topology } = opened ?? asked;
      const geometry = await geometryOf(this.connection, rows, cols, topology);
      const total = opened ? opened.cells.filter((symbol) => symbol === "*").length : asked.mines;
      if (!(total <= rows * cols))
        throw new Error(`${plural(total, "mine")} do not fit into ${plural(rows * cols, "cell")}.`);
      this.board.shape(geometry, rows, cols);
      this.board.label = `Your game, ${rows} rows of ${cols}, ${plural(total, "mine")}`;
      this.game = new Game({ rows, cols, geometry, topology, clues: asked.clues, total });
      if (this.dealtBefore === this.boardKey) this.game.help.add("board seen before");
      this.given = opened?.start ? this.board.index(opened.start) : null;
      this.luck = opened ? "any" : this.needs.value;
      if (!opened) storage.set("play-board", [rows, cols, total, this.luck].join(" "));
      this.board.drawAll();
      this.showSummary();
      this.tell("Open a cell to begin.");
    } catch (error) {
      this.tell(error.message);
    }
    this.tick();
  }

  // What decides where the mines are, but for the first cell.
  get boardKey() {
    return JSON.stringify([this.settings.asked, this.needs.value]);
  }

  get over() {
    return this.game?.over ?? null;
  }

  // Show a message above the board, and announce it.
  tell(text) {
    this.message.textContent = text;
    this.message.title = text;
    announce(text);
  }

  // Show elements in the sheet; without any, close it.
  say(...contents) {
    this.said.replaceChildren(...(contents.length ? contents : [h("p", { class: "note welcome" }, WELCOME)]));
    if (contents.length) this.sheet.open();
    else this.sheet.close();
  }

  // The user has closed the sheet.
  closed() {
    if (this.shownHint || this.warnedOf) this.forgetHelp();
    if (this.over) this.walk(null);
  }

  tick() {
    const { game } = this;
    this.mines.textContent = game ? String(game.over === "won" ? 0 : game.total - game.flags) : "";
    this.undoButton.disabled = !game?.moves.length;
    for (const one of [this.hintButton, this.safeButton, this.riskButton]) one.disabled = !game || Boolean(game.over);
    this.tickClock();
    this.showPicture();
  }

  tickClock() {
    this.clock.textContent = timeText(this.watch.seconds);
  }

  // The question for the moving picture: the board and the moves.
  picture() {
    return { ...this.asked, moves: this.game.acts.map(([action, index]) => [action, this.board.place(index)]) };
  }

  look(index) {
    if (!this.game) return lookOf("#");
    const symbols = this.walked?.before ?? this.game.symbols;
    const mine = this.over && !this.walked ? this.game.dealt.shown[index] === "*" : null;
    if (mine && this.over === "won") return lookOf("F");
    return lookOf(symbols[index], { odds: this.odds(index), mine });
  }

  // The risk of a cell, if risks are shown.
  odds(index) {
    return this.showRisks && this.risks ? this.risks.odds[this.risks.cells[index]] : null;
  }

  tip(index) {
    const odds = this.game && isCovered(this.game.symbols[index]) ? this.odds(index) : null;
    return odds ? [h("strong", {}, this.board.coordinates(index)), ` ${fraction(odds.percent, odds.exact)}`] : null;
  }

  // An action of the user on a cell.
  act(action, index) {
    const { game } = this;
    if (!game || game.over) return;
    const symbol = game.symbols[index];
    const flags = action === "flag" || (action !== "chord" && isPressed(this.flagButton));
    if (flags && isCovered(symbol)) {
      game.clicks.right += 1;
      this.flag(index);
    } else if (symbol === "F" && action !== "chord") {
      this.tell(`${this.board.coordinates(index)} is flagged. Remove the flag first.`);
    } else if (symbol === "#" && (action === "open" || action === "cover")) {
      game.clicks.left += 1;
      this.open([index]);
    } else if (!isCovered(symbol) && (action === "open" || action === "chord")) {
      game.clicks.chord += 1;
      const cells = game.chord(index);
      if (cells.length) this.open(cells);
    }
  }

  // Open cells once the moves before have been made: while the server thinks no click is lost.
  open(indices, sure = false) {
    const { game } = this;
    if (game.isDealing) return this.turn;
    game.isDealing = !game.dealt;
    this.turn = this.turn.then(async () => {
      if (game !== this.game || game.over) return;
      try {
        if (!game.dealt) await this.deal(indices[0]);
        else if (sure || !(await this.warned(indices))) this.moved(game.open(indices));
      } catch (error) {
        if (!isCancelled(error)) this.tell(error.message);
      } finally {
        game.isDealing = false;
      }
    });
    return this.turn;
  }

  // Open the first cell: the server places the mines so that it is what the settings say.
  async deal(index) {
    const { asked } = this.settings;
    const { game, luck } = this;
    // A layout may say where play starts; that cell is open before the first choice.
    this.firstCell = this.given ?? index;
    const first = asked.layout ? "any" : this.settings.first.value;
    const question = { ...asked, first, start: this.board.place(this.firstCell) };
    let dealt;
    if (luck === "any") {
      dealt = await this.connection.ask("deal", question, { signal: this.dealing.next() });
      this.asked = question;
    } else {
      dealt = await this.search({ ...question, first: first === "any" ? "zero" : first, technique: luck });
      // The moving picture gets the layout: its seed alone would bring another one.
      const layout = layoutText(dealt);
      this.asked = { layout, first: "any", start: question.start };
    }
    if (game !== this.game) return;
    this.dealtBefore = this.boardKey;
    this.watch.start();
    this.moved(game.deal(dealt, this.firstCell));
    this.rate(dealt);
  }

  // Search for a board that needs no guess. It is a matter of moments, or of up to a minute on boards that are big or full.
  async search(question) {
    const signal = this.dealing.next();
    const slow = setTimeout(() => {
      this.tell("Looking for such a board…");
      this.cancel.hidden = false;
    }, 150);
    const began = performance.now();
    const onPart = () => {
      const seconds = Math.round((performance.now() - began) / 1000);
      if (seconds) this.message.textContent = `Looking for such a board, for ${plural(seconds, "second")}…`;
    };
    try {
      return await this.connection.ask("deal_no_guess", question, { onPart, signal });
    } catch (error) {
      if (isCancelled(error)) this.tell("Open a cell to begin.");
      throw error;
    } finally {
      clearTimeout(slow);
      this.cancel.hidden = true;
    }
  }

  // Find out whether the board needs a guess, and show it.
  async rate(dealt) {
    if (!dealt.exact || dealt.shown[this.firstCell] === "*") return;
    try {
      const asked = { layout: layoutText(dealt) };
      const { needs } = await this.connection.ask("rate", asked, { signal: this.rating.next() });
      this.rated.textContent = RATED[needs] ?? "";
    } catch {
      this.rated.textContent = ""; // a game goes on without
    }
  }

  // Show what a move has changed, and what follows from it. `changed` are the indices of cells, or null.
  moved(changed) {
    if (!changed) return;
    const { game } = this;
    this.forget();
    if (game.over) {
      this.end();
      return;
    }
    for (const index of changed) this.board.draw(index);
    const opened = changed.filter((index) => !isCovered(game.symbols[index]));
    const { acts } = game.last;
    const [, at] = acts.find(([action]) => action === "open") ?? acts[0];
    const one = opened.includes(at) ? at : (opened[0] ?? changed[0]);
    const more = opened.length > 1 ? `, and ${plural(opened.length - 1, "more cell")} opened` : "";
    announce(`${this.board.name(one)}: ${inWords(game.symbols[one])}${more}`);
    this.message.textContent = "";
    this.say();
    this.tick();
    this.keepSoon();
    if (opened.length && this.settleTrivial()) return;
    if (this.showRisks) this.refreshRisks();
    else if (this.warn.checked && opened.length) this.analysis().catch(() => {});
  }

  // Make the moves that single numbers settle, if the user wants that; true if there were any.
  settleTrivial() {
    const { game } = this;
    if (!this.auto.checked || !game?.dealt?.exact || game.over) return false;
    const { safe, mines } = trivial(game.symbols, game.neighbours);
    const flags = [...mines].filter((index) => game.symbols[index] === "#");
    const opens = [...safe].filter((index) => game.symbols[index] === "#");
    if (!flags.length && !opens.length) return false;
    game.help.add("automatic moves");
    if (flags.length) {
      const changed = game.flag(flags);
      if (!opens.length) this.moved(changed);
      else for (const index of changed) this.board.draw(index);
    }
    if (opens.length) this.moved(game.open(opens));
    return true;
  }

  // Open all cells that are safe now; what they show may make others safe.
  async openSafe() {
    const { game } = this;
    if (!game?.dealt || game.over) return;
    try {
      const answer = await this.analysis();
      if (game !== this.game || game.over) return;
      const safe = answer.impossible ? [] : [...game.symbols.keys()].filter((index) => this.isSafe(answer, index));
      const cells = safe.filter((index) => game.symbols[index] === "#");
      if (cells.length) {
        game.help.add("safe cells opened");
        this.moved(game.open(cells));
        if (!game.over) this.tell(`${plural(cells.length, "safe cell")} opened.`);
      } else if (safe.length) this.showWrong(safe);
      else this.tell("No cell is safe.");
    } catch (error) {
      if (!isCancelled(error)) this.tell(error.message);
    }
  }

  isSafe(answer, index) {
    return answer.odds[answer.cells[index]]?.exact === "0";
  }

  // Remove everything that is known or shown of the position before.
  forget() {
    this.risks = null;
    this.analysed = null;
    this.walked = null;
    this.forgetHelp();
  }

  forgetHelp() {
    this.warnedOf = null;
    this.shownHint = null;
    this.board.mark();
  }

  end() {
    const { game } = this;
    this.watch.stop();
    const seconds = this.watch.seconds;
    const won = game.over === "won";
    this.showRisks = false;
    press(this.riskButton, false);
    this.board.drawAll();
    this.tick(); // so that the message has the time that the clock shows from now on
    const time = timeText(seconds);
    this.tell(won ? `Cleared in ${time}.` : "That was a mine. Undo takes it back.");
    const best = this.archive.best(this.boardName)[0];
    const counts = game.dealt.exact ? countsOf(game, seconds) : null;
    this.keepGame(won, seconds, counts);
    const isBest = won && !game.help.size && (!best || seconds < best.seconds);
    this.say(...this.result(won, time, counts, isBest));
    this.sheet.reveal(this.board, [game.lastOpened]);
    celebrate(this.board, game.over, game.lastOpened);
    this.review.begin(game);
    this.showSummary();
    this.keepSoon();
  }

  // Keep a finished game in the browser, once: undo does not bring a second result.
  keepGame(won, seconds, counts) {
    const { game } = this;
    if (game.kept || game.help.has("link")) return;
    game.kept = true;
    const { bv, done, clicks } = counts ?? {};
    const when = new Date().toISOString();
    this.archive.add({ board: this.boardName, won, seconds, when, bv, done, clicks, help: [...game.help] });
  }

  // The kind of board that is played, as times are kept for it.
  get boardName() {
    const { rows, cols, total, topology, clues } = this.game;
    const grid = [topology === "square" ? "" : topology, clues === "exact" ? "" : clues];
    const luck = this.luck === "any" ? "" : NEEDS[this.luck];
    return [`${rows}×${cols}, ${plural(total, "mine")}`, ...grid, luck].filter(Boolean).join(", ");
  }

  result(won, time, counts, isBest) {
    const help = [...this.game.help];
    return [
      h("h2", {}, won ? `Cleared in ${time}` : "That was a mine"),
      isBest ? h("p", { class: "medal" }, "Your best time on this board!") : null,
      this.review.element,
      counts ? h("dl", { class: "facts" }, described(countsText(counts, this.game.help))) : null,
      help.length ? h("p", { class: "note" }, `With help (${help.join(", ")}), so this is no record.`) : null,
      h("div", { class: "row" }, button("New game", () => this.newGame(), { class: "main", id: "play-next" })),
    ].filter(Boolean);
  }

  newGame() {
    document.getElementById("play-new").click();
  }

  // Show the position before an opening of the review, or the end.
  walk(step) {
    this.walked = step ? this.game.moves[step.at] : null;
    settle(this.board);
    this.board.drawAll();
    if (!step) {
      this.board.mark();
      return;
    }
    const { judged, chosen: cells } = step;
    const better = couldBeBetter(judged) && judged.best ? [this.board.index(judged.best)] : [];
    this.board.mark({ [couldBeBetter(judged) ? "bad" : "target"]: cells, best: better });
    this.sheet.reveal(this.board, [cells[0], ...better]);
  }

  showSummary() {
    this.summaryTitle.textContent = this.boardName;
    this.summary.replaceChildren(...described(summaryText(this.archive.summary(this.boardName))));
  }

  showArchive() {
    this.archive.read();
    archiveDialog(this.archive).addEventListener("close", () => this.game && this.showSummary());
  }

  undo() {
    const { game } = this;
    if (!game) return;
    const wasOver = game.over;
    if (!game.undo()) return;
    if (wasOver) this.watch.start();
    this.review.stop();
    settle(this.board);
    this.forget();
    this.say();
    this.board.drawAll();
    this.tell("Move undone.");
    if (this.showRisks) this.refreshRisks();
    this.tick();
    this.keepSoon();
  }

  flag(index) {
    this.moved(this.game.flag([index]));
  }

  typed(index, event) {
    const key = event.key.toLowerCase();
    if (key === "enter" || (key === " " && !this.over)) this.act(chosen.of("left"), index);
    else if (key === "f") this.act("flag", index);
    else return false;
    return true;
  }

  // The analysis of the current position, asked for once.
  analysis() {
    if (!this.analysed) {
      const asked = { board: this.game.position().toString() };
      const analysed = this.connection.ask("solve", asked, { signal: this.analysing.next() });
      this.analysed = analysed;
      analysed.catch(() => {
        if (this.analysed === analysed) this.analysed = null;
      });
    }
    return this.analysed;
  }

  // Warn of a move that may hit a mine while a safe cell exists; false if there is nothing to warn of.
  async warned(indices) {
    const { game } = this;
    if (!this.warn.checked) return false;
    // Most moves can be seen to be safe at once.
    const seen = game.dealt.exact ? trivial(game.symbols, game.neighbours).safe : new Set();
    if (indices.every((index) => seen.has(index))) return false;
    const slow = setTimeout(() => this.tell("Looking for safe cells…"), 300);
    let answer;
    try {
      answer = await this.analysis();
    } catch {
      return game !== this.game; // without an analysis there is nothing to warn of
    } finally {
      clearTimeout(slow);
    }
    if (game !== this.game) return true;
    if (answer.impossible || !answer.safe) return false;
    const risky = indices.filter((index) => !this.isSafe(answer, index));
    if (!risky.length) return false;
    game.help.add("warning");
    this.warnedOf = indices;
    const odds = answer.odds[answer.cells[risky[0]]];
    const risk = odds.exact === "1" ? "is certainly a mine" : `is a mine with ${odds.percent}`;
    const others = answer.safe === 1 ? "one cell is safe" : `${answer.safe.toLocaleString("en")} cells are safe`;
    this.say(
      h(
        "div",
        { class: "warning", role: "alert" },
        h("p", {}, h("strong", {}, `${this.board.coordinates(risky[0])} ${risk}`), `, and ${others}.`),
        h(
          "div",
          { class: "row" },
          button("Show a safe cell", () => this.showBest(answer.best), { class: "main" }),
          button("Open it anyway", () => this.open(indices, true), { class: "danger" }),
          button("Cancel", () => this.hideWarning()),
        ),
      ),
    );
    this.board.mark({ bad: risky });
    this.sheet.reveal(this.board, risky);
    return true;
  }

  hideWarning() {
    this.forgetHelp();
    this.say();
  }

  showBest(cell) {
    this.hideWarning();
    this.game.help.add("hint");
    const index = this.board.index(cell);
    this.board.mark({ good: [index], best: [index] });
    this.sheet.reveal(this.board, [index]);
    this.board.focus(index);
  }

  // Show the next step of a hint; a new hint begins with wrong flags, if there are any.
  async hint() {
    const { game } = this;
    if (!game || game.over) return;
    if (!game.dealt) {
      this.tell(FIRSTS.find(([name]) => name === this.settings.first.value)[2]);
      return;
    }
    if (this.shownHint) {
      this.shownHint.next();
      return;
    }
    game.help.add("hint");
    this.tell("Looking for a hint…");
    const board = game.position().toString();
    const last = game.lastOpened === null ? null : this.board.place(game.lastOpened);
    try {
      const answer = await this.analysis();
      const wrong = answer.impossible
        ? []
        : [...game.symbols.keys()].filter((index) => game.symbols[index] === "F" && this.isSafe(answer, index));
      if (wrong.length) {
        this.showWrong(wrong);
        return;
      }
      const found = await this.connection.ask("hint", { board, last });
      if (game !== this.game || board !== game.position().toString()) return;
      this.tell(found.safe ? "A cell is safe." : "No cell is safe.");
      this.shownHint = new Hint(
        found,
        this.board,
        (marks) => {
          this.board.mark(marks);
          this.sheet.reveal(this.board, Object.values(marks).flat());
        },
        (action, index) => (action === "flag" ? this.flag(index) : this.open([index], true)),
      );
      this.say(h("h2", {}, "Hint"), this.shownHint.element);
      this.shownHint.next();
    } catch (error) {
      if (!isCancelled(error)) this.tell(error.message);
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

  toggleRisks() {
    this.showRisks = !this.showRisks;
    press(this.riskButton, this.showRisks);
    if (!this.game) return;
    if (this.showRisks) this.refreshRisks();
    else this.board.drawAll();
  }

  async refreshRisks() {
    const { game } = this;
    game.help.add("risks");
    const board = game.position().toString();
    try {
      const answer = await this.analysis();
      if (game !== this.game || board !== game.position().toString() || answer.impossible) return;
      this.risks = answer;
      this.board.drawAll();
    } catch (error) {
      if (!isCancelled(error)) this.tell(error.message);
    }
  }

  // A link carries the board, the first cell, which decides where the mines are, and the position.
  async link() {
    const game = { ...(await this.settings.query()), luck: this.luck === "any" ? null : this.luck };
    if (!this.game?.dealt) return address("play", game);
    return address("play", {
      ...game,
      start: this.board.coordinates(this.firstCell),
      p: await packed(this.game.position().toString()),
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return super.key(event);
    const key = event.key.toLowerCase();
    if (key === "f2" || (key === " " && this.over)) this.newGame();
    else if (key === "h") this.hint();
    else if (key === "s") this.openSafe();
    else return super.key(event);
    return true;
  }
}

const isPressed = (element) => element.getAttribute("aria-pressed") === "true";

function press(element, on = !isPressed(element)) {
  element.setAttribute("aria-pressed", String(on));
}

// A checkbox whose state is kept in the browser.
function option(name, text, usual, onchange = () => {}) {
  const box = h("input", {
    type: "checkbox",
    id: `play-${name}`,
    checked: storage.get(name, usual) === "yes",
    onchange: () => {
      storage.set(name, box.checked ? "yes" : "no");
      onchange();
    },
  });
  const element = h("div", { class: "check" }, box, h("label", { for: box.id }, text));
  return {
    element,
    get checked() {
      return box.checked;
    },
  };
}

// What each gesture does, to be chosen.
function buttonChoices() {
  const choices = Object.entries(GESTURES).map(([gesture, { name, actions }]) => {
    const choice = select(
      actions.map((action) => [action, ACTIONS[action]]),
      chosen.of(gesture),
    );
    choice.id = `play-button-${gesture}`;
    choice.addEventListener("change", () => chosen.set(gesture, choice.value));
    return field(name, choice);
  });
  return h("details", { id: "play-buttons" }, h("summary", {}, "Buttons"), h("div", { class: "fields" }, choices));
}

// A layout in satsweep's text form.
function layoutText({ layout, start, topology, mines }) {
  const header = [`mines ${mines}`, `start ${start.join(",")}`];
  if (topology !== "square") header.push(`topology ${topology}`);
  return [...header, ...layout].join("\n");
}
