// @ts-check
// What is kept of the user's games, in words: a card for one board, and a dialog with all of them.

import { button, download, h, plural, table } from "../basics/dom.js";
import { guessesNamed } from "./guessing.js";
import { timeText } from "./stopwatch.js";

/** @typedef {import("./archive.js").Archive} Archive */

const WITHOUT_HELP =
  "Won: of all games on this board. Best times: the shortest of the games won. In a row: wins since the last loss, and in brackets the most there were.";
const LATEST_SAYS =
  "3BV: what was cleared of the fewest left clicks that clear the board without flags. Clicks: of all buttons. Help: what was used; such a game sets no record.";

/** A kind of board in words. @param {import("../basics/kept.js").Played} board */
export function boardText({ rows, cols, mines, grid, clues, needs, rule }) {
  const more = [grid === "square" ? "" : grid, clues === "exact" ? "" : clues, ...guessesNamed(needs, rule)];
  return [`${rows}×${cols}, ${plural(mines, "mine")}`, ...more].filter(Boolean).join(", ");
}

const LATEST = 50; // games that the dialog lists

/**
 * @param {number} won
 * @param {number} played
 */
const share = (won, played) => (played ? `${Math.round((100 * won) / played)} %` : "");

/**
 * The games of a board as pairs of a name and a value.
 * @param {ReturnType<Archive["summary"]>} summary
 * @returns {[name: string, value: string][]}
 */
export function summaryText({ played, won, best, average, streak, longest }) {
  if (!played) return [["Games", "none yet"]];
  /** @type {[name: string, value: string][]} */
  const averaged = average === null ? [] : [["Average time", timeText(average)]];
  return [
    ["Best time", best.length ? timeText(best[0].seconds) : "none yet"],
    ["Won", `${won} of ${played} (${share(won, played)})`],
    ["Wins in a row", `${streak} now, ${longest} at most`],
    ...averaged,
  ];
}

/** @param {Archive} archive */
export function archiveDialog(archive) {
  const contents = h("div", {});
  const fill = () => {
    if (!archive.games.length) {
      contents.replaceChildren(h("p", {}, "No game has been finished yet."));
      return;
    }
    const plain = archive.boards.filter((board) => archive.of(board).length);
    const boards = plain.map((board) => {
      const { played, won, best, streak, longest } = archive.summary(board);
      const times = best.map(({ seconds }) => timeText(seconds)).join(", ");
      return [boardText(board), String(played), share(won, played), times || "none", `${streak} (${longest})`];
    });
    const games = archive.games
      .slice(-LATEST)
      .toReversed()
      .map(({ when, board, won, seconds, bv, done, clicks, help }) => [
        new Date(when).toLocaleString("en-GB", { dateStyle: "short", timeStyle: "short" }),
        boardText(board),
        won ? "won" : "lost",
        timeText(seconds),
        bv === undefined ? "" : `${done} of ${bv}`,
        clicks === undefined ? "" : String(clicks),
        help?.length ? help.join(", ") : "none",
      ]);
    const heads = ["When", "Board", "Result", "Time", "3BV", "Clicks", "Help"];
    contents.replaceChildren(
      boards.length
        ? scrolling("Best times", table("Without help", ["Board", "Games", "Won", "Best times", "In a row"], boards))
        : h("p", {}, "No game has been finished without help yet."),
      h("p", { class: "note" }, WITHOUT_HELP),
      scrolling("Games", table("The latest games", heads, games)),
      h("p", { class: "note" }, LATEST_SAYS),
    );
  };
  const dialog = h(
    "dialog",
    { "aria-labelledby": "archive-title", class: "archive", onclose: () => dialog.remove() },
    h("h2", { id: "archive-title" }, "Your games"),
    contents,
    h("p", { class: "note" }, "They are kept in this browser only."),
    h(
      "div",
      { class: "row" },
      button("Close", () => dialog.close(), { class: "main" }),
      button("Export", () => download("satsweep-games.csv", archive.csv(boardText)), { id: "archive-export" }),
      button("Clear", ({ target }) => clear(target), { class: "danger", id: "archive-clear" }),
    ),
  );
  /** The first press asks, the second one clears. @param {HTMLElement} pressed */
  function clear(pressed) {
    if (!pressed.dataset.sure) {
      pressed.dataset.sure = "asked";
      pressed.textContent = "Delete all games?";
      return;
    }
    archive.clear();
    pressed.remove();
    fill();
  }
  fill();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @param {string} label
 * @param {HTMLElement} contents
 */
const scrolling = (label, contents) =>
  h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": label }, contents);
