// @ts-check
// What Play knows and shows, apart from its elements: the game, the help that is shown, and what follows for the screen.

import { KEPT, kept } from "../basics/kept.js";
import { fraction } from "../basics/numbers.js";
import { isCovered, layoutText } from "../basics/position.js";
import { lookOf } from "../board/look.js";
import { marksOf, winLooks } from "../shared/advice.js";
import { keptChoices } from "./buttons.js";
import { GUESSING } from "./guessing.js";

/**
 * The board that is played, as the form had it when the game began: the question that deals it, its size, what the first cell
 * is sure to be, its parameters of an address. `opened`: the user brought its mines; `start`: where they say that play starts.
 * @typedef {{
 *   asked: import("../shared/settings.js").Asked, rows: number, cols: number, mines: number, topology: string, first: string,
 *   opened: boolean, start: Cell | null, query: Record<string, string | number | null>,
 * }} Setup
 */

/** Cells by the names of marks. @typedef {Record<string, number[] | undefined>} Marks */

/** A hint as far as it is told. @typedef {{ kind: "hint", found: HintSteps, told: number }} Hint */

/**
 * A warning of a move on `cells`, by a chord on `number` if there is one: `risky` are those that may be mines, `odds` the first
 * one's risk, `safe` the number of safe cells, `best` one of them.
 * @typedef {{
 *   kind: "warning", cells: number[], number: number | null, risky: number[], odds: Odds, safe: number, best: Cell,
 * }} Warning
 */

/** Cells that a message is about. @typedef {{ kind: "cells", marks: Marks }} Pointed */

/**
 * A finished game: its figures, null where numbers may be wrong; `isBest`: no game on this board was faster.
 * @typedef {{
 *   won: boolean, seconds: number, isBest: boolean, help: string[],
 *   counts: ReturnType<typeof import("./counts.js").countsOf> | null,
 * }} Ended
 */

/** What is known and shown of one position alone. @type {Partial<PlayState>} */
export const NOTHING = { risks: null, advice: null, pointed: [], help: null, message: [], closed: false };

/** No game yet. @type {Partial<PlayState>} */
export const NO_GAME = {
  ...NOTHING,
  game: null,
  asked: null,
  rated: "",
  ended: null,
  aid: null,
  spent: 0,
  began: null,
};

/**
 * What the parts of Play use of it: its state, the way to change it, which draws what has changed (`cells`: those that look
 * otherwise, all if it is left out), questions, and words for all users and for screen readers alone.
 * @typedef {{
 *   state: PlayState,
 *   connection: Pick<import("../engine/connection.js").Connection, "ask">,
 *   draw: (change: Partial<PlayState>, cells?: number[] | null) => void,
 *   tell: (...sentence: Sentence) => void,
 *   announce: (text: string) => void,
 *   keepSoon: () => void,
 * }} Desk
 */

export class PlayState {
  /** The board that is played. @type {Setup | null} */
  setup = null;
  /** What becomes of guesses, a name of GUESSING. */
  guessing = "any";
  /** The game; null while a board is being made, and where none can be. @type {import("./game.js").Game | null} */
  game = null;
  /** The question that deals the board again, once it was dealt. @type {Record<string, unknown> | null} */
  asked = null;
  /** The first cell of the last board that was dealt; it decides where the mines are. @type {number | null} */
  firstCell = null;
  /** What decided where the mines of the last board were; the same board again sets no record. @type {string | null} */
  dealtBefore = null;
  /** Seconds of the game before its clock was started last. */
  spent = 0;
  /** When the clock was started, in milliseconds as performance.now has them; null while it stands. @type {number | null} */
  began = null;
  /** What is said above the board. @type {Sentence} */
  message = [];
  /** A board is being searched for. */
  isSearching = false;
  /** What the board needs, in words, once that may be told. */
  rated = "";
  /** A tap or the left button flags. */
  isFlagging = false;
  /** What is shown on covered cells. @type {"risks" | "advice" | null} */
  aid = null;
  /** The analysis whose risks are shown. @type {Analysis | null} */
  risks = null;
  /** The advice that is shown. @type {Advice | null} */
  advice = null;
  /** Cells of the advice that the user points at. @type {Cell[]} */
  pointed = [];
  /** A hint or a warning, or cells that are pointed at. @type {Hint | Warning | Pointed | null} */
  help = null;
  /** How the game has ended, once it has. @type {Ended | null} */
  ended = null;
  /** The user has closed the sheet over what it shows. */
  closed = false;
  /** Warn before a risky move while a safe cell exists. */
  warns = KEPT["play-warn"].usual;
  /** Make moves that single numbers settle. */
  settles = KEPT["play-auto"].usual;
  /** What each gesture does. @type {import("./buttons.js").Choices} */
  buttons = { left: "open", right: "flag", middle: "chord", both: "chord", hold: "flag" };

  /** @param {Partial<PlayState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** No board yet, and what the browser keeps of the user's choices. */
  static kept() {
    const [warns, settles] = [kept.get("play-warn"), kept.get("play-auto")];
    return new PlayState({ warns, settles, buttons: keptChoices() });
  }

  /** This state with changes. @param {Partial<PlayState>} change */
  with(change) {
    return new PlayState({ ...this, ...change });
  }

  /** A choice of GUESSING that the board allows: one with given mines cannot be dealt anew, wrong numbers have no rule. */
  allows(/** @type {string} */ name) {
    const { needs, rule } = GUESSING[name];
    return !(needs !== "any" && this.setup?.opened) && !(rule !== "never" && this.setup?.asked.clues !== "exact");
  }

