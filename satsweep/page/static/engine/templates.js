// @ts-check
// Made from satsweep/why/templates.py; tests/why/test_templates.py says how.
// biome-ignore format: one line each
export const AMOUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
// biome-ignore format: one line each
export const TEMPLATES = {
  "too many": "{number}{now} has {allowed}, at {places}.",
  "too few": "{number} {needs} and has {rest}.",
  "touches none": "{number} touches no mine, so {result}.",
  "has all": "{number} has {mines} already, at {places}, so {result}.",
  "needs all": "{number} {needs} and has only {cells} for {them}, so {result}.",
  "inside": "{one} {has} among {shared}. {other} touches {these} too and {needs}, so {result}.",
  "shares few": "{other} {has}. It shares {shared} with {one}, which {only}, so {result}.",
  "shares many": "{other} {has}, and it has only {cells} that {one} does not touch. So at least {mines} {are} among the cells they share, {shared}, which is all that {again} {wants}: {result}.",
  "group": "{numbers} share no covered cell, and {outer} touches all that they have, {cells}. {end}",
  "group holds": "They hold {held} there, and {outer} {has}, so {result}.",
  "group holds too few": "They hold {held} there, and {outer} {has}, but has only {cells}.",
  "group needs": "They need {held} there, which is all that {outer} {wants}, so {result}.",
  "group needs too many": "They need {held} there, but {outer} {only}.",
  "line": "{line} show {rule}{reduced}. {two} {has}, and only one of them can be where {one} touches its cells: {mine} is a mine. That is all that {last} {wants}, so {result}.",
  "total": "There {are} {mines} in all",
  "total left": "There {are} {mines} in all, and {left} {remain} left to find",
  "total passed": "{total}, but that would be {found}, at {places}.",
  "total too many": "{total}, but {rest} for {them}.",
  "total found": "{total}{found}, so {result}.",
  "total fills": "{total}{room}, so {result}.",
  "numbers need": "{total}. {need}, so outside of {their} cells there is no mine: {result}.",
  "numbers need too many": "{total}. {need}, which is too many.",
  "numbers hold": "{total}. The cells of {numbers} hold {held} of them, {others}{so}",
  "numbers leave": "{total}. So {safe} {are} safe. At most {most} of them are cells of {numbers}, {others}{so}",
  "single points": "One after the other, single numbers say that {result}.",
  "clue set": "{clues} leave no other possibility: {result}.",
  "conflict": "{clues} cannot {be}.",
  "other total": "a mine total of {instead} instead of {shown}",
  "other number": "{number} at {place} instead of the {shown}",
  "no mine": "no {mine} at {place}",
  "open mine": "a mine at {place} instead of {number}",
};
