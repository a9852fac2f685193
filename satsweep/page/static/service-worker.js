// Pictures that other apps share with the installed page: the worker keeps one until the page takes it (pictures/view.js).

const SHARED = "shared-picture";

async function keepShared(request) {
  const picture = (await request.formData()).get("picture");
  if (picture instanceof Blob) await (await caches.open(SHARED)).put(SHARED, new Response(picture));
  return Response.redirect(new URL("./#picture?shared=1", self.registration.scope), 303);
}

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const isShared = method === "POST" && url === new URL("share", self.registration.scope).href;
  if (isShared) event.respondWith(keepShared(event.request));
});
