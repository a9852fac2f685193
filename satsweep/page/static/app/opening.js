// @ts-check
// What was pasted, dropped or chosen, opened in the view that shows it; loaded when something is first opened.

import { toBase64 } from "../basics/base64.js";
import { $, capitalized, h, table } from "../basics/dom.js";
import { isCancelled, Latest } from "../engine/latest.js";

/** @typedef {{ text: string } | { base64: string }} Asked */
/**
 * What is used of the page.
 * @typedef {import("../shared/view.js").Page & {
 *   shown: string | null,
 *   play: (text: string) => Promise<void>,
 *   review: (found: Reviewed) => Promise<void>,
 *   go: (name: "watch" | "play" | "picture", what: (view: { bring: (brought: any) => unknown }) => unknown) => Promise<void>,
 * }} Page
 */

/** What is read: a text that is opened later overtakes it. */
const reading = new Latest();

/**
 * Read a text or a file, and open what it is.
 * @param {Page} page
 * @param {Asked | File} asked
 */
export async function open(page, asked) {
  if (!(asked instanceof File)) return read(page, asked);
  if (/^image\/(?!svg)/.test(asked.type)) {
    $("open-dialog").close();
    return page.go("picture", (view) => view.bring(asked));
  }
  const most = 0.7 * page.about.message; // base64 needs four bytes for three
  if (asked.size > most) throw new Error(`A file may have up to ${Math.floor(most / 1000)} kB.`);
  return read(page, { base64: toBase64(new Uint8Array(await asked.arrayBuffer())) });
}

/**
 * Open a text, or the content of a file.
 * @param {Page} page
 * @param {Asked} asked
 */
async function read(page, asked) {
  // Where games are reviewed most texts are games; what is nothing at all is refused as the first of these.
  const [usual, other] = page.shown === "review" ? ["review_game", "read"] : ["read", "review_game"];
  let kind = usual;
  const signal = reading.next();
  const found = await page.connection.ask(usual, asked, { signal }).catch((error) => {
    if (isCancelled(error)) throw error;
    kind = other;
    return page.connection.ask(other, asked, { signal }).catch((second) => {
      throw isCancelled(second) ? second : error;
    });
  });
  if (kind === "review_game") {
    await page.review(found);
    return;
  }
  $("open-dialog").close();
  if (found.kind === "board") await page.solve(found.text);
  else if (found.kind === "layout") await chooseFor(page, found, asked, signal);
  else if (found.kind === "proof") showProof(page, found);
  else showRules(found);
}

/**
 * Ask what to do with a layout; `asked` may be a game on it.
 * @param {Page} page
 * @param {{ text: string, mines: number, summary: string }} layout
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
async function chooseFor(page, { text, mines, summary }, asked, signal) {
  const all = mines === 1 ? "its one mine" : `all ${mines} mines`;
  $("layout-said").textContent =
    `It shows ${all} (${summary}), so there is nothing to solve. Choose what to do with it.`;
  const go = (/** @type {"watch" | "play"} */ name) => async () => {
    $("layout-dialog").close();
    await page.go(name, (view) => view.bring(text));
  };
  $("layout-watch").onclick = go("watch");
  $("layout-play").onclick = go("play");
  $("layout-review").hidden = true;
  $("layout-dialog").showModal();
  const game = await page.connection.ask("review_game", asked, { signal }).catch(() => null);
  if (signal.aborted) return;
  $("layout-review").hidden = !game;
  $("layout-review").onclick = () => {
    $("layout-dialog").close();
    page.review(game);
  };
}

/**
 * Show the verdict on a certificate or trace, and its board or layout.
 * @param {Page} page
 * @param {{ about: "board" | "layout", text: string, accepted: boolean, said: string[] }} proof
 */
function showProof(page, { about, text, accepted, said }) {
  const dialog = h(
    "dialog",
    { "aria-label": "A proof", onclose: () => dialog.remove() },
    h("h2", {}, accepted ? "This proof is right" : "This proof is wrong"),
    said.map((line) => h("p", {}, capitalized(line))),
    h(
      "form",
      { method: "dialog", class: "row" },
      h(
        "button",
        { class: "main", onclick: () => (about === "board" ? page.solve(text) : page.play(text)) },
        about === "board" ? "Open its position" : "Play its board",
      ),
      h("button", {}, "Close"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Show the risks that rules about named cells give, without a grid. @param {NamedRisks} found */
function showRules({ impossible, cells = [], elsewhere, summary }) {
  const named = elsewhere ? [...cells, { name: "any other cell", ...elsewhere }] : cells;
  const rows = named.map(({ name, percent, exact }) => [name, percent, exact ?? "long"]);
  const contents = impossible
    ? h("p", {}, impossible)
    : h(
        "div",
        { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Risks" },
        table(summary, ["Cell", "Risk", "Exactly"], rows),
        h("p", { class: "note" }, "Risk: of a mine. Exactly: the same as a fraction, where that is not too long."),
      );
  const dialog = h(
    "dialog",
    { "aria-label": "Rules about named cells", onclose: () => dialog.remove() },
    h("h2", {}, impossible ? "These rules cannot all be true" : "Risks of the named cells"),
    contents,
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
