// @ts-check
// The fields of a position beside its board, with errors at the field that they are about.

import { field, select } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { DEFAULTS, PARTS } from "../basics/position.js";
import { cluesInput, topologyInput } from "../shared/inputs.js";

/** @typedef {keyof import("./state.js").Form} Name */
/** @type {Record<Name, [label: string, note?: string]>} */
const NAMES = {
  rows: ["Rows"],
  cols: ["Columns"],
  mines: ["Mines", "a total, or a density such as 0.2"],
  topology: ["Grid"],
  clues: ["Clues"],
  part: ["Cut from a larger board at", "for a part: beyond these sides are unseen cells, which may be mines"],
};

export class Fields {
  /** @param {(name: Name, value: string) => void} onChange is called when the user has changed a field */
  constructor(onChange) {
    const size = () => h("input", { type: "number", min: 1, max: 1000, inputMode: "numeric" });
    /** @type {Record<Name, HTMLInputElement | HTMLSelectElement>} */
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
    /** What was drawn last. @type {import("./state.js").Form | undefined} */
    this.form = undefined;
    /** Where what is wrong with each field is said. @type {Record<string, HTMLElement>} */
    this.faults = {};
    const rows = this.#all().map(([name, input]) => {
      const [label, note] = NAMES[name];
      input.addEventListener("change", () => onChange(name, input.value));
      this.faults[name] = h("small", { class: "wrong", role: "alert", id: `solve-${name}-wrong` });
      const row = field(label, input, note);
      row.append(this.faults[name]);
      return row;
    });
    this.element = h("div", { class: "fields" }, rows);
  }

  #all() {
    return /** @type {[Name, HTMLInputElement | HTMLSelectElement][]} */ (Object.entries(this.inputs));
  }

  /** @param {import("./state.js").SolveState} state */
  draw({ form, geometry, wrong }) {
    for (const [name, input] of this.#all()) {
      // What is being typed stays when an answer comes.
      const typed = input === document.activeElement && form[name] === this.form?.[name];
      if (!typed && input.value !== form[name]) input.value = form[name];
      input.disabled = !geometry;
      const fault = wrong[name] ?? "";
      this.faults[name].textContent = fault;
      if (fault) {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", this.faults[name].id);
      } else for (const attribute of ["aria-invalid", "aria-describedby"]) input.removeAttribute(attribute);
    }
    this.form = form;
  }
}
