// A UMI engine in JavaScript (node): single numbers, and numbers whose cells contain those of another.
//
//     satsweep play --agent 'cmd:node examples/umi/subsets.js'
//
// docs/umi.md has the protocol. If the cells of one number are among those of another, the rest of the other's cells
// holds the rest of its mines.
"use strict";

const readline = require("node:readline");

let game = null;
let board = null;
let random = generator(0);

/** Random numbers from 0 to 1, the same for the same seed (xorshift). */
function generator(seed) {
  let state = (seed ^ 0x9e3779b9) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Each number as the covered cells around it and the mines left among them. */
function constraints() {
  const found = [];
  board.forEach((line, row) => {
    [...line].forEach((symbol, col) => {
      if (!".12345678".includes(symbol)) return;
      const cells = [];
      let left = symbol === "." ? 0 : Number(symbol);
      for (let r = Math.max(row - 1, 0); r <= row + 1 && r < board.length; r++) {
        for (let c = Math.max(col - 1, 0); c <= col + 1 && c < line.length; c++) {
          if (board[r][c] === "#") cells.push(r * line.length + c);
          if ("F*".includes(board[r][c])) left--;
        }
      }
      if (cells.length) found.push({ cells: new Set(cells), left });
    });
  });
  return found;
}

function conclude({ cells, left }, safe, mines) {
  if (left !== 0 && left !== cells.size) return;
  for (const cell of cells) (left ? mines : safe).add(cell);
}

function claims() {
  const [safe, mines, all] = [new Set(), new Set(), constraints()];
  for (const one of all) conclude(one, safe, mines);
  for (const inner of all) {
    for (const outer of all) {
      if (inner.cells.size >= outer.cells.size || ![...inner.cells].every((cell) => outer.cells.has(cell))) continue;
      const rest = new Set([...outer.cells].filter((cell) => !inner.cells.has(cell)));
      conclude({ cells: rest, left: outer.left - inner.left }, safe, mines);
    }
  }
  return { safe, mines };
}

/** A covered cell whose numbers ask for the smallest share of mines. */
function guess() {
  const risk = new Map();
  for (const { cells, left } of constraints()) {
    for (const cell of cells) risk.set(cell, Math.max(risk.get(cell) ?? 0, left / cells.size));
  }
  const covered = [...board.join("")].flatMap((symbol, index) => (symbol === "#" ? [index] : []));
  if (!covered.length) return [];
  const known = [...board.join("")].filter((symbol) => "F*".includes(symbol)).length;
  const share = game.mines === "-" ? 0.2 : (game.mines - known) / covered.length;
  const risks = covered.map((cell) => risk.get(cell) ?? share);
  const least = Math.min(...risks);
  const best = covered.filter((_, index) => risks[index] === least);
  return [best[Math.floor(random() * best.length)]];
}

function move() {
  const width = board[0].length;
  const { safe, mines } = claims();
  const chosen = safe.size || mines.size ? [] : guess();
  const found = { safe, mine: mines, guess: chosen };
  const lines = Object.entries(found).map(([kind, cells]) => {
    const words = [...cells].sort((a, b) => a - b).map((cell) => `${Math.floor(cell / width)},${cell % width}`);
    return words.length ? `${kind} ${words.join(" ")}\n` : "";
  });
  return `${lines.join("")}done\n`;
}

const HANDSHAKE = "name Subsets in JavaScript\nversion 1.0\ncan changes sound untold rules\numi 1\n";
const KNOWN = ["fatal", "goal", "cascade", "first"];
let rows = null; // those of a position of which not all lines have come

function reply(line) {
  const [kind, ...words] = line.trim().split(/\s+/);
  if (rows) {
    rows.push(kind);
    if (rows.length === game.height) [board, rows] = [rows, null];
    return "";
  }
  if (kind === "umi") return HANDSHAKE;
  if (kind === "ping") return "pong\n";
  if (kind === "quit") process.exit(0);
  if (kind === "" || kind === "stop") return "";
  if (kind === "game") {
    [game, board, random] = [{ height: Number(words[0]), mines: words[2] }, null, generator(0)];
    return "";
  }
  if (kind === "rule") {
    if (KNOWN.includes(words[0])) return "";
    game = null;
    throw new Error(`cannot play by the rule ${words[0]}`);
  }
  if (kind === "seed") {
    random = generator(Number(words[0]));
    return "";
  }
  if (kind === "board" && game) {
    rows = [];
    return "";
  }
  if (kind === "set" && board) {
    const symbols = board.map((row) => [...row]);
    for (const [, row, col, symbol] of line.matchAll(/(\d+),(\d+)=(.)/g)) {
      if (symbols[row]?.[col] === undefined) throw new Error(`no cell ${row},${col}`);
      symbols[row][col] = symbol;
    }
    board = symbols.map((row) => row.join(""));
    return "";
  }
  if (kind === "go" && board) return move();
  throw new Error(`cannot follow ${line.slice(0, 80)}`);
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  try {
    process.stdout.write(reply(line));
  } catch (error) {
    process.stdout.write(`error ${error.message}\n`);
  }
});
