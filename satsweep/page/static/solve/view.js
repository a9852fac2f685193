// @ts-check
// Solve: a position to draw, paste or drop; the risk of every cell with its reason, or why the board is impossible.
//
// What is shown follows from the state (state.js): edits and answers make another one, and `draw` shows it.

import { address, packed, unpacked } from "../basics/address.js";
import { field, select } from "../basics/controls.js";
import { announce, arrange, button, flash, h, ifNew, isNarrow, NARROW, plural, whenever } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { DEFAULTS, inWords, Position } from "../basics/position.js";
import { Board } from "../board/board.js";
import { isCancelled, Latest, Refused } from "../engine/latest.js";
import { upright } from "../shared/inputs.js";
import { View } from "../shared/view.js";
import { said } from "../words/places.js";
import { AnalysisCard } from "./analysis.js";
import { PEN } from "./drawing.js";
import { Fields } from "./fields.js";
import { front, presets } from "./front.js";
import { Legend } from "./legend.js";
import { Palette } from "./palette.js";
import { analyse } from "./questions.js";
import { SolveState } from "./state.js";

/** @typedef {import("./state.js").Known} Known */

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

export class SolveView extends View {
  state = new SolveState({ follow: kept.get("solve-follow") });
  /** What is asked about the position, and about a cell of it. */
  asking = new Latest();
  explaining = new Latest();
  /** What is done about reasons; loaded when one is wanted. @type {ReturnType<import("./why.js").whyOf> | null} */
  why = null;

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("solve", element, page);
    /** @type {Board} */
    this.board = new Board({
      label: "Position",
      below: 95,
      look: (index) => this.state.look(index),
      tip: (index) => this.tip(index),
      on: {
        left: (index) => this.choose(index),
        right: (index) => this.edit(this.state.flagged(index)),
        hold: (index) => this.edit(this.state.flagged(index)),
        atOnce: true,
        key: (index, event) => this.#typed(this.state.typed(index, event.key)),
        paint: (index, first) => this.edit(this.state.painted(index, first)),
        turn: (index, by) => this.edit(this.state.wheeled(index, by)),
      },
    });
    this.board.grid.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!this.#typed(this.state.pasted(this.board.current, text))) return; // it is opened then, as everywhere
      event.preventDefault();
      event.stopPropagation();
    });
    this.drawCells = ifNew(() => this.board.drawAll());
    this.palette = new Palette({
      pick: (tool) => this.draw(this.state.with({ tool })),
      follow: (follow) => {
        kept.set("solve-follow", follow);
        this.draw(this.state.with({ follow }));
      },
    });
    this.analysis = new AnalysisCard(this.board, Object.values(page.about.levels), {
      point: (cells) => this.point(cells),
      further: async (advice) => (await this.#why())?.lookFurther(this.#asked(this.asking), advice),
      walk: async (advice) => (await this.#why())?.go([], advice.candidates[0].cell),
      total: (mines) => this.set(this.state.position.copy({ mines })),
    });
    this.reason = h("section", { hidden: true });
    this.fields = new Fields((name, value) => this.settle({ ...this.state.form, [name]: value }));
    this.legend = new Legend((numbers) => this.draw(this.state.with({ numbers })));
    this.turnButton = button("Turn", () => this.set(this.state.position.turned()), {
      title: "Turn the board: rows become columns",
    });
    this.undoButton = button("Undo", () => this.undo());
    this.front = front(() => page.openDialog());
    const written = page.about.formats.filter((format) => format.written && format.boards);
    this.format = select(
      written.map(({ name }) => [name]),
      this.state.format,
      { onchange: (format) => this.draw(this.state.with({ format })) },
    );
    this.title = h("h1", { id: "solve-title", class: "unseen" }, "Solve a position");
    this.bars = this.#bars();
    const stage = h("div", { class: "stage" }, this.title, ...this.bars, this.board.element, this.legend.element);
    this.element.append(this.front, stage, this.#panel());
    // A narrow window has no room for the legend between the board and what is said of it.
    whenever(NARROW, (isNarrow) => (isNarrow ? this.element : this.legend.element).append(this.legend.key));
    this.draw();
  }

  /** @param {boolean} boardFirst */
  arrange(boardFirst) {
    const { bars, board, legend, title } = this;
    const order = boardFirst ? [board.element, ...bars] : [...bars, board.element];
    arrange(board.element, [title, ...order, legend.element]);
  }

  #bars() {
    const first = [
      button("Open or paste", () => this.page.openDialog(), { class: "main" }),
      presets(this.page.about.levels, (name) => this.preset(name)),
      button("Clear", () => this.#begin(this.state.position.cleared())),
      this.turnButton,
      this.undoButton,
      this.shareButton,
    ];
    const second = [this.palette.element, this.palette.follow];
    return [first, second].map((parts) => h("div", { class: "bar" }, parts));
  }

  #panel() {
    const { analysis, fields, format, reason } = this;
    const card = (/** @type {string} */ name, /** @type {any[]} */ parts, open = false) =>
      h("details", { class: "card", open }, h("summary", {}, name), parts);
    const buttons = [
      button("Copy", (event) => this.write(event.target, "copy")),
      button("Download", (event) => this.write(event.target, "file")),
    ];
    const saving = [h("div", { class: "fields" }, field("Format", format)), h("div", { class: "row" }, buttons)];
    const cards = [
      card("Board: size, mines, grid, cut sides", [fields.element], !isNarrow()),
      card("Save in another format", saving),
    ];
    const contents = [analysis.card, reason, analysis.listed, ...cards];
    return h("aside", { class: "panel", "aria-label": "Analysis" }, contents);
  }

  // Show the position of a link, or else the one that was shown last.
  async enter(/** @type {URLSearchParams} */ query) {
    const code = query.get("p");
    let isNew = !code; // nothing comes that could be shown
    if (code) {
      const signal = this.wanted.next();
      try {
        const text = await unpacked(code);
        const isKnown = Position.read(text) !== null;
        const found = isKnown ? text : (await this.connection.ask("read", { text }, { signal })).text;
        if (signal.aborted) return;
        await this.bring(found);
      } catch (error) {
        if (isCancelled(error)) return;
        isNew = true;
        this.page.complain(`This link does not hold a position: ${/** @type {Error} */ (error).message}`);
      }
    }
    if (!this.state.geometry && isNew) await this.bring(EXAMPLE);
    this.board.fit();
  }

  /** Show a position in satsweep's text form; the one before can be had back. @param {string} text */
  async bring(text) {
    const position = Position.of(text);
    const isOwn = position.toString() !== EXAMPLE;
    if (isOwn) this.#rememberSize(position);
    await this.set(position, { isOwn, isNew: true });
  }

  // Keep the size of a position for the preset "Last size".
  #rememberSize(/** @type {Position} */ { rows, cols, mines }) {
    kept.set("solve-size", { rows, cols, mines });
  }

  // Begin an empty board of a usual size, or of the size of the last position, ready to be drawn on.
  async preset(/** @type {string} */ name) {
    const { levels } = this.page.about;
    const level = levels[name] ? upright(levels[name]) : (kept.get("solve-size") ?? levels.expert);
    const { rows, cols, mines } = level;
    await this.#begin(new Position({ mines }).resized(rows, cols));
  }

  // Begin an empty board, which is drawn with the pen, or typed from its first cell on.
  async #begin(/** @type {Position} */ position) {
    this.#rememberSize(position);
    const change = { isOwn: true, isNew: false, tool: this.state.tool ?? PEN };
    if (!(await this.#show(position, change))) return;
    this.board.focus(0);
    await this.#analyse();
  }

  /** Show another position, and ask about it. @param {Position} position @param {Partial<SolveState>} [change] */
  async set(position, change = {}) {
    if (await this.#show(position, change)) await this.#analyse();
  }

  /**
   * Show another position; false if the user wants something else by the time its grid is known.
   * @param {Position} position
   * @param {Partial<SolveState>} change
   */
  async #show(position, change) {
    const signal = this.wanted.next();
    const { rows, cols, topology } = position;
    try {
      const geometry = await this.connection.ask("grid", { rows, cols, topology }, { signal });
      this.draw(this.state.showing(position, geometry, change));
      return true;
    } catch (error) {
      if (isCancelled(error)) return false;
      // The only thing that the server can refuse here is the grid; what the user has typed stays to be mended.
      if (!this.state.geometry) throw error;
      this.draw(this.state.with({ faults: { topology: /** @type {Error} */ (error).message } }));
      return false;
    }
  }

  /** The position is edited. @param {SolveState} state */
  edit(state) {
    const before = this.state.position;
    this.draw(state);
    if (state.position === before) return;
    for (const [index, symbol] of state.position.cells.entries())
      if (symbol !== before.cells[index]) this.board.draw(index); // the others stay until the answer comes
    this.wanted.cancel();
    this.#rememberSize(state.position);
    this.#analyse();
  }

  /** Something is typed on a cell; false if it draws nothing. @param {ReturnType<SolveState["typed"]>} typed */
  #typed(typed) {
    if (!typed) return false;
    const { state, cell, next } = typed;
    this.edit(state);
    announce(`${this.board.name(cell)}: ${inWords(state.position.cells[cell])}`);
    this.board.focus(next);
    return true;
  }

  undo() {
    const { history } = this.state;
    const before = history.at(-1);
    if (before) this.set(before, { history: history.slice(0, -1) });
  }

  /** The fields beside the board are changed. @param {import("./form.js").Form} form */
  async settle(form) {
    this.draw(this.state.with({ form }));
    const signal = this.wanted.next();
    const { applied } = await import("./form.js");
    if (signal.aborted) return;
    const { neighbours, position } = this.state;
    const { made, faults } = applied(form, position, neighbours, this.page.about.cells);
    this.draw(this.state.with({ faults }));
    if (made) await this.set(made);
  }

  /** Ask about the position that is shown. */
  async #analyse() {
    this.explaining.cancel();
    const asking = this.#asked(this.asking);
    try {
      await analyse(asking);
    } catch (error) {
      if (isCancelled(error)) return;
      this.draw(this.state.knowing({ phase: "refused" }));
      if (!(error instanceof Refused)) throw error;
      const { refused } = await import("./wrong.js");
      if (!asking.signal.aborted) this.draw(refused(this.state, error));
    }
  }

  /** A question about the position that is shown, which ends the one before. @param {Latest} latest */
  #asked(latest) {
    const { connection, state } = this;
    const signal = latest.next();
    const know = (/** @type {Partial<Known>} */ change) => this.#know(change, signal);
    return { connection, position: state.position, signal, know };
  }

  /** More is known of the position. @param {Partial<Known>} change @param {AbortSignal} signal */
  #know(change, signal) {
    if (signal.aborted) return;
    const { advice: before, chosen } = this.state.known;
    this.draw(this.state.knowing(change));
    const { advice, answer, impossible } = this.state.known;
    if (change.answer || change.impossible) this.keepSoon();
    if (change.impossible) announce(said(this.state.lead, this.board));
    if (!change.advice || !advice || !answer || impossible) return;
    if (!before) {
      const counts = `${plural(answer.safe, "safe cell")}, ${plural(answer.mines, "mine")}.`;
      announce(`${said(advice.sentence, this.board)} ${counts}`);
      if (chosen !== null) this.choose(chosen);
    }
    if (!this.state.isNew || !advice.candidates.length) return;
    this.state = this.state.with({ isNew: false });
    this.board.show(this.board.index(advice.candidates[0].cell));
  }

  /** Explain a covered cell, now or when the position is solved; any other ends it. @param {number} index */
  async choose(index) {
    const { impossible, walk: found } = this.state.known;
    const place = this.board.place(index);
    if (impossible) return;
    if (found?.node) {
      if (found.node.cells.some(({ cell }) => String(cell) === String(place))) this.why?.go(found.path, place);
      return;
    }
    this.draw(this.state.chose(index));
    const asking = this.#asked(this.explaining);
    if (this.state.known.chosen === null || !this.state.known.answer) return;
    await (await this.#why())?.explain(asking, index);
  }

  /** Point out cells that the advice names; the reason of a single one. @param {Cell[]} cells */
  async point(cells) {
    const target = this.board.indices(cells);
    if (target.length === 1) {
      await this.choose(target[0]);
      return;
    }
    this.draw(this.state.knowing({ target }));
    (await this.#why())?.explanation.sheet.reveal(this.board, target);
  }

  /** What is done about reasons, loaded when one is first wanted; null where it cannot be. */
  async #why() {
    try {
      const { whyOf } = await import("./why.js");
      if (this.why) return this.why;
      const ask = () => this.#asked(this.explaining);
      const know = (/** @type {Partial<Known>} */ change) => this.draw(this.state.knowing(change));
      const set = (/** @type {Position} */ position) => this.set(position);
      this.why = whyOf({ board: this.board, state: () => this.state, ask, know, set });
      this.reason.replaceWith(this.why.explanation.element);
      this.draw();
    } catch (error) {
      this.page.complain(/** @type {Error} */ (error).message);
    }
    return this.why;
  }

  /** Show a state: all that is seen follows from it. */
  draw(state = this.state) {
    this.state = state;
    const { board, element } = this;
    const { geometry, isOwn, known, position, tool } = state;
    const wins = state.numbers === "win" && known.wins;
    if (this.front.hidden !== isOwn) {
      this.front.hidden = isOwn;
      board.fit();
    }
    element.classList.toggle("inviting", state.isInviting);
    element.ariaBusy = geometry && ["asked", "counting"].includes(known.phase) ? "true" : null;
    this.undoButton.disabled = !state.history.length;
    this.turnButton.hidden = !isNarrow() || position.topology !== DEFAULTS.topology;
    this.format.value = state.format;
    this.palette.draw(state);
    this.fields.draw(state);
    this.analysis.draw(state);
    if (this.why) this.why.explanation.draw(state);
    else if (known.why || known.walk) this.#why();
    this.legend.draw(state);
    if (!geometry) return;
    board.painting = tool;
    board.grid.classList.toggle("drawing", tool !== null);
    board.label = `Position, ${position.rows} rows of ${position.cols}`;
    const isOther = board.geometry !== geometry;
    board.shape(geometry, position.rows, position.cols);
    // An answer mostly comes before the next frame: until then the cells stay as they are.
    if (isOther || known.phase !== "asked")
      this.drawCells([position, known.answer, known.solution, known.walk, known.phase, wins]);
    board.mark(state.marks());
  }

  /** What is known of a cell, for its tooltip. @param {number} index */
  tip(index) {
    const text = this.state.tip(index);
    return text ? [h("strong", {}, this.board.coordinates(index)), text] : null;
  }

  async link() {
    return address("solve", { p: await packed(this.state.position.toString()) });
  }

  /** @param {HTMLElement} pressed @param {"copy" | "file"} where */
  async write(pressed, where) {
    const { save } = await import("./save.js");
    const problem = await save(this.connection, this.state, where, (said) => flash(pressed, said));
    this.draw(this.state.with({ problem: problem ? [problem] : [] }));
  }
}
