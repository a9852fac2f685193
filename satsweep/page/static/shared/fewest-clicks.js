// @ts-check
// The fewest clicks that clear a board: asked for when the user wants it, and shown on the board click by click.

import { button, described, h, iconButton, isNarrow } from "../basics/dom.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { cascade } from "../engine/layouts.js";
import { term } from "../words/term.js";
import { isStill, Transport } from "./transport.js";

const SECONDS = 20; // that a search takes at most

/**
 * `clicks` are those of the player; `asked.start` is the first of them, where the rules chose it.
 * @typedef {{
 *   asked: { layout: string, start?: Cell }, shown: string, neighbours: number[][], clicks: number | null,
 * }} Played
 */

class State {
  /** @type {Played | null} */
  played = null;
  /** The best clicks so far. @type {FewestClicks | null} */
  found = null;
  /** Clicks that are shown, null while the board shows the game. @type {number | null} */
  at = null;
  /** What the board shows after them. @type {string[] | null} */
  symbols = null;
}

export class BestClicks {
  state = new State();
  asking = new Latest();

  /**
   * The element goes into the `sheet`, that of the `transport` below the board. `onShow` is called when another click is shown, or the game again; the board then has to be drawn by `symbols`.
   * @param {{
   *   name: string, connection: import("../engine/connection.js").Connection, board: import("../board/board.js").Board,
   *   sheet: import("./sheet.js").Sheet, onShow: () => void,
   * }} how
   */
  constructor({ name, connection, board, sheet, onShow }) {
    this.connection = connection;
    this.board = board;
    this.sheet = sheet;
    this.onShow = onShow;
    this.askButton = button("Fewest clicks", () => this.ask(), {
      id: `${name}-fewest`,
      title: `The fewest clicks that clear this board, in at most ${SECONDS} seconds`,
    });
    this.progress = h("span", { role: "status" });
    this.stopButton = button("Stop", () => this.asking.cancel(), { class: "link", hidden: true });
    this.facts = h("dl", { class: "facts" });
    const jump = (/** @type {number} */ to) => this.jump(to);
    this.transport = new Transport({
      name,
      toggle: () => this.toggle(),
      jump,
      at: () => this.state.at ?? this.length,
      more: iconButton("close", "My game", () => this.rest(), { class: "round quiet" }),
    });
    this.element = h(
      "div",
      { class: "fewest" },
      h("p", { class: "row" }, this.askButton, this.progress, this.stopButton),
      this.facts,
    );
    this.forget();
  }

  get length() {
    return this.state.found?.path.length ?? 0;
  }

  /** What the board shows after some clicks; null while it shows the game. @returns {string[] | null} */
  get symbols() {
    return this.state.symbols;
  }

  /** A game is over. @param {Played} played */
  begin(played) {
    this.forget();
    this.state.played = played;
    this.askButton.hidden = false;
  }

  // Another game begins.
  forget() {
    this.asking.cancel();
    this.transport.pause();
    this.state = new State();
    this.progress.textContent = "";
    this.facts.replaceChildren();
    for (const part of [this.askButton, this.stopButton, this.transport.element]) part.hidden = true;
  }

  async ask() {
    const { state } = this;
    if (!state.played) return;
    const signal = this.asking.next();
    const began = performance.now();
    this.askButton.hidden = true;
    this.stopButton.hidden = false;
    this.progress.textContent = "Looking for them…";
    const onPart = (/** @type {FewestClicks} */ part) => {
      if (state !== this.state) return;
      if (part.path) state.found = part;
      else if (state.found) state.found.lower = part.lower;
      const known = state.found ? `${bounds(state.found.upper, part.lower)}, ` : "";
      this.progress.textContent = `${known}${Math.round((performance.now() - began) / 1000)} s…`;
    };
    let problem = "";
    try {
      const asked = { ...state.played.asked, seconds: SECONDS };
      const found = await this.connection.ask("fewest_clicks", asked, { onPart, signal });
      if (state === this.state) state.found = found;
    } catch (error) {
      if (!isCancelled(error)) problem = /** @type {Error} */ (error).message;
    }
    if (state !== this.state) return;
    this.progress.textContent = problem;
    this.stopButton.hidden = true;
    this.askButton.hidden = Boolean(state.found?.proved);
    if (state.found) this.#show(state.found);
  }

  /** @param {FewestClicks} found */
  #show({ upper, lower, proved, bv, made }) {
    const clicks = this.state.played?.clicks;
    const best = (/** @type {number} */ count) => `${Math.round((100 * bv) / count)} %`;
    const needed = proved ? `${upper}, and no fewer are enough` : bounds(upper, lower);
    const most = proved || !lower ? "" : ` found, at most ${best(lower)}`;
    /** @type {[name: HTMLElement, text: string][]} */
    const facts = [
      [term("fewest clicks", "Fewest clicks"), `${needed} (${made})`],
      [term("efficiency", "Best efficiency"), `${best(upper)}${most}`],
    ];
    const more = clicks === upper ? "as few" : `${Number(clicks) - upper} more`;
    if (clicks) facts.push([h("span", {}, "This game"), `${clicks}, ${more}`]);
    this.facts.replaceChildren(...described(facts));
    this.transport.element.hidden = upper === 0;
    (isNarrow() ? this.transport : this.board).element.scrollIntoView({ block: "nearest" });
    this.jump(isStill() ? upper : 0);
    if (!isStill()) this.play();
  }

  toggle() {
    if (this.transport.playing) this.transport.pause();
    else {
      if ((this.state.at ?? this.length) >= this.length) this.jump(0);
      this.play();
    }
  }

  play() {
    this.transport.play((steps) => {
      const at = this.state.at ?? this.length;
      if (steps) {
        this.transport.carry -= steps;
        this.#go(at + steps);
      }
      if ((this.state.at ?? this.length) < this.length) return true;
      this.transport.pause();
      return false;
    });
  }

  /** @param {number} to */
  jump(to) {
    this.transport.pause();
    this.#go(to);
  }

  /** @param {number} to */
  #go(to) {
    const { found, played } = this.state;
    if (!found || !played) return;
    const at = Math.min(Math.max(to, 0), this.length);
    this.state.at = at;
    this.state.symbols = after(found.path.slice(0, at), played);
    this.transport.show(at, this.length, true);
    this.onShow();
    const [last] = found.path.slice(0, at).slice(-1);
    this.board.mark(last ? { last: [last[1]] } : {});
    if (last) this.sheet.reveal(this.board, [last[1]]);
  }

  /** Show the game again. */
  rest() {
    this.transport.pause();
    if (this.state.at === null) return;
    this.state.at = this.state.symbols = null;
    this.board.mark();
    this.onShow();
  }
}

/** @param {number} upper @param {number} lower */
const bounds = (upper, lower) => `${upper} found${lower ? `, at least ${lower} needed` : ""}`;

/**
 * What a board shows after clicks.
 * @param {FewestClicks["path"]} path
 * @param {Played} played
 */
function after(path, { shown, neighbours }) {
  const symbols = Array(shown.length).fill("#");
  const open = (/** @type {number} */ index) => {
    if (symbols[index] !== "#") return;
    for (const cell of cascade(index, shown, neighbours, (other) => symbols[other] === "#"))
      symbols[cell] = shown[cell];
  };
  for (const [click, index] of path) {
    if (click === "flag") symbols[index] = "F";
    else if (click === "dig") open(index);
    else for (const cell of neighbours[index]) open(cell);
  }
  return symbols;
}
