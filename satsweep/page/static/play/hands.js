// @ts-check
// What the user does in Play with pointers and keys.

import { isPressed } from "../basics/controls.js";
import { actOf } from "../basics/keys.js";
import { isCovered } from "../basics/position.js";
import { chosen, listen } from "./gestures.js";

export class Hands {
  /** @param {import("./state.js").Desk & { controls: { flag: Element } }} view */
  constructor(view) {
    this.view = view;
    listen(view.board, {
      act: (gesture, index) => this.act(chosen(gesture), index),
      hold: (gesture, index) => view.board.sink(index === null ? [] : this.sunk(chosen(gesture), index)),
    });
  }

  /**
   * The covered cells around a number that sink while a button is down that opens them.
   * @param {import("./gestures.js").Action} action
   * @param {number} index
   */
  sunk(action, index) {
    const { game } = this.view;
    if (!game || game.over || isCovered(game.symbols[index]) || (action !== "open" && action !== "chord")) return [];
    return game.neighbours[index].filter((other) => game.symbols[other] === "#");
  }

  /**
   * An action on a cell.
   * @param {import("./gestures.js").Action} action
   * @param {number} index
   */
  act(action, index) {
    const { view } = this;
    const { game, board, controls } = view;
    if (!game || game.over) return;
    const symbol = game.symbols[index];
    const flags = action === "flag" || (action !== "chord" && isPressed(controls.flag));
    if (flags && isCovered(symbol)) {
      game.clicks.right += 1;
      view.flag(index);
    } else if (symbol === "F" && action !== "chord") {
      view.tell(board.place(index), " is flagged. Remove the flag first.");
    } else if (symbol === "#" && (action === "open" || action === "cover")) {
      game.clicks.left += 1;
      view.open([index]);
    } else if (!isCovered(symbol) && (action === "open" || action === "chord")) {
      game.clicks.chord += 1;
      const cells = game.chord(index);
      if (cells.length) view.open(cells, { number: index });
    }
  }

  /**
   * A key on a cell; true if it was handled.
   * @param {number} index
   * @param {KeyboardEvent} event
   */
  typed(index, event) {
    const key = event.key.toLowerCase();
    if (key === "enter" || (key === " " && !this.view.over)) this.act(chosen("left"), index);
    else if (key === "f") this.act("flag", index);
    else return false;
    return true;
  }

  /**
   * A key anywhere; true if it was handled.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { view } = this;
    const act = actOf("play", event);
    if (act === "new" || (act === "again" && view.over)) view.newGame();
    else if (act === "hint") view.hint();
    else if (act === "safe") view.openSafe();
    else return false;
    return true;
  }
}
