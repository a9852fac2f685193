// @ts-check
// What is waited for, in words that count the seconds: questions, parts of the page, and the start of Python.

const SOON = 400; // milliseconds that need no word
const TICK = 200;

/** One thing that is waited for, and since when. @typedef {{ said: string, since: number }} Wait */

export class Waiting {
  /** The oldest first. @type {Set<Wait>} */
  waits = new Set();
  /** The start of Python, while a question waits for it: since when, and how far it has come. */
  start = /** @type {{ since: number, share: number } | null} */ (null);
  /** What was told last: what is done, and for how long. */
  told = ["", ""];
  /** Tells how the seconds pass. @type {ReturnType<typeof setInterval> | undefined} */
  timer = undefined;

  /**
   * `tell` gets what is done and for how long, whenever that changes; two empty texts once nothing is waited for.
   * @param {(said: string, time: string) => void} tell
   * @param {() => number} [clock] milliseconds
   */
  constructor(tell, clock = () => performance.now()) {
    this.tell = tell;
    this.clock = clock;
  }

  /**
   * What a promise gives; until then it is said what is done.
   * @template Value
   * @param {string} said
   * @param {(seen: () => void) => Promise<Value>} begin gets a function that ends the words: what is done can be seen
   */
  async during(said, begin) {
    const wait = { said, since: this.clock() };
    const end = () => {
      this.waits.delete(wait);
      this.look();
    };
    this.waits.add(wait);
    this.look();
    return begin(end).finally(end);
  }

  /** Python starts, and a question waits for that; 1 is all of it. @param {number} share */
  starts(share) {
    this.start = share < 1 ? { since: this.start?.since ?? this.clock(), share } : null;
    this.look();
  }

  /** What is to be said now: what is done, and for how long. @returns {[said: string, time: string]} */
  get words() {
    const now = this.clock();
    const [oldest] = this.waits;
    const seconds = (/** @type {number} */ since) => Math.floor((now - since) / 1000);
    if (this.start) return ["Python starts", `${seconds(this.start.since)} s, ${Math.floor(100 * this.start.share)} %`];
    if (!oldest || now - oldest.since < SOON) return ["", ""];
    return [oldest.said, `${seconds(oldest.since)} s`];
  }

  look() {
    const isWaiting = this.waits.size > 0 || this.start !== null;
    if (isWaiting) this.timer ??= setInterval(() => this.look(), TICK);
    else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    const [said, time] = this.words;
    if (said === this.told[0] && time === this.told[1]) return;
    this.told = [said, time];
    this.tell(said, time);
  }
}
