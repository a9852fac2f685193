// Watch: agents play, one or two on the same board; every move with its reason, forwards and backwards.

import { Board, geometryOf } from "./board.js";
import { isCancelled } from "./connection.js";
import { copy, flash, h, icon, plural, say, settled, storage } from "./dom.js";
import { address } from "./link.js";
import { Position, isCovered, told } from "./position.js";
import { argument, cellsOf } from "./reasons.js";
import { Settings, field, select } from "./settings.js";

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 250, 1000];
const AROUND = 60; // so many moves are listed before and after the current one
const PACED = 5; // up to so many moves a second each is marked and shown
const FIRSTS = [["zero", "in the middle, none around it"], ["safe", "in the middle, safe"], ["corner", "in the corner, safe"], ["own", "the agent's choice"]];
const DID = { open: "opens", flag: "flags", unflag: "unflags", note: "notes as safe", guess: "guesses" };

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// One agent's game: what has arrived of it, and how far it is shown.
class Lane {
  constructor(view) {
    this.view = view;
    this.board = new Board({ label: "Game", least: 8, roomy: 11, below: 150, on: {} });
    this.name = h("h2", { class: "player" });
    this.summary = h("p", { class: "note clip" });
    this.mines = h("strong", {});
    this.opened = h("strong", {});
    this.guesses = h("strong", {});
    this.state = h("span", { class: "state" });
    this.meter = h("div", { class: "meter", "aria-hidden": "true" }, h("i", {}));
    this.element = h("article", { class: "lane" },
      h("header", {}, h("div", { class: "who" }, this.name, this.state), this.summary,
        h("p", { class: "counts" }, h("span", {}, "Mines found ", this.mines), h("span", {}, "Open ", this.opened), h("span", {}, "Guesses ", this.guesses)), this.meter),
      this.board.element);
  }

  async start(agent, asked, signal) {
    const { view } = this;
    const entry = view.page.about.agents.find(({ name }) => name === agent.split(":")[0]);
    this.agent = agent;
    this.name.textContent = agent;
    this.summary.textContent = entry ? entry.summary : "";
    this.summary.title = this.summary.textContent;
    this.moves = [];
    this.at = 0;
    this.ended = null;
    this.problem = null;
    this.layout = null;
    this.head = null;
    this.state.textContent = "waits for its turn";
    this.state.className = "state";
    const onPart = (part) => {
      if (signal.aborted) return;
      if (part.compiling) {
        this.state.textContent = `${part.compiling} This happens once.`;
        return;
      }
      if (part.layout) this.layout = part.layout;
      if (part.rules) this.ready = this.prepare(part, asked);
      if (part.moves) this.moves.push(...part.moves);
      view.grown();
    };
    try {
      const ended = await view.connection.ask("watch", { agent, ...asked }, { onPart, signal });
      if (signal.aborted) return;
      this.ended = ended;
      this.layout = ended.layout;
      await this.ready;
      view.grown();
    } catch (error) {
      if (isCancelled(error) || signal.aborted) return;
      this.problem = error.message;
      this.state.textContent = "";
      view.failed(this, error);
    }
  }

  async prepare(head, asked) {
    const geometry = await geometryOf(this.view.connection, head.rows, head.cols, head.topology);
    const [rows, cols] = [head.rows, head.cols];
    this.board.shape(geometry, rows, cols);
    this.board.label = `Game of ${this.agent}, ${rows} rows of ${cols}`;
    this.head = head;
    this.symbols = Array(rows * cols).fill("#");
    this.clues = asked.clues;
    this.counts = { flags: 0, mines: 0, open: 0, guesses: 0 };
    this.at = 0;
    for (let index = 0; index < rows * cols; index++) this.board.draw(index, { symbol: "#" });
    this.count();
    this.view.grown();
  }

  get ready() { return this.preparing ?? Promise.resolve(); }
  set ready(promise) { this.preparing = promise; }

  index([row, col]) { return row * this.head.cols + col; }

