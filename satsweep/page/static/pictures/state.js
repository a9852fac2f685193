// @ts-check
// What is known of a picture, apart from its elements: how it was read, what the user has settled, and what follows from
// it for the screen.

import { plural } from "../basics/dom.js";
import { inWords, isCovered, Position } from "../basics/position.js";
import { MARGIN, SIDE } from "../basics/square-grid.js";
import { lookOf } from "../board/look.js";

/** @typedef {import("../board/look.js").Look} Look */
/** A symbol that a cell may get, and its probability; null where that was not read. @typedef {{ symbol: string, share: number | null }} Choice */

/** A probability in percent: 100 only where that is certain. @param {number} share */
export const shareText = (share) => `${share === 1 ? 100 : Math.min(Math.max(Math.round(100 * share), 1), 99)} %`;

/** Symbols that a picture can show, and that can be typed. */
export const SYMBOLS = [..."#F.12345678*"];
/** The symbol of readings for a cell under something else: boards have it as covered. */
const UNSEEN = "?";
/** What of the picture is shown around the board, in cells: the margin of a grid. */
const AROUND = MARGIN / SIDE;

export class PictureState {
  /** The picture that is read, or was. @type {import("./pixels.js").Pixels | null} */
  pixels = null;
  /** True until it has been read. */
  isReading = false;
  /** Why it could not be read. */
  problem = "";
  /** How it was read. @type {PictureReading | null} */
  reading = null;
  /** The board, with what the user has settled. @type {Position} */
  position = new Position({});
  /** Cells whose symbol the user has chosen. @type {ReadonlySet<number>} */
  settled = new Set();
  /** The analysis of the board; null until it has come, and where the board is impossible. @type {Analysis | null} */
  answer = null;
  /** Why no world agrees with the board. @type {Impossible | null} */
  impossible = null;
  /** The cell whose symbols are offered. @type {number | null} */
  chosen = null;
  /** What is under the symbols. @type {"picture" | "board"} */
  ground = "picture";

  /** @param {Partial<PictureState>} [values] */
  constructor(values = {}) {
    Object.assign(this, values);
  }

  /** This state with changes. @param {Partial<PictureState>} change */
  with(change) {
    return new PictureState({ ...this, ...change });
  }

  /** Another picture is being read. */
  begun() {
    return new PictureState({ isReading: true, ground: this.ground });
  }

  /** It has been read. @param {PictureReading} reading */
  read(reading) {
    return this.with({ isReading: false, reading, position: Position.of(reading.board) });
  }

  /** It could not be read. @param {string} problem */
  failed(problem) {
    return this.with({ isReading: false, problem });
  }

