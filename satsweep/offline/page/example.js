import * as satsweep from "./satsweep.js";

const element = (id) => document.getElementById(id);

element("ask").addEventListener("click", async () => {
  element("risks").textContent = "...";
  try {
    const { risks, worlds } = await satsweep.analyse(element("board").value);
    const rows = risks.map((row) => row.map((cell) => (cell ? cell.exact : "-").padStart(8)).join(""));
    element("risks").textContent = `${rows.join("\n")}\n${worlds} worlds`;
  } catch (error) {
    element("risks").textContent = error.message;
  }
});
