// Python in a worker: it loads the interpreter and satsweep, and answers one question after another.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const LIBRARIES = "/lib/satsweep";
const REST = 1000; // milliseconds without a question until compiled code is kept
const here = (name) => new URL(name, import.meta.url).href;
const cancelled = new Set();

async function fetched(name) {
  const response = await fetch(here(name));
  if (!response.ok) throw new Error(`${name} is missing`);
  return response;
}

const bytes = async (response) => new Uint8Array(await response.arrayBuffer());

// Code that Python has compiled at an earlier start of this build, and the way to keep it for the next one.
class KeptCode {
  constructor(python, source, place) {
    this.code = python.globals.get("dict")();
    this.place = place;
    python.runPython(source, { globals: this.code });
  }

  async begin() {
    const found = await (await this.#cache())?.match(here("code"));
    this.code.get("begin")(found ? await bytes(found) : undefined);
  }

  async keep() {
    const told = this.code.get("told")();
    if (told) await (await this.#cache())?.put(here("code"), new Response(told.toJs()));
    told?.destroy();
  }

  // Null where the browser keeps nothing.
  async #cache() {
    return (await self.caches?.open(this.place).catch(() => null)) ?? null;
  }
}

async function start() {
  const files = await (await fetched("files.json")).json();
  const archives = files.archives.map(async (name) => bytes(await fetched(name)));
  const source = fetched("kept_code.py").then((response) => response.text());
  const python = await loadPyodide({
    indexURL: here("pyodide/"),
    lockFileContents: files.lock,
    packages: [],
  });
  self.postMessage({ share: 0.4 });
  const code = new KeptCode(python, await source, files.code);
  await code.begin();
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: LIBRARIES });
  self.postMessage({ share: 0.6 });
  python.runPython(`import sys; sys.path.insert(0, "${LIBRARIES}")`);
  const { warm, reply } = python.pyimport("satsweep.offline.browser");
  warm();
  return { reply, code };
}

const started = start();
const send = (message) => self.postMessage({ message });
const isCancelled = (id) => cancelled.delete(id);
let resting;

async function rest() {
  const { code } = await started;
  resting = setTimeout(() => code.keep().catch(() => {}), REST);
}

self.onmessage = async ({ data: { text, cancel } }) => {
  if (cancel) cancelled.add(cancel);
  else {
    const { reply } = await started;
    clearTimeout(resting);
    send(await reply.callPromising(text, send, isCancelled));
    rest();
  }
};

started.then(
  () => {
    self.postMessage({ share: 1 });
    rest();
  },
  (error) => self.postMessage({ failed: error.message.trim().split("\n").at(-1) }),
);
