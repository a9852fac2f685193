// The engine against Python, bit for bit. tests/test_npm.py writes what Python says; EXPECTED names its folder.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { ImpossibleError, Layout, LimitError, load, NotFoundError } from "../satsweep/page/static/engine/engine.js";
import { inWords } from "../satsweep/page/static/engine/arguments.js";

const folder = process.env.EXPECTED;
const compared = { skip: folder ? false : "EXPECTED names no folder: pytest tests/test_npm.py compares" };
const expected = (name) => readFileSync(`${folder}/${name}`);
const engine = await load();
const SMALL = "mines 3\n##1.\n##21\n####";
const MEASURES = [
  ...["won", "turns", "opened", "right", "wrong", "minesHit", "guesses", "guessesLost", "claims"],
  "beyondBasic",
];

test("games", compared, () => {
  for (const { player, size, seed, games, file } of JSON.parse(expected("games.json"))) {
    const found = [];
    for (let number = 0; number < games; number++) {
      const game = engine.play(player, size, { seed, number });
      const outcome = { cleared: 1, exploded: 2, stuck: 4 }[game.outcome];
      found.push(outcome, ...MEASURES.map((measure) => Number(game[measure])), game.moves.length);
    }
    assert.ok(Buffer.from(new Int32Array(found).buffer).equals(expected(file)), `${player} ${JSON.stringify(size)}`);
  }
});

test("positions", compared, () => {
  const positions = JSON.parse(expected("positions.json"));
  const [risks, guesses] = [expected("risks.bin"), []];
  let at = 0;
  for (const { board, mines, worlds, neighbours } of positions) {
    const found = engine.analyse(board, { mines, neighbours });
    const bytes = Buffer.from(found.risks.buffer);
    assert.ok(bytes.equals(risks.subarray(at, at + bytes.length)));
    assert.equal(`${found.worlds}`, worlds);
    at += bytes.length;
    const { safe, guess } = engine.advise(board, { mines, neighbours });
    assert.deepEqual(safe, found.safe);
    if (guess) guesses.push(guess.cell, guess.chance, Number(guess.exact), ...guess.candidates.map((one) => one.score ?? -1));
  }
  assert.equal(at, risks.length);
  assert.ok(Buffer.from(new Float64Array(guesses).buffer).equals(expected("guesses.bin")));
});

test("large boards", compared, () => {
  const { rows, mines, neighbours } = JSON.parse(expected("large.json"));
  const bytes = expected("large.bin");
  const own = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  for (const options of [{ mines }, { mines, neighbours }]) {
    assert.deepEqual(engine.risks(rows, options), own);
    const { safe, mines: forced, guess } = engine.advise(rows, options);
    assert.ok(safe.length && forced.length && guess === null);
    assert.ok(safe.every((cell) => own[cell] === 0) && forced.every((cell) => own[cell] === 1));
    assert.deepEqual(engine.advise(SMALL).safe, [9]);
  }
});

test("boards", compared, () => {
  for (const { size, seed, layout, dealt } of JSON.parse(expected("boards.json"))) {
    assert.equal(`${engine.noGuess(size, seed)}`, layout);
    assert.equal(`${engine.deal(size, seed)}`, dealt);
  }
});

test("a game on a layout", compared, () => {
  const { layout, moves } = JSON.parse(expected("layout.json"));
  const game = engine.play("deep", layout, { seed: "layout" });
  const named = { open: 0, flag: 1, start: 0, forced: 1, guess: 2 };
  const found = game.moves.map((move) => [move.turn, named[move.action], move.cell, named[move.reason]]);
  assert.deepEqual(found, moves);
  assert.equal(`${game.layout}`, layout);
});

test("boards in every form", () => {
  const risks = engine.risks(SMALL);
  const cells = [-1, -1, 1, 0, -1, -1, 2, 1, -1, -1, -1, -1];
  const rows = [0, 4, 8].map((at) => cells.slice(at, at + 4));
  const near = cells.map((_, cell) => cells.flatMap((_, other) => {
    const [down, right] = [Math.floor(cell / 4) - Math.floor(other / 4), (cell % 4) - (other % 4)];
    return cell !== other && Math.abs(down) < 2 && Math.abs(right) < 2 ? [other] : [];
  }));
  const board = { cells: Int8Array.from(cells), rows: 3, cols: 4, mines: 3 };
  for (const again of [
    ...[`\n// a comment\n${SMALL.replace(".", "0")}\n`, board, { ...board, neighbours: near }].map((one) => engine.risks(one)),
    ...[["##1.", "##21", "####"], rows, ["F#10", "##21", "####"]].map((one) => engine.risks(one, { mines: 3 })),
    engine.risks(rows, { mines: 3, neighbours: near }),
  ])
    assert.deepEqual(again, risks);
});