  // Go to a move; what changes on the way is drawn once.
  go(to) {
    if (!this.head) return;
    const target = Math.min(to, this.moves.length);
    const changed = new Set();
    while (this.at < target) this.apply(this.moves[this.at++], changed);
    while (this.at > target) this.revert(this.moves[--this.at], changed);
    for (const index of changed) this.board.draw(index, this.look(index));
    this.count();
  }

  put(index, symbol, changed) {
    const before = this.symbols[index];
    this.counts.flags += (symbol === "F") - (before === "F");
    this.counts.mines += (symbol === "*") - (before === "*");
    this.counts.open += !isCovered(symbol) - !isCovered(before);
    this.symbols[index] = symbol;
    changed.add(index);
  }

  apply(move, changed) {
    const index = this.index(move.cell);
    this.counts.guesses += move.action === "guess";
    if (move.opened) {
      move.before = move.opened.map(([cell]) => this.symbols[cell]);
      for (const [cell, symbol] of move.opened) this.put(cell, symbol, changed);
    } else if (move.action !== "note") {
      move.before = [this.symbols[index]];
      this.put(index, move.action === "flag" ? "F" : "#", changed);
    }
  }

  revert(move, changed) {
    this.counts.guesses -= move.action === "guess";
    if (move.opened) move.opened.forEach(([cell], at) => this.put(cell, move.before[at], changed));
    else if (move.action !== "note") this.put(this.index(move.cell), move.before[0], changed);
  }

  look(index) {
    const symbol = this.symbols[index];
    if (this.over && this.layout && isCovered(symbol)) {
      const mine = this.layout[Math.floor(index / this.head.cols)][index % this.head.cols] === "*";
      if (symbol === "F" && !mine) return { symbol, extra: "wrong", label: "flagged, but safe" };
      if (symbol === "#" && mine) return { symbol, extra: "left", label: "covered, a mine" };
    }
    return { symbol };
  }

  get over() { return this.ended !== null && this.at === this.moves.length; }

  count() {
    const { flags, mines, open, guesses } = this.counts;
    const cells = this.symbols.length;
    this.mines.textContent = `${(flags + mines).toLocaleString("en")} of ${this.head.mines.toLocaleString("en")}`;
    this.opened.textContent = `${Math.floor((100 * open) / Math.max(1, cells))} %`;
    this.guesses.textContent = String(guesses);
    this.meter.firstChild.style.width = `${(100 * Math.min(1, (open + flags) / Math.max(1, cells))).toFixed(1)}%`;
    const over = this.over;
    if (over !== this.wasOver) {
      this.wasOver = over;
      for (let index = 0; index < cells; index++) if (isCovered(this.symbols[index])) this.board.draw(index, this.look(index));
    }
    this.state.textContent = over ? this.ended.outcome : "";
    this.state.className = `state${over ? (this.ended.won ? " won" : " lost") : ""}`;
  }

  // The position before the current move, as satsweep writes it.
  before() {
    const move = this.moves[this.at - 1];
    const cells = [...this.symbols];
    if (move?.opened) move.opened.forEach(([cell], at) => { cells[cell] = move.before[at]; });
    else if (move?.before) cells[this.index(move.cell)] = move.before[0];
    return this.position(cells);
  }

  position(cells = [...this.symbols]) {
    const { rows, cols, mines, topology } = this.head;
    return new Position({ rows, cols, mines, topology, clues: this.clues ?? "exact", cells });
  }

  mark(marked) { this.board.mark(marked, (index) => this.look(index)); }
}

export class WatchView {
  constructor(element, page) {
    Object.assign(this, { element, page, connection: page.connection });
    this.at = 0;
    this.playing = false;
    this.lanes = [];
    this.lane = 0;
    this.explainSoon = settled(160, () => this.explain());
    this.keepSoon = settled(300, async () => this.page.keep("watch", await this.link()));
    this.build();
  }

