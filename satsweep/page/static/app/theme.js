// The theme and the skin that the user has chosen, before the page is drawn for the first time: a script that the browser
// waits for, no module. Later changes are made by main.js and dialogs.js.
(() => {
  try {
    for (const [name, others] of Object.entries({ theme: ["light", "dark"], skin: ["classic"] })) {
      const chosen = localStorage.getItem(`satsweep-${name}`);
      if (chosen && others.includes(chosen)) document.documentElement.dataset[name] = chosen;
    }
  } catch {
    // Without storage nothing was chosen.
  }
})();
