// Review of a finished game: every opening with its risk beside the least, on a timeline that can be walked.

import { isCancelled, Latest } from "./connection.js";
import { Curve } from "./curve.js";
import { announce, button, described, h, iconButton, plural } from "./dom.js";
import { place } from "./places.js";
import { named } from "./term.js";

// Kinds of openings: a word, and whether the player could have done better.
const KINDS = {
  start: ["First cell", false],
  safe: ["Safe", false],
  guess: ["Best guess", false],
  worse: ["Riskier guess", true],
  needless: ["Guess not needed", true],
  mine: ["A certain mine", true],
  unknown: ["Not known", false],
};

// Facts of the full review that are shown.
const PARTS = ["known", "start", "skill", "luck", "moves", "overlooked"];

export class Review {
  // `onWalk(step)` gets the step to show: { at, chosen, judged }, or null for the end of the game.
  constructor(connection, onWalk) {
    Object.assign(this, { connection, onWalk, asking: new Latest() });
    this.strip = h("div", { class: "strip", "aria-hidden": "true" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      value: 0,
      id: "review-slider",
      "aria-label": "Move of the review",
      oninput: () => this.walk(Number(this.slider.value)),
    });
    this.said = h("p", { class: "judged" });
    this.curve = new Curve();
    this.parts = h("dl", { class: "facts" }); // skill and luck, where win chances are known
    const step = (name, label, to) => iconButton(name, label, () => this.walk(to()), { class: "round quiet" });
    this.element = h(
      "div",
      { class: "review" },
      h("div", { class: "timeline" }, this.curve.element, this.strip, this.slider),
      h(
        "div",
        { class: "row walking" },
        step("first", "To the first move", () => 0),
        step("back", "Previous move", () => this.step - 1),
        step("next", "Next move", () => this.step + 1),
        step("last", "To the end", () => this.openings.length),
        button("Next guess", () => this.walk(this.nextGuess()), { id: "review-guess" }),
      ),
      this.said, // below what walks, which must not move with the length of a verdict
      this.parts,
    );
  }

  stop() {
    this.asking.cancel();
  }

  // `asked` is the game as `review_game` is asked about it.
  async begin(game, asked) {
    this.openings = game.openings;
    this.judged = [];
    this.whole = null;
    this.full = null;
    this.parts.replaceChildren();
    this.curve.show([]);
    this.step = this.openings.length;
    this.strip.replaceChildren(...this.openings.map(() => h("i", {})));
    this.slider.max = this.openings.length;
    this.slider.value = this.step;
    this.luck = "Looking at your moves…";
    this.said.textContent = this.luck;
    const fields = {
      board: game.position().toString(),
      moves: this.openings.map(({ chosen, opened }) => [chosen, opened]),
    };
    const onPart = ({ moves }) => {
      for (const move of moves) this.judged[move.move] = move;
      this.draw();
    };
    this.judged[0] = { class: "start" };
    const signal = this.asking.next();
    try {
      this.whole = await this.connection.ask("review", fields, { onPart, signal });
      this.luck = luckText(this.whole, game.over);
      announce(this.luck);
    } catch (error) {
      if (isCancelled(error)) return;
      this.luck = error.message;
    }
    if (this.step === this.openings.length) this.said.textContent = this.luck;
    this.draw();
    await this.#splitOutcome(asked, signal);
  }

  // Add what needs chances to win: skill, luck, and the classes of moves. Without numpy, or where the chances are not
  // known, there is no more to say.
  async #splitOutcome(asked, signal) {
    try {
      const full = await this.connection.ask("review_game", asked, { signal });
      if (full.known === "risk") return;
      this.full = full;
      const facts = full.facts.filter(([name]) => PARTS.includes(name));
      this.parts.replaceChildren(...described(facts.map(([name, value]) => [named(name), value])));
      this.curve.show([...this.openings.map((opening) => this.#moves(opening)[0]?.before), full.moves.at(-1)?.after]);
      this.curve.mark(this.step);
    } catch {
      // The simple review stays.
    }
  }

  // What the full review says of an opening, if it was a choice; else nothing.
  #verdict(opening) {
    return this.#moves(opening).find((move) => move.choice?.chosen != null)?.said;
  }

  // The moves of the full review that made an opening.
  #moves({ chosen }) {
    return this.full?.moves.filter(({ opened }) => opened.some(([cell]) => chosen.includes(cell))) ?? [];
  }

