// Questions to the server and its answers, over one WebSocket that is opened when it is needed.

export class Refused extends Error {
  // Why there is no answer; `line` and `column` say where in a text.
  constructor({ message, line, column }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

export class Connection {
  constructor(onState = () => {}) {
    this.onState = onState;
    this.waiting = new Map();
    this.last = 0;
    this.opening = null;
  }

  // The answer to a question. `onPart` is given what comes before it; `signal` says that nobody waits any more.
  async ask(kind, fields = {}, { onPart = () => {}, signal } = {}) {
    const socket = await this.#socket();
    if (signal?.aborted) throw new DOMException("cancelled", "AbortError");
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.waiting.delete(id) && socket.readyState === WebSocket.OPEN) {
          socket.send(JSON.stringify({ id, cancel: true }));
        }
        reject(new DOMException("cancelled", "AbortError"));
      };
      signal?.addEventListener("abort", stop, { once: true });
      const done = (settle) => (value) => { signal?.removeEventListener("abort", stop); settle(value); };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject), onPart });
      socket.send(JSON.stringify({ id, ask: kind, ...fields }));
    });
  }

  #socket() {
    this.opening ??= new Promise((resolve, reject) => {
      const scheme = location.protocol === "https:" ? "wss:" : "ws:";
      const socket = new WebSocket(`${scheme}//${location.host}/ws`);
      socket.onopen = () => { this.onState(true); resolve(socket); };
      socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
      socket.onclose = ({ reason }) => {
        this.opening = null;
        const message = reason || "The server cannot be reached. Is satsweep serve still running?";
        this.onState(false, message);
        const left = [...this.waiting.values()];
        this.waiting.clear();
        for (const { reject: refuse } of left) refuse(new Refused({ message }));
        reject(new Refused({ message }));
      };
    });
    return this.opening;
  }

  #take({ id, part, answer, error }) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    if (part) {
      asked.onPart(part);
      return;
    }
    this.waiting.delete(id);
    if (error) asked.reject(new Refused(error));
    else asked.resolve(answer);
  }
}

// Whether an error only says that nobody waits any more.
export const isCancelled = (error) => error?.name === "AbortError";
