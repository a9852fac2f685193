// @ts-check
// The front of the page: what this is, in one sentence, and the way to one's own position.

import { button, capitalized, h } from "../basics/dom.js";

/** @param {() => void} onSolve is called at the way to one's own position */
export function front(onSolve) {
  const ask = h("strong", {}, "Stuck in Minesweeper?");
  const open = button("Open your position", onSolve, { class: "link" });
  const said = h("p", {}, ask, " ", open, ": every safe cell, all exact risks, and why.");
  return h("section", { class: "front", "aria-label": "What this is" }, said);
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
