// @ts-check
// Why, in Solve: the reason of a cell, two solutions of one that is not decided, numbers that contradict each other.

import { choice, press } from "../basics/controls.js";
import { announce, button, capitalized, h } from "../basics/dom.js";
import { DEFAULTS, isCovered, symbolOf } from "../basics/position.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { Sheet } from "../shared/sheet.js";
import { placesOf, plain, said, told } from "../words/places.js";
import { argument, explained } from "../words/reasons.js";
import { Walk } from "./walk.js";

const EITHER = "It may be a mine or safe: each of these solutions agrees with the board.";
const FEW_CORRECTIONS = 5; // shown at once
const MAX_CORRECTIONS = 40; // shown on request
const SLOW = 200; // milliseconds after which a search is mentioned
const LONG = 300; // characters of a fraction that is scrolled

export class ExplanationPanel {
  /** @param {import("./state.js").Desk} view */
  constructor(view) {
    this.view = view;
    this.asking = new Latest();
    this.why = h("div", { class: "why" });
    this.walk = new Walk(
      {
        connection: view.connection,
        board: view.board,
        get position() {
          return view.state.position;
        },
      },
      () => this.#walked(),
    );
    this.sheet = new Sheet({ label: "Reason", contents: [this.why, this.walk.element] });
  }

  clear() {
    this.why.replaceChildren();
    this.sheet.close();
    this.walk.end();
  }

