// @ts-check
// A picture of a board: what was read lies over it, cells in doubt stand out, and the risks follow every correction.
//
// What is shown follows from the state (state.js): `draw` shows it.

import { address } from "../basics/address.js";
import { choice, field, integerInput, press } from "../basics/controls.js";
import { announce, button, described, h } from "../basics/dom.js";
import { actOf } from "../basics/keys.js";
import { EDGE, MARGIN, squareGrid } from "../basics/square-grid.js";
import { Board } from "../board/board.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { isLike } from "../shared/inputs.js";
import { View } from "../shared/view.js";
import { said, told } from "../words/places.js";
import { decoded, packed } from "./pixels.js";
import { PictureState, SYMBOLS } from "./state.js";
import { SymbolMenu } from "./symbols.js";

const MORE = MARGIN - EDGE; // the margins right and below are as wide as the others
const SHARED = "shared-picture"; // as in service-worker.js
const NO_READER = "This page was written without NumPy, so it reads no pictures; that of `satsweep serve` does.";

/** The picture that another app has shared with this page, which the service worker has kept; null if there is none. */
async function shared() {
  const cache = await globalThis.caches?.open(SHARED);
  const found = await cache?.match(SHARED);
  await cache?.delete(SHARED);
  return found ? found.blob() : null;
}

export class PictureView extends View {
  state = new PictureState();
  /** The analysis of the board: that of the board before is not shown. */
  solving = new Latest();

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("picture", element, page);
    /** @type {Board} */
    this.board = new Board({
      label: "Board of the picture",
      below: 110,
      most: 64,
      look: (index) => this.state.look(index),
      tip: (index) => this.tip(index),
      on: {
        left: (index) => void setTimeout(() => this.choose(index)), // the end of a click closes what is open
        key: (index, { key }) => this.type(index, key),
      },
    });
    this.canvas = h("canvas", { class: "pictured", "aria-hidden": "true" });
    this.menu = new SymbolMenu({
      onPick: (symbol) => this.settle(/** @type {number} */ (this.state.chosen), symbol),
      onClose: () => this.draw(this.state.with({ chosen: null })),
    });
    this.lead = h("p", { class: "lead" });
    this.remarks = h("div", { class: "note" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.grounds = choice(
      "Under the symbols",
      [
        ["picture", "Picture"],
        ["board", "Board"],
      ],
      (ground) => this.draw(this.state.with({ ground: /** @type {"picture" | "board"} */ (ground) })),
    );
    this.nextButton = button("Next doubt", () => this.next(), { id: "picture-next" });
    this.solveButton = button("Open in Solve", () => page.solve(this.state.position.toString()), {
      id: "picture-solve",
      class: "main",
    });
    this.mines = integerInput(0, 1, page.about.cells);
    this.mines.onchange = () => this.count(this.mines.value);
    this.usual = h("span", { class: "row" });
    this.facts = h("dl", { class: "facts" });
    this.card = h(
      "section",
      { class: "card" },
      this.remarks,
      field("Mines in all", this.mines),
      this.usual,
      this.facts,
    );
    const file = h("input", {
      type: "file",
      accept: "image/*",
      class: "unseen",
      id: "picture-file",
      onchange: (/** @type {any} */ { target }) => {
        const [chosen] = target.files;
        target.value = "";
        if (chosen) this.bring(chosen);
      },
    });
    this.another = h("label", { class: "button" }, "Choose a picture", file);
    this.bar = h("div", { class: "row" }, this.grounds.element, this.nextButton, this.solveButton);
    const title = h("h1", { id: "picture-title", class: "unseen" }, "A picture of a board");
    this.preview = h("div", { class: "preview" });
    const parts = [title, this.problem, this.lead, this.preview, this.board.element, this.bar];
    const said = "Drop a picture anywhere, paste one, or choose a file. It is not kept.";
    this.how = h("section", { class: "card" }, h("p", { class: "note" }, said), this.another);
    this.stage = h("div", { class: "stage" }, parts);
    this.panel = h("aside", { class: "panel", "aria-label": "Reading" }, this.card);
    element.append(this.stage, this.panel, this.menu.element);
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    const picture = query.has("shared") ? await shared() : null;
    if (query.has("shared")) this.page.keep("picture", address("picture"));
    if (picture) await this.bring(picture);
    else this.draw();
    this.board.fit();
  }

  /** Read a picture, and show it. @param {Blob} file */
  async bring(file) {
    const signal = this.wanted.next();
    this.solving.cancel();
    this.draw(this.state.begun());
    const most = this.page.about.picture;
    try {
      if (!most) throw new Error(NO_READER);
      const pixels = await decoded(file);
      if (signal.aborted) return;
      this.draw(this.state.with({ pixels }));
      const fields = await packed(pixels);
      if (fields.pixels.length + 100 > most) throw new Error("This picture is too large: cut the board out of it.");
      const reading = await this.connection.ask("picture", fields, { signal });
      this.#show(this.state.read(reading));
    } catch (error) {
      if (!isCancelled(error)) this.draw(this.state.failed(/** @type {Error} */ (error).message));
    }
  }

  /** Show a picture that has been read. @param {PictureState} state */
  #show(state) {
    const { rows, cols } = state.position;
    const grid = squareGrid(rows, cols);
    this.board.shape({ ...grid, width: grid.width + MORE, height: grid.height + MORE }, rows, cols);
    this.mines.value = String(state.position.mines ?? "");
    this.draw(state);
    this.board.fit();
    this.board.focus(state.doubts[0] ?? 0, { quietly: true });
    announce(said(state.lead, this.board));
    this.#solve();
  }

