// @ts-check
// Play: a game for the user, with hints in steps, help that can be switched on, times that are kept, and a review.
//
// What is shown follows from the state (state.js): moves (moves.js) and help (coach.js) change it, and `draw` shows it.

import { address, packed } from "../basics/address.js";
import { field } from "../basics/controls.js";
import { $, announce, arrange, button, debounce, h, plural } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { actOf } from "../basics/keys.js";
import { layoutText } from "../basics/position.js";
import { Board } from "../board/board.js";
import { lookOf } from "../board/look.js";
import { isCancelled } from "../engine/latest.js";
import { packedClicks, toldClicks } from "../shared/clicks.js";
import { Settings } from "../shared/settings.js";
import { Sheet } from "../shared/sheet.js";
import { View } from "../shared/view.js";
import { said } from "../words/places.js";
import { Archive } from "./archive.js";
import { Coach } from "./coach.js";
import { PlayControls } from "./controls.js";
import { leftOf, toldCounts } from "./counts.js";
import { Dealing, FIRSTS } from "./dealing.js";
import { ArchiveCard, Ending } from "./ending.js";
import { guessingOf } from "./guessing.js";
import { Help } from "./help.js";
import { Moves } from "./moves.js";
import { PlayState } from "./state.js";
import { ticking } from "./stopwatch.js";

/** Changes after which all cells are drawn again. @type {(keyof PlayState)[]} */
const ON_BOARD = ["game", "risks", "advice", "ended"];

export class PlayView extends View {
  state = PlayState.kept();
  /** True while this view is the one that is shown. */
  isShown = false;
  /** The last game that has an address, and that. @type {{ game: import("./game.js").Game, link: string } | null} */
  addressed = null;
  keepSoon = debounce(300, () => this.keep());

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("play", element, page);
    const { connection } = this;
    this.settings = new Settings(page.about, { level: "beginner", firsts: FIRSTS });
    /** @type {Board} */
    this.board = new Board({
      label: "Your game",
      least: 26,
      roomy: 34,
      most: 48,
      below: 100,
      look: (index) => this.look(index),
      tip: (index) => this.tip(index),
    });
    const { board } = this;
    const archive = new Archive();
    this.coach = new Coach(this);
    this.dealing = new Dealing(connection, (text) => {
      this.draw({ isSearching: text !== "" });
      if (text) this.tell(text);
    });
    const { coach, dealing } = this;
    const moves = new Moves(this, { archive, coach, dealing });
    this.moves = moves;
    this.controls = new PlayControls(this.state, {
      set: (change) => this.draw(change),
      guess: (guessing) => {
        this.draw({ guessing });
        this.start();
      },
      ...{ moves, coach, dealing },
    });
    this.sheet = new Sheet({ label: "Help", contents: [], onClose: () => this.closed() });
    const buttons = [
      button("New game", () => this.newGame(), { class: "main", id: "play-next" }),
      button("Open in Review", () => page.reviewOf(this.state.question ?? {}, this.state.game?.path ?? []), {
        id: "play-reviewed",
      }),
      this.fileButton,
    ];
    const question = () => this.picture();
    this.ending = new Ending({ connection, board, sheet: this.sheet, buttons, question });
    this.help = new Help({
      board,
      ended: this.ending.element,
      onMore: () => moves.hint(),
      onSafe: (cell) => {
        coach.showSafe(cell);
        board.focus(board.index(cell));
      },
      onOpen: ({ cells, number }) => moves.open(cells, { sure: true, number }),
      onDismiss: () => this.draw({ help: null }),
      onPoint: (pointed) => this.draw({ pointed }),
    });
    this.sheet.body.append(this.help.element);
    this.card = new ArchiveCard(archive);
    this.tick = ticking(() => this.controls.drawTime());
    element.append(...this.#elements());
    window.addEventListener("pagehide", () => this.#keepRest());
    this.draw();
  }

  #elements() {
    const { board, card, controls, ending, settings, sheet } = this;
    const form = settings.form("play", () => this.start(), { beside: [field("Guesses", controls.guesses)] });
    form.addEventListener("change", () => !this.state.game?.moves.length && this.start());
    controls.bar.prepend(settings.newButton);
    const title = h("h1", { id: "play-title", class: "unseen" }, "Play");
    const open = () => this.state.game && this.page.solve(this.state.game.position().toString());
    const solve = button("Open in Solve", open, { id: "play-solve" });
    const row = h("div", { class: "row" }, this.shareButton, solve, this.pictureButton());
    const below = [ending.best.transport.element, controls.meaning, controls.rated, controls.rate];
    const actions = h("section", { class: "card" }, row);
    return [
      h("div", { class: "stage" }, title, controls.bar, controls.status, board.element, below),
      h(
        "aside",
        { class: "panel", "aria-label": "Your game" },
        ...[sheet.element, form, card.element, controls.options, actions],
      ),
    ];
  }

