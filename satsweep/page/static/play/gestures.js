// @ts-check
// What the buttons of a mouse and a finger do on a board in Play. Each gesture has an action, which the user chooses.

import { field, select } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { kept } from "../basics/kept.js";

const MAX_DRIFT = 10; // a press that moves by more pixels is no long press
const [LEFT, MIDDLE, RIGHT] = [0, 1, 2]; // values of event.button
const BOTH = 3; // bits of event.buttons: left and right

/** @typedef {"open" | "cover" | "flag" | "chord" | "none"} Action */
/** @typedef {"left" | "right" | "middle" | "both" | "hold"} Gesture */

/** What an action does, in words. @type {Record<Action, string>} */
export const ACTIONS = {
  open: "opens; on a number, the cells around it",
  cover: "opens covered cells only",
  flag: "flags",
  chord: "opens the cells around a number",
  none: "does nothing",
};
/** Names of gestures, and their actions, which kept.js checks. @type {Record<Gesture, { name: string, actions: Action[] }>} */
export const GESTURES = {
  left: { name: "Left button, tap, Enter", actions: ["open", "cover", "flag"] },
  right: { name: "Right button", actions: ["flag", "open", "chord", "none"] },
  middle: { name: "Middle button", actions: ["chord", "flag", "open", "none"] },
  both: { name: "Left and right together", actions: ["chord", "none"] },
  hold: { name: "Long press", actions: ["flag", "open", "none"] },
};

/** @typedef {{ x: number, y: number, used: boolean, over: boolean, timer: number }} Held */

/** The action that the user has chosen. @param {Gesture} gesture @returns {Action} */
export const chosen = (gesture) => kept.get(`play-button-${gesture}`);

// What each gesture does in Play, to be chosen.
export function buttonChoices() {
  const gestures = /** @type {Gesture[]} */ (Object.keys(GESTURES));
  const choices = gestures.map((gesture) => {
    const { name, actions } = GESTURES[gesture];
    const id = /** @type {const} */ (`play-button-${gesture}`);
    return field(
      name,
      select(
        actions.map((action) => [action, ACTIONS[action]]),
        chosen(gesture),
        { id, onchange: (action) => kept.set(id, /** @type {any} */ (action)) },
      ),
    );
  });
  return h("details", { id: "play-buttons" }, h("summary", {}, "Buttons"), h("div", { class: "fields" }, choices));
}

/**
 * Call `act` for gestures on the cells of a board, and `hold` while buttons of a mouse are down: with the cell under it, null
 * when they are let go.
 * @param {import("../board/board.js").Board} board
 * @param {{
 *   act: (gesture: Gesture, index: number) => void, hold: (gesture: Gesture, index: number | null) => void,
 * }} how
 */
export function listen({ grid, ends: { signal } }, { act, hold }) {
  let kind = "mouse"; // of the last pointer; browsers repeat touches as events of a mouse
  let both = false; // left and right are down together, or were, and one of them still is
  let done = false; // what both of them do is done
  /** The button that went down alone. @type {number | null} */
  let down = null;
  /** A touch: its place, its timer, and whether it has been used up. @type {Held | null} */
  let held = null;

  const at = (/** @type {any} */ event) => {
    const cell = event.target.closest?.("[data-i]");
    return cell && grid.contains(cell) ? Number(cell.dataset.i) : null;
  };
  const run = (/** @type {Gesture} */ gesture, /** @type {number | null} */ index) => {
    if (index !== null && chosen(gesture) !== "none") act(gesture, index);
  };
  const forget = () => {
    clearTimeout(held?.timer);
    if (held) held.over = true;
  };

  const sinks = (/** @type {number | null} */ index) => {
    if (down !== null) hold(/** @type {Gesture} */ (["left", "middle", "right"][down]), index);
  };

  grid.addEventListener("pointerdown", (event) => {
    kind = event.pointerType || "mouse";
    if (kind === "mouse") return;
    const index = at(event);
    if (!event.isPrimary || index === null) {
      forget(); // two fingers zoom
      return;
    }
    /** @type {Held} */
    const touch = { x: event.clientX, y: event.clientY, used: false, over: false, timer: 0 };
    touch.timer = setTimeout(
      () => {
        touch.used = true;
        navigator.vibrate?.(15);
        run("hold", index);
      },
      Number(kept.get("settings-press")),
    );
    held = touch;
  });
  grid.addEventListener("pointermove", (event) => {
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > MAX_DRIFT) forget();
  });
  const rest = () => clearTimeout(held?.timer);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, rest, { signal });
  signal.addEventListener("abort", rest);

  grid.addEventListener("mousedown", (event) => {
    if (kind !== "mouse") return;
    const button = event.button === LEFT && event.ctrlKey ? RIGHT : event.button;
    if (button === MIDDLE) event.preventDefault(); // no scrolling with the wheel held down
    if ((event.buttons & BOTH) === BOTH && chosen("both") !== "none") {
      [both, done, down] = [true, false, null];
      hold("both", at(event));
      return;
    }
    down = button;
    sinks(at(event));
    // A flag is set at once, as players expect; what opens cells waits until the button is let go.
    if (button === RIGHT && chosen("right") === "flag") run("right", at(event));
  });
  grid.addEventListener("mouseover", (event) => {
    if (both && !done) hold("both", at(event));
    else if (event.buttons) sinks(at(event));
  });
  grid.addEventListener("mouseleave", () => hold("left", null));
  const onUp = (/** @type {MouseEvent} */ event) => {
    hold("left", null);
    if (kind !== "mouse") return;
    const index = at(event);
    if (event.button === MIDDLE && index !== null) event.preventDefault(); // no pasting
    if (both) {
      if (!done) run("both", index);
      done = true;
      if (!(event.buttons & BOTH)) both = false;
    } else if (down === LEFT && event.button === LEFT) run("left", index);
    else if (down === MIDDLE && event.button === MIDDLE) run("middle", index);
    else if (down === RIGHT && chosen("right") !== "flag") run("right", index);
    down = null;
  };
  window.addEventListener("mouseup", onUp, { signal });
  grid.addEventListener("click", (event) => {
    // A mouse has been dealt with; fingers, pens and screen readers are left.
    if (kind === "mouse" && event.detail > 0) return;
    if (event.detail > 0 && (held?.used || held?.over)) return;
    run("left", at(event));
  });
  grid.addEventListener("contextmenu", (event) => {
    if (at(event) !== null) event.preventDefault();
  });
}
