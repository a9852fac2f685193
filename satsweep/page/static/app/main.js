// @ts-check
// The page: the view that the address names, the theme, positions that are opened or dropped, and global keys.

import { route } from "../basics/address.js";
import { $, described, icon, PHONE, whenever } from "../basics/dom.js";
import { kept } from "../basics/kept.js";
import { WITHOUT_ENGINE } from "../engine/channel.js";
import { Connection } from "../engine/connection.js";
import { isCancelled, Latest } from "../engine/latest.js";
import { suggest } from "../shared/inputs.js";
import { presets } from "../solve/front.js";

if (kept.isOld) (await import("../basics/carried.js")).carryOver();

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
/** How each view is loaded, when it is first needed, and its title. */
const VIEWS = {
  solve: { title: "Solve", load: async () => (await import("../solve/view.js")).SolveView },
  play: { title: "Play", load: async () => (await import("../play/view.js")).PlayView },
  review: { title: "Review", load: async () => (await import("../review/view.js")).ReviewView },
  watch: { title: "Watch", load: async () => (await import("../watch/view.js")).WatchView },
  train: { title: "Train", load: async () => (await import("../train/view.js")).TrainView },
  picture: { title: "Picture", load: async () => (await import("../pictures/view.js")).PictureView },
};

/** @param {string} name @returns {name is keyof typeof VIEWS} */
const isView = (name) => Object.hasOwn(VIEWS, name);

/** @typedef {{ [Name in keyof typeof VIEWS]: InstanceType<Awaited<ReturnType<(typeof VIEWS)[Name]["load"]>>> }} Views */

export class Page {
  /** The views that have been shown. @type {Partial<Views>} */
  views = {};
  /** The name of the view that is shown. @type {keyof Views | null} */
  shown = null;
  /** The view that is on its way: it is loaded when it is first needed. */
  coming = new Latest();
  /** What the server says of itself, once it has. @type {About} */
  about = /** @type {any} */ (null);

  constructor() {
    this.connection = new Connection({
      onState: (connected, message = "") => this.complain(connected ? "" : message),
      onWait: (said, time) => this.wait(said, time),
      onEngine: (problem) => this.miss(problem),
    });
  }

  async begin() {
    this.about = await this.connection.about();
    suggest(this.about);
    $("format-count").textContent = this.about.formats.length;
    $("open-presets").append(presets(this.about.levels, (name) => this.draw(name)));
    $("format-list").replaceChildren(...described(this.about.formats.map(({ name, summary }) => [name, summary])));
    await this.enter();
  }

  // Show what the address names.
  async enter() {
    const { view, query } = route();
    await this.#show(isView(view) ? view : "solve", (shown) => shown.enter(query));
  }

  /**
   * Show a view with what it is to show; nothing else is shown in it before.
   * @template {keyof Views} Name
   * @param {Name} name
   * @param {(view: Views[Name]) => unknown} what
   */
  async #show(name, what) {
    const signal = this.coming.next();
    if (this.shown && this.shown !== name) this.views[this.shown]?.leave();
    this.shown = name;
    for (const other of Object.keys(VIEWS)) $(`view-${other}`).hidden = other !== name;
    for (const link of document.querySelectorAll(".views a")) {
      if (link.getAttribute("data-view") === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${VIEWS[name].title} · satsweep`;
    const view = await this.view(name);
    try {
      if (signal.aborted) return;
      view.arrive();
      await what(view);
    } catch (error) {
      if (!isCancelled(error)) throw error; // something else is wanted
    }
  }

  /**
   * A view, built when it is first needed.
   * @template {keyof Views} Name
   * @param {Name} name
   * @returns {Promise<Views[Name]>}
   */
  async view(name) {
    /** @type {any} */
    const views = this.views;
    const View = await this.connection.waits.during(`Opening ${VIEWS[name].title}`, async () => {
      if (name !== "solve") await dressed();
      return VIEWS[name].load();
    });
    if (!views[name]) {
      const view = new View($(`view-${name}`), this);
      views[name] = view;
      whenever(PHONE, (isPhone) => view.arrange(isPhone));
    }
    return views[name];
  }

  /**
   * Keep the link to what a view shows in the address bar, for reloading and sharing.
   * @param {string} view
   * @param {string} link
   */
  keep(view, link) {
    if (this.shown === view) history.replaceState(null, "", link);
  }

  /** @param {string} message */
  complain(message) {
    this.#tell("banner", message);
  }

  /** Say what does not work without the engine in this browser. @param {string} problem */
  miss(problem) {
    this.#tell("lacking", `${problem}. ${WITHOUT_ENGINE}`);
  }

  /** @param {string} id @param {string} text */
  #tell(id, text) {
    $(id).textContent = text;
    $(id).hidden = !text;
  }

  /** Say what is waited for, and for how long; nothing if that is empty. @param {string} said @param {string} time */
  wait(said, time) {
    if ($("waiting-said").textContent !== said) $("waiting-said").textContent = said;
    $("waiting-time").textContent = time;
    $("waiting").hidden = !said;
  }

  /** Open a position in Solve. @param {string} text */
  solve(text) {
    return this.go("solve", (view) => view.bring(text));
  }

  /** Begin an empty board in Solve. @param {string} name */
  draw(name) {
    $("open-dialog").close();
    return this.go("solve", (view) => view.preset(name));
  }

  openDialog() {
    $("open-problem").textContent = "";
    $("open-dialog").showModal();
    $("open-text").focus();
  }

  /** Read a text or a file, and open what it is. @param {{ text: string } | { base64: string } | File} asked */
  async read(asked) {
    const { open } = await import("./opening.js");
    await open(this, asked);
  }

  /** @param {Reviewed} found the answer to `review_game` */
  review(found) {
    $("open-dialog").close();
    return this.go("review", (view) => view.bring(found));
  }

  /**
   * Show the review of a game that was played here.
   * @param {Record<string, unknown>} asked as `review_game` is asked, without clicks
   * @param {import("../shared/clicks.js").Click[]} clicks
   */
  reviewOf(asked, clicks) {
    return this.go("review", (view) => view.begin(asked, clicks));
  }

  /** Play on a layout. @param {string} text */
  play(text) {
    return this.go("play", (view) => view.bring(text));
  }

  /**
   * Go to a view, a step of the browser's history, and show something in it.
   * @template {keyof Views} Name
   * @param {Name} name
   * @param {(view: Views[Name]) => unknown} what
   */
  async go(name, what) {
    history.pushState(null, "", `#${name}`); // tells no listener, so the view is entered once
    await this.#show(name, what);
  }
}

/**
 * Switch a style sheet on; a browser loads it then.
 * @param {HTMLLinkElement} link
 */
const switchedOn = (link) =>
  new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    link.disabled = false;
  });

