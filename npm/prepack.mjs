// Copies the engine, its words and the licence into this folder, and writes the types that comments of the modules declare.
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = "../satsweep/page/static/engine";
const modules = ["engine.js", "arguments.js", "conclusions.js", "phrases.js", "templates.js"];
for (const path of [...modules.map((name) => `${built}/${name}`), `${built}/satsweep.wasm`, "../LICENSE"])
  copyFileSync(here(path), here(path.slice(path.lastIndexOf("/") + 1)));
// Types of an earlier time would be read in place of the modules.
for (const name of modules) rmSync(here(name.replace(".js", ".d.ts")), { force: true });
const options = "--declaration --emitDeclarationOnly --allowJs --target ES2024 --module ESNext --lib ES2024,DOM".split(" ");
const tsc = ["--yes", "--package", "typescript@5.9.3", "tsc", here("engine.js"), here("arguments.js"), ...options];
execFileSync("npx", tsc, { stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" });
