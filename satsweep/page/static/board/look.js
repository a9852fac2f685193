// @ts-check
// The look of a cell, which a board draws.

import { isCovered } from "../basics/position.js";

/**
 * How a cell is drawn: its symbol, a heat from 0 (safe) to 1 (mine), a text in it, what is said of it to screen readers,
 * and one more class.
 * @typedef {{ symbol: string, heat?: number | null, text?: string, label?: string, extra?: string }} Look
 */

/**
 * `odds`: the risk to show, null for none. `mine`: where the mines are to be shown, whether the cell is one.
 * @param {string} symbol
 * @param {{ odds?: Odds | null, mine?: boolean | null }} [known]
 * @returns {Look}
 */
export function lookOf(symbol, { odds = null, mine = null } = {}) {
  if (!isCovered(symbol)) return { symbol };
  if (mine === false && symbol === "F") return { symbol, extra: "wrong", label: "flagged, but safe" };
  if (mine === true && symbol === "#") return { symbol, extra: "left", label: "covered, a mine" };
  if (!odds) return { symbol };
  if (odds.risk === null) return { symbol, text: "?", label: "covered, risk not known", extra: "unknown" };
  const flagged = symbol === "F";
  const label = `covered, ${forced(odds) ?? `risk ${odds.percent}`}${flagged ? ", flagged" : ""}`;
  const look = { symbol: "#", label, extra: flagged ? "flagged" : "" };
  if (forced(odds)) return { ...look, heat: odds.risk, text: "" };
  // A cell that is not forced never looks forced, whatever its risk is rounded to.
  return { ...look, heat: Math.min(Math.max(odds.risk, 0.001), 0.999), text: odds.label };
}

/**
 * A forced cell in words; null for any other.
 * @param {Odds} odds
 */
export const forced = ({ exact }) => (exact === "0" ? "safe" : exact === "1" ? "a mine" : null);
