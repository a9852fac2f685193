// satsweep for other pages of this folder's host: questions to Python in a worker. See example.html.

import { Connection } from "./engine/connection.js";

const connection = new Connection();

// The answer to any question of the page; `questions` in the documentation lists them.
export const ask = (kind, fields = {}, options = {}) => connection.ask(kind, fields, options);

// Risks of all cells of a board in satsweep's text form: rows of { risk, percent, exact }, null where a cell is open.
// Rejects with the reason if the board cannot be read or no world agrees with it.
export async function analyse(board) {
  const found = await ask("solve", { board });
  if (found.impossible) throw new Error(found.impossible.message);
  const rows = board.split("\n").filter((line) => line.trim() && !/^[a-z]+ /.test(line));
  const cols = found.cells.length / rows.length;
  const risks = rows.map((_, row) =>
    found.cells.slice(row * cols, (row + 1) * cols).map((index) => (index < 0 ? null : found.odds[index])),
  );
  return { ...found, risks };
}
