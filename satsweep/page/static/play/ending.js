// @ts-check
// The end of a game in Play: its numbers, its review, the fewest clicks; and what is kept of games on this board.

import { button, described, h } from "../basics/dom.js";
import { layoutText } from "../basics/position.js";
import { celebrate, settle } from "../board/win.js";
import { Review } from "../review/panel.js";
import { BestClicks } from "../shared/fewest-clicks.js";
import { archiveDialog, boardText, summaryText } from "./archive-dialog.js";
import { areOwn, countsText } from "./counts.js";
import { timeText } from "./stopwatch.js";

/** @typedef {import("./state.js").PlayState} PlayState */

export class Ending {
  /** What is shown. @type {import("./state.js").Ended | null} */
  ended = null;

  /**
   * `buttons` are those below the end of a game; `question` asks for its review.
   * @param {{
   *   connection: import("../engine/connection.js").Connection, board: import("../board/board.js").Board,
   *   sheet: import("../shared/sheet.js").Sheet, buttons: HTMLElement[], question: () => Record<string, unknown>,
   * }} how
   */
  constructor({ connection, board, sheet, buttons, question }) {
    this.board = board;
    this.sheet = sheet;
    this.question = question;
    const onShow = () => {
      settle(board);
      board.drawAll();
    };
    this.best = new BestClicks({ name: "play-best", connection, board, sheet, onShow });
    const onWalk = () => {
      this.best.rest();
      onShow();
    };
    this.review = new Review({ name: "play", connection, board, sheet, onWalk });
    this.facts = h("dl", { class: "facts" });
    this.figures = h("details", { class: "figures" }, h("summary", {}, "Figures"), this.facts);
    this.row = h("div", { class: "row" }, buttons);
    this.element = h("div", {});
  }

  /** How a cell looks while the fewest clicks or a move of the review are shown; null while the game is. @param {PlayState} state @param {number} index */
  symbolOf({ game }, index) {
    const { state } = this.review;
    const best = this.best.symbols;
    if (best) return { symbol: best[index], mine: game?.dealt?.shown[index] === "*" };
    return state.isWalking ? { symbol: state.symbols[index], mine: null } : null;
  }

  /** Show how the game has ended, and begin its review; leave both when it goes on. @param {PlayState} state */
  draw({ ended, game }) {
    if (ended === this.ended) return;
    this.ended = ended;
    const { best, board, review } = this;
    settle(board);
    best.forget();
    review.stop();
    if (!ended || !game?.dealt) return;
    const { counts, help, isBest, seconds, won } = ended;
    this.facts.replaceChildren(...described(counts ? countsText(counts, game) : []));
    const parts = [
      h("h2", {}, won ? `Cleared in ${timeText(seconds)}` : "That was a mine"),
      isBest && h("p", { class: "medal" }, "Your best time on this board!"),
      review.element,
      counts && this.figures,
      best.element,
      help.length > 0 && h("p", { class: "note" }, `With help (${help.join(", ")}), so this is no record.`),
      this.row,
    ];
    this.element.replaceChildren(...parts.filter((part) => part instanceof HTMLElement));
    best.begin({
      asked: { layout: layoutText(game.dealt) },
      shown: game.dealt.shown,
      neighbours: game.neighbours,
      clicks: won && counts && areOwn(game) ? counts.clicks : null,
    });
    review.begin(this.question(), { ownClicks: areOwn(game) }).catch(() => {}); // the review says why there is none
  }

  /** Let the board move, now that it shows the end. @param {PlayState} state */
  celebrate({ game }) {
    if (!game?.over || game.lastOpened === null) return;
    this.sheet.reveal(this.board, [game.lastOpened]);
    celebrate(this.board, game.over, game.lastOpened);
  }
}

/** The card with the games on a board, and the way to all games. */
export class ArchiveCard {
  /** @param {import("./archive.js").Archive} archive */
  constructor(archive) {
    this.archive = archive;
    this.title = h("h2", {});
    this.facts = h("dl", { class: "facts" });
    const all = button("All games", () => this.open(), { id: "play-archive" });
    this.element = h("section", { class: "card" }, this.title, this.facts, h("div", { class: "row" }, all));
  }

  /** @param {import("../basics/kept.js").Played | null} board */
  draw(board) {
    this.board = board;
    if (!board) return;
    this.title.textContent = boardText(board);
    this.facts.replaceChildren(...described(summaryText(this.archive.summary(board))));
  }

  open() {
    this.archive.read();
    archiveDialog(this.archive).addEventListener("close", () => this.draw(this.board ?? null));
  }
}
