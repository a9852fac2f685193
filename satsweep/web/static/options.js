// What the user can choose for Play, kept in the browser.

import { h, storage } from "./dom.js";
import { ACTIONS, chosen, GESTURES } from "./gestures.js";
import { field, select } from "./settings.js";

// A checkbox whose state is kept in the browser.
export function option(name, text, usual, onchange = () => {}) {
  const box = h("input", {
    type: "checkbox",
    id: `play-${name}`,
    checked: storage.get(name, usual) === "yes",
    onchange: () => {
      storage.set(name, box.checked ? "yes" : "no");
      onchange();
    },
  });
  const element = h("div", { class: "check" }, box, h("label", { for: box.id }, text));
  return {
    element,
    get checked() {
      return box.checked;
    },
  };
}

// What each gesture does, to be chosen.
export function buttonChoices() {
  const choices = Object.entries(GESTURES).map(([gesture, { name, actions }]) => {
    const choice = select(
      actions.map((action) => [action, ACTIONS[action]]),
      chosen.of(gesture),
    );
    choice.id = `play-button-${gesture}`;
    choice.addEventListener("change", () => chosen.set(gesture, choice.value));
    return field(name, choice);
  });
  return h("details", { id: "play-buttons" }, h("summary", {}, "Buttons"), h("div", { class: "fields" }, choices));
}
