// @ts-check
// One machine for pointers on a board: buttons of a mouse, taps and long presses, strokes of a brush, the wheel.
//
// A mouse acts by its own events, since pointers do not tell of a second button that goes down. Fingers and pens act by the
// click that a tap makes, unless the touch has moved, was a long press, or was joined by a second finger, which zooms.

import { kept } from "../basics/kept.js";

const MAX_DRIFT = 10; // a touch that moves by more pixels is neither a tap nor a long press
const [LEFT, MIDDLE, RIGHT] = [0, 1, 2]; // values of event.button
const BOTH = 3; // bits of event.buttons: left and right

/** A tap is a `left`, and so is Enter; `both` are left and right together, `hold` is a long press. @typedef {"left" | "right" | "middle" | "both" | "hold"} Gesture */

/** A touch: where it began, the timer of its long press, and whether it was one, or is none of a single finger that rests. @typedef {{ x: number, y: number, used: boolean, over: boolean, timer: number }} Touch */

/**
 * What a view does on a cell by each gesture; one without an action is left alone. False: nothing was done, so that a key is
 * left to others. `atOnce`: the right button acts when it goes down, as players expect of flags. `sunk` are the cells that look
 * pressed while a gesture lasts. `paint` gets whether a stroke begins, `turn` which way the wheel went; `key` is true for a key
 * that it has handled.
 * @typedef {{ [Name in Gesture]?: (index: number) => unknown } & {
 *   atOnce?: boolean,
 *   sunk?: (gesture: Gesture, index: number) => number[],
 *   key?: (index: number, event: KeyboardEvent) => boolean,
 *   paint?: (index: number, first: boolean) => void,
 *   turn?: (index: number, by: number) => void,
 * }} Actions
 */

/**
 * What pointers use of a board.
 * @typedef {{
 *   grid: HTMLElement, cells: HTMLElement[], on: Actions, painting: string | null, ends: AbortController,
 *   focus: (index: number, how?: { quietly?: boolean }) => void, showTip: (index: number | null) => boolean,
 *   sink: (indices: number[]) => void,
 * }} Pointed
 */

/**
 * Let pointers act on a board; `at` is the cell of an event, or null.
 * @param {Pointed} board
 * @param {(event: any) => number | null} at
 */
export function letPoint(board, at) {
  const { grid } = board;
  const { signal } = board.ends;
  let kind = "mouse"; // of the last pointer; browsers repeat touches as events of a mouse
  let byKey = false; // the last thing that came was a key
  /** @type {Touch | null} */
  let touch = null;
  /** The cell that was painted last. @type {number | null} */
  let stroke = null;
  let painted = false; // the last pointer has painted when it went down; a finger paints with a tap, so that a drag scrolls
  /** The button that went down alone. @type {number | null} */
  let down = null;
  let both = false; // left and right are down together, or were, and one of them still is
  let done = false; // what both of them do is done

  const run = (/** @type {Gesture} */ gesture, /** @type {number | null} */ index) => {
    if (index === null) return;
    board.showTip(null); // it would cover the numbers that the action marks
    board.on[gesture]?.(index);
  };
  const sink = (/** @type {Gesture} */ gesture, /** @type {number | null} */ index) =>
    board.sink((index !== null && board.on[gesture] && board.on.sunk?.(gesture, index)) || []);
  const sinkDown = (/** @type {number | null} */ index) => {
    if (down !== null) sink(/** @type {Gesture} */ (["left", "middle", "right"][down]), index);
  };
  const forget = () => {
    clearTimeout(touch?.timer);
    if (touch) touch.over = true;
  };
  const release = () => {
    clearTimeout(touch?.timer);
    stroke = null;
  };

  grid.addEventListener("keydown", () => {
    byKey = true;
  });
  grid.addEventListener("pointerdown", (/** @type {any} */ event) => {
    const index = at(event);
    kind = event.pointerType || "mouse";
    byKey = false;
    if (kind !== "mouse") forget(); // a second finger zooms
    touch = null;
    painted = false;
    if (board.painting && kind !== "touch" && index !== null && event.button === LEFT) {
      painted = true;
      event.preventDefault();
      board.focus(index, { quietly: true });
      board.cells[index].focus({ preventScroll: true });
      if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
      stroke = index;
      board.on.paint?.(index, true);
    } else if (kind !== "mouse") {
      /** @type {Touch} */
      const own = { x: event.clientX, y: event.clientY, used: false, over: !event.isPrimary, timer: 0 };
      touch = own;
      if (index === null || own.over || !board.on.hold) return;
      const press = () => {
        own.used = true;
        navigator.vibrate?.(15);
        run("hold", index);
      };
      own.timer = window.setTimeout(press, Number(kept.get("settings-press")));
    }
  });
  grid.addEventListener("pointermove", (event) => {
    if (stroke !== null) {
      const index = at({ target: document.elementFromPoint(event.clientX, event.clientY) });
      if (index === null || index === stroke) return;
      stroke = index;
      board.on.paint?.(index, false);
    } else if (touch && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > MAX_DRIFT) forget();
  });
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release, { signal });
  signal.addEventListener("abort", release);

  grid.addEventListener("mousedown", (event) => {
    if (kind !== "mouse") return;
    const index = at(event);
    const button = event.button === LEFT && event.ctrlKey ? RIGHT : event.button;
    if (button === MIDDLE && board.on.middle) event.preventDefault(); // no scrolling with the wheel held down
    if ((event.buttons & BOTH) === BOTH && board.on.both) {
      [both, done, down] = [true, false, null];
      sink("both", index);
      return;
    }
    down = button;
    sinkDown(index);
    // What opens cells waits until the button is let go.
    if (button === RIGHT && board.on.atOnce) run("right", index);
  });
  grid.addEventListener("mouseover", (event) => {
    if (both && !done) sink("both", at(event));
    else if (event.buttons) sinkDown(at(event));
  });
  grid.addEventListener("mouseleave", () => board.sink([]));
  const onUp = (/** @type {MouseEvent} */ event) => {
    board.sink([]);
    if (kind !== "mouse") return;
    const index = at(event);
    if (event.button === MIDDLE && index !== null && board.on.middle) event.preventDefault(); // no pasting
    if (both) {
      if (!done) run("both", index);
      done = true;
      if (!(event.buttons & BOTH)) both = false;
    } else if (down === LEFT && event.button === LEFT) run("left", index);
    else if (down === MIDDLE && event.button === MIDDLE) run("middle", index);
    else if (down === RIGHT && !board.on.atOnce) run("right", index);
    down = null;
  };
  window.addEventListener("mouseup", onUp, { signal });

  grid.addEventListener("click", (event) => {
    const index = at(event);
    // A mouse has been dealt with; fingers, pens and screen readers are left.
    if (index === null || (event.detail > 0 && (painted || kind === "mouse" || touch?.used || touch?.over))) return;
    if (board.painting) board.on.paint?.(index, true);
    else run("left", index);
  });
  grid.addEventListener("contextmenu", (event) => {
    const index = at(event);
    if (index === null || !(board.on.right || board.on.hold)) return;
    event.preventDefault();
    if (byKey) run("right", index); // pointers have been dealt with
  });
  grid.addEventListener(
    "wheel",
    (event) => {
      const index = at(event);
      if (index === null || !board.painting || !board.on.turn || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      board.on.turn(index, event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
}
