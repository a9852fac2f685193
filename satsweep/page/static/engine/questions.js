// @ts-check
// The questions of the page: who answers each, and what is said while one waits.

/**
 * `by`: the worker of the engine in this browser, which is asked first: `quick` for what is answered within a frame, `long`
 * for what takes longer, where a question that is cancelled ends the worker. Python answers what the engine cannot, and the
 * questions `python` alone. `work`: what is done about the question while it has no answer.
 * @type {Record<string, { by: "quick" | "long" | "python", work: string }>}
 */
export const QUESTIONS = {
  solve: { by: "quick", work: "Solving" },
  explain: { by: "quick", work: "Looking for the reason" },
  conflict: { by: "long", work: "Looking for the contradiction" },
  advice: { by: "long", work: "Comparing cells" },
  further_advice: { by: "python", work: "Comparing more cells" },
  hint: { by: "long", work: "Looking for a hint" },
  endgame: { by: "python", work: "Searching for best play" },
  deal: { by: "quick", work: "Dealing a board" },
  deal_no_guess: { by: "long", work: "Looking for a board without a guess" },
  rate: { by: "long", work: "Rating the board" },
  redraw: { by: "quick", work: "Placing the mines" },
  watch: { by: "long", work: "The solver begins" },
  animate: { by: "python", work: "Drawing the game" },
  review_game: { by: "python", work: "Reviewing the game" },
  fewest_clicks: { by: "python", work: "Looking for the fewest clicks" },
  grid: { by: "python", work: "Placing the cells" },
  read: { by: "python", work: "Reading" },
  picture: { by: "python", work: "Reading the picture" },
  write: { by: "python", work: "Writing" },
};

/** Questions of the first look: the answers to the others are loaded when one is asked. */
export const FIRST = ["solve", "advice"];
