// @ts-check
// The replay of one agent's game in Watch: the moves that have arrived, and the position after any of them.

import { button, h } from "../basics/dom.js";
import { isCovered, layoutText } from "../basics/position.js";
import { Board } from "../board/board.js";
import { isCancelled } from "../engine/latest.js";
import { marksOf } from "../shared/advice.js";
import { WatchedGame } from "./state.js";

const BELOW = 190; // pixels for the line on the agent and the transport below a board

export class Replay {
  game = new WatchedGame();
  /** The question about the game. @type {Record<string, unknown>} */
  asked = {};
  /** @type {AbortSignal | null} */
  asking = null;
  /** Ends when the board is there. @type {Promise<void>} */
  ready = Promise.resolve();
  /** True if the board is drawn with the mines, as at the end. */
  isDrawnOver = false;

  /**
   * `grown` is called when moves have come, `failed` when no more will.
   * @param {{
   *   page: import("../shared/view.js").Page, connection: import("../engine/connection.js").Connection,
   *   stop: () => void, grown: () => void, failed: (replay: Replay, error: Error) => void,
   * }} view
   */
  constructor(view) {
    this.view = view;
    this.board = new Board({
      label: "Game",
      least: 8,
      roomy: 11,
      below: BELOW,
      look: (index) => this.game.look(index),
    });
    this.name = h("h2", { class: "player" });
    this.summary = h("p", { class: "note" });
    this.mines = h("strong", {});
    this.opened = h("strong", {});
    this.guesses = h("strong", {});
    this.state = h("span", { class: "state" });
    this.note = h("p", { class: "note cold", role: "status" });
    this.stop = button("Stop", () => view.stop(), { class: "stop", hidden: true });
    this.filled = h("i", {});
    this.meter = h("div", { class: "meter", "aria-hidden": "true" }, this.filled);
    this.element = h(
      "article",
      { class: "replay" },
      h(
        "header",
        {},
        h(
          "div",
          { class: "heading" },
          this.name,
          this.state,
          this.stop,
          h(
            "p",
            { class: "counts" },
            h("span", {}, "Mines found ", this.mines),
            h("span", {}, "Open ", this.opened),
            h("span", {}, "Guesses ", this.guesses),
          ),
        ),
        this.note,
        this.meter,
      ),
      this.board.element,
      this.summary,
    );
  }

  /**
   * @param {string} agent
   * @param {Record<string, any>} asked
   * @param {AbortSignal} signal
   */
  async start(agent, asked, signal) {
    const { view } = this;
    const agents = view.page.about.agents;
    const entry = agents.find(({ name }) => name === agent.split(":")[0]);
    const game = new WatchedGame(agent, asked.clues);
    this.game = game;
    this.asked = { agent, ...asked };
    this.asking = signal;
    this.name.textContent = agent;
    this.summary.textContent = entry ? entry.summary : "";
    this.ready = Promise.resolve();
    this.note.textContent = "";
    this.stop.hidden = false;
    // No old game stands under a new heading.
    this.board.mark();
    this.board.drawAll();
    this.draw();
    const onPart = (/** @type {any} */ part) => {
      if (signal.aborted) return;
      if (part.layout) game.layout = part.layout;
      if (part.rules)
        this.ready = this.prepare(part, signal).catch((error) => {
          if (!isCancelled(error)) throw error;
        });
      if (part.moves) game.moves.push(...part.moves);
      view.grown();
    };
    try {
      const ended = await view.connection.ask("watch", this.asked, { onPart, signal });
      game.ended = ended;
      game.layout = ended.layout;
      await this.ready;
      if (this.asking !== signal) return;
      this.stop.hidden = true;
      view.grown();
    } catch (error) {
      if (signal.aborted && this.asking !== signal) return;
      this.stop.hidden = true;
      game.problem = isCancelled(error) ? "stopped" : /** @type {Error} */ (error).message;
      if (!isCancelled(error)) view.failed(this, /** @type {Error} */ (error));
      else view.grown();
    }
  }

  /** The question about the game as a moving picture: not every Python can play the games of the deep player again. */
  get pictured() {
    const { asked, game } = this;
    const { agent, head, layout } = game;
    if (!agent.startsWith("deep") || !head || !layout) return asked;
    const { mines, topology } = head;
    const moves = game.moves.map(({ action, cell }) => [action === "guess" ? "open" : action, cell]);
    return { layout: layoutText({ layout, topology, mines }), first: "any", player: agent, moves };
  }

  /**
   * Show the risks and the advice of an answer about the position that is shown; null for none.
   * @param {Analysis | null} answer
   */
  advise(answer) {
    const had = this.game.advised !== null;
    this.game.advised = answer;
    if (had || answer) this.board.drawAll();
  }

  /** Mark the last move, its numbers, what the advice says, and other cells. @param {Record<string, number[]>} [more] */
  mark(more = {}) {
    const { board, game } = this;
    const { advised, last, reason } = game;
    const advice = advised ? marksOf(board, advised.advice) : {};
    board.mark({ ...advice, last: [board.index(last.cell)], clue: board.indices(reason ?? last.clues), ...more });
  }

  /**
   * @param {WatchedHead} head
   * @param {AbortSignal} signal
   */
  async prepare(head, signal) {
    const { rows, cols, topology } = head;
    const geometry = await this.view.connection.ask("grid", { rows, cols, topology }, { signal });
    const { board, game } = this;
    board.shape(geometry, rows, cols);
    board.label = `Game of ${game.agent}, ${rows} rows of ${cols}`;
    game.prepare(head);
    board.drawAll();
    this.view.grown();
  }

  /** Show the position after a move. Cells that change on the way are drawn once. @param {number} to */
  go(to) {
    if (!this.game.head) return;
    const wasAdvised = this.game.advised !== null;
    const changed = this.game.go(to);
    if (wasAdvised && !this.game.advised) this.board.drawAll();
    for (const index of changed) this.board.draw(index);
  }

  /** Show how the game stands. */
  draw() {
    const { board, game } = this;
    const { ended, facts, over } = game;
    this.state.textContent = game.standing;
    this.state.className = `state${over && ended ? (ended.won ? " won" : " lost") : ""}`;
    if (!game.head) return;
    this.mines.textContent = facts.mines;
    this.opened.textContent = facts.opened;
    this.guesses.textContent = facts.guesses;
    this.filled.style.width = `${(100 * facts.share).toFixed(1)}%`;
    if (over !== this.isDrawnOver)
      for (const [at, symbol] of game.symbols.entries()) if (isCovered(symbol)) board.draw(at);
    this.isDrawnOver = over;
  }
}
