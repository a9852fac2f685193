// @ts-check
// Who answers each question of the page.

/**
 * The worker of the engine in this browser, which is asked first: `quick` for what is answered within a frame, `long` for
 * what takes longer, where a question that is cancelled ends the worker. Python answers what the engine cannot, and the
 * questions `python` alone.
 * @type {Record<string, "quick" | "long" | "python">}
 */
export const ANSWERED_BY = {
  solve: "quick",
  explain: "quick",
  conflict: "long",
  advice: "long",
  further_advice: "python",
  hint: "long",
  endgame: "python",
  deal: "quick",
  deal_no_guess: "long",
  rate: "long",
  redraw: "quick",
  watch: "long",
  animate: "python",
  review_game: "python",
  fewest_clicks: "python",
  grid: "python",
  read: "python",
  picture: "python",
  write: "python",
};

/** Questions of the first look: the answers to the others are loaded when one is asked. */
export const FIRST = ["solve", "advice"];
