// @ts-check
// Names of facts.

import { capitalized } from "../basics/dom.js";
import { term } from "./term.js";
import { TERMS } from "./terms.js";

/**
 * A fact's name as a row's head: with a tooltip if it is in the glossary.
 * @param {string} name
 */
export const named = (name) =>
  name in TERMS ? term(/** @type {import("./term.js").Word} */ (name), capitalized(name)) : capitalized(name);
