// @ts-check
// The clock of a game on the screen, and times as players write them: to the hundredth of a second.

const TICK = 50; // milliseconds between two drawings of the clock

/** A function that lets `draw` run again and again while it is on. @param {() => void} draw */
export function ticking(draw) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  return (/** @type {boolean} */ on) => {
    clearInterval(timer);
    timer = on ? setInterval(draw, TICK) : undefined;
  };
}

/** A time in text: 7.25, 1:07.25 or 1:01:07.25. It is cut off, not rounded, as on a clock. @param {number} seconds */
export function timeText(seconds) {
  const hundredths = Math.floor(seconds * 100 + 1e-6);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [whole, part] = [Math.floor(hundredths / 100), two(hundredths % 100)];
  const [hours, minutes, left] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours) return `${hours}:${two(minutes)}:${two(left)}.${part}`;
  return minutes ? `${minutes}:${two(left)}.${part}` : `${left}.${part}`;
}
