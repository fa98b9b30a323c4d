/**
 * What the server and the games refuse, in Italian. The server says it in English, as it does to
 * commands; of both texts `{name}` stands for what is filled in. Loaded when first needed.
 */

/** Words that are filled in. @type {Record<string, string>} */
const WORDS = {
  white: "il bianco", black: "il nero", "true or false": "true o false", "an integer": "un numero intero",
  "numbers joined by -, as in 3-5-7": "numeri uniti da -, come 3-5-7",
  illegal: "illegale", ambiguous: "ambigua", invalid: "non valida",
};

/** @type {[string, string][]} */
const TEXTS = [
  // Moves and positions of all games
  ["move {number} ({name}): the game is already over", "mossa {number} ({name}): la partita è già finita"],
  ["move {number} ({name}) is illegal here; legal: {names}", "la mossa {number} ({name}) qui non è permessa; permesse: {names}"],
  ["move {number} ({name}) is ambiguous; it may be {names}", "la mossa {number} ({name}) è ambigua; può essere {names}"],
  ["the board has {rows} rows, not {found}: {text}", "il tabellone ha {rows} righe, non {found}: {text}"],
  ["row {number} ({row}) has {found} cells, not {columns}", "la riga {number} ({row}) ha {found} caselle, non {columns}"],
  ["row {number}, column {place}: {cell} is not X, O or '.'", "riga {number}, colonna {place}: {cell} non è X, O o '.'"],
  ["row {number}, column {place}: {cell} is none of {cells}", "riga {number}, colonna {place}: {cell} non è uno fra {cells}"],
  ["row {number}, column {place}: {cell} is neither {free} nor {taken}", "riga {number}, colonna {place}: {cell} non è né {free} né {taken}"],
  ["{name} is not a cell of this board: its cells are a1 to {last}", "{name} non è una casella di questo tabellone: le caselle vanno da a1 a {last}"],
  ["cell {place} is in two masks", "la casella {place} è occupata due volte"],
  ["{first} X and {second} O: X moves first and the players alternate, so X has as many stones or one more", "{first} X e {second} O: X muove per primo e i giocatori si alternano, quindi X ha tante pedine quante O o una in più"],
  ["{text} does not end with a blank and the player to move, {players}, as in {example}", "{text} non finisce con uno spazio e il giocatore che muove, {players}, come in {example}"],
  ["{player} has a chain from edge to edge, which ends the game, and cannot be to move: {text}", "{player} ha una catena da bordo a bordo, che chiude la partita, e non può essere chi muove: {text}"],
  ["{player} has a pawn on the last row, which ends the game, and cannot be to move: {text}", "{player} ha un pedone sull'ultima riga, che chiude la partita, e non può essere chi muove: {text}"],
  ["{player} has three in a row, which ends the game, and cannot be to move: {text}", "{player} ne ha tre in fila, e la partita è finita: non può essere chi muove: {text}"],
  ["both X and O have {k} in a row: {text}", "sia X sia O ne hanno {k} in fila: {text}"],
  ["{done} has {k} in a row, which ends the game, but {other} has moved after it: {text}", "{done} ne ha {k} in fila, e la partita è finita, ma poi ha mosso {other}: {text}"],
  // Awari, Kalah, Nim, Even Wins
  ["{text} is not A's pits, B's pits, the lead of the player to move and who that is, as in {example}", "{text} non sono le buche di A, quelle di B, il vantaggio di chi muove e chi è, come in {example}"],
  ["there are {found} stones, more than {most}: {text}", "i semi sono {found}, più di {most}: {text}"],
  ["{lead} is not a lead: {found} of {all} stones are in the pits, so at most {taken} have been captured", "{lead} non è un vantaggio possibile: {found} semi su {all} sono nelle buche, quindi ne sono stati presi al più {taken}"],
  ["{player}'s pits ({word}) are not {pits} numbers with commas between them", "le buche di {player} ({word}) non sono {pits} numeri separati da virgole"],
  ["{text} is not A's holes and store, B's holes and store, and the player to move, as in {example}", "{text} non sono le buche e il granaio di A, quelli di B e il giocatore che muove, come in {example}"],
  ["there are {found} counters, not {all}: {text}", "i semi sono {found}, non {all}: {text}"],
  ["{player}'s side ({word}) is not {holes} numbers with commas, a colon and the number in store", "il lato di {player} ({word}) non è fatto di {holes} numeri con virgole, due punti e il numero nel granaio"],
  ["pile {number} ({word}) is not a number from 0 to {most}; write piles as in 1,2,2", "il mucchio {number} ({word}) non è un numero da 0 a {most}; i mucchi si scrivono come 1,2,2"],
  ["pile {number} ({word}) is not a number from 0 to {most}; write positions as in 1,2,2 B", "il mucchio {number} ({word}) non è un numero da 0 a {most}; le posizioni si scrivono come 1,2,2 B"],
  ["{name} is not a player; the player to move is A, B or C, as in 1,2,2 B", "{name} non è un giocatore; muove A, B o C, come in 1,2,2 B"],
  ["{text} is not the marbles left, 0 to {most}, and even or odd, as in 13 even", "{text} non sono le biglie rimaste, da 0 a {most}, e even o odd (pari o dispari), come in 13 even"],
  // Chess
  ["{text} is not a FEN: the board, w or b for the side to move, the castling rights, the en passant square, the plies since the last capture or pawn move, the number of the move", "{text} non è una FEN: la scacchiera, w o b per chi muove, gli arrocchi permessi, la casella della presa al varco, le semimosse dall'ultima presa o mossa di pedone, il numero della mossa"],
  ["the board of a FEN has 8 ranks, not {found}: {board}", "la scacchiera di una FEN ha 8 traverse, non {found}: {board}"],
  ["rank {rank} ({row}) is not 8 squares of pieces (PNBRQKpnbrqk) and numbers of empty squares", "la traversa {rank} ({row}) non è fatta di 8 case con pezzi (PNBRQKpnbrqk) e numeri di case vuote"],
  ["each side has one king, not {found}: {board}", "ogni parte ha un re, non {found}: {board}"],
  ["a pawn cannot stand on the first or the last rank: {board}", "un pedone non può stare sulla prima o sull'ultima traversa: {board}"],
  ["{side} is in check, and the other side to move: {text}", "{side} è sotto scacco, ma muove l'altro: {text}"],
  ["{quiet} and {number} are not the plies since the last capture or pawn move and the number of the move: {text}", "{quiet} e {number} non sono le semimosse dall'ultima presa o mossa di pedone e il numero della mossa: {text}"],
  ["the en passant square is - or on rank {rank}, behind a pawn that has just made two steps, not {passing}", "la casa della presa al varco è - o sulla traversa {rank}, dietro un pedone appena avanzato di due passi, non {passing}"],
  ["no pawn has just made two steps over the en passant square {passing}", "nessun pedone è appena avanzato di due passi oltre la casa della presa al varco {passing}"],
  ["castling right {letter} of {castling}: {needs}", "diritto di arrocco {letter} di {castling}: {needs}"],
  ["it is K, Q or the file of a rook on the rank of the king", "è K, Q o la colonna di una torre sulla traversa del re"],
  ["the king has to stand on its e-file and the rook in the corner (Chess960 {other})", "il re deve stare sulla colonna e e la torre nell'angolo (Chess960 {other})"],
  ["{text} is not an ending: it is white's king and men, then black's, such as KQK or KRPKR, with up to {most} of {letters} besides the kings; several are joined by +, as in KPPK+KPKP", "{text} non è un finale: sono il re e i pezzi del bianco, poi quelli del nero, come KQK o KRPKR, con al più {most} fra {letters} oltre ai re; più finali si uniscono con +, come in KPPK+KPKP"],
  // Connect Four and Othello
  ["the player to move already has four in line, which would have ended the game: {text}", "chi muove ne ha già quattro in fila, e la partita sarebbe finita: {text}"],
  ["move {number} ({column}) is not the number of a column", "la mossa {number} ({column}) non è il numero di una colonna"],
  ["{where}: there is no such column; columns are 1 to {width}", "{where}: non c'è questa colonna; le colonne vanno da 1 a {width}"],
  ["{where}: the game is already over", "{where}: la partita è già finita"],
  ["{where}: the column is full", "{where}: la colonna è piena"],
  ["column {column}: a stone hangs over an empty cell", "colonna {column}: una pedina sta sopra una casella vuota"],
  ["{where} is illegal here; legal: {names}", "{where} qui non è permessa; permesse: {names}"],
  ["{where}: there is no such square; squares are a1 to {last}", "{where}: non c'è questa casella; le caselle vanno da a1 a {last}"],
  ["{text} does not end with a blank and the player to move, X (black) or O (white)", "{text} non finisce con uno spazio e il giocatore che muove, X (nero) o O (bianco)"],
  ["the board has {cells} squares, {size} rows of {columns}, not {found}: {text}", "il tabellone ha {cells} caselle, {size} righe di {columns}, non {found}: {text}"],
  ["move {number}: {text} begins neither with a square (such as f5) nor with a pass", "mossa {number}: {text} non comincia né con una casella (come f5) né con un passo (pass)"],
  ["square {place} ({name}): {cell} is not X, O or '-'", "casella {place} ({name}): {cell} non è X, O o '-'"],
  // Other boards
  ["{text} does not end with a blank and both hands, as in gle/.c./.C./ELG -/-", "{text} non finisce con uno spazio e i pezzi in mano di entrambi, come in gle/.c./.C./ELG -/-"],
  ["the opponent has one lion, not {found}: {text}", "l'avversario ha un leone, non {found}: {text}"],
  ["there are more than {most} of {letters}: {text}", "ce ne sono più di {most} di {letters}: {text}"],
  ["{hand} is no hand of C, E and G, two of each at most", "{hand} non sono pezzi in mano: C, E e G, al più due ciascuno"],
  ["a domino covers two cells, but {found} are covered", "una tessera copre due caselle, ma ne sono coperte {found}"],
  ["{text} does not end with the lead of the player to move and this player, A or B, as in {example}", "{text} non finisce con il vantaggio di chi muove e chi è, A o B, come in {example}"],
  ["of {taken} complete boxes the player to move cannot have {lead} more than the opponent", "di {taken} quadrati chiusi chi muove non può averne {lead} più dell'avversario"],
  ["{cell} is no dark square: {text}", "{cell} non è una casella scura: {text}"],
  ["there are {found} {letter}, not {wanted}: {text}", "ci sono {found} {letter}, non {wanted}: {text}"],
  ["{number} is not the number of stones in hand, 0 to {most}: {text}", "{number} non è il numero di pedine in mano, da 0 a {most}: {text}"],
  ["with {hand} stones in hand it is the other player's turn: {text}", "con {hand} pedine in mano tocca all'altro giocatore: {text}"],
  ["with {first} X and {second} O on the board it is the other player's turn: {text}", "con {first} X e {second} O sul tabellone tocca all'altro giocatore: {text}"],
  ["{player} has {found} stones on the board, more than {most}: {text}", "{player} ha {found} pedine sul tabellone, più di {most}: {text}"],
  ["a player has {found} stones, more than {most}: {text}", "un giocatore ha {found} pedine, più di {most}: {text}"],
  ["{cell} is a point: {text}", "{cell} è un punto: {text}"],
  ["{cell} is no point of the board: {text}", "{cell} non è un punto del tabellone: {text}"],
  // Trees
  ["{text} are not Dewey coordinates, which look like 2.1.3", "{text} non sono coordinate di Dewey, che si scrivono come 2.1.3"],
  ["{text}: {here} has no child {step}; its children: {names}", "{text}: {here} non ha il figlio {step}; i suoi figli: {names}"],
  ["the tree is empty", "l'albero è vuoto"],
  ["{place} is an empty list: a leaf is an integer", "{place} è una lista vuota: una foglia è un numero intero"],
  ["a tree has up to {nodes} nodes and {plies} plies here", "qui un albero ha al massimo {nodes} nodi e {plies} semimosse"],
  ["a tree is nested lists of whole numbers; {item} is none", "un albero è fatto di liste annidate di numeri interi; {item} non lo è"],
  ["{item}: values lie between ±{most} here", "{item}: qui i valori stanno fra ±{most}"],
  // Games and their options
  ["there is no game {name}; {meant}", "non c'è un gioco {name}; {meant}"],
  ["did you mean {names}?", "intendevi {names}?"],
  ["the games are {names}; your own game is FILE.py:CLASS", "i giochi sono {names}; un gioco tuo è FILE.py:CLASSE"],
  ["the studio has no game {name}", "lo studio non ha un gioco {name}"],
  ["{name}: option {option} is {wanted}, not {text}", "{name}: l'opzione {option} è {wanted}, non {text}"],
  ["{name}: option {option} names a file, which a browser may not do", "{name}: l'opzione {option} nomina un file, che da un browser non si può"],
  ["{what}: up to {piles} piles of up to {objects}", "{what}: al massimo {piles} mucchi di {objects} oggetti"],
  ["{what} is {value}; the studio takes up to {most}", "{what} è {value}; lo studio accetta fino a {most}"],
  ["Awari has 2 to {pits} pits a player and 1 to {stones} stones, not {found} pits and {others} stones", "Awari ha da 2 a {pits} buche per giocatore e da 1 a {stones} semi, non {found} buche e {others} semi"],
  ["the board has 2 to 26 columns, 3 rows at least and at most 64 cells, not {width} columns and {height} rows", "il tabellone ha da 2 a 26 colonne, almeno 3 righe e al più 64 caselle, non {width} colonne e {height} righe"],
  ["a player has 1 to {most} rows of pawns on {height} rows, not {rows}", "un giocatore ha da 1 a {most} righe di pedoni su {height} righe, non {rows}"],
  ["width and height must be at least 1, not {width} and {height}", "width e height devono essere almeno 1, non {width} e {height}"],
  ["a board of {width} x {height} needs {bits} bits, width x (height + 1)", "un tabellone di {width} x {height} occupa {bits} bit, width x (height + 1)"],
  ["{needed}; {bits} are the limit of {name}", "{needed}; il limite di {name} è {bits}"],
  ["rows and columns must be at least 1, not {rows} and {columns}", "righe e colonne devono essere almeno 1, non {rows} e {columns}"],
  ["a board of {rows} rows and {columns} columns has {cells} cells; {limit} cells and 26 columns are the limit", "un tabellone di {rows} righe e {columns} colonne ha {cells} caselle; il limite è di {limit} caselle e 26 colonne"],
  ["a board of {rows} rows and {columns} columns needs {needed} bits; {limit} bits and 26 columns are the limit", "un tabellone di {rows} righe e {columns} colonne occupa {needed} bit; il limite è di {limit} bit e 26 colonne"],
  ["a board of {width} x {height} boxes has {count} edges; 64 edges and 12 columns are the limit", "un tabellone di {width} x {height} quadrati ha {count} lati; il limite è di 64 lati e 12 colonne"],
  ["m, n and k must be at least 1, not {m}, {n}, {k}", "m, n e k devono essere almeno 1, non {m}, {n}, {k}"],
  ["Even Wins needs an odd number of marbles, 3 to {most}, not {marbles}", "Even Wins vuole un numero dispari di biglie, da 3 a {most}, non {marbles}"],
  ["most must be 1 to {largest}, not {most}", "most va da 1 a {largest}, non {most}"],
  ["the board has 4, 6 or 8 rows and columns, not {size}", "il tabellone ha 4, 6 o 8 righe e colonne, non {size}"],
  ["a board of Hex has 1 to {most} rows, not {size}", "un tabellone di Hex ha da 1 a {most} righe, non {size}"],
  ["Kalah has 1 to {holes} holes a player and at most {counters} counters in all, not {found} holes with {each} each", "Kalah ha da 1 a {holes} buche per giocatore e al più {counters} semi in tutto, non {found} buche con {each} ciascuna"],
  ["Nim needs at least one pile, each of 0 to {most} objects, not {piles}", "a Nim serve almeno un mucchio, ciascuno da 0 a {most} oggetti, non {piles}"],
  ["podium Nim needs at least one pile, each of 0 to {most} objects, not {piles}", "al Nim a podio serve almeno un mucchio, ciascuno da 0 a {most} oggetti, non {piles}"],
  ["the board has 2 or 3 squares, not {rings}", "il tabellone ha 2 o 3 quadrati, non {rings}"],
  ["a player has 3 to {most} stones on {points} points, not {stones}", "un giocatore ha da 3 a {most} pedine su {points} punti, non {stones}"],
  ["Othello is played on 4 x 4, 6 x 6 or 8 x 8 squares, not on {size} x {other}", "a Othello si gioca su 4 x 4, 6 x 6 o 8 x 8 caselle, non su {size} x {other}"],
  ["three men's morris is played with 3 stones each, achi with 4, not {stones}", "a tris mobile si gioca con 3 pedine a testa, ad achi con 4, non {stones}"],
  ["a tree of branching {branching} and depth {depth} may have more than 2**32 nodes in a level", "un albero di ramificazione {branching} e profondità {depth} può avere più di 2**32 nodi in un livello"],
  ["{name} must be {low} to {high}, not {value}", "{name} va da {low} a {high}, non {value}"],
  ["degree must be 1 to 16, not {degree}", "degree va da 1 a 16, non {degree}"],
  ["height must be 0 to 255, not {height}", "height va da 0 a 255, non {height}"],
  ["there is no order {order}; the orders are {orders}", "non c'è un ordine {order}; gli ordini sono {orders}"],
  ["degree must be at least 1 and height 0 to 255, not {degree} and {height}", "degree è almeno 1 e height va da 0 a 255, non {degree} e {height}"],
  ["{number} are too many", "{number} sono troppe"],
  ["{number} are too many in {order} order", "{number} sono troppe nell'ordine {order}"],
  ["a tree of degree {degree} and height {height} has {base}**{power} leaves; {few}", "un albero di grado {degree} e altezza {height} ha {base}**{power} foglie; {few}"],
  ["values must be 1 to 2**32, not {values}", "values va da 1 a 2**32, non {values}"],
  ["strength is the number of nodes in a hundred whose first child is the best, 0 to 100, not {strength}", "strength è quanti nodi su cento hanno come primo figlio il migliore, da 0 a 100, non {strength}"],
  ["there is no figure {name}; the figures are {names}", "non c'è una figura {name}; le figure sono {names}"],
  // What the studio may be asked for
  ["the position has more than {most} actions; the studio takes up to so", "la posizione ha più di {most} mosse; lo studio ne accetta al massimo tante"],
  ["the position has more than {most} actions: too many to show", "la posizione ha più di {most} mosse: troppe da mostrare"],
  ["{most} requests are waiting already; try again in a while", "{most} richieste sono già in attesa; riprova fra un po'"],
  ["{most} searches are waiting already; try again in a while", "{most} ricerche sono già in attesa; riprova fra un po'"],
  ["the search visits more than {most} nodes: search fewer plies, or begin nearer to the end of the game", "la ricerca visita più di {most} nodi: cerca meno semimosse, o parti da più vicino alla fine"],
  ["there is nothing to search: send a tree or a position", "non c'è nulla da cercare: serve un albero o una posizione"],
  ["{algorithm} searches once and needs a depth", "{algorithm} cerca una volta sola e ha bisogno di una profondità"],
  ["only the engine has options, not {algorithm}", "solo engine ha opzioni, non {algorithm}"],
  ["the search was stopped before anything was known", "la ricerca è stata fermata prima di sapere qualcosa"],
  ["{game} has {players} players; the computer plays for two", "{game} ha {players} giocatori; il computer gioca in due"],
  ["{game} has {players} players; a review is for two", "{game} ha {players} giocatori; la revisione è per due"],
  ["{game} has {players} players: use one of {names}", "{game} ha {players} giocatori: usa uno fra {names}"],
  ["{algorithm} needs the payoffs of all players: {game} does not define utilities", "{algorithm} ha bisogno dei pagamenti di tutti i giocatori: {game} non definisce utilities"],
  ["{algorithm} cannot be watched; `prunus algorithms` shows which can", "{algorithm} non si può guardare; `prunus algorithms` mostra quali si può"],
  ["{game} has lines of more than {most} plies, perhaps cycles: give a depth", "{game} ha linee di più di {most} semimosse, forse cicli: dai una profondità"],
  ["the search was stopped before it had an answer", "la ricerca è stata fermata prima di avere una risposta"],
  ["the rules of {game} changed during the search: start it again", "le regole di {game} sono cambiate durante la ricerca: ricominciala"],
  ["the picture of {game} has {rows} rows of up to {columns} cells; at most {most} are drawn", "la figura di {game} ha {rows} righe con al più {columns} caselle; se ne disegnano al massimo {most}"],
  ["clicks({state}, {action}) of {game} names the cell {cell}; the cells of its picture are 0 to {last}", "clicks({state}, {action}) di {game} nomina la casella {cell}; le caselle della figura vanno da 0 a {last}"],
  ["{game} is drawn as {look}, but {text} are not numbers from 0 to {most} with commas between them", "{game} è disegnato come {look}, ma {text} non sono numeri da 0 a {most} separati da virgole"],
  ["the players of {game} have rows of unequal length: {text}", "i giocatori di {game} hanno file di lunghezza diversa: {text}"],
  ["drawn_lines() of {game} names the cell {cell}; its cells are 0 to {last}", "drawn_lines() di {game} nomina la casella {cell}; le sue caselle vanno da 0 a {last}"],
  // Laboratory and Solve
  ["the laboratory has no experiment {name}", "il laboratorio non ha un esperimento {name}"],
  ["{name} has no row with these values: choose more of them", "{name} non ha righe con questi valori: scegline altri"],
  ["{rows} rows; the studio takes up to {most}", "{rows} righe; lo studio ne accetta fino a {most}"],
  ["{count} samples are too many for the studio: ask for fewer", "{count} campioni sono troppi per lo studio: chiedine meno"],
  ["this takes about {seconds} s; the studio takes up to {most} s: choose fewer values or samples", "ci vogliono circa {seconds} s; lo studio arriva a {most} s: scegli meno valori o campioni"],
  ["{name} has no parameter {parameter} here", "{name} qui non ha un parametro {parameter}"],
  ["{name}: {parameter} has no value {value} here", "{name}: {parameter} qui non ha il valore {value}"],
  ["{position} is not in {name}: it cannot be reached from {start}", "{position} non è in {name}: non si raggiunge da {start}"],
  ["the studio has no database {name}", "lo studio non ha un database {name}"],
  ["Parquet needs Polars: pip install 'prunus[lab]'", "per Parquet serve Polars: pip install 'prunus[lab]'"],
  ["this table is not kept any longer: run the experiment again", "questa tabella non è più conservata: riesegui l'esperimento"],
  // Saved games
  ["reading PGN needs python-chess: pip install 'prunus[chess]'", "per leggere PGN serve python-chess: pip install 'prunus[chess]'"],
  ["writing PGN needs python-chess: pip install 'prunus[chess]'", "per scrivere PGN serve python-chess: pip install 'prunus[chess]'"],
  ["this is neither a game saved here (JSON) nor a game of chess (PGN)", "non è né una partita salvata qui (JSON) né una partita a scacchi (PGN)"],
  ["this PGN is of {name}; the studio plays chess", "questo PGN è di {name}; lo studio gioca a scacchi"],
  ["there are no moves in this text: is it a game saved here, or PGN?", "in questo testo non ci sono mosse: è una partita salvata qui, o PGN?"],
  ["game {number}: the move {name} is {slip} in {position}", "partita {number}: la mossa {name} è {slip} in {position}"],
  ["game {number}: this is not PGN ({said})", "partita {number}: non è PGN ({said})"],
  ["PGN is for chess; {game} is saved as JSON", "PGN è per gli scacchi; {game} si salva come JSON"],
  // Messages
  ["a message has up to {most} bytes", "un messaggio ha al massimo {most} byte"],
  ["a search with this id is running", "una ricerca con questo numero è in corso"],
  ["up to {most} searches at a time, please", "al massimo {most} ricerche alla volta, per favore"],
  ["Input should be less than or equal to {most}", "al massimo {most}"],
  ["Input should be greater than or equal to {least}", "almeno {least}"],
  ["Input should be greater than {least}", "più di {least}"],
  ["Input should be a valid integer{more}", "deve essere un numero intero"],
  ["Input should be a valid number{more}", "deve essere un numero"],
  ["Input should be a finite number", "deve essere un numero finito"],
  ["String should have at most {most} characters", "al massimo {most} caratteri"],
  ["List should have at most {most} items after validation, not {found}", "al massimo {most} elementi, non {found}"],
  ["Field required", "manca"],
  // What is refused, where other texts have a colon after it
  ["move {number} (column {column})", "mossa {number} (colonna {column})"],
  ["move {number} ({name})", "mossa {number} ({name})"],
];

/** What is filled in. */
const HOLE = /\\\{(\w+)\\\}/g;

/** @type {[RegExp, string][]} */
const KNOWN = TEXTS.map(([english, italian]) => {
  const escaped = english.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // What is filled in may be nothing only where a text ends.
  return [new RegExp(`^${escaped.replace(HOLE, (_, name) => `(?<${name}>${name === "more" ? ".*" : ".+?"})`)}$`), italian];
});

/** @param {string} text @returns {string | null} */
function known(text) {
  for (const [pattern, italian] of KNOWN) {
    const found = pattern.exec(text);
    if (!found) continue;
    return italian.replace(/\{(\w+)\}/g, (_, name) => {
      const filled = found.groups?.[name] ?? "";
      return WORDS[filled] ?? known(filled) ?? filled;
    });
  }
  return null;
}

/** A text of the server in Italian; as it is if nobody has said how. @param {string} text
 * @returns {string} */
export function inItalian(text) {
  const found = known(text);
  if (found !== null) return found;
  // `where: what`, as of options, of fields of a message, and of `hex:size=99`
  const [, where, what] = /^(.{1,80}?): (.+)$/.exec(text) ?? [];
  return what ? `${where}: ${inItalian(what)}` : text;
}
