// One measurement for benchmarks/wasm.py: seconds of processor time, of the work that standard input names.
import { readFileSync } from "node:fs";

import { load } from "../satsweep/web/static/engine/engine.js";

const { player, size, games, from, boards, mines, repeats } = JSON.parse(readFileSync(0, "utf8"));
const engine = await load();
const play = (number) => engine.play(player, size, { seed: "benchmark", number });
const position = ({ cells, rows, cols }) => ({ cells: Int8Array.from(cells), rows, cols, mines });
const given = boards?.map(position);
const work = () => {
  if (player) for (let number = from; number < from + games; number++) play(number);
  else for (let time = 0; time < repeats; time++) for (const board of given) engine.risks(board);
};
// After a tenth of the games the engine of JavaScript has translated all code.
if (player) for (let number = 0; number < games / 10; number++) play(number);
else work();
const before = process.cpuUsage();
work();
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
