// @ts-check
/**
 * Reasons in words: arguments step by step, with the sentences of satsweep in Python.
 *
 *     import { inWords } from "satsweep/words";
 *     inWords(engine.explain(board, cell)).text;
 *
 * A step also has its sentence as words and names of cells (`said`), for those who name cells in their own way.
 *
 * Sentences name single numbers, two numbers, numbers inside another one, and the mine total, one conclusion after the
 * other. Python goes on with suppositions; where they are needed, one sentence names all numbers here.
 */

import { derive, difference, isSubset } from "./conclusions.js";
import { amount, capitalized, counted, joined, listed, placeOf, said, sentenceOf, written } from "./phrases.js";

const MOST_BLOCKS = 4; // of cells that are named
const MOST_CLUES = 12; // that are named
const MOST_SENTENCES = 16;
const MINE = -2;
const MINE_COUNT = ["all mines found", "only mines left", "mine count"];

/**
 * @typedef {import("./engine.js").Reason} Reason
 * @typedef {import("./engine.js").KnownPosition} KnownPosition
 * @typedef {import("./conclusions.js").Bounds} Bounds
 * @typedef {import("./conclusions.js").Conclusion} Conclusion
 * @typedef {import("./conclusions.js").Assignment} Assignment
 * @typedef {import("./phrases.js").Pieces} Pieces
 * @typedef {import("./phrases.js").Sentence} Sentence
 * @typedef {{
 *   text: string, said: Sentence, rule: string, clues: number[], total: boolean, cells: number[], mine: boolean | null,
 * }} Step all cells are mines, or all are safe; without cells it is a contradiction
 * @typedef {{ rule: string, text: string, steps: Step[] }} Argument
 * @typedef {{
 *   rule: string, conclusion: Conclusion, length: number, settled?: number, line?: [cell: number, left: number][],
 * }} Pattern a conclusion and its rule; `length` conclusions are taken together
 */

/**
 * The argument of a reason: of a cell that is forced, or of numbers that contradict each other.
 * @param {Reason} reason
 * @returns {Argument}
 */
export function inWords(reason) {
  if (reason.kind === "either") throw new TypeError("expected a reason, found a cell that may be either");
  const { position, clues, total } = reason;
  const words = new Words(position);
  const isConflict = reason.kind === "conflict";
  const goal = isConflict ? null : reason.cell;
  const steps = words.merged(words.steps(derive(position, clues, total, goal) ?? []));
  const named = capitalized(words.clues(clues, total));
  const mine = reason.kind === "mine";
  const whole = { clues, total, cells: isConflict ? [] : [reason.cell], mine: isConflict ? null : mine };
  const fits = steps.length > 0 && steps.length <= MOST_SENTENCES;
  if (isConflict) {
    const be = ["be true", "both be true"][clues.length + Number(total) - 1] ?? "all be true";
    const first = { ...whole, ...told(said("conflict", { clues: named, be })), rule: "conflict" };
    return argument("conflict", fits ? [first, ...steps] : [first]);
  }
  if (fits) return argument(ruleOf(steps), steps);
  const only = said("clue set", { clues: named, result: words.are([reason.cell], mine) });
  return argument("clue set", [{ ...whole, ...told(only), rule: "clue set" }]);
}

/** A sentence and its text. @param {Sentence} sentence */
const told = (sentence) => ({
  text: sentence.map((part) => (typeof part === "string" ? part : part.text)).join(""),
  said: sentence,
});

/** @param {string} rule @param {Step[]} steps @returns {Argument} */
const argument = (rule, steps) => ({ rule, text: steps.map(({ text }) => text).join(" "), steps });

/** @param {Step[]} steps */
function ruleOf(steps) {
  const last = steps[steps.length - 1].rule;
  return steps.length === 1 || MINE_COUNT.includes(last) ? last : "chain";
}

/** Words about the cells and numbers of a position. */
class Words {
  /** @param {KnownPosition} position */
  constructor(position) {
    this.position = position;
  }