test("layouts that are drawn among all that agree", () => {
  const counts = new Map();
  for (let seed = 0; seed < 12_000; seed++) {
    const { cells, mines } = engine.randomWorld(SMALL, { seed });
    assert.equal(mines, 3);
    counts.set(cells.join(""), (counts.get(cells.join("")) ?? 0) + 1);
  }
  assert.equal(BigInt(counts.size), engine.analyse(SMALL).worlds);
  const expected = 12_000 / counts.size;
  const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chi < 31.3, `${chi}`); // 11 degrees of freedom, p = 0.001
  assert.deepEqual(engine.randomWorld(SMALL, { seed: "s" }), engine.randomWorld(SMALL, { seed: "s" }));
  const known = engine.randomWorld(["*?", "##"], { mines: 2 });
  assert.deepEqual([...known.cells.subarray(0, 2)], [1, 0]);
  assert.throws(() => engine.randomWorld("mines 0\n#1"), ImpossibleError);
});

test("small memory until deep is asked", async () => {
  const own = await load(readFileSync(fileURLToPath(new URL("../satsweep/page/static/engine/satsweep.wasm", import.meta.url))));
  own.risks(SMALL);
  own.play("sat", { rows: 9, cols: 9, mines: 10 });
  assert.ok(own.memory < 100e6, `${own.memory}`);
  const before = own.play("sat", { rows: 16, cols: 30, mines: 99 }, { seed: 3 });
  own.advise(["##", "##"], { mines: 1 });
  assert.deepEqual(own.play("sat", { rows: 16, cols: 30, mines: 99 }, { seed: 3 }), before);
});

test("wrong arguments", () => {
  const size = { rows: 9, cols: 9, mines: 10 };
  const message = (ask) => {
    try {
      ask();
    } catch (error) {
      assert.equal(error.constructor, TypeError, `${error}`);
      assert.match(error.message, /^expected .*, found |^expected neighbours/);
      return error.message;
    }
    assert.fail(`${ask}`);
  };
  assert.equal(message(() => engine.risks(5)), "expected a board: text, rows, or {cells, rows, cols, mines}, found 5");
  assert.equal(message(() => engine.risks("##\n#1")), "expected mines, an integer from 0 to 4, found undefined");
  for (const ask of [
    () => engine.risks(null),
    () => engine.risks([]),
    () => engine.risks("mines 1"),
    () => engine.risks("mines x\n##"),
    () => engine.risks("mines 1\nmines 1\n##"),
    () => engine.risks("mines 1\ntopology hex\n##"),
    () => engine.risks(["##", "#"], { mines: 1 }),
    () => engine.risks(["#x"], { mines: 1 }),
    () => engine.risks([[-4]], { mines: 1 }),
    () => engine.risks([["1", 1.5]], { mines: 1 }),
    () => engine.risks(["##"], { mines: 3 }),
    () => engine.risks(["##"], 1),
    () => engine.risks({ cells: [-1], rows: 1, cols: 2, mines: 1 }),
    () => engine.risks(["##"], { mines: 1, neighbours: [[1]] }),
    () => engine.risks(["##"], { mines: 1, neighbours: [[1], [2]] }),
    () => engine.risks(["##"], { mines: 1, neighbours: [[1], []] }),
    () => engine.advise(SMALL, { level: 6 }),
    ...["risks", "advise", "analyse", "randomWorld"].map((name) => () => engine[name](SMALL, null)),
    () => engine.play("sat", size, null),
    () => engine.play("gem", size),
    () => engine.play("sat", ["..", ".x"]),
    () => engine.play("sat", "mines 2\n.*"),
    () => engine.play("sat", size, { number: -1 }),
    () => engine.play("sat", size, { first: "given" }),
    () => engine.deal(size, 1.5),
    () => engine.deal(size, "x".repeat(257)),
    () => engine.deal({ ...size, mines: 82 }),
    () => engine.deal({ ...size, start: [9, 0] }),
    () => engine.noGuess({ ...size, technique: "gem" }),
    () => engine.noGuess({ ...size, start: 81 }),
    () => engine.noGuess({ ...size, method: "magic" }),
    () => engine.noGuess(),
  ])
    message(ask);
});

