// @ts-check
// What the browser keeps of the user's choices, games and answers: one table of names, with types and what holds at first.
//
// localStorage has each as text, under "satsweep-" and its name. A name is one of the program, no word of the interface,
// and so is what stands in a value: words may change. What VERSION 1 has kept is carried over once (carried.js).

export const VERSION = 2;
const PREFIX = "satsweep-";

/**
 * How a value is kept: `usual` holds where nothing, or nothing that can be read, is kept; `read` gives undefined then.
 * @template Value
 * @typedef {{ usual: Value, read: (text: string) => Value | undefined, write: (value: Value) => string }} Kind
 */

/**
 * @template {string} Name
 * @param {Name[]} names the usual one first
 * @returns {Kind<Name>}
 */
const oneOf = (...names) => ({
  usual: names[0],
  read: (text) => names.find((name) => name === text),
  write: (name) => name,
});

/** @param {boolean} usual @returns {Kind<boolean>} */
const flag = (usual) => ({
  usual,
  read: (text) => (text === "yes" ? true : text === "no" ? false : undefined),
  write: (on) => (on ? "yes" : "no"),
});

/**
 * A value as JSON, if it is what it should be.
 * @template Value
 * @param {Value} usual
 * @param {(value: any) => boolean} isRight
 * @returns {Kind<Value>}
 */
const json = (usual, isRight) => ({
  usual,
  read(text) {
    try {
      const value = JSON.parse(text);
      return isRight(value) ? value : undefined;
    } catch {
      return undefined;
    }
  },
  write: (value) => JSON.stringify(value),
});

/** @param {any} size */
const isSize = ({ rows, cols, mines } = {}) =>
  [rows, cols].every((count) => Number.isInteger(count) && count > 0) && (mines === null || Number.isInteger(mines));

/**
 * A kind of board, with names as in questions: its grid, its clues, what it may need, the rule about guesses.
 * @typedef {{
 *   rows: number, cols: number, mines: number, grid: string, clues: string, needs: string, rule: string,
 * }} Played
 */

/**
 * A game as it was left, by its address, with what that does not tell: the help it had, its seconds, the clicks by button where
 * they are known, and whether its result is among the games.
 * @typedef {{ link: string, help: string[], seconds: number, clicks: number[] | null, isKept: boolean }} Left
 */

/** @param {any} left */
const isLeft = ({ link, help, seconds, clicks } = {}) =>
  typeof link === "string" &&
  Array.isArray(help) &&
  seconds >= 0 &&
  (clicks === null || (clicks?.length === 3 && clicks.every(Number.isInteger)));

/** A board as it is asked for. @typedef {{ rows: number, cols: number, mines: number | null }} Size */

export const KEPT = {
  theme: oneOf("auto", "light", "dark"), // theme.js reads it, and the next, too
  skin: oneOf("plain", "classic"),
  /** How cells are named. */
  counting: oneOf("players", "files"),
  "settings-upright": flag(true),
  /** Single letters are keys wherever the focus is. */
  "settings-letters": flag(true),
  /** Pixels of a cell, or as there is room. */
  "settings-cells": oneOf("fit", "20", "28", "36", "44"),
  /** Milliseconds of a long press. */
  "settings-press": oneOf("430", "250", "700", "1000"),
  "solve-follow": flag(true),
  /** The board that was drawn on last. */
  "solve-size": json(/** @type {Size | null} */ (null), isSize),
  "play-warn": flag(true),
  "play-auto": flag(false),
  /** The board that was played last. */
  "play-board": json(
    /** @type {Size & { needs: string, rule: string } | null} */ (null),
    (board) => isSize(board) && [board.needs, board.rule].every((name) => typeof name === "string"),
  ),
  "play-game": json(/** @type {Left | null} */ (null), isLeft),
  "play-button-left": oneOf("open", "cover", "flag"),
  "play-button-right": oneOf("flag", "open", "chord", "none"),
  "play-button-middle": oneOf("chord", "flag", "open", "none"),
  "play-button-both": oneOf("chord", "none"),
  "play-button-hold": oneOf("flag", "open", "none"),
  "watch-advice": flag(true),
  /** Moves a second, a place in the list of speeds. */
  speed: json(1, Number.isInteger),
  games: json(/** @type {any[]} */ ([]), Array.isArray),
  training: json(/** @type {{ player?: any, answers?: any }} */ ({}), (value) => typeof value === "object" && value),
};

/** @typedef {keyof typeof KEPT} Name */
/** Names of what is on or off. @typedef {{ [Key in Name]: (typeof KEPT)[Key] extends Kind<boolean> ? Key : never }[Name]} Flag */

export const kept = {
  /**
   * @template {Name} Key
   * @param {Key} name
   * @returns {(typeof KEPT)[Key]["usual"]}
   */
  get(name) {
    const kind = /** @type {Kind<any>} */ (KEPT[name]);
    const text = this.text(name);
    return (text === null ? undefined : kind.read(text)) ?? kind.usual;
  },
  /**
   * @template {Name} Key
   * @param {Key} name
   * @param {(typeof KEPT)[Key]["usual"]} value
   */
  set(name, value) {
    this.put(name, /** @type {Kind<any>} */ (KEPT[name]).write(value));
    this.put("version", String(VERSION));
  },
  /** What is kept under a name, as text. @param {string} name */
  text(name) {
    try {
      return localStorage.getItem(PREFIX + name);
    } catch {
      return null;
    }
  },
  /** Keep a text under a name; nothing if it is null. @param {string} name @param {string | null} text */
  put(name, text) {
    try {
      if (text === null) localStorage.removeItem(PREFIX + name);
      else localStorage.setItem(PREFIX + name, text);
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  },
  /** True if an earlier version has kept something. */
  get isOld() {
    try {
      return this.text("version") === null && Object.keys(localStorage).some((name) => name.startsWith(PREFIX));
    } catch {
      return false;
    }
  },
};
