// @ts-check
/**
 * The exact Minesweeper engine: the library of satsweep as WebAssembly, in browsers, Node, Deno and Bun.
 *
 *     const engine = await load();
 *     engine.risks("mines 3\n##1.\n##21\n####");
 *
 * Cells are numbered row by row from 0. Results are those of the Python package, bit for bit; a seed gives the same games
 * and boards. An engine answers one question at a time, in the thread that asks: put it into a worker for long ones.
 */

const CELLS = 10_240; // of boards of which all is known; of larger ones the risks
const MOST_CELLS = 4_194_304;
const DEGREE = 26;
const DIGITS = 3_100;
const MOST_SEED = 256;
const MEASURES = /** @type {const} */ ([
  ...["outcome", "won", "turns", "opened", "right", "wrong", "minesHit", "guesses", "guessesLost", "claims"],
  ...["beyondBasic", "moves"],
]);
const OUTCOMES = /** @type {const} */ ({ 1: "cleared", 2: "exploded", 4: "stuck" });
const FIRST = { any: 0, safe: 1, zero: 2, given: 3 };
const TECHNIQUES = { single: 0, all: 1, pairs: 2 };
const NOT_FOUND = 6;
const REASONS = /** @type {const} */ (["start", "forced", "guess"]);
const KINDS = /** @type {const} */ (["safe", "mine", "either", "conflict"]);
const BY = /** @type {const} */ (["single", "pair", "several", "total"]);
const NUMBERS = ".123456789abcdefghijklmnopq";
const COVERED = -1;
const MINE = -2;
const SAFE = -3;

// Candidates as in satsweep/generator/run.py.
const PILOT = { candidates: 10_000, cells: 5_000_000, least: 100 };
const BOARDS_BY_REJECTION = { ordered: 100, tried: 20 };
const BOARDS_BY_REPAIR = 100;
const CHANGES = 1_000; // so many swaps, then as many exchanges for each thousand cells
const FEW_LAYOUTS = 50_000n;
const STEP = 500_000; // cells of the candidates between two steps of a search

// Places of arguments and results in memory, from its free beginning on. Neighbours are read before all others.
const AT = { symbols: 0, mined: 10_240, floats: 20_480, cells: 102_400, moves: 143_360, text: 307_200, small: 310_400 };
const ARGUMENTS = 4 * CELLS * DEGREE;

/**
 * @typedef {readonly (readonly number[])[]} Neighbours the neighbours of each cell: any topology
 * @typedef {{
 *   cells: ArrayLike<number>, rows: number, cols: number, mines: number, neighbours?: Neighbours,
 * }} CellBoard a board of integers: 0 to 8 numbers, -1 covered, 9 a known mine, -2 open without a number, -3 a flag, 109
 *   and more the numbers from 9 on
 * @typedef {string | readonly string[] | readonly (readonly (string | number)[])[] | CellBoard} BoardLike text, rows of
 *   symbols (# covered, . or digits, * a known mine, F a flag, ? open without a number) or of integers
 * @typedef {{ mines?: number, neighbours?: Neighbours }} BoardOptions mines: their total, where the board does not say it
 * @typedef {number | readonly [number, number]} CellLike a number, or row and column
 * @typedef {string | number | bigint} Seed
 * @typedef {"any" | "safe" | "zero"} First promise about the first cell: nothing, no mine, none around it either
 * @typedef {"single" | "pairs" | "all"} Technique what clears a board: single numbers, pairs of numbers, too, all forced cells
 * @typedef {"sat" | "deep" | "deep:1" | "deep:2" | "deep:3" | "deep:4" | "deep:5"} Player
 * @typedef {{
 *   rows: number, cols: number, mines: number, neighbours?: Neighbours, start?: CellLike, first?: First, number?: number,
 * }} Size a random board; number: its place in the run of a seed
 * @typedef {Size & { technique?: Technique, method?: "rejection" | "repair" }} NoGuessSize
 * @typedef {{ cell: number, score: number | null }} Candidate score: null where it was not looked at, as it cannot be better
 * @typedef {{ cell: number, chance: number, exact: boolean, risk: number, candidates: Candidate[] }} Guess
 * @typedef {{ safe: number[], mines: number[], risks: Float64Array, guess: Guess | null }} Advice
 * @typedef {{ safe: number[], mines: number[], risks: Float64Array, worlds: bigint }} Analysis
 * @typedef {{ turn: number, action: "open" | "flag", cell: number, reason: typeof REASONS[number] }} Move
 * @typedef {{
 *   outcome: "cleared" | "exploded" | "stuck", won: boolean, turns: number, opened: number, right: number, wrong: number,
 *   minesHit: number, guesses: number, guessesLost: number, claims: number, beyondBasic: number, moves: Move[],
 *   layout: Layout,
 * }} Game
 * @typedef {{
 *   symbols: Int8Array, rows: number, cols: number, mines: number, neighbours: Neighbours,
 * }} KnownPosition symbols: a number, -1 covered, -2 a known mine, -3 open without a number
 * @typedef {{
 *   technique: typeof BY[number], clues: number[], total: boolean, smallest: boolean, position: KnownPosition,
 * }} ClueSet numbers, none of which can be left out, in the order of their cells; total: with the mine total; smallest:
 *   whether no smaller set does
 * @typedef {ClueSet & { kind: "conflict" }} Conflict numbers that cannot all be true
 * @typedef {ClueSet & { kind: "safe" | "mine", cell: number }} ForcedCell numbers that force a cell
 * @typedef {{ kind: "either", cell: number, mined: Layout, safe: Layout }} OpenCell a cell that is not forced: a layout
 *   with a mine there, and one without
 * @typedef {Conflict | ForcedCell | OpenCell} Reason
 * @typedef {string | URL | Response | BufferSource | WebAssembly.Module} Source
 * @typedef {{ rows: number, cols: number, neighbours?: Neighbours }} Grid
 * @typedef {Grid & { symbols: Int8Array, mines: number }} Position
 * @typedef {WebAssembly.Exports & { memory: WebAssembly.Memory, __heap_base: WebAssembly.Global }
 *   & Record<`satsweep_${string}`, (...values: (number | bigint)[]) => number>} Library
 */

