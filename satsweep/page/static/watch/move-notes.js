// @ts-check
// What Watch says of the last move: what it did, why, what could be known before it, what is best now, and all moves.

import { isPressed, press, toggle } from "../basics/controls.js";
import { announce, debounce, h, plural } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { fraction } from "../basics/numbers.js";
import { inWords } from "../basics/position.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { adviceList, advise } from "../shared/advice.js";
import { plain, said, told } from "../words/places.js";
import { argument, inPlayersWords } from "../words/reasons.js";

const AROUND = 60; // moves that are listed before and after the last one shown
const FEW = 4; // cells that the advice lists
const AGAIN = 250; // milliseconds between two lists of moves while they run
const PATIENCE = 160; // milliseconds until a move is explained
/** @type {Record<WatchedMove["action"], string>} */
const DID = { open: "opens", flag: "flags", unflag: "unflags", note: "notes as safe", guess: "guesses" };

/** @typedef {import("./replay.js").Replay} Replay */

export class MoveNotes {
  explaining = new Latest();
  explainSoon = debounce(PATIENCE, (/** @type {Replay} */ replay) => this.#explain(replay));
  /** When moves were listed last. */
  listed = 0;

  /**
   * `jump` goes to a move, `onAdvice` is called when advice is switched on or off.
   * @param {import("../engine/connection.js").Connection} connection
   * @param {{ jump: (to: number) => void, onAdvice: (on: boolean) => void }} how
   */
  constructor(connection, { jump, onAdvice }) {
    this.connection = connection;
    this.jump = jump;
    this.now = h("div", { class: "why", id: "watch-now" });
    this.judged = h("div", { class: "why" });
    this.next = h("div", { class: "why next" });
    this.list = h("ol", { class: "moves" });
    this.advice = toggle(
      "Advice",
      () => {
        press(this.advice);
        const on = isPressed(this.advice);
        kept.set("watch-advice", on);
        onAdvice(on);
      },
      { id: "watch-advice", title: "While the game rests: risks and the best move on the board" },
    );
    press(this.advice, kept.get("watch-advice"));
  }

  clear() {
    for (const part of [this.now, this.judged, this.next, this.list]) part.replaceChildren();
  }

  /** @param {string} problem */
  complain(problem) {
    this.now.replaceChildren(h("p", { class: "problem", role: "alert" }, problem));
  }

  /**
   * Show the last move of a game; explain it if playback rests. `slowly`: the list keeps up with the moves.
   * @param {Replay | undefined} replay
   * @param {{ resting: boolean, slowly: boolean }} how
   */
  show(replay, { resting, slowly }) {
    this.explainSoon.cancel();
    this.explaining.cancel();
    this.next.replaceChildren();
    this.judged.replaceChildren();
    const move = replay?.game.last;
    if (!replay?.game.head || !move) {
      this.now.replaceChildren(h("p", { class: "note" }, "Every cell is covered; no move has been made yet."));
    } else {
      const headline = headlineOf(move);
      this.now.replaceChildren(
        h("h2", {}, told(headline, replay.board)),
        h("p", { class: "rule" }, told(reasonOf(move), replay.board)),
      );
      if (resting) {
        announce(`Move ${replay.game.at}: ${said([...headline, ". ", ...reasonOf(move)], replay.board)}`);
        this.explainSoon(replay);
      }
    }
    if (resting || slowly || performance.now() - this.listed >= AGAIN) this.#showList(replay);
  }

  /** Explain the last move by everything that could be known before it. @param {Replay} replay */
  async #explain(replay) {
    const move = replay.game.last;
    if (!move) return;
    const before = replay.game.before();
    const signal = this.explaining.next();
    const advice = this.#advise(replay, signal);
    if (replay.game.at === 1 && before.cells.every((symbol) => symbol === "#")) return;
    const board = before.toString();
    const guessed = move.action === "guess";
    try {
      const [found, solved] = await Promise.all([
        this.connection.ask("explain", { board, cell: move.cell }, { signal }),
        guessed ? this.connection.ask("solve", { board }, { signal }) : null,
      ]);
      if (signal.aborted) return;
      if (found.reason) this.#showReason(replay, move, found.reason);
      else
        this.judged.append(
          h("p", { class: "said" }, `Nothing forces this cell: its risk was ${riskOf(found.undecided)}.`),
        );
      if (!solved || solved.impossible) return;
      if (solved.safe || !found.reason)
        this.judged.append(
          h("p", { class: solved.safe ? "missed" : "note" }, told(besideGuess(replay, move, solved), replay.board)),
        );
      await advice;
    } catch (error) {
      if (isCancelled(error)) return;
      // If the agent took unreliable numbers at face value, or flags for mines, there may be nothing to explain.
      this.judged.append(h("p", { class: "note" }, /** @type {Error} */ (error).message));
    }
  }

