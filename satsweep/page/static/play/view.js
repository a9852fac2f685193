// @ts-check
// Play: a game for the user, with hints in steps, help that can be switched on, times that are kept, and a review.

import { address, packed, unpacked } from "../basics/address.js";
import { $, announce, plural } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { inWords, isCovered, layoutText } from "../basics/position.js";
import { Board } from "../board/board.js";
import { lookOf } from "../board/look.js";
import { isCancelled } from "../engine/connection.js";
import { trivial } from "../engine/trivial.js";
import { packedClicks, toldClicks, unpackedClicks } from "../shared/clicks.js";
import { View } from "../shared/view.js";
import { Aids } from "./aids.js";
import { Coach } from "./coach.js";
import { FIRSTS, PlayControls } from "./controls.js";
import { takeCounts, toldCounts } from "./counts.js";
import { Dealing, NEEDS } from "./dealing.js";
import { Ending } from "./ending.js";
import { GUESSES, redrawMines, redrawnStart } from "./fairness.js";
import { Game } from "./game.js";
import { Hands } from "./hands.js";
import { PlayState } from "./state.js";
import { Stopwatch } from "./stopwatch.js";

const BEGIN = "Open a cell to begin.";

export class PlayView extends View {
  state = new PlayState();

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("play", element, page);
    /** @type {Board} */
    this.board = new Board({
      label: "Your game",
      least: 26,
      roomy: 34,
      most: 48,
      below: 100,
      look: (index) => this.look(index),
      tip: (index) => this.aids.tip(index),
      on: { key: (/** @type {number} */ index, /** @type {KeyboardEvent} */ event) => this.hands.typed(index, event) },
    });
    this.hands = new Hands(this);
    this.watch = new Stopwatch(() => this.controls.showTime(this.watch.seconds));
    this.coach = new Coach(this);
    /** @type {Aids} */
    this.aids = new Aids(this);
    this.dealing = new Dealing(this.connection, (text) => {
      this.controls.cancel.hidden = !text;
      if (text) this.tell(text);
    });
    /** @type {PlayControls} */
    this.controls = new PlayControls(this);
    this.ending = new Ending(this);
    element.append(...this.controls.elements(this.ending.card));
  }

  /** @param {boolean} boardFirst */
  arrange(boardFirst) {
    this.controls.arrange(boardFirst);
  }

  get game() {
    return this.state.game;
  }

  get settings() {
    return this.controls.settings;
  }

  get sheet() {
    return this.controls.sheet;
  }

  get over() {
    return this.game?.over ?? null;
  }

  /** @param {...(string | Cell)} sentence words and cells */
  tell(...sentence) {
    this.controls.tell(sentence);
  }

  /** @param {...any} contents */
  say(...contents) {
    this.controls.say(...contents);
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    const signal = this.wanted.next();
    if ([...query.keys()].length) {
      await this.settings.take(query);
      if (signal.aborted) return;
      const luck = query.get("luck") ?? "";
      this.controls.needs.value = luck in NEEDS ? luck : "any";
      const rule = query.get("redraw") ?? "";
      this.controls.guesses.value = rule in GUESSES ? rule : "never";
      const start = /^(\d{1,5}),(\d{1,5})$/.exec(query.get("start") ?? "");
      if (!(await this.start())) return;
      const clicks = query.get("m");
      const mines = query.get("mined");
      if (clicks) await this.resume(clicks, query.get("n"), mines);
      else if (start) await this.open([this.board.index([Number(start[1]), Number(start[2])])]);
    } else if (!this.game) {
      await this.restore();
      if (!signal.aborted) await this.start();
    }
    this.board.fit();
  }

  arrive() {
    this.watch.show(true);
  }

  leave() {
    this.watch.show(false);
  }

  // Take the board that was played last.
  async restore() {
    const board = kept.get("play-board");
    if (!board) return;
    const { needs, rule, ...size } = board;
    await this.settings.take(new URLSearchParams(Object.entries(size).map(([name, value]) => [name, String(value)])));
    if (needs in NEEDS) this.controls.needs.value = needs;
    if (rule in GUESSES) this.controls.guesses.value = rule;
  }

  /** @param {string} layout */
  bring(layout) {
    this.settings.bring(layout);
    this.controls.needs.value = "any";
    return this.start();
  }

  /**
   * Make the clicks of a link again; `mines` are those at its end, where they were redrawn.
   * @param {string} code
   * @param {string | null} counts the clicks by button
   * @param {string | null} [mines]
   */
  async resume(code, counts, mines = null) {
    const { game } = this;
    if (!game) return;
    try {
      const layout = mines && (await unpacked(mines));
      for (const click of unpackedClicks(code, game.symbols.length)) {
        if (click.action === "open" && !game.dealt) await this.deal(click.index, layout);
        else game.repeat(click);
        if (game !== this.game || game.over) break;
      }
    } catch (error) {
      if (!isCancelled(error)) this.tell(/** @type {Error} */ (error).message);
    }
    if (game !== this.game || !game.moves.length) return;
    game.help.add("link");
    takeCounts(game, counts);
    this.watch.reset(game.lastTime / 1000);
    if (game.dealt && !game.over) this.watch.start();
    this.board.drawAll();
    this.aids.forget();
    if (game.over) this.end();
    else this.shown();
  }

  /** Begin a game as the form says; false if another one was wanted meanwhile. */
  async start() {
    const signal = this.wanted.next();
    const { state, controls } = this;
    const { asked, opened } = this.settings;
    const { rows, cols, mines, topology } = this.settings.board;
    this.dealing.cancel();
    this.coach.cancel();
    this.ending.leave();
    this.watch.reset();
    state.game = null;
    state.asked = null;
    controls.rated.textContent = "";
    controls.needs.disabled = opened !== null;
    controls.showRule(asked.clues === "exact");
    controls.release();
    this.aids.forget();
    this.say();
    try {
      const geometry = await this.connection.ask("grid", { rows, cols, topology }, { signal });
      if (!(mines <= rows * cols))
        throw new Error(`${plural(mines, "mine")} do not fit into ${plural(rows * cols, "cell")}.`);
      this.board.shape(geometry, rows, cols);
      this.board.label = `Your game, ${rows} rows of ${cols}, ${plural(mines, "mine")}`;
      const clock = () => this.watch.seconds;
      const { rule } = controls;
      const game = new Game({ rows, cols, geometry, topology, clues: asked.clues, total: mines, rule, clock });
      state.game = game;
      if (state.dealtBefore === this.boardKey) game.help.add("board seen before");
      state.given = opened?.start ? this.board.index(opened.start) : null;
      state.luck = opened ? "any" : controls.needs.value;
      if (!opened) kept.set("play-board", { rows, cols, mines, needs: state.luck, rule });
      this.board.drawAll();
      this.ending.showCard();
      this.tell(BEGIN);
      if (game.help.size && state.luck !== "any") this.pointAtStart();
    } catch (error) {
      if (isCancelled(error)) return false;
      this.tell(/** @type {Error} */ (error).message);
    }
    this.tick();
    return true;
  }

  // A board without a guess is the same board from the same first cell only.
  pointAtStart() {
    const { firstCell } = this.state;
    if (firstCell === null) return;
    this.board.mark({ region: [firstCell] });
    this.tell("Open ", this.board.place(firstCell), " for the same board.");
  }

  // What decides where the mines are, but for the first cell.
  get boardKey() {
    return JSON.stringify([this.settings.asked, this.controls.needs.value, this.controls.rule]);
  }

  solve() {
    if (this.game) this.page.solve(this.game.position().toString());
  }

  // The user has closed the sheet.
  closed() {
    if (this.coach.speaks) this.coach.hide();
    if (this.over) this.ending.review.walk(Infinity);
    this.controls.reopen.hidden = !this.over;
  }

  tick() {
    this.controls.show(this.game);
    this.controls.showTime(this.watch.seconds);
    this.showPicture();
  }

  // The fields that ask about the game, without clicks. A game with mines that are redrawn is one on the last of them.
  get asked() {
    const { asked, game } = this.state;
    if (!asked || !game?.dealt || game.rule === "never") return asked;
    return { layout: layoutText(game.dealt), first: asked.first, start: asked.start, redraw: game.rule };
  }

  // The question about the game: the board and the clicks.
  picture() {
    const mode = this.state.luck === "any" ? {} : { mode: "no guess" };
    return { ...this.asked, ...mode, moves: toldClicks(this.game?.path ?? [], this.board.cols) };
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const { game } = this;
    if (!game) return lookOf("#");
    const best = this.ending.best.symbols;
    if (best) return lookOf(best[index], { mine: game.dealt?.shown[index] === "*" });
    const walk = this.ending.review.state;
    if (walk.isWalking) return lookOf(walk.symbols[index]);
    const symbol = game.symbols[index];
    if (game.over) {
      const mine = game.dealt?.shown[index] === "*";
      return mine && game.over === "won" ? lookOf("F") : lookOf(symbol, { mine });
    }
    return this.aids.look(index, symbol);
  }

  /**
   * Open cells once the moves before have been made: while the server thinks no click is lost. `sure`: without a warning;
   * `number`: by a chord on it.
   * @param {number[]} indices
   * @param {{ sure?: boolean, number?: number | null }} [how]
   */
  open(indices, { sure = false, number = null } = {}) {
    const { game, state } = this;
    if (!game || game.isDealing) return state.turn;
    game.isDealing = !game.dealt;
    state.turn = state.turn.then(async () => {
      if (game !== this.game || game.over) return;
      try {
        if (!game.dealt) this.moved(await this.deal(indices[0]));
        else if (sure || !this.controls.warn.checked || !(await this.coach.warned(indices, number)))
          await this.openSettled(indices, number);
      } catch (error) {
        if (!isCancelled(error)) this.tell(/** @type {Error} */ (error).message);
      } finally {
        game.isDealing = false;
      }
    });
    return state.turn;
  }

  /** @param {Game} game */
  redrawing(game) {
    return { connection: this.connection, game, seed: this.settings.asked.seed };
  }

  /**
   * Open cells; the rule about guesses may redraw the mines before.
   * @param {number[]} indices
   * @param {number | null} [number]
   */
  async openSettled(indices, number = null) {
    const { game } = this;
    if (!game) return;
    await redrawMines(this.redrawing(game), indices);
    if (game === this.game && !game.over) this.moved(game.open(indices, number));
  }

  /**
   * Open the first cell: the server places the mines so that it is what the settings say. The cells that change.
   * @param {number} index
   * @param {string | null} [layout] the mines of a link, where they were redrawn
   */
  async deal(index, layout = null) {
    const { asked } = this.settings;
    const { game, state } = this;
    // A layout may say where play starts; that cell is open before the first choice.
    state.firstCell = state.given ?? index;
    const first = asked.layout ? "any" : this.settings.first.value;
    const start = this.board.place(state.firstCell);
    let found;
    try {
      if (layout) {
        const { dealt } = await this.dealing.deal({ ...asked, layout, first: "any", start }, "any");
        found = { dealt, asked: { first, start } };
      } else {
        found = await this.dealing.deal({ ...asked, first, start }, state.luck);
        if (game && first === "any")
          found.dealt = await redrawnStart(this.redrawing(game), found.dealt, state.firstCell);
      }
    } catch (error) {
      if (isCancelled(error) && game === this.game) this.tell(BEGIN);
      throw error;
    }
    if (!game || game !== this.game) return null;
    state.asked = found.asked;
    state.dealtBefore = this.boardKey;
    this.watch.start();
    const changed = game.deal(found.dealt, state.firstCell);
    if (state.luck !== "any") this.rate();
    return changed;
  }

  /** Nobody can know what the board needs, but by help; mines that are redrawn may still change it. */
  get hidesNeeds() {
    const { game, state, controls } = this;
    const isOpen = game?.dealt?.exact && !game.over && game.rule === "never";
    return Boolean(isOpen && state.luck === "any" && !controls.rated.textContent);
  }

  // Tell what the board needs. It is help where the player asks during a game.
  rate() {
    const { game, state, controls } = this;
    if (!game?.dealt || (game.rule !== "never" && state.luck === "any")) return;
    if (this.hidesNeeds) game.help.add("whether a guess is needed");
    this.dealing.rated(game.dealt).then(
      (text) => {
        controls.rated.textContent = text;
        this.tick();
      },
      () => {}, // another game has begun
    );
  }

  /** Show what a move has changed, and what follows from it. @param {number[] | null} changed indices of cells */
  moved(changed) {
    const { game } = this;
    if (!changed || !game?.last) return;
    this.aids.forget();
    if (game.over) {
      this.end();
      return;
    }
    for (const index of changed) this.board.draw(index);
    const opened = changed.filter((index) => !isCovered(game.symbols[index]));
    const at = opened.length ? game.lastOpened : game.last.clicks[0].index;
    const one = at !== null && changed.includes(at) ? at : changed[0];
    const more = opened.length > 1 ? `, and ${plural(opened.length - 1, "more cell")} opened` : "";
    announce(`${this.board.name(one)}: ${inWords(game.symbols[one])}${more}`);
    this.shown();
    if (opened.length && this.settleTrivial()) return;
    this.aids.refresh();
    if (this.controls.warn.checked && opened.length) this.coach.analysis().catch(() => {});
  }

  // Say no more of the position before.
  shown() {
    this.controls.message.textContent = "";
    this.say();
    this.tick();
    this.keepSoon();
  }

  // Make the moves that single numbers settle, if the user wants that; true if there were any.
  settleTrivial() {
    const { game } = this;
    if (!this.controls.auto.checked || !game?.dealt?.exact || game.over) return false;
    const { safe, mines } = trivial(game.symbols, game.neighbours);
    const flags = [...mines].filter((index) => game.symbols[index] === "#");
    const opens = [...safe].filter((index) => game.symbols[index] === "#");
    if (!flags.length && !opens.length) return false;
    game.help.add("automatic moves");
    if (flags.length) {
      const changed = game.flag(flags);
      if (!opens.length) this.moved(changed);
      else for (const index of changed ?? []) this.board.draw(index);
    }
    if (opens.length) this.moved(game.open(opens)); // certain cells, which no rule changes
    return true;
  }

  end() {
    this.watch.reset((this.game?.lastTime ?? 0) / 1000); // as the address has it
    this.controls.release();
    this.board.drawAll();
    this.tick(); // so that the message has the time that the clock shows from now on
    this.ending.show(this.watch.seconds);
    if (!this.controls.rated.textContent) this.rate();
    this.keepSoon();
  }

  newGame() {
    $("play-new").click();
  }

  undo() {
    const { game } = this;
    if (!game) return;
    const wasOver = game.over;
    if (!game.undo()) return;
    if (wasOver) this.watch.start();
    this.ending.leave();
    this.aids.forget();
    this.shown();
    this.board.drawAll();
    this.tell("Move undone.");
    this.aids.refresh();
  }

  /** @param {number} index */
  flag(index) {
    this.moved(this.game?.flag([index]) ?? null);
  }

  hint() {
    const { game } = this;
    if (!game || game.over) return;
    if (game.dealt) this.coach.more();
    else this.tell(FIRSTS.find(([name]) => name === this.settings.first.value)?.[2] ?? "");
  }

  openSafe() {
    if (this.game?.dealt && !this.game.over) this.coach.openSafe();
  }

  // A link carries the board, the first cell, which decides where the mines are, and all clicks.
  async link() {
    const { game, state } = this;
    const { rule } = this.controls;
    const query = {
      ...(await this.settings.query()),
      luck: state.luck === "any" ? null : state.luck,
      redraw: rule === "never" ? null : rule,
    };
    if (!game?.dealt || state.firstCell === null) return address("play", query);
    return address("play", {
      ...query,
      mined: game.rule === "never" ? null : await packed(layoutText(game.dealt)),
      start: this.board.place(state.firstCell).join(","),
      m: packedClicks(game.path),
      n: toldCounts(game),
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.hands.key(event) || super.key(event);
  }
}
