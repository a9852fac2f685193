// @ts-check
// Watch: one solver plays, or two on the same board; every move with its reason, forwards and backwards.

import { address } from "../basics/address.js";
import { field, press, select, toggle } from "../basics/controls.js";
import { announce, arrange, button, described, h } from "../basics/dom.js";
import { actOf } from "../basics/keys.js";
import { Latest } from "../engine/latest.js";
import { Settings } from "../shared/settings.js";
import { Sheet } from "../shared/sheet.js";
import { isStill, Transport } from "../shared/transport.js";
import { View } from "../shared/view.js";
import { named } from "../words/named.js";
import { MoveNotes } from "./move-notes.js";
import { Replay } from "./replay.js";
import { WatchState } from "./state.js";

const SLOW = 5; // up to this many moves a second, each is marked and scrolled into view
/** @type {[name: string, label: string][]} */
const FIRSTS = [
  ["zero", "middle, no mine around it"],
  ["safe", "middle, safe"],
  ["corner", "corner, safe"],
  ["own", "the solver's choice"],
];
/** @type {[name: string, label: string][]} */
const GOALS = [
  ["", "the solver's own"],
  ["clear", "clear the board"],
  ["find", "find the mines"],
];

export class WatchView extends View {
  state = new WatchState();
  /** The games on the screen, as those of the state. @type {Replay[]} */
  replays = [];
  games = new Latest();

