// A view of the page (Watch, Solve or Play): its link, which the address bar keeps, and the keys that views share.

import { button, copy, debounce, flash } from "./dom.js";

export class View {
  constructor(name, element, page) {
    Object.assign(this, { name, element, page, connection: page.connection });
    this.keepSoon = debounce(300, async () => page.keep(name, await this.link()));
    this.shareButton = button("Copy link", () => this.share(), { id: `${name}-share` });
  }

  async share() {
    flash(this.shareButton, (await copy(await this.link())) ? "Copied" : "Not copied");
  }

  // Handle a key that the focused element has left alone; true if it was handled.
  key(event) {
    if (!this.undo || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return false;
    this.undo();
    return true;
  }
}
