// @ts-check
// Links that carry a whole position: its compressed text stands behind the #, which browsers do not send to a server.

import { fromBase64, toBase64 } from "./base64.js";

const MAX_BYTES = 2_000_000;

/**
 * @param {CompressionStream | DecompressionStream} stream
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function pipe(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) throw new Error("This link holds more than a position.");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** @param {string} text */
export async function packed(text) {
  const bytes = await pipe(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} code */
export async function unpacked(code) {
  const bytes = fromBase64(code.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(await pipe(new DecompressionStream("deflate-raw"), bytes));
}

// The view that the address names after its #, and the parameters of that view.
export function route() {
  const [view, query = ""] = location.hash.slice(1).split("?");
  return { view, query: new URLSearchParams(query) };
}

/**
 * @param {string} view
 * @param {Record<string, any>} [query]
 */
export function address(view, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(pairs).toString();
  return `${location.origin}${location.pathname}#${view}${search ? `?${search}` : ""}`;
}