  draw() {
    for (const [step, piece] of [...this.strip.children].entries()) {
      const judged = this.judged[step];
      piece.className = [judged?.class ?? "", step === this.step ? "here" : ""].join(" ").trim();
    }
  }

  walk(step) {
    this.step = Math.min(Math.max(step, 0), this.openings.length);
    this.slider.value = this.step;
    const opening = this.openings[this.step];
    const judged = this.judged[this.step];
    const text = opening
      ? `Move ${this.step + 1} of ${this.openings.length}: ${this.#verdict(opening) ?? judgedText(judged)}`
      : this.luck;
    this.said.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
    this.curve.mark(this.step);
    this.draw();
    this.onWalk(opening ? { ...opening, judged, step: this.step } : null);
  }

  // The next opening that was a guess, in a circle; the end if there was none.
  nextGuess() {
    const count = this.openings.length;
    for (let ahead = 1; ahead <= count + 1; ahead++) {
      const step = (this.step + ahead) % (count + 1);
      if (step < count && !["start", "safe", undefined].includes(this.judged[step]?.class)) return step;
    }
    return count;
  }
}

export const couldBeBetter = (judged) => KINDS[judged?.class]?.[1] ?? false;

// A judged opening in words.
function judgedText(judged) {
  if (!judged) return "not looked at yet.";
  const [name] = KINDS[judged.class];
  const cell = judged.cell && place(judged.cell);
  const example = judged.best && ` (${place(judged.best)}${judged.safe > 1 ? ", for one" : ""})`;
  const others = judged.safe === 1 ? `one cell was safe${example}` : `${judged.safe} cells were safe${example}`;
  switch (judged.class) {
    case "start":
      return "the first cell.";
    case "safe":
      return `safe. ${cell} could be proved.`;
    case "guess":
      return `no cell was safe, and no risk was less: ${judged.percent} at ${cell}.`;
    case "worse":
      return `no cell was safe. ${cell} had a risk of ${judged.percent}, the least was ${judged.least_percent}${example}.`;
    case "needless":
      return `${name.toLowerCase()}. ${cell} had a risk of ${judged.percent}, and ${others}.`;
    case "mine":
      return judged.safe
        ? `${cell} was certainly a mine, and ${others}.`
        : `${cell} was certainly a mine. The least risk was ${judged.least_percent}${example}.`;
    default:
      return "the risk is not known: it takes too long to count.";
  }
}

// How lucky a game was.
function luckText({ guesses, needless, worse, chance, chance_percent, possible_percent, unknown }, over) {
  if (unknown) return `${plural(unknown, "move")} could not be judged in time.`;
  if (!guesses && over === "won") return "No luck was needed: every cell you opened was safe.";
  if (!guesses) return "Nothing could be known of the first cell.";
  const faults = [
    [needless, "not needed"],
    [worse, "riskier than the best one"],
  ].flatMap(([count, fault]) => (count ? [guesses === 1 ? fault : `${count} of them ${fault}`] : []));
  const some = [guesses === 1 ? "One guess" : `${guesses} guesses`, ...faults].join(", ");
  if (chance === 0) return `${some}. ${guesses === 1 ? "It" : "The last one"} was certainly a mine.`;
  const all = guesses === 1 ? "It goes well with a chance of" : "All of them go well with a chance of";
  const least = possible_percent === chance_percent ? "" : ` With the least risk each time: ${possible_percent}.`;
  return `${some}. ${all} ${chance_percent}.${least}${over === "won" ? luckOf(chance) : ""}`;
}

function luckOf(chance) {
  if (chance < 0.1) return " Very lucky!";
  if (chance < 0.34) return " Lucky!";
  return chance < 0.67 ? " A bit lucky." : "";
}
