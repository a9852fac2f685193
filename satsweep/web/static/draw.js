// Changes of a drawn position: mines with the numbers around them, numbers turned by the wheel, another size.

import { numberOf, symbolOf } from "./position.js";

export const PEN = "pen"; // the tool that opens and covers cells

// The symbol of an open cell: the mines drawn around it if numbers `follow` mines.
export function opened(position, neighbours, index, follow) {
  const around = follow ? neighbours[index].filter((other) => position.cells[other] === "*").length : 0;
  return symbolOf(around);
}

// The changes, as pairs of an index and a symbol, that draw a mine or remove one.
export function toggledMine(position, neighbours, index, follow) {
  const has = position.cells[index] === "*";
  return [[index, has ? "#" : "*"], ...(follow ? followed(position, neighbours, index, has ? -1 : 1) : [])];
}

// The changes of the numbers around a cell that becomes a mine (1) or is one no longer (-1).
function followed({ cells }, neighbours, index, by) {
  return [...new Set(neighbours[index])].flatMap((other) => {
    const number = numberOf(cells[other]);
    return number < 0 || other === index ? [] : [[other, symbolOf(Math.max(0, number + by))]];
  });
}

// The changes that draw a symbol on a cell.
export function drawn(position, neighbours, index, symbol, follow) {
  const mined = (symbol === "*") - (position.cells[index] === "*");
  return [[index, symbol], ...(follow && mined ? followed(position, neighbours, index, mined) : [])];
}

// The symbol that the wheel turns a symbol to: covered, empty, 1, 2, ... up to `most`.
export function turned(symbol, by, most) {
  const number = numberOf(symbol);
  if (number < 0) return by > 0 ? "." : "#";
  if (number + by < 0) return "#";
  return symbolOf(Math.min(number + by, most));
}

// The position in another size. The mine total keeps the density; a number that loses a cell that may be a mine is not
// known any more.
export function resized(position, neighbours, rows, cols) {
  const { cells, rows: before, cols: wide, mines } = position;
  const outside = (index) => index % wide >= cols || Math.floor(index / wide) >= rows;
  const clipped = cells.map((symbol, index) => {
    const loses = (other) => outside(other) && numberOf(cells[other]) < 0;
    return numberOf(symbol) >= 0 && neighbours[index].some(loses) ? "?" : symbol;
  });
  const total = mines === null ? null : Math.round((mines * rows * cols) / (before * wide));
  return position.copy({ cells: clipped }).resized(rows, cols).copy({ mines: total });
}
