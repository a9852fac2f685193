// @ts-check
// Games that were played to their end, kept in the browser: best times, streaks, export.

import { kept } from "../basics/kept.js";

const MOST = 2000; // games that are kept; the oldest go first, but never a best time
const BEST = 5;

/** @typedef {import("../basics/kept.js").Played} Played */

/**
 * A finished game: its kind of board, when it was played, its numbers where they are known, and the help that it had.
 * @typedef {{
 *   board: Played, won: boolean, seconds: number, when: string,
 *   bv?: number, done?: number, clicks?: number, help?: string[],
 * }} Kept
 */

/** @param {any} game as the browser kept it */
function isGame(game) {
  return (
    typeof game === "object" &&
    typeof game?.board === "object" &&
    ["rows", "cols", "mines"].every((name) => Number.isFinite(game.board?.[name])) &&
    ["grid", "clues", "needs", "rule"].every((name) => typeof game.board[name] === "string") &&
    typeof game.won === "boolean" &&
    Number.isFinite(game.seconds) &&
    typeof game.when === "string"
  );
}

export class Archive {
  /** The oldest first. @type {Kept[]} */
  games = [];

  constructor() {
    this.read();
  }

  // Another tab may have added games since.
  read() {
    this.games = kept.get("games").filter(isGame);
  }

  /** @param {Kept} game */
  add(game) {
    this.read();
    this.games.push(game);
    while (this.games.length > MOST) {
      const best = new Set(this.boards.flatMap((board) => this.best(board)));
      this.games.splice(
        this.games.findIndex((old) => !best.has(old)),
        1,
      );
    }
    kept.set("games", this.games);
  }

  clear() {
    this.games = [];
    kept.set("games", []);
  }

  /** Games of a board without help, oldest first. @param {Played} board */
  of(board) {
    const key = keyOf(board);
    return this.games.filter((game) => keyOf(game.board) === key && !game.help?.length);
  }

  /** @param {Played} board */
  best(board) {
    return this.of(board)
      .filter(({ won }) => won)
      .sort((one, other) => one.seconds - other.seconds)
      .slice(0, BEST);
  }

  /** What is known of a board: games, wins, times, wins in a row now and at most. @param {Played} board */
  summary(board) {
    const games = this.of(board);
    let [streak, longest] = [0, 0];
    for (const { won } of games) {
      streak = won ? streak + 1 : 0;
      longest = Math.max(longest, streak);
    }
    const won = games.filter((game) => game.won);
    const average = won.length ? won.reduce((sum, { seconds }) => sum + seconds, 0) / won.length : null;
    return { played: games.length, won: won.length, best: this.best(board), average, streak, longest };
  }

  // Boards that have games, those played last first.
  get boards() {
    /** @type {Map<string, Played>} */
    const found = new Map();
    for (const { board } of this.games.toReversed()) found.set(keyOf(board), board);
    return [...found.values()];
  }

  /** All games as CSV. @param {(board: Played) => string} inWords names a board */
  csv(inWords) {
    /** @type {(keyof Kept)[]} */
    const heads = ["when", "board", "won", "seconds", "bv", "done", "clicks", "help"];
    const cell = (/** @type {any} */ value) => {
      const text = Array.isArray(value) ? value.join(" ") : String(value ?? "");
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return [
      heads,
      ...this.games.map((game) => heads.map((head) => (head === "board" ? inWords(game.board) : game[head]))),
    ]
      .map((row) => `${row.map(cell).join(",")}\n`)
      .join("");
  }
}

/** What tells a board from others. @param {Played} board */
const keyOf = ({ rows, cols, mines, grid, clues, needs, rule }) =>
  JSON.stringify([rows, cols, mines, grid, clues, needs, rule]);
