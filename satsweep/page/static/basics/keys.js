// @ts-check
// The keys of the page, one table: which view acts how on which key, and what the dialog of keys says of it.
//
// Single letters act wherever the focus is, so the user can switch them off (WCAG 2.1.4). Keys of a board act on the cell
// that has the focus; here they are in words alone.

import { kept } from "./kept.js";

/**
 * A row of the table: where keys act, what they are, those in brackets are drawn as keys, and what they do. `acts` are the
 * names of what `views` do on keys, as `event.key` in small letters tells them.
 * @typedef {{
 *   where: string, keys: string, says: string, views?: string[], acts?: Record<string, string>,
 * }} Row
 */

/** @type {Row[]} */
export const KEYS = [
  { where: "On a board", keys: "[arrows] [Home] [End] [Page up] [Page down]", says: "move between cells" },
  { where: "On a board", keys: "[Ctrl] and the wheel, or two fingers", says: "zoom" },
  { where: "Watch", keys: "[Space]", says: "play, pause", views: ["watch"], acts: { " ": "toggle" } },
  {
    where: "Watch, Review",
    keys: "[,] [.]",
    says: "previous move, next move",
    views: ["watch", "review"],
    acts: { ",": "back", ".": "next" },
  },
  {
    where: "Watch, Review",
    keys: "[<] [>]",
    says: "to the start, to the end",
    views: ["watch", "review"],
    acts: { "<": "first", ">": "last" },
  },
  { where: "Solve", keys: "[Enter]", says: "explain the cell" },
  {
    where: "Solve",
    keys: "[0] to [9], [#] [*] [F] [?]",
    says: "draw: a number, covered, a mine, a flag, an open cell that shows nothing",
  },
  {
    where: "Solve",
    keys: "the same and [Space], [Backspace], while drawing",
    says: "type cell after cell: an empty one opens those around it; back",
  },
  {
    where: "Solve",
    keys: "right button, or a long press",
    says: "a flag; while drawing, a mine, and the numbers around it follow",
  },
  { where: "Solve", keys: "wheel, while drawing", says: "the next number, the one before" },
  {
    where: "Play",
    keys: "[Enter] or a click",
    says: "open a cell; on a number with all its flags, open the other cells around it",
  },
  { where: "Play", keys: "[F], the right button, or a long press", says: "flag a cell" },
  {
    where: "Play",
    keys: "the middle button, or left and right together",
    says: "open the other cells around a number",
  },
  {
    where: "Play",
    keys: "[F2]; [Space] when a game has ended",
    says: "a new game",
    views: ["play"],
    acts: { f2: "new", " ": "again" },
  },
  { where: "Play", keys: "[H]", says: "a hint; again, more of it", views: ["play"], acts: { h: "hint" } },
  { where: "Play", keys: "[S]", says: "open all safe cells", views: ["play"], acts: { s: "safe" } },
  { where: "Play", keys: "[Ctrl] + [Z]", says: "undo, also while drawing" },
  { where: "Train", keys: "[Enter] or a click", says: "this cell is the answer" },
  {
    where: "Train",
    keys: "[A], [N]",
    says: "show the answer, the next puzzle",
    views: ["train"],
    acts: { a: "reveal", n: "next" },
  },
  { where: "Picture", keys: "[Enter]", says: "what a cell may be; [0] to [8], [#] [F] say what it is" },
  { where: "Picture", keys: "[N]", says: "the next cell in doubt", views: ["picture"], acts: { n: "next" } },
];

/**
 * The name of what a view does on a key; null for nothing.
 * @param {string} view
 * @param {{ key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean }} event
 */
export function actOf(view, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  const own = key.toLowerCase();
  const found = KEYS.find(({ views, acts }) => views?.includes(view) && acts && Object.hasOwn(acts, own));
  if (!found?.acts || (/^[a-z]$/.test(own) && !kept.get("settings-letters"))) return null;
  return found.acts[own];
}