  /** @param {boolean} boardFirst */
  arrange(boardFirst) {
    const { bar, status } = this.controls;
    const board = this.board.element;
    arrange(board, boardFirst ? [bar, board, status] : [bar, status, board]);
  }

  /**
   * Change the state, and show it.
   * @param {Partial<PlayState>} [change]
   * @param {number[] | null} [cells] those that look otherwise, where not all may
   */
  draw(change = {}, cells = null) {
    const { board, controls, ending, help, sheet } = this;
    const before = this.state;
    this.state = before.with(change);
    const { state } = this;
    const { game } = state;
    if (game && game !== before.game) {
      board.shape(game.geometry, game.rows, game.cols);
      board.label = `Your game, ${game.rows} rows of ${game.cols}, ${plural(game.total, "mine")}`;
    }
    ending.draw(state);
    if (cells) for (const index of cells) board.draw(index);
    else if (ON_BOARD.some((name) => name in change)) board.drawAll();
    if (!game?.over || state.ended !== before.ended) board.mark(state.marks);
    board.on = this.#actions();
    controls.draw(state, board);
    const isOther = help.draw(state);
    if (!state.says || state.closed) sheet.close();
    else if (isOther || before.closed) sheet.open();
    if (state.says !== before.says || state.help !== before.help) this.#reveal();
    if (state.ended && state.ended !== before.ended) ending.celebrate(state);
    if ("setup" in change || "guessing" in change || "ended" in change) this.card.draw(state.board);
    this.tick(this.isShown && state.began !== null);
    this.showPicture();
  }

