// A position as the page holds it: symbols in row-major order, as in satsweep's text form, and what its header says.

export class Position {
  constructor({ rows, cols, cells, mines = null, density = null, topology = "square", clues = "exact" }) {
    Object.assign(this, { rows, cols, cells, mines, density, topology, clues });
  }

  static empty(rows, cols, mines = null, more = {}) {
    return new Position({ rows, cols, cells: Array(rows * cols).fill("#"), mines, ...more });
  }

  // Reads what the server has written: header lines are words with a blank between them, rows have none.
  static of(text) {
    const header = {};
    const lines = [];
    for (const line of text.split("\n")) {
      const found = /^([a-z]+) (.*)$/.exec(line);
      if (found) header[found[1]] = found[2];
      else if (line) lines.push(line);
    }
    return new Position({
      rows: lines.length,
      cols: lines[0].length,
      cells: [...lines.join("")],
      mines: header.mines === undefined ? null : Number(header.mines),
      density: header.density ?? null,
      topology: header.topology ?? "square",
      clues: header.clues ?? "exact",
    });
  }

  toString() {
    const header = [];
    if (this.mines !== null) header.push(`mines ${this.mines}`);
    if (this.density !== null) header.push(`density ${this.density}`);
    if (this.topology !== "square") header.push(`topology ${this.topology}`);
    if (this.clues !== "exact") header.push(`clues ${this.clues}`);
    const rows = [];
    for (let row = 0; row < this.rows; row++) {
      rows.push(this.cells.slice(row * this.cols, (row + 1) * this.cols).join(""));
    }
    return [...header, ...rows].join("\n");
  }

  copy(change = {}) {
    return new Position({ ...this, cells: [...this.cells], ...change });
  }

  // The same with another size: what is cut off is gone, what is new is covered.
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

// The number of a symbol; -1 for what shows none.
export const numberOf = (symbol) => DIGITS.indexOf(symbol);

export const symbolOf = (number) => DIGITS[number];

// A symbol in words.
export function told(symbol) {
  const number = numberOf(symbol);
  if (number >= 0) return number ? String(number) : "empty";
  return { "#": "covered", F: "flagged", "*": "a mine", "?": "open, shows nothing" }[symbol] ?? symbol;
}
