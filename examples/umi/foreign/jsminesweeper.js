// JSMinesweeper over UMI: D. Hill's solver for a web page, in node.
//
//     python examples/umi/foreign/build.py JSMinesweeper
//
// Its scripts expect their page: constants and functions of main.js are defined here, and output goes nowhere. The
// options are those of its own `bulkRun`, which opens all certain cells of an answer, or else the first one.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const vm = require("node:vm");

const SOURCE = path.join(process.argv[2], "Minesweeper");
const SCRIPTS = [
  "client/Board.js", "client/Tile.js", "client/MinesweeperGame.js", "client/solver_main.js", "client/solver_probability_engine.js",
  "client/Brute_force.js", "client/BruteForceAnalysis.js", "client/SolutionCounter.js", "client/EfficiencyHelper.js",
  "client/FiftyFiftyHelper.js", "client/LongTermRiskHelper.js", "Utility/PrimeSieve.js", "Utility/Binomial.js",
  "Utility/Compression.js",
];

const nothing = () => {};
const page = vm.createContext({
  console: { log: nothing, warn: nothing, error: nothing },
  analysisMode: false,
  BOMB: 9,
  performance,
  showMessage: nothing,
  sleep: async () => {},
});
for (const name of SCRIPTS) vm.runInContext(fs.readFileSync(path.join(SOURCE, name), "utf8"), page, { filename: name });
const { Board, solver, ACTION_CLEAR } = vm.runInContext(
  `var binomialCache = new BinomialCache(5000, 500, new Binomial(65000, 500));
   solver();
   ({ Board, solver, ACTION_CLEAR })`,
  page,
);
const OPTIONS = { playStyle: 2, verbose: false, advancedGuessing: true, fullProbability: true, hardcore: false };

let [game, position, waiting] = [null, null, null]; // waiting: rows of a position of which not all have come

/** Their board with the numbers of these rows; it remembers the mines that the solver has found. */
function show(rows) {
  rows.forEach((row, y) => {
    [...row].forEach((symbol, x) => {
      const tile = game.board.getTileXY(x, y);
      if (!"#F".includes(symbol) && tile.isCovered()) tile.setValue(symbol === "." ? 0 : Number(symbol));
    });
  });
  return rows;
}

async function answer() {
  if (game.mines === 0 || position.every((row) => !row.includes("#"))) return everything();
  const { actions } = await solver(game.board, { ...OPTIONS });
  const clears = actions.filter((one) => one.action === ACTION_CLEAR);
  const safe = clears.filter((one) => one.prob === 1).map((one) => `${one.y},${one.x}`);
  if (clears.length && clears[0].prob === 1) return `safe ${safe.join(" ")}\ndone\n`;
  if (clears.length) return `guess ${clears[0].y},${clears[0].x}\ndone\n`;
  return "done\n";
}

function everything() {
  const cells = position.flatMap((row, y) => [...row].flatMap((symbol, x) => (symbol === "#" ? [`${y},${x}`] : [])));
  return `${cells.length ? `safe ${cells.join(" ")}\n` : ""}done\n`;
}

async function reply(line) {
  const [kind, ...words] = line.trim().split(/\s+/);
  if (waiting) {
    waiting.push(kind);
    if (waiting.length === game.rows) [position, waiting] = [show(waiting), null];
    return "";
  }
  if (kind === "umi") return "name JSMinesweeper\nversion d8ff392\nauthor David N Hill\ncan sound\numi 1\n";
  if (kind === "ping") return "pong\n";
  if (kind === "quit") process.exit(0);
  if (["", "stop", "seed"].includes(kind) || (kind === "rule" && words[0] === "first")) return "";
  if (kind === "game") {
    const [rows, cols, mines] = words.map(Number);
    page.board = new Board(0, cols, rows, mines, 0, "safe");
    [game, position] = [{ rows, mines, board: page.board }, null];
    return "";
  }
  if (kind === "board" && game) {
    waiting = [];
    return "";
  }
  if (kind === "go" && position) return answer();
  if (kind === "rule") game = position = null;
  throw new Error(kind === "rule" ? "this engine plays by the usual rules" : `cannot follow ${line.slice(0, 80)}`);
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(await reply(line).catch((error) => `error ${String(error.message).split("\n")[0]}\n`));
  }
})();
