// @ts-check
// Playback, of games in Watch and of the fewest clicks: play and pause, steps, the slider, the speed.

import { button, h, icon, iconButton } from "../basics/dom.js";
import { KEPT, kept } from "../basics/kept.js";

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 250, 1000]; // moves a second
const USUAL = SPEEDS[KEPT.speed.usual]; // slow enough to read the reason of each move

/** True if the user wants nothing to move by itself. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Transport {
  /** True while moves follow by themselves. */
  playing = false;
  /** Moves a second. */
  rate = USUAL;
  /** Moves that are due, and the rest of one. */
  carry = 0;

  /**
   * `toggle` is play or pause, `jump` goes to a move; `name` is that of the view.
   * @param {{ name?: string, toggle: () => void, jump: (to: number) => void, at: () => number, more: HTMLElement }} how
   */
  constructor({ name = "watch", toggle, jump, at, more }) {
    this.playButton = button("", toggle, { class: "round main big", id: `${name}-play` });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      step: 1,
      "aria-label": "Move",
      class: "seek",
      oninput: () => jump(Number(this.slider.value)),
    });
    this.place = h("output", { class: "place" });
    this.speed = h("input", {
      type: "range",
      min: 0,
      max: SPEEDS.length - 1,
      step: 1,
      value: kept.get("speed"),
      "aria-label": "Speed",
      oninput: () => {
        kept.set("speed", Number(this.speed.value));
        this.#pace();
      },
    });
    this.pacing = h("output", {});
    const buttons = [
      iconButton("first", "To the start", () => jump(0)),
      iconButton("back", "Previous move", () => jump(at() - 1)),
      this.playButton,
      iconButton("next", "Next move", () => jump(at() + 1)),
      iconButton("last", "To the end", () => jump(Infinity)),
      more,
    ];
    this.element = h(
      "div",
      { class: "transport", role: "group", "aria-label": "Playback" },
      h("div", { class: "buttons" }, buttons),
      h("div", { class: "track" }, this.slider, this.place),
      h("div", { class: "pace" }, this.speed, this.pacing),
    );
    this.#pace();
    this.#showPlaying();
  }

  /**
   * Let moves follow by themselves. `step` gets how many are due; playback ends once it returns false.
   * @param {(steps: number) => boolean} step
   */
  play(step) {
    this.playing = true;
    this.#showPlaying();
    let last = performance.now();
    const frame = (/** @type {number} */ time) => {
      if (!this.playing) return;
      this.carry = Math.min(this.carry + ((time - last) / 1000) * this.rate, this.rate / 10 + 1);
      last = time;
      if (step(Math.floor(this.carry))) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    this.playing = false;
    this.#showPlaying();
  }

  #showPlaying() {
    const said = this.playing ? "Pause" : "Play";
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", said);
    this.playButton.title = said;
  }

  #pace() {
    this.rate = SPEEDS[Number(this.speed.value)] ?? USUAL;
    this.pacing.textContent = `${this.rate.toLocaleString("en")} ${this.rate === 1 ? "move" : "moves"} a second`;
    this.speed.setAttribute("aria-valuetext", this.pacing.textContent);
  }

  /**
   * @param {number} at
   * @param {number} length
   * @param {boolean} complete false while moves still come
   */
  show(at, length, complete) {
    this.slider.max = String(length);
    this.slider.value = String(at);
    this.place.textContent = `${at.toLocaleString("en")} / ${length.toLocaleString("en")}${complete ? "" : "+"}`;
    this.slider.setAttribute("aria-valuetext", `move ${at} of ${length}`);
  }
}
