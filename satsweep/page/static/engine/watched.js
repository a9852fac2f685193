// @ts-check
// A game that the engine has played, in the form of those that Python plays (page/games.py `watch`).

import { fractionOf, percent } from "../basics/numbers.js";
import { cascade, rowsOf, shownBy } from "./layouts.js";

const OUTCOMES = {
  cleared: "every cell that is no mine is open",
  exploded: "a mine was opened",
  stuck: "the agent named no cell to open",
};
const REASONS = { start: "the rules open it first", forced: "deduced", guess: "a guess" };
const TOGETHER = 250; // moves of a part

/**
 * Its parts, and its end.
 * @param {import("./engine.js").Game} game
 * @param {number[][]} neighbours
 * @param {number} seconds
 * @param {string} topology
 * @param {string[]} [remarks]
 */
export function watched(game, neighbours, seconds, topology, remarks = []) {
  const { layout } = game;
  const { rows, cols, mines } = layout;
  const shown = shownBy(layout, neighbours);
  const symbols = Array(rows * cols).fill("#");
  const moves = game.moves.map(({ turn, action, cell, reason }) => {
    const told = {
      turn,
      action: reason === "guess" ? "guess" : action,
      cell: /** @type {Cell} */ ([Math.floor(cell / cols), cell % cols]),
      why: [REASONS[reason]],
    };
    if (action === "flag") {
      symbols[cell] = "F";
      return told;
    }
    const opened = cascade(cell, shown, neighbours, (other) => symbols[other] === "#");
    for (const own of opened) symbols[own] = shown[own];
    return { ...told, opened: opened.map((own) => [own, shown[own]]) };
  });
  const drawn = rowsOf(layout);
  const head = { rules: "clear the board", goal: "clear", rows, cols, mines, topology, remarks };
  const parts = [
    head,
    ...Array.from({ length: Math.ceil(moves.length / TOGETHER) }, (_, at) => ({
      moves: moves.slice(at * TOGETHER, (at + 1) * TOGETHER),
      ...(at ? {} : { layout: drawn }),
    })),
  ];
  const { outcome, won } = game;
  const end = {
    outcome,
    won,
    why: OUTCOMES[outcome],
    seconds: Math.round(1000 * seconds) / 1000,
    facts: factsOf(game),
    layout: drawn,
  };
  return { parts, end };
}

/**
 * The measures of a game in words (render/transcript.py `measure_facts`).
 * @param {import("./engine.js").Game} game
 * @returns {[name: string, value: string][]}
 */
function factsOf({ layout, opened, right, wrong, minesHit, turns, guesses, guessesLost, claims, beyondBasic }) {
  const area = layout.cells.length;
  const number = (/** @type {number} */ count) => count.toLocaleString("en");
  const counted = (/** @type {number} */ count, /** @type {string} */ noun) =>
    `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
  const score = layout.mines ? right / layout.mines : 1;
  const exact = layout.mines ? fractionOf(score, BigInt(layout.mines)) : null;
  const isFraction = exact?.text.includes("/");
  return [
    ["opened", `${number(opened)} of ${counted(area, "cell")}, ${percent(opened / area)}`],
    ["flagged", `${number(right)} of ${counted(layout.mines, "mine")}, and ${counted(wrong, "safe cell")}`],
    ["score", isFraction ? `${percent(score)} (${exact?.text})` : percent(score)],
    ["mines hit", number(minesHit)],
    ["turns", number(turns)],
    ["guesses", `${number(guesses)}, ${number(guessesLost)} lost`],
    ["claims", `${number(claims)}, ${number(beyondBasic)} beyond single numbers`],
  ];
}
