// A view of the page (Watch, Solve or Play): its link, which the address bar keeps, and the keys that views share.

import { announce, button, copy, debounce, download, flash } from "./dom.js";

export class View {
  constructor(name, element, page) {
    Object.assign(this, { name, element, page, connection: page.connection });
    this.keepSoon = debounce(300, async () => page.keep(name, await this.link()));
    this.shareButton = button("Copy link", () => this.share(), { id: `${name}-share` });
  }

  async share() {
    flash(this.shareButton, (await copy(await this.link())) ? "Copied" : "Not copied");
  }

  // Button that downloads the game as a moving picture once it is `over`; `picture()` is the question that asks for it.
  pictureButton() {
    this.saveButton = button("Save as moving picture", () => this.savePicture(), {
      id: `${this.name}-picture`,
      disabled: true,
    });
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
      this.page.complain(error.message);
    }
    this.saving = false;
    this.showPicture();
  }

  // Handle a key that the focused element has left alone; true if it was handled.
  key(event) {
    if (!this.undo || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return false;
    this.undo();
    return true;
  }
}
