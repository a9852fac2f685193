// The theme that the user has chosen, before the page is drawn for the first time: a script that the browser waits for,
// no module. Later changes are made by main.js.
(() => {
  try {
    const chosen = localStorage.getItem("satsweep-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Without storage nothing was chosen.
  }
})();
