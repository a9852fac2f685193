// @ts-check
// The state of Solve, apart from its elements.

/**
 * What the parts of Solve use of it.
 * @typedef {{
 *   element: HTMLElement,
 *   page: import("../shared/view.js").Page,
 *   connection: import("../engine/connection.js").Connection,
 *   board: import("../board/board.js").Board,
 *   state: SolveState,
 *   fields: { mark: (name: string, message: string) => boolean },
 *   legend: { offerWins: (reason: string | null) => void },
 *   set: (position: import("../basics/position.js").Position) => Promise<void>,
 *   changed: () => void,
 *   undo: () => void,
 *   keepSoon: () => void,
 *   shownAnswer: () => void,
 *   shownAdvice: () => void,
 *   remark: (marked?: Record<string, number[]>) => void,
 *   candidate: (index: number) => Candidate | undefined,
 * }} Desk
 */

/** What is known of the position that is shown. A change of the position makes a fresh one. */
export class Known {
  /** The analysis; null until it has come, and where the position is impossible. @type {Analysis | null} */
  answer = null;
  /** Why no world agrees with the position. @type {Impossible | null} */
  impossible = null;
  /** What is best to do; without candidates while the search ahead goes on. @type {Advice | null} */
  advice = null;
  /** How the win chances of cells look. @type {Map<number, Partial<import("../board/look.js").Look>>} */
  wins = new Map();
  /** The covered cell whose reason is shown. @type {number | null} */
  chosen = null;
  /** A solution that is shown on the board, a symbol for each cell. @type {string | null} */
  solution = null;

  /**
   * The risk of a cell; null if it is open, or nothing is known.
   * @param {number} index
   */
  odds(index) {
    const at = this.answer?.cells[index] ?? -1;
    return at < 0 || !this.answer ? null : this.answer.odds[at];
  }
}

export class SolveState {
  /** The position that is shown. @type {import("../basics/position.js").Position} */
  position = /** @type {any} */ (undefined);
  /** The positions before it, for undo. @type {import("../basics/position.js").Position[]} */
  history = [];
  /** True until the board has been scrolled to the best cell of a position that was opened. */
  isNew = false;
  /** What the numbers in covered cells are. @type {"risk" | "win"} */
  numbers = "risk";
  /** True while the last change may be continued by the same stroke: one step of undo. */
  stroke = false;
  /** True if this stroke of the pen covers cells; else it opens them. */
  covering = false;
  /**
   * What the parts of Solve use of it.
   * @typedef {{
   *   element: HTMLElement,
   *   page: import("../shared/view.js").Page,
   *   connection: import("../engine/connection.js").Connection,
   *   board: import("../board/board.js").Board,
   *   state: SolveState,
   *   fields: { mark: (name: string, message: string) => boolean },
   *   legend: { offerWins: (reason: string | null) => void },
   *   set: (position: import("../basics/position.js").Position) => Promise<void>,
   *   changed: () => void,
   *   undo: () => void,
   *   keepSoon: () => void,
   *   shownAnswer: () => void,
   *   shownAdvice: () => void,
   *   remark: (marked?: Record<string, number[]>) => void,
   *   candidate: (index: number) => Candidate | undefined,
   * }} Desk
   */

  /** What is known of the position. */
  known = new Known();
}
