// @ts-check
// Numbers in words, as Python writes them (render/number_text.py): a test compares both.

/**
 * A number with four digits that count, as Python's format `.4g`.
 * @param {number} value
 */
export function general(value) {
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(3).split("e")[1]);
  if (exponent >= -4 && exponent < 4) return stripped(fixed(value, 3 - exponent));
  const sign = exponent < 0 ? "-" : "+";
  return `${stripped(fixed(value / 10 ** exponent, 3))}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** @param {string} digits */
const stripped = (digits) => (digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits);

/**
 * A number with some decimals; halfway between two of them is the even one.
 * @param {number} value
 * @param {number} decimals
 */
function fixed(value, decimals) {
  // Halfway lie multiples of 2^-(decimals + 1) alone, and no product below is rounded then.
  const isHalfway = Number.isInteger(value * 2 ** (decimals + 1)) && (value * 10 ** decimals) % 1 === 0.5;
  return (isHalfway ? halfToEven(value * 10 ** decimals) / 10 ** decimals : value).toFixed(decimals);
}

/** @param {number} value */
export function halfToEven(value) {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 ? rounded - 1 : rounded;
}

const LEAST = 0.0001; // the least chance, and the least distance from certainty, that is written in digits

/**
 * A chance in percent: 0 or 100 only where that is certain.
 * @param {number} risk
 */
export function percent(risk) {
  if (risk > 0 && risk < LEAST) return "<0.01 %";
  return risk > 1 - LEAST && risk < 1 ? ">99.99 %" : `${general(100 * risk)} %`;
}

/**
 * An estimated chance in percent, rounded down: none is above the chance to survive a cell.
 * @param {number} chance
 */
export function aboutPercent(chance) {
  const thousandths = Math.floor(1000 * chance + 1e-9);
  return thousandths > 0 ? `about ${(thousandths / 10).toFixed(1)} %` : "under 0.1 %";
}

/**
 * Two characters for the risk of a cell that is not forced.
 * @param {number} risk
 */
export function percentLabel(risk) {
  const rounded = Math.min(halfToEven(100 * risk), 99);
  if (!rounded) return "<1";
  return rounded < 10 ? `${rounded}%` : String(rounded);
}

const IN_FULL = 10n ** 15n;

/**
 * A count: in full if it is short, else its size.
 * @param {bigint} number
 */
export function countText(number) {
  if (number < IN_FULL) return number.toLocaleString("en");
  const digits = String(number);
  let [first, more] = [BigInt(digits.slice(0, 4)), digits.length - 1];
  const rest = BigInt(digits.slice(4));
  const half = 5n * 10n ** BigInt(digits.length - 5);
  if (rest > half || (rest === half && first % 2n)) first += 1n;
  if (first === 10_000n) [first, more] = [1_000n, more + 1];
  const shown = String(first);
  return `${shown[0]}.${shown.slice(1)}e+${more} (${digits.length.toLocaleString("en")} digits)`;
}

const TOLD = 1n << 40n; // most worlds for which a float tells a fraction of them, as in solver/compiled.py

/**
 * A share of all worlds as a fraction; null where a float does not tell it.
 * @param {number} share
 * @param {bigint} worlds
 * @returns {{ text: string, value: number } | null} its text, and the float that is nearest to it
 */
export function fractionOf(share, worlds) {
  if (share === 0 || share === 1) return { text: String(share), value: share };
  if (worlds > TOLD) return null;
  const all = Number(worlds);
  const own = Math.round(share * all);
  let [divisor, rest] = [all, own];
  while (rest) [divisor, rest] = [rest, divisor % rest];
  return { text: `${own / divisor}/${all / divisor}`, value: own / all };
}

/**
 * A risk in words with its fraction.
 * @param {string} percent
 * @param {string | null} [exact]
 */
export function fraction(percent, exact) {
  if (!exact || exact === "0" || exact === "1") return percent;
  return `${percent} = ${exact.length > 60 ? `${exact.slice(0, 57)}…` : exact}`;
}
