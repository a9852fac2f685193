// @ts-check
// Review: how well a game was played, and how luckily. The game is one of Play, or a file, a link or a text of another
// program.

import { address, packed, unpacked } from "../basics/address.js";
import { button, described, h } from "../basics/dom.js";
import { actOf } from "../basics/keys.js";
import { layoutText, Position } from "../basics/position.js";
import { Board } from "../board/board.js";
import { lookOf } from "../board/look.js";
import { isCancelled } from "../engine/latest.js";
import { shownBy } from "../engine/layouts.js";
import { clicksOf, packedClicks, toldClicks, unpackedClicks } from "../shared/clicks.js";
import { figures, figuresText, partsText } from "../shared/counts.js";
import { BestClicks } from "../shared/fewest-clicks.js";
import { Sheet } from "../shared/sheet.js";
import { View } from "../shared/view.js";
import { Review } from "./panel.js";
import { ReviewState } from "./state.js";

const EXAMPLE = JSON.stringify({
  dim: "5,5",
  bombs: "5",
  safe: "0,2",
  board: "1221019910122102321099910",
  player: "me",
  moves: [
    [0, 4],
    { action: "flag", cell: [1, 2] },
    [2, 2],
    [3, 2],
    [1, 0],
    [0, 0],
    [3, 1],
    [0, 1],
    [2, 0],
    [2, 1],
    [3, 0],
  ],
});

export class ReviewView extends View {
  state = new ReviewState();

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("review", element, page);
    this.board = new Board({ label: "Game", least: 8, roomy: 26, below: 40, look: (index) => this.look(index) });
    this.title = h("h2", {});
    this.outcome = h("p", { class: "note" });
    this.sheet = new Sheet({ label: "The review", contents: [] });
    const { connection, board, sheet } = this;
    this.best = new BestClicks({ name: "review-best", connection, board, sheet, onShow: () => board.drawAll() });
    const onWalk = () => {
      this.best.rest();
      board.drawAll();
    };
    this.review = new Review({ name: "review", connection, board, sheet, onWalk });
    this.figures = h("dl", { class: "facts" });
    this.sheet.body.append(this.review.element, this.figures, this.best.element);
    this.text = h("textarea", { rows: 4, spellcheck: false, autocomplete: "off", id: "review-text" });
    this.problem = h("p", { class: "problem", role: "alert" });
    const file = h("input", {
      class: "unseen",
      type: "file",
      id: "review-choose",
      onchange: () => this.#readFile(file),
    });
    this.door = h(
      "section",
      { class: "card door-card" },
      h("h2", {}, "How well did you play, and how lucky were you?"),
      h("p", {}, "Drop a game anywhere on this page: a replay (RAWVF, AVF, EVF, RMV, MVF), a record, a list of moves."),
      h("label", { for: "review-text" }, "Or paste its text, or a link with its clicks"),
      this.text,
      this.problem,
      h(
        "div",
        { class: "row" },
        button("Review", () => this.#read({ text: this.text.value }), { class: "main", id: "review-read" }),
        h("label", { class: "button", for: "review-choose" }, "Choose a file"),
        file,
        button("Show an example", () => this.#read({ text: EXAMPLE }), { class: "link", id: "review-example" }),
      ),
    );
    this.another = button("Another game", () => this.#leave(), { id: "review-another" });
    this.stage = h(
      "div",
      { class: "reviewed" },
      h("header", {}, this.title, this.outcome),
      this.board.element,
      this.best.transport.element,
    );
    this.actions = h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "row" },
        this.another,
        this.shareButton,
        this.fileButton,
        button("Open in Solve", () => this.#solve(), { id: "review-solve" }),
        this.pictureButton(),
      ),
    );
    element.append(
      h("div", { class: "stage" }, h("h1", { id: "review-title", class: "unseen" }, "Review"), this.door, this.stage),
      h("aside", { class: "panel", "aria-label": "Review" }, this.sheet.element, this.actions),
    );
    this.draw();
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    const [game, clicks] = [query.get("g"), query.get("m")];
    if (game && clicks !== null) {
      const signal = this.wanted.next();
      try {
        const asked = JSON.parse(await unpacked(game));
        if (signal.aborted) return;
        const [rows, cols] = sizeOf(asked);
        await this.begin(asked, unpackedClicks(clicks, rows * cols));
      } catch (error) {
        if (isCancelled(error)) return;
        this.#leave(/** @type {Error} */ (error).message);
      }
    }
    this.board.fit();
  }

  /**
   * Review a game that was played here.
   * @param {Record<string, any>} asked as `review_game` is asked, without clicks
   * @param {import("../shared/clicks.js").Click[]} clicks
   */
  async begin(asked, clicks) {
    const [, cols] = sizeOf(asked);
    const moves = toldClicks(clicks, cols);
    const signal = this.wanted.next();
    const found = await this.connection.ask("review_game", { ...asked, moves }, { signal });
    await this.bring({ ...found, asked: { ...asked, moves } });
  }

