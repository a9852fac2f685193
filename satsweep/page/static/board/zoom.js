// @ts-check
// Zooming of a board with two fingers, or with Ctrl and the wheel. The picture is scaled while the gesture lasts; the cells
// are laid out once it ends.

import { debounce } from "../basics/dom.js";

const NOTCH = 25; // a wheel that clicks counts no more than this many pixels of a touchpad
const PIXELS = 100; // pixels of the wheel for a factor of e
const PAUSE = 150; // milliseconds after which turning the wheel has ended

/** Where it began, and what it has done so far. @typedef {{ x: number, y: number, factor: number, shift: number[] }} Gesture */

/** @param {TouchList} touches two of them */
const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
/**
 * @param {TouchList} touches two of them
 * @returns {[x: number, y: number]}
 */
const middle = ([one, other]) => [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];

/** What zooms: `zoomBy` lays its cells out. @typedef {{ frame: HTMLElement, grid: HTMLElement, zoomBy: (factor: number, x: number, y: number) => void }} Zoomed */

/** Let gestures zoom a board. @param {Zoomed} board */
export function letZoom(board) {
  const { frame, grid } = board;
  /** @type {Gesture | null} */
  let gesture = null;

  const begin = (/** @type {number} */ x, /** @type {number} */ y) => {
    const box = grid.getBoundingClientRect();
    gesture = { x, y, factor: 1, shift: [0, 0] };
    grid.style.transformOrigin = `${x - box.left}px ${y - box.top}px`;
    grid.classList.add("zooming");
    return gesture;
  };
  const show = (/** @type {Gesture} */ { factor, shift: [x, y] }) => {
    grid.style.transform = `translate(${x}px, ${y}px) scale(${factor})`;
  };
  const end = () => {
    if (!gesture) return;
    const { x, y, factor, shift } = gesture;
    gesture = null;
    grid.style.transform = "";
    grid.classList.remove("zooming");
    board.zoomBy(factor, x, y);
    frame.scrollBy(-shift[0], -shift[1]);
  };
  const endSoon = debounce(PAUSE, end);

  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const now = gesture ?? begin(event.clientX, event.clientY);
      const turned = Math.min(Math.max(event.deltaY, -NOTCH), NOTCH);
      now.factor *= Math.exp(-turned / PIXELS);
      show(now);
      endSoon();
    },
    { passive: false },
  );

  let apart = 0;
  frame.addEventListener(
    "touchstart",
    ({ touches }) => {
      if (touches.length !== 2) return;
      end();
      apart = distance(touches);
      begin(...middle(touches));
    },
    { passive: true },
  );
  frame.addEventListener(
    "touchmove",
    (event) => {
      if (!gesture || event.touches.length !== 2) return;
      event.preventDefault();
      const [x, y] = middle(event.touches);
      gesture.factor = distance(event.touches) / apart;
      gesture.shift = [x - gesture.x, y - gesture.y];
      show(gesture);
    },
    { passive: false },
  );
  for (const name of ["touchend", "touchcancel"]) frame.addEventListener(name, end);
}
