/** The page: which room is shown, in which language, light or dark. */
import { html, render, useEffect, useState } from "./html.js";
import { request } from "./server.js";
import { language, remember, remembered, say, speak } from "./words/index.js";
import { Home } from "./rooms/home.js";
import { See } from "./rooms/see.js";
import { Play } from "./rooms/play.js";
import { Analyse } from "./rooms/analyse.js";
import { Practise } from "./rooms/practise.js";
import { Lab } from "./rooms/lab.js";
import { Solve } from "./rooms/solve.js";

const ROOMS = { home: Home, see: See, play: Play, analyse: Analyse, practise: Practise, lab: Lab, solve: Solve };
const THEME = "prunus-theme";

/** The room and what it is to begin with: `#see/figure/000-figure-2`. */
function place() {
  const [room, ...rest] = location.hash.slice(1).split("/").map(decoded);
  return { room: room in ROOMS ? room : "home", rest };
}

/** A part of an address; as it stands if it is damaged. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function App() {
  const [at, go] = useState({ ...place(), visit: 0 });
  const [words, setWords] = useState(language());
  const [offer, setOffer] = useState(/** @type {any} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    const changed = () => {
      go((old) => ({ ...place(), visit: old.visit + 1 }));
      document.getElementById("content")?.focus({ preventScroll: true });
      scrollTo(0, 0);
    };
    addEventListener("hashchange", changed);
    request("/api/offer").then(setOffer, (failed) => setError(failed.message));
    return () => removeEventListener("hashchange", changed);
  }, []);
  useEffect(() => {
    document.title = `${say(at.room)} · Prunus`;
    document.documentElement.lang = words;
  }, [at, words]);
  const Room = ROOMS[at.room];
  return html`
    <a class="skip" href="#content" onClick=${toContent}>${say("skip")}</a>
    <header>
      <a class="name" href="#home"><img src="/static/icon.svg" alt="" width="26" height="26" />Prunus</a>
      <nav aria-label=${say("rooms")}>
        ${Object.keys(ROOMS).map((name) => html`
          <a href="#${name}" aria-current=${name === at.room ? "page" : null}>${say(name)}</a>`)}
      </nav>
      <div class="choices">
        <button class="quiet" lang=${words === "en" ? "it" : "en"} id="language"
          onClick=${() => { const next = words === "en" ? "it" : "en"; speak(next); setWords(next); }}>
          ${words === "en" ? "Italiano" : "English"}</button>
        <button class="quiet" id="theme" onClick=${otherTheme} aria-label=${say("theme")}
          title=${say("theme")}>◐</button>
      </div>
    </header>
    <main id="content" tabindex="-1">
      ${error && html`<p class="error" role="alert">${say("error")}: ${error}</p>`}
      ${offer && html`<${Room} key=${at.visit} offer=${offer} rest=${at.rest} words=${words} />`}
    </main>`;
}

/** @param {Event} event */
function toContent(event) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function otherTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  remember(THEME, document.documentElement.dataset.theme);
}

const theme = remembered(THEME);
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.textContent = "";
render(html`<${App} />`, root);
