// @ts-check
// Full screen: the board and what is needed with it. Browsers that give no page the whole screen give it their window.

const root = document.documentElement;

/** @param {boolean} on */
function show(on) {
  root.classList.toggle("full", on);
  window.dispatchEvent(new Event("resize"));
}

export const isFull = () => root.classList.contains("full");

export function toggleFull() {
  const on = !isFull();
  show(on);
  if (on) root.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen();
}

document.addEventListener("fullscreenchange", () => show(Boolean(document.fullscreenElement)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isFull() && !event.defaultPrevented) show(false);
});