  // Show where a walk through best play has come to.
  #walked() {
    const { view } = this;
    view.board.drawAll();
    view.remark();
    if (!this.walk.node) return;
    this.why.replaceChildren();
    this.sheet.open();
    this.sheet.reveal(view.board, this.walk.marks.best ?? []);
  }

  /**
   * Point out cells that the advice names; the reason of a single one.
   * @param {Cell[]} cells
   */
  point(cells) {
    const { view } = this;
    const indices = view.board.indices(cells);
    if (indices.length === 1) {
      this.choose(indices[0]);
      return;
    }
    view.remark({ target: indices });
    this.sheet.reveal(view.board, indices);
  }

  /**
   * Explain a covered cell, at once or when the position is solved; any other clears the explanation.
   * @param {number} index
   */
  async choose(index) {
    const { view } = this;
    const { board, state } = view;
    const { known, position } = state;
    if (known.impossible || this.walk.click(board.place(index))) return;
    const covered = isCovered(position.cells[index]);
    known.chosen = covered ? index : null;
    view.element.classList.remove("inviting");
    if (known.solution) {
      known.solution = null;
      board.drawAll();
    }
    view.remark(covered ? { target: [index] } : {});
    if (!covered || !known.answer) {
      this.why.replaceChildren();
      this.sheet.close();
      return;
    }
    if (this.sheet.covers) this.sheet.reveal(board, [index]);
    const asked = { board: position.toString(), cell: board.place(index) };
    const signal = this.asking.next();
    const waiting = setTimeout(() => this.#note("Looking for the reason…"), SLOW);
    try {
      /** @type {{ reason?: Reason, undecided: Undecided }} */
      const found = await view.connection.ask("explain", asked, { signal });
      if (signal.aborted || state.known.chosen !== index) return;
      if (found.reason) this.#reason(found.reason);
      else this.#undecided(index, found.undecided);
      this.sheet.open();
      this.sheet.reveal(board, [index, ...board.indices(found.reason?.clues)]);
    } catch (error) {
      if (!isCancelled(error)) this.#note(/** @type {Error} */ (error).message, "problem");
    } finally {
      clearTimeout(waiting);
    }
  }

  /**
   * @param {string} text
   * @param {string} [kind]
   */
  #note(text, kind = "note") {
    this.why.replaceChildren(h("p", { class: kind }, text));
  }

  #reason(/** @type {Reason} */ reason) {
    const { view } = this;
    const { board } = view;
    const target = board.indices([reason.cell]);
    const clue = board.indices(reason.clues);
    view.remark({ target, clue });
    const onStep = (/** @type {Step | null} */ step) =>
      view.remark({ target, clue: step ? board.indices(step.clues) : clue });
    this.why.replaceChildren(...explained(board, reason, view.state.position.mines, onStep));
    announce(`${board.name(target[0])} is ${reason.mine ? "a mine" : "safe"}. ${said(reason.text, board)}`);
  }

  /**
   * @param {number} index
   * @param {Undecided} undecided
   */
  #undecided(index, undecided) {
    const { view } = this;
    const { board, state } = view;
    const { known } = state;
    const solutions = choice(
      "Solutions",
      [
        [undecided.mined.join(""), "A solution where it is a mine"],
        [undecided.safe.join(""), "A solution where it is safe"],
      ],
      (/** @type {string} */ solution) => {
        known.solution = known.solution === solution ? null : solution;
        if (!known.solution) for (const one of solutions.buttons) press(one, false);
        board.drawAll();
        view.remark({ target: [index] });
      },
      { class: "row" },
    );
    for (const one of solutions.buttons) press(one, false);
    const exact = undecided.risk_exact;
    const candidate = view.candidate(index);
    this.why.replaceChildren(
      h("h2", {}, placesOf(board, [undecided.cell]), `: ${known.odds(index)?.percent ?? "not known"}`),
      candidate?.why ? h("p", { class: "said" }, candidate.why) : "",
      exact ? h("p", { class: "exact", tabIndex: exact.length > LONG ? 0 : undefined }, exact) : "",
      h("p", { class: "said" }, EITHER),
      solutions.element,
    );
    announce(`${board.name(index)}: ${known.odds(index)?.percent ?? ""}. ${EITHER}`);
  }

  /**
   * Show which numbers cannot all be true, and what would mend the board.
   * @param {string} text
   * @param {Impossible} impossible
   * @param {AbortSignal} signal
   */
  async contradiction(text, impossible, signal) {
    const { view } = this;
    const { board } = view;
    signal.throwIfAborted();
    board.mark({ bad: board.indices(impossible.clues) });
    this.#note("Looking for the numbers that cannot all be true…");
    let answer;
    try {
      answer = await view.connection.ask("conflict", { board: text }, { signal });
    } catch (error) {
      if (isCancelled(error)) throw error;
      // The numbers of the first answer contradict each other, too, but may be more than necessary.
      this.why.replaceChildren(
        h("h2", {}, "Not every number can be true"),
        h("p", { class: "said" }, told(impossible.message, board)),
        h("p", { class: "note" }, /** @type {Error} */ (error).message),
      );
      return;
    }
    /** @type {Conflict | null} */
    const conflict = answer.conflict;
    if (!conflict) return;
    const bad = board.indices(conflict.clues);
    board.mark({ bad });
    if (conflict.total) view.fields.mark("mines", "This total does not fit the numbers.");
    this.sheet.open();
    this.sheet.reveal(board, bad);
    const isTotal = conflict.total && !bad.length;
    this.why.replaceChildren(
      h("h2", { id: "conflict" }, isTotal ? "The mine total is impossible" : "These numbers cannot all be true"),
      argument(board, conflict, (step) => board.mark({ bad, target: board.indices(step?.cells) })),
      ...this.#corrections(conflict, answer.corrections_said),
    );
  }

  /**
   * @param {Conflict} conflict
   * @param {string[]} words
   */
  #corrections({ corrections, as_part: part }, words) {
    const { board, state } = this.view;
    const items = corrections.map((correction, at) => {
      const cells = board.indices(correction.cell && [correction.cell]);
      const light = { onpointerenter: () => board.light(cells), onpointerleave: () => board.light([]) };
      const text = plain(capitalized(words[at]), board);
      return h(
        "li",
        light,
        button(text, () => this.#correct(correction), { onfocus: light.onpointerenter }),
      );
    });
    const cut = () => this.view.set(state.position.copy({ part: part ?? DEFAULTS.part }));
    if (part) items.unshift(h("li", {}, button("A larger board around it", cut)));
    if (!items.length) return [h("p", {}, "No single change would make the board possible.")];
    const more = items.slice(FEW_CORRECTIONS, MAX_CORRECTIONS);
    const left = items.length - FEW_CORRECTIONS;
    return [
      h("h3", {}, "The board would be possible with"),
      h("ul", { class: "corrections" }, items.slice(0, FEW_CORRECTIONS)),
      left > 0 ? h("details", {}, h("summary", {}, `${left} more`), h("ul", { class: "corrections" }, more)) : "",
    ];
  }

  #correct(/** @type {Correction} */ { cell, instead }) {
    const { board, state } = this.view;
    const corrected = state.position.copy(cell ? {} : { mines: instead });
    if (cell) corrected.cells[board.index(cell)] = instead === null ? "#" : symbolOf(instead);
    this.view.set(corrected);
  }
}
