// @ts-check
// Bytes as base64 text, and back.

/** @param {Iterable<number>} bytes */
export function toBase64(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @param {string} text */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
