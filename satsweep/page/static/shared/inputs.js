// @ts-check
// What all forms for a board share: usual sizes as this window shows them, inputs for topologies and clue models.

import { textInput } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { DEFAULTS } from "../basics/position.js";

const UPRIGHT = "(max-width: 640px) and (orientation: portrait)";

/**
 * A usual size as this window shows it best: wide boards stand upright on a phone, unless the user does not want that.
 * @param {Level} level
 * @returns {Level}
 */
export function upright({ rows, cols, mines }) {
  const turned = cols > rows && matchMedia(UPRIGHT).matches && kept.get("settings-upright");
  return turned ? { rows: cols, cols: rows, mines } : { rows, cols, mines };
}

// Inputs for the topology and the clue model: any name, with suggestions from the server (see `suggest`).
export const topologyInput = () => textInput(DEFAULTS.topology, { list: "topologies" });
export const cluesInput = () => textInput(DEFAULTS.clues, { list: "clue-models" });

/** Add the suggestions that these inputs show to the page. @param {About} about */
export function suggest({ topologies, clues }) {
  for (const [id, choices] of Object.entries({ topologies, "clue-models": clues })) {
    const options = choices.map(({ name, summary }) => h("option", { value: name, label: summary }));
    document.body.append(h("datalist", { id }, options));
  }
}

/**
 * True for a whole board of squares that is as large as a level, upright or not.
 * @param {import("../basics/position.js").Position} position
 * @param {Level} level
 */
export function isLike({ rows, cols, topology, part }, level) {
  const isUsual = topology === DEFAULTS.topology && part === DEFAULTS.part;
  return isUsual && rows * cols === level.rows * level.cols && [level.rows, level.cols].includes(rows);
}
