"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const cells = [...document.querySelectorAll(".cell")];
const board = document.querySelector(".board");
const slider = document.getElementById("step");
const said = document.getElementById("said");
const now = document.querySelector(".line .now");
const rows = [...document.querySelectorAll(".moves tbody tr")];
const marks = ["missed", "clue", "bestcell", "chosen", "fine"];

/** Symbols of all cells after some moves: # covered, F a flag, * a mine, else a number. */
function symbolsAfter(count) {
  const shown = cells.map(() => "#");
  for (const move of game.moves.slice(0, count)) {
    if (move.action === "flag") shown[move.cell] = "F";
    if (move.action === "unflag") shown[move.cell] = "#";
    for (const [cell, symbol] of move.shows) shown[cell] = symbol;
  }
  return shown;
}

/** Scroll a board that is wider than the window to a cell. */
function bringIntoView(cell) {
  const [own, frame] = [cell.getBoundingClientRect(), board.getBoundingClientRect()];
  if (own.left < frame.left || own.right > frame.right) {
    board.scrollLeft += (own.left + own.right - frame.left - frame.right) / 2;
  }
}

/** Draw the position before a move, with marks on the cells that it is about; the end after all. */
function show(step) {
  const move = game.moves[step];
  const shown = symbolsAfter(step);
  cells.forEach((cell, index) => {
    const symbol = shown[index];
    const hidden = symbol === "#" || symbol === "F";
    const mine = !move && game.mines.includes(index);
    cell.classList.remove(...marks);
    cell.classList.toggle("covered", hidden);
    cell.classList.toggle("exploded", symbol === "*");
    const flag = symbol === "F" ? (!move && !mine ? "✗" : "⚑") : "";
    cell.querySelector("text").textContent = flag || (mine || symbol === "*" ? "✹" : hidden || symbol === "0" ? "" : symbol);
  });
  if (move) {
    for (const cell of move.missed) cells[cell].classList.add("missed");
    for (const cell of move.clues) cells[cell].classList.add("clue");
    if (move.best !== null) cells[move.best].classList.add("bestcell");
    for (const cell of move.cells) cells[cell].classList.add("chosen", ...(move.fine ? ["fine"] : []));
    bringIntoView(cells[move.cells[0] ?? move.cell]);
  }
  said.replaceChildren(...(move ? move.said : game.end).map((line) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    return paragraph;
  }));
  slider.value = String(step);
  if (now) now.style.left = `${(100 * step) / Math.max(1, game.moves.length)}%`;
  for (const row of rows) {
    const current = Number(row.dataset.step) === step;
    row.setAttribute("aria-current", String(current));
    if (current) reveal(row);
  }
}

/** Scrolls the list of moves to a row, and nothing around the list: this page may be a part of another. */
function reveal(row) {
  const list = row.closest(".moves");
  if (!list) return;
  const outer = list.getBoundingClientRect();
  const inner = row.getBoundingClientRect();
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
}

/** The next or the last move of some kind, from a step in a direction. */
function next(step, direction) {
  let at = step + direction;
  while (at > 0 && at < game.moves.length && !game.moves[at].choice) at += direction;
  return Math.max(0, Math.min(game.moves.length, at));
}

const step = () => Number(slider.value);
slider.addEventListener("input", () => show(step()));
for (const [id, target] of [
  ["first", () => 0],
  ["back", () => next(step(), -1)],
  ["forth", () => next(step(), 1)],
  ["last", () => game.moves.length],
]) {
  document.getElementById(id).addEventListener("click", () => show(target()));
}
for (const one of document.querySelectorAll("[data-step]")) {
  one.addEventListener("click", () => show(Number(one.dataset.step)));
}
document.addEventListener("keydown", (event) => {
  if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) show(Math.max(0, Math.min(game.moves.length, step() + by)));
});
show(game.first);
