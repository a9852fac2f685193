// @ts-check
// The mines of a game right before a cell is opened, where the rules redraw them: the engine's answer to `redraw`.

import { Position } from "../basics/position.js";
import { boardOf, codeOf } from "./answers.js";
import { rowsOf, shownBy } from "./layouts.js";

const SAME = 1e-9; // difference of risks that sums of floats may have, relative to the risk

/**
 * What the rules make of a cell: a mine, safe, or (null) what it is. As `decision` in games/redraw.py.
 * @param {string} redraw
 * @param {number} risk
 * @param {number} least the risk of the safest covered cell
 */
export function decision(redraw, risk, least) {
  if (redraw === "never" || risk === 0 || risk === 1) return null;
  if (redraw.startsWith("cruel")) return redraw === "cruel-all" || least === 0 ? "mine" : null;
  return least > 0 && (redraw === "fair-any" || risk <= least * (1 + SAME)) ? "safe" : null;
}

/**
 * @param {import("./engine.js").Engine} engine
 * @param {Record<string, any>} fields
 * @param {import("./answers.js").How} how
 * @returns {Redrawn}
 */
export function redraw(engine, { board, layout, opening, redraw: rule, seed = "0" }, how) {
  const { position, board: read, neighbours } = boardOf(board, how);
  const { cols } = position;
  const [row, col] = opening;
  const { risks, safe } = engine.analyse(read);
  const decided = decision(rule, risks[row * cols + col], Math.min(...risks.filter((risk) => !Number.isNaN(risk))));
  const mined = Position.of(layout).cells[row * cols + col] === "*";
  if (decided === null || mined === (decided === "mine")) return { layout: null, shown: null, safe };
  const cells = read.cells.with(row * cols + col, codeOf(decided === "mine" ? "*" : "?"));
  const world = engine.randomWorld({ ...read, cells }, { seed });
  return { layout: rowsOf(world), shown: shownBy(world, neighbours).join(""), safe };
}
