// @ts-check
// A position: symbols in row-major order, as in satsweep's text form, and the values of its header.

export const DEFAULTS = { topology: "square", clues: "exact", part: "none" };

const SIDES = ["top", "left", "bottom", "right"];
/** The sides that may be cut from a larger board, as the server names them: none, one or several, all. */
export const PARTS = [...Array(16).keys()].map((bits) =>
  bits && bits < 15 ? SIDES.filter((_, side) => (bits >> side) & 1).join(",") : bits ? "all" : "none",
);
const HEADER = new RegExp(`^(mines \\d{1,5}|(density|topology|clues|start) [^ ].*|part (${PARTS.join("|")}))$`);

/** A setting of the header that has a usual value. @typedef {keyof typeof DEFAULTS} Usual */

export class Position {
  rows = 0;
  cols = 0;
  /** A symbol for each cell. @type {string[]} */
  cells = [];
  /** The mine total, if it is known. @type {number | null} */
  mines = null;
  /** The chance that a cell is a mine, as text; null where there is a total or nothing is known. @type {string | null} */
  density = null;
  /** Where play starts, in a layout. @type {Cell | null} */
  start = null;
  topology = DEFAULTS.topology;
  clues = DEFAULTS.clues;
  /** The sides on which the board is cut from a larger one. */
  part = DEFAULTS.part;

  /** @param {Partial<Position>} values */
  constructor(values) {
    Object.assign(this, values);
  }

  /** Row and column of a cell. @param {number} index @returns {Cell} */
  place(index) {
    return [Math.floor(index / this.cols), index % this.cols];
  }

  /** @param {Cell} cell */
  index([row, col]) {
    return row * this.cols + col;
  }

  /** The indices of cells, but for unseen ones around a part of a larger board. @param {Cell[] | null} [cells] */
  indices(cells) {
    const isHere = (/** @type {Cell} */ [row, col]) => row >= 0 && col >= 0 && row < this.rows && col < this.cols;
    return (cells ?? []).filter(isHere).map((cell) => this.index(cell));
  }

  /**
   * Read a board or a layout as the server writes it: header lines are words with a blank between them, rows have none,
   * and an open cell that shows nothing is ~ where no cell is #.
   * @param {string} text
   */
  static of(text) {
    /** @type {Record<string, string>} */
    const header = {};
    const lines = [];
    for (const line of text.split("\n")) {
      const found = /^([a-z]+) (.*)$/.exec(line);
      if (found) header[found[1]] = found[2];
      else if (line) lines.push(line);
    }
    return new Position({
      ...header,
      rows: lines.length,
      cols: lines[0].length,
      cells: [...lines.join("").replaceAll("~", "?")],
      mines: header.mines === undefined ? null : Number(header.mines),
      start: /** @type {Cell | null} */ (header.start?.split(",").map(Number) ?? null),
    });
  }

  /**
   * Read a board or a layout if it is written as the page and the server do; null for any other text, also one whose
   * signs have several meanings.
   * @param {string} text
   */
  static read(text) {
    const lines = text.split("\n").filter((line) => line);
    const rows = lines.filter((line) => !HEADER.test(line));
    const isWhole =
      rows.length > 0 && rows.every((row) => row.length === rows[0].length && /^[#F*?~.1-9a-z]+$/.test(row));
    return isWhole && (text.includes("#") || !/[?x]/.test(rows.join(""))) ? Position.of(text) : null;
  }

  toString() {
    const lines = [];
    if (this.mines !== null) lines.push(`mines ${this.mines}`);
    if (this.density !== null) lines.push(`density ${this.density}`);
    for (const [name, usual] of Object.entries(DEFAULTS)) {
      const value = this[/** @type {Usual} */ (name)];
      if (value !== usual) lines.push(`${name} ${value}`);
    }
    const cells = this.cells.includes("#") ? this.cells : this.cells.map((symbol) => (symbol === "?" ? "~" : symbol));
    for (let row = 0; row < this.rows; row++) {
      lines.push(cells.slice(row * this.cols, (row + 1) * this.cols).join(""));
    }
    return lines.join("\n");
  }

  /**
   * @param {Partial<Position>} change
   * @returns {Position}
   */
  copy(change = {}) {
    return new Position({ ...this, cells: [...this.cells], ...change });
  }

  /** A copy with all cells covered. */
  cleared() {
    return this.copy({ cells: this.cells.map(() => "#") });
  }

  /** A copy whose rows are columns. */
  turned() {
    const { rows, cols, cells } = this;
    const turned = cells.map((_, index) => cells[(index % rows) * cols + Math.floor(index / rows)]);
    const bits = PARTS.indexOf(this.part); // top and left change places, and so do bottom and right
    return this.copy({ rows: cols, cols: rows, cells: turned, part: PARTS[((bits & 5) << 1) | ((bits & 10) >> 1)] });
  }

  /**
   * A copy of another size: cells outside it are dropped, new cells are covered.
   * @param {number} rows
   * @param {number} cols
   * @returns {Position}
   */
  resized(rows, cols) {
    const cells = [];
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        cells.push(row < this.rows && col < this.cols ? this.cells[row * this.cols + col] : "#");
      }
    }
    return this.copy({ rows, cols, cells });
  }
}

/** @param {string} symbol */
export const isCovered = (symbol) => symbol === "#" || symbol === "F";

/** @type {Record<string, string>} */
const WORDS = { "#": "covered", F: "flagged", "*": "a mine", "?": "open, shows nothing" };
const DIGITS = ".123456789abcdefghijklmnopqrstuvwxyz";

/**
 * The number that a symbol shows; -1 if it shows none.
 * @param {string} symbol
 */
export const numberOf = (symbol) => DIGITS.indexOf(symbol);

/** @param {number} number */
export const symbolOf = (number) => DIGITS[number];

/**
 * A symbol in words.
 * @param {string} symbol
 */
export function inWords(symbol) {
  const number = numberOf(symbol);
  if (number >= 0) return number ? String(number) : "empty";
  return WORDS[symbol] ?? symbol;
}

/**
 * A layout in satsweep's text form.
 * @param {{ layout: string[], topology: string, mines: number, start?: Cell }} dealt
 */
export function layoutText({ layout, start, topology, mines }) {
  const header = [`mines ${mines}`];
  if (start) header.push(`start ${start.join(",")}`);
  if (topology !== "square") header.push(`topology ${topology}`);
  return [...header, ...layout].join("\n");
}
