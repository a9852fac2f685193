// A position: symbols in row-major order, as in satsweep's text form, and the values of its header.

export const DEFAULTS = { topology: "square", clues: "exact" };

export class Position {
  constructor(values) {
    Object.assign(this, { mines: null, density: null, start: null, ...DEFAULTS, ...values });
  }

  // Read a board or a layout as the server writes it: header lines are words with a blank between them, rows have none.
  static of(text) {
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
      cells: [...lines.join("")],
      mines: header.mines === undefined ? null : Number(header.mines),
      start: header.start?.split(",").map(Number) ?? null,
    });
  }

  toString() {
    const lines = [];
    if (this.mines !== null) lines.push(`mines ${this.mines}`);
    if (this.density !== null) lines.push(`density ${this.density}`);
    for (const [name, value] of Object.entries(DEFAULTS)) if (this[name] !== value) lines.push(`${name} ${this[name]}`);
    for (let row = 0; row < this.rows; row++) {
      lines.push(this.cells.slice(row * this.cols, (row + 1) * this.cols).join(""));
    }
    return lines.join("\n");
  }

  copy(change = {}) {
    return new Position({ ...this, cells: [...this.cells], ...change });
  }

  // A copy of another size: cells outside it are dropped, new cells are covered.
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

export const isCovered = (symbol) => symbol === "#" || symbol === "F";

const DIGITS = ".123456789abcdefghijklmnopqrstuvwxyz";

// The number that a symbol shows; -1 if it shows none.
export const numberOf = (symbol) => DIGITS.indexOf(symbol);

export const symbolOf = (number) => DIGITS[number];

// A symbol in words.
export function inWords(symbol) {
  const number = numberOf(symbol);
  if (number >= 0) return number ? String(number) : "empty";
  return { "#": "covered", F: "flagged", "*": "a mine", "?": "open, shows nothing" }[symbol] ?? symbol;
}