/** What the engine says in place of an answer. */
export class SatsweepError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = new.target.name;
  }
}

/** No world agrees with the position, or no layout has room for what was asked. */
export class ImpossibleError extends SatsweepError {}

/** The question is beyond the limits of the engine; satsweep in Python may have an answer. */
export class LimitError extends SatsweepError {}

/** None of the boards that were tried is as ordered. */
export class NotFoundError extends SatsweepError {}

/** The mines of a board. */
export class Layout {
  /**
   * @param {Int8Array} cells 1 for each mine
   * @param {Grid} grid
   * @param {number | null} start
   */
  constructor(cells, grid, start) {
    this.cells = cells;
    this.rows = grid.rows;
    this.cols = grid.cols;
    this.neighbours = grid.neighbours;
    this.mines = cells.reduce((sum, mine) => sum + mine, 0);
    this.start = start;
  }

  /** The text form, as Python prints and reads it. */
  toString() {
    const lines = [`mines ${this.mines}`];
    if (this.start !== null) lines.push(`start ${Math.floor(this.start / this.cols)},${this.start % this.cols}`);
    for (let row = 0; row < this.rows; row++)
      lines.push(
        Array.from(this.cells.subarray(row * this.cols, (row + 1) * this.cols), (mine) => ".*"[mine]).join(""),
      );
    return lines.join("\n");
  }
}

/**
 * Load the engine. Without a source that is the file satsweep.wasm beside this module.
 *
 * @param {Source | Promise<Source>} [source] its address, a response of fetch, its bytes, or a compiled module
 * @returns {Promise<Engine>}
 */
export async function load(source = new URL("satsweep.wasm", import.meta.url)) {
  const { exports } = await WebAssembly.instantiate(await compiled(await source), {});
  return new Engine(/** @type {Library} */ (exports));
}

/** @param {Source} source @returns {Promise<WebAssembly.Module>} */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof source === "string" || source instanceof URL) {
    if (String(source).startsWith("file:")) {
      const files = "node:fs/promises"; // browsers have none
      return WebAssembly.compile(await (await import(files)).readFile(new URL(source)));
    }
    source = await fetch(source);
  }
  if (!(source instanceof Response)) throw wrong("the address of satsweep.wasm, a Response, bytes or a module", source);
  if (!source.ok) throw new SatsweepError(`${source.url} cannot be read: ${source.status} ${source.statusText}`);
  if (WebAssembly.compileStreaming && source.headers.get("content-type") === "application/wasm")
    return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** The engine; `load` makes one. */
export class Engine {
  #library;
  #begin;
  #room;
  #behind = 0;
  #deep = false;
  #grid = "";
  #table = new Int32Array(0);
  #pilot = { asked: "", found: false };

  /** @param {Library} library */
  constructor(library) {
    this.#library = library;
    this.#begin = rounded(library.__heap_base.value);
    this.#room = rounded(this.#begin + ARGUMENTS);
  }

  /**
   * The risk of each covered cell, its probability of a mine: 0 or 1 only if that is certain. NaN for other cells.
   * Boards may have up to 4,194,304 cells here, and in `advise` if some cell is safe; 10,240 elsewhere.
   *
   * @param {BoardLike} board
   * @param {BoardOptions} [options]
   * @returns {Float64Array}
   */
  risks(board, options = {}) {
    return this.#risks(positionOf(board, options));
  }

