// @ts-check
// Questions and answers. The engine in this browser or Python, behind the server or in this browser, answers, as the table
// of questions.js says; Python over one channel. Who asks need not know who answers.

import { Position } from "../basics/position.js";
import { squareGrid } from "../basics/square-grid.js";
import { openChannel } from "./channel.js";
import { BrowserEngine } from "./lanes.js";
import { cancelled, Refused } from "./latest.js";
import { QUESTIONS } from "./questions.js";
import { Waiting } from "./waiting.js";

const MOST_CELLS = 10_000; // of a board, as for Python

/** @typedef {{ onPart?: (part: any) => void, signal?: AbortSignal }} How */

/**
 * A view shows what comes in parts, so that nothing else is to be said of it.
 * @param {() => void} seen
 * @param {(part: any) => void} [onPart]
 */
const after = (seen, onPart) => (/** @type {any} */ part) => {
  seen();
  onPart?.(part);
};

/** A question without an answer. @typedef {{ resolve: (answer: any) => void, reject: (error: any) => void, onPart: (part: any) => void }} Open */

export class Connection {
  /** Questions without an answer, by their ids. @type {Map<number, Open>} */
  waiting = new Map();
  /** The id of the last question. */
  last = 0;
  /** The channel, from the first question on. @type {Promise<{ send: (value: any) => void }> | null} */
  opening = null;
  /** How far a slow start of Python has come. */
  started = 1;
  /** The last grids, by their names. @type {Map<string, Promise<Geometry>>} */
  grids = new Map();

  /**
   * `onState` gets true, or false and why there is no channel; `onWait` what is waited for, and for how long; `onEngine`
   * why there is no engine in this browser.
   * @param {{
   *   onState?: (connected: boolean, message?: string) => void, onWait?: (said: string, time: string) => void,
   *   onEngine?: (problem: string) => void,
   * }} [handlers]
   */
  constructor({ onState = () => {}, onWait = () => {}, onEngine = () => {} } = {}) {
    this.onState = onState;
    this.waits = new Waiting(onWait);
    this.engine = new BrowserEngine(onEngine);
  }

  /**
   * The answer to a question. `onPart` gets the pieces that come before it; aborting `signal` cancels the question: no
   * answer and no other error comes from then on.
   * @param {string} kind
   * @param {Record<string, any>} [fields]
   * @param {How} [how]
   * @returns {Promise<any>}
   */
  async ask(kind, fields = {}, how = {}) {
    try {
      return await this.waits.during(QUESTIONS[kind].work, (seen) =>
        this.#ask(kind, fields, { ...how, onPart: after(seen, how.onPart) }),
      );
    } finally {
      how.signal?.throwIfAborted();
    }
  }

  /** Lists and limits, which are a file; Python is reached meanwhile. @returns {Promise<About>} */
  async about() {
    this.#channel().catch(() => {}); // `onState` gets the reason
    return (await fetch("about.json")).json();
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} fields
   * @param {How} how
   */
  async #ask(kind, fields, how) {
    if (kind === "grid") return this.#grid(fields);
    const found = QUESTIONS[kind].by === "python" ? undefined : await this.#askEngine(kind, fields, how);
    return found ?? this.#askPython(kind, fields, how);
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} fields
   * @param {How} how
   */
  async #askEngine(kind, fields, how) {
    const text = fields.board ?? fields.layout;
    const about = text === undefined ? fields : Position.read(text);
    if (!about) return undefined;
    const { rows, cols, topology = "square" } = about;
    if (topology === "square") return this.engine.ask({ kind, fields }, how);
    const { neighbours, remarks } = await this.#grid({ rows, cols, topology });
    return this.engine.ask({ kind, fields, grid: { neighbours, remarks } }, how);
  }

  /**
   * The places of the cells of a board; the last answers are kept.
   * @param {Record<string, any>} fields
   */
  #grid({ rows, cols, topology = "square" }) {
    const key = `${rows} ${cols} ${topology}`;
    const known = this.grids.get(key);
    if (known) return known;
    if (this.grids.size > 12) this.grids.delete([...this.grids.keys()][0]);
    const isPlain = topology === "square" && rows > 0 && cols > 0 && rows * cols <= MOST_CELLS;
    const found = isPlain ? Promise.resolve(squareGrid(rows, cols)) : this.#askPython("grid", { rows, cols, topology });
    this.grids.set(key, found);
    found.catch(() => this.grids.delete(key));
    return found;
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} fields
   * @param {How} [how]
   * @returns {Promise<any>}
   */
  async #askPython(kind, fields, { onPart = () => {}, signal } = {}) {
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
      this.#tellStart();
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
        started: (progress) => {
          this.started = progress;
          this.#tellStart();
        },
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

  // A start that nothing waits for is not mentioned.
  #tellStart() {
    this.waits.starts(this.waiting.size ? this.started : 1);
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
