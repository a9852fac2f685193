// @ts-check
// The channel of messages to Python in this browser: a worker, which answers one question after another.

/** Games, as on a server. @type {Record<string, number>} */
const SECONDS = { watch: 120, animate: 120, deal_no_guess: 120, review_game: 120 };
const MOST_SECONDS = 20;
const GRACE = 1; // seconds until a cancelled question is ended for others
// What it means that there is no engine in this browser.
export const WITHOUT_ENGINE =
  "Positions can be drawn here, but not solved, and no game can be played, watched or reviewed.";

const IDLE = 4; // seconds after which Python starts without a question

/** @typedef {import("../../static/engine/channel.js").Handlers} Handlers */
/** @typedef {{ id: number, ask?: string, cancel?: boolean, cancelled?: boolean }} Question */

/**
 * Keep the files of this folder in the browser: it answers without a network from the second visit on.
 * @param {(share: number) => void} onProgress
 */
async function keepFiles(onProgress) {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => onProgress(data.kept));
  const registration = await navigator.serviceWorker.register("service-worker.js");
  const coming = registration.installing;
  if (registration.active || !coming) return;
  await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
    coming.addEventListener("statechange", () => {
      if (coming.state === "activated") resolve();
      if (coming.state === "redundant") reject(new Error("not all files can be kept"));
    });
  });
}

class Channel {
  /** Questions that wait for Python. @type {Question[]} */
  waiting = [];
  /** The one that is being answered. @type {Question | null} */
  current = null;
  /** The start of Python, once there is one. @type {Promise<void> | null} */
  starting = null;
  /** @type {Worker | null} */
  worker = null;
  /** Python has started in this worker. */
  ready = false;
  /** Ends the worker if an answer takes too long. @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  /** @param {Omit<Handlers, "opened">} handlers */
  constructor({ message, started, closed }) {
    this.message = message;
    this.started = started;
    this.closed = closed;
  }

  // Start Python, once: a question waits for it, or nothing else is to be done.
  start() {
    this.starting ??= keepFiles((share) => this.started(0.7 * share))
      .catch(() => {}) // Without a service worker files come from the network, or from its cache.
      .then(() => this.begin());
  }

  // A policy that the page carries holds for a worker whose address is a blob's; a file of the host would have its own.
  begin() {
    const code = `import ${JSON.stringify(new URL("worker.js", location.href).href)};`;
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.started(0.7);
    this.ready = false;
    this.worker = new Worker(url, { type: "module" });
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => this.fail(event.message ?? "its files cannot be read");
  }

  /** @param {string} problem */
  fail(problem) {
    this.worker?.terminate();
    this.started(1);
    this.closed(`Python cannot run in this browser: ${problem}`);
  }

  /** @param {Question} question */
  send(question) {
    if (question.cancel) this.cancel(question.id);
    else {
      this.waiting.push(question);
      if (!this.starting) this.started(0);
      this.start();
      this.next();
    }
  }

  /** @param {number} id */
  cancel(id) {
    this.waiting = this.waiting.filter((question) => question.id !== id);
    if (this.current?.id !== id || this.current.cancelled) return;
    this.current.cancelled = true;
    this.worker?.postMessage({ cancel: id });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.restart(), 1000 * GRACE);
  }

  next() {
    const [question] = this.waiting;
    if (!this.ready || this.current || !question) return;
    this.current = question;
    this.waiting.shift();
    this.worker?.postMessage({ text: JSON.stringify(question) });
    const seconds = SECONDS[question.ask ?? ""] ?? MOST_SECONDS;
    this.timer = setTimeout(() => {
      const problem = `this takes more than ${seconds} s in a browser, so it was ended; satsweep on a computer has no such limit`;
      this.message({ id: question.id, error: { message: problem } });
      this.restart();
    }, 1000 * seconds);
  }

  // A question can only be stopped with its worker.
  restart() {
    this.worker?.terminate();
    this.current = null;
    this.begin();
  }

  /** @param {{ share?: number, message?: string, failed?: string }} said */
  take({ share, message, failed }) {
    if (failed) this.fail(failed);
    else if (share !== undefined) {
      this.started(0.7 + 0.3 * share);
      this.ready = share === 1;
      this.next();
    } else if (message) {
      const parsed = JSON.parse(message);
      this.message(parsed);
      if (!parsed.part) {
        clearTimeout(this.timer);
        this.current = null;
        this.next();
      }
    }
  }
}

/** Open it. @param {Handlers} handlers */
export function openChannel({ opened, message, started, closed }) {
  const channel = new Channel({ message, started, closed });
  setTimeout(() => (window.requestIdleCallback ?? setTimeout)(() => channel.start()), 1000 * IDLE);
  queueMicrotask(() => opened(channel));
}
