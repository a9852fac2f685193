// @ts-check
// What version 1 of the page has kept, carried over into the table of kept.js: other names, and records of games that
// named their board by the words of the interface.

import { kept, VERSION } from "./kept.js";

/** Names that had no view, and names that some views shared. */
const RENAMED = {
  upright: "settings-upright",
  follow: "solve-follow",
  size: "solve-size",
  warn: "play-warn",
  auto: "play-auto",
  advice: "watch-advice",
  ...Object.fromEntries(
    ["left", "right", "middle", "both", "hold"].map((name) => [`button-${name}`, `play-button-${name}`]),
  ),
};
/** The words of version 1 for what a board needs, and for rules about guesses. @type {Record<string, string>} */
const NEEDS = {
  "no guess needed": "all",
  "no guess: two numbers at a time": "pairs",
  "no guess: single numbers": "single",
};
/** @type {Record<string, string>} */
const RULES = { fair: "fair", "fair to any guess": "fair-any", cruel: "cruel", "cruel to all": "cruel-all" };
const CLUES = /^(random|underestimate|overestimate)\b/;

export function carryOver() {
  for (const [before, name] of Object.entries(RENAMED)) {
    const text = kept.text(before);
    if (text === null) continue;
    kept.put(name, text);
    kept.put(before, null);
  }
  const [rows, cols, mines, needs, rule] = (kept.text("play-board") ?? "").split(" ");
  if (rule) kept.put("play-board", JSON.stringify({ ...size(rows, cols, mines), needs, rule }));
  const games = kept.get("games").map((game) => {
    const board = typeof game?.board === "string" ? boardOf(game.board) : null;
    return board ? { ...game, board } : game;
  });
  if (games.length) kept.set("games", games);
  kept.put("version", String(VERSION));
}

/** @param {string} rows @param {string} cols @param {string} mines */
const size = (rows, cols, mines) => ({ rows: Number(rows), cols: Number(cols), mines: Number(mines) });

/**
 * The board that some words name; null where they name none.
 * @param {string} words such as "9×9, 10 mines, torus, no guess needed, fair"
 * @returns {import("./kept.js").Played | null}
 */
export function boardOf(words) {
  const found = /^(\d+)×(\d+), ([\d,]+) mines?(?:, (.*))?$/.exec(words);
  if (!found) return null;
  const rest = (found[4] ?? "").split(", ").filter(Boolean);
  const last = (/** @type {Record<string, string>} */ known, /** @type {string} */ usual) => {
    const word = rest.at(-1) ?? "";
    if (!Object.hasOwn(known, word)) return usual;
    rest.pop();
    return known[word];
  };
  const rule = last(RULES, "never");
  const needs = last(NEEDS, "any");
  const clues = CLUES.test(rest.at(-1) ?? "") ? String(rest.pop()) : "exact";
  const grid = rest.join(", ") || "square";
  return { ...size(found[1], found[2], found[3].replaceAll(",", "")), grid, clues, needs, rule };
}
