// The protocol of the server: questions and answers over one WebSocket, which opens at the first question.

// The server's reason for giving no answer: what is `said`; `line` and `column` are a place in a text.
export class Refused extends Error {
  constructor({ message, line, column }) {
    super(line ? `${message} (line ${line}, column ${column})` : message);
    Object.assign(this, { said: message, line, column });
  }
}

const cancelled = () => new DOMException("cancelled", "AbortError");

export const isCancelled = (error) => error?.name === "AbortError";

// At most one request at a time: each cancels the one before.
export class Latest {
  next() {
    this.cancel();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  cancel() {
    this.controller?.abort();
  }
}

export class Connection {
  constructor(onState = () => {}) {
    this.onState = onState;
    this.waiting = new Map();
    this.last = 0;
    this.opening = null;
  }

  // The answer to a question. `onPart` gets the pieces that come before it; aborting `signal` cancels the question.
  async ask(kind, fields = {}, { onPart = () => {}, signal } = {}) {
    const socket = await this.#socket();
    if (signal?.aborted) throw cancelled();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.waiting.delete(id) && socket.readyState === WebSocket.OPEN) {
          socket.send(JSON.stringify({ id, cancel: true }));
        }
        reject(cancelled());
      };
      signal?.addEventListener("abort", stop, { once: true });
      const done = (settle) => (value) => {
        signal?.removeEventListener("abort", stop);
        settle(value);
      };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject), onPart });
      socket.send(JSON.stringify({ id, ask: kind, ...fields }));
    });
  }

  #socket() {
    this.opening ??= new Promise((resolve, reject) => {
      const scheme = location.protocol === "https:" ? "wss:" : "ws:";
      const socket = new WebSocket(`${scheme}//${location.host}/ws`);
      socket.onopen = () => {
        this.onState(true);
        resolve(socket);
      };
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
    const question = this.waiting.get(id);
    if (!question) return;
    if (part) {
      question.onPart(part);
      return;
    }
    this.waiting.delete(id);
    if (error) question.reject(new Refused(error));
    else question.resolve(answer);
  }
}
