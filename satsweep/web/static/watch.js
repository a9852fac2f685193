// Watch: one solver plays, or two on the same board; every move with its reason, forwards and backwards.

import { adviceList, advised, canLookAhead, withoutBest } from "./advice.js";
import { isCancelled, Latest } from "./connection.js";
import { field, isPressed, press, select, toggle } from "./controls.js";
import { Curve } from "./curve.js";
import { announce, button, debounce, described, h, icon, iconButton, plural, storage } from "./dom.js";
import { address } from "./link.js";
import { place, said, told } from "./places.js";
import { inWords } from "./position.js";
import { argument, fraction } from "./reasons.js";
import { Replay } from "./replay.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { named } from "./term.js";
import { View } from "./view.js";

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 250, 1000]; // moves a second
const USUAL = 2; // of them: slow enough to read the reason of each move
const AROUND = 60; // moves that are listed before and after the last one shown
const FEW = 4; // cells that the advice lists
const SLOW = 5; // up to this many moves a second, each is marked and scrolled into view
const FIRSTS = [
  ["zero", "middle, no mine around it"],
  ["safe", "middle, safe"],
  ["corner", "corner, safe"],
  ["own", "the solver's choice"],
];
const DID = { open: "opens", flag: "flags", unflag: "unflags", note: "notes as safe", guess: "guesses" };

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class WatchView extends View {
  constructor(element, page) {
    super("watch", element, page);
    this.at = 0;
    this.wanted = null; // the move to show once it has arrived
    this.playing = false;
    this.replays = [];
    this.chosen = 0;
    this.games = new Latest();
    this.explaining = new Latest();
    this.explainSoon = debounce(160, () => this.explain());
    this.build();
  }

  build() {
    const agents = this.page.about.agents;
    const options = agents.map(({ name, finds }) => [name, finds ? `${name} (finds mines)` : name]);
    this.agent = select(options, "sat");
    this.versus = select([["", "none"], ...options], "");
    this.goal = select(
      [
        ["", "the solver's own"],
        ["clear", "clear the board"],
        ["find", "find the mines"],
      ],
      "",
    );
    this.settings = new Settings(this.page.about, { firsts: FIRSTS });
    this.playButton = button("", () => this.toggle(), { class: "round main big", id: "watch-play" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      step: 1,
      "aria-label": "Move",
      class: "seek",
      oninput: () => this.jump(Number(this.slider.value)),
    });
    this.curve = new Curve();
    this.place = h("output", { class: "place" });
    this.speed = h("input", {
      type: "range",
      min: 0,
      max: SPEEDS.length - 1,
      step: 1,
      value: storage.get("speed", SPEEDS.indexOf(USUAL)),
      "aria-label": "Speed",
      oninput: () => {
        storage.set("speed", this.speed.value);
        this.pace();
      },
    });
    this.pacing = h("output", {});
    this.stage = h("div", { class: "replays" });
    this.now = h("div", { class: "why", id: "watch-now" });
    this.judged = h("div", { class: "why" });
    this.next = h("div", { class: "why next" });
    this.advice = toggle("Advice", () => this.toggleAdvice(), {
      id: "watch-advice",
      title: "While the game rests: risks and the best move on the board",
    });
    press(this.advice, storage.get("advice", "yes") === "yes");
    this.facts = h("dl", { class: "facts" });
    this.list = h("ol", { class: "moves" });
    this.which = h("div", { class: "row", role: "group", "aria-label": "Solver whose moves are listed", hidden: true });
    this.sheet = new Sheet({
      label: "The move and its reason",
      contents: [
        this.which,
        this.now,
        this.judged,
        this.next,
        h(
          "div",
          { class: "row" },
          button("Open in Solve", () => this.solve(), { id: "watch-solve" }),
          this.pictureButton(),
        ),
      ],
      onClose: () => {
        this.closed = true;
      },
    });
    this.sheet.element.classList.add("now");
    this.element.append(
      h(
        "div",
        { class: "stage" },
        h("h1", { id: "watch-title", class: "unseen" }, "Watch a solver play"),
        this.settings.form("watch", () => this.start(), {
          before: [field("Solver", this.agent), field("Against", this.versus)],
          after: [this.shareButton],
          more: [field("Rules", this.goal)],
        }),
        this.stage,
        h(
          "div",
          { class: "transport", role: "group", "aria-label": "Playback" },
          h(
            "div",
            { class: "buttons" },
            iconButton("first", "To the start", () => this.jump(0)),
            iconButton("back", "Previous move", () => this.jump(this.at - 1)),
            this.playButton,
            iconButton("next", "Next move", () => this.jump(this.at + 1)),
            iconButton("last", "To the end", () => this.jump(this.length)),
            this.advice,
          ),
          h("div", { class: "track" }, h("div", { class: "scrub" }, this.curve.element, this.slider), this.place),
          h("div", { class: "pace" }, this.speed, this.pacing),
        ),
      ),
      h(
        "aside",
        { class: "panel", "aria-label": "Moves and reasons" },
        this.sheet.element,
        h("section", { class: "card" }, h("h2", {}, "Moves"), this.list),
        h("section", { class: "card ending", hidden: true }, h("h2", {}, "The game in numbers"), this.facts),
      ),
    );
    this.ending = this.facts.parentElement;
    for (const control of [this.agent, this.versus]) control.addEventListener("change", () => this.start());
    this.pace();
    this.showPlaying();
  }

  get length() {
    return Math.max(0, ...this.replays.map((replay) => replay.moves?.length ?? 0));
  }

  // The replay whose moves are listed.
  get replay() {
    return this.replays[this.chosen];
  }

  async enter(query) {
    if ([...query.keys()].length) {
      await this.settings.take(query);
      for (const [control, name] of [
        [this.agent, "agent"],
        [this.versus, "against"],
        [this.goal, "goal"],
      ]) {
        const value = query.get(name) ?? (name === "agent" ? "sat" : "");
        const hasOption = [...control.options].some((option) => option.value === value);
        // A link may give an agent a parameter; the server says so if there is no such agent.
        if (!hasOption && name !== "goal") control.append(h("option", { value }, value));
        if (hasOption || name !== "goal") control.value = value;
      }
      const move = query.get("move");
      this.wanted = /^\d{1,6}$/.test(move ?? "") ? Number(move) : null;
      await this.start({ play: this.wanted === null && !isStill() });
    } else if (!this.replays.length) {
      await this.start();
    }
    for (const { board } of this.replays) board.fit();
  }

  leave() {
    this.pause();
  }

  get over() {
    return Boolean(this.replay?.ended && this.replay.asked);
  }

  picture() {
    return this.replay.asked;
  }

  // Open the position that is shown in Solve.
  solve() {
    this.pause();
    if (this.replay?.head) this.page.solve(this.replay.position().toString());
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
    // Two agents play by the rules of the first.
    else asked.goal = finds(this.agent.value) ? "find" : "clear";
    return asked;
  }

  async start({ play = !isStill() } = {}) {
    const signal = this.games.next();
    const names = [this.agent.value, this.versus.value].filter(Boolean);
    this.rest(names);
    this.keepSoon();
    const asked = this.asked();
    const games = this.replays.map((replay, at) => replay.start(names[at], asked, signal));
    this.showPicture();
    if (play) this.play();
    await Promise.all(games);
  }

  // Make place for the games of these players.
  rest(names) {
    this.at = 0;
    this.carry = 0;
    this.chosen = 0;
    this.pause();
    this.curve.show([]);
    this.now.replaceChildren();
    this.judged.replaceChildren();
    this.list.replaceChildren();
    this.ending.hidden = true;
    const two = names.length > 1;
    while (this.replays.length > names.length) this.replays.pop();
    while (this.replays.length < names.length) this.replays.push(new Replay(this));
    this.stage.replaceChildren(...this.replays.map(({ element }) => element));
    this.stage.classList.toggle("two", two);
    this.element.classList.toggle("pair", two);
    for (const { board } of this.replays) board.share = two ? 0.3 : 0.42;
    this.which.hidden = !two;
    this.which.replaceChildren(
      ...names.map((name, at) => button(name, () => this.choose(at), { "aria-pressed": String(at === 0) })),
    );
  }

  // Show the review of a game that was played (`review_game`).
  async review(found) {
    const signal = this.games.next();
    this.rest([found.player]);
    const [replay] = this.replays;
    await replay.review(found, signal);
    this.told = null;
    this.curve.show(replay.chances);
    this.grown();
    this.seek(0);
  }

  // Stop a game that is still being played; what has arrived can be watched.
  stop() {
    this.games.cancel();
  }

  failed(replay, error) {
    this.pause();
    this.now.replaceChildren(h("p", { class: "problem", role: "alert" }, `${replay.agent}: ${error.message}`));
  }

  // Show what has arrived of a game.
  grown() {
    this.slider.max = this.length;
    if (this.wanted !== null && this.length >= this.wanted && this.replays.every(({ head }) => head)) {
      const to = this.wanted;
      this.wanted = null;
      this.seek(to);
    }
    // A game whose moves come later than the other's catches up as soon as they arrive.
    const late = this.replays.filter((replay) => replay.head && replay.at < Math.min(this.at, replay.moves.length));
    for (const replay of late) replay.go(this.at);
    this.showPlace();
    if (late.length || !this.now.childElementCount) this.showMove(!this.playing);
    for (const replay of this.replays) if (replay.head && replay.over !== replay.wasOver) replay.count();
    if (this.at >= this.length) this.showEnd();
    this.showPicture();
  }

  toggle() {
    if (this.playing) this.pause();
    else {
      if (this.at >= this.length && this.complete) this.seek(0);
      this.play();
    }
  }

  get complete() {
    return this.replays.every(({ ended, problem }) => ended || problem);
  }

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
    this.rate = SPEEDS[Number(this.speed.value)] ?? USUAL;
    this.pacing.textContent = `${this.rate.toLocaleString("en")} ${this.rate === 1 ? "move" : "moves"} a second`;
    this.speed.setAttribute("aria-valuetext", this.pacing.textContent);
  }

  jump(to) {
    this.pause();
    this.seek(to);
  }

  seek(to) {
    this.at = Math.min(Math.max(to, 0), this.length);
    for (const replay of this.replays) replay.go(this.at);
    this.showPlace();
    this.showMove(!this.playing);
    this.showEnd();
    if (!this.playing) this.keepSoon();
  }

  showPlace() {
    this.slider.value = this.at;
    const more = this.complete ? "" : "+";
    this.place.textContent = `${this.at.toLocaleString("en")} / ${this.length.toLocaleString("en")}${more}`;
    const chance = this.curve.mark(this.at);
    this.slider.setAttribute("aria-valuetext", `move ${this.at} of ${this.length}${chance && `, ${chance}`}`);
  }

  choose(at) {
    this.chosen = at;
    for (const [other, which] of [...this.which.children].entries())
      which.setAttribute("aria-pressed", String(other === at));
    this.showMove(!this.playing);
    this.showEnd();
    this.showPicture();
  }

  // Mark the last move on the board and show it beside the board; explain it if playback rests.
  showMove(resting) {
    for (const { head, moves, at, board } of this.replays) {
      const move = moves?.[at - 1];
      if (!head) continue;
      const shown = move && (resting || this.rate <= SLOW);
      board.mark(move && { last: [board.index(move.cell)], clue: shown ? board.indices(move.clues) : [] });
      if (shown) this.sheet.reveal(board, [board.index(move.cell)]);
    }
    if (resting && !this.closed && replayed(this.replay)) this.sheet.open();
    else if (!resting) this.sheet.close();
    this.next.replaceChildren();
    this.explainSoon.cancel();
    this.explaining.cancel();
    const { replay } = this;
    const move = replay?.moves?.[replay.at - 1];
    this.judged.replaceChildren();
    if (!move || !replay.head) {
      this.now.replaceChildren(h("p", { class: "note" }, "Every cell is covered; no move has been made yet."));
    } else {
      const headline = this.headline(move);
      this.now.replaceChildren(h("h2", {}, headline), h("p", { class: "rule" }, told(move.why || "", replay.board)));
      if (resting) {
        announce(`Move ${replay.at}: ${headline}. ${said(move.why, replay.board)}`);
        this.explainSoon();
      }
    }
    this.showList(replay, resting);
  }

  headline(move) {
    const what = `${DID[move.action]} ${place(move.cell)}`;
    if (!move.opened) return what;
    const symbol = move.opened[0][1];
    const result = symbol === "*" ? "a mine" : symbol === "?" ? "it shows nothing" : inWords(symbol);
    return `${what}: ${result}${move.opened.length > 1 ? ` and ${plural(move.opened.length - 1, "more cell")}` : ""}`;
  }

  // Explain the last move by everything that could be known before it.
  async explain() {
    const { replay } = this;
    const move = replay?.moves?.[replay.at - 1];
    if (!move || this.playing) return;
    const before = replay.before();
    const signal = this.explaining.next();
    const advised = this.advise(replay, signal);
    if (replay.at === 1 && before.cells.every((symbol) => symbol === "#")) return;
    const board = before.toString();
    const guessed = move.action === "guess";
    try {
      const [found, solved] = await Promise.all([
        this.connection.ask("explain", { board, cell: move.cell }, { signal }),
        guessed ? this.connection.ask("solve", { board }, { signal }) : null,
      ]);
      if (signal.aborted) return;
      if (found.reason) this.showReason(replay, move, found.reason);
      else
        this.judged.append(
          h("p", { class: "said" }, `Nothing forces this cell: its risk was ${riskOf(found.undecided)}.`),
        );
      if (!solved || solved.impossible) return;
      if (solved.safe) {
        const best = solved.best.join(",");
        const missed =
          solved.safe === 1
            ? `One safe cell was overlooked: ${best}.`
            : `${solved.safe} safe cells were overlooked, such as ${best}.`;
        this.judged.append(h("p", { class: "missed" }, told(missed, replay.board)));
      } else if (!found.reason) {
        const level = (cell) => solved.cells[replay.board.index(cell)];
        const least =
          solved.odds.length === 1
            ? "Every covered cell had the same risk."
            : level(move.cell) === level(solved.best)
              ? "No cell had a lower risk."
              : `The least risk was ${solved.best_said.replace(" with risk", ":")}.`;
        this.judged.append(h("p", { class: "note" }, told(least, replay.board)));
      }
      await advised;
    } catch (error) {
      if (isCancelled(error)) return;
      // If the agent took unreliable numbers at face value, or flags for mines, there may be nothing to explain.
      this.judged.append(h("p", { class: "note" }, error.message));
    }
  }

  // Show the risks, and the best move, of the position after the last move.
  async advise(replay, signal) {
    if (!isPressed(this.advice) || replay.over) return;
    const board = replay.position().toString();
    try {
      let answer = await this.connection.ask("solve", { board }, { signal });
      if (answer.impossible) return;
      const show = (advice) => {
        answer = { ...answer, advice };
        replay.advise(answer);
        this.remark(replay);
        this.next.replaceChildren(
          h("h3", {}, "Now: ", told(advice.sentence, replay.board)),
          ...adviceList(
            replay.board,
            advice,
            (cells) => this.remark(replay, { target: replay.board.indices(cells) }),
            FEW,
          ),
        );
      };
      if (canLookAhead(answer)) show(withoutBest(answer.advice));
      show(await advised(this.connection, board, answer, signal));
    } catch (error) {
      if (!isCancelled(error)) this.next.replaceChildren(h("p", { class: "note" }, error.message));
    }
  }

  toggleAdvice() {
    press(this.advice);
    const on = isPressed(this.advice);
    storage.set("advice", on ? "yes" : "no");
    if (!on) for (const replay of this.replays) replay.advise(null);
    this.showMove(!this.playing);
  }

  // Mark the last move, its numbers, what the advice says, and other cells.
  remark(replay, marked = {}) {
    const { board } = replay;
    const move = replay.moves[replay.at - 1];
    const own = { last: [board.index(move.cell)], clue: board.indices(replay.reason ?? move.clues) };
    board.mark({ ...replay.marks, ...own, ...marked });
  }

  showReason(replay, move, reason) {
    const { board } = replay;
    replay.reason = reason.clues;
    this.remark(replay);
    const wrong = reason.mine === ["open", "guess", "note"].includes(move.action);
    const survived = move.opened?.some(([, symbol]) => symbol !== "*");
    this.judged.append(
      h("h3", {}, wrong && !survived ? "Why that was wrong" : "Why it must be so"),
      argument(board, reason, (step) => this.remark(replay, step ? { clue: board.indices(step.clues) } : {})),
    );
  }

  showList(replay, resting) {
    if (!resting && this.rate > SLOW && performance.now() - (this.listed ?? 0) < 250) return;
    this.listed = performance.now();
    const moves = replay?.moves ?? [];
    const from = Math.max(0, replay?.at - AROUND);
    const items = moves.slice(from, replay?.at + AROUND).map((move, offset) => {
      const number = from + offset + 1;
      return h(
        "li",
        { value: number },
        h(
          "button",
          {
            type: "button",
            class: `link move ${move.action}`,
            "aria-current": number === replay.at ? "step" : undefined,
            onclick: () => this.jump(number),
          },
          h("span", { class: "number" }, String(number)),
          ` ${this.headline(move)}`,
          h("small", {}, said(move.why, replay.board)),
        ),
      );
    });
    this.list.replaceChildren(...items);
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  showEnd() {
    const { replay } = this;
    const ended = replay?.head && replay.over ? replay.ended : null;
    this.ending.hidden = !ended;
    if (this.told === ended) return;
    this.told = ended;
    if (!ended) return;
    const { reviewed, outcome, why, seconds, facts } = ended;
    const played = () => [
      ["outcome", `${outcome}: ${why}`],
      ...facts,
      ["thinking", `${seconds.toLocaleString("en")} s`],
    ];
    const rows = reviewed ? facts : played();
    this.facts.replaceChildren(...described(rows.map(([name, value]) => [named(name), value])));
    announce(`${replay.agent}: ${outcome}${reviewed ? "" : `, ${why}`}`);
  }

  async link() {
    if (this.replay?.asked === null) return address("watch", {}); // a file has no link
    const game = await this.settings.query();
    return address("watch", {
      agent: this.agent.value,
      against: this.versus.value,
      ...game,
      goal: this.goal.value,
      move: this.playing ? null : this.at,
    });
  }

  key(event) {
    const action = {
      " ": () => this.toggle(),
      ",": () => this.jump(this.at - 1),
      ".": () => this.jump(this.at + 1),
      "<": () => this.jump(0),
      ">": () => this.jump(this.length),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return false;
    action();
    return true;
  }
}

const replayed = (replay) => Boolean(replay?.moves?.[replay.at - 1]);

// The risk of a cell that nothing forces, in words.
const riskOf = ({ risk_percent: percent, risk_exact: exact }) => (percent ? fraction(percent, exact) : "not known");