  /** The board is another one, of which nothing is known. @param {Position} position */
  #changed(position) {
    return this.with({ position, answer: null, impossible: null, problem: "" });
  }

  /** The user has chosen the symbol of a cell. @param {number} index @param {string} symbol */
  choosing(index, symbol) {
    const settled = new Set([...this.settled, index]);
    if (this.position.cells[index] === symbol) return this.with({ settled, chosen: null });
    const position = this.position.copy();
    position.cells[index] = symbol;
    return this.#changed(position).with({ settled, chosen: null });
  }

  /** The user has said how many mines there are. @param {number | null} mines */
  counting(mines) {
    return this.#changed(this.position.copy({ mines }));
  }

  /** The answer about the board has come. @param {Analysis & { impossible?: Impossible }} answer */
  answered({ impossible, ...answer }) {
    return impossible ? this.with({ impossible }) : this.with({ answer });
  }

  /** Cells in doubt, in their order. @returns {number[]} */
  get doubts() {
    const all = (this.reading?.doubts ?? []).map(({ cell }) => this.position.index(cell));
    return all.filter((index) => !this.settled.has(index)).sort((one, other) => one - other);
  }

  /** The next cell in doubt after one, from the last on the first; null where there is none. @param {number} index */
  doubtAfter(index) {
    const { doubts } = this;
    return doubts.find((other) => other > index) ?? doubts[0] ?? null;
  }

  /** Cells whose numbers cannot all be true. @returns {number[]} */
  get conflict() {
    const { answer, impossible, position, reading, settled } = this;
    if (impossible) return position.indices(impossible.clues);
    return answer || settled.size ? [] : position.indices(reading?.conflict);
  }

  /** What was read in a cell. @param {number} index */
  #read(index) {
    return this.reading?.doubts.find(({ cell }) => this.position.index(cell) === index)?.symbols ?? [];
  }

  /** What a cell may be: what was read, the likeliest first, then all else. @param {number} index @returns {Choice[]} */
  choices(index) {
    /** @type {Map<string, number | null>} */
    const shares = new Map();
    const read = this.#read(index);
    for (const [symbol, share] of read) {
      if (symbol !== UNSEEN) shares.set(symbol, share);
      else if (!shares.has("#")) shares.set("#", null);
    }
    if (!read.length) shares.set(this.position.cells[index], null);
    for (const symbol of SYMBOLS) if (!shares.has(symbol)) shares.set(symbol, null);
    return [...shares].map(([symbol, share]) => ({ symbol, share }));
  }

  /** The likeliest symbols of a cell in doubt, in words; empty for any other. @param {number} index */
  #doubtful(index) {
    if (!this.doubts.includes(index)) return "";
    const named = (/** @type {string} */ symbol) => (symbol === UNSEEN ? "under something else" : inWords(symbol));
    return this.#read(index)
      .map(([symbol, share]) => `${named(symbol)} ${shareText(share)}`)
      .join(", ");
  }

  /** The sentence above the board. @returns {Sentence} */
  get lead() {
    const { answer, conflict, doubts, isReading, reading } = this;
    if (isReading) return ["Reading the picture …"];
    if (!reading) return [];
    if (conflict.length)
      return ["A number is wrong: those with a red frame cannot all be true. Choose a cell to change it."];
    if (this.impossible) return ["This board has no solution."];
    if (doubts.length)
      return [`${plural(doubts.length, "cell")} in doubt, with a dashed frame: choose one to settle it.`];
    return answer ? answer.advice.sentence : [];
  }

  /** What is to be known besides. */
  get remarks() {
    const { position, reading } = this;
    if (!reading) return [];
    const found = [`Read ${position.rows} rows of ${position.cols} cells.`];
    if (reading.part) found.push(`The picture may cut the board at: ${reading.part.replaceAll(",", ", ")}.`);
    if (position.mines === null)
      found.push("The number of mines is not read. With it, risks are exact for the whole board.");
    return found;
  }

  /** The part of the picture that is under the board, in its pixels: a margin around the cells. */
  get crop() {
    const { left, top, width, height } = /** @type {PictureReading} */ (this.reading).grid;
    const { rows, cols } = this.position;
    return {
      left: left - AROUND * width,
      top: top - AROUND * height,
      width: (cols + 2 * AROUND) * width,
      height: (rows + 2 * AROUND) * height,
    };
  }

  /** What is marked on the board. @returns {Record<string, number[]>} */
  get marks() {
    const { answer, chosen, conflict, position } = this;
    const best = position.indices(answer?.best && [answer.best]);
    return { bad: conflict, best: this.doubts.length ? [] : best, target: chosen === null ? [] : [chosen] };
  }

  /** @param {number} index @returns {Look} */
  look(index) {
    const { answer, position } = this;
    const symbol = position.cells[index];
    const at = answer?.cells[index] ?? -1;
    const look = lookOf(symbol, { odds: at < 0 || !answer ? null : answer.odds[at] });
    const doubtful = this.#doubtful(index);
    if (!doubtful) return look;
    const said = `in doubt: ${doubtful}`;
    const label = look.label ?? inWords(symbol);
    return { ...look, label: `${label}, ${said}`, extra: `${look.extra ?? ""} doubtful`.trim() };
  }

  /** What a tooltip says of a cell; empty where there is none. @param {number} index */
  tip(index) {
    const { answer, position } = this;
    const at = answer?.cells[index] ?? -1;
    const risk = answer && at >= 0 && isCovered(position.cells[index]) ? `risk ${answer.odds[at].percent}` : "";
    const doubtful = this.#doubtful(index);
    return [risk, doubtful && `in doubt: ${doubtful}`].filter(Boolean).join(", ");
  }
}
