// The page: which view is shown, its theme, what is opened or dropped, and keys that work everywhere.

import { Connection } from "./connection.js";
import { $, h, icon, storage } from "./dom.js";
import { route } from "./link.js";
import { PlayView } from "./play.js";
import { SolveView } from "./solve.js";
import { WatchView } from "./watch.js";

const THEMES = ["auto", "light", "dark"];
const VIEWS = { watch: [WatchView, "Watch"], solve: [SolveView, "Solve"], play: [PlayView, "Play"] };
const GRIDS = ["hexagonal wrapping cols", "square in 3 planes", "offsets 0,1 1,2"];
const CLUES = ["exact", "random 1/2", "underestimate", "underestimate 1/20", "overestimate", "overestimate 1/20 cap 8"];

class Page {
  constructor() {
    this.views = {};
    this.connection = new Connection((there, message) => this.complain(there ? "" : message));
  }

  async begin() {
    this.about = await this.connection.ask("about");
    const list = (id, values) => document.body.append(h("datalist", { id }, values.map((value) => h("option", { value }))));
    list("topologies", [...this.about.topologies, ...GRIDS]);
    list("clue-models", CLUES);
    $("format-count").textContent = this.about.formats.length;
    $("format-list").replaceChildren(...this.about.formats.map(({ name, summary }) => h("div", {}, h("dt", {}, name), h("dd", {}, summary))));
    await this.show();
  }

  // Show the view that the address names.
  async show() {
    const { view, query } = route();
    const name = view in VIEWS ? view : "watch";
    const [kind, title] = VIEWS[name];
    if (this.shown && this.shown !== name) this.views[this.shown].leave?.();
    this.shown = name;
    for (const other of Object.keys(VIEWS)) $(`view-${other}`).hidden = other !== name;
    for (const link of document.querySelectorAll(".views a")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${title} · satsweep`;
    this.views[name] ??= new kind($(`view-${name}`), this);
    await this.views[name].enter(query);
  }

  // What the address says from now on, so that a reload, or whoever gets it, is where this is.
  keep(view, link) {
    if (this.shown === view) history.replaceState(null, "", link);
  }

  complain(message) {
    $("banner").textContent = message;
    $("banner").hidden = !message;
  }

  // Open a position in Solve.
  async solve(text) {
    location.hash = "#solve";
    await this.show();
    await this.views.solve.bring(text);
  }

  openDialog() {
    $("open-problem").textContent = "";
    $("open-dialog").showModal();
    $("open-text").focus();
  }

  async read(asked) {
    const found = await this.connection.ask("read", asked);
    $("open-dialog").close();
    if (found.kind === "board") await this.solve(found.text);
    else if (found.kind === "layout") this.chooseFor(found);
    else this.showRules(found);
  }

  chooseFor({ text, mines, summary }) {
    $("layout-said").textContent = `It says where the ${mines} mines are (${summary}), so there is nothing to solve. What shall become of it?`;
    const go = (name) => async () => {
      $("layout-dialog").close();
      location.hash = `#${name}`;
      this.views[name] ??= new VIEWS[name][0]($(`view-${name}`), this);
      await this.views[name].bring(text);
    };
    $("layout-watch").onclick = go("watch");
    $("layout-play").onclick = go("play");
    $("layout-dialog").showModal();
  }

  // Rules have names and no grid.
  showRules({ impossible, cells, elsewhere, summary }) {
    const rows = (cells ?? []).map(({ name, percent, exact }) => [name, percent, exact ?? "long"]);
    if (elsewhere) rows.push(["any other cell", elsewhere.percent, elsewhere.exact ?? "long"]);
    const table = h("table", { class: "ranking" }, h("caption", {}, summary),
      h("thead", {}, h("tr", {}, ["Cell", "Risk", "Exactly"].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows.map(([name, ...values]) => h("tr", {}, h("th", { scope: "row" }, name), values.map((value) => h("td", {}, value))))));
    const dialog = h("dialog", { "aria-label": "What the rules say", onclose: () => dialog.remove() },
      h("h2", {}, impossible ? "These rules cannot all be true" : "What the rules say"),
      impossible ? h("p", {}, impossible) : h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Risks" }, table),
      h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")));
    document.body.append(dialog);
    dialog.showModal();
  }

  async readFile(file) {
    if (file.size > 0.7 * this.about.message) throw new Error(`A file may have up to ${Math.floor(0.7 * this.about.message / 1000)} kB.`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    await this.read({ base64: btoa(binary) });
  }
}

const page = new Page();

function theme() {
  const chosen = storage.get("theme", "auto");
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  const button = $("theme-button");
  const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  button.replaceChildren(icon(dark ? "moon" : "sun"));
  button.setAttribute("aria-label", `Theme: ${chosen}`);
  button.title = `Theme: ${chosen}`;
}

$("theme-button").addEventListener("click", () => {
  storage.set("theme", THEMES[(THEMES.indexOf(storage.get("theme", "auto")) + 1) % THEMES.length]);
  theme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
$("keys-button").addEventListener("click", () => $("keys").showModal());

const open = async (action) => {
  try {
    await action();
  } catch (error) {
    const place = error.line ? ` (line ${error.line}, column ${error.column})` : "";
    $("open-problem").textContent = `${error.message}${place}`;
    if (!$("open-dialog").open) page.complain(`${error.message}${place}`);
  }
};
$("open-read").addEventListener("click", () => open(() => page.read({ text: $("open-text").value })));
$("open-close").addEventListener("click", () => $("open-dialog").close());
$("layout-close").addEventListener("click", () => $("layout-dialog").close());
$("open-file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file) open(() => page.readFile(file));
});
window.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
window.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  page.complain("");
  const [file] = event.dataTransfer.files;
  const text = event.dataTransfer.getData("text");
  if (file) open(() => page.readFile(file));
  else if (text) open(() => page.read({ text }));
});
window.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea, select")) return;
  const text = event.clipboardData.getData("text");
  if (text.trim() && !document.querySelector("dialog[open]")) open(() => page.read({ text }));
});
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") $("tip").hidden = true;
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest?.("input, textarea, select");
  const pressing = event.target.closest?.("button, a, summary") && (event.key === " " || event.key === "Enter");
  if (typing || pressing) return;
  if (page.views[page.shown]?.key(event)) event.preventDefault();
});
window.addEventListener("hashchange", () => page.show().catch((error) => page.complain(error.message)));

theme();
page.begin().catch((error) => page.complain(error.message));
