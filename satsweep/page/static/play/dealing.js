// @ts-check
// Boards for the user: the server deals them, searches for ones that need no guess, and tells what a board needs.

import { plural } from "../basics/dom.js";
import { layoutText } from "../basics/position.js";
import { isCancelled, Latest } from "../engine/latest.js";

/** What the first cell is sure to be: its name, its label, and the hint before it is opened. @type {[name: string, label: string, hint: string][]} */
export const FIRSTS = [
  ["zero", "safe, no mine around it", "The first cell has no mine around it, wherever it is."],
  ["safe", "safe", "The first cell is safe, wherever it is."],
  ["any", "anything", "Nothing is known yet."],
];
/** @type {Record<string, string>} */
const RATED = {
  single: "This board needs no guess: one number at a time is enough.",
  pairs: "This board needs no guess: two numbers at a time are enough.",
  all: "This board needs no guess, but more than two numbers at a time, or the mine total.",
  guess: "This board needs a guess.",
};
const PATIENCE = 150; // milliseconds before a search is mentioned

/** @typedef {import("./game.js").Dealt} Dealt */
/** @typedef {import("../shared/settings.js").Asked & { first: string, start: Cell }} DealQuestion */

export class Dealing {
  asking = new Latest();
  rating = new Latest();

  /**
   * `onSearch` shows that a search goes on; an empty text says that it has ended.
   * @param {import("../engine/connection.js").Connection} connection
   * @param {(text: string) => void} onSearch
   */
  constructor(connection, onSearch) {
    this.connection = connection;
    this.onSearch = onSearch;
  }

  cancel() {
    this.asking.cancel();
    this.rating.cancel();
  }

  /**
   * The server's answer, and the question from which it deals the same board again, for the moving picture.
   * @param {DealQuestion} question
   * @param {string} needs
   * @returns {Promise<{ dealt: Dealt, asked: Record<string, unknown> }>}
   */
  async deal(question, needs) {
    const signal = this.asking.next();
    if (needs === "any") return { dealt: await this.connection.ask("deal", question, { signal }), asked: question };
    const first = question.first === "any" ? "zero" : question.first;
    const dealt = await this.#search({ ...question, first, technique: needs }, signal);
    // The seed alone would bring another board.
    return { dealt, asked: { layout: layoutText(dealt), first, start: question.start } };
  }

  /**
   * Mostly a matter of moments; of up to a minute where a board is big or full.
   * @param {Record<string, unknown>} question
   * @param {AbortSignal} signal
   * @returns {Promise<Dealt>}
   */
  async #search(question, signal) {
    const began = performance.now();
    const slow = setTimeout(() => this.onSearch("Looking for such a board…"), PATIENCE);
    const onPart = () => {
      const seconds = Math.round((performance.now() - began) / 1000);
      if (seconds) this.onSearch(`Looking for such a board, for ${plural(seconds, "second")}…`);
    };
    try {
      return await this.connection.ask("deal_no_guess", question, { onPart, signal });
    } finally {
      clearTimeout(slow);
      this.onSearch("");
    }
  }

  /** Whether the board needs a guess from its first cell on, in words; empty if not known. @param {Dealt} dealt */
  async rated(dealt) {
    const [row, col] = dealt.start;
    if (!dealt.exact || dealt.layout[row][col] === "*") return "";
    try {
      const asked = { layout: layoutText(dealt) };
      const { needs } = await this.connection.ask("rate", asked, { signal: this.rating.next() });
      return RATED[needs] ?? "";
    } catch (error) {
      if (isCancelled(error)) throw error;
      return ""; // a game goes on without
    }
  }
}