  /** Show the review of a game, unless another one is wanted meanwhile. @param {Reviewed} found */
  async bring(found) {
    const { rows, cols, topology = "square", player } = found;
    const signal = this.wanted.next();
    const geometry = await this.connection.ask("grid", { rows, cols, topology }, { signal });
    const { moves, ...asked } = found.asked ?? { moves: [] };
    const state = new ReviewState({ found, asked: found.asked ? asked : null, clicks: clicksOf(moves, cols) });
    this.board.shape(geometry, rows, cols);
    this.board.label = `Game of ${player}, ${rows} rows of ${cols}`;
    this.draw(state);
    this.review.show(found);
    this.#count(found, geometry.neighbours);
    this.sheet.open();
    this.board.fit();
    this.keepSoon();
  }

  /** Show what players compare, and offer the fewest clicks. @param {Reviewed} found @param {number[][]} neighbours */
  #count(found, neighbours) {
    const { layout, topology = "square", mines, clicks } = found;
    this.figures.replaceChildren();
    this.best.forget();
    if (!clicks) return;
    const shown = shownBy({ cells: Array.from(layout.join(""), (symbol) => Number(symbol === "*")) }, neighbours).join(
      "",
    );
    const times = found.moves.flatMap(({ time }) => time ?? []);
    const seconds = times.length ? Math.max(...times) - Math.min(...times) : 0;
    const { made, solved: done, "3bv": bv, kinds, start } = clicks;
    // Clicks that changed nothing are in no record.
    const counts = figures({ bv, done, seconds, clicks: null, effective: made });
    const parts = partsText({ left: kinds.dig, right: kinds.flag + kinds.unflag, chord: kinds.chord });
    this.figures.replaceChildren(...described(figuresText(counts, parts)));
    const asked = { layout: layoutText({ layout, topology, mines }), ...(start && { start }) };
    this.best.begin({ asked, shown, neighbours, clicks: found.won ? made : null });
  }

  /** Make room for another game. @param {string} [problem] why there is none */
  #leave(problem = "") {
    this.wanted.cancel();
    this.review.stop();
    this.best.forget();
    this.sheet.close();
    this.text.value = "";
    this.draw(new ReviewState({ problem }));
    this.keepSoon();
  }

  /** Show a state: all but the walk and the figures follows from it. */
  draw(state = this.state) {
    this.state = state;
    const has = state.found !== null;
    this.title.textContent = state.head.title;
    this.outcome.textContent = state.head.outcome;
    this.problem.textContent = state.problem;
    this.door.hidden = has;
    for (const part of [this.stage, this.actions, this.sheet.element]) part.hidden = !has;
    this.board.fit();
    for (const one of [this.shareButton, this.fileButton]) one.disabled = !state.asked;
    this.showPicture();
  }

  /** @param {{ text: string }} asked */
  async #read(asked) {
    try {
      await this.page.read(asked);
    } catch (error) {
      if (!isCancelled(error))
        this.draw(new ReviewState({ ...this.state, problem: /** @type {Error} */ (error).message }));
    }
  }

  /** @param {HTMLInputElement} input */
  async #readFile(input) {
    const [file] = input.files ?? [];
    input.value = "";
    try {
      if (file) await this.page.read(file);
    } catch (error) {
      if (!isCancelled(error))
        this.draw(new ReviewState({ ...this.state, problem: /** @type {Error} */ (error).message }));
    }
  }

  get over() {
    return Boolean(this.state?.asked);
  }

  picture() {
    return { ...this.state.asked, moves: toldClicks(this.state.clicks, this.board.cols) };
  }

  #solve() {
    const { game, state } = this.review;
    if (game) this.page.solve(game.position(state.step).toString());
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const { game, state } = this.review;
    if (!game) return lookOf("#");
    const best = this.best.symbols;
    if (best) return lookOf(best[index], { mine: game.known(game.steps.length, best, index) });
    return lookOf(state.symbols[index], { mine: game.known(state.step, state.symbols, index) });
  }

  async link() {
    const { asked, clicks } = this.state;
    if (!asked) return address("review");
    return address("review", { g: await packed(JSON.stringify(asked)), m: packedClicks(clicks) });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { last, step } = this.review.state;
    const act = actOf("review", event);
    if (act) this.review.walk({ back: step - 1, next: step + 1, first: 0 }[act] ?? last);
    return act !== null;
  }
}

/**
 * Rows and columns of the board that a question is about.
 * @param {Record<string, any>} asked
 * @returns {[rows: number, cols: number]}
 */
function sizeOf({ layout, rows, cols }) {
  if (!layout) return [rows, cols];
  const board = Position.of(layout);
  return [board.rows, board.cols];
}
