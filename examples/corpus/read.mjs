// Read the corpus in Node: count the puzzles of each pattern, and print one.
import { readFileSync } from "node:fs";

const folder = process.argv[2] ?? import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const puzzles = readFileSync(`${folder}/puzzles.jsonl`, "utf-8").trim().split("\n").map((line) => JSON.parse(line));

const counts = new Map();
for (const { pattern } of puzzles) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
for (const pattern of [...counts.keys()].sort()) console.log(pattern, counts.get(pattern));

const first = puzzles[0];
const [row, col] = first.cell;
console.log(first.board);
console.log(`${row},${col} is ${first.mine ? "a mine" : "safe"}: ${first.sentence}`);
