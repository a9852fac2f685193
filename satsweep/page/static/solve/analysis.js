// @ts-check
// The analysis of Solve's position: what is best to do, what is wrong with it, and how it stands in numbers.

import { button, described, h, ifNew, plural } from "../basics/dom.js";
import { adviceList } from "../shared/advice.js";
import { told } from "../words/places.js";
import { term } from "../words/term.js";

/** @typedef {import("./state.js").SolveState} SolveState */

export class AnalysisCard {
  /**
   * `point` gets cells that the user chooses in the advice, `total` a mine total; `further` asks for what takes
   * longest, `walk` begins a walk through best play.
   * @param {import("../board/board.js").Board} board
   * @param {Level[]} levels
   * @param {{
   *   point: (cells: Cell[]) => unknown, total: (mines: number) => unknown,
   *   further: (advice: Advice) => unknown, walk: (advice: Advice) => unknown,
   * }} how
   */
  constructor(board, levels, how) {
    const lead = h("p", { class: "lead" });
    const deepNote = h("p", { class: "note" });
    const totalNote = h("p", { class: "note" });
    const typeNote = h("p", { class: "note" });
    const problem = h("p", { class: "problem", role: "alert" });
    const facts = h("dl", { class: "facts" });
    this.card = h("section", { class: "card" }, lead, deepNote, totalNote, typeNote, problem, facts);
    this.listed = h("section", { class: "card why", "aria-label": "Advice", hidden: true });
    this.drawAnswer = ifNew((/** @type {SolveState} */ state) => {
      const { answer } = state.known;
      const totals = state.usualTotals(levels);
      const buttons = (totals ?? []).map((mines) => button(`${mines} mines`, () => how.total(mines)));
      totalNote.replaceChildren(totals ? "No mine total given: every solution counts alike. " : "", ...buttons);
      facts.replaceChildren(...(answer ? described(factsOf(answer)) : []));
    });
    this.drawAdvice = ifNew((/** @type {SolveState} */ state) => {
      const { advice } = state.known;
      lead.replaceChildren(...told(state.lead, board));
      deepNote.textContent = advice?.note ? `Win chances are not known: ${advice.note}` : "";
      const shown = advice ? adviceList(board, advice, how.point) : [];
      this.listed.replaceChildren(...shown, ...(advice ? more(advice, how) : []));
      this.listed.hidden = !shown.length;
    });
    this.drawPosition = ifNew((/** @type {SolveState} */ { toType }) => {
      typeNote.textContent = toType ? `${plural(toType, "open cell")}: numbers not given yet.` : "";
    });
    this.drawProblem = ifNew((/** @type {SolveState} */ state) => {
      problem.replaceChildren(...told(state.problem, board));
    });
  }

  /** @param {SolveState} state */
  draw(state) {
    const { advice, answer, impossible, phase } = state.known;
    this.drawPosition([state.position], state);
    this.drawProblem([state.problem], state);
    if (phase === "asked") return; // the answer mostly comes before the next frame
    this.drawAnswer([answer], state);
    this.drawAdvice([advice, impossible, phase], state);
  }
}

/**
 * The button for what else can be found out about a position.
 * @param {Advice} advice
 * @param {{ further: (advice: Advice) => unknown, walk: (advice: Advice) => unknown }} how
 */
function more(advice, { further, walk }) {
  const title = "The easiest proofs, and guesses that cannot be avoided";
  const shown = [];
  if (advice.kind === "exact") shown.push(button("Walk through best play", () => walk(advice), { id: "solve-walk" }));
  if (advice.kind === "safe" && advice.wins)
    shown.push(button("Look further", () => further(advice), { id: "solve-further", title }));
  return shown.length ? [h("div", { class: "row" }, shown)] : [];
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
