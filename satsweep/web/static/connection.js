// @ts-check
// Questions and answers over one channel, which opens at the first question: to the server, or to Python in this browser.

import { openChannel } from "./channel.js";

/** The reason for giving no answer; `line` and `column` are a place in a text, `said` the reason without it. */
export class Refused extends Error {
  /** @param {{ message: string, line?: number, column?: number }} error */
  constructor({ message, line, column }) {
    super(line ? `${message} (line ${line}, column ${column})` : message);
    this.said = message;
    this.line = line;
    this.column = column;
  }
}

const cancelled = () => new DOMException("cancelled", "AbortError");

/** @param {any} error */
export const isCancelled = (error) => error?.name === "AbortError";

// At most one request at a time: each cancels the one before.
export class Latest {
  /** @type {AbortController | null} */
  controller = null;

  next() {
    this.cancel();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  cancel() {
    this.controller?.abort();
  }
}

/** @typedef {{ resolve: (answer: any) => void, reject: (error: any) => void, onPart: (part: any) => void }} Waiting */

export class Connection {
  /** Questions without an answer, by their ids. @type {Map<number, Waiting>} */
  waiting = new Map();
  /** The id of the last question. */
  last = 0;
  /** The channel, from the first question on. @type {Promise<{ send: (value: any) => void }> | null} */
  opening = null;

  /**
   * `onState` gets true, or false and why there is no channel; `onStart` how far a slow start has come.
   * @param {(connected: boolean, message?: string) => void} [onState]
   * @param {(progress: number) => void} [onStart]
   */
  constructor(onState = () => {}, onStart = () => {}) {
    this.onState = onState;
    this.onStart = onStart;
  }

  /**
   * The answer to a question. `onPart` gets the pieces that come before it; aborting `signal` cancels the question.
   * @param {string} kind
   * @param {Record<string, unknown>} [fields]
   * @param {{ onPart?: (part: any) => void, signal?: AbortSignal }} [how]
   * @returns {Promise<any>}
   */
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
      const done = (/** @type {(value: any) => void} */ settle) => (/** @type {any} */ value) => {
        signal?.removeEventListener("abort", stop);
        settle(value);
      };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject), onPart });
      channel.send({ id, ask: kind, ...fields });
    });
  }

  #channel() {
    this.opening ??= new Promise((resolve, reject) => {
      /** @type {(handlers: any) => void} */ (openChannel)({
        opened: (/** @type {any} */ channel) => {
          this.onState(true);
          resolve(channel);
        },
        message: (/** @type {any} */ message) => this.#take(message),
        started: (/** @type {number} */ progress) => this.onStart(progress),
        closed: (/** @type {string} */ message) => {
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

  /** @param {{ id: number, part?: any, answer?: any, error?: any }} message */
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