/** The style sheets that the first look does not need, from the first other view on. @type {Promise<unknown> | null} */
let dressing = null;

function dressed() {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const links = document.querySelectorAll("link[disabled]");
  dressing ??= Promise.all([...links].map(switchedOn));
  return dressing;
}

const page = new Page();

// What theme.js does before the page is first drawn, and the button that says so.
function theme() {
  const chosen = kept.get("theme");
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  const button = $("theme-button");
  const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  button.replaceChildren(icon(dark ? "moon" : "sun"));
  button.setAttribute("aria-label", `Theme: ${chosen}`);
  button.title = `Theme: ${chosen}`;
}

$("theme-button").addEventListener("click", () => {
  kept.set("theme", THEMES[(THEMES.indexOf(kept.get("theme")) + 1) % THEMES.length]);
  theme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
for (const name of /** @type {const} */ (["keys", "settings"]))
  $(`${name}-button`).addEventListener("click", async () => (await import("./dialogs.js")).openDialog(name));
$("skip").addEventListener("click", (/** @type {Event} */ event) => {
  event.preventDefault(); // the address names a view, not a place in the page
  const view = page.shown && page.views[page.shown];
  if (!view?.focusBoard()) $("main").focus();
});

/** @param {() => Promise<void>} action */
async function open(action) {
  try {
    await action();
  } catch (error) {
    if (isCancelled(error)) return;
    const { message } = /** @type {Error} */ (error);
    $("open-problem").textContent = message;
    if (!$("open-dialog").open) page.complain(message);
  }
}
$("open-read").addEventListener("click", () => open(() => page.read({ text: $("open-text").value })));
$("open-close").addEventListener("click", () => $("open-dialog").close());
$("layout-close").addEventListener("click", () => $("layout-dialog").close());
for (const name of ["picture", "file"])
  $(`open-${name}`).addEventListener("change", (/** @type {any} */ { target }) => {
    const [file] = target.files;
    target.value = "";
    if (file) open(() => page.read(file));
  });
window.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
window.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
window.addEventListener("drop", (/** @type {any} */ event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  page.complain("");
  const [file] = event.dataTransfer.files;
  const text = event.dataTransfer.getData("text");
  if (file) open(() => page.read(file));
  else if (text) open(() => page.read({ text }));
});
window.addEventListener("paste", (/** @type {any} */ event) => {
  const [file] = event.clipboardData.files;
  const text = event.clipboardData.getData("text");
  if (file && !text.trim() && !document.querySelector("dialog[open]:not(#open-dialog)")) open(() => page.read(file));
  if (event.target.closest?.("input, textarea, select")) return;
  if (text.trim() && !document.querySelector("dialog[open]")) open(() => page.read({ text }));
});
window.addEventListener("keydown", (/** @type {any} */ event) => {
  if (event.key === "Escape") $("tip").hidden = true;
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest?.("input, textarea, select");
  const pressing =
    event.target.closest?.("button, a, summary, [role=button]") && (event.key === " " || event.key === "Enter");
  if (typing || pressing) return;
  if (page.shown && page.views[page.shown]?.key(event)) event.preventDefault();
});
window.addEventListener("hashchange", () => page.enter().catch((error) => page.complain(error.message)));

// Other apps share pictures with the page once it is installed.
if (matchMedia("(display-mode: standalone)").matches) navigator.serviceWorker?.register("service-worker.js");

theme();
page.begin().catch((error) => page.complain(error.message));
