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
    const counts = h("p", { class: "note" });
    const facts = h("dl", { class: "facts" });
    const figures = h("details", { class: "figures", hidden: true }, h("summary", {}, "Figures"), facts);
    const notes = [deepNote, totalNote, typeNote, problem, counts];
    this.card = h("section", { class: "card" }, lead, notes, figures);
    this.listed = h("section", { class: "card why", "aria-label": "Advice", hidden: true });
    this.drawAnswer = ifNew((/** @type {SolveState} */ state) => {
      const { answer } = state.known;
      const totals = state.usualTotals(levels);
      const buttons = (totals ?? []).map((mines) => button(`${mines} mines`, () => how.total(mines)));
      totalNote.replaceChildren(totals ? "No mine total given: every solution counts alike. " : "", ...buttons);
      counts.replaceChildren(answer ? countsOf(answer) : "");
      facts.replaceChildren(...(answer ? described(factsOf(answer)) : []));
      figures.hidden = !answer;
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

/** What is certain, and what else is to be known of an analysis, in sentences. @param {Analysis} answer */
function countsOf({ safe, mines, unknown, remarks }) {
  const left = unknown ? [`Not counted, out of time: ${plural(unknown, "cell")}.`] : [];
  const said = remarks.map((remark) => `Note: ${remark}.`);
  return [`${plural(safe, "safe cell")}, ${plural(mines, "certain mine")}.`, ...left, ...said].join(" ");
}

/**
 * Figures for experts, as pairs of a name and a value.
 * @param {Analysis} answer
 * @returns {[name: any, value: string][]}
 */
function factsOf({ worlds, expected, covered, seconds }) {
  const digits = { maximumFractionDigits: seconds < 0.01 ? 1 : 0 };
  const mines = expected === null ? "not known" : `${expected} ${expected === "1" ? "mine" : "mines"}`;
  return [
    [term("solutions", "Solutions"), worlds],
    [term("expected mines", "Expected"), `${mines} in ${plural(covered, "covered cell")}`],
    ["Took", `${(1000 * seconds).toLocaleString("en", digits)} ms`],
  ];
}
