// @ts-check
// Rules about guesses in Play: mines that are redrawn, unseen, to be fair or cruel to the player.

import { layoutText } from "../basics/position.js";
import { cascade } from "../engine/layouts.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Dealt} Dealt */

/** @typedef {{ connection: Pick<import("../engine/connection.js").Connection, "ask">, game: Game, seed: string }} Play */

/**
 * Redraw the mines of a game as its rule wants them where covered cells are opened, one after the other to the first mine.
 * @param {Play} play
 * @param {number[]} indices
 */
export async function redrawMines(play, indices) {
  const { game } = play;
  if (game.rule === "never" || !game.dealt) return;
  const symbols = [...game.symbols];
  for (const index of indices) {
    if (symbols[index] !== "#") continue;
    game.dealt = await redrawn(play, game.dealt, symbols, index);
    const { shown, cascades } = game.dealt;
    if (shown[index] === "*") return;
    for (const cell of cascade(index, shown, game.neighbours, (other) => cascades && symbols[other] === "#"))
      symbols[cell] = shown[cell];
  }
}

/**
 * A board as the rule wants it for a first cell of which nothing is promised.
 * @param {Play} play
 * @param {Dealt} dealt
 * @param {number} index
 * @returns {Promise<Dealt>}
 */
export async function redrawnStart(play, dealt, index) {
  const { game } = play;
  if (game.rule === "never") return dealt;
  const found = await redrawn(play, dealt, Array(game.symbols.length).fill("#"), index);
  return { ...found, opened: cascade(index, found.shown, game.neighbours, () => found.cascades) };
}

/**
 * A board with its mines as the rule wants them when a cell is opened.
 * @param {Play} play
 * @param {Dealt} dealt
 * @param {string[]} symbols what the player sees
 * @param {number} index
 * @returns {Promise<Dealt>}
 */
async function redrawn({ connection, game, seed }, dealt, symbols, index) {
  // A fair rule changes nothing about a safe cell, a cruel one nothing about a mine, none about what is certain.
  const isMine = dealt.shown[index] === "*";
  if (game.certain.has(index) || isMine === game.rule.startsWith("cruel")) return dealt;
  const opening = [Math.floor(index / game.cols), index % game.cols];
  const asked = { board: game.position(symbols).toString(), layout: layoutText(dealt), opening };
  /** @type {Redrawn} */
  const { layout, shown, safe } = await connection.ask("redraw", { ...asked, redraw: game.rule, seed });
  for (const cell of safe) game.certain.add(cell);
  return layout && shown ? { ...dealt, layout, shown } : dealt;
}
