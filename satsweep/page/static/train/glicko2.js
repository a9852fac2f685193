// @ts-check
// Glicko-2, a rating with its uncertainty: Glickman, "Example of the Glicko-2 system" (2012). Steps are those of the paper.

/** @typedef {{ rating: number, deviation: number, volatility: number }} Rated */
/** A game against an opponent of known strength; the score is 1, 0 or between. @typedef {{ rating: number, deviation: number, score: number }} Played */

/** A player of whom nothing is known. @type {Readonly<Rated>} */
export const UNRATED = { rating: 1500, deviation: 350, volatility: 0.06 };
const SCALE = 173.7178;
const TAU = 0.5; // how fast the volatility may change: 0.3 to 1.2 are reasonable
const PRECISION = 1e-6;

const square = (/** @type {number} */ x) => x * x;

/**
 * The rating after the games of one period.
 * @param {Rated} player
 * @param {Played[]} games
 * @returns {Rated}
 */
export function rated(player, games) {
  // Step 2.
  const mu = (player.rating - UNRATED.rating) / SCALE;
  const phi = player.deviation / SCALE;
  if (!games.length) return { ...player, deviation: SCALE * Math.hypot(phi, player.volatility) };
  // Steps 3 and 4: the variance by the games alone, and the improvement that they suggest.
  let [information, surprise] = [0, 0];
  for (const { rating, deviation, score } of games) {
    const g = 1 / Math.sqrt(1 + (3 * square(deviation / SCALE)) / square(Math.PI));
    const expected = 1 / (1 + Math.exp(-g * (mu - (rating - UNRATED.rating) / SCALE)));
    information += square(g) * expected * (1 - expected);
    surprise += g * (score - expected);
  }
  const variance = 1 / information;
  const volatility = volatilityAfter(player.volatility, phi, variance, variance * surprise);
  // Steps 6 to 8.
  const after = 1 / Math.sqrt(1 / (square(phi) + square(volatility)) + information);
  return {
    rating: UNRATED.rating + SCALE * (mu + square(after) * surprise),
    deviation: SCALE * after,
    volatility,
  };
}

/**
 * Step 5: the root of f by the Illinois algorithm, a regula falsi.
 * @param {number} before
 * @param {number} phi
 * @param {number} variance
 * @param {number} delta the improvement
 */
function volatilityAfter(before, phi, variance, delta) {
  const start = Math.log(square(before));
  const f = (/** @type {number} */ x) => {
    const all = square(phi) + variance + Math.exp(x);
    return (Math.exp(x) * (square(delta) - all)) / (2 * square(all)) - (x - start) / square(TAU);
  };
  let a = start;
  let b = Math.log(square(delta) - square(phi) - variance);
  if (square(delta) <= square(phi) + variance) {
    b = start - TAU;
    while (f(b) < 0) b -= TAU;
  }
  let [fa, fb] = [f(a), f(b)];
  while (Math.abs(b - a) > PRECISION) {
    const c = a + ((a - b) * fa) / (fb - fa);
    const fc = f(c);
    if (fc * fb <= 0) [a, fa] = [b, fb];
    else fa /= 2;
    [b, fb] = [c, fc];
  }
  return Math.exp(a / 2);
}
