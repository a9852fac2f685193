// @ts-check
// Advice on a position: which cells to open, best first, cells that tell nothing, guesses that cannot be avoided.

import { h, plural, table } from "../basics/dom.js";
import { aboutPercent, percent, percentLabel } from "../basics/numbers.js";
import { winHeat } from "../board/heat.js";
import { isCancelled } from "../engine/latest.js";
import { placesOf, told } from "../words/places.js";
import { term } from "../words/term.js";

const LISTED = 8;
const AHEAD = 1000; // cells
const REST = 800; // milliseconds until Python is asked about a position that stays
/** @type {Record<Advice["kind"], string>} */
const HEADS = {
  safe: "Safe cells, the easiest first",
  exact: "Best guesses, by the exact win chance",
  estimate: "Best guesses, by the estimated win chance",
  risk: "Best guesses, by risk",
};

/** What answers questions. @typedef {Pick<import("../engine/connection.js").Connection, "ask">} Asked */

/**
 * True if the search ahead may add win chances to an answer: on boards of common sizes, where a guess is due.
 * @param {Analysis} analysis
 */
const canLookAhead = ({ advice, cells }) =>
  advice.kind === "risk" && advice.candidates.length > 0 && cells.length <= AHEAD;

/**
 * Advice to show while the search ahead goes on: it may choose another cell, so there is no best one yet.
 * @param {Advice} advice
 * @returns {Advice}
 */
const withoutBest = (advice) => ({
  ...advice,
  sentence: ["No cell is safe. Looking ahead for the best guess…"],
  candidates: [],
});

/**
 * Show the advice of an answer about a board: what is known at once, then with the win chances of the search ahead, then,
 * if the position rests, with what takes longest: which cells tell nothing, which guesses cannot be avoided.
 * @param {Asked} connection
 * @param {string} board
 * @param {Analysis} answer
 * @param {AbortSignal} signal
 * @param {(advice: Advice) => void} show
 */
export async function advise(connection, board, answer, signal, show) {
  let { advice } = answer;
  if (canLookAhead(answer)) {
    show(withoutBest(advice));
    try {
      const deep = await connection.ask("advice", { board, deep: true }, { signal });
      advice = deep.note ? { ...advice, note: deep.note } : deep;
    } catch (error) {
      if (isCancelled(error)) throw error;
      advice = { ...advice, note: /** @type {Error} */ (error).message };
    }
  }
  show(advice);
  if (advice.wins && advice.kind !== "safe" && advice.candidates.length)
    await further(connection, board, advice, signal, show);
}

/**
 * @param {Asked} connection
 * @param {string} board
 * @param {Advice} advice
 * @param {AbortSignal} signal
 * @param {(advice: Advice) => void} show
 */
export async function further(connection, board, advice, signal, show) {
  await pause(REST, signal);
  const { wins = [], kind } = advice;
  try {
    show(await connection.ask("further_advice", { board, wins, exact: kind === "exact" }, { signal }));
  } catch (error) {
    if (isCancelled(error)) throw error; // what is shown stays
  }
}

/** @param {number} milliseconds @param {AbortSignal} signal */
const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });

/**
 * Why no candidate on a board of so many cells has a win chance.
 * @param {Advice} advice
 * @param {number} cells
 */
export function whyNoWins({ kind, candidates }, cells) {
  if (kind === "safe") return "Win chances follow when no cell is safe.";
  if (!candidates.length) return "Win chances need a cell to open.";
  if (cells > AHEAD) return `Win chances need a board of at most ${AHEAD.toLocaleString("en")} cells.`;
  return "No win chance is known here.";
}

/**
 * The win chance of a candidate in words; null if it is not known.
 * @param {Candidate} candidate
 */
export function winOf({ win, win_exact: exact }) {
  if (win === null || win === undefined) return null;
  return exact === null || exact === undefined ? aboutPercent(win) : percent(win);
}

/**
 * The marks of a board that advice sets: its best cell, dead cells, guesses that cannot be avoided.
 * @param {{ indices: (cells: Cell[]) => number[] }} board
 * @param {Advice | null} advice
 * @returns {Record<string, number[]>}
 */
