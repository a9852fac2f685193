// @ts-check
// The analysis of Solve's position: what is asked about it, how it stands in numbers, and what is best to do.

import { announce, button, described, h, plural } from "../basics/dom.js";
import { DEFAULTS, isCovered } from "../basics/position.js";
import { isCancelled, Latest, Refused } from "../engine/latest.js";
import { adviceList, advise, further, whyNoWins, winLooks } from "../shared/advice.js";
import { said, told } from "../words/places.js";
import { term } from "../words/term.js";

const SLOW = 250; // milliseconds after which counting is mentioned

export class AnalysisPanel {
  /**
   * @param {import("./state.js").Desk & {
   *   explain: (what: (panel: import("./explanation.js").ExplanationPanel) => unknown) => Promise<void>,
   * }} view
   */
  constructor(view) {
    this.view = view;
    this.asking = new Latest();
    this.status = h("p", { class: "lead" });
    this.deepNote = h("p", { class: "note" });
    this.totalNote = h("p", { class: "note" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.facts = h("dl", { class: "facts" });
    this.card = h("section", { class: "card" }, this.status, this.deepNote, this.totalNote, this.problem, this.facts);
    this.listed = h("section", { class: "card why", "aria-label": "Advice", hidden: true });
  }

  clear() {
    for (const part of [this.status, this.deepNote, this.totalNote, this.facts, this.listed]) part.replaceChildren();
    this.listed.hidden = true;
  }

  async solve() {
    const { view } = this;
    const signal = this.asking.next();
    const board = view.state.position.toString();
    this.problem.textContent = "";
    view.element.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => {
      this.status.textContent = "Counting…";
      view.board.drawAll();
    }, SLOW);
    try {
      const answer = await view.connection.ask("solve", { board }, { signal });
      clearTimeout(slow);
      if (signal.aborted) return;
      view.keepSoon();
      if (answer.impossible) await this.#contradicted(board, answer.impossible, signal);
      else await this.#solved(board, answer, signal);
    } catch (error) {
      clearTimeout(slow);
      if (isCancelled(error)) return;
      view.board.drawAll();
      this.status.textContent = "This position cannot be solved.";
      this.facts.replaceChildren();
      if (error instanceof Refused) this.#locate(error);
      else throw error;
    } finally {
      if (!signal.aborted) view.element.removeAttribute("aria-busy");
    }
  }

  /**
   * @param {string} board
   * @param {Analysis} answer
   * @param {AbortSignal} signal
   */
  async #solved(board, answer, signal) {
    const { view } = this;
    const { known } = view.state;
    known.answer = answer;
    view.shownAnswer();
    this.facts.replaceChildren(...described(factsOf(answer)));
    this.totalNote.replaceChildren(...this.#totalMissing());
    const counts = `${plural(answer.safe, "safe cell")}, ${plural(answer.mines, "mine")}.`;
    let isFirst = true;
    await advise(view.connection, board, answer, signal, (advice) => {
      this.deepNote.textContent = advice.note ? `Win chances are not known: ${advice.note}` : "";
      this.advise(advice);
      if (isFirst) announce(`${said(advice.sentence, view.board)} ${counts}`);
      const { chosen } = known;
      if (isFirst && chosen !== null) view.explain((panel) => panel.choose(chosen));
      isFirst = false;
    });
  }

  // What it means that no mine total is given, and a button for the usual one.
  #totalMissing() {
    const { view } = this;
    const { rows, cols, cells, mines, density, topology, part } = view.state.position;
    if ((mines ?? density) !== null || !cells.some(isCovered)) return [];
    /** @type {Level[]} */
    const levels = Object.values(view.page.about.levels);
    const isSize = (/** @type {number[]} */ ...size) => String(size.sort()) === String([rows, cols].sort());
    const isUsual = topology === DEFAULTS.topology && part === DEFAULTS.part;
    const usual = levels.filter((level) => isUsual && isSize(level.rows, level.cols));
    const total = (/** @type {Level} */ level) =>
      button(`${level.mines} mines`, () => view.set(view.state.position.copy({ mines: level.mines })));
    return ["No mine total given: every solution counts alike. ", ...usual.map(total)];
  }

