/** The words of the laboratory. */
import { language } from "./speech.js";

/** @type {Record<string, string>} */
const en = {
  "lab": "Laboratory",
  "lab.heading": "The laboratory", "lab.lead": "What the theorems on alpha-beta say, measured. Each experiment stands beside its source, runs here within seconds, and draws measurement and theory while it does.",
  "lab.seek": "Find an experiment", "lab.count": "{count} of {all} experiments", "lab.all": "All experiments",
  "lab.source": "Source", "lab.errs": "Where the source errs",
  "lab.setting": "What to measure", "lab.from": "from", "lab.to": "to", "lab.samples": "Samples of each row", "lab.usual": "usual: {count}", "lab.seed": "Seed", "lab.run": "Run",
  "lab.estimate": "Rows: {rows}; {taken} of measuring.", "lab.moment": "less than a second", "lab.seconds": "about {seconds} s", "lab.compile": "The first run also compiles, for some seconds.",
  "lab.toolong": "Up to {most} s are run here: choose fewer values or samples. prunus lab run has no limit.", "lab.norows": "The experiment has no row with these values together: choose more of them.", "lab.unchosen": "Choose at least one value of {name}.", "lab.nothing": "It can run as soon as every parameter has a value.",
  "lab.result": "Measured", "lab.preparing": "Starting and compiling…", "lab.progress": "{rows} of {all} rows are finished.",
  "lab.done": "Finished: {all} rows.", "lab.stopped": "Stopped: {rows} of {all} rows are finished.", "lab.late": "The time is over: {rows} of {all} rows are finished.", "lab.failed": "Nothing was measured.",
  "lab.download": "Download:", "lab.table": "The table ({count} rows)", "lab.columns": "q theory: what the theory says of q; q low, q high: its bounds; q sigmas: the deviation in standard errors; after ±: the standard error.",
  "lab.theory": "theory", "lab.figure.label": "{count} points; {series}. The table has the numbers.",
  "lab.key.marks": "marks: measured", "lab.key.lines": "lines: theory", "lab.key.dotted": "dotted: bounds", "lab.key.bars": "bars: 3 standard errors",
};

