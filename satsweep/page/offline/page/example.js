import * as satsweep from "./satsweep.js";

const [board, ask, answer] = ["board", "ask", "risks"].map((id) => document.getElementById(id));
ask.addEventListener("click", async () => {
  answer.textContent = "...";
  try {
    const { risks, worlds } = await satsweep.analyse(board.value);
    const rows = risks.map((row) => row.map((cell) => (cell ? cell.exact : "-").padStart(8)).join(""));
    answer.textContent = `${rows.join("\n")}\n${worlds} worlds`;
  } catch (error) {
    answer.textContent = error.message;
  }
});
