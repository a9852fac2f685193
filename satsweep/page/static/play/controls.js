// @ts-check
// The controls of Play: the bar of a game, what is said of it, the menu for guessing, options.

import { option, press, toggle } from "../basics/controls.js";
import { button, h } from "../basics/dom.js";
import { said, told } from "../words/places.js";
import { buttonChoices } from "./buttons.js";
import { fading } from "./fading.js";
import { GUESSING, USUAL } from "./guessing.js";
import { timeText } from "./stopwatch.js";

/** @typedef {import("./state.js").PlayState} PlayState */

export class PlayControls {
  /**
   * `set` changes the state, `guess` what becomes of guesses; the parts act as the user wants.
   * @param {PlayState} state
   * @param {{
   *   set: (change: Partial<PlayState>) => void, guess: (name: string) => void, moves: import("./moves.js").Moves,
   *   coach: import("./coach.js").Coach, dealing: import("./dealing.js").Dealing,
   * }} how
   */
  constructor(state, { set, guess, moves, coach, dealing }) {
    const choices = Object.entries(GUESSING).map(([value, { label }]) => h("option", { value }, label));
    this.guesses = h(
      "select",
      { id: "play-guesses", onchange: () => guess(this.guesses.value) },
      choices.slice(0, USUAL),
      h("optgroup", { label: "Variants" }, choices.slice(USUAL)),
    );
    this.meaning = h("p", { class: "note meaning" });
    this.mines = h("strong", { class: "mines" });
    this.clock = h("strong", { class: "clock" });
    this.flag = toggle("Flag", () => set({ isFlagging: !this.state.isFlagging }), {
      id: "play-flagging",
      title: "A tap or the left button flags cells",
    });
    this.undo = button("Undo", () => moves.undo(), { id: "play-undo" });
    this.hint = button("Hint", () => moves.hint(), { id: "play-hint" });
    this.safe = button("Safe cells", () => moves.openSafe(), {
      id: "play-safe",
      title: "Open all cells that are safe now",
    });
    this.risks = toggle("Risks", () => coach.toggle("risks"), {
      id: "play-risks",
      title: "Show how likely a mine is, on every covered cell",
    });
    this.advice = toggle("Advice", () => coach.toggle("advice"), {
      id: "play-advice",
      title: "Show the best cells, chances to win, dead cells, and guesses that you cannot avoid",
    });
    this.message = h("p", { class: "lead" });
    this.cancel = button("Cancel", () => dealing.cancel(), { class: "link", id: "play-cancel" });
    this.reopen = button("Review", () => set({ closed: false }), { class: "link", id: "play-review" });
    this.rated = h("p", { class: "note rated", "aria-live": "polite" });
    this.rate = button("Does this board need a guess?", () => moves.rate(), {
      class: "link",
      id: "play-rate",
      title: "The answer is help: the game sets no record then",
    });
    this.bar = fading(
      h(
        "div",
        { class: "bar playing" },
        h("span", { class: "counter" }, "Mines left ", this.mines),
        h("span", { class: "counter" }, "Time ", this.clock),
        ...[this.flag, this.undo, this.hint, this.safe, this.risks, this.advice],
      ),
    );
    this.status = h("div", { class: "status" }, this.message, this.cancel, this.reopen);
    this.options = h(
      "section",
      { class: "card options" },
      option("play-warn", "Warn me before a risky move while a safe cell exists", {
        onchange: (warns) => set({ warns }),
      }).element,
      option("play-auto", "Make moves that single numbers settle by themselves", {
        onchange: (settles) => {
          set({ settles });
          moves.settle();
        },
      }).element,
      buttonChoices(state.buttons, (gesture, action) => set({ buttons: { ...this.state.buttons, [gesture]: action } })),
    );
    this.state = state;
  }

  /**
   * @param {PlayState} state
   * @param {import("../board/board.js").Board} board
   */
  draw(state, board) {
    const isOther = state.message !== this.state.message;
    this.state = state;
    const { aid, closed, ended, game, guesses, isFlagging, isSearching } = state;
    if (isOther) {
      this.message.replaceChildren(...told(state.message, board));
      this.message.title = said(state.message, board);
    }
    this.cancel.hidden = !isSearching;
    this.reopen.hidden = !(ended && closed);
    this.rated.textContent = state.rated;
    this.rate.hidden = !state.mayRate;
    this.mines.textContent = state.minesLeft;
    this.undo.disabled = !game?.moves.length;
    for (const one of [this.hint, this.safe, this.risks, this.advice]) one.disabled = !state.mayHelp;
    press(this.flag, isFlagging);
    press(this.risks, aid === "risks");
    press(this.advice, aid === "advice");
    this.guesses.value = state.guessed;
    for (const one of this.guesses.options) one.disabled = !state.allows(one.value);
    this.guesses.title = guesses.says;
    this.meaning.textContent = guesses.says;
    this.drawTime();
  }

  /** Show the clock as it stands now. */
  drawTime() {
    this.clock.textContent = timeText(this.state.secondsAt(performance.now()));
  }
}
