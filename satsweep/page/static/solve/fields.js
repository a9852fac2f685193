// @ts-check
// The fields of a position beside its board, with errors at the field that they are about.

import { field, select } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { DEFAULTS, PARTS } from "../basics/position.js";
import { cluesInput, topologyInput } from "../shared/inputs.js";
import { resized } from "./drawing.js";

/** @typedef {"rows" | "cols" | "mines" | "topology" | "clues" | "part"} Name */
/** @type {Record<Name, string>} */
const NAMES = {
  rows: "Rows",
  cols: "Columns",
  mines: "Mines",
  topology: "Grid",
  clues: "Clues",
  part: "Cut from a larger board at",
};

export class Fields {
  /** Where the error of each field is shown. @type {Record<string, HTMLElement>} */
  errors = {};

  /** @param {() => void} onChange is called when the user has changed a field */
  constructor(onChange) {
    const size = () => h("input", { type: "number", min: 1, max: 1000, inputMode: "numeric" });
    /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
    this.inputs = {
      rows: size(),
      cols: size(),
      mines: h("input", { type: "text", inputMode: "numeric", placeholder: "not known", autocomplete: "off" }),
      topology: topologyInput(),
      clues: cluesInput(),
      part: select(
        PARTS.map((part) => [part, part === "none" ? "no side" : part === "all" ? "all sides" : part]),
        DEFAULTS.part,
      ),
    };
    const rows = Object.entries(this.inputs).map(([name, input]) => {
      input.addEventListener("change", onChange);
      input.disabled = true; // until there is a position
      const row = field(
        NAMES[/** @type {Name} */ (name)],
        input,
        name === "mines" ? "a total, or a density such as 0.2" : null,
      );
      this.errors[name] = h("small", { class: "wrong", role: "alert", id: `solve-${name}-wrong` });
      row.append(this.errors[name]);
      return row;
    });
    this.element = h("div", { class: "fields" }, rows);
  }

  /**
   * Show the values of a position.
   * @param {import("../basics/position.js").Position} position
   */
  fill({ rows, cols, mines, density, topology, clues, part }) {
    const values = { rows, cols, mines: density ?? mines ?? "", topology, clues, part };
    for (const [name, value] of Object.entries(values)) {
      this.inputs[name].value = String(value);
      this.inputs[name].disabled = false;
    }
    this.clear();
  }

  clear() {
    for (const [name, input] of Object.entries(this.inputs)) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
      this.errors[name].textContent = "";
    }
  }

  /**
   * Mark a field as wrong; false if there is no such field.
   * @param {string} name
   * @param {string} message
   */
  mark(name, message) {
    if (!(name in this.inputs)) return false;
    this.inputs[name].setAttribute("aria-invalid", "true");
    this.inputs[name].setAttribute("aria-describedby", this.errors[name].id);
    this.errors[name].textContent = message;
    return true;
  }

  /**
   * The position that the fields make of another one; null, with the fields marked, if they make none.
   * @param {import("../basics/position.js").Position} position
   * @param {number[][]} neighbours
   * @param {number} most
   */
  applied(position, neighbours, most) {
    this.clear();
    const [rows, cols] = [this.inputs.rows, this.inputs.cols].map(({ value }) => Math.floor(Number(value)));
    const sizes = { rows, cols };
    const wrong = Object.entries(sizes).filter(([, value]) => !(value >= 1));
    for (const [name] of wrong) this.mark(name, "Expected a number from 1 on.");
    if (wrong.length) return null;
    if (rows * cols > most) {
      this.mark("rows", `A board has at most ${most.toLocaleString("en")} cells.`);
      return null;
    }
    const changed = rows !== position.rows || cols !== position.cols;
    const made = (changed ? resized(position, neighbours, rows, cols) : position).copy({
      topology: this.inputs.topology.value.trim() || DEFAULTS.topology,
      clues: this.inputs.clues.value.trim() || DEFAULTS.clues,
      part: this.inputs.part.value,
    });
    const text = this.inputs.mines.value.trim();
    if (text === String(position.density ?? position.mines ?? "")) return made;
    const total = /^\d{1,7}$/.test(text);
    return made.copy({ mines: total ? Number(text) : null, density: total || !text ? null : text });
  }
}