/** @type {Record<string, string>} */
const it = {
  "lab": "Laboratorio",
  "lab.heading": "Il laboratorio", "lab.lead": "Quello che dicono i teoremi sull'alfa-beta, misurato. Ogni esperimento sta accanto alla sua fonte, gira qui in pochi secondi, e intanto disegna misura e teoria.",
  "lab.seek": "Cerca un esperimento", "lab.count": "{count} esperimenti su {all}", "lab.all": "Tutti gli esperimenti",
  "lab.source": "Fonte", "lab.errs": "Dove la fonte sbaglia",
  "lab.setting": "Che cosa misurare", "lab.from": "da", "lab.to": "a", "lab.samples": "Campioni di ogni riga", "lab.usual": "di solito: {count}", "lab.seed": "Seme", "lab.run": "Esegui",
  "lab.estimate": "Righe: {rows}; {taken} di misura.", "lab.moment": "meno di un secondo", "lab.seconds": "circa {seconds} s", "lab.compile": "La prima volta si compila anche, per qualche secondo.",
  "lab.toolong": "Qui si eseguono fino a {most} s: scegli meno valori o meno campioni. prunus lab run non ha limite.", "lab.norows": "L'esperimento non ha righe con questi valori insieme: scegline di più.", "lab.unchosen": "Scegli almeno un valore di {name}.", "lab.nothing": "Si può eseguire appena ogni parametro ha un valore.",
  "lab.result": "Misurato", "lab.preparing": "Avvio e compilazione…", "lab.progress": "{rows} righe su {all} sono finite.",
  "lab.done": "Finito: {all} righe.", "lab.stopped": "Fermato: {rows} righe su {all} sono finite.", "lab.late": "Il tempo è scaduto: {rows} righe su {all} sono finite.", "lab.failed": "Non è stato misurato nulla.",
  "lab.download": "Scarica:", "lab.table": "La tabella ({count} righe)", "lab.columns": "q theory: ciò che la teoria dice di q; q low, q high: i suoi limiti; q sigmas: lo scarto in errori standard; dopo ±: l'errore standard.",
  "lab.theory": "teoria", "lab.figure.label": "{count} punti; {series}. La tabella ha i numeri.",
  "lab.key.marks": "segni: misure", "lab.key.lines": "linee: teoria", "lab.key.dotted": "punteggiate: limiti", "lab.key.bars": "barre: 3 errori standard",
  "lab.title.no-deep-cutoffs": "Foglie senza tagli profondi, nell'ordine migliore",
  "lab.title.no-deep-cutoffs-growth": "Tassi di crescita con e senza tagli profondi, nell'ordine migliore",
  "lab.title.first-move-wins": "Nodi dell'alfa-beta dove vince la prima mossa",
  "lab.title.changing-sides": "Un vantaggio apparente che cambia lato",
  "lab.title.family-ordering": "La famiglia degli algoritmi e l'ordine dei successori",
  "lab.title.family-values": "La famiglia degli algoritmi e il numero dei valori diversi",
  "lab.title.family-height": "La famiglia degli algoritmi e l'altezza dell'albero",
  "lab.title.game-shape": "Quanto si ramificano i giochi e quanto durano",
  "lab.title.game-size": "Partite e posizioni contate, e i loro limiti",
  "lab.title.positions-held": "Posizioni tenute in memoria dalla ricerca in profondità e in ampiezza",
  "lab.title.breadth-or-deepening": "Ricerca in ampiezza contro approfondimento iterativo: tempo e memoria",
  "lab.title.cycles": "Ricerche su grafi con cicli, e quanto spesso sbagliano",
  "lab.title.deepening-overhead": "Quanto costa l'approfondimento iterativo",
  "lab.title.deepening-in-best-order": "Quanto costa all'alfa-beta l'approfondimento iterativo nell'ordine migliore",
  "lab.title.cheap-or-dear": "Una valutazione economica cercata a fondo contro una costosa cercata poco",
  "lab.title.expected-leaves": "Foglie attese di alberi uniformi casuali, esattamente",
  "lab.title.growth-rates": "Tassi di crescita su alberi uniformi casuali",
  "lab.title.submultiplicative": "T(d, h + k) è al più T(d, h) T(d, k)",
  "lab.title.binomial-bounds": "Il coefficiente binomiale di p_ij fra k^x e k^x/gamma(1 + x)",
  "lab.title.dependent-limit": "Alberi totalmente dipendenti: un multiplo limitato dell'albero minimo dal grado 7 in su",
  "lab.title.horizon": "Dietro quanti turni si vede una perdita rimandata",
  "lab.title.singular-horizon": "L'orizzonte della stessa estensione singolare",
  "lab.title.history": "La forza dei programmi dei pionieri, a parità di nodi",
  "lab.title.critical-positions": "Nell'ordine migliore l'alfa-beta esamina esattamente le posizioni critiche",
  "lab.title.minimal-tree": "Nessun algoritmo esamina meno foglie dell'albero minimo",
  "lab.title.permutations": "L'alfa-beta è ottimo a meno dell'ordine dei successori",
  "lab.title.order-by-value": "Ordinare i successori per valore non è sempre il meglio",
  "lab.title.random-branching": "L'albero critico quando il numero dei successori è casuale",
  "lab.title.harmonic-root": "Il corollario 7.4 vale dove il numero armonico è sotto la radice quadrata",
  "lab.title.two-bounds": "r* è al più sqrt T(d, 2)",
  "lab.title.which-r1": "Che cosa potrebbe essere r1: nessuna radice di T(d, h) cambia lato a d = 24",
  "lab.title.random-trees": "Foglie su alberi uniformi casuali",
  "lab.title.dependent-trees": "Foglie su alberi totalmente dipendenti",
  "lab.title.randomised-alphabeta": "L'alfa-beta casualizzato sui suoi alberi peggiori",
  "lab.title.family-games": "La famiglia degli algoritmi su giochi veri",
  "lab.title.distance-to-minimal": "Quanto il motore è lontano dal grafo minimo",
};

export const lab = { en, it };

/** The words of the sources of experiments, in Italian. @type {[RegExp, string][]} */
const SOURCES = [
  [/lecture slides on game trees/, "diapositive sugli alberi di gioco"], [/course notes on adversary search/, "appunti del corso sulla ricerca con avversario"],
  [/encyclopaedia article on alpha-beta/, "voce di enciclopedia sull'alfa-beta"], [/for the fixed point/, "per il punto fisso"],
  [/published counts of tic-tac-toe and of 4 x 4 Connect Four/, "conteggi pubblicati del tris e di Forza quattro 4 x 4"],
  [/games with cycles/, "giochi con cicli"], [/seminar on alpha-beta/, "seminario sull'alfa-beta"], [/of the seminar/g, "del seminario"],
  [/sections/g, "sezioni"], [/section/g, "sezione"], [/theorems/g, "teoremi"], [/its corollary/g, "il suo corollario"], [/corollaries/g, "corollari"],
  [/theorem/g, "teorema"], [/corollary/g, "corollario"], [/remark/g, "osservazione"], [/figure/g, "figura"], [/appendix/g, "appendice"],
  [/ before it/, " che precede"], [/ after /, " secondo "], [/ with /, " con "], [/(\d) to (\d)/g, "$1 a $2"], [/ and /g, " e "],
];

/** The source of an experiment in the language of the page. @param {string} text */
export const sourceText = (text) => (language() === "it" ? SOURCES.reduce((now, [from, to]) => now.replace(from, to), text) : text);
