// @ts-check
// Solve: a position to draw, paste or drop; the risk of every cell with its reason, or why the board is impossible.

import { address, packed, unpacked } from "../basics/address.js";
import { fromBase64 } from "../basics/base64.js";
import { field, select } from "../basics/controls.js";
import { arrange, button, copy, download, flash, h, isNarrow, NARROW, whenever } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { fraction } from "../basics/numbers.js";
import { DEFAULTS, isCovered, Position } from "../basics/position.js";
import { Board } from "../board/board.js";
import { forced, lookOf } from "../board/look.js";
import { isCancelled } from "../engine/latest.js";
import { marksOf, winOf } from "../shared/advice.js";
import { upright } from "../shared/inputs.js";
import { View } from "../shared/view.js";
import { AnalysisPanel } from "./analysis.js";
import { Drawing } from "./drawing.js";
import { Fields } from "./fields.js";
import { front, presets } from "./front.js";
import { Legend } from "./legend.js";
import { PEN } from "./palette.js";
import { Known, SolveState } from "./state.js";

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
  /** Why; loaded when a reason is first asked for. @type {import("./explanation.js").ExplanationPanel | null} */
  explanation = null;

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("solve", element, page);
    this.state = new SolveState();
    /** @type {Board} */
    this.board = new Board({
      label: "Position",
      below: 95,
      look: (index) => this.look(index),
      tip: (index) => this.tip(index),
      on: { left: (index) => this.explain((panel) => panel.choose(index)) },
    });
    this.drawing = new Drawing(this);
    Object.assign(this.board.on, this.drawing.actions);
    this.analysis = new AnalysisPanel(this);
    this.reason = h("section", { hidden: true });
    this.fields = new Fields(() => this.settle());
    this.turnButton = button("Turn", () => this.set(this.state.position.turned()), {
      title: "Turn the board: rows become columns",
    });
    this.legend = new Legend((numbers) => {
      this.state.numbers = numbers;
      this.board.drawAll();
    });
    this.front = front(() => page.openDialog());
    const formats = page.about.formats;
    const written = formats.filter((format) => format.written && format.boards);
    this.format = select(
      written.map(({ name }) => [name]),
      "text",
    );
    this.title = h("h1", { id: "solve-title", class: "unseen" }, "Solve a position");
    this.bars = this.#bars();
    const stage = h("div", { class: "stage" }, this.title, ...this.bars, this.board.element, this.legend.element);
    this.element.append(this.front, stage, this.#panel());
    // A narrow window has no room for the legend between the board and what is said of it.
    whenever(NARROW, (isNarrow) => (isNarrow ? this.element : this.legend.element).append(this.legend.key));
  }

  /** @param {boolean} boardFirst */
  arrange(boardFirst) {
    const { bars, board, legend, title } = this;
    const order = boardFirst ? [board.element, ...bars] : [...bars, board.element];
    arrange(board.element, [title, ...order, legend.element]);
  }

  #bars() {
    return [
      h(
        "div",
        { class: "bar" },
        button("Open or paste", () => this.page.openDialog(), { class: "main" }),
        presets(this.page.about.levels, (name) => this.preset(name)),
        button("Clear", () => this.clear()),
        this.turnButton,
        this.drawing.undoButton,
        this.shareButton,
      ),
      h("div", { class: "bar" }, this.drawing.palette.element, this.drawing.follow.element),
    ];
  }

  #panel() {
    return h(
      "aside",
      { class: "panel", "aria-label": "Analysis" },
      this.analysis.card,
      this.reason,
      this.analysis.listed,
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
    );
  }

  /**
   * Explain something.
   * @param {(panel: import("./explanation.js").ExplanationPanel) => unknown} what
   */
  async explain(what) {
    const { position } = this.state;
    try {
      const { ExplanationPanel } = await import("./explanation.js");
      if (position !== this.state.position) return; // another one is shown
      if (!this.explanation) {
        this.explanation = new ExplanationPanel(this);
        this.reason.replaceWith(this.explanation.sheet.element);
      }
      await what(this.explanation);
    } catch (error) {
      if (isCancelled(error)) throw error;
      this.page.complain(/** @type {Error} */ (error).message);
    }
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
    if (!this.state.position && isNew) await this.bring(EXAMPLE);
    this.board.fit();
  }

  // Show a position in satsweep's text form; the one before can be had back.
  async bring(/** @type {string} */ text) {
    const position = Position.of(text);
    const own = position.toString() !== EXAMPLE;
    this.front.hidden = own;
    this.board.fit();
    this.state.isNew = true;
    if (own) this.#rememberSize(position);
    await this.set(position);
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
    const cells = Array(rows * cols).fill("#");
    this.drawing.palette.pick(PEN);
    await this.bring(new Position({ rows, cols, mines, cells }).toString());
  }

  /**
   * Show another position; `keep` the one before for undo.
   * @param {Position} position
   * @param {boolean} [keep]
   */
  async set(position, keep = true) {
    const before = this.state.position;
    const signal = this.wanted.next();
    try {
      const { rows, cols, topology } = position;
      const geometry = await this.connection.ask("grid", { rows, cols, topology }, { signal });
      if (keep && before) this.drawing.remember();
      this.state.position = position;
      this.board.shape(geometry, position.rows, position.cols);
      this.board.label = `Position, ${position.rows} rows of ${position.cols}`;
      this.drawing.palette.offer(geometry.most);
      this.turnButton.hidden = !isNarrow() || position.topology !== DEFAULTS.topology;
    } catch (error) {
      if (isCancelled(error)) return;
      // The only thing that the server can refuse here is the grid; what the user has typed stays to be mended.
      if (!before) throw error;
      this.fields.mark("topology", /** @type {Error} */ (error).message);
      return;
    }
    this.fields.fill(position);
    this.forget();
    await this.analysis.solve();
  }

  // The position has been drawn on.
  changed() {
    this.wanted.cancel();
    this.fields.fill(this.state.position);
    this.#rememberSize(this.state.position);
    this.forget({ draw: false }); // mostly the next answer is there before the next frame
    this.analysis.solve();
  }

  undo() {
    const before = this.drawing.takeBack();
    if (before) this.set(before, false);
  }

  clear() {
    const { position } = this.state;
    this.set(position.copy({ cells: position.cells.map(() => "#") }));
  }

  // Apply the fields beside the board to the position.
  settle() {
    const made = this.fields.applied(this.state.position, this.board.geometry.neighbours, this.page.about.cells);
    if (made) this.set(made);
  }

  // Begin with nothing known of the position.
  forget({ draw = true } = {}) {
    this.state.known = new Known();
    this.fields.clear();
    this.analysis.clear();
    this.explanation?.clear();
    this.board.light([]);
    if (draw) this.board.drawAll();
    this.board.mark();
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const walked = this.explanation?.walk.look(index);
    if (walked) return walked;
    const { known, numbers, position } = this.state;
    const symbol = position.cells[index];
    if (known.solution && isCovered(symbol)) {
      const mine = known.solution[index] === "*";
      const label = mine ? "a mine in this solution" : "safe in this solution";
      return { symbol: "#", extra: mine ? "left" : "", label };
    }
    const odds = known.odds(index);
    if (numbers === "win" && known.wins.size && odds && !forced(odds)) return { symbol: "#", ...known.wins.get(index) };
    return lookOf(symbol, { odds });
  }

  /**
   * What is known of a cell, for its tooltip.
   * @param {number} index
   * @returns {any[] | null}
   */
  tip(index) {
    const { known } = this.state;
    const odds = known.odds(index);
    if (!odds || known.solution) return null;
    const risk = forced(odds) ? `certainly ${forced(odds)}` : `risk ${fraction(odds.percent, odds.exact)}`;
    const candidate = this.candidate(index);
    const win = candidate ? winOf(candidate) : null;
    return [h("strong", {}, this.board.coordinates(index)), ` ${risk}${win === null ? "" : `, wins ${win}`}`];
  }

  // What the advice says of a cell.
  candidate(/** @type {number} */ index) {
    return this.state.known.advice?.candidates.find(({ cell }) => this.board.index(cell) === index);
  }

  // Show that there is an answer.
  shownAnswer() {
    this.element.classList.toggle("inviting", !this.front.hidden);
    this.board.drawAll();
  }

  // Show what advice has changed on the board.
  shownAdvice() {
    const { advice, chosen } = this.state.known;
    if (this.state.numbers === "win") this.board.drawAll();
    if (this.state.isNew && advice?.candidates.length) {
      this.state.isNew = false;
      this.board.show(this.board.index(advice.candidates[0].cell));
    }
    this.remark(chosen === null ? {} : { target: [chosen] });
  }

  // Mark what the advice says, and other cells.
  remark(/** @type {Record<string, number[]>} */ marked = {}) {
    const walk = this.explanation?.walk;
    const marks = walk?.node ? walk.marks : marksOf(this.board, this.state.known.advice);
    this.board.mark({ ...marks, ...marked });
  }

  async link() {
    return address("solve", { p: await packed(this.state.position.toString()) });
  }

  /**
   * @param {HTMLElement} pressed
   * @param {"copy" | "file"} where
   */
  async write(pressed, where) {
    const { problem } = this.analysis;
    try {
      const asked = { board: this.state.position.toString(), format: this.format.value };
      const written = await this.connection.ask("write", asked);
      const content = written.base64 === undefined ? written.text : fromBase64(written.base64);
      if (where === "file") download(`position${written.suffix}`, content);
      else flash(pressed, written.text !== undefined && (await copy(written.text)) ? "Copied" : "Not copied");
      problem.textContent = "";
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }
}
