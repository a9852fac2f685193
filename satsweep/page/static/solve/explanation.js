// @ts-check
// Why, in Solve: the reason of a cell, two solutions of one that is not decided, numbers that contradict each other,
// and a walk through best play.

import { choice, press } from "../basics/controls.js";
import { announce, button, h, ifNew, plural } from "../basics/dom.js";
import { Sheet } from "../shared/sheet.js";
import { placesOf, plain, said, told } from "../words/places.js";
import { argument, explained } from "../words/reasons.js";
import { term } from "../words/term.js";

/** @typedef {import("./state.js").SolveState} SolveState */
/**
 * What the user does with what is said: `point` gets the step of an argument under the pointer, or null; `solution` the
 * solution to show, or null; `correct` a change that mends the board, `cut` its sides that are cut; `forget` closes it.
 * @typedef {{
 *   point: (step: Step | null) => void, solution: (solution: string | null) => void, forget: () => void,
 *   correct: (correction: Correction) => unknown, cut: (part: string) => unknown,
 *   go: (path: import("./walk.js").Path, cell?: Cell) => void, leave: () => void,
 * }} Actions
 */

const EITHER = "It may be a mine or safe: each of these solutions agrees with the board.";
const FEW_CORRECTIONS = 5; // shown at once
const MAX_CORRECTIONS = 40; // shown on request
const LONG = 300; // characters of a fraction that is scrolled

export class Explanation {
  /** The buttons for the solutions of a cell that is not decided. @type {HTMLElement[]} */
  solutions = [];

  /**
   * @param {import("../board/board.js").Board} board
   * @param {Actions} actions
   */
  constructor(board, actions) {
    this.board = board;
    this.actions = actions;
    const why = h("div", { class: "why" });
    const walk = h("section", { class: "why", "aria-label": "Best play", hidden: true });
    const sheet = new Sheet({ label: "Reason", contents: [why, walk], onClose: actions.forget });
    this.sheet = sheet;
    this.element = sheet.element;
    this.drawWhy = ifNew((/** @type {SolveState} */ state) => {
      why.replaceChildren(...this.#why(state));
      if (!state.known.why?.note) this.#open(state);
    });
    this.drawWalk = ifNew((/** @type {SolveState} */ state) => {
      walk.hidden = !state.known.walk;
      walk.replaceChildren(...(state.known.walk ? walkOf(board, state.known.walk, actions) : []));
      if (!state.known.walk?.note) this.#open(state);
    });
  }

  /** @param {SolveState} state */
  draw(state) {
    const { solution, walk, why } = state.known;
    this.drawWhy([why], state);
    this.drawWalk([walk], state);
    for (const one of this.solutions) press(one, one.dataset.value === solution);
  }

  /** Open the sheet if something is said, so that the cells it speaks of are in sight. @param {SolveState} state */
  #open(state) {
    const { walk, why } = state.known;
    if (!why && !walk) {
      this.sheet.close();
      return;
    }
    const { bad = [], best = [], clue = [], target = [] } = state.marks();
    this.sheet.open();
    this.sheet.reveal(this.board, walk ? best : why?.conflict ? bad : [...target, ...clue]);
  }

