// @ts-check
// Stopwatch of a game, and times as players write them: to the hundredth of a second.

const TICK = 50; // milliseconds between two drawings of the clock

export class Stopwatch {
  /** The seconds before it was started last. */
  spent = 0;
  /** When it was started; null while it stands. @type {number | null} */
  began = null;
  /** True while it can be seen. */
  #isShown = false;
  /** Draws it while it runs and is looked at. @type {ReturnType<typeof setInterval> | undefined} */
  #timer = undefined;

  /** @param {() => void} onTick draws the clock */
  constructor(onTick) {
    this.onTick = onTick;
  }

  // Stop, at 0 or after some seconds.
  reset(spent = 0) {
    this.spent = spent;
    this.began = null;
    this.#tick();
  }

  start() {
    this.began ??= performance.now();
    this.#tick();
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.#isShown = isShown;
    this.#tick();
  }

  #tick() {
    clearInterval(this.#timer);
    if (this.began !== null && this.#isShown) this.#timer = setInterval(this.onTick, TICK);
  }

  get seconds() {
    const running = this.began === null ? 0 : performance.now() - this.began;
    return this.spent + running / 1000;
  }
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
