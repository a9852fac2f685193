// Advice on a position: which cells to open, best first, cells that tell nothing, guesses that cannot be avoided.

import { button, h, plural } from "./dom.js";
import { term } from "./term.js";

const LISTED = 8;
const AHEAD = 1000; // cells
const HEADS = {
  safe: "Safe cells, the easiest first",
  exact: "Best guesses, by the exact win chance",
  estimate: "Best guesses, by the estimated win chance",
  risk: "Best guesses, by risk",
};

// True if the search ahead may add win chances to an answer: on boards of common sizes, where a guess is due.
export const canLookAhead = ({ advice, cells }) =>
  advice.kind === "risk" && advice.candidates.length > 0 && cells.length <= AHEAD;

// Why no candidate on a board of so many cells has a win chance.
export function whyNoWins({ kind, candidates }, cells) {
  if (kind === "safe") return "Win chances follow when no cell is safe.";
  if (!candidates.length) return "Win chances need a cell to open.";
  if (cells > AHEAD) return `Win chances need a board of at most ${AHEAD.toLocaleString("en")} cells.`;
  return "No win chance is known here.";
}

export const percent = (share) => {
  const hundred = (100 * share).toFixed(1);
  return `${hundred.endsWith(".0") ? hundred.slice(0, -2) : hundred} %`;
};

// The win chance of a candidate in words; null if it is not known.
export function winOf({ win, win_exact: exact }) {
  if (win === null || win === undefined) return null;
  return exact === null || exact === undefined ? `about ${Math.round(100 * win)} %` : percent(win);
}

// The marks of a board that advice sets: its best cell, dead cells, guesses that cannot be avoided.
export function marksOf(board, advice) {
  if (!advice) return {};
  return {
    best: board.indices(advice.candidates.slice(0, 1).map(({ cell }) => cell)),
    dead: board.indices(advice.dead),
    toss: advice.unavoidable.flatMap(({ cells }) => board.indices(cells)),
  };
}

// How win chances look: the best cell green, the worst red.
export function winLooks(board, advice) {
  const known = advice?.candidates.filter(({ win }) => win !== null && win !== undefined) ?? [];
  const [least, most] = [Math.min(...known.map(({ win }) => win)), Math.max(...known.map(({ win }) => win))];
  const heat = (win) => (most > least ? 0.04 + 0.92 * ((most - win) / (most - least)) : 0.2);
  return new Map(
    known.map((candidate) => [
      board.index(candidate.cell),
      { heat: heat(candidate.win), text: String(Math.round(100 * candidate.win)), label: `wins ${winOf(candidate)}` },
    ]),
  );
}

// The first candidates, then what else there is to know. `onCell` gets the cells of what the user chooses.
export function adviceList(advice, onCell, most = LISTED) {
  const { kind, candidates, dead, unavoidable } = advice;
  const parts = [];
  if (candidates.length)
    parts.push(kind === "safe" ? safeList(candidates, onCell, most) : guessTable(advice, onCell, most));
  if (unavoidable.length) {
    const guess = ({ cells, why }) =>
      h(
        "li",
        {},
        button(why, () => onCell(cells), { class: "link" }),
      );
    parts.push(
      h("h2", {}, term("unavoidable guess", "Guesses you cannot avoid")),
      h("ul", { class: "tosses" }, unavoidable.map(guess)),
    );
  }
  if (dead.length) {
    parts.push(
      h("p", { class: "note" }, term("dead cell", plural(dead.length, "dead cell")), ": ", places(dead, onCell)),
    );
  }
  return parts;
}

const places = (cells, onCell) => [
  button(cells.map((cell) => cell.join(",")).join("  "), () => onCell(cells), { class: "link" }),
];

function safeList(candidates, onCell, most) {
  const item = ({ cell, why }) =>
    h(
      "li",
      {},
      button(cell.join(","), () => onCell([cell]), { class: "link" }),
      why ? ` ${why}` : "",
    );
  return h(
    "div",
    {},
    h("h2", {}, HEADS.safe),
    h("ol", { class: "steps candidates" }, candidates.slice(0, most).map(item)),
  );
}

function guessTable({ kind, candidates }, onCell, most) {
  const won = candidates.some((candidate) => winOf(candidate) !== null);
  const heads = ["Cell", term("risk", "Risk"), term("safe cell follows", "Safe cell follows")];
  if (won) heads.push(term("win chance", "Win chance"));
  const row = (candidate) => {
    const { cell, percent: risk, progress, why, dead } = candidate;
    const values = [risk, progress === null ? "not known" : percent(fractionOf(progress))];
    if (won) values.push(winOf(candidate) ?? "not known");
    return h(
      "tr",
      { title: why, class: dead ? "dead-row" : undefined },
      h(
        "th",
        { scope: "row" },
        button(cell.join(","), () => onCell([cell]), { class: "link" }),
      ),
      values.map((value) => h("td", {}, value)),
    );
  };
  return h(
    "div",
    {},
    h(
      "table",
      { class: "ranking" },
      h("caption", {}, HEADS[kind]),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h("tbody", {}, candidates.slice(0, most).map(row)),
    ),
  );
}

// A fraction such as "7/17" as a number.
export function fractionOf(text) {
  const [over, under = "1"] = text.split("/");
  return Number(over) / Number(under);
}
