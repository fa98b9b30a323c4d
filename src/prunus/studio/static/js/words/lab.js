/** The words of the laboratory. */
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
};

export const lab = { en, it };