  /**
   * Show what is best to do.
   * @param {Advice} advice
   */
  advise(advice) {
    const { view } = this;
    const { known, position } = view.state;
    known.advice = advice;
    known.wins = winLooks(view.board, advice);
    view.legend.offerWins(known.wins.size ? null : whyNoWins(advice, position.cells.length));
    this.status.replaceChildren(...told(advice.sentence, view.board));
    const shown = adviceList(view.board, advice, (cells) => view.explain((panel) => panel.point(cells)));
    const more = button("Look further", () => this.#lookFurther(advice), {
      id: "solve-further",
      title: "The easiest proofs, and guesses that cannot be avoided",
    });
    const walk = button(
      "Walk through best play",
      () => view.explain(({ walk }) => walk.begin(advice.candidates[0].cell)),
      {
        id: "solve-walk",
      },
    );
    const buttons = advice.kind === "exact" ? [walk] : advice.kind === "safe" && advice.wins ? [more] : [];
    this.listed.replaceChildren(...shown, ...(buttons.length ? [h("div", { class: "row" }, buttons)] : []));
    this.listed.hidden = !shown.length;
    view.shownAdvice();
  }

  /** Ask what takes longest about a position with safe cells. @param {Advice} advice */
  async #lookFurther(advice) {
    const board = this.view.state.position.toString();
    await further(this.view.connection, board, advice, this.asking.next(), (found) => this.advise(found)).catch(
      () => {},
    );
  }

  /**
   * @param {string} board
   * @param {Impossible} impossible
   * @param {AbortSignal} signal
   */
  async #contradicted(board, impossible, signal) {
    const { view } = this;
    view.state.known.impossible = impossible;
    view.board.drawAll();
    this.facts.replaceChildren();
    this.status.textContent = "This board has no solution";
    announce("This board has no solution");
    view.legend.offerWins("Win chances need a board that is possible.");
    await view.explain((panel) => panel.contradiction(board, impossible, signal));
  }

  // Show an error of the server at the field or cell that it is about.
  #locate(/** @type {Refused} */ { said: reason, message, line = 0, column = 0 }) {
    const { board, fields, state } = this.view;
    const lines = state.position.toString().split("\n");
    const name = lines[line - 1]?.split(" ")[0].replace("density", "mines");
    const headers = lines.length - state.position.rows;
    if (line && line <= headers && fields.mark(name, reason)) return;
    if (line > headers && column) {
      const index = board.index([line - headers - 1, column - 1]);
      board.mark({ bad: [index] });
      this.problem.replaceChildren(...told([board.place(index), `: ${reason}`], board));
    } else this.problem.textContent = message;
  }
}

/**
 * An analysis in numbers, as pairs of a name and a value.
 * @param {Analysis} answer
 * @returns {[name: any, value: string][]}
 */
function factsOf({ worlds, safe, mines, unknown, expected, covered, seconds, remarks }) {
  const digits = { maximumFractionDigits: seconds < 0.01 ? 1 : 0 };
  const cells = plural(covered, "covered cell");
  return [
    [term("solutions", "Solutions"), worlds],
    ["Safe", plural(safe, "cell")],
    ["Mines", plural(mines, "cell")],
    .../** @type {[string, string][]} */ (unknown ? [["Not counted", `${plural(unknown, "cell")}: out of time`]] : []),
    [
      term("expected mines", "Expected"),
      expected === null ? "not known" : `${expected} ${expected === "1" ? "mine" : "mines"} in ${cells}`,
    ],
    ["Took", `${(1000 * seconds).toLocaleString("en", digits)} ms`],
    ...remarks.map((remark) => /** @type {[string, string]} */ (["Note", remark])),
  ];
}
