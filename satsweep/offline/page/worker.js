// Python in a worker: it loads the interpreter and satsweep, and answers one question after another.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const LIBRARIES = "/lib/satsweep";
const here = (name) => new URL(name, import.meta.url).href;
const cancelled = new Set();

async function bytes(name) {
  const response = await fetch(here(name));
  if (!response.ok) throw new Error(`${name} is missing`);
  return new Uint8Array(await response.arrayBuffer());
}

async function start() {
  const files = await (await fetch(here("files.json"))).json();
  const archives = files.archives.map(bytes);
  const python = await loadPyodide({
    indexURL: here("pyodide/"),
    lockFileContents: files.lock,
    packages: [],
  });
  self.postMessage({ share: 0.4 });
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: LIBRARIES });
  self.postMessage({ share: 0.6 });
  python.runPython(`import sys; sys.path.insert(0, "${LIBRARIES}")`);
  const { warm, reply } = python.pyimport("satsweep.offline.browser");
  warm();
  return reply;
}

const started = start();
const send = (message) => self.postMessage({ message });
const isCancelled = (id) => cancelled.delete(id);

self.onmessage = async ({ data: { text, cancel } }) => {
  if (cancel) cancelled.add(cancel);
  else {
    const reply = await started;
    send(await reply.callPromising(text, send, isCancelled));
  }
};

started.then(
  () => self.postMessage({ share: 1 }),
  (error) => self.postMessage({ failed: error.message.trim().split("\n").at(-1) }),
);
