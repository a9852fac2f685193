// @ts-check
// The end of a game on the board: a wave and confetti when it is won, a shake when it is lost. Nothing moves for users who
// prefer reduced motion.

import { h } from "../basics/dom.js";

const MOST_CELLS = 2500; // of a board whose cells move one by one
const PIECES = 48;
const SECONDS = 2;

export const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What moves on a board. @type {WeakMap<Board, { timer: ReturnType<typeof setTimeout>, confetti: HTMLElement }>} */
const moving = new WeakMap();

/** @typedef {import("./board.js").Board} Board */

/**
 * Show how a game ended; `from` is the cell that ended it.
 * @param {Board} board
 * @param {"won" | "lost"} over
 * @param {number} from
 */
export function celebrate(board, over, from) {
  settle(board);
  if (!mayMove()) return;
  board.grid.classList.add(`end-${over}`);
  if (over !== "won") return;
  if (board.cells.length <= MOST_CELLS) {
    const [row, col] = board.place(from);
    board.cells.forEach((cell, index) => {
      const [r, c] = board.place(index);
      cell.style.setProperty("--wait", `${Math.round(28 * Math.hypot(r - row, c - col))}ms`);
    });
    board.grid.classList.add("waving");
  }
  const colours = ["--safe", "--mined", "--best", "--clue", "--even"];
  const pieces = Array.from({ length: PIECES }, (_, number) =>
    h("i", {
      style:
        `--x:${((100 * (number + 0.5)) / PIECES).toFixed(1)}%;--turn:${(number * 137) % 720}deg;` +
        `--late:${(number * number * 97 + number * 331) % 600}ms;background:var(${colours[number % colours.length]})`,
    }),
  );
  const confetti = h("div", { class: "confetti", "aria-hidden": "true" }, pieces);
  board.element.append(confetti);
  moving.set(board, { timer: setTimeout(() => settle(board), 1000 * SECONDS), confetti });
}

/** Remove what moved. @param {Board} board */
export function settle(board) {
  const { timer, confetti } = moving.get(board) ?? {};
  clearTimeout(timer);
  confetti?.remove();
  board.grid.classList.remove("end-won", "end-lost", "waving");
}
