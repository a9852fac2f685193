// Python in a worker: it loads the interpreter and satsweep, and answers one question after another.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const REST = 1000; // milliseconds without a question until Python prepares for others
const ENGINES = /"ask":"(review_game|fewest_clicks)"/; // questions that Python asks the compiled engine
const PICTURES = /"ask":"picture"/; // questions that need NumPy
const HEAD = 200; // characters in which the name of a question stands
const here = (name) => new URL(name, import.meta.url).href;
const cancelled = new Set();

async function fetched(name) {
  const response = await fetch(here(name));
  if (!response.ok) throw new Error(`${name} is missing`);
  return response;
}

// An archive of modules, with the code that Python has compiled at an earlier start of this build.
class Archive {
  constructor(name, place) {
    this.name = name;
    this.cache = self.caches?.open(place).catch(() => null); // null where the browser keeps nothing
  }

  async read() {
    const kept = await (await this.cache)?.match(here(this.name));
    return (kept ?? (await fetched(this.name))).blob();
  }

  async write(python) {
    const cache = await this.cache;
    await cache?.put(here(this.name), new Response(python.FS.readFile(this.known.path)));
  }
}

// So that kept code that is of no use cannot prevent the next start, too.
async function forget() {
  const names = (await self.caches?.keys()) ?? [];
  await Promise.all(names.filter((name) => name.startsWith("satsweep code ")).map((name) => caches.delete(name)));
}

async function start() {
  const files = await (await fetched("files.json")).json();
  const standard = new Archive("pyodide/python_stdlib.zip", files.code);
  const libraries = new Archive("satsweep.zip", files.code);
  const unread = libraries.read();
  const source = fetched("kept_code.py").then((response) => response.text());
  const stdLibURL = URL.createObjectURL(await standard.read());
  const python = await loadPyodide({ indexURL: here("pyodide/"), stdLibURL, lockFileContents: files.lock });
  URL.revokeObjectURL(stdLibURL);
  self.postMessage({ share: 0.4 });
  const code = python.globals.get("dict")();
  python.runPython(await source, { globals: code });
  standard.known = code.get("Archive")("/lib/python314.zip");
  libraries.known = code.get("Archive")("/lib/satsweep.zip", "/lib/satsweep");
  python.FS.writeFile(libraries.known.path, new Uint8Array(await (await unread).arrayBuffer()));
  libraries.known.unpack();
  self.postMessage({ share: 0.6 });
  const { reply, prepared, use_engine: useEngine } = python.pyimport("satsweep.page.offline");
  const preparing = prepared();

  // Load what most questions need, and keep the compiled code of all modules, until `isOver` says that a question came.
  async function rest(isOver) {
    const archives = [standard, libraries];
    for (const steps of [preparing, ...archives.map(({ known }) => known.compiling())]) {
      while (!steps.next().done) {
        await new Promise((resolve) => setTimeout(resolve));
        if (isOver()) return;
      }
    }
    for (const archive of archives) if (archive.known.keep()) await archive.write(python);
  }
  // Let Python import what an archive has.
  function add(name, content) {
    const place = `/lib/${name}`;
    python.FS.writeFile(`${place}.zip`, new Uint8Array(content));
    code.get("Archive")(`${place}.zip`, place).unpack();
  }
  return { reply, rest, useEngine, add };
}

let numpy = null; // its archive, from the first picture on

async function withNumpy(add) {
  numpy ??= fetched("numpy.zip").then(async (response) => add("numpy", await response.arrayBuffer()));
  await numpy.catch(() => {
    numpy = null; // Python says what is missing
  });
}

let engine = null; // the compiled engine, from the first such question on

// Let Python ask the engine; a browser that has none answers without it.
async function withEngine(useEngine) {
  engine ??= WebAssembly.instantiateStreaming(fetched("engine/satsweep.wasm"), {}).then(({ instance }) =>
    useEngine(instance.exports),
  );
  await engine.catch(() => {
    engine = null;
  });
}

const started = start();
const send = (message) => self.postMessage({ message });
const isCancelled = (id) => cancelled.delete(id);
let asked = 0;

async function waitForQuestions() {
  const { rest } = await started;
  const before = asked;
  const isOver = () => asked !== before;
  setTimeout(() => isOver() || rest(isOver).catch(() => {}), REST);
}

self.onmessage = async ({ data: { text, cancel } }) => {
  if (cancel) cancelled.add(cancel);
  else {
    asked += 1;
    const { reply, useEngine, add } = await started;
    const head = text.slice(0, HEAD);
    if (PICTURES.test(head)) await withNumpy(add);
    if (ENGINES.test(head)) await withEngine(useEngine);
    send(await reply.callPromising(text, send, isCancelled));
    waitForQuestions();
  }
};

started.then(
  () => {
    self.postMessage({ share: 1 });
    waitForQuestions();
  },
  async (error) => {
    await forget().catch(() => {});
    self.postMessage({ failed: error.message.trim().split("\n").at(-1) });
  },
);
