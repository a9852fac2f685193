// @ts-check
// The form for the board of a game, which Watch and Play share.

import { packed, unpacked } from "../basics/address.js";
import { field, integerInput, select, textInput } from "../basics/controls.js";
import { button, capitalized, h } from "../basics/dom.js";
import { DEFAULTS, Position } from "../basics/position.js";
import { cluesInput, topologyInput, upright } from "./inputs.js";

const CUSTOM = "custom";
const newSeed = () => Math.floor(Math.random() * 1_000_000);

/**
 * What a question about a game says of its board: a layout, or a size, a grid and a number of mines.
 * @typedef {{ clues: string, seed: string, layout: string }
 *   | { clues: string, seed: string, layout?: undefined, rows: number, cols: number, mines: number, topology: string }} Asked
 */

export class Settings {
  /** The layout that the user opened. @type {string | null} */
  layout = null;

  /**
   * `firsts` are the choices of the first cell.
   * @param {About} about
   * @param {{ level?: string, firsts: [name: string, label: string, ...more: string[]][] }} how
   */
  constructor(about, { level = "intermediate", firsts }) {
    this.about = about;
    /** @type {[name: string, label: string][]} */
    const levels = Object.entries(about.levels).map(([name, level]) => {
      const { rows, cols, mines } = upright(level);
      return [name, `${capitalized(name)} ${rows}×${cols}, ${mines}`];
    });
    this.level = select([...levels, [CUSTOM, "Custom"]], level);
    this.rows = integerInput(16, 1, about.cells);
    this.cols = integerInput(16, 1, about.cells);
    this.mines = integerInput(40, 0, about.cells);
    this.topology = topologyInput();
    this.clues = cluesInput();
    this.first = select(
      firsts.map(([name, label]) => [name, label]),
      firsts[0][0],
    );
    this.seed = textInput(String(newSeed()), { maxLength: 60 });
    this.level.addEventListener("change", () => {
      this.layout = null;
      this.#show();
    });
    this.custom = h(
      "div",
      { class: "fields" },
      field("Rows", this.rows),
      field("Columns", this.cols),
      field("Mines", this.mines),
    );
    this.given = h(
      "p",
      { class: "note" },
      "This board was opened with its own mines. Choose another board to leave it.",
    );
    this.fields = h(
      "div",
      { class: "fields" },
      field("Grid", this.topology),
      field("Clues", this.clues),
      field("First cell", this.first),
      field("Seed", this.seed),
    );
    this.more = h("details", {}, h("summary", {}, "More"), this.fields);
    /** Begins a game on a new board; it belongs to the form wherever it stands. */
    this.newButton = h("button", { class: "main" }, "New game");
  }

  /**
   * The form. `start` starts a game on the board that it describes; `before`, `beside` (the board), `after` and `more` are
   * other controls.
   * @param {string} name
   * @param {() => void} start
   * @param {{ [where in "before" | "beside" | "after" | "more"]?: HTMLElement[] }} [others]
   */
  form(name, start, { before = [], beside = [], after = [], more = [] } = {}) {
    const levelField = field("Board", this.level);
    levelField.classList.add("wide");
    this.fields.append(...more);
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.seed.value = String(newSeed());
      start();
    };
    this.level.addEventListener("change", start);
    this.#show();
    this.newButton.id = `${name}-new`;
    this.newButton.setAttribute("form", `${name}-setup`);
    return h(
      "form",
      { class: "setup", id: `${name}-setup`, onsubmit },
      before,
      levelField,
      beside,
      this.newButton,
      button("Same board", start, { id: `${name}-again` }),
      after,
      this.more,
      this.given,
      this.custom,
    );
  }

  #show() {
    this.custom.hidden = this.level.value !== CUSTOM || this.layout !== null;
    this.given.hidden = this.layout === null;
    const level = this.about.levels[this.level.value];
    if (level) this.#fill(upright(level));
  }

  /** @param {Level} level */
  #fill({ rows, cols, mines }) {
    this.rows.value = String(rows);
    this.cols.value = String(cols);
    this.mines.value = String(mines);
  }

  /** Play on a layout that the user opened. @param {string} text */
  bring(text) {
    this.level.value = CUSTOM;
    this.layout = text;
    this.#show();
  }

  // The layout that the user opened, or null.
  get opened() {
    return this.layout === null ? null : Position.of(this.layout);
  }

  // The size of the board, its mines and its grid.
  get board() {
    const { opened } = this;
    if (opened) {
      const { rows, cols, cells, topology } = opened;
      return { rows, cols, mines: cells.filter((symbol) => symbol === "*").length, topology };
    }
    const [rows, cols, mines] = [this.rows, this.cols, this.mines].map(({ value }) => Math.floor(Number(value)));
    return { rows, cols, mines, topology: this.topology.value.trim() || DEFAULTS.topology };
  }

  /** What a question about a game says of its board. @returns {Asked} */
  get asked() {
    const asked = { clues: this.clues.value.trim() || DEFAULTS.clues, seed: this.seed.value || "0" };
    return this.layout === null ? { ...asked, ...this.board } : { ...asked, layout: this.layout };
  }

  /**
   * The settings as parameters of a link; null for the usual ones.
   * @returns {Promise<Record<string, string | number | null>>}
   */
  async query() {
    const { layout, ...asked } = this.asked;
    /** @type {Record<string, string | number | null>} */
    const query = asked;
    for (const [name, usual] of Object.entries(DEFAULTS)) if (query[name] === usual) query[name] = null;
    if (layout !== undefined) return { ...query, layout: await packed(layout) };
    return { ...query, first: this.first.value === this.first.options[0].value ? null : this.first.value };
  }

  /** Take the settings from the parameters of a link. @param {URLSearchParams} query */
  async take(query) {
    const layout = query.get("layout");
    if (layout) this.bring(await unpacked(layout));
    const numbers = ["rows", "cols", "mines"].map((name) => query.get(name));
    if (numbers.every((number) => /^\d{1,5}$/.test(number ?? ""))) {
      const [rows, cols, mines] = numbers.map(Number);
      const level = Object.entries(this.about.levels).find(([, known]) =>
        [known, upright(known)].some((size) => [size.rows, size.cols, size.mines].join() === numbers.join()),
      );
      this.level.value = level ? level[0] : CUSTOM;
      this.layout = null;
      this.#show();
      this.#fill({ rows, cols, mines });
    }
    const { topology, clues, seed } = this;
    for (const [name, input] of Object.entries({ topology, clues, seed })) input.value = query.get(name) ?? input.value;
    const first = query.get("first");
    for (const { value } of this.first.options) if (value === first) this.first.value = value;
    if (query.get("topology") || query.get("clues")) this.more.open = true;
  }
}