  build() {
    const agents = this.page.about.agents;
    const options = agents.map(({ name, finds }) => [name, finds ? `${name} (finds mines)` : name]);
    this.agent = select(options, "sat");
    this.versus = select([["", "nobody"], ...options], "");
    this.goal = select([["", "the agent's own"], ["clear", "clear the board"], ["find", "find the mines"]], "");
    this.settings = new Settings(this.page.about, { firsts: FIRSTS });
    this.settings.more.querySelector(".fields").append(field("Rules", this.goal));
    const button = (name, said, action) => h("button", { type: "button", class: "round", "aria-label": said, title: said, onclick: action }, icon(name));
    this.playButton = h("button", { type: "button", class: "round main big", id: "watch-play", onclick: () => this.toggle() });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Move", class: "seek", oninput: () => { this.pause(); this.seek(Number(this.slider.value)); } });
    this.place = h("output", { class: "place" });
    this.speed = h("input", { type: "range", min: 0, max: SPEEDS.length - 1, step: 1, value: storage.get("speed", "4"), "aria-label": "Speed", oninput: () => this.pace() });
    this.pacing = h("output", {});
    this.stagePlace = h("div", { class: "lanes" });
    this.now = h("div", { class: "why", id: "watch-now" });
    this.judged = h("div", { class: "why" });
    this.facts = h("dl", { class: "facts" });
    this.list = h("ol", { class: "moves" });
    this.which = h("div", { class: "row", role: "group", "aria-label": "Whose moves", hidden: true });
    this.element.append(
      h("div", { class: "stage" },
        h("h1", { id: "watch-title", class: "unseen" }, "Watch agents play"),
        h("form", { class: "setup", onsubmit: (event) => { event.preventDefault(); this.settings.newSeed(); this.start(); } },
          field("Agent", this.agent), field("Against", this.versus), this.settings.levelField,
          h("button", { class: "main", id: "watch-new" }, "New game"),
          h("button", { type: "button", id: "watch-again", onclick: () => this.start() }, "Same board"),
          h("button", { type: "button", id: "watch-share", onclick: (event) => this.share(event.target) }, "Copy link"),
          this.settings.more, this.settings.given, this.settings.custom),
        this.stagePlace,
        h("div", { class: "transport", role: "group", "aria-label": "Playback" },
          h("div", { class: "buttons" },
            button("first", "To the start", () => { this.pause(); this.seek(0); }),
            button("back", "A move back", () => { this.pause(); this.seek(this.at - 1); }),
            this.playButton,
            button("next", "A move on", () => { this.pause(); this.seek(this.at + 1); }),
            button("last", "To the end", () => { this.pause(); this.seek(this.length); })),
          h("div", { class: "track" }, this.slider, this.place),
          h("div", { class: "pace" }, this.speed, this.pacing))),
      h("aside", { class: "panel", "aria-label": "Moves and reasons" },
        h("section", { class: "card now" }, this.which, this.now, this.judged,
          h("div", { class: "row" }, h("button", { type: "button", id: "watch-solve", onclick: () => this.solve() }, "Open in Solve"))),
        h("section", { class: "card" }, h("h2", {}, "Moves"), this.list),
        h("section", { class: "card ending", hidden: true }, h("h2", {}, "The game in numbers"), this.facts)));
    this.ending = this.facts.parentElement;
    for (const control of [this.agent, this.versus, this.settings.level]) control.addEventListener("change", () => this.start());
    this.pace();
    this.showPlaying();
  }

  get length() { return Math.max(0, ...this.lanes.map((lane) => lane.moves?.length ?? 0)); }

  async enter(query) {
    if ([...query.keys()].length) {
      await this.settings.take(query);
      for (const [control, name] of [[this.agent, "agent"], [this.versus, "against"], [this.goal, "goal"]]) {
        const value = query.get(name) ?? (name === "agent" ? "sat" : "");
        const base = this.page.about.agents.find((agent) => agent.name === value.split(":")[0]);
        // Some agents take a parameter, which an address may say.
        if (base && value !== base.name && ![...control.options].some((option) => option.value === value)) control.append(h("option", { value }, value));
        if ([...control.options].some((option) => option.value === value)) control.value = value;
      }
      const move = query.get("move");
      this.wanted = /^\d{1,6}$/.test(move ?? "") ? Number(move) : null;
      await this.start({ play: this.wanted === null && !isStill() });
    } else if (!this.lanes.length) {
      await this.start();
    }
    for (const lane of this.lanes) lane.board.fit();
  }

