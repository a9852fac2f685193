// @ts-check
// The engine in this browser, in workers: one for what is answered within a frame, with the part of the engine that this
// takes, and one for what takes longer, with the whole, which is loaded for its first question.

import { FIRST, QUESTIONS } from "./questions.js";

/** @typedef {{ kind: string, fields: Record<string, unknown>, grid?: { neighbours: number[][], remarks: string[] } }} Question */
/** @typedef {Question & { id: number, onPart: (part: any) => void, settle: (message: any) => void }} Asked */

/** One worker, and the questions that wait for it. */
class Lane {
  /** @type {Worker | null} */
  worker = null;
  /** The first one is being answered. @type {Asked[]} */
  asked = [];
  /** The worker's files cannot be read. */
  broken = false;
  /** The worker has what answers about games need. */
  prepared = false;

  /** The compiled engine, from the first question on. @type {Promise<WebAssembly.Module> | null} */
  module = null;

  /** @param {string} file that of its engine @param {boolean} long */
  constructor(file, long) {
    this.file = file;
    this.long = long;
  }

  /** Start the worker, and compile the engine meanwhile. */
  begin() {
    this.module ??= WebAssembly.compileStreaming(fetch(new URL(this.file, import.meta.url)));
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    this.prepared = false;
    this.module.then((module) => worker.postMessage({ module })).catch(() => this.#fail());
    worker.onmessage = ({ data }) => this.#take(data);
    worker.onerror = () => this.#fail();
    return this.module;
  }

  #fail() {
    this.broken = true;
    this.worker?.terminate();
    for (const { settle } of this.asked.splice(0)) settle({ unanswered: true });
  }

  /** @param {any} message */
  #take(message) {
    const [current] = this.asked;
    if (current?.id !== message.id) return;
    if (message.part) current.onPart(message.part);
    else {
      this.asked.shift();
      current.settle(message);
      this.#next();
    }
  }

  /** End the worker with its question. */
  #end() {
    this.worker?.terminate();
    this.asked.shift();
    this.begin();
    this.#next();
  }

  #next() {
    const [current] = this.asked;
    if (!current) return;
    const { id, kind, fields, grid } = current;
    this.worker?.postMessage({ id, kind, fields, grid });
  }

  // Load what answers about games need, before the network may be gone.
  prepare() {
    if (!this.worker) this.begin();
    if (!this.prepared) this.worker?.postMessage({ prepare: true });
    this.prepared = true;
  }

  /** @param {Asked} question */
  put(question) {
    if (this.broken) {
      question.settle({ unanswered: true });
      return;
    }
    if (!this.worker) this.begin();
    this.asked.push(question);
    if (this.asked.length === 1) this.#next();
  }

  /** @param {Asked} question */
  cancel(question) {
    const at = this.asked.indexOf(question);
    if (at > 0) this.asked.splice(at, 1);
    else if (at === 0 && this.long) this.#end();
    else if (at === 0) question.settle = () => {};
  }
}

export class BrowserEngine {
  last = 0;

  /** `onState` is told why there is no engine, if there is none. @param {(problem: string) => void} onState */
  constructor(onState) {
    this.lanes = this.#load().catch((error) => {
      onState(/** @type {Error} */ (error).message);
      return null;
    });
  }

  async #load() {
    if (typeof WebAssembly === "undefined") throw new Error("WebAssembly is switched off in this browser");
    const quick = new Lane("quick.wasm", false);
    await quick.begin().catch(() => {
      throw new Error("The engine of this page cannot be read");
    });
    return { quick, long: new Lane("satsweep.wasm", true) };
  }

  /**
   * The answer; undefined where the engine has none.
   * @param {Question} question
   * @param {{ onPart?: (part: any) => void, signal?: AbortSignal }} how
   * @returns {Promise<any>}
   */
  async ask(question, { onPart = () => {}, signal }) {
    const lanes = await this.lanes;
    signal?.throwIfAborted();
    if (!lanes) return undefined;
    if (!FIRST.includes(question.kind)) for (const each of [lanes.quick, lanes.long]) each.prepare();
    const lane = QUESTIONS[question.kind].by === "long" ? lanes.long : lanes.quick;
    return new Promise((resolve, reject) => {
      const stop = () => {
        lane.cancel(asked);
        reject(signal?.reason);
      };
      const settle = (/** @type {any} */ message) => {
        signal?.removeEventListener("abort", stop);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.answer);
      };
      const asked = { ...question, id: ++this.last, onPart, settle };
      signal?.addEventListener("abort", stop, { once: true });
      lane.put(asked);
    });
  }
}