  /**
   * What to do in a position: the safe cells, or the best guess and the chance to win with it.
   *
   * The chance is that of best play to the end where `exact` says so, else an estimate; then the guess has its candidates,
   * with their scores. There is no guess where a cell is safe, or where every covered cell is a mine.
   *
   * @param {BoardLike} board
   * @param {BoardOptions & { level?: number }} [options] level of the deep player, 1 (fast) to 5 (strong)
   * @returns {Advice}
   */
  advise(board, options = {}) {
    const position = positionOf(board, options);
    const level = wholeNumber(options.level ?? 2, "a level", 1, 5);
    const risks = this.#risks(position);
    const forced = forcedOf(risks);
    if (forced.safe.length) return { ...forced, risks, guess: null };
    this.#place(position, true);
    const { small } = AT;
    const places = [0, 8, 16].map((place) => this.#at(small + place));
    this.#ask("guess", this.#at(AT.symbols), position.mines, level, ...places);
    const words = this.#words(small, 5);
    const [cell, exact] = [words[0], words[4] === 1];
    if (cell < 0) return { ...forced, risks, guess: null };
    const chance = this.#floats(small + 8, 1)[0];
    this.#ask("candidates", this.#at(AT.cells), this.#at(AT.floats), CELLS, this.#at(small));
    const count = this.#words(small, 1)[0];
    const scores = this.#floats(AT.floats, count);
    const candidates = Array.from(this.#words(AT.cells, count), (one, at) => ({
      cell: one,
      score: scores[at] < 0 ? null : scores[at],
    }));
    return { ...forced, risks, guess: { cell, chance, exact, risk: risks[cell], candidates } };
  }

  /**
   * The forced cells of a position, its risks, and the number of its worlds: of all layouts that agree with it.
   *
   * @param {BoardLike} board
   * @param {BoardOptions} [options]
   * @returns {Analysis}
   */
  analyse(board, options = {}) {
    const position = positionOf(board, options);
    checkCells(position, CELLS);
    const risks = this.#risks(position);
    this.#ask("worlds", this.#at(AT.symbols), position.mines, 0, this.#at(AT.text), DIGITS);
    const digits = this.#bytes(AT.text, DIGITS);
    const worlds = BigInt(new TextDecoder().decode(digits.slice(0, digits.indexOf(0))));
    return { ...forcedOf(risks), risks, worlds };
  }

  /**
   * Why a covered cell is safe, or a mine: the smallest set of numbers that forces it. `inWords` of satsweep/words says it.
   *
   * @param {BoardLike} board
   * @param {CellLike} cell
   * @param {BoardOptions} [options]
   * @returns {ForcedCell | OpenCell}
   */
  explain(board, cell, options = {}) {
    const position = positionOf(board, options);
    const asked = cellOf(cell, position);
    if (position.symbols[asked] !== COVERED) throw wrong("a covered cell", cell);
    this.#place(position);
    const places = [this.#at(AT.small), this.#at(AT.cells), this.#at(AT.moves)];
    this.#ask("explain", this.#at(AT.symbols), position.mines, asked, ...places);
    const found = this.#clueSet(position);
    const kind = KINDS[this.#words(AT.small, 1)[0]];
    if (kind !== "either") return { kind: /** @type {"safe" | "mine"} */ (kind), cell: asked, ...found };
    const size = position.symbols.length;
    const layout = (/** @type {number} */ at) => new Layout(this.#bytes(AT.moves + at, size).slice(), position, null);
    return { kind, cell: asked, mined: layout(0), safe: layout(size) };
  }

  /**
   * The smallest set of numbers that cannot all be true; null if some world agrees with the board.
   *
   * @param {BoardLike} board
   * @param {BoardOptions} [options]
   * @returns {Conflict | null}
   */
  conflict(board, options = {}) {
    const position = positionOf(board, options);
    this.#place(position);
    this.#ask("conflict", this.#at(AT.symbols), position.mines, this.#at(AT.small), this.#at(AT.cells));
    const kind = KINDS[this.#words(AT.small, 1)[0]];
    return kind === "conflict" ? { kind, ...this.#clueSet(position) } : null;
  }

  /** The numbers that were found. @param {Position} position @returns {ClueSet} */
  #clueSet({ symbols, rows, cols, mines }) {
    const [, technique, total, smallest, count] = this.#words(AT.small, 5);
    const own = this.#table.length / symbols.length;
    const around = (/** @type {number} */ cell) => Array.from(this.#table.subarray(cell * own, (cell + 1) * own));
    const neighbours = Array.from(symbols, (_, cell) => around(cell).filter((other) => other >= 0));
    return {
      technique: BY[technique],
      clues: Array.from(this.#words(AT.cells, count)),
      total: total === 1,
      smallest: smallest === 1,
      position: { symbols: symbols.slice(), rows, cols, mines, neighbours },
    };
  }

  /**
   * A layout that agrees with a position, drawn among all of them with equal chances.
   *
   * @param {BoardLike} board
   * @param {BoardOptions & { seed?: Seed }} [options] the same seed draws the same layout for a position
   * @returns {Layout}
   */
  randomWorld(board, options = {}) {
    const position = positionOf(board, options);
    let salt = 0xcbf29ce484222325n; // FNV-1a of the seed
    for (const byte of new TextEncoder().encode(seedOf(options.seed ?? 0)))
      salt = BigInt.asUintN(64, (salt ^ BigInt(byte)) * 0x100000001b3n);
    this.#place(position);
    this.#ask("draw", this.#at(AT.symbols), position.mines, BigInt.asIntN(64, salt), 1, this.#at(AT.mined));
    return new Layout(this.#bytes(AT.mined, position.symbols.length).slice(), position, null);
  }

  /**
   * A board that needs no guess from its start on, as `satsweep generate` makes it from the seed.
   *
   * Without a method, layouts are drawn where one of a first 10,000 is as ordered (all such boards are equally likely);
   * else mines are moved where play is stuck.
   *
   * @param {NoGuessSize} size start: 0 if it is not given; first: "safe" or "zero" (if it is not given)
   * @param {Seed} [seed]
   * @returns {Layout & { method: "rejection" | "repair", candidates: number }}
   */
  noGuess(size, seed = 0) {
    const search = this.searching(size, seed);
    for (;;) {
      const { done, value } = search.next();
      if (done) return value;
    }
  }

  /**
   * The search of `noGuess` in steps, which yields the number of candidates so far. Between two of them the engine may
   * answer other questions.
   *
   * @param {NoGuessSize} size
   * @param {Seed} [seed]
   * @returns {Generator<number, Layout & { method: "rejection" | "repair", candidates: number }, void>}
   */
  *searching(size, seed = 0) {
    const asked = sizeOf(size);
    const start = asked.start ?? 0;
    const first = oneOf(size.first ?? "zero", ["safe", "zero"], "a promise about the start");
    const technique = TECHNIQUES[oneOf(size.technique ?? "all", ["single", "pairs", "all"], "a technique")];
    const ordered =
      size.method === undefined ? null : oneOf(size.method, /** @type {const} */ (["rejection", "repair"]), "a method");
    const text = seedOf(seed);
    const cells = asked.rows * asked.cols;
    this.#prepare(asked, false);
    const own = this.#table.length / cells;
    const around = this.#table.subarray(start * own, (start + 1) * own).filter((one) => one >= 0).length;
    const layouts = combinations(cells - 1 - (first === "zero" ? around : 0), asked.mines);
    if (!layouts) throw new ImpossibleError("no layout has room for the start");
    const promise = first === "zero" ? 1 : 0;
    const search = (/** @type {number} */ number, /** @type {number} */ candidates, changes = 0) =>
      this.#candidates({ asked, start, promise, technique, text, number, candidates, changes });
    const pilot = Math.max(Math.min(PILOT.candidates, Math.floor(PILOT.cells / cells)), PILOT.least);
    let method = ordered;
    if (!method && layouts > pilot) {
      const key = JSON.stringify([text, { ...asked, number: 0 }, start, first, technique]);
      if (this.#pilot.asked !== key) this.#pilot = { asked: key, found: (yield* search(-1, pilot)) !== null };
      if (this.#pilot.found) method = "rejection";
    }
    method ??= layouts <= FEW_LAYOUTS ? "rejection" : "repair";
    if (method === "rejection") {
      const runs = ordered ? BOARDS_BY_REJECTION.ordered : BOARDS_BY_REJECTION.tried;
      const found = yield* search(asked.number, runs * pilot);
      if (found) return Object.assign(found, { method });
      if (ordered) throw new NotFoundError(`none of ${runs * pilot} layouts is as ordered; try the method repair`);
      method = "repair";
    }
    const found = yield* search(asked.number, BOARDS_BY_REPAIR, CHANGES * (1 + Math.ceil(cells / 1_000)));
    if (!found) throw new NotFoundError(`no board was found by repair of ${BOARDS_BY_REPAIR} layouts`);
    return Object.assign(found, { method });
  }

  /**
   * The first candidate of a run that is as ordered, null if none is; yields how many were tried.
   *
   * @param {{
   *   asked: ReturnType<typeof sizeOf>, start: number, promise: number, technique: number, text: string,
   *   number: number, candidates: number, changes: number,
   * }} order
   */
  *#candidates({ asked, start, promise, technique, text, number, candidates, changes }) {
    const cells = asked.rows * asked.cols;
    const most = changes ? 1 : Math.max(1, Math.floor(STEP / cells));
    for (let from = 0; from < candidates; from += most) {
      this.#prepare(asked, false);
      this.#write(text);
      this.#longs(AT.small, 1)[0] = BigInt(from);
      const run = [technique, asked.mines, this.#at(AT.text), BigInt(number), start, promise, this.#at(AT.small)];
      const some = [BigInt(Math.min(most, candidates - from)), BigInt(changes), this.#at(AT.mined)];
      const code = this.#code("no_guess_by", ...run, ...some);
      if (code === NOT_FOUND) {
        yield Math.min(from + most, candidates);
        continue;
      }
      this.#check(code);
      const found = new Layout(Int8Array.from(this.#bytes(AT.mined, cells)), asked, start);
      return Object.assign(found, { candidates: Number(this.#longs(AT.small, 1)[0]) + 1 });
    }
    return null;
  }

  /**
   * A game of a player, on a layout or on a random board of the seed.
   *
   * A layout with a start is played from there; else the player chooses, and `first` is the promise about that cell ("any"
   * on a layout, "safe" on a random board), for which mines may be moved. The seed decides between equally good guesses.
   *
   * @param {Player} player
   * @param {Layout | Size | string | readonly string[]} layout text or rows of . and *
   * @param {{ seed?: Seed, number?: number, first?: First, start?: CellLike, neighbours?: Neighbours }} [options]
   * @returns {Game}
   */
  play(player, layout, options = {}) {
    const names = /** @type {const} */ (["sat", "deep", "deep:1", "deep:2", "deep:3", "deep:4", "deep:5"]);
    const name = oneOf(player, names, "a player");
    const level = name === "sat" ? 0 : Number(name.slice(5) || 2);
    checkOptions(options, "{seed, number, first, start, neighbours}");
    const given = layoutOf(layout, options);
    const size = /** @type {Size} */ (layout);
    const asked = given ?? sizeOf({ ...options, ...size });
    const start = options.start === undefined ? asked.start : cellOf(options.start, asked);
    const own = given ? "any" : (size.first ?? "safe");
    const first = FIRST[oneOf(options.first ?? own, ["any", "safe", "zero"], "a promise about the first cell")];
    const number = wholeNumber(options.number ?? ("number" in asked ? asked.number : 0), "a number", 0);
    this.#prepare(asked, level > 0);
    this.#write(seedOf(options.seed ?? 0));
    const run = [this.#at(AT.text), BigInt(number), first, start ?? -1, level, this.#at(AT.small)];
    const moves = [this.#at(AT.moves), CELLS];
    if (given) {
      this.#bytes(AT.mined, CELLS).set(given.cells);
      this.#ask("play_layout", this.#at(AT.mined), ...run, ...moves);
    } else {
      this.#ask("play", asked.mines, ...run, this.#at(AT.mined), ...moves);
    }
    const words = this.#words(AT.small, MEASURES.length);
    const found = /** @type {Record<typeof MEASURES[number], number>} */ (
      Object.fromEntries(MEASURES.map((measure, at) => [measure, words[at]]))
    );
    const rows = this.#words(AT.moves, 4 * found.moves);
    return {
      ...found,
      outcome: OUTCOMES[/** @type {1 | 2 | 4} */ (found.outcome)],
      won: found.won === 1,
      moves: Array.from({ length: found.moves }, (_, at) => ({
        turn: rows[4 * at],
        action: rows[4 * at + 1] ? "flag" : "open",
        cell: rows[4 * at + 2],
        reason: REASONS[rows[4 * at + 3]],
      })),
      layout: new Layout(Int8Array.from(this.#bytes(AT.mined, asked.rows * asked.cols)), asked, start),
    };
  }

  /**
   * A random board of a seed. With a start no mine is in it (first "safe"), or none around it either ("zero", if it is not
   * given).
   *
   * @param {Size} size
   * @param {Seed} [seed]
   * @returns {Layout}
   */
  deal(size, seed = 0) {
    const asked = sizeOf(size);
    const first = oneOf(size.first ?? "zero", ["any", "safe", "zero"], "a promise about the start");
    this.#prepare(asked, false);
    this.#write(seedOf(seed));
    const start = first === "any" ? -1 : (asked.start ?? -1);
    const promise = first === "zero" ? 1 : 0;
    this.#ask("deal", asked.mines, this.#at(AT.text), BigInt(asked.number), start, promise, this.#at(AT.mined));
    return new Layout(Int8Array.from(this.#bytes(AT.mined, asked.rows * asked.cols)), asked, asked.start);
  }

  /** Bytes of memory in use; those of the deep player, once it is asked, are mostly never touched. */
  get memory() {
    return this.#library.memory.buffer.byteLength;
  }

  /** @param {Position} position */
  #risks(position) {
    const cells = position.symbols.length;
    this.#prepareAny(position, false);
    const large = cells > CELLS;
    const [symbols, floats] = large ? [this.#behind, this.#behind + rounded(cells)] : [AT.symbols, AT.floats];
    this.#bytes(symbols, cells).set(position.symbols);
    this.#ask("risks", this.#at(symbols), position.mines, this.#at(floats));
    return this.#floats(floats, cells).slice();
  }

  /** Make the room one for a position, and write its symbols. @param {Position} position @param {boolean} deep */
  #place(position, deep = false) {
    this.#prepare(position, deep);
    this.#bytes(AT.symbols, position.symbols.length).set(position.symbols);
  }

  /** Make the room one for a grid of few enough cells. @param {Grid} grid @param {boolean} deep */
  #prepare(grid, deep) {
    checkCells(grid, CELLS);
    this.#prepareAny(grid, deep);
  }

  /** Make the room one for a grid of any size. @param {Grid} grid @param {boolean} deep */
  #prepareAny({ rows, cols, neighbours }, deep) {
    const cells = checkCells({ rows, cols }, MOST_CELLS);
    const name = `${rows}x${cols}${neighbours ? " of neighbours" : ""}`;
    const table = neighbours ? tableOf(neighbours, cells) : this.#table;
    const grows = deep && !this.#deep;
    if (name === this.#grid && !grows && (table === this.#table || isSame(table, this.#table))) return;
    const degree = neighbours ? table.length / cells : 8;
    const bytes = this.#library.satsweep_room_of(deep || this.#deep ? 1 : 0, cells, degree);
    this.#behind = this.#room - this.#begin + bytes;
    // Behind the room of a large grid are its neighbours while it is begun, its symbols and risks later.
    const beside = cells > CELLS ? Math.max(4 * table.length, rounded(cells) + 8 * cells) : 0;
    const lacking = this.#room + bytes + beside - this.memory;
    if (lacking > 0) {
      try {
        this.#library.memory.grow(Math.ceil(lacking / 65_536));
      } catch {
        throw new LimitError(`${Math.ceil((bytes + beside) / 1e6)} MB of memory are needed`);
      }
    }
    this.#deep ||= deep;
    this.#grid = "";
    if (neighbours) {
      const at = cells > CELLS ? this.#behind : 0;
      this.#words(at, table.length).set(table);
      const code = this.#code("begin_grid", bytes, cells, degree, this.#at(at));
      if (code === 3) throw new TypeError("expected neighbours that are each other's, no cell its own, and none twice");
      this.#check(code);
    } else {
      this.#ask("begin", bytes, rows, cols);
    }
    this.#table = neighbours ? table : cells > CELLS ? new Int32Array(0) : squareTable(rows, cols);
    this.#grid = name;
  }

  /** Call a function on the room. @param {string} name @param {(number | bigint)[]} values */
  #code(name, ...values) {
    return this.#library[`satsweep_${name}`](this.#room, ...values);
  }

  /** @param {string} name @param {(number | bigint)[]} values */
  #ask(name, ...values) {
    this.#check(this.#code(name, ...values));
  }

  /** @param {number} code */
  #check(code) {
    if (!code) return;
    const Kind = { 1: LimitError, 2: ImpossibleError, [NOT_FOUND]: NotFoundError }[code] ?? SatsweepError;
    const from = this.#library.satsweep_message(code);
    const bytes = new Uint8Array(this.#library.memory.buffer, from, 200);
    throw new Kind(new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))));
  }

  /** Write the text of a seed. @param {string} text */
  #write(text) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    new Uint8Array(this.#library.memory.buffer, this.#at(AT.text), bytes.length).set(bytes);
  }

  /** @param {number} place */
  #at(place) {
    return this.#begin + place;
  }

  /** @param {number} place @param {number} length */
  #bytes(place, length) {
    return new Int8Array(this.#library.memory.buffer, this.#at(place), length);
  }

  /** @param {number} place @param {number} length */
  #words(place, length) {
    return new Int32Array(this.#library.memory.buffer, this.#at(place), length);
  }

  /** @param {number} place @param {number} length */
  #longs(place, length) {
    return new BigInt64Array(this.#library.memory.buffer, this.#at(place), length);
  }

  /** @param {number} place @param {number} length */
  #floats(place, length) {
    return new Float64Array(this.#library.memory.buffer, this.#at(place), length);
  }
}

/** The cells of a grid, if they are few enough. @param {Grid} grid @param {number} most */
function checkCells({ rows, cols }, most) {
  if (rows * cols > most) throw new LimitError(`expected at most ${most} cells, found ${rows * cols}`);
  return rows * cols;
}

/** @param {number} bytes */
function rounded(bytes) {
  return Math.ceil(bytes / 64) * 64;
}

/** @param {Float64Array} risks */
function forcedOf(risks) {
  /** @type {number[]} */
  const safe = [];
  /** @type {number[]} */
  const mines = [];
  for (const [cell, risk] of risks.entries())
    if (risk === 0) safe.push(cell);
    else if (risk === 1) mines.push(cell);
  return { safe, mines };
}

/** @param {number} all @param {number} chosen @returns {bigint} */
function combinations(all, chosen) {
  if (chosen > all) return 0n;
  let ways = 1n;
  for (let one = 0; one < chosen; one++) ways = (ways * BigInt(all - one)) / BigInt(one + 1);
  return ways;
}

/** @param {Int32Array} one @param {Int32Array} other */
function isSame(one, other) {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}

/** Neighbours on a square grid: as many numbers for each cell, -1 for none. @param {number} rows @param {number} cols */
function squareTable(rows, cols) {
  const table = new Int32Array(8 * rows * cols).fill(-1);
  for (let cell = 0; cell < rows * cols; cell++) {
    const [row, col] = [Math.floor(cell / cols), cell % cols];
    let at = 8 * cell;
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, rows - 1); r++)
      for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, cols - 1); c++)
        if (r !== row || c !== col) table[at++] = r * cols + c;
  }
  return table;
}

/** @param {Neighbours} neighbours @param {number} cells */
function tableOf(neighbours, cells) {
  if (!Array.isArray(neighbours) || neighbours.length !== cells)
    throw wrong(`the neighbours of ${cells} cells, a list for each`, neighbours);
  let degree = 1;
  for (const own of neighbours) {
    if (!Array.isArray(own)) throw wrong("a list of neighbours for each cell", own);
    degree = Math.max(degree, own.length);
  }
  if (degree > DEGREE) throw new LimitError(`expected at most ${DEGREE} neighbours of a cell, found ${degree}`);
  const table = new Int32Array(cells * degree).fill(-1);
  for (const [cell, own] of neighbours.entries())
    own.forEach((/** @type {unknown} */ other, /** @type {number} */ at) => {
      table[cell * degree + at] = wholeNumber(other, "a neighbour", 0, cells - 1);
    });
  return table;
}

/** The value as messages show it. @param {unknown} value */
function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? `an array of ${value.length}` : `an object ${value.constructor?.name ?? ""}`.trim();
}

/** @param {string} expected @param {unknown} found */
function wrong(expected, found) {
  return new TypeError(`expected ${expected}, found ${shown(found)}`);
}

/** @param {unknown} options @param {string} form */
function checkOptions(options, form) {
  if (typeof options !== "object" || options === null) throw wrong(`options, ${form}`, options);
}

/** @param {unknown} value @param {string} name @param {number} least @param {number} [most] @returns {number} */
function wholeNumber(value, name, least, most = Number.MAX_SAFE_INTEGER) {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw wrong(`${name}, an integer ${range}`, value);
}

/**
 * @template {string} Name
 * @param {unknown} value
 * @param {readonly Name[]} names
 * @param {string} kind
 * @returns {Name}
 */
function oneOf(value, names, kind) {
  const found = names.find((name) => name === value);
  if (found === undefined) throw wrong(`${kind}, ${names.join(", ")}`, value);
  return found;
}

/** @param {Seed} seed @returns {string} */
function seedOf(seed) {
  const text = typeof seed === "number" && Number.isSafeInteger(seed) ? String(seed) : seed;
  if (typeof text === "bigint") return String(text);
  if (typeof text !== "string" || text.includes("\0")) throw wrong("a seed, an integer or a text", seed);
  if (new TextEncoder().encode(text).length > MOST_SEED) throw wrong(`a seed of at most ${MOST_SEED} bytes`, seed);
  return text;
}

/** @param {CellLike} cell @param {Grid} grid @returns {number} */
function cellOf(cell, { rows, cols }) {
  if (!Array.isArray(cell)) return wholeNumber(cell, "a cell", 0, rows * cols - 1);
  if (cell.length !== 2) throw wrong("a cell as a number or [row, column]", cell);
  return wholeNumber(cell[0], "a row", 0, rows - 1) * cols + wholeNumber(cell[1], "a column", 0, cols - 1);
}

/** @param {Size} size */
function sizeOf(size) {
  if (typeof size !== "object" || size === null) throw wrong("{rows, cols, mines}", size);
  const rows = wholeNumber(size.rows, "rows", 1);
  const cols = wholeNumber(size.cols, "cols", 1);
  const mines = wholeNumber(size.mines, "mines", 0, rows * cols);
  const number = wholeNumber(size.number ?? 0, "a number", 0);
  const start = size.start === undefined || size.start === null ? null : cellOf(size.start, { rows, cols });
  return { rows, cols, mines, number, start, neighbours: size.neighbours };
}

/** The parts of a text form: its header and its rows. @param {string} text @param {string[]} keys */
function partsOf(text, keys) {
  /** @type {Record<string, string>} */
  const header = {};
  /** @type {string[]} */
  const rows = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const row = line.trim();
    const [, key, value] = /^([a-z]+)\s+(\S+)$/.exec(row) ?? [];
    if (!row || row.startsWith("//")) continue;
    if (key === undefined) rows.push(row);
    else if (key in header || !keys.includes(key)) throw wrong(`lines ${keys.join(", ")} once, and rows`, row);
    else header[key] = value;
  }
  if ((header.topology ?? "square") !== "square") throw wrong("the square topology, or neighbours", header.topology);
  return { header, rows };
}

/** @param {string | undefined} text @returns {number | undefined} */
function totalOf(text) {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw wrong("a line with the mines, mines N", `mines ${text}`);
  return Number(text);
}

/** The symbol of a cell in the library. @param {unknown} value @returns {number} */
function symbolOf(value) {
  if (typeof value === "number" && Number.isInteger(value)) {
    if (value >= 0 && value <= 8) return value;
    if (value === -1 || value === -3) return COVERED;
    if (value === 9) return MINE;
    if (value === -2) return SAFE;
    if (value >= 109 && value <= 100 + DEGREE) return value - 100;
  }
  if (value === null || value === "#" || value === "F") return COVERED;
  if (value === "*") return MINE;
  if (value === "?") return SAFE;
  if (value === "0") return 0;
  if (typeof value === "string" && value.length === 1 && NUMBERS.includes(value)) return NUMBERS.indexOf(value);
  throw wrong("a cell as one of # . 0-9 a-q * F ?, or an integer from -3 to 9", value);
}

/** Symbols of the position of a call: a new array for each takes a twentieth of the time. */
const scratch = new Int8Array(CELLS);

/**
 * The position of a call, good until the next one.
 *
 * @param {BoardLike} board
 * @param {BoardOptions} options
 * @returns {Position}
 */
function positionOf(board, options) {
  checkOptions(options, "{mines, neighbours}");
  let { mines, neighbours } = options;
  /** @type {ArrayLike<unknown>} */
  let cells;
  let rows;
  let cols;
  if (typeof board === "string") {
    const parts = partsOf(board, ["mines", "topology", "part"]);
    if ((parts.header.part ?? "none") !== "none")
      throw new LimitError("a part of a larger board: satsweep in Python knows its risks");
    mines ??= totalOf(parts.header.mines);
    board = parts.rows;
  }
  if (Array.isArray(board)) {
    [rows, cols] = [board.length, lengthOf(board)];
    cells = board.flatMap((row) => [...row]);
  } else {
    const forms = "a board: text, rows, or {cells, rows, cols, mines}";
    if (typeof board !== "object" || board === null) throw wrong(forms, board);
    const given = /** @type {CellBoard} */ (board);
    rows = wholeNumber(given.rows, "rows", 1);
    cols = wholeNumber(given.cols, "cols", 1);
    mines ??= given.mines;
    neighbours ??= given.neighbours;
    cells = given.cells;
    if (typeof cells !== "object" || cells?.length !== rows * cols)
      throw wrong(`cells, ${rows * cols} integers`, cells);
  }
  const symbols = cells.length > CELLS ? new Int8Array(cells.length) : scratch.subarray(0, cells.length);
  for (let at = 0; at < symbols.length; at++) symbols[at] = symbolOf(cells[at]);
  return { symbols, rows, cols, mines: wholeNumber(mines, "mines", 0, rows * cols), neighbours };
}

/** The length of all rows. @param {readonly unknown[]} rows @returns {number} */
function lengthOf(rows) {
  const lengths = rows.map((row) => (typeof row === "string" || Array.isArray(row) ? row.length : 0));
  if (!lengths[0] || lengths.some((length) => length !== lengths[0])) throw wrong("rows of one length", rows);
  return lengths[0];
}

/**
 * A layout that is given, null for a size.
 *
 * @param {unknown} layout
 * @param {{ neighbours?: Neighbours }} options
 * @returns {Layout | null}
 */
function layoutOf(layout, options) {
  if (layout instanceof Layout) return layout;
  if (typeof layout !== "string" && !Array.isArray(layout)) return null;
  const text = typeof layout === "string" ? layout : layout.join("\n");
  const { header, rows } = partsOf(text, ["mines", "start", "topology"]);
  const cols = lengthOf(rows);
  const cells = Int8Array.from(rows.join(""), (symbol) => {
    if (symbol !== "." && symbol !== "*") throw wrong("a layout of . and *", symbol);
    return symbol === "*" ? 1 : 0;
  });
  const start = header.start === undefined ? null : cellOf(pairOf(header.start), { rows: rows.length, cols });
  const found = new Layout(cells, { rows: rows.length, cols, neighbours: options.neighbours }, start);
  if ((totalOf(header.mines) ?? found.mines) !== found.mines)
    throw wrong(`mines ${found.mines}`, `mines ${header.mines}`);
  return found;
}

/** @param {string} text @returns {[number, number]} */
function pairOf(text) {
  const [row, col] = text.split(",").map(Number);
  return [row, col];
}
