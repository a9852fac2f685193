// @ts-check
// Answers of the engine in the browser, in the form of those that Python gives (answers.py, answers.d.ts).
//
// Each function throws Unanswered where only Python knows: other clues, no mine total, boards that are impossible, agents
// that the engine does not play.

import { ImpossibleError, Layout, LimitError, NotFoundError } from "./engine/engine.js";
import { dealt, needsOf } from "./layouts.js";
import { Position } from "./position.js";
import { neighboursOf } from "./square-grid.js";
import { trivial } from "./trivial.js";
import { watched } from "./watched.js";
import { countText, fractionOf, general, percent, percentLabel } from "./words.js";

const LISTED = 100; // candidates of an advice
const DIGITS = 12; // of a risk that are right
const FEW = 4; // cells that a hint names as equally good

/** The engine has no answer; Python may have one. */
export class Unanswered extends Error {}

/** @typedef {import("./engine/engine.js").Engine} Engine */
/** @typedef {Record<string, any>} Fields */
/** @typedef {{ onPart: (part: any) => void, grid?: { neighbours: number[][], remarks: string[] } }} How `grid`: one that is not square */

/**
 * An answer, or its parts and then the answer.
 * @param {Engine} engine
 * @param {string} kind
 * @param {Fields} fields
 * @param {How} how
 */
export async function answer(engine, kind, fields, how) {
  try {
    return await ANSWERS[/** @type {keyof typeof ANSWERS} */ (kind)](engine, fields, how);
  } catch (error) {
    if (error instanceof NotFoundError) throw new Error("No such board was found; try fewer mines.");
    const beyond = [ImpossibleError, LimitError, TypeError].some((Kind) => error instanceof Kind);
    throw beyond ? new Unanswered(/** @type {Error} */ (error).message) : error;
  }
}

/**
 * A board that the engine can read.
 * @param {string} text
 * @param {How} how
 */
export function boardOf(text, { grid }) {
  const position = Position.of(text);
  const { rows, cols, cells, mines, clues, density } = position;
  if (clues !== "exact" || mines === null || density !== null) throw new Unanswered("not these clues");
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join(""));
  const options = { mines, neighbours: grid?.neighbours };
  const neighbours = grid?.neighbours ?? neighboursOf(rows, cols);
  const single = trivial(cells, neighbours).safe;
  return { position, lines, options, mines, neighbours, single };
}

/**
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 * @returns {Analysis}
 */
function solve(engine, { board }, how) {
  const began = performance.now();
  const asked = boardOf(board, how);
  const { position, lines, options } = asked;
  const found = engine.analyse(lines, options);
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
    best_said: best ? `${best.cell} ${advice.kind === "safe" ? "is safe" : `with risk ${best.percent}`}` : "none",
    advice,
    worlds: countText(found.worlds),
    expected: general(left),
    remarks: how.grid?.remarks ?? [],
    complete: true,
    seconds: Math.round(seconds * 1e4) / 1e4,
  };
}

/**
 * A share of all worlds without what sums of floats have lost: the same share of two cells is the same number.
 * @param {number} share
 * @param {bigint} worlds
 */
const rounded = (share, worlds) =>
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
  const place = (/** @type {number} */ at) =>
    /** @type {Cell} */ ([Math.floor(at / position.cols), at % position.cols]);
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
    return { cell: place(at), risk, percent: told, progress: null, ...wide, dead: false, why };
  });
  const sentence = sentenceOf(position, candidates, order.length);
  return { kind, sentence, candidates, dead: [], unavoidable: [], wins: winsOf(candidates) };
}

/** @param {Candidate[]} candidates @returns {[cell: Cell, win: number][]} */
const winsOf = (candidates) => candidates.flatMap(({ cell, win }) => (win === null ? [] : [[cell, win]]));

/** @param {{ win: number | null, win_exact: string | null }} candidate */
const winSaid = ({ win, win_exact: exact }) =>
  exact === null
    ? `wins with about ${Math.round(100 * Number(win))} % (estimate)`
    : `best play wins with ${percent(Number(win))}`;

/**
 * @param {Position} position
 * @param {Candidate[]} candidates
 * @param {number} count of all candidates
 */
function sentenceOf(position, candidates, count) {
  const [best] = candidates;
  if (!best) return "There is no cell to open.";
  const others = count - 1;
  if (best.risk === "0") {
    const more = others
      ? `, and so ${others === 1 ? "is 1 more cell" : `are ${others.toLocaleString("en")} more cells`}`
      : "";
    return `Open ${best.cell}: it is safe${more}.`;
  }
  if (position.cells.every((symbol) => symbol === "#" || symbol === "F"))
    return `No cell is open yet. Begin at ${best.cell}: most games make the first cell safe.`;
  const wins = best.win === null ? "" : `; ${winSaid(best)}`;
  return `No cell is safe. The best guess is ${best.cell}: ${best.percent} risk${wins}.`;
}

