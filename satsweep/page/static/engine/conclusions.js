// @ts-check
// Conclusions about cells in steps that a person can follow, as in satsweep/why/steps.py, which explains them: a single
// number, two numbers, numbers inside another one, the mine total beside numbers. Numbers are exact here.

const MOST_CHOICES = 300; // nodes of the search for numbers that share no cell
const MINE = -2;
const COVERED = -1;

/**
 * @typedef {import("./engine.js").KnownPosition} KnownPosition
 * @typedef {Map<number, boolean>} Assignment true for a mine
 * @typedef {{ bounds: Bounds, cells: Set<number>, mines: number }} Remaining
 * @typedef {{
 *   kind: "number" | "pair" | "group" | "total", premises: Bounds[], cells: number[], mine: boolean, needs: Set<number>,
 * }} Conclusion all cells are mines, or all are safe; without cells it is a contradiction
 */

/** The mines among the covered cells of a number, or (null) of the board. */
export class Bounds {
  /** @param {number | null} clue @param {Set<number>} cells @param {number} mines */
  constructor(clue, cells, mines) {
    this.clue = clue;
    this.cells = cells;
    this.mines = mines;
  }

  /** @param {Assignment} known @returns {Remaining} */
  remaining(known) {
    const cells = new Set([...this.cells].filter((cell) => !known.has(cell)));
    const mines = [...this.cells].filter((cell) => known.get(cell)).length;
    return { bounds: this, cells, mines: this.mines - mines };
  }
}

/**
 * Conclusions that end with the value of a cell, or (null) in a contradiction, each needed; null if these do not suffice.
 * @param {KnownPosition} position
 * @param {number[]} clues
 * @param {boolean} total
 * @param {number | null} goal
 * @returns {Conclusion[] | null}
 */
export function derive({ symbols, neighbours, mines }, clues, total, goal) {
  const isCovered = (/** @type {number} */ cell) => symbols[cell] === COVERED;
  const isMine = (/** @type {number} */ cell) => symbols[cell] === MINE;
  const bounds = clues.map((clue) => {
    const around = neighbours[clue];
    return new Bounds(clue, new Set(around.filter(isCovered)), symbols[clue] - around.filter(isMine).length);
  });
  const cells = [...symbols.keys()];
  if (total) bounds.push(new Bounds(null, new Set(cells.filter(isCovered)), mines - cells.filter(isMine).length));
  const derivation = new Derivation(bounds);
  const contradiction = derivation.run(goal);
  if (goal === null) {
    if (!contradiction) return null;
    return [...neededFor(contradiction.needs, derivation.conclusions), contradiction];
  }
  return contradiction || !derivation.known.has(goal) ? null : neededFor([goal], derivation.conclusions);
}

/** The conclusions that some cells rest on. @param {Iterable<number>} cells @param {Conclusion[]} conclusions */
function neededFor(cells, conclusions) {
  const wanted = new Set(cells);
  /** @type {Conclusion[]} */
  const kept = [];
  for (const conclusion of conclusions.toReversed()) {
    const used = conclusion.cells.filter((cell) => wanted.has(cell));
    if (!used.length) continue;
    kept.push({ ...conclusion, cells: used });
    for (const cell of used) wanted.delete(cell);
    for (const cell of conclusion.needs) wanted.add(cell);
  }
  return kept.reverse();
}

/** A partial assignment, and the conclusions that led to it. */
class Derivation {
  /** @type {Assignment} */
  known = new Map();
  /** @type {Conclusion[]} */
  conclusions = [];

  /** @param {Bounds[]} bounds */
  constructor(bounds) {
    this.bounds = bounds;
  }

  /** Add conclusions until one settles the goal; a contradiction, if there is one. @param {number | null} goal */
  run(goal) {
    while (goal === null || !this.known.has(goal)) {
      let found = this.#fromOne();
      if (!found.length) found = this.#fromTwo(goal);
      if (!found.length) found = this.#fromGroup();
      if (!found.length) found = this.#fromTotal();
      if (!found.length) return null;
      const contradiction = found.find(({ cells }) => !cells.length);
      if (contradiction) return contradiction;
      for (const conclusion of found) this.#add(conclusion);
    }
    return null;
  }

