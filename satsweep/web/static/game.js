// A game of the user: symbols, moves that can be undone, clicks, and how it stands. It draws nothing and asks nothing.

import { isCovered, numberOf, Position } from "./position.js";

export class Game {
  // `total` is the number of mines; `setting` has what is asked of the server for this board.
  constructor({ rows, cols, geometry, topology, clues, total }) {
    Object.assign(this, { rows, cols, geometry, topology, clues, total });
    this.symbols = Array(rows * cols).fill("#");
    this.moves = []; // each { before, acts, opened }: symbols before it, actions with cells, cells that it opened
    this.dealt = null;
    this.over = null;
    this.clicks = { left: 0, right: 0, chord: 0 };
    this.isDealing = false; // the server is placing the mines
    this.kept = false; // its result is in the archive
    this.help = new Set(); // what the user had help from; such games hold no records
  }

  get neighbours() {
    return this.geometry.neighbours;
  }

  get last() {
    return this.moves.at(-1) ?? null;
  }

  // The cell that the last opening move was about, or null.
  get lastOpened() {
    for (const { acts, opened } of this.moves.toReversed()) if (opened.length) return acts[0][1];
    return null;
  }

  get flags() {
    return this.symbols.filter((symbol) => symbol === "F" || symbol === "*").length;
  }

  get clicked() {
    const { left, right, chord } = this.clicks;
    return left + right + chord;
  }

  position(symbols = this.symbols) {
    const { rows, cols, total: mines, topology, clues } = this;
    return new Position({ rows, cols, mines, topology, clues, cells: [...symbols] });
  }

  // Begin with the server's answer: the mines have their places now.
  deal(dealt, start) {
    this.dealt = dealt;
    const flagged = dealt.opened.filter((cell) => this.symbols[cell] === "F");
    return this.move(() => {
      for (const cell of dealt.opened) this.symbols[cell] = dealt.shown[cell];
    }, [...flagged.map((cell) => ["unflag", cell]), ["open", start]]);
  }

  open(indices) {
    const closed = indices.filter((index) => this.symbols[index] === "#");
    return this.move(
      () => {
        for (const index of closed) this.#reveal(index);
      },
      closed.map((index) => ["open", index]),
    );
  }

  flag(indices) {
    const acts = indices.map((index) => [this.symbols[index] === "F" ? "unflag" : "flag", index]);
    return this.move(() => {
      for (const [act, index] of acts) this.symbols[index] = act === "flag" ? "F" : "#";
    }, acts);
  }

  // Make a move; the indices of the cells that it changed, or null if it changed none.
  move(act, acts) {
    const before = [...this.symbols];
    act();
    const changed = this.symbols.flatMap((symbol, index) => (symbol === before[index] ? [] : [index]));
    if (!changed.length) return null;
    const opened = changed.filter((index) => !isCovered(this.symbols[index]));
    this.moves.push({ before, acts, opened });
    this.judge();
    return changed;
  }

  undo() {
    const move = this.moves.pop();
    if (!move) return false;
    this.symbols = move.before;
    this.over = null;
    this.help.add("undo");
    // Before the first cell the mines have no places; the same cell and seed bring the same ones.
    if (!this.symbols.some((symbol) => !isCovered(symbol))) this.dealt = null;
    return true;
  }

  // Open a cell, and the cells that the cascade opens with it; flagged cells stay covered.
  #reveal(index) {
    if (this.symbols[index] !== "#") return;
    const { shown, cascades } = this.dealt;
    const waiting = [index];
    this.symbols[index] = shown[index];
    for (const cell of waiting) {
      if (shown[cell] !== "." || !cascades) continue;
      for (const other of this.neighbours[cell]) {
        if (this.symbols[other] === "#") {
          this.symbols[other] = shown[other];
          waiting.push(other);
        }
      }
    }
  }

  // The cells that a chord on a number opens: the others around it, if it has as many flags.
  chord(index) {
    const number = numberOf(this.symbols[index]);
    const around = this.neighbours[index];
    const marked = around.filter((other) => "F*".includes(this.symbols[other])).length;
    if (number <= 0 || number !== marked || !this.dealt?.exact) return [];
    return around.filter((other) => this.symbols[other] === "#");
  }

  judge() {
    const hit = this.symbols.includes("*");
    const left = this.symbols.some(
      (symbol, index) => isCovered(symbol) && this.dealt && this.dealt.shown[index] !== "*",
    );
    this.over = hit ? "lost" : this.dealt && !left ? "won" : null;
  }

  // The actions of all moves, in an order in which a game can repeat them: of cells opened at once a mine is the last.
  get acts() {
    const isMine = ([action, index]) => action === "open" && this.dealt.shown[index] === "*";
    return this.moves.flatMap(({ acts }) => [...acts].sort((one, other) => isMine(one) - isMine(other)));
  }

  // The opening moves as the server reviews them: pairs of chosen and opened cells.
  get openings() {
    return this.moves.flatMap((move, at) => {
      if (!move.opened.length) return [];
      const chosen = move.acts.filter(([act, index]) => act === "open" && move.opened.includes(index));
      return [{ at, chosen: chosen.map(([, index]) => index), opened: move.opened }];
    });
  }
}