  /** What becomes of guesses on this board, a name of GUESSING. */
  get guessed() {
    return this.allows(this.guessing) ? this.guessing : "any";
  }

  /** What the board needs, and the rule. */
  get guesses() {
    return GUESSING[this.guessed];
  }

  /** The seconds of the game. @param {number} now as performance.now has it */
  secondsAt(now) {
    return this.spent + (this.began === null ? 0 : now - this.began) / 1000;
  }

  /** The kind of board that is played; null without one. @returns {import("../basics/kept.js").Played | null} */
  get board() {
    const { guesses, setup } = this;
    if (!setup) return null;
    const { rows, cols, mines, topology: grid } = setup;
    return { rows, cols, mines, grid, clues: setup.asked.clues, needs: guesses.needs, rule: guesses.rule };
  }

  /** What decides where the mines are, but for the first cell. */
  get boardKey() {
    const { needs, rule } = this.guesses;
    return JSON.stringify([this.setup?.asked, needs, rule]);
  }

  /** The fields that ask about the game, without clicks. A game with mines that are redrawn is one on the last of them. */
  get question() {
    const { asked, game } = this;
    if (!asked || !game?.dealt || game.rule === "never") return asked;
    return { layout: layoutText(game.dealt), first: asked.first, start: asked.start, redraw: game.rule };
  }

  /** True while the user may ask what the board needs: nobody can know, and mines that are redrawn may still change it. */
  get mayRate() {
    const { game, guesses, rated } = this;
    const isOpen = game?.dealt?.exact && !game.over && game.rule === "never";
    return Boolean(isOpen && guesses.needs === "any" && !rated);
  }

  /** The mines that are not flagged; empty without a game. */
  get minesLeft() {
    const { game } = this;
    return game ? String(game.over === "won" ? 0 : game.total - game.flags) : "";
  }

  /** True if help can be asked for. */
  get mayHelp() {
    return Boolean(this.game && !this.game.over);
  }

  /** What the sheet shows: an end, a hint, a warning, advice on guesses; null for none of them. */
  get says() {
    const { advice, ended, help } = this;
    if (ended) return ended;
    if (help?.kind === "hint") return help.found;
    if (help?.kind === "warning") return help;
    return advice && advice.kind !== "safe" && advice.candidates.length ? advice : null;
  }

  /**
   * The covered cells around a number that sink while a button is down that opens them.
   * @param {import("./buttons.js").Action} action
   * @param {number} index
   */
  sunk(action, index) {
    const { game } = this;
    if (!game || game.over || isCovered(game.symbols[index]) || (action !== "open" && action !== "chord")) return [];
    return game.neighbours[index].filter((other) => game.symbols[other] === "#");
  }

  /** What is marked on the board while the game goes on. @returns {Marks} */
  get marks() {
    const { advice, game, help } = this;
    if (help?.kind === "warning") return { bad: help.risky };
    if (help?.kind === "cells") return help.marks;
    if (help && game) return hintMarks(help, game);
    return game && advice ? { ...marksOf(game, advice), target: game.indices(this.pointed) } : {};
  }

  /**
   * @param {number} index
   * @returns {import("../board/look.js").Look}
   */
  look(index) {
    const { game } = this;
    if (!game) return lookOf("#");
    const symbol = game.symbols[index];
    if (game.over) {
      const mine = game.dealt?.shown[index] === "*";
      return mine && game.over === "won" ? lookOf("F") : lookOf(symbol, { mine });
    }
    const win = symbol === "#" ? this.#advised().get(index) : null;
    return win ? { symbol, ...win } : lookOf(symbol, { odds: this.#odds(index) });
  }

  /** What a tooltip says of a covered cell; empty where nothing is known. @param {number} index */
  tip(index) {
    const { game } = this;
    if (!game || game.over || !isCovered(game.symbols[index])) return "";
    const odds = this.#odds(index);
    return [odds && `risk ${fraction(odds.percent, odds.exact)}`, this.#advised().get(index)?.label]
      .filter(Boolean)
      .join(", ");
  }

  /** The risk of a cell, if risks are shown. @param {number} index */
  #odds(index) {
    return this.risks ? this.risks.odds[this.risks.cells[index]] : null;
  }

  /** How the advice makes cells look: safe, or with their chance to win. */
  #advised() {
    const { advice, game } = this;
    if (!advice || !game) return NO_LOOKS;
    const known = looks.get(advice) ?? looksOf(game, advice);
    looks.set(advice, known);
    return known;
  }
}

/** @typedef {Map<number, Partial<import("../board/look.js").Look>>} Looks */
/** @type {Looks} */
const NO_LOOKS = new Map();
/** The looks of advice, made once. @type {WeakMap<Advice, Looks>} */
const looks = new WeakMap();

/** @param {import("./game.js").Game} game @param {Advice} advice @returns {Looks} */
function looksOf(game, advice) {
  if (advice.kind !== "safe") return winLooks(game, advice);
  return new Map(advice.candidates.map(({ cell }) => [game.index(cell), { heat: 0, text: "", label: "safe" }]));
}

/**
 * First where to look, then the numbers, then the cell that follows.
 * @param {Hint} hint
 * @param {import("./game.js").Game} game
 * @returns {Marks}
 */
function hintMarks({ found: { steps, cell, safe }, told }, game) {
  const [region, numbers, conclusion] = steps.slice(0, told);
  /** @type {Marks} */
  const marks = {};
  if (numbers?.cells?.length) marks.clue = game.indices(numbers.cells);
  else if (region?.cells?.length) marks.region = game.indices(region.cells);
  if (conclusion) {
    marks.best = [game.index(cell)];
    if (safe) marks.good = marks.best;
  }
  return marks;
}
