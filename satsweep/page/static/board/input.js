// @ts-check
// Input on a board: the focus moves with the arrows, tooltips follow it and the mouse; what pointers do is in pointers.js.

import { letPoint } from "./pointers.js";

/**
 * What pointers and keys use of a board.
 * @typedef {import("./pointers.js").Pointed & {
 *   frame: HTMLElement, rows: number, cols: number, geometry: Geometry, unit: number, place: (index: number) => Cell,
 * }} Pointed
 */

/**
 * Let pointers and keys act on a board.
 * @param {Pointed} board
 */
export function letInput(board) {
  const { grid } = board;
  const at = (/** @type {any} */ event) => {
    const cell = event.target?.closest?.("[data-i]");
    return cell && grid.contains(cell) ? Number(cell.dataset.i) : null;
  };
  grid.addEventListener("keydown", (event) => key(board, event, at(event)));
  grid.addEventListener("focusin", (event) => {
    const index = at(event);
    if (index === null) return;
    board.focus(index, { quietly: true });
    if (board.cells[index].matches(":focus-visible") && board.showTip(index)) {
      board.cells[index].setAttribute("aria-describedby", "tip");
    }
  });
  grid.addEventListener("focusout", (/** @type {any} */ event) => {
    event.target.removeAttribute("aria-describedby");
    board.showTip(null);
  });
  grid.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") board.showTip(at(event));
  });
  grid.addEventListener("pointerleave", () => board.showTip(null));
  board.frame.addEventListener("scroll", () => board.showTip(null), { passive: true });
  letPoint(board, at);
}

/**
 * @param {Pointed} board
 * @param {KeyboardEvent} event
 * @param {number | null} index
 */
function key(board, event, index) {
  if (index === null || (event.ctrlKey && !["Home", "End"].includes(event.key)) || event.metaKey || event.altKey)
    return;
  const [row, col] = board.place(index);
  const page = Math.max(1, Math.floor(board.frame.clientHeight / (board.geometry.side * board.unit)) - 1);
  /** @type {Record<string, [row: number, col: number]>} */
  const places = {
    ArrowLeft: [row, col - 1],
    ArrowRight: [row, col + 1],
    ArrowUp: [row - 1, col],
    ArrowDown: [row + 1, col],
    Home: [event.ctrlKey ? 0 : row, 0],
    End: [event.ctrlKey ? board.rows - 1 : row, board.cols - 1],
    PageUp: [Math.max(0, row - page), col],
    PageDown: [Math.min(board.rows - 1, row + page), col],
  };
  const to = places[event.key];
  if (to) {
    event.preventDefault();
    event.stopPropagation();
    if (to[0] >= 0 && to[0] < board.rows && to[1] >= 0 && to[1] < board.cols) board.focus(to[0] * board.cols + to[1]);
  } else if (board.on.key?.(index, event) || (["Enter", " "].includes(event.key) && open(board, index))) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Do what a click does; true if that is anything. @param {Pointed} board @param {number} index */
const open = ({ on }, index) => on.left !== undefined && on.left(index) !== false;