export function marksOf(board, advice) {
  if (!advice) return {};
  return {
    best: board.indices(advice.candidates.slice(0, 1).map(({ cell }) => cell)),
    dead: board.indices(advice.dead),
    toss: advice.unavoidable.flatMap(({ cells }) => board.indices(cells)),
  };
}

/**
 * How the win chances of cells look, by their indices.
 * @param {{ index: (cell: Cell) => number }} board
 * @param {Advice | null} advice
 * @returns {Map<number, Partial<import("../board/look.js").Look>>}
 */
export function winLooks(board, advice) {
  const known = (advice?.candidates ?? []).flatMap((candidate) =>
    candidate.win === null ? [] : [{ candidate, win: candidate.win }],
  );
  const all = known.map(({ win }) => win);
  return new Map(
    known.map(({ candidate, win }) => [
      board.index(candidate.cell),
      { heat: winHeat(win, all), text: win ? percentLabel(win) : "0", label: `wins ${winOf(candidate)}` },
    ]),
  );
}

/**
 * The first candidates, then what else there is to know. `onCells` gets the cells of what the user chooses.
 * @param {import("../board/board.js").Board} board
 * @param {Advice} advice
 * @param {(cells: Cell[]) => void} onCells
 * @param {number} [most]
 */
export function adviceList(board, advice, onCells, most = LISTED) {
  const { kind, candidates, dead, unavoidable } = advice;
  const parts = [];
  const first = candidates.slice(0, most);
  if (candidates.length)
    parts.push(kind === "safe" ? safeList(board, first, onCells) : guessTable(board, kind, first, onCells));
  if (unavoidable.length) {
    parts.push(
      h("h2", {}, term("unavoidable guess", "Guesses you cannot avoid")),
      h(
        "ul",
        { class: "tosses" },
        unavoidable.map(({ cells, why }) =>
          h(
            "li",
            {},
            told(why, board, () => onCells(cells)),
          ),
        ),
      ),
    );
  }
  if (dead.length) {
    parts.push(
      h(
        "p",
        { class: "note" },
        term("dead cell", plural(dead.length, "dead cell")),
        ": ",
        placesOf(board, dead, onCells),
      ),
    );
  }
  return parts;
}

/**
 * @param {import("../board/board.js").Board} board
 * @param {Candidate[]} candidates
 * @param {(cells: Cell[]) => void} onCells
 */
const safeList = (board, candidates, onCells) =>
  h(
    "div",
    {},
    h("h2", {}, HEADS.safe),
    h(
      "ol",
      { class: "steps candidates" },
      candidates.map(({ cell, why }) => h("li", {}, placesOf(board, [cell], onCells), why ? ` ${why}` : "")),
    ),
  );

/**
 * @param {import("../board/board.js").Board} board
 * @param {Advice["kind"]} kind
 * @param {Candidate[]} candidates
 * @param {(cells: Cell[]) => void} onCells
 */
function guessTable(board, kind, candidates, onCells) {
  const won = candidates.some((candidate) => winOf(candidate) !== null);
  const heads = ["Cell", term("risk", "Risk"), term("safe cell follows", "Safe cell follows")];
  if (won) heads.push(term("win chance", "Win chance"));
  const rows = candidates.map((candidate) => {
    const { cell, percent: risk, progress } = candidate;
    const values = [risk, progress === null ? "not known" : percent(fractionOf(progress))];
    if (won) values.push(winOf(candidate) ?? "not known");
    return [placesOf(board, [cell], onCells), ...values];
  });
  const made = table(HEADS[kind], heads, rows);
  for (const [at, row] of [...made.querySelectorAll("tbody tr")].entries()) {
    row.setAttribute("title", candidates[at].why);
    row.classList.toggle("dead-row", candidates[at].dead);
  }
  return h("div", {}, made);
}

/**
 * A fraction such as "7/17" as a number.
 * @param {string} text
 */
export function fractionOf(text) {
  const [over, under = "1"] = text.split("/");
  return Number(over) / Number(under);
}
