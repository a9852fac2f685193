// @ts-check
// The end of a game in Play: how long it took, its numbers, its review; and what is kept of it.

import { button, described, h } from "../basics/dom.js";
import { layoutText } from "../basics/position.js";
import { celebrate, settle } from "../board/win.js";
import { Review } from "../review/panel.js";
import { BestClicks } from "../shared/fewest-clicks.js";
import { Archive } from "./archive.js";
import { archiveDialog, boardText, summaryText } from "./archive-dialog.js";
import { areOwn, countsOf, countsText } from "./counts.js";
import { timeText } from "./stopwatch.js";

export class Ending {
  /** @param {import("./state.js").Desk} view whose game, board and sheet are used */
  constructor(view) {
    this.view = view;
    this.archive = new Archive();
    const { connection, board, sheet } = view;
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
    this.title = h("h2", {});
    this.facts = h("dl", { class: "facts" });
    const all = button("All games", () => this.showArchive(), { id: "play-archive" });
    this.card = h("section", { class: "card" }, this.title, this.facts, h("div", { class: "row" }, all));
  }

  /** Show how the game has ended after some seconds, keep it, and begin its review. @param {number} seconds */
  show(seconds) {
    const { view } = this;
    const { asked, game } = view;
    const { board } = this;
    if (!game?.dealt || !asked || !board) return;
    const won = game.over === "won";
    const time = timeText(seconds);
    view.tell(won ? `Cleared in ${time}.` : "That was a mine. Undo takes it back.");
    const [best] = this.archive.best(board);
    const isBest = won && !game.help.size && (!best || seconds < best.seconds);
    const counts = game.dealt.exact ? countsOf(game, game.dealt, seconds) : null;
    this.#keep(board, won, seconds, counts);
    const help = [...game.help];
    const parts = [
      h("h2", {}, won ? `Cleared in ${time}` : "That was a mine"),
      isBest && h("p", { class: "medal" }, "Your best time on this board!"),
      this.review.element,
      counts && h("dl", { class: "facts" }, described(countsText(counts, game))),
      this.best.element,
      help.length > 0 && h("p", { class: "note" }, `With help (${help.join(", ")}), so this is no record.`),
      h(
        "div",
        { class: "row" },
        button("New game", () => view.newGame(), { class: "main", id: "play-next" }),
        button("Open in Review", () => view.page.reviewOf(asked, game.path), { id: "play-reviewed" }),
        view.fileButton,
      ),
    ];
    view.say(...parts.filter(Boolean));
    if (game.over && game.lastOpened !== null) {
      view.sheet.reveal(view.board, [game.lastOpened]);
      celebrate(view.board, game.over, game.lastOpened);
    }
    this.best.begin({
      asked: { layout: layoutText(game.dealt) },
      shown: game.dealt.shown,
      neighbours: game.neighbours,
      clicks: won && counts && areOwn(game) ? counts.clicks : null,
    });
    this.review.begin(view.picture(), { ownClicks: areOwn(game) }).catch(() => {}); // the review says why there is none
    this.showCard();
  }

  // Forget the game: another one begins, or undo goes on with it.
  leave() {
    this.review.stop();
    this.best.forget();
    settle(this.view.board);
  }

  /**
   * Keep a finished game in the browser, once: undo does not bring a second result.
   * @param {import("../basics/kept.js").Played} board
   * @param {boolean} won
   * @param {number} seconds
   * @param {{ bv: number, done: number, clicks: number } | null} counts
   */
  #keep(board, won, seconds, counts) {
    const { game } = this.view;
    if (!game || game.kept || game.help.has("link")) return;
    game.kept = true;
    const { bv, done, clicks } = counts ?? {};
    const when = new Date().toISOString();
    this.archive.add({ board, won, seconds, when, bv, done, clicks, help: [...game.help] });
  }

  /** The kind of board that is played. @returns {import("../basics/kept.js").Played | null} */
  get board() {
    const { game, state } = this.view;
    if (!game) return null;
    const { rows, cols, total: mines, topology: grid, clues, rule } = game;
    return { rows, cols, mines, grid, clues, needs: state.luck, rule };
  }

  showCard() {
    const { board } = this;
    if (!board) return;
    this.title.textContent = boardText(board);
    this.facts.replaceChildren(...described(summaryText(this.archive.summary(board))));
  }

  showArchive() {
    this.archive.read();
    archiveDialog(this.archive).addEventListener("close", () => this.showCard());
  }
}
