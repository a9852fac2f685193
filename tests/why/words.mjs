// Reasons of forced cells, and conflicts, in the words of JavaScript: a board on each line of the input, an answer on each
// line of the output. "cells" names the cells in question, "conflict" asks for contradictory numbers.
import { createInterface } from "node:readline";
import { load } from "../../satsweep/page/static/engine/engine.js";
import { inWords } from "../../satsweep/page/static/engine/arguments.js";

const engine = await load();
for await (const line of createInterface({ input: process.stdin })) {
  const { board, mines, cells, neighbours } = JSON.parse(line);
  const options = { mines, neighbours };
  const told = (reason) => {
    const { kind, technique, clues, total } = reason;
    return { kind, technique, clues, total, ...inWords(reason) };
  };
  const conflict = cells ? null : engine.conflict(board, options);
  const answer = cells ? cells.map((cell) => told(engine.explain(board, cell, options))) : conflict && told(conflict);
  console.log(JSON.stringify(answer));
}
