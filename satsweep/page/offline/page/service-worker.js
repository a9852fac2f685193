// Keeps the files of one build, all of them, and serves them from then on: the page needs no network any more. Files of
// another build, as a host has them while the folder is replaced, are not kept; the next visit tries again.

const BUILD = "BUILD";
const FILES = {};

async function digestOf(response) {
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function keep() {
  const cache = await caches.open(BUILD);
  const all = Object.values(FILES).reduce((sum, { size }) => sum + size, 0);
  let kept = 0;
  const tell = async () => {
    const pages = await self.clients.matchAll({ includeUncontrolled: true });
    for (const page of pages) page.postMessage({ kept: kept / all });
  };
  await Promise.all(
    Object.entries(FILES).map(async ([name, { size, digest }]) => {
      const response = await fetch(name, { cache: "no-cache" });
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      if ((await digestOf(response.clone())) !== digest) throw new Error(`${name} is of another build`);
      await cache.put(name, response);
      kept += size;
      await tell();
    }),
  );
}

async function activate() {
  for (const name of await caches.keys()) {
    // The code of modules comes back with the next start.
    if (/^satsweep[- ]/.test(name) && name !== BUILD) await caches.delete(name);
  }
  await self.clients.claim();
}

let opened; // the cache, for all requests

async function serve(request) {
  opened ??= caches.open(BUILD);
  const cache = await opened;
  const isFolder = new URL(request.url).pathname.endsWith("/");
  return (await cache.match(isFolder ? "index.html" : request, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === "GET" && url.origin === location.origin) event.respondWith(serve(event.request));
});
