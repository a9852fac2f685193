// @ts-check
// A reviewed game as steps: the choices of the player with their verdicts, and the position before each.

import { isCovered, Position } from "../basics/position.js";

/** What a step is: the class of its verdict, or a flag on a cell that is no mine. @typedef {MoveClass | "wrong flag"} Kind */

/** Kinds where the player could have done better. @type {Set<Kind>} */
const FAULTS = new Set(["inaccuracy", "mistake", "blunder", "wrong flag"]);

/** What rules that redraw mines make of a guess: a heading, and a sentence. */
export const DECIDED = {
  safe: { heading: "Guesses that were spared", said: "The rule spared it." },
  mine: { heading: "Guesses that were punished", said: "The rule punished it." },
};

export class Step {
  /**
   * `from` and `to` are the places of its moves; a chord has several.
   * @param {ReviewedMove} move
   * @param {number} from
   */
  constructor(move, from) {
    this.move = move;
    this.from = from;
    this.to = from + 1;
    /** @type {Kind} */
    this.kind = move.class ?? "wrong flag";
  }

  get isFault() {
    return FAULTS.has(this.kind);
  }

  /** The verdict in words. @returns {Sentence} */
  get said() {
    const { decided, said } = this.move;
    return decided ? [...said, ` ${DECIDED[decided].said}`] : said;
  }

  /** The cells that the player chose. */
  get chosen() {
    return this.move.choice?.cells ?? [this.move.cell];
  }

  /** Cells that were better to open. */
  get better() {
    const { choice } = this.move;
    if (!choice || !this.isFault) return [];
    return choice.missed.length ? choice.missed.map(({ cell }) => cell) : choice.best ? [choice.best] : [];
  }

  /** The numbers of the reason for a safe cell that was overlooked. */
  get clues() {
    return this.move.choice?.reason?.clues ?? [];
  }
}

export class ReviewedGame {
  /** @param {Reviewed} found the answer to `review_game` */
  constructor(found) {
    this.found = found;
    /** @type {Step[]} */
    this.steps = [];
    for (const [at, move] of found.moves.entries()) {
      if (move.class || move.wrong_flag) this.steps.push(new Step(move, at));
      else if (move.opened.length && this.steps.length) /** @type {Step} */ (this.steps.at(-1)).to = at + 1;
    }
  }

  /** True if mines were redrawn. */
  get isRedrawn() {
    return (this.found.rules.redraw ?? "never") !== "never";
  }

  /**
   * The guesses that the rules decided so, with their steps.
   * @param {"safe" | "mine"} kind
   */
  decided(kind) {
    return [...this.found.moves.entries()].flatMap(([at, move]) => {
      const step = this.steps.findIndex(({ from, to }) => from <= at && at < to);
      return move.decided === kind && step >= 0 ? [{ move, step }] : [];
    });
  }

  /** The cells of clicks that were not needed. */
  get notNeeded() {
    return this.found.moves.flatMap(({ not_needed, cell }) => (not_needed ? [cell] : []));
  }

  /** The chances to win before each step, and at the end; null where one is not known. */
  get chances() {
    return [...this.steps.map(({ move }) => move.before), this.found.moves.at(-1)?.after ?? null];
  }

  /**
   * What the player saw before a step; after all of them at the end.
   * @param {number} step
   */
  symbols(step) {
    const { rows, cols, moves } = this.found;
    const symbols = Array(rows * cols).fill("#");
    const index = (/** @type {Cell} */ [row, col]) => row * cols + col;
    for (const { action, cell, opened } of moves.slice(0, this.steps[step]?.from ?? moves.length)) {
      if (action === "flag" || action === "unflag") symbols[index(cell)] = action === "flag" ? "F" : "#";
      for (const [at, symbol] of opened) symbols[at] = symbol;
    }
    return symbols;
  }

  /** @param {number} step */
  position(step) {
    const { rows, cols, mines, topology = "square", rules } = this.found;
    const total = rules.tells_total ? mines : null;
    return new Position({ rows, cols, mines: total, topology, clues: rules.clues, cells: this.symbols(step) });
  }

  /**
   * How a cell is drawn before a step; at the end with the mines.
   * @param {number} step
   * @param {string[]} symbols
   * @param {number} index
   */
  known(step, symbols, index) {
    if (step < this.steps.length || !isCovered(symbols[index])) return null;
    const { cols, layout } = this.found;
    return layout[Math.floor(index / cols)][index % cols] === "*";
  }

  /**
   * The next step that could have been better, in a circle; the end if there is none.
   * @param {number} step
   */
  nextFault(step) {
    const count = this.steps.length;
    for (let ahead = 1; ahead <= count + 1; ahead++) {
      const other = (step + ahead) % (count + 1);
      if (this.steps[other]?.isFault) return other;
    }
    return count;
  }
}
