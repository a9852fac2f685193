// @ts-check
// A view of the page: its link, which the address bar keeps, and the keys that views share.

import { announce, button, copy, debounce, download, flash } from "../basics/dom.js";
import { Latest } from "../engine/latest.js";

/**
 * What views use of the page: what it knows, ways to other views, and what it says.
 * @typedef {{
 *   connection: import("../engine/connection.js").Connection,
 *   about: About,
 *   keep: (view: string, link: string) => void,
 *   complain: (message: string) => void,
 *   openDialog: () => void,
 *   read: (asked: { text: string } | File) => Promise<void>,
 *   solve: (text: string) => Promise<void>,
 *   reviewOf: (asked: Record<string, unknown>, clicks: import("./clicks.js").Click[]) => Promise<void>,
 * }} Page
 */

export class View {
  /** True while a picture is being made. */
  saving = false;
  /** What the view shall show next: each wish of the user overtakes the one before, and no late answer replaces it. */
  wanted = new Latest();

  /**
   * @param {string} name
   * @param {HTMLElement} element
   * @param {Page} page
   */
  constructor(name, element, page) {
    this.name = name;
    this.element = element;
    this.page = page;
    /** @type {import("../engine/connection.js").Connection} */
    this.connection = page.connection;
    this.keepSoon = debounce(300, async () => page.keep(name, await this.link()));
    this.saveButton = button("Save as moving picture", () => this.savePicture(), { disabled: true });
    this.fileButton = button("Save game", () => this.saveFile(), {
      id: `${name}-file`,
      title: "All clicks with their times: as RAWVF for other programs, or as a record where mines were redrawn",
    });
    this.shareButton = button("Copy link", () => this.share(), { id: `${name}-share` });
  }

  /** Put the parts of the view in order, also when the window becomes a phone's. @param {boolean} _boardFirst */
  arrange(_boardFirst) {}

  async share() {
    flash(this.shareButton, (await copy(await this.link())) ? "Copied" : "Not copied");
  }

  // The button that downloads the game as a moving picture once it is `over`.
  pictureButton() {
    this.saveButton.id = `${this.name}-picture`;
    return this.saveButton;
  }

  showPicture() {
    this.saveButton.disabled = this.saving || !this.over;
  }

  async savePicture() {
    this.saving = true;
    this.showPicture();
    this.page.complain("");
    try {
      const { svg } = await this.connection.ask("animate", this.picture());
      download("game.svg", svg);
      announce("Picture saved");
    } catch (error) {
      this.page.complain(/** @type {Error} */ (error).message);
    }
    this.saving = false;
    this.showPicture();
  }

  // Download the game with all its clicks.
  async saveFile() {
    this.page.complain("");
    try {
      const { text, suffix } = await this.connection.ask("write", this.picture());
      download(`game${suffix}`, text);
      announce("Game saved");
    } catch (error) {
      this.page.complain(/** @type {Error} */ (error).message);
    }
  }

  // This view is shown.
  arrive() {}

  // Another view is shown.
  leave() {}

  /** The board that is shown; null where there is none. @returns {import("../board/board.js").Board | null} */
  get shownBoard() {
    const { board } = /** @type {{ board?: import("../board/board.js").Board }} */ (this);
    return board ?? null;
  }

  /** Move the focus to the board; false where none can be seen. */
  focusBoard() {
    const board = this.shownBoard;
    if (!board?.element.checkVisibility() || !board.cells.length) return false;
    board.focus(board.current);
    return true;
  }

  /** The address of what is shown. @returns {Promise<string>} */
  async link() {
    return "";
  }

  /** True once the game that is shown is over. @returns {any} */
  get over() {
    return false;
  }

  /** The question that asks for the game as a moving picture, or as a file. @returns {Record<string, unknown>} */
  picture() {
    return {};
  }

  /**
   * Handle a key that the focused element has left alone; true if it was handled.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { undo } = /** @type {{ undo?: () => void }} */ (this);
    if (!undo || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return false;
    undo.call(this);
    return true;
  }
}
