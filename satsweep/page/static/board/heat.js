// @ts-check
// Colours of risks and win chances, from safe (0) to a mine (1).

const SHADES = 48; // cells of one class cost the browser less than a colour for each cell

/** @param {number} heat */
export const shadeOf = (heat) => Math.round(SHADES * heat);

/**
 * The class of a cell of this heat.
 * @param {number} heat
 */
export const classOf = (heat) => `heat-${shadeOf(heat)}`;

/**
 * The colour of a shade, as CSS.
 * @param {number} shade
 */
export function colourOf(shade) {
  const heat = shade / SHADES;
  const [from, to, share] = heat <= 0.5 ? ["safe", "even", 2 * heat] : ["even", "mined", 2 * heat - 1];
  return `color-mix(in oklab, var(--${to}) ${100 * share}%, var(--${from}))`;
}

/** The rules of all classes. @type {CSSStyleSheet | null} */
let sheet = null;

/** Let the document have the classes. */
export function begin() {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  for (let shade = 0; shade <= SHADES; shade++) sheet.insertRule(`.heat-${shade} { --heat: ${colourOf(shade)}; }`);
  document.adoptedStyleSheets.push(sheet);
}

/**
 * The heat of a win chance among others: of the best 0.04, of the worst 0.96.
 * @param {number} win
 * @param {number[]} all
 */
export function winHeat(win, all) {
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return most > least ? 0.04 + (0.92 * (most - win)) / (most - least) : 0.2;
}
