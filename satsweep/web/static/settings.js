// The form that says what board a game is played on; watching and playing share it.

import { h } from "./dom.js";
import { packed, unpacked } from "./link.js";

const CUSTOM = "custom";
const named = (text) => text[0].toUpperCase() + text.slice(1);

export const newSeed = () => Math.floor(Math.random() * 1_000_000);

let forms = 0;

// A label above what it names.
export function field(text, control, note) {
  control.id ||= `field-${++forms}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, text), control, note ? h("small", {}, note) : null);
}

export function select(options, value) {
  const chosen = h("select", {}, options.map(([key, text]) => h("option", { value: key }, text ?? key)));
  chosen.value = value;
  return chosen;
}

export const whole = (value, min, max) => h("input", { type: "number", inputMode: "numeric", value, min, max, required: true });

export class Settings {
  constructor(about, { level = "intermediate", firsts, onChange = () => {} }) {
    this.about = about;
    this.layout = null;
    const levels = Object.entries(about.levels);
    this.level = select([...levels.map(([name, { rows, cols, mines }]) => [name, `${named(name)} ${rows}×${cols}, ${mines}`]), [CUSTOM, "Custom"]], level);
    this.rows = whole(16, 1, about.cells);
    this.cols = whole(16, 1, about.cells);
    this.mines = whole(40, 0, about.cells);
    this.topology = h("input", { type: "text", value: "square", spellcheck: false, autocomplete: "off" });
    this.topology.setAttribute("list", "topologies");
    this.clues = h("input", { type: "text", value: "exact", spellcheck: false, autocomplete: "off" });
    this.clues.setAttribute("list", "clue-models");
    this.first = select(firsts, firsts[0][0]);
    this.seed = h("input", { type: "text", value: String(newSeed()), maxLength: 60, spellcheck: false, autocomplete: "off" });
    this.custom = h("div", { class: "fields", hidden: true }, field("Rows", this.rows), field("Columns", this.cols), field("Mines", this.mines));
    this.given = h("p", { class: "note", hidden: true });
    this.more = h("details", {}, h("summary", {}, "More"),
      h("div", { class: "fields" },
        field("Grid", this.topology), field("Numbers tell", this.clues), field("First cell", this.first), field("Seed", this.seed)));
    this.levelField = field("Board", this.level);
    this.levelField.classList.add("wide");
    this.level.addEventListener("change", () => { this.layout = null; this.#show(); onChange(); });
    for (const control of [this.topology, this.clues, this.first]) control.addEventListener("change", onChange);
    this.#show();
  }

  #show() {
    this.custom.hidden = this.level.value !== CUSTOM || this.layout !== null;
    this.given.hidden = this.layout === null;
    this.given.textContent = "The board that was opened, with its own mines. Choose another board to leave it.";
    const level = this.about.levels[this.level.value];
    if (level) {
      this.rows.value = level.rows;
      this.cols.value = level.cols;
      this.mines.value = level.mines;
    }
  }

  // Play on a layout that somebody has opened.
  bring(text) {
    this.level.value = CUSTOM;
    this.layout = text;
    this.#show();
  }

  newSeed() { this.seed.value = String(newSeed()); }

  // What the server is asked for.
  get asked() {
    const asked = { clues: this.clues.value.trim() || "exact", seed: this.seed.value || "0" };
    if (this.layout !== null) return { ...asked, layout: this.layout };
    return {
      ...asked,
      rows: Math.floor(Number(this.rows.value)), cols: Math.floor(Number(this.cols.value)), mines: Math.floor(Number(this.mines.value)),
      topology: this.topology.value.trim() || "square",
    };
  }

  // The size, as far as it is known before anybody is asked.
  get size() {
    if (this.layout === null) return [Number(this.rows.value), Number(this.cols.value)];
    const rows = this.layout.split("\n").filter((line) => /^[.*]+$/.test(line));
    return [rows.length, rows[0].length];
  }

  // The same in an address, and from there.
  async query() {
    if (this.layout !== null) return { layout: await packed(this.layout), clues: this.clues.value === "exact" ? null : this.clues.value, seed: this.seed.value };
    const { rows, cols, mines, topology, clues, seed } = this.asked;
    return {
      rows, cols, mines, seed,
      topology: topology === "square" ? null : topology, clues: clues === "exact" ? null : clues,
      first: this.first.value === this.first.options[0].value ? null : this.first.value,
    };
  }

  async take(query) {
    if (query.get("layout")) this.bring(await unpacked(query.get("layout")));
    const numbers = ["rows", "cols", "mines"].map((name) => query.get(name));
    if (numbers.every((number) => /^\d{1,5}$/.test(number ?? ""))) {
      const [rows, cols, mines] = numbers.map(Number);
      const level = Object.entries(this.about.levels).find(([, of]) => of.rows === rows && of.cols === cols && of.mines === mines);
      this.level.value = level ? level[0] : CUSTOM;
      this.layout = null;
      this.#show();
      [this.rows.value, this.cols.value, this.mines.value] = [rows, cols, mines];
    }
    for (const name of ["topology", "clues", "seed"]) if (query.get(name) !== null) this[name].value = query.get(name);
    const first = query.get("first");
    if ([...this.first.options].some(({ value }) => value === first)) this.first.value = first;
    if (query.get("topology") || query.get("clues")) this.more.open = true;
  }
}
