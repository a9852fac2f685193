// @ts-check
// The state of Play, apart from its elements.

/**
 * What the parts of Play use of it.
 * @typedef {{
 *   page: import("../shared/view.js").Page,
 *   connection: import("../engine/connection.js").Connection,
 *   board: import("../board/board.js").Board,
 *   sheet: import("../shared/sheet.js").Sheet,
 *   state: PlayState,
 *   game: import("./game.js").Game | null,
 *   over: "won" | "lost" | null,
 *   asked: Record<string, unknown> | null,
 *   hidesNeeds: boolean,
 *   tell: (...sentence: Sentence) => void,
 *   say: (...contents: any[]) => void,
 *   start: () => Promise<boolean>,
 *   newGame: () => void,
 *   open: (indices: number[], how?: { sure?: boolean, number?: number | null }) => Promise<void>,
 *   flag: (index: number) => void,
 *   moved: (changed: number[] | null) => void,
 *   undo: () => void,
 *   hint: () => void,
 *   openSafe: () => void,
 *   settleTrivial: () => boolean,
 *   rate: () => void,
 *   closed: () => void,
 *   solve: () => void,
 *   picture: () => Record<string, unknown>,
 *   pictureButton: () => HTMLElement,
 *   shareButton: HTMLElement,
 *   fileButton: HTMLElement,
 * }} Desk
 */

export class PlayState {
  /** The game; null while a board is being made, and where none can be. @type {import("./game.js").Game | null} */
  game = null;
  /** The question that deals the board again, once it was dealt. @type {Record<string, unknown> | null} */
  asked = null;
  /** The cell where a layout says that play starts. @type {number | null} */
  given = null;
  /** The first cell that was opened; it decides where the mines are. @type {number | null} */
  firstCell = null;
  /** What the board may need, a name of NEEDS. */
  luck = "any";
  /** What decided where the mines of the last board were; the same board again sets no record. @type {string | null} */
  dealtBefore = null;
  /** Ends when all moves so far have been made. @type {Promise<void>} */
  turn = Promise.resolve();
}
