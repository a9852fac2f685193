// @ts-check
// Controls of all views: inputs with their labels, choices that the browser keeps, buttons that stay pressed.

import { button, h } from "./dom.js";
import { kept } from "./kept.js";

let fields = 0;

/**
 * A control under its label, with a note below it if there is one.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string | null} [note]
 */
export function field(label, control, note = null) {
  control.id ||= `field-${++fields}`;
  const remark = note && h("small", {}, note);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, remark);
}

/**
 * A list to choose from; each option is a value and a text, or a value alone.
 * @param {[value: string, text?: string][]} options
 * @param {string} value
 * @param {{ id?: string, onchange?: (value: string) => void }} [more]
 */
export function select(options, value, { id, onchange } = {}) {
  const chosen = h(
    "select",
    { id, onchange: onchange && (() => onchange(chosen.value)) },
    options.map(([key, text]) => h("option", { value: key }, text ?? key)),
  );
  chosen.value = value;
  return chosen;
}

/**
 * @param {number} value
 * @param {number} min
 * @param {number} max
 */
export const integerInput = (value, min, max) =>
  h("input", { type: "number", inputMode: "numeric", value, min, max, required: true });

/**
 * @param {string} value
 * @param {Record<string, unknown>} [more]
 */
export const textInput = (value, more = {}) =>
  h("input", { type: "text", value, spellcheck: false, autocomplete: "off", ...more });

/**
 * A checkbox whose state the browser keeps under its name, which is its id, too.
 * @param {import("./kept.js").Flag} name
 * @param {string} text
 * @param {{ title?: string, onchange?: (on: boolean) => void }} [more]
 */
export function option(name, text, { title, onchange = () => {} } = {}) {
  const box = h("input", {
    type: "checkbox",
    id: name,
    checked: kept.get(name),
    onchange: () => {
      kept.set(name, box.checked);
      onchange(box.checked);
    },
  });
  return {
    element: h("div", { class: "check", title }, box, h("label", { for: box.id }, text)),
    get checked() {
      return box.checked;
    },
  };
}

/**
 * A button that stays pressed; a click calls `onclick`, which decides what that means.
 * @param {string} text
 * @param {() => void} onclick
 * @param {Record<string, unknown>} [more]
 */
export const toggle = (text, onclick, more = {}) => button(text, onclick, { "aria-pressed": "false", ...more });

/** @param {Element} element */
export const isPressed = (element) => element.getAttribute("aria-pressed") === "true";

/**
 * @param {Element} element
 * @param {boolean} [on]
 */
export function press(element, on = !isPressed(element)) {
  element.setAttribute("aria-pressed", String(on));
}

/**
 * Buttons of which one is pressed; `onChoose` gets its value.
 * @template Value
 * @param {string} label
 * @param {[value: Value, text: string][]} choices
 * @param {(value: Value) => void} onChoose
 * @param {Record<string, unknown>} [more]
 */
export function choice(label, choices, onChoose, more = {}) {
  const buttons = choices.map(([value, text], at) =>
    toggle(
      text,
      () => {
        choose(at);
        onChoose(value);
      },
      { "data-value": value },
    ),
  );
  const choose = (/** @type {number} */ chosen) => {
    for (const [at, one] of buttons.entries()) press(one, at === chosen);
  };
  choose(0);
  return { element: h("span", { class: "choice", role: "group", "aria-label": label, ...more }, buttons), buttons };
}
