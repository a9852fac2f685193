// Questions and answers over one channel, which opens at the first question: to the server, or to Python in this browser.

import { openChannel } from "./channel.js";

// The reason for giving no answer; `line` and `column` are a place in a text.
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
  // `onState` gets true, or false and why there is no channel; `onStart` how far a slow start has come.
  constructor(onState = () => {}, onStart = () => {}) {
    this.onState = onState;
    this.onStart = onStart;
    this.waiting = new Map();
    this.last = 0;
    this.opening = null;
  }

  // The answer to a question. `onPart` gets the pieces that come before it; aborting `signal` cancels the question.
  async ask(kind, fields = {}, { onPart = () => {}, signal } = {}) {
    const channel = await this.#channel();
    if (signal?.aborted) throw cancelled();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.waiting.delete(id)) channel.send({ id, cancel: true });
        reject(cancelled());
      };
      signal?.addEventListener("abort", stop, { once: true });
      const done = (settle) => (value) => {
        signal?.removeEventListener("abort", stop);
        settle(value);
      };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject), onPart });
      channel.send({ id, ask: kind, ...fields });
    });
  }

  #channel() {
    this.opening ??= new Promise((resolve, reject) => {
      openChannel({
        opened: (channel) => {
          this.onState(true);
          resolve(channel);
        },
        message: (message) => this.#take(message),
        started: (progress) => this.onStart(progress),
        closed: (message) => {
          this.opening = null;
          this.onState(false, message);
          const left = [...this.waiting.values()];
          this.waiting.clear();
          for (const { reject: refuse } of left) refuse(new Refused({ message }));
          reject(new Refused({ message }));
        },
      });
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