  async #solve() {
    const signal = this.solving.next();
    try {
      const answer = await this.connection.ask("solve", { board: this.state.position.toString() }, { signal });
      this.draw(this.state.answered(answer));
      announce(said(this.state.lead, this.board));
    } catch (error) {
      if (!isCancelled(error)) this.draw(this.state.with({ problem: /** @type {Error} */ (error).message }));
    }
  }

  /** Offer the symbols of a cell. @param {number} index */
  choose(index) {
    const { board } = this;
    this.draw(this.state.with({ chosen: index }));
    this.menu.open(board.cells[index], this.state.choices(index), this.state.position.cells[index]);
  }

  /** The user says what a cell is. @param {number} index @param {string} symbol */
  settle(index, symbol) {
    const before = this.state.position;
    const next = this.state.choosing(index, symbol);
    this.draw(next);
    this.menu.close();
    this.board.focus(index);
    if (next.position !== before) this.#solve();
  }

  /** A key says what a cell is; true if it does. @param {number} index @param {string} key */
  type(index, key) {
    const symbol = key === "0" || key === " " ? "." : key.toUpperCase();
    if (!SYMBOLS.includes(symbol)) return false;
    this.settle(index, symbol);
    return true;
  }

  /** Go to the next cell in doubt. */
  next() {
    const index = this.state.doubtAfter(this.board.current);
    if (index === null) return;
    this.board.focus(index);
    this.board.show(index);
  }

  /** @param {string} text */
  count(text) {
    const mines = Number(text);
    this.draw(this.state.counting(text && Number.isInteger(mines) && mines > 0 ? mines : null));
    this.#solve();
  }

  /** Show a state: all that is seen follows from it. */
  draw(state = this.state) {
    const { pixels, reading } = this.state;
    this.state = state;
    const { board, canvas } = this;
    if (state.pixels !== pixels || state.reading !== reading) this.#paint();
    this.problem.textContent = state.problem;
    this.lead.replaceChildren(...told(state.lead, board));
    this.preview.hidden = !state.pixels || state.reading !== null;
    board.element.hidden = this.bar.hidden = this.card.hidden = state.reading === null;
    (state.reading ? this.panel : this.stage).append(this.how);
    if (!state.reading) return;
    if (!board.grid.contains(canvas)) board.grid.prepend(canvas);
    board.grid.classList.toggle("on-picture", state.ground === "picture");
    for (const one of this.grounds.buttons) press(one, one.dataset.value === state.ground);
    this.remarks.replaceChildren(...state.remarks.map((line) => h("p", {}, line)));
    this.nextButton.disabled = !state.doubts.length;
    this.usual.replaceChildren(...this.#usual());
    this.facts.replaceChildren(...this.#facts());
    board.drawAll();
    board.mark(state.marks);
  }

  /** Paint the picture, as a whole or as what is under the board. */
  #paint() {
    const { canvas, state } = this;
    const { pixels, reading } = state;
    if (!pixels) return;
    const { width, height, data } = pixels;
    const part = reading ? state.crop : { left: 0, top: 0, width, height };
    Object.assign(canvas, { width: Math.round(part.width), height: Math.round(part.height) });
    canvas
      .getContext("2d")
      ?.putImageData(new ImageData(data, width, height), -Math.round(part.left), -Math.round(part.top));
    if (!reading) this.preview.append(canvas);
  }

  /** The usual number of mines on a board of this size, to be taken by a click. */
  #usual() {
    const { position } = this.state;
    const usual = Object.entries(this.page.about.levels).find(([, level]) => isLike(position, level));
    if (!usual || position.mines !== null) return [];
    const [name, { mines: count }] = usual;
    const take = () => {
      this.mines.value = String(count);
      this.count(this.mines.value);
    };
    return [button(`${count}, as ${name} has`, take)];
  }

  #facts() {
    const { answer } = this.state;
    if (!answer) return [];
    const { covered, mines, safe, worlds } = answer;
    return described([
      ["Solutions", worlds],
      ["Safe cells", `${safe} of ${covered}`],
      ["Mines", String(mines)],
    ]);
  }

  /** @param {number} index */
  tip(index) {
    const text = this.state.tip(index);
    return text ? [h("strong", {}, this.board.coordinates(index)), ` ${text}`] : null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (actOf("picture", event) !== "next") return super.key(event);
    this.next();
    return true;
  }
}
