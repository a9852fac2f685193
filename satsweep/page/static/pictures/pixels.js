// @ts-check
// The pixels of a picture, as they are read and shown: upright, opaque, and no more of them than the reader looks at.

import { toBase64 } from "../basics/base64.js";

// As in satsweep/formats/pictures/decode.py.
const MOST_PIXELS = 25_000_000;
const KEPT_PIXELS = 4_000_000;
const STRIP = 2_000_000; // pixels that are decoded at once: phones have no canvas for a whole photograph

/** Rows of pixels, each with red, green, blue, and 255. @typedef {{ width: number, height: number, data: Uint8ClampedArray<ArrayBuffer> }} Pixels */

/** The whole number by which a picture is reduced. @param {number} width @param {number} height */
export const factorOf = (width, height) => Math.ceil(Math.sqrt((width * height) / KEPT_PIXELS));

/**
 * Pixels smaller by a whole number: each is the mean of a square.
 * @param {Pixels} pixels
 * @param {number} factor
 * @returns {Pixels}
 */
export function reduced({ width, height, data }, factor) {
  if (factor === 1) return { width, height, data };
  const [cols, rows] = [Math.floor(width / factor), Math.floor(height / factor)];
  const found = new Uint8ClampedArray(4 * rows * cols);
  for (let row = 0; row < rows; row++) {
    for (let at = 0; at < 4 * cols; at++) {
      const first = 4 * (row * factor * width + (at >> 2) * factor) + (at & 3);
      let sum = 0;
      for (let y = 0; y < factor; y++) for (let x = 0; x < factor; x++) sum += data[first + 4 * (y * width + x)];
      found[4 * row * cols + at] = Math.floor(sum / factor ** 2);
    }
  }
  return { width: cols, height: rows, data: found };
}

/**
 * Decode a picture. Rejects if that is none, or too large.
 * @param {Blob} file
 * @returns {Promise<Pixels>}
 */
export async function decoded(file) {
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" }).catch(() => {
    throw new Error("This file is no picture that your browser can show.");
  });
  const { width, height } = bitmap;
  if (width * height > MOST_PIXELS) {
    const most = `${MOST_PIXELS / 1_000_000} million pixels`;
    throw new Error(`A picture may have ${most}, and this one has ${width}×${height}. Cut the board out of it.`);
  }
  const factor = factorOf(width, height);
  const high = factor * Math.max(1, Math.floor(STRIP / width / factor));
  const canvas = Object.assign(document.createElement("canvas"), { width, height: Math.min(high, height) });
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!context) throw new Error("Your browser has no memory for this picture.");
  const [cols, rows] = [Math.floor(width / factor), Math.floor(height / factor)];
  const data = new Uint8ClampedArray(4 * cols * rows);
  for (let top = 0; top < factor * rows; top += high) {
    context.fillStyle = "white";
    context.fillRect(0, 0, width, high);
    context.drawImage(bitmap, 0, -top);
    const strip = context.getImageData(0, 0, width, Math.min(high, factor * rows - top));
    data.set(reduced({ width, height: strip.height, data: strip.data }, factor).data, 4 * cols * (top / factor));
  }
  bitmap.close();
  return { width: cols, height: rows, data };
}

/**
 * Pixels as the fields of the question `picture`: each byte less that of the pixel to its left, compressed.
 * @param {Pixels} pixels
 */
export async function packed({ width, height, data }) {
  const steps = new Uint8Array(3 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let colour = 0; colour < 3; colour++) {
      const at = 4 * pixel + colour;
      steps[3 * pixel + colour] = data[at] - (pixel % width ? data[at - 4] : 0);
    }
  }
  const compressed = new Blob([steps]).stream().pipeThrough(new CompressionStream("deflate"));
  return { width, height, pixels: toBase64(new Uint8Array(await new Response(compressed).arrayBuffer())) };
}
