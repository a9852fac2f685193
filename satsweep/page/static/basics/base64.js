// @ts-check
// Bytes as base64 text, and back.

const AT_ONCE = 8192; // arguments that a function may have

/** @param {Uint8Array | number[]} bytes */
export function toBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += AT_ONCE) binary += String.fromCharCode(...bytes.slice(at, at + AT_ONCE));
  return btoa(binary);
}

/** @param {string} text */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
