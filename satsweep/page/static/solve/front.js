// @ts-check
// The front of the page: what this is, in one sentence, and its doors.

import { button, capitalized, h } from "../basics/dom.js";

/** @param {() => void} onSolve is called at the door of one's own position */
export function front(onSolve) {
  const door = (/** @type {string} */ name, /** @type {string} */ said) => [h("strong", {}, name), h("span", {}, said)];
  return h(
    "section",
    { class: "front", "aria-label": "What this is" },
    h(
      "p",
      { class: "pitch" },
      h("strong", {}, "Stuck in Minesweeper? "),
      "satsweep finds every safe cell, tells the exact risk of all others, and says why: click a covered cell.",
    ),
    h(
      "div",
      { class: "doors" },
      button(door("Solve", "your position: a picture, a drawing, a file"), onSolve, { class: "door main" }),
      h("a", { class: "door", href: "#play" }, door("Play", "with hints, without forced guesses")),
      h("a", { class: "door", href: "#review" }, door("Review", "skill, luck and mistakes of your game")),
      h("a", { class: "door", href: "#watch" }, door("Watch", "a solver plays and explains each move")),
      h("a", { class: "door", href: "#train" }, door("Train", "find the cell that is certain")),
    ),
  );
}

/**
 * Buttons for empty boards of the usual sizes, and of the size of the last position that was solved.
 * @param {Record<string, Level>} levels
 * @param {(name: string) => void} onPick
 */
export function presets(levels, onPick) {
  const names = [...Object.keys(levels), "last"];
  const label = (/** @type {string} */ name) => (name === "last" ? "Last size" : capitalized(name));
  const title = (/** @type {string} */ name) => {
    const { rows, cols, mines } = levels[name] ?? {};
    if (rows) return `An empty board of ${rows}×${cols} with ${mines} mines`;
    return "An empty board of the size of your last position";
  };
  return h(
    "div",
    { class: "presets", role: "group", "aria-label": "Empty board" },
    names.map((name) => button(label(name), () => onPick(name), { title: title(name), "data-preset": name })),
  );
}