  /** What gestures and keys do on a cell, as the user has chosen. @returns {import("../board/pointers.js").Actions} */
  #actions() {
    const { buttons } = this.state;
    const chosen = /** @type {[import("./buttons.js").Gesture, import("./buttons.js").Action][]} */ (
      Object.entries(buttons)
    );
    const acts = chosen.flatMap(([gesture, action]) =>
      action === "none" ? [] : [[gesture, (/** @type {number} */ index) => this.moves.act(action, index)]],
    );
    return {
      ...Object.fromEntries(acts),
      atOnce: buttons.right === "flag",
      sunk: (gesture, index) => this.state.sunk(buttons[gesture], index),
      key: (index, event) => event.key.toLowerCase() === "f" && this.moves.act("flag", index) !== false,
    };
  }

  // Scroll to what the help is about.
  #reveal() {
    const { advice, help, marks, says } = this.state;
    const shown = [marks.bad, marks.best, marks.clue, marks.region].flatMap((indices) => indices ?? []);
    if (help || (says && says === advice)) this.sheet.reveal(this.board, shown);
  }

  /** Say something above the board, and to screen readers. @param {Sentence} message */
  tell(...message) {
    this.draw({ message });
    announce(said(message, this.board));
  }

  announce = announce;

  /** @param {URLSearchParams} query */
  async enter(query) {
    const signal = this.wanted.next();
    if ([...query.keys()].length) {
      await this.settings.take(query);
      if (signal.aborted) return;
      this.draw({ guessing: guessingOf(query.get("luck"), query.get("redraw")) });
      const start = /^(\d{1,5}),(\d{1,5})$/.exec(query.get("start") ?? "");
      const left = kept.get("play-game");
      if (!(await this.start({ isNew: false }))) return;
      const [code, counts, mined] = ["m", "n", "mined"].map((name) => query.get(name));
      const own = left?.link === location.href ? left : null;
      if (code) await this.moves.resume({ code, counts, mined, left: own });
      else if (start) await this.moves.open([this.board.index([Number(start[1]), Number(start[2])])]);
    } else if (!this.state.game) {
      await this.restore();
      if (!signal.aborted) await this.start();
    }
    this.board.fit();
  }

  arrive() {
    this.isShown = true;
    this.draw();
  }

  leave() {
    this.isShown = false;
    this.draw();
  }

  // Take the board that was played last.
  async restore() {
    const board = kept.get("play-board");
    if (!board) return;
    const { needs, rule, ...size } = board;
    await this.settings.take(new URLSearchParams(Object.entries(size).map(([name, value]) => [name, String(value)])));
    this.draw({ guessing: guessingOf(needs, rule) });
  }

  /** @param {string} layout */
  bring(layout) {
    this.settings.bring(layout);
    return this.start();
  }

  /** Begin a game as the form says; false if another one was wanted meanwhile. `isNew`: it has no address yet. */
  async start({ isNew = true } = {}) {
    const signal = this.wanted.next();
    const { asked, board, opened } = this.settings;
    const { rows, cols, mines, topology } = board;
    const first = opened ? "any" : this.settings.first.value;
    const setup = { ...board, asked, first, opened: opened !== null, start: opened?.start ?? null };
    const query = this.settings.query();
    this.moves.leave();
    try {
      this.draw({ setup: { ...setup, query: await query } });
      const geometry = await this.connection.ask("grid", { rows, cols, topology }, { signal });
      if (!(mines <= rows * cols))
        throw new Error(`${plural(mines, "mine")} do not fit into ${plural(rows * cols, "cell")}.`);
      this.moves.begin(geometry);
      if (isNew) this.keepSoon();
    } catch (error) {
      if (isCancelled(error)) return false;
      this.tell(/** @type {Error} */ (error).message);
    }
    return true;
  }

  newGame() {
    $("play-new").click();
  }

  // The user has closed the sheet.
  closed() {
    if (this.state.ended) this.ending.review.walk(Infinity);
    this.draw({ closed: true, help: null });
  }

  get over() {
    return this.state.game?.over ?? null;
  }

  /** The question about the game: the board and the clicks. */
  picture() {
    const { game, guesses, question } = this.state;
    const mode = guesses.needs === "any" ? {} : { mode: "no guess" };
    return { ...question, ...mode, moves: toldClicks(game?.path ?? [], this.board.cols) };
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const shown = this.ending.symbolOf(this.state, index);
    return shown ? lookOf(shown.symbol, shown) : this.state.look(index);
  }

  /** @param {number} index */
  tip(index) {
    const known = this.state.tip(index);
    return known ? [h("strong", {}, this.board.coordinates(index)), ` ${known}`] : null;
  }

  // A link carries the board, the first cell, which decides where the mines are, and all clicks.
  async link() {
    const { firstCell, game, guesses, setup } = this.state;
    const { needs, rule } = guesses;
    const query = {
      ...setup?.query,
      luck: needs === "any" ? null : needs,
      redraw: rule === "never" ? null : rule,
    };
    if (!game?.dealt || firstCell === null) return address("play", query);
    return address("play", {
      ...query,
      mined: game.rule === "never" ? null : await packed(layoutText(game.dealt)),
      start: game.place(firstCell).join(","),
      m: packedClicks(game.path),
      n: toldCounts(game),
    });
  }

  /** Keep the game in the address. */
  async keep() {
    const { game } = this.state;
    const link = await this.link();
    this.page.keep("play", link);
    this.addressed = game && { game, link };
    this.#keepRest();
  }

  // Keep what the address does not tell of the game, so that it goes on after a reload as it was left.
  #keepRest() {
    const { addressed, state } = this;
    if (!addressed || addressed.game !== state.game) return;
    kept.set("play-game", leftOf(addressed.game, addressed.link, state.secondsAt(performance.now())));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const act = actOf("play", event);
    if (act === "new" || (act === "again" && this.over)) this.newGame();
    else if (act === "hint") this.moves.hint();
    else if (act === "safe") this.moves.openSafe();
    else return super.key(event);
    return true;
  }

  undo() {
    this.moves.undo();
  }
}
