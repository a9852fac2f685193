// @ts-check
// Games that were played to their end, kept in the browser: best times, streaks, export.

import { storage } from "./dom.js";

const NAME = "games";
const MOST = 2000; // games that are kept; the oldest go first, but never a best time
const BEST = 5;

/**
 * A finished game: its kind of board, when it was played, its numbers where they are known, and the help that it had.
 * @typedef {{
 *   board: string, won: boolean, seconds: number, when: string,
 *   bv?: number, done?: number, clicks?: number, help?: string[],
 * }} Kept
 */

/** @param {any} game as the browser kept it */
function isGame(game) {
  return (
    typeof game === "object" &&
    typeof game?.board === "string" &&
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
    try {
      const found = JSON.parse(storage.get(NAME, "[]"));
      this.games = Array.isArray(found) ? found.filter(isGame) : [];
    } catch {
      this.games = [];
    }
  }

  /** @param {Kept} game */
  add(game) {
    this.read();
    this.games.push(game);
    while (this.games.length > MOST) {
      const best = new Set([...new Set(this.games.map(({ board }) => board))].flatMap((board) => this.best(board)));
      this.games.splice(
        this.games.findIndex((old) => !best.has(old)),
        1,
      );
    }
    storage.set(NAME, JSON.stringify(this.games));
  }

  clear() {
    this.games = [];
    storage.set(NAME, "[]");
  }

  /** Games of a board without help, oldest first. @param {string} board */
  of(board) {
    return this.games.filter((game) => game.board === board && !game.help?.length);
  }

  /** @param {string} board */
  best(board) {
    return this.of(board)
      .filter(({ won }) => won)
      .sort((one, other) => one.seconds - other.seconds)
      .slice(0, BEST);
  }

  /** What is known of a board: games, wins, times, wins in a row now and at most. @param {string} board */
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
    return [...new Set(this.games.toReversed().map(({ board }) => board))];
  }

  // All games as CSV.
  get csv() {
    /** @type {(keyof Kept)[]} */
    const heads = ["when", "board", "won", "seconds", "bv", "done", "clicks", "help"];
    const cell = (/** @type {Kept[keyof Kept]} */ value) => {
      const text = Array.isArray(value) ? value.join(" ") : String(value ?? "");
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return [heads, ...this.games.map((game) => heads.map((head) => game[head]))]
      .map((row) => `${row.map(cell).join(",")}\n`)
      .join("");
  }
}