  /** @param {Conclusion[]} conclusions @returns {Step[]} */
  steps(conclusions) {
    /** @type {Assignment} */
    const known = new Map();
    /** @type {Step[]} */
    const found = [];
    for (let at = 0; at < conclusions.length; ) {
      const pattern = this.#pattern(conclusions, at, known);
      const { premises, cells, mine } = pattern.conclusion;
      const clues = premises.flatMap(({ clue }) => (clue === null ? [] : [clue]));
      const step = { clues: ascending(new Set(clues)), total: clues.length < premises.length, cells };
      found.push({
        ...told(this.#phrase(pattern, known)),
        rule: pattern.rule,
        ...step,
        mine: cells.length ? mine : null,
      });
      at += pattern.length;
      for (const cell of cells) known.set(cell, mine);
    }
    return found;
  }

  /** The steps; of many, single numbers in a row become one. @param {Step[]} steps @returns {Step[]} */
  merged(steps) {
    if (steps.length <= MOST_SENTENCES) return steps;
    /** @type {Step[]} */
    const found = [];
    for (let at = 0; at < steps.length; ) {
      let end = at;
      while (end < steps.length && steps[end].rule === "single point" && steps[end].cells.length) end += 1;
      const run = steps.slice(at, Math.max(end, at + 1));
      at += run.length;
      if (run.length < 3) {
        found.push(...run);
        continue;
      }
      const clues = ascending(new Set(run.flatMap((step) => step.clues)));
      for (const mine of [true, false]) {
        const cells = ascending(run.flatMap((step) => (step.mine === mine ? step.cells : [])));
        const sentence = said("single points", { result: this.are(cells, mine) });
        if (cells.length) found.push({ ...told(sentence), rule: "single points", clues, total: false, cells, mine });
      }
    }
    return found;
  }

  /** @param {Conclusion[]} conclusions @param {number} at @param {Assignment} known @returns {Pattern} */
  #pattern(conclusions, at, known) {
    const conclusion = conclusions[at];
    const { kind, premises, cells, mine } = conclusion;
    const found = (/** @type {string} */ rule) => ({ rule, conclusion, length: 1 });
    if (kind === "number") return found("single point");
    if (kind === "group") return found("subsets");
    if (kind === "total") {
      if (premises.length > 1 || !cells.length) return found("mine count");
      return found(mine ? "only mines left" : "all mines found");
    }
    const rule = this.#ruleOfPair(conclusion, known);
    const line = rule === "1-2" && at + 1 < conclusions.length ? this.#line(conclusions, at, known) : null;
    return line ?? found(rule);
  }

