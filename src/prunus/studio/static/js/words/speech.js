/** What is said in which language. `{name}` in a text is filled in. */

/** @type {Record<string, Record<string, string>>} */
const LANGUAGES = { en: {}, it: {} };
const kept = "prunus-language";

/** Add words that can be said. @param {{en: Record<string, string>, it: Record<string, string>}} words */
export function teach(words) {
  Object.assign(LANGUAGES.en, words.en);
  Object.assign(LANGUAGES.it, words.it);
}


/** @returns {string} */
function usual() {
  const chosen = remembered(kept);
  if (chosen && chosen in LANGUAGES) return chosen;
  return (navigator.language || "en").toLowerCase().startsWith("it") ? "it" : "en";
}

/** What the browser has kept under a name, if it may keep anything. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

let now = usual();

/** @returns {string} */
export function language() {
  return now;
}

/** @param {string} chosen */
export function speak(chosen) {
  now = chosen;
  remember(kept, chosen);
}

/** @param {string} key @param {Record<string, any>} [values] @returns {string} */
export function say(key, values = {}) {
  const text = LANGUAGES[now][key] ?? LANGUAGES.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** A number with the language's separators. @param {number} number */
export function count(number) {
  return number.toLocaleString(now);
}
