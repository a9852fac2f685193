// @ts-check
// Answers of the engine in the browser, in the form of those that Python gives (answers.py, answers.d.ts).
//
// Here are those about a position, which the first look needs; game-answers.js has the others. Each function throws
// Unanswered where only Python knows: other clues, no mine total, parts of larger boards, agents that the engine does not
// play.

import { aboutPercent, countText, fractionOf, general, percent, percentLabel } from "../basics/numbers.js";
import { DEFAULTS, Position, symbolOf } from "../basics/position.js";
import { neighboursOf } from "../basics/square-grid.js";
import { ImpossibleError } from "./engine.js";
import { trivial } from "./trivial.js";

const LISTED = 100; // candidates of an advice
const DIGITS = 12; // of a risk that are right

const UNKNOWN = -99; // a code that the engine refuses
/** Codes of the engine, by symbols. */
const CODES = new Map([
  ["#", -1],
  ["?", -2],
  ["F", -3],
  ["*", 9],
  ...Array.from(
    { length: 27 },
    (_, number) => /** @type {const} */ ([symbolOf(number), number > 8 ? 100 + number : number]),
  ),
]);

/** The code of a symbol in the engine. @param {string} symbol */
export const codeOf = (symbol) => CODES.get(symbol) ?? UNKNOWN;

/** The engine has no answer; Python may have one. */
export class Unanswered extends Error {}

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {Record<string, any>} Fields */
/** @typedef {{ onPart: (part: any) => void, grid?: { neighbours: number[][], remarks: string[] } }} How `grid`: one that is not square */

/**
 * A board that the engine can read.
 * @param {string} text
 * @param {How} how
 */
export function boardOf(text, { grid }) {
  const position = Position.of(text);
  const { rows, cols, cells, mines, clues, density, part } = position;
  if (clues !== "exact" || mines === null || density !== null) throw new Unanswered("not these clues");
  if (part !== DEFAULTS.part) throw new Unanswered("no whole board");
  const codes = Int16Array.from(cells, codeOf);
  const board = { cells: codes, rows, cols, mines, neighbours: grid?.neighbours };
  const neighbours = grid?.neighbours ?? neighboursOf(rows, cols);
  const single = trivial(cells, neighbours).safe;
  return { position, board, mines, neighbours, single };
}

/**
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 * @returns {Analysis | ImpossibleBoard}
 */
export function solve(engine, { board }, how) {
  const began = performance.now();
  const asked = boardOf(board, how);
  const { position, board: read } = asked;
  const found = analysed(engine, read);
  if (!found) return { impossible: { clues: [], total: false, message: ["No layout agrees with this board."] } };
  const seconds = (performance.now() - began) / 1000;
  /** Indices into odds, by the risk as it came and as it is told. @type {Map<number | string, number>} */
  const levels = new Map();
  /** @type {Odds[]} */
  const odds = [];
  const levelOf = (/** @type {number} */ risk) => {
    const told = rounded(risk, found.worlds);
    const key = told.text ?? String(told.value);
    const known = levels.get(key);
    if (known !== undefined) return known;
    levels.set(key, odds.length);
    return odds.push(oddsOf(told.value, told.text)) - 1;
  };
  const cells = Array.from(found.risks, (risk) => {
    if (Number.isNaN(risk)) return -1;
    const level = levels.get(risk) ?? levelOf(risk);
    levels.set(risk, level);
    return level;
  });
  const advice = adviceOf(asked, found.risks, found.worlds);
  const [best] = advice.candidates;
  const left = asked.mines - position.cells.filter((symbol) => symbol === "*").length;
  return {
    cells,
    odds,
    safe: found.safe.length,
    mines: found.mines.length,
    unknown: 0,
    covered: cells.filter((level) => level >= 0).length,
    best: best?.cell ?? null,
    advice,
    worlds: countText(found.worlds),
    expected: general(left),
    remarks: how.grid?.remarks ?? [],
    complete: true,
    seconds: Math.round(seconds * 1e4) / 1e4,
  };
}

/** The analysis of a board, null if it is impossible. @param {Engine} engine @param {Asked["board"]} board */
function analysed(engine, board) {
  try {
    return engine.analyse(board);
  } catch (error) {
    if (error instanceof ImpossibleError) return null;
    throw error;
  }
}

/**
 * A share of all worlds without what sums of floats have lost: the same share of two cells is the same number.
 * @param {number} share
 * @param {bigint} worlds
 */
export const rounded = (share, worlds) =>
  fractionOf(share, worlds) ?? { text: null, value: Number(share.toPrecision(DIGITS)) };

/**
 * @param {number} risk
 * @param {string | null} exact
 * @returns {Odds}
 */
function oddsOf(risk, exact) {
  const told = { risk, percent: percent(risk), exact };
  return risk === 0 || risk === 1 ? told : { ...told, label: percentLabel(risk) };
}

/** @typedef {ReturnType<typeof boardOf>} Asked */

