// @ts-check
// The square grid: neighbours and places of cells, as Python has them for all grids (page/answers.py `geometry`).

export const SIDE = 36;
export const MARGIN = 26; // for the numbers of rows and columns
export const EDGE = 6;
const HALF = SIDE / 2;

let last = { rows: 0, cols: 0, neighbours: /** @type {number[][]} */ ([]) };

/** The neighbours of every cell; the last ones are kept. @param {number} rows @param {number} cols */
export function neighboursOf(rows, cols) {
  if (last.rows !== rows || last.cols !== cols) last = { rows, cols, neighbours: newNeighbours(rows, cols) };
  return last.neighbours;
}

/**
 * @param {number} rows
 * @param {number} cols
 * @returns {number[][]}
 */
function newNeighbours(rows, cols) {
  return Array.from({ length: rows * cols }, (_, cell) => {
    const [row, col] = [Math.floor(cell / cols), cell % cols];
    const own = [];
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); r++)
      for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, cols - 1); c++)
        if (r !== row || c !== col) own.push(r * cols + c);
    return own;
  });
}

/**
 * @param {number} rows
 * @param {number} cols
 * @returns {Geometry}
 */
export function squareGrid(rows, cols) {
  const middle = (/** @type {number} */ at) => MARGIN + HALF + SIDE * at;
  const axis = (/** @type {number} */ count, /** @type {(at: number) => string} */ place) =>
    Array.from({ length: count }, (_, at) => `<text ${place(at)}>${at}</text>\n`).join("");
  const across = axis(cols, (col) => `x="${middle(col)}" y="14"`);
  const down = axis(rows, (row) => `x="10" y="${middle(row)}"`);
  return {
    topology: "square",
    side: SIDE,
    width: MARGIN + SIDE * cols + EDGE,
    height: MARGIN + SIDE * rows + EDGE,
    wide: HALF,
    high: HALF,
    shape: "square",
    middles: Array.from({ length: rows * cols }, (_, at) => [middle(at % cols), middle(Math.floor(at / cols))]).flat(),
    neighbours: neighboursOf(rows, cols),
    most: 8,
    ground: `<g><g class="axis">${across}${down}</g>\n</g>\n`,
    remarks: [],
  };
}
