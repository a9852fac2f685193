// A UMI engine in JavaScript (node), in JSON lines: single numbers, and numbers whose cells contain those of another.
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
  const width = board[0].length;
  const covered = [...board.join("")].flatMap((symbol, index) => (symbol === "#" ? [index] : []));
  if (!covered.length) return null;
  const known = [...board.join("")].filter((symbol) => "F*".includes(symbol)).length;
  const share = game.mines == null ? 0.2 : (game.mines - known) / covered.length;
  const risks = covered.map((cell) => risk.get(cell) ?? share);
  const least = Math.min(...risks);
  const best = covered.filter((_, index) => risks[index] === least);
  const cell = best[Math.floor(random() * best.length)];
  return [Math.floor(cell / width), cell % width];
}

function move() {
  const width = board[0].length;
  const cells = (found) => [...found].sort((a, b) => a - b).map((cell) => [Math.floor(cell / width), cell % width]);
  const { safe, mines } = claims();
  const answer = { done: true, safe: cells(safe), mine: cells(mines) };
  if (!safe.size && !mines.size) answer.guess = guess();
  return answer;
}

const KNOWN = ["fatal", "goal", "cascade", "first"];

function reply(line) {
  if (line.startsWith("umi ")) return reply('{"umi": 1}');
  const request = JSON.parse(line);
  if (request.umi) {
    return { umi: 1, name: "Subsets in JavaScript", version: "1.0", can: ["changes", "sound", "untold", "rules"] };
  }
  if (request.ping) return { pong: true };
  if (request.quit) process.exit(0);
  if (request.stop) return null;
  if (request.game) {
    const strange = Object.keys(request.game.rules ?? {}).find((key) => !KNOWN.includes(key));
    if (strange) throw new Error(`cannot play by the rule ${strange}`);
    [game, board, random] = [request.game, null, generator(request.game.seed ?? 0)];
    return null;
  }
  if (request.board && game) {
    board = request.board;
    return null;
  }
  if (request.set && board) {
    const rows = board.map((row) => [...row]);
    for (const [row, col, symbol] of request.set) {
      if (rows[row]?.[col] === undefined) throw new Error(`no cell ${row},${col}`);
      rows[row][col] = symbol;
    }
    board = rows.map((row) => row.join(""));
    return null;
  }
  if (request.go && board) return move();
  throw new Error("cannot follow");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (!line.trim()) return;
  let answer;
  try {
    answer = reply(line);
  } catch (error) {
    answer = { error: `${error.message}`.slice(0, 80) };
  }
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