/**
 * Safe cells, the easiest first: those that single numbers settle, or without any those that pairs do; then the nearest to
 * a cell.
 * @param {Asked} asked
 * @param {number[]} safe
 * @param {Cell | null} [last]
 */
function easiestFirst({ position, neighbours, single }, safe, last = null) {
  const easy = single.size ? single : trivial(position.cells, neighbours, { pairs: true }).safe;
  const rank = (/** @type {number} */ at) => (easy.has(at) ? 0 : 1);
  const away = (/** @type {number} */ at) =>
    last ? Math.max(Math.abs(Math.floor(at / position.cols) - last[0]), Math.abs((at % position.cols) - last[1])) : 0;
  return [...safe].sort((one, other) => rank(one) - rank(other) || away(one) - away(other) || one - other);
}

/**
 * The advice of the deep player; `wins` are its chances, for Python, which adds what else there is to know.
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 * @returns {Advice}
 */
function advice(engine, { board, deep = true }, how) {
  const asked = boardOf(board, how);
  const { worlds, risks } = engine.analyse(asked.lines, asked.options);
  const known = deep && asked.position.cells.every((symbol) => symbol !== "?") ? expected(engine, asked) : null;
  return adviceOf(asked, risks, worlds, known);
}

/**
 * Chances to win, as in solver/compiled.py `expected_wins`, the best cell first.
 * @param {Engine} engine
 * @param {Asked} asked
 */
function expected(engine, { lines, options }) {
  const { guess } = engine.advise(lines, options);
  if (!guess) return null;
  if (guess.exact) return { exact: true, wins: new Map([[guess.cell, guess.chance]]) };
  const own = guess.candidates.find(({ cell }) => cell === guess.cell)?.score ?? 1;
  const scored = guess.candidates.flatMap(({ cell, score }) =>
    score !== null && score > 0 ? [{ cell, win: guess.chance * Math.min(1, score / own) }] : [],
  );
  scored.sort(
    (one, other) => Number(other.cell === guess.cell) - Number(one.cell === guess.cell) || other.win - one.win,
  );
  return { exact: false, wins: new Map(scored.map(({ cell, win }) => [cell, win])) };
}

/**
 * A hint whose cell is known; where it is safe Python has the steps between the place and the move.
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 * @returns {HintSteps}
 */
function hint(engine, { board, last = null }, how) {
  const asked = boardOf(board, how);
  const { position, neighbours } = asked;
  const { safe } = engine.analyse(asked.lines, asked.options);
  const place = (/** @type {number} */ at) =>
    /** @type {Cell} */ ([Math.floor(at / position.cols), at % position.cols]);
  const at = (/** @type {Cell} */ [row, col]) => row * position.cols + col;
  const move = (/** @type {Cell} */ cell) => {
    const text = position.cells[at(cell)] === "F" ? `Remove the flag and open ${cell}.` : `Open ${cell}.`;
    return { text, cell, action: /** @type {const} */ ("open") };
  };
  const isNumber = (/** @type {number} */ index) => !"#F*?".includes(position.cells[index]);
  if (safe.length) {
    const [easiest] = easiestFirst(asked, safe, last);
    const near = new Set(neighbours[easiest].filter(isNumber).flatMap((number) => [number, ...neighbours[number]]));
    const touched = [...near].filter((index) => "#F".includes(position.cells[index]));
    const region = [...new Set([easiest, ...touched])].sort((one, other) => one - other).map(place);
    const cell = place(easiest);
    return { steps: [{ text: "Look here.", cells: region }, move(cell)], cell, safe: true, lacks: true };
  }
  const advised = advice(engine, { board }, how);
  const [best] = advised.candidates;
  if (!best) throw new Unanswered("no cell can be opened");
  const equals = advised.candidates.filter(({ risk, win }) => risk === best.risk && win === best.win).slice(0, FEW);
  const steps = [
    { text: "No cell is safe: a guess is due.", cells: equals.map(({ cell }) => cell) },
    { text: advised.sentence, cells: neighbours[at(best.cell)].filter(isNumber).map(place) },
    { text: best.why, cells: [best.cell] },
    move(best.cell),
  ];
  return { steps, cell: best.cell, safe: false };
}

