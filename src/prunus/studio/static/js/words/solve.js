/** The words of the room for databases. */

/** @type {Record<string, string>} */
const en = {
  "solve": "Solve",
  "solve.heading": "A game solved in every position", "solve.lead": "A database knows the value of every position that can be reached: who wins, and in how many plies.",
  "solve.none": "No database is open", "solve.none.text": "Build one and serve it. This small one takes seconds:",
  "solve.none.more": "Then this room shows its positions with the value of every move. --database can be repeated.",
  "solve.database": "Database", "solve.position": "Position", "solve.usual": "the start", "solve.go": "Go there",
  "solve.value": "The value", "solve.back": "Back", "solve.first": "To the start", "solve.path": "Moves so far", "solve.start": "start", "solve.typed": "position", "solve.moves": "Moves, the best first",
  "solve.won": "win", "solve.drawn": "draw", "solve.lost": "loss", "solve.ply": "in 1 ply", "solve.plies": "in {plies} plies", "solve.score": "score {score}",
  "solve.wins": "{player} wins in {plies} plies", "solve.wins.one": "{player} wins in 1 ply", "solve.draw": "A draw", "solve.score.of": "Score for {player}: {score}",
  "solve.over.won": "The game is over: {player} has won", "solve.over.draw": "The game is over: a draw",
  "solve.counts": "All {positions} positions", "solve.counts.text": "What they are for the player to move, and in how many plies the game ends if both play best. Click a bar to see some of them.",
  "solve.counts.scores": "What they are for the player to move, by score. Click a bar to see some of them.",
  "solve.longest": "The longest wins: {plies} plies", "solve.won.all": "Won", "solve.drawn.all": "Drawn", "solve.lost.all": "Lost", "solve.whenever": "all",
  "solve.bar": "{value}, {number}: {count} positions", "solve.less": "Earlier", "solve.more": "More",
};

/** @type {Record<string, string>} */
const it = {
  "solve": "Risolvi",
  "solve.heading": "Un gioco risolto in ogni posizione", "solve.lead": "Una base di dati conosce il valore di ogni posizione raggiungibile: chi vince, e in quante semimosse.",
  "solve.none": "Nessuna base di dati è aperta", "solve.none.text": "Costruiscine una e servila. Questa, piccola, richiede pochi secondi:",
  "solve.none.more": "Questa stanza mostra allora le sue posizioni con il valore di ogni mossa. --database si può ripetere.",
  "solve.database": "Base di dati", "solve.position": "Posizione", "solve.usual": "l'inizio", "solve.go": "Vai lì",
  "solve.value": "Il valore", "solve.back": "Indietro", "solve.first": "All'inizio", "solve.path": "Mosse finora", "solve.start": "inizio", "solve.typed": "posizione", "solve.moves": "Mosse, prima le migliori",
  "solve.won": "vittoria", "solve.drawn": "patta", "solve.lost": "sconfitta", "solve.ply": "in 1 semimossa", "solve.plies": "in {plies} semimosse", "solve.score": "punteggio {score}",
  "solve.wins": "{player} vince in {plies} semimosse", "solve.wins.one": "{player} vince in 1 semimossa", "solve.draw": "Patta", "solve.score.of": "Punteggio per {player}: {score}",
  "solve.over.won": "La partita è finita: ha vinto {player}", "solve.over.draw": "La partita è finita: patta",
  "solve.counts": "Tutte le {positions} posizioni", "solve.counts.text": "Che cosa sono per chi deve muovere, e in quante semimosse finisce la partita se entrambi giocano al meglio. Un clic su una barra ne mostra alcune.",
  "solve.counts.scores": "Che cosa sono per chi deve muovere, per punteggio. Un clic su una barra ne mostra alcune.",
  "solve.longest": "Le vittorie più lunghe: {plies} semimosse", "solve.won.all": "Vinte", "solve.drawn.all": "Patte", "solve.lost.all": "Perse", "solve.whenever": "tutte",
  "solve.bar": "{value}, {number}: {count} posizioni", "solve.less": "Precedenti", "solve.more": "Altre",
};

export const solve = { en, it };