  /** @param {SolveState} state */
  #why(state) {
    const { board, actions } = this;
    const { known, position } = state;
    const { conflict, corrections = [], note, problem, reason, undecided } = known.why ?? {};
    this.solutions = [];
    if (note) return [h("p", { class: "note" }, note)];
    if (problem && known.impossible)
      // The numbers of the first answer contradict each other, too, but may be more than necessary.
      return [
        h("h2", {}, "Not every number can be true"),
        h("p", { class: "said" }, told(known.impossible.message, board)),
        h("p", { class: "note" }, problem),
      ];
    if (problem) return [h("p", { class: "problem" }, problem)];
    if (reason) {
      announce(said([reason.cell, ` is ${reason.mine ? "a mine" : "safe"}. `, ...reason.text], board));
      return explained(board, reason, position.mines, actions.point);
    }
    if (undecided) return this.#undecided(undecided, state);
    if (!conflict) return [];
    const isTotal = conflict.total && !conflict.clues.length;
    return [
      h("h2", { id: "conflict" }, isTotal ? "The mine total is impossible" : "These numbers cannot all be true"),
      argument(board, conflict, actions.point),
      ...this.#corrections(conflict, corrections),
    ];
  }
  /**
   * @param {Undecided} undecided
   * @param {SolveState} state
   */
  #undecided({ cell, mined, safe, risk_exact: exact }, state) {
    const { board, actions } = this;
    const index = state.position.index(cell);
    const percent = state.known.odds(index)?.percent ?? "not known";
    const because = state.candidate(index)?.why;
    const solutions = choice(
      "Solutions",
      [
        [mined.join(""), "A solution where it is a mine"],
        [safe.join(""), "A solution where it is safe"],
      ],
      actions.solution,
      { class: "row" },
    );
    this.solutions = solutions.buttons;
    announce(said([cell, `: ${percent}. ${EITHER}`], board));
    return [
      h("h2", {}, placesOf(board, [cell]), `: ${percent}`),
      because ? h("p", { class: "said" }, because) : "",
      exact ? h("p", { class: "exact", tabIndex: exact.length > LONG ? 0 : undefined }, exact) : "",
      h("p", { class: "said" }, EITHER),
      solutions.element,
    ];
  }

  /**
   * @param {Conflict} conflict
   * @param {Sentence[]} words
   */
  #corrections({ corrections, as_part: part }, words) {
    const { board, actions } = this;
    const items = corrections.map((correction, at) => {
      const cells = board.indices(correction.cell && [correction.cell]);
      const light = { onpointerenter: () => board.light(cells), onpointerleave: () => board.light([]) };
      const text = plain(words[at], board);
      const mend = button(text, () => actions.correct(correction), { onfocus: light.onpointerenter });
      return h("li", light, mend);
    });
    if (part)
      items.unshift(
        h(
          "li",
          {},
          button("A larger board around it", () => actions.cut(part)),
        ),
      );
    if (!items.length) return [h("p", {}, "No single change would make the board possible.")];
    const more = items.slice(FEW_CORRECTIONS, MAX_CORRECTIONS);
    const left = items.length - FEW_CORRECTIONS;
    return [
      h("h3", {}, "The board would be possible with"),
      h("ul", { class: "corrections" }, items.slice(0, FEW_CORRECTIONS)),
      left > 0 ? h("details", {}, h("summary", {}, `${left} more`), h("ul", { class: "corrections" }, more)) : "",
    ];
  }
}

/**
 * Where a walk has come to; `go` gets where it is to go from there, `leave` ends it.
 * @param {import("../board/board.js").Board} board
 * @param {import("./walk.js").Walk} walk
 * @param {Actions} actions
 */
function walkOf(board, { best: first, path, node, note, problem }, { go, leave }) {
  if (!node) return [h("p", { class: problem ? "problem" : "note" }, problem || note)];
  const { worlds, win_exact: exact, percent, cell, numbers } = node;
  const chance = exact === "0" || exact === "1" ? percent : `${percent} = ${exact}`;
  const steps = path.flatMap(([row, col, number], at) => [
    at ? "; " : "After ",
    /** @type {Cell} */ ([row, col]),
    ` shows ${number}`,
  ]);
  const item = (/** @type {Cell} */ [row, col], /** @type {EndgameNode["numbers"][0]} */ shown) => {
    const { number, worlds: left, percent: wins } = shown;
    const further = () => go([...path, [row, col, number]]);
    return h(
      "li",
      {},
      button(`It shows ${number}`, further, { "data-number": number }),
      ` ${plural(left, "solution")}, wins ${wins}`,
    );
  };
  announce(said([`Best play wins ${percent}. `, ...(first ? ["The best cell is ", first, "."] : [])], board));
  return [
    h("h2", {}, term("best play", "Best play"), ` wins ${chance}`),
    h("p", { class: "note" }, `${plural(worlds, "solution")}. `, steps.length ? told([...steps, "."], board) : ""),
    ...(cell
      ? [
          h(
            "p",
            {},
            first === cell ? "The best cell is " : "If ",
            placesOf(board, [cell]),
            first === cell ? "." : " is opened:",
          ),
          h(
            "ul",
            { class: "numbers" },
            numbers.map((one) => item(cell, one)),
          ),
        ]
      : [h("p", {}, "Nothing is left to decide.")]),
    h(
      "div",
      { class: "row" },
      button("Back", () => go(path.slice(0, -1)), { disabled: !path.length && first === cell }),
      button("Leave", leave),
    ),
  ];
}