  leave() { this.pause(); }

  // The position that is shown, to be looked into.
  solve() {
    const lane = this.lanes[this.lane];
    this.pause();
    if (lane?.head) this.page.solve(lane.position().toString());
  }

  bring(layout) {
    this.settings.bring(layout);
    return this.start();
  }

  asked() {
    const asked = this.settings.asked;
    const first = this.settings.first.value;
    const [rows, cols] = this.settings.size;
    if (first !== "own") asked.start = first === "corner" ? [0, 0] : [Math.floor(rows / 2), Math.floor(cols / 2)];
    if (this.settings.layout !== null) asked.first = "any";
    else asked.first = first === "zero" ? "zero" : "safe";
    const finds = (name) => this.page.about.agents.find((agent) => agent.name === name)?.finds;
    if (this.goal.value) asked.goal = this.goal.value;
    // Two agents play by the same rules: those of the first.
    else asked.goal = finds(this.agent.value) ? "find" : "clear";
    return asked;
  }

  async start({ play = !isStill() } = {}) {
    this.game?.abort();
    this.game = new AbortController();
    const { signal } = this.game;
    const names = [this.agent.value, this.versus.value].filter(Boolean);
    this.at = 0;
    this.carry = 0;
    this.lane = 0;
    this.pause();
    this.now.replaceChildren();
    this.judged.replaceChildren();
    this.list.replaceChildren();
    this.ending.hidden = true;
    while (this.lanes.length > names.length) this.lanes.pop();
    while (this.lanes.length < names.length) this.lanes.push(new Lane(this));
    this.stagePlace.replaceChildren(...this.lanes.map((lane) => lane.element));
    this.stagePlace.classList.toggle("two", names.length > 1);
    this.element.classList.toggle("pair", names.length > 1);
    for (const lane of this.lanes) lane.board.share = names.length > 1 ? 0.34 : 0.6;
    this.which.hidden = names.length < 2;
    this.which.replaceChildren(...names.map((name, at) => h("button", { type: "button", "aria-pressed": String(at === 0), onclick: () => this.choose(at) }, name)));
    this.keepSoon();
    const asked = this.asked();
    const games = this.lanes.map((lane, at) => lane.start(names[at], asked, signal));
    if (play) this.play();
    await Promise.all(games);
  }

  failed(lane, error) {
    this.pause();
    this.now.replaceChildren(h("p", { class: "problem", role: "alert" }, `${lane.agent}: ${error.message}`));
  }

  // More of a game has arrived.
  grown() {
    this.slider.max = this.length;
    if (this.wanted !== null && this.wanted !== undefined && this.length >= this.wanted && this.lanes.every((lane) => lane.head)) {
      const to = this.wanted;
      this.wanted = null;
      this.seek(to);
    }
    // Who thinks longer than the other one catches up as soon as moves arrive.
    const late = this.lanes.filter((lane) => lane.head && lane.at < Math.min(this.at, lane.moves.length));
    for (const lane of late) lane.go(this.at);
    this.showPlace();
    if (late.length || !this.now.childElementCount) this.showMove(!this.playing);
    for (const lane of this.lanes) if (lane.head && lane.over !== lane.wasOver) lane.count();
    if (this.at >= this.length) this.showEnd();
  }

  toggle() {
    if (this.playing) this.pause();
    else {
      if (this.at >= this.length && this.complete) this.seek(0);
      this.play();
    }
  }

  get complete() { return this.lanes.every((lane) => lane.ended || lane.problem); }