  /**
   * Show the risks, and the best move, of the position after the last move.
   * @param {Replay} replay
   * @param {AbortSignal} signal
   */
  async #advise(replay, signal) {
    if (!isPressed(this.advice) || replay.game.over) return;
    const board = replay.game.position().toString();
    try {
      let answer = await this.connection.ask("solve", { board }, { signal });
      if (answer.impossible) return;
      const mark = (/** @type {Cell[]} */ cells) => replay.mark({ target: replay.board.indices(cells) });
      const show = (/** @type {Advice} */ advice) => {
        answer = { ...answer, advice };
        replay.advise(answer);
        replay.mark();
        this.next.replaceChildren(
          h("h3", {}, "Now: ", told(advice.sentence, replay.board)),
          ...adviceList(replay.board, advice, mark, FEW),
        );
      };
      await advise(this.connection, board, answer, signal, show);
    } catch (error) {
      if (!isCancelled(error))
        this.next.replaceChildren(h("p", { class: "note" }, /** @type {Error} */ (error).message));
    }
  }

  /**
   * @param {Replay} replay
   * @param {WatchedMove} move
   * @param {Reason} reason
   */
  #showReason(replay, move, reason) {
    const { board } = replay;
    replay.game.reason = reason.clues;
    replay.mark();
    if (!move.clues) this.now.querySelector(".rule")?.replaceChildren(inPlayersWords(reason.rule));
    const wrong = reason.mine === ["open", "guess", "note"].includes(move.action);
    const survived = move.opened?.some(([, symbol]) => symbol !== "*");
    this.judged.append(
      h("h3", {}, wrong && !survived ? "Why that was wrong" : "Why it must be so"),
      argument(board, reason, (step) => replay.mark(step ? { clue: board.indices(step.clues) } : {})),
    );
  }

  /** @param {Replay | undefined} replay */
  #showList(replay) {
    this.listed = performance.now();
    const at = replay?.game.at ?? 0;
    const from = Math.max(0, at - AROUND);
    const items = (replay?.game.moves ?? []).slice(from, at + AROUND).map((move, offset) => {
      const number = from + offset + 1;
      return h(
        "li",
        { value: number },
        h(
          "button",
          {
            type: "button",
            class: `link move ${move.action}`,
            "aria-current": number === at ? "step" : undefined,
            onclick: () => this.jump(number),
          },
          h("span", { class: "number" }, String(number)),
          " ",
          replay && plain(headlineOf(move), replay.board),
          h("small", {}, replay && plain(reasonOf(move), replay.board)),
        ),
      );
    });
    this.list.replaceChildren(...items);
    const current = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"));
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }
}

/** What a move did, in a line. @param {WatchedMove} move @returns {Sentence} */
function headlineOf({ action, cell, opened }) {
  if (!opened) return [`${DID[action]} `, cell];
  const symbol = opened[0][1];
  const result = symbol === "*" ? "a mine" : symbol === "?" ? "it shows nothing" : inWords(symbol);
  const more = opened.length > 1 ? ` and ${plural(opened.length - 1, "more cell")}` : "";
  return [`${DID[action]} `, cell, `: ${result}${more}`];
}

/** Why a solver made a move: its rule in a player's words, and the numbers. @param {WatchedMove} move @returns {Sentence} */
const reasonOf = ({ rule, why }) =>
  rule === undefined ? why : [`${inPlayersWords(rule)}${why.length ? ": " : ""}`, ...why];

/**
 * What else could be opened where an agent guessed.
 * @param {Replay} replay
 * @param {WatchedMove} move
 * @param {Analysis} solved
 * @returns {Sentence}
 */
function besideGuess({ board }, move, solved) {
  const best = solved.best ?? move.cell;
  if (solved.safe === 1) return ["One safe cell was overlooked: ", best, "."];
  if (solved.safe) return [`${solved.safe} safe cells were overlooked, such as `, best, "."];
  if (solved.odds.length === 1) return ["Every covered cell had the same risk."];
  const level = (/** @type {Cell} */ cell) => solved.cells[board.index(cell)];
  if (level(move.cell) === level(best)) return ["No cell had a lower risk."];
  return ["The least risk was ", best, `: ${solved.odds[level(best)].percent}.`];
}

/** The risk of a cell that nothing forces, in words. @param {Undecided} undecided */
const riskOf = ({ risk_percent: percent, risk_exact: exact }) => (percent ? fraction(percent, exact) : "not known");
