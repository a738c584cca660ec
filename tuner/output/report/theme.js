// Dark or light: follows the system until the button is used.

// Storage may be forbidden, as it is for files in some browsers; then the choice lasts as long as the page.
function remembered() {
  try {
    return localStorage.getItem("warpwright-theme");
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem("warpwright-theme", theme);
  } catch {
    // Nothing to do: the page works without.
  }
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const other = theme === "dark" ? "Light" : "Dark";
  byId("theme").textContent = `${other} theme`;
}

function startTheme() {
  let chosen = remembered();
  if (chosen !== "dark" && chosen !== "light") chosen = null;
  setTheme(chosen || (prefersDark.matches ? "dark" : "light"));
  prefersDark.addEventListener("change", () => {
    if (chosen) return;
    setTheme(prefersDark.matches ? "dark" : "light");
    redrawCharts();
  });
  byId("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    remember(chosen);
    setTheme(chosen);
    redrawCharts();
    announce(`${chosen} theme`);
  });
}
