// @ts-check
// Words with a tooltip that says what they mean. TERMS is made from docs/glossary.md, and loaded for the first tooltip.

import { $, h } from "../basics/dom.js";

/** @typedef {keyof typeof import("./terms.js").TERMS} Word */

/**
 * A word of the glossary as an element; `text` stands for it where the sentence needs another form.
 * @param {Word} word
 * @param {string} [text]
 */
export function term(word, text = word) {
  const element = h("button", { type: "button", class: "term", "data-term": word }, text);
  let isPointedAt = false;
  const show = async () => {
    isPointedAt = true;
    const { TERMS } = await import("./terms.js");
    if (isPointedAt) showTip(element, TERMS[word]);
  };
  const hide = () => {
    isPointedAt = false;
    hideTip(element);
  };
  element.addEventListener("pointerenter", show);
  element.addEventListener("focus", show);
  element.addEventListener("click", show);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("blur", hide);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {string} meaning
 */
function showTip(element, meaning) {
  const tip = $("tip");
  tip.hidden = false;
  tip.replaceChildren(meaning);
  element.setAttribute("aria-describedby", "tip");
  const box = element.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(Math.max(6, box.left), innerWidth - width - 6)}px`;
  tip.style.top = `${box.top > height + 10 ? box.top - height - 6 : box.bottom + 6}px`;
}

function hideTip(/** @type {HTMLElement} */ element) {
  $("tip").hidden = true;
  element.removeAttribute("aria-describedby");
}
