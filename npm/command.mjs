#!/usr/bin/env node
// The command `npx satsweep [FILE]`: forced cells and risks of a board, and what to open.
import { readFileSync } from "node:fs";

import { ImpossibleError, load, SatsweepError } from "./engine.js";

const HELP = `npx satsweep [FILE]

Prints the forced cells of a board, the risk of every other cell in percent, and what to open. FILE is text: "mines N",
the mine total, and below it the rows: # is a covered cell, a digit an open number, . an open zero. Without FILE, or for
-, the board is read from standard input.

Exit codes: 0 solved, 1 no world agrees with the board, 2 usage, 3 the board cannot be read.
All other commands are those of the Python package: https://satsweep.github.io/satsweep/`;
const EXAMPLE = "mines 3\n##1.\n##21\n####\n";

/** @param {string} line @param {number} code @returns {never} */
function fail(line, code) {
  console.error(line);
  process.exit(code);
}

/** @param {string} file */
function text(file) {
  if (file === "-" && process.stdin.isTTY) {
    console.log(`a board of this form is read from standard input, or from a file; this is an example:\n\n${EXAMPLE}`);
    return EXAMPLE;
  }
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    return fail(`${file}: expected a readable file: ${/** @type {Error} */ (error).message}`, 3);
  }
}

const [file = "-", ...more] = process.argv.slice(2);
if (file === "--help" || file === "-h") {
  console.log(HELP);
} else if (more.length || (file.startsWith("-") && file !== "-")) {
  fail(`expected one file, found ${process.argv.slice(2).join(" ")}; npx satsweep --help`, 2);
} else {
  const board = text(file);
  try {
    const engine = await load(readFileSync(new URL("satsweep.wasm", import.meta.url)));
    const { safe, mines, risks, worlds } = engine.analyse(board);
    const { guess } = engine.advise(board);
    const rows = board.split("\n").filter((line) => line.trim() && !line.startsWith("mines"));
    const cols = risks.length / rows.length;
    const name = (/** @type {number} */ cell) => `${Math.floor(cell / cols)},${cell % cols}`;
    const names = (/** @type {number[]} */ cells) => cells.map(name).join(" ") || "none";
    const shown = [...risks].map((risk, cell) => {
      const symbol = rows[Math.floor(cell / cols)].trim()[cell % cols];
      const known = risk === 0 ? "ok" : risk === 1 ? "*" : `${Math.min(99, Math.max(1, Math.round(100 * risk)))}`;
      return (Number.isNaN(risk) ? symbol : known).padStart(3);
    });
    for (let row = 0; row < rows.length; row++) console.log(shown.slice(row * cols, (row + 1) * cols).join(""));
    console.log(`\nworlds  ${worlds}\nsafe    ${names(safe)}\nmines   ${names(mines)}`);
    if (guess) console.log(`best    ${name(guess.cell)}, chance to win ${(100 * guess.chance).toFixed(1)} %`);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SatsweepError)) throw error;
    fail(`${file}: ${error.message}`, error instanceof ImpossibleError ? 1 : 3);
  }
}
