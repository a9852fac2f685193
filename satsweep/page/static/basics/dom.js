// @ts-check
// Small tools of the views: elements, announcements for screen readers, the clipboard.

/** @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);

/**
 * Create an element: properties by name, `on...` as listeners, `data-...` and `aria-...` as attributes, then children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 */
export function h(tag, properties = {}, ...children) {
  /** @type {HTMLElementTagNameMap[Tag] & Record<string, any>} */
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && !name.includes("-") && name !== "list") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * @param {any} text
 * @param {(event: any) => void} onclick
 * @param {Record<string, any>} [more]
 */
export const button = (text, onclick, more = {}) => h("button", { type: "button", onclick, ...more }, text);

/**
 * @param {string} name
 * @param {string} label
 * @param {() => void} onclick
 * @param {Record<string, any>} [more]
 */
export const iconButton = (name, label, onclick, more = {}) =>
  button(icon(name), onclick, { class: "round", "aria-label": label, title: label, ...more });

/**
 * The rows of a description list, from pairs of a name and a value.
 * @param {[name: any, value: any][]} pairs
 */
export const described = (pairs) => pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));

/**
 * A table from its column heads and its rows; the first cell of a row is the row's head.
 * @param {string} caption
 * @param {any[]} heads
 * @param {any[][]} rows
 */
export function table(caption, heads, rows) {
  return h(
    "table",
    { class: "ranking" },
    h("caption", {}, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([head, ...values]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, head),
          values.map((value) => h("td", {}, value)),
        ),
      ),
    ),
  );
}

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

// A window without room for a panel beside the board.
export const NARROW = "(max-width: 1000px)";

export const isNarrow = () => matchMedia(NARROW).matches;

/**
 * Act now, and whenever a query about the window is answered otherwise from then on.
 * @param {string} query
 * @param {(matches: boolean) => void} act
 */
export function whenever(query, act) {
  const found = matchMedia(query);
  found.addEventListener("change", () => act(found.matches));
  act(found.matches);
}

/**
 * A function that acts unless its inputs are those of its last call: what is drawn anew loses focus and place.
 * @template {any[]} Rest
 * @param {(...rest: Rest) => void} act
 */
export function ifNew(act) {
  /** @type {unknown[] | null} */
  let before = null;
  return (/** @type {unknown[]} */ inputs, /** @type {Rest} */ ...rest) => {
    if (before && inputs.every((input, at) => input === before?.[at])) return;
    before = inputs;
    act(...rest);
  };
}

/** A window in which the board comes first once there is one. */
export const PHONE = "(max-width: 640px)";

/**
 * Put siblings into an order: what comes first on the screen comes first for keys and screen readers, too. One of them
 * stays where it is, so that it keeps its scroll position, and the focus stays.
 * @param {HTMLElement} still
 * @param {HTMLElement[]} order
 */
export function arrange(still, order) {
  if (order.every((one, at) => !at || order[at - 1].nextElementSibling === one)) return;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const at = order.indexOf(still);
  still.before(...order.slice(0, at));
  still.after(...order.slice(at + 1));
  if (focused !== document.activeElement) focused?.focus({ preventScroll: true });
}

/**
 * @param {string} text
 * @param {number} width
 * @param {number} height
 */
export function svgOf(text, width, height) {
  const markup = `<svg xmlns="${SVG}" viewBox="0 0 ${width} ${height}">${text}</svg>`;
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/**
 * Announce a text to screen readers. A repeated text must differ from the one before it to be announced again.
 * @param {string} text
 */
export function announce(text) {
  $("live").textContent = text && text === $("live").textContent ? `${text}\u00a0` : text;
}

/**
 * Debounce: a function that runs once its calls have paused for some milliseconds.
 * @param {number} milliseconds
 * @param {(...args: any[]) => void} action
 */
export function debounce(milliseconds, action) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const later = (/** @type {any[]} */ ...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/**
 * @param {number} count
 * @param {string} noun
 */
export const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** @param {string} text */
export const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * Show a text on a button for a moment.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function flash(element, text) {
  const before = element.textContent;
  element.textContent = text;
  setTimeout(() => {
    element.textContent = before;
  }, 1400);
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "unseen", value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/**
 * @param {string} name
 * @param {BlobPart} content
 */
export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content]));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
