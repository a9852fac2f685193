// @ts-check
// What Solve knows and shows, apart from its elements: how edits and answers change it, what follows for the screen.

import { fraction } from "../basics/numbers.js";
import { isCovered, Position } from "../basics/position.js";
import { forced, lookOf } from "../board/look.js";
import { marksOf, whyNoWins, winLooks, winOf } from "../shared/advice.js";
import { isLike } from "../shared/inputs.js";
import { drawn, isBesideEmpty, isToType, opened, PEN, spread, symbolOfKey, turned } from "./drawing.js";

/** @typedef {import("../board/look.js").Look} Look */
/** @typedef {import("./drawing.js").Changes} Changes */
/**
 * What is said of a cell, or of numbers that contradict each other: why it is forced, a solution of either kind, the
 * contradiction and what would mend it, in words; or that it is sought, or why it is not known.
 * @typedef {{
 *   reason?: Reason, undecided?: Undecided, conflict?: Conflict, corrections?: Sentence[], note?: string,
 *   problem?: string,
 * }} Why
 */
/**
 * What stands in the fields beside the board, as text.
 * @typedef {Record<"rows" | "cols" | "mines" | "topology" | "clues" | "part", string>} Form
 */

/**
 * A question about a position, until `signal` ends it; `know` gets more that is known of the position.
 * @typedef {{
 *   connection: import("../engine/connection.js").Connection, position: Position,
 *   signal: AbortSignal, know: (change: Partial<Known>) => void,
 * }} Asking
 */

const MOST_UNDO = 500;

/** @param {Position} position @returns {Form} */
export const formOf = ({ rows, cols, mines, density, topology, clues, part }) => ({
  rows: String(rows),
  cols: String(cols),
  mines: String(density ?? mines ?? ""),
  topology,
  clues,
  part,
});

/** What is known of the position that is shown. A change of the position makes a fresh one. */
export class Known {
  /** How its question stands; one that takes a while counts. @type {"asked" | "counting" | "answered" | "refused"} */
  phase = "asked";
  /** The analysis; null until it has come, and where the position is impossible. @type {Analysis | null} */
  answer = null;
  /** Why no world agrees with the position. @type {Impossible | null} */
  impossible = null;
  /** What is best to do; without candidates while the search ahead goes on. @type {Advice | null} */
  advice = null;
  /** How the win chances of cells look. @type {Map<number, Partial<Look>>} */
  wins = new Map();
  /** The covered cell whose reason is wanted. @type {number | null} */
  chosen = null;
  /** The cells that are pointed out. @type {number[]} */
  target = [];
  /** What is said of the chosen cell, or of a contradiction. @type {Why | null} */
  why = null;
  /** A solution that is shown on the board, a symbol for each cell. @type {string | null} */
  solution = null;
  /** The walk through best play. @type {import("./walk.js").Walk | null} */
  walk = null;
  /** The cell for which the position was refused. @type {number[]} */
  bad = [];

  /** @param {Partial<Known>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** The risk of a cell; null if it is open, or nothing is known. @param {number} index */
  odds(index) {
    const at = this.answer?.cells[index] ?? -1;
    return at < 0 || !this.answer ? null : this.answer.odds[at];
  }
}

export class SolveState {
  /** The position that is shown. It is never changed: an edit makes another one. */
  position = new Position({});
  /** The places of its cells, and what each touches; null before the first position. @type {Geometry | null} */
  geometry = null;
  /** The positions before it, for undo. @type {Position[]} */
  history = [];
  /** True while the last edit may be continued by the same stroke: one step of undo. */
  stroke = false;
  /** True if this stroke of the pen covers cells; else it opens them. */
  covering = false;
  /** What a click draws: a symbol, or the pen; null if it explains. @type {string | null} */
  tool = null;
  /** True if numbers follow the mines that are drawn. */
  follow = true;
  /** What stands in the fields beside the board. */
  form = formOf(this.position);
  /** What is wrong with them. @type {Partial<Form>} */
  faults = {};
  /** The format in which the position is saved. */
  format = "text";
  /** Why something else did not work. @type {Sentence} */
  problem = [];
  /** True if the position is the user's, and not the example. */
  isOwn = false;
  /** True until the board has been scrolled to the best cell of a position that was opened. */
  isNew = false;
  /** What the numbers in covered cells are. @type {"risk" | "win"} */
  numbers = "risk";
  /** What is known of the position. */
  known = new Known();

