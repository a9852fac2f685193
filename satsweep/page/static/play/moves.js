// @ts-check
// Moves of the user in Play, one after the other: a game begins, is dealt, goes on, is undone, ends.

import { unpacked } from "../basics/address.js";
import { plural } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { inWords, isCovered } from "../basics/position.js";
import { isCancelled } from "../engine/latest.js";
import { trivial } from "../engine/trivial.js";
import { unpackedClicks } from "../shared/clicks.js";
import { placeInFull } from "../words/places.js";
import { isSafe } from "./coach.js";
import { countsOf, takeCounts, takeLeft } from "./counts.js";
import { FIRSTS } from "./dealing.js";
import { redrawMines, redrawnStart } from "./fairness.js";
import { Game } from "./game.js";
import { NO_GAME, NOTHING } from "./state.js";
import { timeText } from "./stopwatch.js";

const BEGIN = "Open a cell to begin.";
const RATED = "whether a guess is needed"; // help

export class Moves {
  /** Ends when all moves so far have been made. @type {Promise<void>} */
  turn = Promise.resolve();

  /**
   * @param {import("./state.js").Desk} desk
   * @param {{ archive: import("./archive.js").Archive, coach: import("./coach.js").Coach, dealing: import("./dealing.js").Dealing }} parts
   */
  constructor(desk, { archive, coach, dealing }) {
    this.desk = desk;
    this.archive = archive;
    this.coach = coach;
    this.dealing = dealing;
  }

  /** Leave the game: what comes late is for nobody. */
  leave() {
    this.dealing.cancel();
    this.coach.cancel();
    this.desk.draw(NO_GAME);
  }

  /** Begin a game on a board whose cells have their places. @param {Geometry} geometry */
  begin(geometry) {
    const { desk } = this;
    const { boardKey, dealtBefore, firstCell, guesses, setup } = desk.state;
    if (!setup) return;
    const { rows, cols, mines, topology, asked, opened } = setup;
    const clock = () => desk.state.secondsAt(performance.now());
    const { needs, rule } = guesses;
    const game = new Game({ rows, cols, geometry, topology, clues: asked.clues, total: mines, rule, clock });
    const isKnown = dealtBefore === boardKey;
    if (isKnown) game.help.add("board seen before");
    if (!opened) kept.set("play-board", { rows, cols, mines, needs, rule });
    // A board without a guess is the same board from the same first cell only.
    const again = isKnown && needs !== "any" ? firstCell : null;
    desk.draw({ game, help: again === null ? null : { kind: "cells", marks: { region: [again] } } });
    if (again === null) desk.tell(BEGIN);
    else desk.tell("Open ", game.place(again), " for the same board.");
  }

  /**
   * Open cells once the moves before have been made: while the server thinks no click is lost. `sure`: without a warning;
   * `number`: by a chord on it.
   * @param {number[]} indices
   * @param {{ sure?: boolean, number?: number | null }} [how]
   */
  open(indices, { sure = false, number = null } = {}) {
    const { desk } = this;
    const { game } = desk.state;
    if (!game || game.isDealing) return this.turn;
    game.isDealing = !game.dealt;
    this.turn = this.turn.then(async () => {
      if (game !== desk.state.game || game.over) return;
      try {
        if (!game.dealt) this.moved(await this.deal(indices[0]));
        else if (sure || !desk.state.warns || !(await this.coach.warned(indices, number)))
          await this.#openSettled(game, indices, number);
      } catch (error) {
        if (!isCancelled(error)) desk.tell(/** @type {Error} */ (error).message);
      } finally {
        game.isDealing = false;
      }
    });
    return this.turn;
  }

  /**
   * Open cells; the rule about guesses may redraw the mines before.
   * @param {Game} game
   * @param {number[]} indices
   * @param {number | null} number
   */
  async #openSettled(game, indices, number) {
    await redrawMines(this.#redrawing(game), indices);
    if (game === this.desk.state.game && !game.over) this.moved(game.open(indices, number));
  }

