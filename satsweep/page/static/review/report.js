// @ts-check
// A review as a file of its own (`satsweep review --format html`): the view with its game, and nobody to ask.

import { $ } from "../basics/dom.js";
import { squareGrid } from "../basics/square-grid.js";
import { ReviewView } from "./view.js";

/** @type {{ review: Reviewed, grid: Geometry | null, best: FewestClicks | null }} */
const { review, grid, best } = JSON.parse($("game").textContent);
/** What the file knows, by the question. @type {Record<string, unknown>} */
const known = { grid: grid ?? squareGrid(review.rows, review.cols), fewest_clicks: best };
const connection = {
  ask: async (/** @type {string} */ kind) => {
    if (known[kind]) return known[kind];
    throw new Error("This file does not say that.");
  },
};
const page = { connection, keep: () => {}, complain: () => {} };
const view = new ReviewView($("view-review"), /** @type {any} */ (page));
view.door.remove();
view.actions.remove();
window.addEventListener("keydown", (/** @type {any} */ event) => {
  if (event.key === "Escape") $("tip").hidden = true;
  if (event.defaultPrevented || event.target.closest?.("input, button")) return;
  if (view.key(event)) event.preventDefault();
});
await view.bring(review);
if (!best) view.best.element.remove();
