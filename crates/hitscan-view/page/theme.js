/** Light, dark, or as the system has it; kept for this address. */

/** @typedef {"system" | "light" | "dark"} Theme */

const KEY = "hitscan-theme";

/** @returns {Theme} */
export function theme() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

/** @param {Theme} next */
export function setTheme(next) {
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Without storage it holds for this visit.
  }
}