  /** @param {Conclusion} conclusion */
  #add(conclusion) {
    const cells = conclusion.cells.filter((cell) => !this.known.has(cell));
    if (!cells.length) return;
    for (const cell of cells) this.known.set(cell, conclusion.mine);
    this.conclusions.push({ ...conclusion, cells });
  }

  /** @param {Iterable<number>} cells @param {boolean} mine */
  #assigned(cells, mine) {
    return new Set([...cells].filter((cell) => this.known.get(cell) === mine));
  }

  /** @param {Bounds[]} bounds */
  #unsettled(bounds) {
    return bounds.map((one) => one.remaining(this.known)).filter(({ cells }) => cells.size);
  }

  #fromOne() {
    /** @type {Conclusion[]} */
    const found = [];
    for (const bounds of this.bounds) {
      const { cells, mines } = bounds.remaining(this.known);
      const kind = bounds.clue === null ? "total" : "number";
      const own = { kind: /** @type {Conclusion["kind"]} */ (kind), premises: [bounds] };
      if (mines < 0 || mines > cells.size) {
        found.push({ ...own, cells: [], mine: false, needs: this.#assigned(bounds.cells, mines < 0) });
        break;
      }
      if (cells.size && (mines === 0 || mines === cells.size))
        found.push({
          ...own,
          cells: ascending(cells),
          mine: mines > 0,
          needs: this.#assigned(bounds.cells, mines === 0),
        });
    }
    return found;
  }

  /** The first conclusion from two clues, about the goal if possible. @param {number | null} goal @returns {Conclusion[]} */
  #fromTwo(goal) {
    /** @type {Conclusion | null} */
    let found = null;
    const unsettled = this.#unsettled(this.bounds);
    for (const { bounds: less, cells: lessCells, mines: a } of unsettled)
      for (const { bounds: more, cells: moreCells, mines: b } of unsettled) {
        if (less === more || isDisjoint(lessCells, moreCells) || b < a) continue;
        const [onlyMore, onlyLess] = [difference(moreCells, lessCells), difference(lessCells, moreCells)];
        if (b - a !== onlyMore.size || (!onlyMore.size && !onlyLess.size)) continue;
        const needs = new Set([
          ...this.#assigned(difference(more.cells, less.cells), false),
          ...this.#assigned(difference(less.cells, more.cells), true),
        ]);
        const kind = less.clue === null || more.clue === null ? "total" : "pair";
        for (const [cells, mine] of /** @type {[Set<number>, boolean][]} */ ([
          [onlyMore, true],
          [onlyLess, false],
        ])) {
          if (!cells.size || (found && !(goal !== null && cells.has(goal)))) continue;
          found = { kind, premises: [less, more], cells: ascending(cells), mine, needs };
          if (goal === null || cells.has(goal)) return [found];
        }
      }
    return found ? [found] : [];
  }

  /** @returns {Conclusion[]} */
  #fromGroup() {
    const unsettled = this.#unsettled(this.bounds.filter(({ clue }) => clue !== null));
    for (const outer of unsettled) {
      const inner = unsettled.filter((other) => other !== outer && isSubset(other.cells, outer.cells));
      if (inner.length < 2) continue;
      for (const mine of [true, false]) {
        const found = this.#fromPacking(outer, inner, mine);
        if (found && found.premises.length > 2) return [{ ...found, kind: "group" }];
      }
    }
    return [];
  }

  /** @returns {Conclusion[]} */
  #fromTotal() {
    const last = this.bounds.at(-1);
    if (!last || last.clue !== null) return [];
    const total = last.remaining(this.known);
    const numbers = this.#unsettled(this.bounds.slice(0, -1));
    for (const mine of [true, false]) {
      const found = this.#fromPacking(total, numbers, mine);
      if (found) return [found];
      const covering = cover(numbers, mine);
      const rest = without(total.cells, covering);
      const missing = neededBy(total, mine) - covering.reduce((sum, one) => sum + neededBy(one, mine), 0) - rest.size;
      if (covering.length && (missing > 0 || (missing === 0 && rest.size)))
        return [this.#compared(last, covering, missing === 0 ? rest : new Set(), mine)];
    }
    return [];
  }

  /** @param {Remaining} outer @param {Remaining[]} inner @param {boolean} mine */
  #fromPacking(outer, inner, mine) {
    const packed = packing(inner, mine);
    const rest = without(outer.cells, packed);
    const spare = neededBy(outer, mine) - packed.reduce((sum, one) => sum + neededBy(one, mine), 0);
    if (!packed.length || spare > 0 || (spare === 0 && !rest.size)) return null;
    return this.#compared(outer.bounds, packed, spare === 0 ? rest : new Set(), !mine);
  }

  /** @param {Bounds} outer @param {Remaining[]} inner @param {Set<number>} cells @param {boolean} mine @returns {Conclusion} */
  #compared(outer, inner, cells, mine) {
    const compared = inner.map(({ bounds }) => bounds);
    /** @type {Set<number>} */
    const needs = new Set();
    for (const [cell, isMine] of this.known) {
      const touching = compared.filter((bounds) => bounds.cells.has(cell)).length;
      const isNeeded = outer.cells.has(cell) ? touching > 1 || (!touching && isMine !== mine) : touching > 0;
      if (isNeeded) needs.add(cell);
    }
    return { kind: "total", premises: [outer, ...compared], cells: ascending(cells), mine, needs };
  }
}