/**
 * The layout that a question names, or a random one of its seed; and its neighbours.
 * @param {Engine} engine
 * @param {Fields} asked
 * @param {How} how
 */
function layoutOf(engine, asked, { grid }) {
  if (asked.clues !== undefined && asked.clues !== "exact") throw new Unanswered("not these clues");
  if (asked.layout === undefined) {
    const { rows, cols, mines, start, seed = "0", first = "safe" } = asked;
    const layout = engine.deal({ rows, cols, mines, start, first, neighbours: grid?.neighbours }, seed);
    return { layout, neighbours: grid?.neighbours ?? neighboursOf(rows, cols), start };
  }
  const { rows, cols, cells, start } = Position.of(asked.layout);
  if ((asked.first ?? "any") !== "any" && asked.ask === "deal") throw new Unanswered("mines would move");
  const layout = new Layout(
    Int8Array.from(cells, (symbol) => Number(symbol === "*")),
    { rows, cols, neighbours: grid?.neighbours },
    null,
  );
  return { layout, neighbours: grid?.neighbours ?? neighboursOf(rows, cols), start: asked.start ?? start };
}

/**
 * @param {Engine} engine
 * @param {Fields} asked
 * @param {How} how
 */
function deal(engine, asked, how) {
  const { layout, neighbours, start } = layoutOf(engine, { ...asked, ask: "deal" }, how);
  if (!start) throw new Unanswered("no first cell");
  return dealt(layout, neighbours, start, topologyOf(asked), how.grid?.remarks);
}

/** @param {Fields} asked */
const topologyOf = ({ layout, topology = "square" }) =>
  layout === undefined ? topology : Position.of(layout).topology;

/**
 * @param {Engine} engine
 * @param {Fields} asked
 * @param {How} how
 */
function dealNoGuess(engine, asked, how) {
  const { rows, cols, mines, start, technique, clues = "exact", first = "zero", seed = "0" } = asked;
  if (clues !== "exact") throw new Unanswered("not these clues");
  const neighbours = how.grid?.neighbours;
  const search = engine.searching({ rows, cols, mines, start, technique, first, neighbours }, seed);
  for (;;) {
    const { done, value } = search.next();
    if (done) return dealt(value, neighbours ?? neighboursOf(rows, cols), start, topologyOf(asked), how.grid?.remarks);
    how.onPart({ steps: value });
  }
}

/**
 * @param {Engine} engine
 * @param {Fields} asked
 * @param {How} how
 */
function rate(engine, asked, how) {
  const { layout, neighbours, start } = layoutOf(engine, asked, how);
  if (!start) throw new Unanswered("no first cell");
  const first = start[0] * layout.cols + start[1];
  if (layout.cells[first]) throw new Unanswered("a mine at the start");
  const isForced = () => engine.play("sat", layout, { start: first }).guesses === 0;
  return needsOf(layout, neighbours, first, isForced);
}

/**
 * @param {Engine} engine
 * @param {Fields} asked
 * @param {How} how
 */
function watch(engine, asked, how) {
  const { agent, goal = "clear", clues = "exact", first, start, seed = "0" } = asked;
  const name = /^(?:sat|deep(?::[1-5])?)$/.exec(agent)?.[0];
  if (!name || goal !== "clear" || clues !== "exact") throw new Unanswered("not this player");
  const player = /** @type {import("./engine/engine.js").Player} */ (name);
  const { rows, cols, mines } = asked;
  const grid = how.grid;
  const given = asked.layout === undefined ? null : layoutOf(engine, asked, how);
  const begin = start ?? given?.start ?? undefined;
  const size = { rows, cols, mines, neighbours: grid?.neighbours };
  const begun = performance.now();
  const game = engine.play(player, given?.layout ?? size, { seed, first: first ?? "safe", start: begin });
  const seconds = (performance.now() - begun) / 1000;
  const neighbours = given?.neighbours ?? grid?.neighbours ?? neighboursOf(rows, cols);
  const { parts, end } = watched(game, neighbours, seconds, topologyOf(asked), grid?.remarks);
  for (const part of parts) how.onPart(part);
  return end;
}

/** @type {(engine: Engine, fields: Fields, how: How) => Promise<Redrawn>} */
const redraw = async (engine, fields, how) => (await import("./redrawn.js")).redraw(engine, fields, how);

const ANSWERS = { solve, advice, hint, deal, deal_no_guess: dealNoGuess, rate, redraw, watch };

/** The questions that the engine may answer. */
export const ANSWERED = new Set(Object.keys(ANSWERS));
