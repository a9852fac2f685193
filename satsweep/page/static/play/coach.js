// @ts-check
// Help in Play: warnings, hints in steps, risks and advice on the board, safe cells. A game with help sets no record.

import { button, h, plural } from "../basics/dom.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { trivial } from "../engine/trivial.js";
import { advise } from "../shared/advice.js";
import { placesOf } from "../words/places.js";
import { Hint } from "./hints.js";

const SLOW = 300; // milliseconds before a search for safe cells is mentioned

/** @typedef {Analysis & { impossible?: undefined } | { impossible: Impossible }} Answer */

export class Coach {
  asking = new Latest();
  advising = new Latest();
  /** The analysis of the position, once it was asked for. @type {Promise<Answer> | null} */
  analysed = null;
  /** A warning or a hint is shown. */
  speaks = false;
  /** @type {Hint | null} */
  hint = null;

  /** @param {import("./state.js").Desk} view whose game, board and sheet are used */
  constructor(view) {
    this.view = view;
  }

  /** The game; help is asked for only while there is one. */
  get game() {
    return /** @type {import("./game.js").Game} */ (this.view.game);
  }

  cancel() {
    this.asking.cancel();
    this.advising.cancel();
  }

  // Remove what is known of the position before, and what is shown of it.
  forget() {
    this.analysed = null;
    this.hide();
  }

  // Remove a warning or a hint.
  hide() {
    this.speaks = false;
    this.hint = null;
    this.view.board.mark();
  }

  // The analysis of the current position, asked for once.
  analysis() {
    if (!this.analysed) {
      const asked = { board: this.game.position().toString() };
      const analysed = this.view.connection.ask("solve", asked, { signal: this.asking.next() });
      this.analysed = analysed;
      analysed.catch(() => {
        if (this.analysed === analysed) this.analysed = null;
      });
    }
    return this.analysed;
  }

  /**
   * Run an action that waits for the server. It gets a function that tells whether the position is still the same.
   * @param {(isSame: () => boolean) => Promise<void>} action
   */
  async #about(action) {
    const { game } = this;
    const board = game.position().toString();
    try {
      await action(() => game === this.game && !game.over && board === game.position().toString());
    } catch (error) {
      if (!isCancelled(error) && game === this.game) this.view.tell(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Warn of a move, by a chord on a number if there is one, that may hit a mine while a safe cell exists; false if there
   * is nothing to warn of.
   * @param {number[]} indices
   * @param {number | null} number
   */
  async warned(indices, number) {
    const { game, view } = this;
    // Most moves can be seen to be safe at once.
    const seen = game.dealt?.exact ? trivial(game.symbols, game.neighbours).safe : new Set();
    if (indices.every((index) => seen.has(index))) return false;
    const slow = setTimeout(() => view.tell("Looking for safe cells…"), SLOW);
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
    const { best } = answer;
    const risky = indices.filter((index) => !isSafe(answer, index));
    if (!risky.length || !best) return false;
    game.help.add("warning");
    this.speaks = true;
    const odds = answer.odds[answer.cells[risky[0]]];
    const risk = odds.exact === "1" ? "is certainly a mine" : `has ${odds.percent} risk`;
    const others = answer.safe === 1 ? "one cell is safe" : `${answer.safe.toLocaleString("en")} cells are safe`;
    view.say(
      h(
        "div",
        { class: "warning", role: "alert" },
        h("p", {}, h("strong", {}, placesOf(view.board, [view.board.place(risky[0])]), ` ${risk}`), `, and ${others}.`),
        h(
          "div",
          { class: "row" },
          button("Show a safe cell", () => this.#showSafe(best), { class: "main" }),
          button("Open it anyway", () => view.open(indices, { sure: true, number }), { class: "danger" }),
          button("Cancel", () => this.#dismiss()),
        ),
      ),
    );
    view.board.mark({ bad: risky });
    view.sheet.reveal(view.board, risky);
    return true;
  }

  #dismiss() {
    this.hide();
    this.view.say();
  }

  /** @param {Cell} cell */
  #showSafe(cell) {
    const { board, sheet } = this.view;
    this.#dismiss();
    this.game.help.add("hint");
    const index = board.index(cell);
    board.mark({ good: [index], best: [index] });
    sheet.reveal(board, [index]);
    board.focus(index);
  }

  // Show the next step of a hint; a new hint begins with wrong flags, if there are any.
  async more() {
    if (this.hint) {
      this.hint.next();
      return;
    }
    const { game, view } = this;
    game.help.add("hint");
    view.tell("Looking for a hint…");
    const board = game.position().toString();
    const last = game.lastOpened === null ? null : view.board.place(game.lastOpened);
    await this.#about(async (isSame) => {
      const answer = await this.analysis();
      if (!isSame() || this.#haveWrong(answer)) return;
      const found = await view.connection.ask("hint", { board, last });
      if (isSame()) this.#show(found);
    });
  }

  /** @param {HintSteps} found */
  #show(found) {
    const { view } = this;
    const mark = (/** @type {import("./hints.js").Marks} */ marks) => {
      view.board.mark(marks);
      view.sheet.reveal(
        view.board,
        [marks.best, marks.clue, marks.region].flatMap((indices) => indices ?? []),
      );
    };
    this.speaks = true;
    this.hint = new Hint(found, view.board, { mark, move: (index) => view.open([index], { sure: true }) });
    view.tell(found.safe ? "A cell is safe." : "No cell is safe.");
    view.say(h("h2", {}, "Hint"), this.hint.element);
    this.hint.next();
  }

