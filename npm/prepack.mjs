// Copies the engine and the licence into this folder, and writes the types that the module's comments declare.
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = "../satsweep/page/static/engine";
for (const path of [`${built}/engine.js`, `${built}/satsweep.wasm`, "../LICENSE"])
  copyFileSync(here(path), here(path.slice(path.lastIndexOf("/") + 1)));
const options = "--declaration --emitDeclarationOnly --allowJs --target ES2024 --module ESNext --lib ES2024,DOM".split(" ");
const tsc = ["--yes", "--package", "typescript@5.9.3", "tsc", here("engine.js"), ...options];
execFileSync("npx", tsc, { stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" });
