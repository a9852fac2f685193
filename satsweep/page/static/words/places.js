// @ts-check
// Names of cells: column and row from 1, (5,1), as players count; or row and column from 0, 0,4, as satsweep's files do.
//
// A sentence is made of words, cells and blocks of cells. Here it becomes text in which every cell is counted as the user
// likes, and lights up on the board when it is pointed at.

import { h } from "../basics/dom.js";
import { kept } from "../basics/kept.js";

export const COUNTINGS = {
  players: "(column,row) from 1, as by players",
  files: "row,column from 0, as in files",
};

export const counting = {
  /** @type {keyof typeof COUNTINGS} */
  get chosen() {
    return kept.get("counting");
  },
  set chosen(name) {
    kept.set("counting", name);
    for (const element of document.querySelectorAll(".counted")) texts.get(element)?.();
    window.dispatchEvent(new Event("counting"));
  },
  /** The number of the first row and column. */
  get first() {
    return this.chosen === "files" ? 0 : 1;
  },
};

/**
 * The board whose cells a sentence names: they light up on it.
 * @typedef {{
 *   rows: number, cols: number, index: (cell: Cell) => number, indices: (cells: Cell[]) => number[],
 *   light: (indices: number[]) => void, show: (index: number) => void,
 * }} Board
 */

/** What writes a text with cells again. @type {WeakMap<Element, () => void>} */
const texts = new WeakMap();

/** @param {Cell} cell */
export const place = ([row, col]) => (counting.first ? `(${col + 1},${row + 1})` : `${row},${col}`);

/** @param {Cell} cell */
export const placeInFull = ([row, col]) => `row ${row + counting.first}, column ${col + counting.first}`;

const FEW = 6; // cells that are named one by one; of more, the corners of each block

/** Names of the cells in rows and columns: (5,1) and (6,1). @param {number[]} down @param {number[]} across */
function namesOf(down, across) {
  const isFew = down.length * across.length <= FEW;
  const [rows, cols] = [down, across].map((all) => (isFew ? all.map((one) => [one]) : runsOf(all)));
  const names = rows.flatMap((own) =>
    cols.map((other) => {
      const [first, last] = [place([own[0], other[0]]), place([own[own.length - 1], other[other.length - 1]])];
      return first === last ? first : `${first} to ${last}`;
    }),
  );
  const last = names.pop();
  return names.length ? `${names.join(counting.first ? ", " : " ")} and ${last}` : `${last}`;
}

/** Numbers that follow each other, together. @param {number[]} numbers */
const runsOf = (numbers) =>
  numbers.reduce((/** @type {number[][]} */ runs, number) => {
    const run = runs[runs.length - 1];
    if (run?.[run.length - 1] === number - 1) run.push(number);
    else runs.push([number]);
    return runs;
  }, []);

/** Text, or cells with the function that names them. @typedef {string | { cells: Cell[], text: () => string }} Piece */

/**
 * @param {Sentence} sentence
 * @param {{ rows: number, cols: number }} board
 * @returns {Piece[]}
 */
const pieces = (sentence, { rows, cols }) =>
  sentence.map((part) => {
    if (typeof part === "string") return part;
    const { rows: down, cols: across } = Array.isArray(part) ? { rows: [part[0]], cols: [part[1]] } : part;
    /** @type {Cell[]} */
    const cells = down.flatMap((own) => across.map((other) => /** @type {Cell} */ ([own, other])));
    const isHere = cells.every(([own, other]) => own >= 0 && other >= 0 && own < rows && other < cols);
    const text = () => namesOf(down, across);
    // Unseen cells around a part of a larger board are counted like others.
    return isHere ? { cells, text } : text();
  });

/**
 * A sentence in words alone.
 * @param {Sentence} sentence
 * @param {{ rows: number, cols: number }} board
 */
export const said = (sentence, board) =>
  pieces(sentence, board)
    .map((piece) => (typeof piece === "string" ? piece : piece.text()))
    .join("");

/**
 * A sentence in words alone, as an element that counts cells as the user likes: for buttons, in which no cell can be one.
 * @param {Sentence} sentence
 * @param {{ rows: number, cols: number }} board
 */
export const plain = (sentence, board) => counted(h("span", {}), () => said(sentence, board));

/**
 * A sentence whose places light up their cells; `onCells` gets those of a place that is chosen.
 * @param {Sentence} sentence
 * @param {Board} board
 * @param {(cells: Cell[]) => void} [onCells]
 */
export const told = (sentence, board, onCells) =>
  pieces(sentence, board).map((piece) =>
    typeof piece === "string" ? piece : lit(board, piece.cells, piece.text, onCells),
  );

/**
 * Some cells by their places, which light up and can be chosen together.
 * @param {Board} board
 * @param {Cell[]} cells
 * @param {(cells: Cell[]) => void} [onCells]
 */
export const placesOf = (board, cells, onCells) => lit(board, cells, () => cells.map(place).join("  "), onCells);

/**
 * A word that lights up cells while it is pointed at or has the focus.
 * @param {Board} board
 * @param {Cell[]} cells
 * @param {() => string} text
 * @param {(cells: Cell[]) => void} [onCells]
 */
function lit(board, cells, text, onCells = () => board.show(board.index(cells[0]))) {
  const on = () => board.light(board.indices(cells));
  const off = () => board.light([]);
  const choose = () => onCells(cells);
  // No button: that would not break between lines.
  const element = h("span", {
    class: "named-cell",
    role: "button",
    tabIndex: 0,
    onclick: choose,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    },
    onpointerenter: on,
    onpointerleave: off,
    onfocus: on,
    onblur: off,
  });
  return counted(element, text);
}

/**
 * Let an element have a text that is written again when cells are counted otherwise.
 * @param {HTMLElement} element
 * @param {() => string} text
 */
function counted(element, text) {
  const write = () => {
    element.textContent = text();
  };
  write();
  element.classList.add("counted");
  texts.set(element, write);
  return element;
}
