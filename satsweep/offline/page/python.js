// Python in a worker. What it says waits until somebody listens.

export class Python {
  constructor() {
    this.said = [];
    this.take = (message) => this.said.push(message);
    // A policy that the page carries holds for a worker whose address is a blob's; a file of the host would have its own.
    const code = `import ${JSON.stringify(new URL("worker.js", location.href).href)};`;
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.worker = new Worker(url, { type: "module" });
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => this.take({ failed: event.message ?? "its files cannot be read" });
  }

  listen(take) {
    this.take = take;
    this.said.forEach(take);
  }

  send(message) {
    this.worker.postMessage(message);
  }

  end() {
    this.worker.terminate();
  }
}

let early = null;

// Start before the page is complete, if all files are kept in the browser.
export function startEarly() {
  if (navigator.serviceWorker?.controller) early = new Python();
}

// Python that has been started early, or a new one.
export function startedPython() {
  const python = early ?? new Python();
  early = null;
  return python;
}
