// @ts-check
// Questions that may be overtaken, and the errors of those that get no answer.

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

/** The error of a question that nobody waits for any more. */
export const cancelled = () => new DOMException("cancelled", "AbortError");

/** @param {any} error */
export const isCancelled = (error) => error?.name === "AbortError";

// At most one request at a time: each cancels the one before. What is awaited and then shown asks the signal whether it is
// still wanted; an answer to a question with a signal is one that is.
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
