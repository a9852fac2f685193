// @ts-check
// What the buttons of a mouse and a finger do on the board of Play: each gesture has an action, which the user chooses.

import { field, select } from "../basics/controls.js";
import { h } from "../basics/dom.js";
import { kept } from "../basics/kept.js";

/** @typedef {import("../board/pointers.js").Gesture} Gesture */
/** @typedef {"open" | "cover" | "flag" | "chord" | "none"} Action */
/** @typedef {Record<Gesture, Action>} Choices */

/** What an action does, in words. @type {Record<Action, string>} */
const ACTIONS = {
  open: "opens; on a number, the cells around it",
  cover: "opens covered cells only",
  flag: "flags",
  chord: "opens the cells around a number",
  none: "does nothing",
};
/** Names of gestures, and their actions, which kept.js checks. @type {Record<Gesture, { name: string, actions: Action[] }>} */
const GESTURES = {
  left: { name: "Left button, tap, Enter", actions: ["open", "cover", "flag"] },
  right: { name: "Right button", actions: ["flag", "open", "chord", "none"] },
  middle: { name: "Middle button", actions: ["chord", "flag", "open", "none"] },
  both: { name: "Left and right together", actions: ["chord", "none"] },
  hold: { name: "Long press", actions: ["flag", "open", "none"] },
};

const NAMES = /** @type {Gesture[]} */ (Object.keys(GESTURES));

/** What each gesture does, as the user has chosen. @returns {Choices} */
export const keptChoices = () =>
  /** @type {any} */ (Object.fromEntries(NAMES.map((gesture) => [gesture, kept.get(`play-button-${gesture}`)])));

/**
 * What each gesture does, to be chosen.
 * @param {Choices} choices
 * @param {(gesture: Gesture, action: Action) => void} onChoose
 */
export function buttonChoices(choices, onChoose) {
  const fields = NAMES.map((gesture) => {
    const { name, actions } = GESTURES[gesture];
    const id = /** @type {const} */ (`play-button-${gesture}`);
    const onchange = (/** @type {any} */ action) => {
      kept.set(id, action);
      onChoose(gesture, action);
    };
    const options = actions.map((action) => /** @type {[string, string]} */ ([action, ACTIONS[action]]));
    return field(name, select(options, choices[gesture], { id, onchange }));
  });
  return h("details", { id: "play-buttons" }, h("summary", {}, "Buttons"), h("div", { class: "fields" }, fields));
}