  /** Show flags on safe cells; true if there are any. @param {Answer} answer */
  #haveWrong(answer) {
    if (answer.impossible) return false;
    const { board } = this.view;
    const flags = indicesOf(this.game, "F").filter((index) => isSafe(answer, index));
    if (!flags.length) return false;
    const some = flags.slice(0, 5).flatMap((index) => ["  ", board.place(index)]);
    board.mark({ bad: flags });
    this.view.tell(`${plural(flags.length, "flag")} ${flags.length === 1 ? "is" : "are"} wrong:`, ...some);
    return true;
  }

  // Open all cells that are safe now; what they show may make others safe.
  async openSafe() {
    await this.#about(async (isSame) => {
      const { game, view } = this;
      const answer = await this.analysis();
      if (!isSame()) return;
      const cells = answer.impossible ? [] : indicesOf(game, "#").filter((index) => isSafe(answer, index));
      if (cells.length) {
        game.help.add("safe cells opened");
        view.moved(game.open(cells));
        if (!game.over) view.tell(`${plural(cells.length, "safe cell")} opened.`);
      } else if (!this.#haveWrong(answer)) view.tell("No cell is safe.");
    });
  }

  /** The risks of the position. @param {(analysis: Analysis) => void} show */
  async risks(show) {
    this.game.help.add("risks");
    await this.#about(async (isSame) => {
      const answer = await this.analysis();
      if (isSame() && !answer.impossible) show(answer);
    });
  }

  /** The advice on the position, with chances to win from the search ahead. @param {(advice: Advice) => void} show */
  async advice(show) {
    this.game.help.add("advice");
    const board = this.game.position().toString();
    const signal = this.advising.next();
    await this.#about(async (isSame) => {
      const answer = await this.analysis();
      if (!isSame() || answer.impossible) return;
      await advise(this.view.connection, board, answer, signal, (advice) => {
        if (isSame() && !signal.aborted) show(advice);
      });
    });
  }
}

/**
 * @param {Analysis} answer
 * @param {number} index
 */
const isSafe = (answer, index) => answer.odds[answer.cells[index]]?.exact === "0";

/**
 * @param {import("./game.js").Game} game
 * @param {string} wanted
 */
const indicesOf = ({ symbols }, wanted) => [...symbols.keys()].filter((index) => symbols[index] === wanted);
