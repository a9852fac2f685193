// @ts-check
// The dialogs of keys and of settings, made when one is first opened.

import { field, option, select } from "../basics/controls.js";
import { $, h } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { KEYS } from "../basics/keys.js";
import { COUNTINGS, counting } from "../words/places.js";

const SKINS = { plain: "plain", classic: "classic, as in the nineties" };
const CELLS = { fit: "as there is room", 20: "20 pixels", 28: "28 pixels", 36: "36 pixels", 44: "44 pixels" };
const PRESSES = { 250: "¼ second", 430: "0.43 seconds", 700: "0.7 seconds", 1000: "1 second" };

/** Keys in brackets as elements. @param {string} keys */
const drawn = (keys) => keys.split(/\[([^\]]+)\]/).map((part, at) => (at % 2 ? h("kbd", {}, part) : part));

function keyTable() {
  const rows = KEYS.map(({ where, keys, says }, at) => {
    const isFirst = KEYS[at - 1]?.where !== where;
    const span = KEYS.filter((other) => other.where === where).length;
    const head = isFirst && h("th", { scope: "row", rowSpan: span }, where);
    return h("tr", {}, head, h("td", {}, drawn(keys)), h("td", {}, says));
  });
  const heads = ["Where", "Keys", "Action"].map((name) => h("th", { scope: "col" }, name));
  return [
    h("caption", { class: "unseen" }, "Keys of the page"),
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, rows),
  ];
}

/** The sizes of boards follow from settings, as from the window. */
const fit = () => window.dispatchEvent(new Event("resize"));

function settingFields() {
  const chosen = (
    /** @type {"skin" | "settings-cells" | "settings-press"} */ name,
    /** @type {Record<string, string>} */ texts,
  ) =>
    select(Object.entries(texts), kept.get(name), {
      id: name,
      onchange: (value) => {
        kept.set(name, /** @type {any} */ (value));
        document.documentElement.dataset.skin = kept.get("skin");
        fit();
      },
    });
  return [
    option("settings-upright", "Expert stands upright on a phone").element,
    option("settings-letters", "Single letters are keys: H and S in Play, A and N in Train").element,
    field(
      "Cells are named",
      select(Object.entries(COUNTINGS), counting.chosen, {
        id: "settings-counting",
        onchange: (name) => {
          counting.chosen = name === "files" ? name : "players";
        },
      }),
    ),
    field("Skin of boards", chosen("skin", SKINS)),
    field("Size of cells", chosen("settings-cells", CELLS)),
    field("A long press takes", chosen("settings-press", PRESSES)),
  ];
}

/** Open a dialog, with its contents. @param {"keys" | "settings"} name */
export function openDialog(name) {
  const [id, make] = name === "keys" ? ["keys-table", keyTable] : ["settings-fields", settingFields];
  if (!$(id).childElementCount) $(id).append(...make());
  $(name).showModal();
}