  play() {
    this.playing = true;
    this.showPlaying();
    let last = performance.now();
    const frame = (time) => {
      if (!this.playing) return;
      this.carry = Math.min(this.carry + ((time - last) / 1000) * this.rate, this.rate / 10 + 1);
      last = time;
      const steps = Math.floor(this.carry);
      if (steps && this.at < this.length) {
        this.carry -= steps;
        this.seek(this.at + steps);
      }
      if (this.at >= this.length && this.complete) {
        this.pause();
        return;
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.showPlaying();
    this.showMove(true);
    this.keepSoon();
  }

  showPlaying() {
    const said = this.playing ? "Pause" : "Play";
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", said);
    this.playButton.title = said;
  }

  pace() {
    this.rate = SPEEDS[Number(this.speed.value)] ?? 20;
    this.pacing.textContent = `${this.rate.toLocaleString("en")} ${this.rate === 1 ? "move" : "moves"} a second`;
    this.speed.setAttribute("aria-valuetext", this.pacing.textContent);
    storage.set("speed", this.speed.value);
  }

  seek(to) {
    this.at = Math.min(Math.max(to, 0), this.length);
    for (const lane of this.lanes) lane.go(this.at);
    this.showPlace();
    this.showMove(!this.playing);
    this.showEnd();
    if (!this.playing) this.keepSoon();
  }

  showPlace() {
    this.slider.value = this.at;
    const more = this.complete ? "" : "+";
    this.place.textContent = `${this.at.toLocaleString("en")} / ${this.length.toLocaleString("en")}${more}`;
    this.slider.setAttribute("aria-valuetext", `move ${this.at} of ${this.length}`);
  }

  choose(at) {
    this.lane = at;
    [...this.which.children].forEach((button, other) => button.setAttribute("aria-pressed", String(other === at)));
    this.showMove(!this.playing);
    this.showEnd();
  }

  // The move that was made last: marked on the board, told beside it, and explained once nothing moves.
  showMove(resting) {
    for (const lane of this.lanes) {
      const move = lane.moves?.[lane.at - 1];
      if (!move || !lane.head) { if (lane.head) lane.mark({}); continue; }
      const index = lane.index(move.cell);
      const marked = { last: [index] };
      if (resting || this.rate <= PACED) {
        marked.clue = cellsOf(move.clues, lane.head.cols);
        lane.board.show(index);
      }
      lane.mark(marked);
    }
    this.explainSoon.cancel();
    this.explaining?.abort();
    const lane = this.lanes[this.lane];
    const move = lane?.moves?.[lane.at - 1];
    this.judged.replaceChildren();
    if (!move || !lane.head) {
      this.now.replaceChildren(h("p", { class: "note" }, "Every cell is covered. The first move has yet to be made."));
    } else {
      this.now.replaceChildren(h("h2", {}, this.headline(lane, move)), h("p", { class: "rule" }, move.why || ""));
      if (resting) {
        say(`Move ${lane.at}: ${this.headline(lane, move)}. ${move.why}`);
        this.explainSoon();
      }
    }
    this.showList(lane, resting);
  }

  headline(lane, move) {
    const what = `${DID[move.action]} ${move.cell.join(",")}`;
    if (!move.opened) return what;
    const symbol = move.opened[0][1];
    const result = symbol === "*" ? "a mine" : symbol === "?" ? "it shows nothing" : told(symbol);
    return `${what}: ${result}${move.opened.length > 1 ? ` and ${plural(move.opened.length - 1, "more cell")}` : ""}`;
  }

  // What can be said for the move, or against it, by those who see everything that could be seen.
  async explain() {
    const lane = this.lanes[this.lane];
    const move = lane?.moves?.[lane.at - 1];
    if (!move || this.playing || lane.at === 1 && lane.before().cells.every((symbol) => symbol === "#")) return;
    const explaining = this.explaining = new AbortController();
    const { signal } = explaining;
    const before = lane.before();
    const board = before.toString();
    try {
      const [found, solved] = await Promise.all([
        this.connection.ask("explain", { board, cell: move.cell }, { signal }),
        move.action === "guess" ? this.connection.ask("solve", { board }, { signal }) : null,
      ]);
      if (signal.aborted) return;
      const cols = lane.head.cols;
      if (found.reason) {
        const clues = cellsOf(found.reason.clues, cols);
        lane.mark({ last: [lane.index(move.cell)], clue: clues });
        const wrong = found.reason.mine === (move.action === "open" || move.action === "guess" || move.action === "note");
        const heading = wrong && !move.opened?.some(([, symbol]) => symbol !== "*") ? "Why that was wrong" : "Why it must be so";
        this.judged.append(h("h3", {}, heading), argument(found.reason, (step) =>
          lane.mark({ last: [lane.index(move.cell)], clue: step ? cellsOf(step.clues, cols) : clues })));
      } else {
        const risk = found.undecided.risk === null ? "not known" : this.percent(found.undecided);
        this.judged.append(h("p", { class: "said" }, `Nothing forces this cell: its risk was ${risk}.`));
      }
      if (solved && !solved.impossible) {
        const best = solved.best ? solved.best.join(",") : "";
        const missed = solved.safe ? `It overlooked ${plural(solved.safe, "safe cell")}, such as ${best}.` : found.reason ? "" : `The least risk was ${solved.best_said.replace(" with risk", ":")}.`;
        if (missed) this.judged.append(h("p", { class: solved.safe ? "missed" : "note" }, missed));
      }
    } catch (error) {
      if (isCancelled(error)) return;
      // After unreliable numbers taken at face value, or flags taken as mines, there may be nothing to explain.
      this.judged.append(h("p", { class: "note" }, error.message));
    }
  }

  percent({ risk, risk_exact: exact }) {
    const said = `${(100 * risk).toLocaleString("en", { maximumSignificantDigits: 4 })} %`;
    return exact && exact.length <= 24 ? `${said} (${exact})` : said;
  }

  showList(lane, resting) {
    if (!resting && this.rate > PACED && performance.now() - (this.listed ?? 0) < 250) return;
    this.listed = performance.now();
    const moves = lane?.moves ?? [];
    const from = Math.max(0, lane?.at - AROUND);
    const items = moves.slice(from, lane?.at + AROUND).map((move, offset) => {
      const number = from + offset + 1;
      return h("li", { value: number }, h("button", {
        type: "button", class: `link move ${move.action}`, "aria-current": number === lane.at ? "step" : undefined,
        onclick: () => { this.pause(); this.seek(number); },
      }, h("span", { class: "number" }, String(number)), ` ${this.headline(lane, move)}`, h("small", {}, move.why)));
    });
    this.list.replaceChildren(...items);
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  showEnd() {
    const lane = this.lanes[this.lane];
    const over = lane?.head && lane.over;
    this.ending.hidden = !over;
    if (!over || this.told === lane.ended) { if (!over) this.told = null; return; }
    this.told = lane.ended;
    const { outcome, why, seconds, facts } = lane.ended;
    const rows = [["outcome", `${outcome}: ${why}`], ...facts, ["thinking", `${seconds.toLocaleString("en")} s`]];
    this.facts.replaceChildren(...rows.map(([name, value]) => h("div", {}, h("dt", {}, name && name[0].toUpperCase() + name.slice(1)), h("dd", {}, value))));
    say(`${lane.agent}: ${outcome}, ${why}`);
  }

  async share(button) {
    flash(button, await copy(await this.link()) ? "Copied" : "Not copied");
  }

  async link() {
    const game = await this.settings.query();
    return address("watch", { agent: this.agent.value, against: this.versus.value, ...game, goal: this.goal.value, move: this.playing ? null : this.at });
  }

  key(event) {
    const action = {
      " ": () => this.toggle(), ",": () => { this.pause(); this.seek(this.at - 1); }, ".": () => { this.pause(); this.seek(this.at + 1); },
      "<": () => { this.pause(); this.seek(0); }, ">": () => { this.pause(); this.seek(this.length); },
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return false;
    action();
    return true;
  }
}