  /** @param {Game} game */
  #redrawing(game) {
    return { connection: this.desk.connection, game, seed: this.desk.state.setup?.asked.seed ?? "0" };
  }

  /**
   * Open the first cell: the server places the mines so that it is what the settings say. The cells that change.
   * @param {number} index
   * @param {string | null} [layout] the mines of a link, where they were redrawn
   */
  async deal(index, layout = null) {
    const { desk, dealing } = this;
    const { boardKey, game, guesses, setup } = desk.state;
    if (!game || !setup) return null;
    // A layout may say where play starts; that cell is open before the first choice.
    const firstCell = setup.start ? game.index(setup.start) : index;
    const { asked, first } = setup;
    const start = game.place(firstCell);
    let found;
    try {
      if (layout) {
        const { dealt } = await dealing.deal({ ...asked, layout, first: "any", start }, "any");
        found = { dealt, asked: { first, start } };
      } else {
        found = await dealing.deal({ ...asked, first, start }, guesses.needs);
        if (first === "any") found.dealt = await redrawnStart(this.#redrawing(game), found.dealt, firstCell);
      }
    } catch (error) {
      if (isCancelled(error) && game === desk.state.game) desk.tell(BEGIN);
      throw error;
    }
    if (game !== desk.state.game) return null;
    desk.draw({ asked: found.asked, firstCell, dealtBefore: boardKey, began: performance.now() });
    return game.deal(found.dealt, firstCell);
  }

  /** Show what a move has changed, and what follows from it. @param {number[] | null} changed indices of cells */
  moved(changed) {
    const { desk } = this;
    const { game } = desk.state;
    if (!changed || !game?.last) return;
    if (game.over) {
      this.end();
      return;
    }
    desk.draw(NOTHING, changed);
    const opened = changed.filter((index) => !isCovered(game.symbols[index]));
    const at = opened.length ? game.lastOpened : game.last.clicks[0].index;
    const one = at !== null && changed.includes(at) ? at : changed[0];
    const more = opened.length > 1 ? `, and ${plural(opened.length - 1, "more cell")} opened` : "";
    desk.announce(`${placeInFull(game.place(one))}: ${inWords(game.symbols[one])}${more}`);
    desk.keepSoon();
    if (opened.length && this.settle()) return;
    this.coach.refresh();
    if (desk.state.warns && opened.length) this.coach.analysis().catch(() => {});
  }

  /** Make the moves that single numbers settle, if the user wants that; true if there were any. */
  settle() {
    const { game, settles } = this.desk.state;
    if (!settles || !game?.dealt?.exact || game.over) return false;
    const { safe, mines } = trivial(game.symbols, game.neighbours);
    const flags = [...mines].filter((index) => game.symbols[index] === "#");
    const opens = [...safe].filter((index) => game.symbols[index] === "#");
    if (!flags.length && !opens.length) return false;
    game.help.add("automatic moves");
    const flagged = flags.length ? game.flag(flags) : null;
    if (!opens.length) this.moved(flagged);
    else {
      this.desk.draw({}, flagged ?? []);
      this.moved(game.open(opens)); // certain cells, which no rule changes
    }
    return true;
  }

  /**
   * An action of a pointer or a key on a cell; false where there is no game that goes on.
   * @param {import("./buttons.js").Action} action
   * @param {number} index
   * @returns {boolean}
   */
  act(action, index) {
    const { desk } = this;
    const { game, isFlagging } = desk.state;
    if (!game || game.over) return false;
    const symbol = game.symbols[index];
    const flags = action === "flag" || (action !== "chord" && isFlagging);
    if (flags && isCovered(symbol)) {
      game.clicks.right += 1;
      this.moved(game.flag([index]));
    } else if (symbol === "F" && action !== "chord") {
      desk.tell(game.place(index), " is flagged. Remove the flag first.");
    } else if (symbol === "#" && (action === "open" || action === "cover")) {
      game.clicks.left += 1;
      this.open([index]);
    } else if (!isCovered(symbol) && (action === "open" || action === "chord")) {
      game.clicks.chord += 1;
      const cells = game.chord(index);
      if (cells.length) this.open(cells, { number: index });
    }
    return true;
  }

  undo() {
    const { desk } = this;
    const { game } = desk.state;
    if (!game) return;
    const began = game.over ? performance.now() : desk.state.began;
    if (!game.undo()) return;
    desk.draw({ ...NOTHING, began, ended: null });
    desk.tell("Move undone.");
    desk.keepSoon();
    this.coach.refresh();
  }

  /** A hint, the next step of it, or its move. */
  hint() {
    const { desk } = this;
    const { game, help, setup } = desk.state;
    if (!game || game.over) return;
    const steps = help?.kind === "hint" ? help.found.steps : [];
    if (!game.dealt) desk.tell(FIRSTS.find(([name]) => name === setup?.first)?.[2] ?? "Nothing is known yet.");
    else if (help?.kind !== "hint" || help.told < steps.length) this.coach.hint();
    else if (steps.at(-1)?.action) this.open([game.index(help.found.cell)], { sure: true });
  }

  /** Open all cells that are safe now; what they show may make others safe. */
  async openSafe() {
    const { coach, desk } = this;
    const { game } = desk.state;
    if (!game?.dealt || game.over) return;
    await coach.about(async (isSame) => {
      const answer = await coach.analysis();
      if (!isSame()) return;
      const cells = game.cellsOf("#").filter((index) => isSafe(answer, index));
      if (cells.length) {
        game.help.add("safe cells opened");
        this.moved(game.open(cells));
        if (!game.over) desk.tell(`${plural(cells.length, "safe cell")} opened.`);
      } else if (!coach.haveWrong(answer)) desk.tell("No cell is safe.");
    });
  }

  /** Tell what the board needs. It is help where the player asks during a game. */
  rate() {
    const { game, mayRate } = this.desk.state;
    if (!game?.dealt || game.rule !== "never") return;
    if (mayRate) game.help.add(RATED);
    this.dealing.rated(game.dealt).then(
      (rated) => this.desk.draw({ rated }),
      () => {}, // another game has begun
    );
  }

  end() {
    const { desk } = this;
    const spent = (desk.state.game?.lastTime ?? 0) / 1000; // as the address has it
    desk.draw({ ...NOTHING, aid: null, spent, began: null, ended: this.#ended(spent) });
    desk.tell(desk.state.ended?.won ? `Cleared in ${timeText(spent)}.` : "That was a mine. Undo takes it back.");
    if (!desk.state.rated) this.rate();
    desk.keepSoon();
  }

  /**
   * How the game has ended. It is kept once: undo brings no second result.
   * @param {number} seconds
   * @returns {import("./state.js").Ended | null}
   */
  #ended(seconds) {
    const { board, game } = this.desk.state;
    if (!board || !game?.dealt) return null;
    const won = game.over === "won";
    const help = [...game.help];
    const [best] = this.archive.best(board);
    const counts = game.dealt.exact ? countsOf(game, game.dealt, seconds) : null;
    const isBest = !best || seconds < best.seconds || (game.kept && seconds === best.seconds);
    if (!game.kept && !game.help.has("link")) {
      game.kept = true;
      const { bv, done, clicks } = counts ?? {};
      this.archive.add({ board, won, seconds, when: new Date().toISOString(), bv, done, clicks, help });
    }
    return { won, seconds, isBest: won && !help.length && isBest, help, counts };
  }

  /**
   * Make the clicks of a link again; `mined` has the mines at its end, where they were redrawn. `left` is the user's own game,
   * which goes on as it was left; any other one has help from its link.
   * @param {{ code: string, counts: string | null, mined: string | null, left: import("../basics/kept.js").Left | null }} link
   *   its clicks, and how many by button
   */
  async resume({ code, counts, mined, left }) {
    const { desk } = this;
    const { game } = desk.state;
    if (!game) return;
    try {
      const layout = mined && (await unpacked(mined));
      for (const click of unpackedClicks(code, game.symbols.length)) {
        if (click.action === "open" && !game.dealt) await this.deal(click.index, layout);
        else game.repeat(click);
        if (game !== desk.state.game || game.over) break;
      }
    } catch (error) {
      if (!isCancelled(error)) desk.tell(/** @type {Error} */ (error).message);
    }
    if (game !== desk.state.game || !game.moves.length) return;
    if (left) takeLeft(game, left);
    else {
      game.help.add("link");
      takeCounts(game, counts);
    }
    if (game.over) {
      this.end();
      return;
    }
    const spent = left?.seconds ?? game.lastTime / 1000;
    desk.draw({ ...NOTHING, spent, began: game.dealt ? performance.now() : null });
    if (game.help.has(RATED)) this.rate();
  }
}
