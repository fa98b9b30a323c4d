/** Experiments in the language of the page. They are written in English; Italian loads when it is
 * first needed. */
import { useEffect, useState } from "../html.js";
import { language } from "../words/index.js";

/** @typedef {typeof import("./italian.js")} Italian */

/** An experiment with its title and its source in the language of the page.
 * @param {{name: string, title: string, source: string}} each @param {Italian | null} italian */
export function named(each, italian) {
  const { title, source } = italian?.texts[each.name] ?? each;
  return { ...each, title, source };
}

/** What an experiment is called and says, with a figure whose words are in the same language, and
 * `term`, which puts any other of its words into it. @param {any} about
 * @param {Italian | null} italian */
export function spoken(about, italian) {
  const term = (text) => italian?.terms[text] ?? text;
  const { figure } = about;
  const names = Object.fromEntries(figure.y.map((each) => [each, term(figure.names[each] ?? each.replaceAll("_", " "))]));
  return {
    ...about, ...italian?.texts[about.name], term, words: italian?.texts[about.name] ? "it" : "en",
    figure: { ...figure, names, term, x_label: term(figure.x_label), y_label: term(figure.y_label) },
  };
}

/** The Italian words, once they are there, if the page is in Italian. @returns {Italian | null} */
export function useItalian() {
  const [italian, setItalian] = useState(/** @type {Italian | null} */ (null));
  const wanted = language() === "it";
  useEffect(() => {
    let gone = false;
    if (wanted && !italian) import("./italian.js").then((found) => { if (!gone) setItalian(found); },
      () => { if (!gone) setItalian({ texts: {}, terms: {} }); }); // then in English
    return () => { gone = true; };
  }, [wanted]);
  return wanted ? italian : null;
}
