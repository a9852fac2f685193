// @ts-check
// What Review knows and shows, apart from its elements: the game of the view, and the walk through its choices.

import { plural } from "../basics/dom.js";
import { percent } from "../basics/numbers.js";
import { DECIDED, ReviewedGame } from "./reviewed.js";

/** How chances to win are known, where they are not exact. */
const KNOWN = {
  exact: "",
  estimate: "Chances to win are estimates where many solutions are left.",
  risk: "Chances to win are not known in this game, only risks.",
};
const MORE =
  "A game can lose more than one win: luck gives chances back in between, and later moves lose them again. Here";
const REDRAWN = "The rule decides how mines fall, so choices are judged by their risk, and luck is left out.";

/**
 * A fact as it is shown: nobody knows what a share of more than all means.
 * @param {string} name
 * @param {string} value such as "about -116.7 %"
 */
function inWords(name, value) {
  const share = name === "skill" || name === "luck" ? Number(/[-+]?[\d.]+/.exec(value)?.[0]) : 0;
  return share < -100 ? "lost more than all" : share > 100 ? "gave more than all" : value;
}

/** The game that the view shows. */
export class ReviewState {
  /** The fields that ask for the review, without clicks; null where a link cannot hold them. @type {Record<string, any> | null} */
  asked = null;
  /** @type {import("../shared/clicks.js").Click[]} */
  clicks = [];
  /** @type {Reviewed | null} */
  found = null;
  /** Why there is no review of what was asked for. */
  problem = "";

  /** @param {Partial<ReviewState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** The head of the game: how it ended, and who played which board. */
  get head() {
    if (!this.found) return { title: "", outcome: "" };
    const { won, outcome, player, rows, cols, mines } = this.found;
    return {
      title: won ? "Won" : outcome === "exploded" ? "Lost" : "Not finished",
      outcome: `${player}, ${rows}×${cols}, ${plural(mines, "mine")}`,
    };
  }
}

/** The walk through the choices of a game. */
export class WalkState {
  /** The game, once its review has come. @type {ReviewedGame | null} */
  game = null;
  /** What stands there instead: that it is coming, or why it does not. */
  note = "";
  /** The step that is shown; the number of steps at the end. */
  step = 0;
  /** True if clicks are told: nothing else than the player has clicked. */
  ownClicks = true;
  /** Why the safe cell of this step was safe, once that is known. @type {Reason | null} */
  reason = null;
  /** True while clicks that were not needed are marked. */
  marksSpare = false;

  /** @param {Partial<WalkState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** This state with changes. @param {Partial<WalkState>} change */
  with(change) {
    return new WalkState({ ...this, ...change });
  }

  /** The end of a game is shown. @param {Reviewed} found @param {boolean} ownClicks */
  static of(found, ownClicks) {
    const game = new ReviewedGame(found);
    return new WalkState({ game, step: game.steps.length, ownClicks });
  }

  /** Another step is shown, the nearest one that there is. @param {number} step */
  at(step) {
    return this.with({ step: Math.min(Math.max(step, 0), this.last), reason: null, marksSpare: false });
  }

  /** The number of steps, which stands for the end. */
  get last() {
    return this.game?.steps.length ?? 0;
  }

  /** The step that is shown; undefined at the end. */
  get shown() {
    return this.game?.steps[this.step];
  }

  /** True while a position before the end is shown. */
  get isWalking() {
    return this.game !== null && this.step < this.last;
  }

  /** The step with the next fault, or the end. */
  get nextFault() {
    return this.game?.nextFault(this.step) ?? 0;
  }

  get hasFaults() {
    return this.game?.steps.some(({ isFault }) => isFault) ?? false;
  }

  get summary() {
    return this.game?.found.summary ?? this.note;
  }

  /** Facts of the game by their names; a loss of more than all in words. @param {string[]} names @returns {[name: string, value: string][]} */
  facts(names) {
    return this.#facts.flatMap(([name, value]) => (names.includes(name) ? [[name, inWords(name, value)]] : []));
  }

  get #facts() {
    return this.game?.found.facts ?? [];
  }

  /** How its numbers are to be read. */
  get remark() {
    if (!this.game) return "";
    const [[, mode] = []] = this.facts(["mode"]);
    const known = this.game.isRedrawn ? REDRAWN : mode ? `Mode ${mode}.` : KNOWN[this.game.found.known];
    const more = this.#facts.filter(([name, value]) => inWords(name, value) !== value);
    const told = more.map(([name, value]) => `${name} is ${value}`).join(", ");
    return more.length ? `${known} ${MORE} ${told}.`.trim() : known;
  }

  /** Clicks that were not needed; 0 where that is not known. */
  get spareClicks() {
    return this.ownClicks ? (this.game?.found.clicks?.not_needed ?? 0) : 0;
  }

  /** Guesses that the rules decided, by heading: the step of each, and what is said of it. */
  get decided() {
    const { game } = this;
    if (!game) return [];
    return /** @type {const} */ (["safe", "mine"]).flatMap((kind) => {
      const guesses = game.decided(kind).map(({ move, step }) => {
        const [of, all] = (move.choice?.cells.length === 1 ? move.choice.risk : "").split("/").map(Number);
        /** @type {Sentence} */
        const said = [move.cell, all ? ` with ${percent(of / all)} risk` : ""];
        return { step, said };
      });
      return guesses.length ? [{ heading: `${DECIDED[kind].heading}: ${guesses.length}`, guesses }] : [];
    });
  }

  /** The place of the step, such as "Move 2 of 7: "; empty at the end. */
  get place() {
    return this.shown ? `Move ${this.step + 1} of ${this.last}: ` : "";
  }

  /** What is said of the click of the step. */
  get clicked() {
    return this.ownClicks ? (this.shown?.move.click_said ?? "") : "";
  }

  /** What the player saw before the step. */
  get symbols() {
    this.#symbols ??= this.game?.symbols(this.step) ?? [];
    return this.#symbols;
  }

  /** @type {string[] | null} */
  #symbols = null;

  /**
   * The cells that are marked; `step` is the step of the reason that the user points at.
   * @param {Step | null} [step]
   * @returns {Record<string, Cell[]>}
   */
  marks(step = null) {
    const { game, reason, shown } = this;
    if (!shown) return game && this.marksSpare ? { target: game.notNeeded } : {};
    const [best, ...good] = shown.better;
    return {
      [shown.isFault ? "bad" : "target"]: shown.chosen,
      good,
      best: best ? [best] : [],
      clue: (step ?? reason)?.clues ?? shown.clues,
    };
  }
}