  /** @param {Partial<SolveState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** This state with changes. @param {Partial<SolveState>} change */
  with(change) {
    return new SolveState({ ...this, ...change });
  }

  /** More is known of the position. @param {Partial<Known>} change */
  knowing(change) {
    const wins = change.advice ? { wins: winLooks(this.position, change.advice) } : {};
    return this.with({ known: new Known({ ...this.known, ...change, ...wins }) });
  }

  /** The history with the position that is shown. */
  get #remembered() {
    return [...this.history, this.position].slice(-MOST_UNDO);
  }

  /**
   * Another position is shown, of which nothing is known; undo brings this one back.
   * @param {Position} position
   * @param {Geometry} geometry
   * @param {Partial<SolveState>} [change]
   */
  showing(position, geometry, change = {}) {
    const history = this.geometry ? this.#remembered : [];
    const isOffered = this.tool === null || this.tool === PEN || symbolOfKey(this.tool, geometry.most) !== null;
    const fresh = { form: formOf(position), faults: {}, problem: [], stroke: false, known: new Known() };
    return this.with({ position, geometry, history, tool: isOffered ? this.tool : null, ...fresh, ...change });
  }

  /**
   * Cells are edited: a new step of undo, unless a stroke goes on.
   * @param {Changes} changes
   * @param {boolean} [first]
   */
  edited(changes, first = true) {
    const { geometry, history, position } = this;
    const stroke = this.stroke && !first;
    const changed = changes.filter(([index, symbol]) => position.cells[index] !== symbol);
    if (!changed.length || !geometry) return this.with({ stroke });
    const next = position.copy();
    for (const [index, symbol] of changed) next.cells[index] = symbol;
    return this.showing(next, geometry, { stroke: true, ...(stroke && { history }) });
  }

  /** What each cell touches. */
  get neighbours() {
    return this.geometry?.neighbours ?? [];
  }

  /**
   * The tool is put on a cell. The pen covers all cells of a stroke if it has covered the first, else it opens them.
   * @param {number} index
   * @param {boolean} first
   */
  painted(index, first) {
    const { position, tool } = this;
    const covering = first ? tool === PEN && position.cells[index] !== "#" : this.covering;
    /** @type {Changes} */
    const opening = [[index, opened(this, index)]];
    const isPen = tool === null || tool === PEN;
    const changes = isPen && !covering ? opening : drawn(this, index, isPen ? "#" : tool);
    return this.edited(changes, first).with({ covering });
  }

  /** The right button, or a long press: a mine while something is drawn, otherwise a flag. @param {number} index */
  flagged(index) {
    const symbol = this.position.cells[index];
    if (this.tool !== null) return this.edited(drawn(this, index, symbol === "*" ? "#" : "*"));
    return isCovered(symbol) ? this.edited([[index, symbol === "F" ? "#" : "F"]]) : this;
  }

  /** The wheel. @param {number} index @param {number} by */
  wheeled(index, by) {
    return this.edited([[index, turned(this.position.cells[index], by, this.geometry?.most ?? 0)]]);
  }

  /**
   * A key is pressed on a cell: the state then, the cell that is drawn, the one to go on with; null if it draws none.
   * While something is drawn cells are typed like a text: blanks for empty ones, which spread, and with a way back.
   * @param {number} index
   * @param {string} key
   * @returns {{ state: SolveState, cell: number, next: number } | null}
   */
  typed(index, key) {
    const isText = this.tool !== null;
    const symbol = isText && key === " " ? "." : symbolOfKey(key, this.geometry?.most ?? 0);
    if (symbol === null) return null;
    if (!isText) return { state: this.edited(drawn(this, index, symbol)), cell: index, next: index };
    const clears = key === "Backspace" || key === "Delete";
    const cell = key === "Backspace" ? Math.max(0, index - 1) : index;
    const changes = drawn(this, cell, clears && isBesideEmpty(this, cell) ? "?" : symbol);
    const state = this.edited([...changes, ...spread(this, cell, symbol)]);
    return { state, cell, next: clears ? cell : Math.min(cell + 1, this.position.cells.length - 1) };
  }

  /**
   * A row of symbols is pasted while something is drawn: typed, but as one step of undo. Null for other texts.
   * @param {number} index
   * @param {string} text
   */
  pasted(index, text) {
    const line = text.replace(/\r?\n$/, "");
    if (this.tool === null || !line || line.length > this.position.cells.length - index) return null;
    /** @type {ReturnType<SolveState["typed"]>} */
    let found = { state: this, cell: index, next: index };
    for (const key of line) found = found?.state.typed(found.next, key) ?? null;
    if (!found || found.state.position === this.position) return found;
    return { ...found, state: found.state.with({ history: this.#remembered }) };
  }

  /** The number of open cells whose numbers have not been given yet. */
  get toType() {
    return this.position.cells.filter((_, index) => isToType(this, index)).length;
  }

  /** A cell is chosen, to be explained if it is covered. @param {number} index */
  chose(index) {
    const covered = isCovered(this.position.cells[index]);
    const { why } = this.known;
    const forgotten = { solution: null, walk: null };
    if (!covered) return this.knowing({ chosen: null, target: [], why: null, ...forgotten });
    return this.knowing({ chosen: index, target: [index], why, ...forgotten });
  }

  /** What is wrong with the fields, also by what is known. */
  get wrong() {
    const isWrong = this.known.why?.conflict?.total;
    return isWrong ? { ...this.faults, mines: "This total does not fit the numbers." } : this.faults;
  }

  /** What is to be done, in a sentence. @returns {Sentence} */
  get lead() {
    const { advice, impossible, phase } = this.known;
    if (phase === "counting") return ["Counting…"];
    if (phase === "refused") return ["This position cannot be solved."];
    return impossible ? ["This board has no solution"] : (advice?.sentence ?? []);
  }

  /** Why the numbers in covered cells cannot be win chances; null if they can. */
  get noWins() {
    const { advice, impossible, wins } = this.known;
    if (impossible) return "Win chances need a board that is possible.";
    return wins.size ? null : advice ? whyNoWins(advice, this.position.cells.length) : "";
  }

  /** True while the front asks for a click on the best cell. */
  get isInviting() {
    return !this.isOwn && this.known.answer !== null && this.known.chosen === null;
  }

  /**
   * Usual mine totals for a position without one; null where nothing is lacking.
   * @param {Level[]} levels
   */
  usualTotals(levels) {
    const { cells, mines, density } = this.position;
    if (!this.known.answer || (mines ?? density) !== null || !cells.some(isCovered)) return null;
    return levels.filter((level) => isLike(this.position, level)).map((level) => level.mines);
  }

  /** What the advice says of a cell. @param {number} index */
  candidate(index) {
    return this.known.advice?.candidates.find(({ cell }) => this.position.index(cell) === index);
  }

  /**
   * What is marked on the board; `step` is the step of the argument that the user points at.
   * @param {Step | null} [step]
   * @returns {Record<string, number[]>}
   */
  marks(step = null) {
    const { advice, bad, chosen, impossible, target, walk, why } = this.known;
    const { position } = this;
    if (walk?.node) return walk.marks(position);
    if (impossible)
      return { bad: position.indices((why?.conflict ?? impossible).clues), target: position.indices(step?.cells) };
    const reason = why?.reason && position.index(why.reason.cell) === chosen ? why.reason : null;
    return { ...marksOf(position, advice), bad, target, clue: position.indices((step ?? reason)?.clues) };
  }

  /** @param {number} index @returns {Look} */
  look(index) {
    const symbol = this.position.cells[index];
    const { solution, walk, wins } = this.known;
    const walked = walk?.look(this.position, index);
    if (walked) return walked;
    if (solution && isCovered(symbol)) {
      const mine = solution[index] === "*";
      const label = mine ? "a mine in this solution" : "safe in this solution";
      return { symbol: "#", extra: mine ? "left" : "", label };
    }
    if (isToType(this, index))
      return { symbol, text: "", label: "open, its number is not given yet", extra: "untyped" };
    const odds = this.known.odds(index);
    if (this.numbers === "win" && wins.size && odds && !forced(odds)) return { symbol: "#", ...wins.get(index) };
    return lookOf(symbol, { odds });
  }

  /** What a tooltip says of a cell; empty where there is none. @param {number} index */
  tip(index) {
    const odds = this.known.odds(index);
    if (!odds || this.known.solution) return "";
    const risk = forced(odds) ? `certainly ${forced(odds)}` : `risk ${fraction(odds.percent, odds.exact)}`;
    const candidate = this.candidate(index);
    const win = candidate ? winOf(candidate) : null;
    return ` ${risk}${win === null ? "" : `, wins ${win}`}`;
  }
}
