// @ts-check
// Help in Play: warnings, hints in steps, risks and advice on the board. A game with help sets no record.

import { plural } from "../basics/dom.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { trivial } from "../engine/trivial.js";
import { advise } from "../shared/advice.js";
import { said } from "../words/places.js";
import { NOTHING } from "./state.js";

const SLOW = 300; // milliseconds before a search for safe cells is mentioned

/** @typedef {Analysis & { impossible?: undefined } | { impossible: Impossible }} Answer */

export class Coach {
  asking = new Latest();
  advising = new Latest();
  /** The last position that was asked about, and what is known of it. @type {{ board: string, answer: Promise<Answer> } | null} */
  known = null;

  /** @param {import("./state.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
  }

  /** The game; help is asked for only while there is one. */
  get game() {
    return /** @type {import("./game.js").Game} */ (this.desk.state.game);
  }

  cancel() {
    this.asking.cancel();
    this.advising.cancel();
  }

  /** The analysis of the current position, asked for once. */
  analysis() {
    const board = this.game.position().toString();
    if (this.known?.board === board) return this.known.answer;
    const answer = this.desk.connection.ask("solve", { board }, { signal: this.asking.next() });
    const known = { board, answer };
    this.known = known;
    answer.catch(() => {
      if (this.known === known) this.known = null;
    });
    return answer;
  }

  /**
   * Run an action that waits for the server. It gets a function that tells whether the position is still the same.
   * @param {(isSame: () => boolean) => Promise<void>} action
   */
  async about(action) {
    const { game } = this;
    const board = game.position().toString();
    try {
      await action(() => game === this.game && !game.over && board === game.position().toString());
    } catch (error) {
      if (!isCancelled(error) && game === this.game) this.desk.tell(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Warn of a move, by a chord on a number if there is one, that may hit a mine while a safe cell exists; false if there
   * is nothing to warn of.
   * @param {number[]} cells
   * @param {number | null} number
   */
  async warned(cells, number) {
    const { desk, game } = this;
    // Most moves can be seen to be safe at once.
    const seen = game.dealt?.exact ? trivial(game.symbols, game.neighbours).safe : new Set();
    if (cells.every((index) => seen.has(index))) return false;
    const slow = setTimeout(() => desk.tell("Looking for safe cells…"), SLOW);
    let answer;
    try {
      answer = await this.analysis();
    } catch {
      return game !== this.game; // without an analysis there is nothing to warn of
    } finally {
      clearTimeout(slow);
    }
    if (game !== this.game) return true;
    if (answer.impossible || !answer.safe || !answer.best) return false;
    const risky = cells.filter((index) => !isSafe(answer, index));
    if (!risky.length) return false;
    game.help.add("warning");
    const { best, safe } = answer;
    const odds = answer.odds[answer.cells[risky[0]]];
    desk.draw({ help: { kind: "warning", cells, number, risky, odds, safe, best }, closed: false });
    return true;
  }

  /** Show a safe cell in place of a risky one. @param {Cell} cell */
  showSafe(cell) {
    this.game.help.add("hint");
    const index = this.game.index(cell);
    this.desk.draw({ help: { kind: "cells", marks: { good: [index], best: [index] } } });
  }

  /** Show the next step of a hint; a new hint begins with wrong flags, if there are any. */
  async hint() {
    const { desk, game } = this;
    const { help } = desk.state;
    if (help?.kind === "hint") {
      this.#showHint(help.found, help.told + 1);
      return;
    }
    game.help.add("hint");
    desk.tell("Looking for a hint…");
    const board = game.position().toString();
    const last = game.lastOpened === null ? null : game.place(game.lastOpened);
    await this.about(async (isSame) => {
      const answer = await this.analysis();
      if (!isSame() || this.haveWrong(answer)) return;
      const found = await desk.connection.ask("hint", { board, last });
      if (!isSame()) return;
      desk.tell(found.safe ? "A cell is safe." : "No cell is safe.");
      this.#showHint(found, 1);
    });
  }

  /** @param {HintSteps} found @param {number} told */
  #showHint(found, told) {
    this.desk.draw({ help: { kind: "hint", found, told }, closed: false });
    this.desk.announce(`Hint: ${said(found.steps[told - 1].text, this.game)}`);
  }

  /** Show flags on safe cells; true if there are any. @param {Answer} answer */
  haveWrong(answer) {
    if (answer.impossible) return false;
    const { desk, game } = this;
    const bad = game.cellsOf("F").filter((index) => isSafe(answer, index));
    if (!bad.length) return false;
    const some = bad.slice(0, 5).flatMap((index) => ["  ", game.place(index)]);
    desk.draw({ help: { kind: "cells", marks: { bad } } });
    desk.tell(`${plural(bad.length, "flag")} ${bad.length === 1 ? "is" : "are"} wrong:`, ...some);
    return true;
  }

  /** Switch risks or advice on or off; one of them is shown at a time. @param {"risks" | "advice"} aid */
  toggle(aid) {
    this.desk.draw({ ...NOTHING, aid: this.desk.state.aid === aid ? null : aid });
    this.refresh();
  }

  /** Show risks or advice, if the user wants that. */
  async refresh() {
    const { aid, game } = this.desk.state;
    if (!aid || !game?.dealt || game.over) return;
    game.help.add(aid);
    const board = game.position().toString();
    const signal = this.advising.next();
    await this.about(async (isSame) => {
      const isWanted = () => isSame() && this.desk.state.aid === aid && !signal.aborted;
      const answer = await this.analysis();
      if (!isWanted() || answer.impossible) return;
      if (aid === "risks") this.desk.draw({ risks: answer });
      else
        await advise(this.desk.connection, board, answer, signal, (advice) => {
          if (isWanted()) this.#showAdvice(advice);
        });
    });
  }

  /** A hint or a warning goes first. @param {Advice} advice */
  #showAdvice(advice) {
    const { help } = this.desk.state;
    if (help && help.kind !== "cells") return;
    this.desk.draw({ advice, pointed: [], help: null, closed: false });
    this.desk.tell(...advice.sentence);
  }
}

/**
 * @param {Answer} answer
 * @param {number} index
 */
export const isSafe = (answer, index) => !answer.impossible && answer.odds[answer.cells[index]]?.exact === "0";
