// @ts-check
// Pointers and keys on a board: cells are opened, flagged and painted, and the focus moves with the arrows.

import { kept } from "../basics/kept.js";

const MAX_DRIFT = 10; // a press that moves by more pixels is no long press

/**
 * What a view does with the gestures on a board. `paint` gets whether a stroke begins, `turn` which way the wheel went;
 * `key` is true for a key that it has handled.
 * @typedef {object} Actions
 * @property {(index: number) => void} [open]
 * @property {(index: number) => void} [flag]
 * @property {(index: number, event: KeyboardEvent) => boolean} [key]
 * @property {(index: number, first: boolean) => void} [paint]
 * @property {(index: number, by: number) => void} [turn]
 */

/**
 * What pointers and keys use of a board.
 * @typedef {{
 *   grid: HTMLElement, frame: HTMLElement, cells: HTMLElement[], rows: number, cols: number, geometry: Geometry, unit: number,
 *   on: Actions, painting: string | null, ends: AbortController, place: (index: number) => Cell,
 *   focus: (index: number, how?: { quietly?: boolean }) => void, showTip: (index: number | null) => boolean,
 * }} Pointed
 */

/**
 * Let pointers and keys act on a board.
 * @param {Pointed} board
 */
export function letInput(board) {
  const { grid, on } = board;
  const { signal } = board.ends;
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

  /** @type {{ x: number, y: number } | null} */
  let pressed = null;
  /** @type {number | null} */
  let stroke = null; // the cell that was painted last
  let timer = 0;
  let [suppressed, painted] = [false, false]; // a finger paints with a tap, so that a drag scrolls
  const release = () => {
    clearTimeout(timer);
    pressed = null;
    stroke = null;
  };
  grid.addEventListener("pointerdown", (/** @type {any} */ event) => {
    const index = at(event);
    suppressed = painted = false;
    if (index === null || event.button !== 0) return;
    if (board.painting && event.pointerType !== "touch") {
      event.preventDefault();
      board.focus(index, { quietly: true });
      board.cells[index].focus({ preventScroll: true });
      if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
      stroke = index;
      painted = true;
      on.paint?.(index, true);
      return;
    }
    pressed = { x: event.clientX, y: event.clientY };
    if (event.pointerType === "touch" && on.flag) {
      timer = setTimeout(
        () => {
          suppressed = true;
          navigator.vibrate?.(15);
          on.flag?.(index);
        },
        Number(kept.get("settings-press")),
      );
    }
  });
  grid.addEventListener("pointermove", (event) => {
    if (stroke !== null) {
      const index = at({ target: document.elementFromPoint(event.clientX, event.clientY) });
      if (index !== null && index !== stroke) {
        stroke = index;
        on.paint?.(index, false);
      }
    } else if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > MAX_DRIFT) {
      clearTimeout(timer);
    }
  });
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release, { signal });
  signal.addEventListener("abort", release);
  grid.addEventListener("click", (event) => {
    const index = at(event);
    if (index === null || painted || suppressed) return;
    board.showTip(null); // it would cover the numbers that the click marks
    if (board.painting) on.paint?.(index, true);
    else on.open?.(index);
  });
  grid.addEventListener(
    "wheel",
    (event) => {
      const index = at(event);
      if (index === null || !board.painting || !on.turn || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      on.turn(index, event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
  grid.addEventListener("contextmenu", (event) => {
    const index = at(event);
    if (index === null || !on.flag) return;
    event.preventDefault();
    if (!suppressed) on.flag(index);
    suppressed = true;
    clearTimeout(timer);
  });
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
  } else if (board.on.key?.(index, event)) {
    event.preventDefault();
    event.stopPropagation();
  } else if (board.on.open && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    event.stopPropagation();
    board.on.open(index);
  }
}