  /** @param {Conclusion} conclusion @param {Assignment} known */
  #ruleOfPair({ premises: [less, more] }, known) {
    const [one, other] = [less.remaining(known), more.remaining(known)];
    if (this.#adjacent(/** @type {number} */ (less.clue), /** @type {number} */ (more.clue))) {
      const own = difference(other.cells, one.cells).size;
      if (one.mines === 1 && other.mines === 1 && !own && other.cells.size < one.cells.size) return "1-1";
      if (one.mines === 1 && other.mines === 2 && own === 1) return "1-2";
    }
    return isSubset(other.cells, one.cells) || isSubset(one.cells, other.cells) ? "subset" : "overlap";
  }

  /**
   * A 1-2-1 or 1-2-2-1, if a 1-2 and the next conclusion are one.
   * @param {Conclusion[]} conclusions @param {number} at @param {Assignment} known @returns {Pattern | null}
   */
  #line(conclusions, at, known) {
    const [pair, single, ...later] = conclusions.slice(at);
    const { symbols, rows, cols, neighbours } = this.position;
    const [settled] = pair.cells;
    const [last] = single.premises;
    if (single.kind !== "number" || single.mine || !single.cells.length || !pair.mine) return null;
    const other = [...single.needs].filter((cell) => !known.has(cell));
    if (other.length !== pair.cells.length || !pair.cells.every((cell) => other.includes(cell))) return null;
    if (later.some(({ needs }) => needs.has(settled)) || last.remaining(known).mines !== 1) return null;
    const [less, more, end] = [pair.premises[0], pair.premises[1], last].map(({ clue }) => clue ?? -1);
    const [row, col] = [Math.floor(less / cols), less % cols];
    const [down, right] = [Math.floor(more / cols) - row, (more % cols) - col];
    const step = (/** @type {number} */ steps) => {
      const [r, c] = [row + steps * down, col + steps * right];
      return r >= 0 && r < rows && c >= 0 && c < cols ? r * cols + c : -1;
    };
    const cells = [less, more, step(2), step(3)];
    const place = cells.indexOf(end, 2);
    if (place < 0) return null;
    const line = cells.slice(0, place + 1);
    if (!line.slice(1).every((cell, before) => this.#adjacent(line[before], cell))) return null;
    const conclusion = { ...single, premises: [...pair.premises, last] };
    if (line.length === 4) {
      const around = neighbours[line[2]].filter((cell) => symbols[cell] === MINE || known.get(cell)).length;
      if (symbols[line[2]] < 0 || symbols[line[2]] - around !== 2) return null;
    }
    const left = line.length === 3 ? [1, 2, 1] : [1, 2, 2, 1];
    /** @type {[number, number][]} */
    const numbered = line.map((cell, index) => [cell, left[index]]);
    return { rule: left.join("-"), conclusion, length: 2, settled, line: numbered };
  }

  /** Whether two cells stand beside each other. @param {number} one @param {number} other */
  #adjacent(one, other) {
    const { cols, neighbours } = this.position;
    const away = Math.abs(Math.floor(one / cols) - Math.floor(other / cols)) + Math.abs((one % cols) - (other % cols));
    return away === 1 && neighbours[one].includes(other);
  }

  /** @param {Pattern} pattern @param {Assignment} known */
  #phrase(pattern, known) {
    const { rule, conclusion } = pattern;
    if (pattern.line) return this.#inLine(pattern);
    if (rule === "single point") return this.#single(conclusion, known);
    if (rule === "subsets") return this.#group(conclusion, known);
    return MINE_COUNT.includes(rule) ? this.#mineCount(conclusion, known) : this.#pair(conclusion, known);
  }

  /** @param {Conclusion} conclusion @param {Assignment} known */
  #single({ premises: [bounds], cells: settled, mine }, known) {
    const { symbols, neighbours } = this.position;
    const { cells, mines } = bounds.remaining(known);
    const place = /** @type {number} */ (bounds.clue);
    const [number, shown] = [capitalized(this.clue(place)), symbols[place]];
    const found = neighbours[place].filter((cell) => symbols[cell] === MINE || known.get(cell));
    const places = this.places(found);
    if (mines < 0) {
      const allowed = shown ? `more than ${counted(shown)}` : "a mine";
      return said("too many", { number, now: found.some((cell) => known.has(cell)) ? " now" : "", allowed, places });
    }
    const needs = `${found.length ? "still needs" : "needs"} ${counted(mines)}`;
    if (mines > cells.size) {
      const rest = cells.size ? `only ${counted(cells.size, "cell")} left` : "no cell left";
      return said("too few", { number, needs, rest });
    }
    const result = this.are(settled, mine);
    if (mine)
      return said("needs all", { number, needs, cells: counted(cells.size, "cell"), them: them(mines), result });
    if (!shown) return said("touches none", { number, result });
    const all = ["", "its mine", "both its mines"][shown] ?? `all its ${amount(shown)} mines`;
    return said("has all", { number, mines: all, places, result });
  }

  /** @param {Conclusion} conclusion @param {Assignment} known */
  #pair({ premises: [less, more], cells: found, mine }, known) {
    const { symbols } = this.position;
    const [first, second] = [/** @type {number} */ (less.clue), /** @type {number} */ (more.clue)];
    const [{ cells: lessCells, mines: a }, { cells: moreCells, mines: b }] = [
      less.remaining(known),
      more.remaining(known),
    ];
    const onlyMore = difference(moreCells, lessCells);
    const shared = this.places([...lessCells].filter((cell) => moreCells.has(cell)));
    const [one, other] = [this.clue(first), this.clue(second)];
    const [hasLess, hasMore, only] = [this.#has(first, a), this.#has(second, b), this.#has(first, a, "only ")];
    if (!onlyMore.size) {
      const words = { one: capitalized(other), has: hasMore, other: capitalized(one), these: these(moreCells) };
      return said("inside", { ...words, shared, needs: only, result: this.are(found, false) });
    }
    if (isSubset(lessCells, moreCells)) {
      const words = { one: capitalized(one), has: hasLess, other: capitalized(other), these: these(lessCells) };
      return said("inside", { ...words, shared, needs: hasMore, result: this.#rest(onlyMore, found) });
    }
    const words = { other: capitalized(other), has: hasMore, one, shared };
    if (mine) return said("shares few", { ...words, only, result: this.#rest(onlyMore, found) });
    const again = symbols[first] === symbols[second] ? one : `the ${symbols[first]}`;
    const amounts = { cells: counted(onlyMore.size, "cell"), mines: counted(a), are: is(a) };
    return said("shares many", {
      ...{ ...words, ...amounts, again },
      wants: this.#wants(first, a),
      result: this.are(found, false),
    });
  }

  /** @param {Conclusion} conclusion @param {Assignment} known */
  #group({ premises: [outside, ...inside], cells: found, mine }, known) {
    const place = /** @type {number} */ (outside.clue);
    const { cells, mines } = outside.remaining(known);
    const scopes = inside.map((bounds) => bounds.remaining(known));
    const together = union(scopes);
    const count = scopes.reduce((sum, scope) => sum + scope.mines, 0);
    const [outer, again, held] = [this.clue(place), `the ${this.position.symbols[place]}`, counted(count)];
    const numbers = capitalized(this.clues(inside.map(({ clue }) => /** @type {number} */ (clue))));
    const rest = difference(cells, together);
    const has = this.#has(place, mines);
    let end;
    if (mine || (!found.length && count < mines)) {
      end = found.length
        ? said("group holds", { held, outer, has, result: this.#rest(rest, found) })
        : said("group holds too few", { held, outer, has, cells: counted(rest.size, "other cell") });
    } else if (found.length) {
      const wants = this.#wants(place, mines);
      end = said("group needs", { held, outer: again, wants, result: this.are(found, false) });
    } else end = said("group needs too many", { held, outer: again, only: this.#has(place, mines, "only ") });
    return said("group", { numbers, outer, cells: this.places([...together]), end });
  }

  /** @param {Pattern} pattern */
  #inLine({ rule, conclusion, settled = -1, line = [] }) {
    const [less, more, last] = conclusion.premises.map(({ clue }) => /** @type {number} */ (clue));
    const { symbols } = this.position;
    return said("line", {
      line: capitalized(this.places(line.map(([cell]) => cell))),
      rule,
      reduced: line.every(([cell, left]) => symbols[cell] === left) ? "" : " (known mines taken off)",
      two: capitalized(this.clue(more)),
      has: this.#has(more, 2),
      one: this.clue(less),
      mine: this.place(settled),
      last: this.clue(last),
      wants: this.#wants(last, 1),
      result: this.are(conclusion.cells, false),
    });
  }

  /** @param {Conclusion} conclusion @param {Assignment} known */
  #mineCount(conclusion, known) {
    const { symbols, mines: all } = this.position;
    const { premises, cells: settled, mine } = conclusion;
    const bounds = /** @type {Bounds} */ (premises.find(({ clue }) => clue === null));
    const { cells, mines } = bounds.remaining(known);
    const whole = said("total", { are: is(all), mines: counted(all) });
    const some = { are: is(all), mines: counted(all), left: amount(mines), remain: is(mines) };
    const total = mines === all ? whole : said("total left", some);
    if (premises.length > 1) return this.#besideNumbers(conclusion, known, cells.size, mines, total);
    const found = [...symbols.keys()].filter((cell) => symbols[cell] === MINE || known.get(cell));
    const places = this.places(found);
    if (mines < 0) return said("total passed", { total: whole, found: counted(found.length), places });
    if (mines > cells.size) {
      const rest = cells.size ? `only ${counted(cells.size, "covered cell")}` : "no covered cell";
      return said("total too many", { total, rest, them: them(mines) });
    }
    const result = this.are(settled, mine);
    if (mine) {
      const room = `${mines === all ? ", and" : " in"} only ${counted(cells.size, "covered cell")}`;
      return said("total fills", { total, room, result });
    }
    const allFound = found.length === 1 ? ", and it is found" : ", and all of them are found";
    const at = found.length ? sentenceOf(`${allFound}, at `, places) : "";
    return said("total found", { total: whole, found: at, result });
  }

  /** @param {Conclusion} conclusion @param {Assignment} known @param {number} cells @param {number} mines @param {Sentence} total */
  #besideNumbers({ premises, cells: found, mine }, known, cells, mines, total) {
    const numbers = premises.filter(({ clue }) => clue !== null);
    const scopes = numbers.map((bounds) => bounds.remaining(known));
    const together = union(scopes).size;
    const held = scopes.reduce((sum, scope) => sum + scope.mines, 0);
    const size = scopes.reduce((sum, scope) => sum + scope.cells.size, 0);
    const [several, disjoint, rest] = [numbers.length > 1, size === together, cells - together];
    const names = this.clues(numbers.map(({ clue }) => /** @type {number} */ (clue)));
    if (disjoint && held >= mines && !mine) {
      const sharing = several ? "share no covered cell and need" : "needs";
      const need = sentenceOf(capitalized(names), ` ${sharing} ${amount(held)}${several ? " together" : ""}`);
      if (!found.length) return said("numbers need too many", { total, need });
      return said("numbers need", { total, need, their: several ? "their" : "its", result: this.are(found, false) });
    }
    const others = rest
      ? `and there ${is(rest)} only ${counted(rest, "other covered cell")}`
      : "and no other cell is covered";
    const so = found.length ? sentenceOf(", so ", this.are(found, mine), ".") : ".";
    const words = { total, numbers: names, others, so };
    if (mine) return said("numbers hold", { ...words, held: `${disjoint ? "" : "at most "}${amount(held)}` });
    const safe = cells - mines;
    const amounts = { safe: counted(safe, "covered cell"), are: is(safe), most: amount(size - held) };
    return said("numbers leave", { ...words, ...amounts });
  }

  /** @param {number} clue @param {number} mines @param {string} [only] */
  #has(clue, mines, only = "") {
    const isShown = this.position.symbols[clue] === mines;
    return isShown ? `needs ${only}${counted(mines)}` : `has ${only}${counted(mines)} left`;
  }

  /** @param {number} clue @param {number} mines */
  #wants(clue, mines) {
    return this.position.symbols[clue] === mines ? "needs" : "has left";
  }

  /** @param {Set<number>} own @param {number[]} cells */
  #rest(own, cells) {
    if (own.size === 1) return sentenceOf("its other cell, ", this.place(cells[0]), ", is a mine");
    if (own.size === cells.length) return sentenceOf("its other cells, ", this.places(cells), ", are mines");
    const all = own.size === 2 ? "both" : "all";
    return sentenceOf(`its other ${amount(own.size)} cells are ${all} mines: `, this.are(cells, true));
  }

  /** @param {number[]} cells @param {boolean} mine */
  are(cells, mine) {
    if (cells.length === 1) return sentenceOf(this.place(cells[0]), ` is ${mine ? "a mine" : "safe"}`);
    return sentenceOf(this.places(cells), ` are ${mine ? "mines" : "safe"}`);
  }

  /** @param {number} cell */
  clue(cell) {
    return sentenceOf(`the ${this.position.symbols[cell]} at `, this.place(cell));
  }

  /** @param {number[]} cells @param {boolean} [total] */
  clues(cells, total = false) {
    /** @type {Pieces[]} */
    const names = ascending(cells).map((cell) => this.clue(cell));
    const left = names.length - MOST_CLUES + 1;
    const shown = left > 1 ? [...names.slice(0, MOST_CLUES - 1), `${written(left)} other numbers`] : names;
    return listed([...shown, ...(total ? [`the mine total of ${this.position.mines}`] : [])]);
  }

  /** @param {number} cell */
  place(cell) {
    const { cols } = this.position;
    return placeOf([Math.floor(cell / cols)], [cell % cols]);
  }

  /** The places of cells, block by block. @param {number[]} cells */
  places(cells) {
    const blocks = this.#blocks(cells);
    const named = blocks.map(([rows, cols]) => placeOf(rows, cols));
    if (blocks.length <= MOST_BLOCKS) return listed(named, true);
    const shown = blocks.slice(0, MOST_BLOCKS - 1);
    const left = cells.length - shown.reduce((sum, [rows, cols]) => sum + rows.length * cols.length, 0);
    return sentenceOf(joined(named.slice(0, shown.length)), ` and ${counted(left, "more cell")}`);
  }

  /** Rows after one another with cells in the same columns, and the columns. @param {number[]} cells */
  #blocks(cells) {
    /** @type {Map<number, number[]>} */
    const rows = new Map();
    for (const cell of ascending(cells)) {
      const row = Math.floor(cell / this.position.cols);
      rows.set(row, [...(rows.get(row) ?? []), cell % this.position.cols]);
    }
    /** @type {[rows: number[], cols: number[]][]} */
    const found = [];
    for (const [row, cols] of rows) {
      const before = found.at(-1);
      if (before && before[0].at(-1) === row - 1 && String(before[1]) === String(cols)) before[0].push(row);
      else found.push([[row], cols]);
    }
    return found;
  }
}

/** @param {number} number */
const is = (number) => (number === 1 ? "is" : "are");

/** @param {number} mines */
const them = (mines) => (mines === 1 ? "it" : "them");

/** @param {Set<number>} cells */
const these = (cells) => (cells.size === 1 ? "this cell" : "these cells");

/** @param {Iterable<number>} cells */
const ascending = (cells) => [...cells].sort((one, other) => one - other);

/** @param {{ cells: Set<number> }[]} scopes @returns {Set<number>} */
const union = (scopes) => new Set(scopes.flatMap(({ cells }) => [...cells]));
