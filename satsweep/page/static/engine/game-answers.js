// @ts-check
// Answers of the engine in the browser about games: hints, boards to play, what they need, games to watch (answers.js).

import { percent } from "../basics/numbers.js";
import { numberOf, Position } from "../basics/position.js";
import { neighboursOf } from "../basics/square-grid.js";
import { advice, boardOf, rounded, Unanswered } from "./answers.js";
import { argumentOf, conflict } from "./conflict.js";
import { Layout } from "./engine.js";
import { dealt, needsOf } from "./layouts.js";
import { redraw } from "./redrawn.js";
import { watched } from "./watched.js";

/** @typedef {import("./engine.js").ForcedCell} ForcedCell */

const FEW = 4; // cells that a hint names as equally good
const MOST_EXPLAINED = 60; // cells that are compared for a hint

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./answers.js").Fields} Fields */
/** @typedef {import("./answers.js").How} How */

/**
 * The easiest next move in steps, as in advice.py.
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 * @returns {HintSteps}
 */
function hint(engine, { board, last = null }, how) {
  const asked = boardOf(board, how);
  const { position, neighbours } = asked;
  const { safe } = engine.analyse(asked.board);
  const place = (/** @type {number} */ at) => position.place(at);
  const at = (/** @type {Cell} */ [row, col]) => row * position.cols + col;
  const move = (/** @type {Cell} */ cell) => {
    /** @type {Sentence} */
    const text = [position.cells[at(cell)] === "F" ? "Remove the flag and open " : "Open ", cell, "."];
    return { text, cell, action: /** @type {const} */ ("open") };
  };
  const isNumber = (/** @type {number} */ index) => !"#F*?".includes(position.cells[index]);
  if (safe.length) {
    const why = easiestOf(engine, asked, safe, last);
    const easiest = why.cell;
    const touched = why.clues
      .flatMap((clue) => neighbours[clue])
      .filter((index) => "#F".includes(position.cells[index]));
    const region = [...new Set([easiest, ...touched])].sort((one, other) => one - other).map(place);
    const cell = place(easiest);
    const total = why.total ? [`the mine total, ${asked.mines}`] : [];
    const count = why.clues.length;
    const read = [...(count ? [`${count} number${count === 1 ? "" : "s"}`] : []), ...total].join(" and ");
    const steps = [
      { text: ["Look here."], cells: region },
      { text: [`${read.charAt(0).toUpperCase()}${read.slice(1)} will do.`], cells: why.clues.map(place) },
      { text: argumentOf(why, place).text, cells: [cell] },
      move(cell),
    ];
    return { steps, cell, safe: true };
  }
  const advised = advice(engine, { board }, how);
  const [best] = advised.candidates;
  if (!best) throw new Unanswered("no cell can be opened");
  const equals = advised.candidates.filter(({ risk, win }) => risk === best.risk && win === best.win).slice(0, FEW);
  const steps = [
    { text: ["No cell is safe: a guess is due."], cells: equals.map(({ cell }) => cell) },
    { text: advised.sentence, cells: neighbours[at(best.cell)].filter(isNumber).map(place) },
    { text: [best.why], cells: [best.cell] },
    move(best.cell),
  ];
  return { steps, cell: best.cell, safe: false };
}

/**
 * The safe cell that the fewest numbers prove, the nearest to a cell of these, as in why/minimal/reasons.py.
 * @param {Engine} engine
 * @param {ReturnType<typeof boardOf>} asked
 * @param {number[]} safe
 * @param {Cell | null} last
 */
function easiestOf(engine, { board, position, neighbours }, safe, last) {
  const { cells, cols } = position;
  const away = (/** @type {number} */ at) =>
    last ? Math.max(Math.abs(Math.floor(at / cols) - last[0]), Math.abs((at % cols) - last[1])) : 0;
  const nearest = [...safe].sort((one, other) => away(one) - away(other) || one - other);
  const hasAll = (/** @type {number} */ at) =>
    numberOf(cells[at]) === neighbours[at].filter((other) => cells[other] === "*").length;
  const single = nearest.find((at) => neighbours[at].some(hasAll));
  /** @type {ForcedCell | null} */
  let easiest = null;
  const effort = (/** @type {ForcedCell} */ { clues, total }) => (total ? Number.POSITIVE_INFINITY : clues.length);
  for (const at of single === undefined ? nearest.slice(0, MOST_EXPLAINED) : [single]) {
    const found = engine.explain(board, at);
    if (found.kind !== "either" && (!easiest || effort(found) < effort(easiest))) easiest = found;
  }
  if (!easiest) throw new Unanswered("the engine finds no reason");
  return easiest;
}

/**
 * Why a cell is forced, or two solutions that differ in it. Python has the arguments that suppose something.
 * @param {Engine} engine
 * @param {Fields} fields
 * @param {How} how
 */
function explain(engine, { board, cell }, how) {
  const { position, board: read } = boardOf(board, how);
  const place = (/** @type {number} */ at) => position.place(at);
  const found = engine.explain(read, cell);
  if (found.kind === "either") {
    const { risks, worlds } = engine.analyse(read);
    const { value, text } = rounded(risks[found.cell], worlds);
    if (text === null) throw new Unanswered("no fraction for its risk");
    const rows = (/** @type {Layout} */ layout) => `${layout}`.split("\n").slice(1);
    const told = { risk_percent: percent(value), risk_exact: text };
    return { undecided: { cell, mined: rows(found.mined), safe: rows(found.safe), ...told } };
  }
  const argument = argumentOf(found, place);
  if (argument.rule === "clue set") throw new Unanswered("something has to be supposed");
  const { total, smallest } = found;
  return { reason: { cell, mine: found.kind === "mine", clues: found.clues.map(place), total, smallest, ...argument } };
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
  const player = /** @type {import("./engine.js").Player} */ (name);
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

/** @type {Record<string, (engine: Engine, fields: Fields, how: How) => any>} */
export const ANSWERS = { hint, explain, conflict, deal, deal_no_guess: dealNoGuess, rate, redraw, watch };
