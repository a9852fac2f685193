// Small words for making elements, and for talking to those who do not see them.

export const $ = (id) => document.getElementById(id);

// An element: properties by name, `on...` as listeners, `data-...` and `aria-...` as attributes, then what is in it.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && !name.includes("-") && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

// Whether there is no room for a panel beside a board.
export const isNarrow = () => matchMedia("(max-width: 1000px)").matches;

export function svgOf(text, width, height) {
  const markup = `<svg xmlns="${SVG}" viewBox="0 0 ${width} ${height}">${text}</svg>`;
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

// What has been said is said again only if it is not the same text.
export function say(text) {
  $("live").textContent = text && text === $("live").textContent ? `${text}\u00a0` : text;
}

export const storage = {
  get(name, otherwise) {
    try { return localStorage.getItem(`satsweep-${name}`) ?? otherwise; } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem(`satsweep-${name}`, value); } catch { /* then it is forgotten */ }
  },
};

// A function that is called once it has not been wanted for a moment.
export function settled(milliseconds, action) {
  let timer = 0;
  const later = (...args) => { clearTimeout(timer); timer = setTimeout(() => action(...args), milliseconds); };
  later.cancel = () => clearTimeout(timer);
  return later;
}

export const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

// A button that says for a moment that it has done something.
export function flash(button, text) {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = before; }, 1400);
}

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

export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content]));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
