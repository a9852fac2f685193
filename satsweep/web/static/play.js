// Play: a game for the user, with hints in steps, help that can be switched on, times that are kept, and a review.

import { adviceList, marksOf, winLooks } from "./advice.js";
import { Board, geometryOf } from "./board.js";
import { SEEDS } from "./channel.js";
import { Coach } from "./coach.js";
import { isCancelled } from "./connection.js";
import { field, isPressed, option, press, select, toggle } from "./controls.js";
import { Dealing, NEEDS } from "./dealing.js";
import { announce, button, h, plural, storage } from "./dom.js";
import { Ending } from "./ending.js";
import { Game } from "./game.js";
import { buttonChoices, chosen, listen } from "./gestures.js";
import { address, packed, unpacked } from "./link.js";
import { lookOf } from "./look.js";
import { said, told } from "./places.js";
import { inWords, isCovered, Position } from "./position.js";
import { fraction } from "./reasons.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Stopwatch, timeText } from "./stopwatch.js";
import { trivial } from "./trivial.js";
import { View } from "./view.js";

// What the first cell is sure to be: its name, its label, and the hint before it is opened.
const FIRSTS = [
  ["zero", "safe, no mine around it", "The first cell has no mine around it, wherever it is."],
  ["safe", "safe", "The first cell is safe, wherever it is."],
  ["any", "anything", "Nothing is known yet."],
];
const BEGIN = "Open a cell to begin.";
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
    this.coach = new Coach(this);
    this.ending = new Ending(this);
    this.dealing = new Dealing(this.connection, (text) => {
      this.cancel.hidden = !text;
      if (text) this.tell(text);
    });
    this.turn = Promise.resolve();
    this.build();
  }

  build() {
    this.settings = new Settings(this.page.about, { level: "beginner", firsts: FIRSTS, seeds: SEEDS });
    this.needs = select(Object.entries(NEEDS), "any", { id: "play-needs", onchange: () => this.start() });
    this.mines = h("strong", {});
    this.clock = h("strong", { class: "clock" });
    const [flags, risks, advice] = [
      "A tap or the left button flags cells",
      "Show how likely a mine is, on every covered cell",
      "Show the best cells, chances to win, dead cells, and guesses that you cannot avoid",
    ];
    this.flagButton = toggle("Flag", () => press(this.flagButton), { id: "play-flagging", title: flags });
    this.riskButton = toggle("Risks", () => this.toggle(this.riskButton), { id: "play-risks", title: risks });
    this.adviceButton = toggle("Advice", () => this.toggle(this.adviceButton), {
      id: "play-advice",
      title: advice,
    });
    this.undoButton = button("Undo", () => this.undo(), { id: "play-undo" });
    this.hintButton = button("Hint", () => this.hint(), { id: "play-hint" });
    this.safeButton = button("Safe cells", () => this.openSafe(), {
      id: "play-safe",
      title: "Open all cells that are safe now",
    });
    this.warn = option("play", "warn", "Warn me before a risky move while a safe cell exists", { usual: true });
    this.auto = option("play", "auto", "Make moves that single numbers settle by themselves", {
      onchange: () => this.settleTrivial(),
    });
    this.message = h("p", { class: "lead" });
    this.cancel = button("Cancel", () => this.dealing.cancel(), { class: "link", hidden: true, id: "play-cancel" });
    this.reopen = button("Review", () => this.openReview(), {
      class: "link",
      hidden: true,
      id: "play-review",
    });
    this.rated = h("p", { class: "note rated", "aria-live": "polite" });
    this.said = h("div", { class: "told" });
    this.sheet = new Sheet({ label: "Help", contents: [this.said], onClose: () => this.closed() });
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
          this.undoButton,
          this.hintButton,
          this.safeButton,
          this.riskButton,
          this.adviceButton,
        ),
        h("div", { class: "status" }, this.message, this.cancel, this.reopen),
        this.board.element,
        this.rated,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Your game" },
        this.sheet.element,
        this.ending.card,
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
    this.dealing.cancel();
    this.coach.cancel();
    this.ending.leave();
    this.watch.reset();
    this.game = null;
    this.asked = null;
    this.rated.textContent = "";
    this.needs.disabled = opened !== null;
    for (const one of [this.riskButton, this.adviceButton]) press(one, false);
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
      this.ending.showCard();
      this.tell(BEGIN);
      if (this.game.help.size && this.luck !== "any") this.pointAtStart();
    } catch (error) {
      this.tell(error.message);
    }
    this.tick();
  }

  // A board without a guess is the same board from the same first cell only.
  pointAtStart() {
    this.board.mark({ region: [this.firstCell] });
    this.tell(`Open ${this.board.coordinates(this.firstCell)} for the same board.`);
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
    this.reopen.hidden = true;
    if (contents.length) this.sheet.open();
    else this.sheet.close();
  }

  openReview() {
    this.sheet.open();
    this.reopen.hidden = true;
  }

  // The user has closed the sheet.
  closed() {
    if (this.coach.speaks) this.coach.hide();
    if (this.over) this.ending.walk(null);
    this.reopen.hidden = !this.over;
  }

  tick() {
    const { game } = this;
    this.mines.textContent = game ? String(game.over === "won" ? 0 : game.total - game.flags) : "";
    this.undoButton.disabled = !game?.moves.length;
    const helps = [this.hintButton, this.safeButton, this.riskButton, this.adviceButton];
    for (const one of helps) one.disabled = !game || Boolean(game.over);
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
    const { walked } = this.ending;
    const symbol = (walked?.before ?? this.game.symbols)[index];
    if (this.over && !walked) {
      const mine = this.game.dealt.shown[index] === "*";
      return mine && this.over === "won" ? lookOf("F") : lookOf(symbol, { mine });
    }
    const wins = symbol === "#" && !walked ? this.wins?.get(index) : null;
    return wins ? { symbol, ...wins } : lookOf(symbol, { odds: walked ? null : this.odds(index) });
  }

  // The risk of a cell, if risks are shown.
  odds(index) {
    return this.risks ? this.risks.odds[this.risks.cells[index]] : null;
  }

  tip(index) {
    if (!this.game || this.over || !isCovered(this.game.symbols[index])) return null;
    const wins = this.wins?.get(index);
    const odds = this.odds(index);
    const parts = [odds && `risk ${fraction(odds.percent, odds.exact)}`, wins?.label].filter(Boolean);
    return parts.length ? [h("strong", {}, this.board.coordinates(index)), ` ${parts.join(", ")}`] : null;
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
        else if (sure || !this.warn.checked || !(await this.coach.warned(indices))) this.moved(game.open(indices));
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
    const { game } = this;
    // A layout may say where play starts; that cell is open before the first choice.
    this.firstCell = this.given ?? index;
    const first = asked.layout ? "any" : this.settings.first.value;
    const start = this.board.place(this.firstCell);
    let found;
    try {
      found = await this.dealing.deal({ ...asked, first, start }, this.luck);
    } catch (error) {
      if (isCancelled(error) && game === this.game) this.tell(BEGIN);
      throw error;
    }
    if (game !== this.game) return;
    this.begun(this.board);
    this.asked = found.asked;
    this.dealtBefore = this.boardKey;
    this.watch.start();
    this.moved(game.deal(found.dealt, this.firstCell));
    this.dealing.rated(found.dealt).then(
      (text) => {
        this.rated.textContent = text;
      },
      () => {}, // another game has begun
    );
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
    this.refresh();
    if (this.warn.checked && opened.length) this.coach.analysis().catch(() => {});
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

  // Remove everything that is known or shown of the position before.
  forget() {
    this.risks = null;
    this.wins = null;
    this.coach.forget();
  }

  end() {
    this.watch.stop();
    for (const one of [this.riskButton, this.adviceButton]) press(one, false);
    this.board.drawAll();
    this.tick(); // so that the message has the time that the clock shows from now on
    this.ending.show(this.watch.seconds);
    this.keepSoon();
  }

  newGame() {
    document.getElementById("play-new").click();
  }

  undo() {
    const { game } = this;
    if (!game) return;
    const wasOver = game.over;
    if (!game.undo()) return;
    if (wasOver) this.watch.start();
    this.ending.leave();
    this.forget();
    this.say();
    this.board.drawAll();
    this.tell("Move undone.");
    this.refresh();
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

  hint() {
    const { game } = this;
    if (!game || game.over) return;
    if (game.dealt) this.coach.more();
    else this.tell(FIRSTS.find(([name]) => name === this.settings.first.value)[2]);
  }

  openSafe() {
    if (this.game?.dealt && !this.game.over) this.coach.openSafe();
  }

  // Switch risks or advice on the board on or off; one of them is shown at a time.
  toggle(pressed) {
    press(pressed);
    press(pressed === this.riskButton ? this.adviceButton : this.riskButton, false);
    this.risks = null;
    this.wins = null;
    this.coach.hide();
    this.say();
    this.message.textContent = "";
    this.board.drawAll();
    this.refresh();
  }

  // Show risks or advice, if the user wants that.
  refresh() {
    if (!this.game?.dealt || this.over) return;
    if (isPressed(this.riskButton)) {
      this.coach.risks((answer) => {
        if (!isPressed(this.riskButton)) return;
        this.risks = answer;
        this.board.drawAll();
      });
    }
    if (isPressed(this.adviceButton)) this.coach.advice((advice) => this.showAdvice(advice));
  }

  showAdvice(advice) {
    // A hint or a warning goes first.
    if (!isPressed(this.adviceButton) || this.coach.speaks) return;
    const { board } = this;
    const mark = (cells) => board.mark({ ...marksOf(board, advice), target: board.indices(cells) });
    this.wins = looksOf(board, advice);
    board.drawAll();
    mark([]);
    this.tell(said(advice.sentence, board));
    if (advice.kind === "safe" || !advice.candidates.length) return;
    this.say(h("p", { class: "advised" }, told(advice.sentence, board)), ...adviceList(board, advice, mark));
    this.sheet.reveal(board, board.indices([advice.candidates[0].cell]));
  }

  // A link carries the board, the first cell, which decides where the mines are, and the position.
  async link() {
    const game = { ...(await this.settings.query()), luck: this.luck === "any" ? null : this.luck };
    if (!this.game?.dealt) return address("play", game);
    return address("play", {
      ...game,
      start: this.board.place(this.firstCell).join(","),
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

// How advice makes cells look: safe, or with their chance to win.
function looksOf(board, advice) {
  if (advice.kind !== "safe") return winLooks(board, advice);
  return new Map(advice.candidates.map(({ cell }) => [board.index(cell), { heat: 0, text: "", label: "safe" }]));
}