test("what cannot be answered", async () => {
  assert.throws(() => engine.risks("mines 0\n#1"), ImpossibleError);
  assert.throws(() => engine.noGuess({ rows: 3, cols: 3, mines: 5, start: 4 }), ImpossibleError);
  const none = { rows: 2, cols: 2, mines: 2, start: 0, first: "safe" };
  for (const method of ["rejection", "repair", undefined])
    assert.throws(() => engine.noGuess({ ...none, method }), NotFoundError);
  assert.throws(() => engine.deal({ rows: 102, cols: 101, mines: 5 }), LimitError);
  const blank = { cells: new Int8Array(102 * 101).fill(-1), rows: 102, cols: 101, mines: 102 };
  assert.ok(engine.risks(blank).every((risk) => Math.abs(risk - 1 / 101) < 1e-12));
  for (const ask of ["advise", "analyse", "randomWorld"]) assert.throws(() => engine[ask](blank), LimitError);
  assert.throws(() => engine.risks({ ...blank, cells: new Int8Array(2049 * 2048), rows: 2049, cols: 2048 }), LimitError);
  assert.throws(() => engine.risks("mines 3\npart top,left\n##1.\n##21\n####"), LimitError);
  assert.deepEqual(engine.risks(`part none\n${SMALL}`), engine.risks(SMALL));
  await assert.rejects(load(/** @type {any} */ (5)), TypeError);
  assert.equal(new ImpossibleError("").name, "ImpossibleError");
});

test("the examples of the README and of Your game", async () => {
  const documents = ["README.md", "../docs/guides/your-game.md"];
  const text = documents.map((path) => readFileSync(new URL(path, import.meta.url), "utf8")).join("\n");
  const examples = [...text.matchAll(/```js\n([^]*?)```/g)].map((found) => found[1]);
  assert.equal(examples.length, 7);
  const named = (example, [name, file]) =>
    example.replace(`"${name}"`, `"${new URL(`../satsweep/page/static/engine/${file}`, import.meta.url)}"`);
  const modules = Object.entries({ satsweep: "engine.js", "satsweep/words": "arguments.js" });
  const { inspect } = await import("node:util");
  const print = console.log;
  for (const example of examples) {
    const said = [];
    console.log = (...values) => said.push(values.map((one) => (typeof one === "string" ? one : inspect(one))).join(" "));
    try {
      await import(`data:text/javascript,${encodeURIComponent(modules.reduce(named, example))}`);
    } finally {
      console.log = print;
    }
    const wanted = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((found) => found[1]);
    assert.ok(wanted.length > 0);
    assert.deepEqual(said, wanted);
  }
});

test("reasons", () => {
  const forced = engine.explain(SMALL, [2, 1]);
  assert.deepEqual([forced.kind, forced.cell, forced.clues, forced.total], ["safe", 9, [2, 6, 7], false]);
  const { kind, cell, mined, safe } = engine.explain(SMALL, 0);
  assert.deepEqual([kind, cell, mined.cells[0], safe.cells[0], mined.mines, safe.mines], ["either", 0, 1, 0, 3, 3]);
  assert.equal(engine.conflict(SMALL), null);
  const conflict = engine.conflict(["1#", "3#"], { mines: 1 });
  assert.deepEqual([conflict.kind, conflict.clues, conflict.total], ["conflict", [2], false]);
  assert.equal(inWords(conflict).text.split(".")[0], "The 3 at row 1, column 0 cannot be true");
  for (const wrong of [2, 12, [0, 4], "0,0"]) assert.throws(() => engine.explain(SMALL, wrong), TypeError);
  assert.throws(() => engine.explain(["1#", "3#"], 1, { mines: 1 }), ImpossibleError);
  assert.throws(() => inWords(engine.explain(SMALL, 0)), TypeError);
});

test("a layout is read as it is printed", () => {
  const dealt = engine.deal({ rows: 9, cols: 9, mines: 10, start: [4, 4] }, "printed");
  assert.ok(dealt instanceof Layout && dealt.start === 40 && dealt.mines === 10);
  const game = engine.play("sat", dealt);
  assert.deepEqual(engine.play("sat", `${dealt}`), game);
  assert.deepEqual(game.moves[0], { turn: 0, action: "open", cell: 40, reason: "start" });
});