/** @param {Set<number>} one @param {Set<number>} other */
export const difference = (one, other) => new Set([...one].filter((cell) => !other.has(cell)));

/** @param {Set<number>} one @param {Set<number>} other */
export const isSubset = (one, other) => one.size <= other.size && [...one].every((cell) => other.has(cell));

/** @param {Set<number>} one @param {Set<number>} other */
const isDisjoint = (one, other) => ![...one].some((cell) => other.has(cell));

/** The mines (or safe cells) that a number needs. @param {Remaining} remaining @param {boolean} mine */
const neededBy = ({ cells, mines }, mine) => (mine ? mines : cells.size - mines);

/** @param {Set<number>} cells @param {Remaining[]} scopes */
const without = (cells, scopes) => scopes.reduce((left, scope) => difference(left, scope.cells), cells);

/**
 * Numbers that share no cell and need most mines (or safe cells), by exhaustive search.
 * @param {Remaining[]} numbers
 * @param {boolean} mine
 */
function packing(numbers, mine) {
  const ordered = numbers
    .map((number) => ({ needed: neededBy(number, mine), number }))
    .filter(({ needed }) => needed > 0)
    .sort((one, other) => other.needed - one.needed || one.number.cells.size - other.number.cells.size);
  /** @type {Remaining[]} */
  let best = [];
  let most = 0;
  let choices = 0;

  /** @param {number} start @param {Remaining[]} chosen @param {Set<number>} taken @param {number} total */
  const choose = (start, chosen, taken, total) => {
    choices += 1;
    if (total > most) [best, most] = [chosen, total];
    for (const [place, { needed, number }] of ordered.entries()) {
      if (place < start) continue;
      if (choices > MOST_CHOICES) return;
      if (isDisjoint(number.cells, taken))
        choose(place + 1, [...chosen, number], new Set([...taken, ...number.cells]), total + needed);
    }
  };

  choose(0, [], new Set(), 0);
  return best;
}

/** Numbers that allow few mines (or safe cells) in a greedy cover. @param {Remaining[]} numbers @param {boolean} mine */
function cover(numbers, mine) {
  /** @type {Remaining[]} */
  const chosen = [];
  /** @type {Set<number>} */
  let covered = new Set();
  for (;;) {
    const gains = numbers.map((number) => difference(number.cells, covered).size - neededBy(number, mine));
    const gain = Math.max(0, ...gains);
    if (!gain) return chosen;
    const next = numbers[gains.indexOf(gain)];
    chosen.push(next);
    covered = new Set([...covered, ...next.cells]);
  }
}

/** @param {Iterable<number>} cells */
const ascending = (cells) => [...cells].sort((one, other) => one - other);
