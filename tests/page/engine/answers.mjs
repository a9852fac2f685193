// Answers of the engine in the browser to questions on standard input, one a line; an answer has its parts before it.
import { createInterface } from "node:readline";

import { answer } from "../../../satsweep/page/static/engine/answer.js";
import { Unanswered } from "../../../satsweep/page/static/engine/answers.js";
import { load } from "../../../satsweep/page/static/engine/engine.js";
import { squareGrid } from "../../../satsweep/page/static/basics/square-grid.js";

const file = process.argv[2] ?? "satsweep.wasm";
const engine = await load(new URL(`../../../satsweep/page/static/engine/${file}`, import.meta.url));
for await (const line of createInterface({ input: process.stdin })) {
  const { ask, grid, ...fields } = JSON.parse(line);
  const parts = [];
  const found = () => {
    if (ask === "grid") return squareGrid(fields.rows, fields.cols);
    return answer(engine, ask, fields, { grid, onPart: (part) => parts.push(part) });
  };
  try {
    console.log(JSON.stringify([parts, await found()]));
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    console.log(JSON.stringify([parts, null]));
  }
}