  /**
   * @param {HTMLElement} element
   * @param {import("../shared/view.js").Page} page
   */
  constructor(element, page) {
    super("watch", element, page);
    const agents = page.about.agents;
    /** @type {[name: string, label: string][]} */
    const options = agents.map(({ name, finds }) => [name, finds ? `${name} (finds mines)` : name]);
    const onchange = () => this.start();
    this.agent = select(options, "sat", { onchange });
    this.versus = select([["", "none"], ...options], "", { onchange });
    this.goal = select(GOALS, "");
    this.settings = new Settings(page.about, { firsts: FIRSTS });
    const jump = (/** @type {number} */ to) => this.jump(to);
    this.notes = new MoveNotes(this.connection, { jump, onAdvice: (on) => this.#switchAdvice(on) });
    this.transport = new Transport({
      toggle: () => this.toggle(),
      jump,
      at: () => this.state.at,
      more: this.notes.advice,
    });
    this.stage = h("div", { class: "replays" });
    this.which = h("div", { class: "row", role: "group", "aria-label": "Solver whose moves are listed", hidden: true });
    this.facts = h("dl", { class: "facts" });
    this.ending = h("section", { class: "card ending", hidden: true }, h("h2", {}, "The game in numbers"), this.facts);
    const solve = button("Open in Solve", () => this.solve(), { id: "watch-solve" });
    this.sheet = new Sheet({
      label: "The move and its reason",
      contents: [
        this.which,
        this.notes.now,
        this.notes.judged,
        this.notes.next,
        h("div", { class: "row" }, solve, this.pictureButton()),
      ],
      onClose: () => {
        this.state.closed = true;
      },
    });
    this.sheet.element.classList.add("now");
    const controls = {
      before: [field("Solver", this.agent), field("Against", this.versus)],
      after: [this.shareButton],
      more: [field("Rules", this.goal)],
    };
    this.form = this.settings.form("watch", () => this.start(), controls);
    element.append(
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "watch-title", class: "unseen" }, "Watch a solver play"),
        this.form,
        this.stage,
        this.transport.element,
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Moves and reasons" },
        this.sheet.element,
        h("section", { class: "card" }, h("h2", {}, "Moves"), this.notes.list),
        this.ending,
      ),
    );
  }

  /** @param {boolean} boardFirst */
  arrange(boardFirst) {
    const { form, stage, transport } = this;
    arrange(stage, boardFirst ? [stage, transport.element, form] : [form, stage, transport.element]);
  }

  // The replay whose moves are listed.
  get replay() {
    return this.replays[this.state.chosen];
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    if ([...query.keys()].length) {
      const signal = this.wanted.next();
      await this.settings.take(query);
      if (signal.aborted) return;
      const goal = query.get("goal") ?? "";
      if (GOALS.some(([name]) => name === goal)) this.goal.value = goal;
      this.#chooseAgent(this.agent, query.get("agent") ?? "sat");
      this.#chooseAgent(this.versus, query.get("against") ?? "");
      const move = query.get("move") ?? "";
      this.state.wanted = /^\d{1,6}$/.test(move) ? Number(move) : null;
      await this.start({ play: this.state.wanted === null && !isStill() });
    } else if (!this.replays.length) {
      await this.start();
    }
    for (const { board } of this.replays) board.fit();
  }

  /**
   * A link may give an agent a parameter; the server says so if there is no such agent.
   * @param {HTMLSelectElement} control
   * @param {string} name
   */
  #chooseAgent(control, name) {
    if (![...control.options].some(({ value }) => value === name)) control.append(h("option", { value: name }, name));
    control.value = name;
  }

  leave() {
    this.pause();
  }

  get shownBoard() {
    return this.replay?.board ?? null;
  }

  get over() {
    return Boolean(this.state.game?.ended);
  }

  picture() {
    return this.replay.pictured;
  }

  // Open the position that is shown in Solve.
  solve() {
    this.pause();
    if (this.state.game?.head) this.page.solve(this.state.game.position().toString());
  }

  /** @param {string} layout */
  bring(layout) {
    this.settings.bring(layout);
    return this.start();
  }

  asked() {
    /** @type {Record<string, unknown>} */
    const asked = { ...this.settings.asked };
    const first = this.settings.first.value;
    const { rows, cols } = this.settings.board;
    if (first !== "own") asked.start = first === "corner" ? [0, 0] : [Math.floor(rows / 2), Math.floor(cols / 2)];
    if (this.settings.layout !== null) asked.first = "any";
    else asked.first = first === "zero" ? "zero" : "safe";
    const agents = this.page.about.agents;
    // Two agents play by the rules of the first.
    const finds = agents.find(({ name }) => name === this.agent.value)?.finds;
    asked.goal = this.goal.value || (finds ? "find" : "clear");
    return asked;
  }

  async start({ play = !isStill() } = {}) {
    this.wanted.cancel();
    const signal = this.games.next();
    const names = [this.agent.value, this.versus.value].filter(Boolean);
    this.rest(names);
    this.keepSoon();
    const asked = this.asked();
    const games = this.replays.map((replay, at) => replay.start(names[at], asked, signal));
    this.state.games = this.replays.map(({ game }) => game);
    this.draw();
    if (play) this.play();
    await Promise.all(games);
  }

  /** Make place for the games of these players. @param {string[]} names */
  rest(names) {
    const { replays } = this;
    this.pause();
    this.state = new WatchState({ wanted: this.state.wanted, closed: this.state.closed });
    this.transport.carry = 0;
    this.notes.clear();
    const two = names.length > 1;
    while (replays.length > names.length) replays.pop()?.board.destroy();
    while (replays.length < names.length) replays.push(new Replay(this));
    this.stage.replaceChildren(...replays.map(({ element }) => element));
    this.stage.classList.toggle("two", two);
    this.element.classList.toggle("pair", two);
    for (const { board } of replays) board.share = two ? 0.3 : 0.42;
    this.which.hidden = !two;
    this.which.replaceChildren(...names.map((name, at) => toggle(name, () => this.choose(at))));
  }

  // Stop a game that is still being played; what has arrived can be watched.
  stop() {
    this.games.cancel();
  }

  /**
   * @param {Replay} replay
   * @param {Error} error
   */
  failed(replay, error) {
    this.pause();
    this.notes.complain(`${replay.game.agent}: ${error.message}`);
  }

  // Show what has arrived of a game.
  grown() {
    const { state } = this;
    const { due } = state;
    if (due !== null) {
      state.wanted = null;
      this.seek(due);
    }
    const { late } = state;
    for (const replay of this.replays) if (late.includes(replay.game)) replay.go(state.at);
    this.draw({ move: late.length > 0 || !this.notes.now.childElementCount });
  }

  toggle() {
    if (this.transport.playing) this.pause();
    else {
      if (this.state.at >= this.state.length && this.state.complete) this.seek(0);
      this.play();
    }
  }

  play() {
    this.transport.play((steps) => {
      const { state } = this;
      if (steps && state.at < state.length) {
        this.transport.carry -= steps;
        this.seek(state.at + steps);
      }
      if (state.at < state.length || !state.complete) return true;
      this.pause();
      return false;
    });
  }

  pause() {
    if (!this.transport.playing) return;
    this.transport.pause();
    this.draw({ move: true });
    this.keepSoon();
  }

  // Go to a move; to the end once the game has come to it.
  jump(/** @type {number} */ to) {
    this.pause();
    this.state.wanted = to === Infinity && !this.state.complete ? to : null;
    this.seek(to);
  }

  /** @param {number} to */
  seek(to) {
    const { state } = this;
    state.at = Math.min(Math.max(to, 0), state.length);
    for (const replay of this.replays) replay.go(state.at);
    this.draw({ move: true });
    if (!this.transport.playing) this.keepSoon();
  }

  /** @param {number} at */
  choose(at) {
    this.state.chosen = at;
    this.draw({ move: true });
  }

  /** Show the state; `move`: another one is shown, so what is said of it is written again. */
  draw({ move = false } = {}) {
    const { replays, state } = this;
    for (const replay of replays) replay.draw();
    this.transport.show(state.at, state.length, state.complete);
    for (const [at, which] of [...this.which.children].entries()) press(which, at === state.chosen);
    if (move) this.#showMove();
    this.#showEnd();
    this.showPicture();
  }

  // Mark the last move on the board and show it beside the board; explain it if playback rests.
  #showMove() {
    const resting = !this.transport.playing;
    const slowly = this.transport.rate <= SLOW;
    for (const { board, game } of this.replays) {
      const { head, last } = game;
      if (!head) continue;
      const shown = last && (resting || slowly);
      board.mark(last && { last: [board.index(last.cell)], clue: shown ? board.indices(last.clues) : [] });
      if (shown) this.sheet.reveal(board, [board.index(last.cell)]);
    }
    if (resting && !this.state.closed && this.state.game?.last) this.sheet.open();
    else if (!resting) this.sheet.close();
    this.notes.show(this.replay, { resting, slowly });
  }

  /** @param {boolean} on */
  #switchAdvice(on) {
    if (!on) for (const replay of this.replays) replay.advise(null);
    this.draw({ move: true });
  }

  #showEnd() {
    const { state } = this;
    const { ending: ended } = state;
    this.ending.hidden = !ended;
    if (state.told === ended) return;
    state.told = ended;
    if (!ended) return;
    const { outcome, why, seconds, facts } = ended;
    /** @type {[name: string, value: string][]} */
    const rows = [["outcome", `${outcome}: ${why}`], ...facts, ["thinking", `${seconds.toLocaleString("en")} s`]];
    this.facts.replaceChildren(...described(rows.map(([name, value]) => [named(name), value])));
    announce(`${state.game.agent}: ${outcome}, ${why}`);
  }

  async link() {
    return address("watch", {
      agent: this.agent.value,
      against: this.versus.value,
      ...(await this.settings.query()),
      goal: this.goal.value,
      move: this.transport.playing ? null : this.state.at,
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { at } = this.state;
    const act = actOf("watch", event);
    if (!act) return false;
    if (act === "toggle") this.toggle();
    else this.jump({ back: at - 1, next: at + 1, first: 0 }[act] ?? Infinity);
    return true;
  }
}