/**
 * What is best, with the chances to win that the deep player expects, if they are given: by cells, the best one first.
 * @param {Asked} asked
 * @param {Float64Array} risks
 * @param {bigint} worlds
 * @param {{ exact: boolean, wins: Map<number, number> } | null} [deep]
 * @returns {Advice}
 */
function adviceOf(asked, risks, worlds, deep = null) {
  const { position } = asked;
  const covered = [...risks.keys()].filter((at) => risks[at] < 1);
  const safe = covered.filter((at) => risks[at] === 0);
  /** @type {Advice["kind"]} */
  const kind = safe.length ? "safe" : !deep?.wins.size ? "risk" : deep.exact ? "exact" : "estimate";
  const wins = deep?.wins ?? new Map();
  const order = safe.length
    ? easiestFirst(asked, safe)
    : [...wins.keys(), ...covered.filter((at) => !wins.has(at)).sort((one, other) => risks[one] - risks[other])];
  const candidates = order.slice(0, LISTED).map((at) => {
    const { value, text } = rounded(risks[at], worlds);
    const win = wins.get(at) ?? null;
    const won = win !== null && kind === "exact" ? fractionOf(win, worlds) : null;
    const told = percent(value);
    const risk = text ?? String(value);
    const wide = { win: won?.value ?? win, win_exact: won?.text ?? null };
    const said = win === null ? "" : ` With it ${winSaid(wide)}.`;
    const why =
      kind === "safe"
        ? asked.single.has(at)
          ? "It is safe by single numbers."
          : "It is safe."
        : `${told} risk.${said}`;
    return { cell: position.place(at), risk, percent: told, progress: null, ...wide, dead: false, why };
  });
  const sentence = sentenceOf(position, candidates, order.length);
  return { kind, sentence, candidates, dead: [], unavoidable: [], wins: winsOf(candidates) };
}

/** @param {Candidate[]} candidates @returns {[cell: Cell, win: number][]} */
const winsOf = (candidates) => candidates.flatMap(({ cell, win }) => (win === null ? [] : [[cell, win]]));

/** @param {{ win: number | null, win_exact: string | null }} candidate */
const winSaid = ({ win, win_exact: exact }) =>
  exact === null ? `wins with ${aboutPercent(Number(win))} (estimate)` : `best play wins with ${percent(Number(win))}`;

/**
 * @param {Position} position
 * @param {Candidate[]} candidates
 * @param {number} count of all candidates
 * @returns {Sentence}
 */
function sentenceOf(position, candidates, count) {
  const [best] = candidates;
  if (!best) return ["There is no cell to open."];
  const others = count - 1;
  if (best.risk === "0") {
    const more = others
      ? `, and so ${others === 1 ? "is 1 more cell" : `are ${others.toLocaleString("en")} more cells`}`
      : "";
    return ["Open ", best.cell, `: it is safe${more}.`];
  }
  if (position.cells.every((symbol) => symbol === "#" || symbol === "F"))
    return ["No cell is open yet. Begin at ", best.cell, ": most games make the first cell safe."];
  const wins = best.win === null ? "" : `; ${winSaid(best)}`;
  return ["No cell is safe. The best guess is ", best.cell, `: ${best.percent} risk${wins}.`];
}

/**
 * Safe cells, the easiest first: those that single numbers settle, or without any those that pairs do.
 * @param {Asked} asked
 * @param {number[]} safe
 */
function easiestFirst({ position, neighbours, single }, safe) {
  const easy = single.size ? single : trivial(position.cells, neighbours, { pairs: true }).safe;
  const rank = (/** @type {number} */ at) => (easy.has(at) ? 0 : 1);
  return [...safe].sort((one, other) => rank(one) - rank(other) || one - other);
}

/**
 * The advice of the deep player; `wins` are its chances, for Python, which adds what else there is to know.
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 * @returns {Advice}
 */
export function advice(engine, { board, deep = true }, how) {
  const asked = boardOf(board, how);
  const { worlds, risks } = engine.analyse(asked.board);
  const known = deep && asked.position.cells.every((symbol) => symbol !== "?") ? expected(engine, asked, risks) : null;
  return adviceOf(asked, risks, worlds, known);
}

/**
 * Chances to win, as in analysis/deep.py `expected_wins`, the best cell first; none is above the chance to survive its cell.
 * @param {Engine} engine
 * @param {Asked} asked
 * @param {Float64Array} risks
 */
function expected(engine, { board }, risks) {
  const { guess } = engine.advise(board);
  if (!guess) return null;
  if (guess.exact) return { exact: true, wins: new Map([[guess.cell, guess.chance]]) };
  const own = guess.candidates.find(({ cell }) => cell === guess.cell)?.score ?? 1;
  const scored = guess.candidates.flatMap(({ cell, score }) =>
    score !== null && score > 0
      ? [{ cell, win: Math.max(0, Math.min(guess.chance * Math.min(1, score / own), 1 - risks[cell])) }]
      : [],
  );
  scored.sort(
    (one, other) => Number(other.cell === guess.cell) - Number(one.cell === guess.cell) || other.win - one.win,
  );
  return { exact: false, wins: new Map(scored.map(({ cell, win }) => [cell, win])) };
}
