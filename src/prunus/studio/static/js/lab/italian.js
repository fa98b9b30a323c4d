/** What the experiments say, in Italian: they are written in English where they are declared. */

/** By the experiment's name: what it says, and where its source errs.
 * @type {Record<string, {says: string, errs?: string}>} */
export const texts = {
  "no-deep-cutoffs": {
    says: "Il branch and bound con un solo limite (F1) non ha tagli profondi. Se il primo figlio è ovunque il migliore, esamina le foglie nelle cui coordinate ogni figlio successivo è seguito da un primo: sono A<sub>n</sub>, con A<sub>0</sub> = 1, A<sub>1</sub> = d e A<sub>n+2</sub> = A<sub>n+1</sub> + (d - 1) A<sub>n</sub>. L'alfa-beta esamina solo le foglie critiche, d<sup>⌈n/2⌉</sup> + d<sup>⌊n/2⌋</sup> - 1.",
  },
  "no-deep-cutoffs-growth": {
    says: "La ricorrenza ha la forma chiusa A<sub>n</sub> = ((r + d - 1) r<sup>n</sup> - (s + d - 1) s<sup>n</sup>)/(r - s), con le radici r = √(d - 3/4) + 1/2 e s = 1 - r di x² = x + d - 1. Quindi F1 cresce con tasso r, e l'alfa-beta con √d: i tagli profondi abbassano il tasso di circa 1/2, il che conta meno quanti più sono i figli. Entrambi i tassi sono limiti a cui la radice n-esima delle foglie tende dall'alto.",
  },
  "first-move-wins": {
    says: "In un albero di m mosse e n turni in cui la prima mossa vince sempre, l'alfa-beta che conosce i valori estremi si ferma a una vittoria: visita 1 + 1 + m + m + m² + ... nodi, per n dispari 2 (m<sup>⌊n/2⌋+1</sup> - 1)/(m - 1).",
    errs: "Il conto vale nella finestra [MINVAL, MAXVAL] dei valori estremi. Con gli infiniti una vittoria non termina la ricerca della radice, e si visitano tutte le posizioni critiche.",
  },
  "changing-sides": {
    says: "Mentre una ricerca va più a fondo, sembra in vantaggio ora un giocatore, ora l'altro; la voce dice che accade spesso dove un albero ha poco ordine. Qui la stima di un figlio conserva alcuni centesimi di quella del genitore, e il resto è estratto di nuovo. `changes` è la quota di alberi in cui è in vantaggio un giocatore diverso da quello di una semimossa prima. Se non si conserva nulla, i valori di profondità diverse sono indipendenti, e MAX, che deve muovere, è in vantaggio alla profondità n con probabilità p<sub>n</sub> = 1 - p<sub>n-1</sub><sup>b</sup>, p<sub>0</sub> = 1/2. Il punto fisso di questo passo respinge, sicché p finisce per alternare fra 0 e 1: è in vantaggio chi muove per ultimo, e il vantaggio cambia a ogni semimossa. Tali alberi sono anche costosi: l'iterazione precedente non dice nulla delle mosse migliori, e le foglie dell'ultima, qui rispetto all'albero minimo, sono molte.",
  },
  "family-ordering": {
    says: "Tutti gli algoritmi esplorano gli stessi alberi direttamente fino in fondo, senza approfondimento; PVS, MTD(f), SSS* e DUAL* ricordano le posizioni in una tabella, e MTD(f) comincia con l'ipotesi 0. Le foglie che esaminano sono divise per quelle dell'albero minimo, sotto cui nessuno può scendere. Qui il primo figlio è il migliore in una data quota dei nodi. Con l'ordine perfetto tutti gli algoritmi tranne minimax e F1 esaminano all'incirca l'albero minimo.",
  },
  "family-values": {
    says: "Tutti gli algoritmi esplorano gli stessi alberi direttamente fino in fondo, senza approfondimento; PVS, MTD(f), SSS* e DUAL* ricordano le posizioni in una tabella, e MTD(f) comincia con l'ipotesi 0. Le foglie che esaminano sono divise per quelle dell'albero minimo, sotto cui nessuno può scendere. Qui le foglie sono estratte in modo indipendente da un dato numero di valori. Con pochi valori si taglia di più, perché basta un valore uguale; e le ricerche che partono da un limite (SSS*, DUAL*, MTD(f)) hanno bisogno di meno passi.",
  },
  "family-height": {
    says: "Tutti gli algoritmi esplorano gli stessi alberi direttamente fino in fondo, senza approfondimento; PVS, MTD(f), SSS* e DUAL* ricordano le posizioni in una tabella, e MTD(f) comincia con l'ipotesi 0. Le foglie che esaminano sono divise per quelle dell'albero minimo, sotto cui nessuno può scendere. Qui cresce l'altezza, e il primo figlio è il migliore in quattro nodi su cinque.",
  },
  "game-shape": {
    says: "La grandezza di un gioco si stima come il suo fattore di ramificazione elevato alla sua durata. Entrambi dipendono da chi gioca: le partite casuali finiscono dove buoni giocatori non le lascerebbero finire, e hanno un altro numero di mosse legali.",
  },
  "game-size": {
    says: "Un gioco di al più n semimosse con al più m mosse ha al più m<sup>n</sup> partite; uno in cui ogni semimossa riempie una di n caselle ha al più n! partite e un albero di al più e n! nodi. Il numero delle posizioni diverse è molto più piccolo.",
  },
  "positions-held": {
    says: "Una ricerca in profondità tiene il cammino fino alla posizione attuale, h + 1 posizioni. Con una lista aperta i fratelli aspettano accanto al cammino, d h + 1 posizioni in tutto. Una ricerca in ampiezza che etichetta l'albero dal basso tiene tutto l'albero, (d<sup>h+1</sup> - 1)/(d - 1).",
  },
  "breadth-or-deepening": {
    says: "Ogni semimossa consuma uno di n oggetti. Una ricerca in ampiezza può fermarsi in qualunque momento conoscendo tutte le posizioni di un livello, ma alla profondità d la sua coda tiene n!/(n - d)! posizioni, al più n<sup>d</sup>. L'approfondimento iterativo raggiunge la stessa profondità con un cammino di d + 1 posizioni, e visita il livello i d + 1 - i volte; poiché l'ultimo livello è il più grande, questo costa solo un fattore costante. Il tempo è contato in posizioni visitate, per posizione visitata dalla ricerca in ampiezza; l'alfa-beta ha un albero casuale in ogni riga.",
    errs: "Le slide dicono l'approfondimento iterativo più lento nella pratica. Con dentro il minimax lo è. Il loro ha dentro l'alfa-beta, che taglia ciò che una ricerca in ampiezza, che non conosce valori prima dell'ultimo livello, non può tralasciare: presto è il più veloce.",
  },
  "cycles": {
    says: "L'analisi all'indietro dà il valore di ogni posizione; chi non può forzare la fine ha una patta (vedi [i giochi con cicli](cycles.md)). `visiting` tralascia i passi che tornano sul cammino, e non conosce patte. `visiting-cached` tiene i suoi valori in una cache, come se non dipendessero dal cammino. Le tabelle contano una ripetizione come patta: `any-table` tiene ogni valore, `path-safe-table` solo quelli che non si riferiscono a posizioni più in alto. Di un grafo casuale si chiede ogni posizione, una dopo l'altra. `graphs` è la quota dei grafi con una posizione sbagliata, `wrong` la quota delle posizioni sbagliate; una posizione senza alcun valore conta come sbagliata. Nei grafi qui sotto MAX muove dove le lettere sono maiuscole, e le posizioni sbagliate sono segnate.",
  },
  "deepening-overhead": {
    says: "Cercare fino a 1, 2, ..., h semimosse visita, con fattore di ramificazione B, poco più che cercare subito fino a h: tutte le ricerche tranne l'ultima sono meno di 1/B del totale. È un teorema per il minimax, che visita 1 + B + ... + B<sup>i</sup> nodi fino a i semimosse. L'alfa-beta ha un fattore di ramificazione effettivo più piccolo, perciò la sua quota è maggiore, e 1/B non la limita.",
    errs: "Le dispense dicono che le iterazioni precedenti costano fino alla metà del totale. Questo è il limite solo per B = 2.",
  },
  "deepening-in-best-order": {
    says: "Nell'ordine migliore l'alfa-beta esamina circa B<sup>h/2</sup> foglie alla profondità h: il suo fattore di ramificazione effettivo b è la radice quadrata di B. Le iterazioni precedenti sono allora circa 1/b del totale invece di 1/B, come per il minimax. La quota esatta è un quoziente di somme di numeri di foglie critiche, B<sup>ceil(h/2)</sup> + B<sup>floor(h/2)</sup> - 1; sale e scende, perché una semimossa in più moltiplica questi numeri alternamente per quasi (B + 1)/2 e 2B/(B + 1).",
  },
  "cheap-or-dear": {
    says: "In Othello una valutazione che conta angoli, mobilità e pedine gioca contro una adattata a migliaia di configurazioni, che sa di più e impiega di più. Quella economica può visitare un multiplo dei nodi; la figura mostra il suo punteggio, dove 1/2 è la parità. Si contano i nodi, non i secondi, sicché le partite sono le stesse su ogni macchina.",
  },
  "expected-leaves": {
    says: "Una foglia è esaminata se il meglio che i fratelli maggiori lungo il suo cammino offrono a un giocatore è meno del meglio che offrono all'altro; per F1, se questo vale fra livelli vicini. Sommate su tutti i cammini, le probabilità diventano integrali in una variabile, qui calcolati con circa dodici cifre. Le linee sono esatte: numeri razionali per alberi di al più 256 foglie, come T(2, 2) = 11/3, e la somma di tutti i p_ij per due livelli. Fino a tre livelli F1 e alfa-beta sono uguali; i tagli profondi cominciano col quarto.",
  },
  "growth-rates": {
    says: "Le foglie sono estratte in modo indipendente da una distribuzione continua. Senza tagli profondi (F1) le foglie attese crescono a ogni livello di un fattore r(d) fra r0, il raggio spettrale di (p_ij), e sia r\\*, quello di (sqrt p_ij), sia sqrt T(d, 2). I limiti C (1 - 1/d)/(1 - d^(-1/d)) > C (d - 1)/ln d di r0, con C = 0,8856, e (24) di r\\* mostrano che r(d) cresce come d/log d. Con i tagli profondi il tasso è xi/(1 - xi), dove xi^d + xi = 1. Nell'ordine migliore F1 cresce di sqrt(d - 3/4) + 1/2, che è appena più di sqrt d.",
    errs: "(14) ha intervalli sbagliati per il suo massimo e il suo minimo, a (20) manca l'esponente 1/h, e (22) e (23) hanno perso le parentesi: come sono stampati, gli esponenti si elidono. r0 e r1 sono usati senza definizione. L'osservazione 7.7 preferisce r1 per d <= 24; se r1 è sqrt T(d, 2), che cresce come d/sqrt(log d) come vi si dice, non è mai il migliore.",
  },
  "submultiplicative": {
    says: "Il secondo membro conta le foglie che F1 esaminerebbe se cominciasse ogni sottoalbero di altezza k con la finestra intera. Quindi log T(d, h) è subadditivo, e T(d, h)^(1/h) ha un limite. La figura mostra T(d, h + k)/(T(d, h) T(d, k)), il massimo e il minimo per k = 1 ... h.",
    errs: "(18) prende il limite su n invece che su h.",
  },
  "binomial-bounds": {
    says: "Per 0 <= x <= 1 e k >= 1 il coefficiente binomiale di k - 1 + x su k - 1 sta fra k^x e k^x/gamma(1 + x), e quindi entro il 13 % del primo: gamma(1 + x) >= 0,8856, con il minimo in x = 0,4616. La figura lo mostra rispetto a k^x.",
  },
  "dependent-limit": {
    says: "Le foglie attese sono (27) con il numero armonico H_d = 1 + 1/2 + ... + 1/d. Rispetto all'albero minimo tendono a (d - H)(1 + H)/(2 (d - H^2)) per altezze pari, e a (d - H)(d + H)/((d + 1)(d - H^2)) per quelle dispari, ovunque H_d < sqrt d: da d = 7 in su. Qui tutte le altezze sono pari. I segni sono (27), le linee che li attraversano la ricorrenza (28), le linee orizzontali i limiti.",
    errs: "Il teorema 7.5 stampa la somma di 1/d invece della somma di 1/i. Il corollario 7.4 è enunciato per d >= 3, ma per d = 3 fino a 6 H_d > sqrt d e il rapporto cresce senza limite, fino a 11 per d = 3, h = 20 e a 45.132 per h = 160. La sua costante è quella delle altezze pari.",
  },
  "horizon": {
    says: "Un pezzo di MAX è attaccato e andrà perso (-60) se MAX non lo salva ora (-20). MAX può rimandare la perdita con k mosse senza senso, pedoni dati con scacco (-1 ciascuno), ognuna con una sola risposta forzata; una ricerca che non arriva alla perdita dietro di esse preferisce rimandare. La figura mostra la minima profondità a cui il motore trova il salvataggio, e i suoi nodi. Una ricerca a profondità fissa ha bisogno di 2k + 2 semimosse. La quiescenza vede la cattura stessa una semimossa prima, e nulla dei rinvii. Un secondo sguardo alle due mosse migliori, due semimosse più a fondo, risparmia queste due semimosse e non di più. Dove ogni risposta forzata è cercata una semimossa più a fondo, perché risponde a uno scacco o perché è singolare, un rinvio costa una semimossa invece di due. La profondità di Floyd conta probabilità invece di semimosse: una mossa tranquilla ha 1/10, uno scacco 3/10, una cattura 6/10, una risposta forzata 1, e la profondità D segue una linea finché il loro prodotto è almeno 1/10^D. Un rinvio costa allora circa metà di una mossa tranquilla, e la profondità cresce solo di k/2. I suoi nodi sono i più numerosi perché sono quelli di tutte le iterazioni, come ovunque qui, e per lasciare libere le sue linee ne attraversa 4D; l'ultima da sola visita 307 nodi per k = 4, dove quella della sola profondità ne visita 464, e 2.181 per k = 8, dove quella ne visita 1.880.",
  },
  "singular-horizon": {
    says: "Le dispense chiedono: se il livello 7 mostra una grande perdita, e un'estensione fino al livello 9 una risposta, chi dice che la risposta non perda tutto entro la mossa 12? Qui MAX può entrare in un corridoio la cui stima è 0, dalla semimossa 7 in poi -60, dalla 9 in poi 30, dalla 12 in poi -200, oppure restare fuori per -20, che è giusto. Due risposte nel corridoio sono forzate, e l'estensione singolare allunga la ricerca di una semimossa per ciascuna. Così ogni soglia arriva due semimosse prima, anche quella ingannevole: alla profondità 7 l'estensione vede la risposta alla semimossa 9 ed entra, dove la ricerca semplice, che ha visto meno, resta fuori. Mosse cercate a profondità diverse sono confrontate come se fossero note altrettanto bene. Un'estensione sposta l'orizzonte e non lo toglie.",
  },
  "history": {
    says: "Nove modi di cercare, da quello di Shannon a ProbCut, giocano a Othello contro l'alfa-beta come la descrisse Brudno, ciascuno con 2.000 nodi per mossa e con la stessa valutazione, che è quella di oggi: si confronta solo la ricerca. Ogni programma approfondisce passo per passo, e tutte le sue iterazioni contano. Il tipo B è il minimax sulle quattro mosse che sembrano migliori. La regola di Floyd, ProbCut e, per Marsland & Campbell, la ricerca esatta girano nel motore di oggi: per Floyd è spento tutto ciò che venne dopo e ha un interruttore, la probabilità di una mossa è indovinata dal suo posto nell'ordine, e una linea è seguita finché è più probabile di 1 sui nodi di una mossa. ProbCut va confrontato con lo stesso motore senza di esso, quello del 1982. L'alfa-beta contro se stessa deve fare esattamente 1/2. Né le macchine di allora né la memoria di cui SSS\\* ha bisogno ne fanno parte.",
  },
  "critical-positions": {
    says: "Una posizione con le coordinate di Dewey a_1 ... a_l è critica se ogni a_i con i pari è 1, oppure ogni a_i con i dispari. Se il primo successore di ogni posizione è uno dei migliori, l'alfa-beta esamina le posizioni critiche e nessun'altra; la forma dell'albero non conta. Basta che un successore migliore venga per primo nelle posizioni dei tipi 1 e 2; i successori delle altre posizioni sono qui in ordine casuale. `differing` conta le posizioni che sono critiche e non esaminate, o esaminate e non critiche.",
    errs: "Il punto 2 della dimostrazione richiede beta < F(s). Con valori uguali, che questi alberi hanno, il taglio avviene per beta <= F(s).",
  },
  "minimal-tree": {
    says: "Un algoritmo che trova il valore di un albero uniforme di grado d e altezza h esamina almeno d^ceil(h/2) + d^floor(h/2) - 1 foglie, e l'alfa-beta vi arriva se un successore migliore viene per primo nelle posizioni dei tipi 1 e 2. Qui d = 3, h = 4: 17 foglie su 81. Ogni foglia è contata una volta, per quanto spesso un algoritmo vi ritorni.",
    errs: "Nella dimostrazione del corollario 7.1 entrambi i conti hanno la parte intera inferiore; in uno va la superiore.",
  },
  "permutations": {
    says: "Si prenda un algoritmo qualsiasi che ha trovato il valore della radice, e le foglie che ha guardato. Esse limitano il valore di ogni posizione, F_l(s) <= F(s) <= F_u(s), e da questi limiti segue un ordine dei successori in cui l'alfa-beta esamina solo foglie di quell'insieme: nessuna è `outside`. Ogni riga lo fa per un algoritmo di Prunus su alberi casuali di forma irregolare; la distanza fra i segni è il lavoro sprecato dell'algoritmo.",
    errs: "Il punto 1 passa -F(s_1) ai successori seguenti, dove F2 passa F(s_1); il punto 2 ha F_l(s) = F_u(s_j) invece di F_l(s) = -F_u(s_j).",
  },
  "order-by-value": {
    says: "Negli alberi uniformi ogni ordine con un successore migliore al primo posto vale quanto ogni altro. Se i rami hanno grandezze diverse non è più vero: una risposta abbastanza buona confuta una mossa, e la risposta migliore può costare più ricerca di un'altra. Si provano tutti gli alberi di gioco con n foglie di valori diversi, a meno dell'ordine dei successori e senza posizioni con un solo successore. `worse` conta quelli in cui l'alfa-beta esamina più foglie con i successori ordinati per valore che nel suo ordine migliore. `trees` è confrontato con il numero che dà la combinatoria (il quarto problema di Schroeder).",
  },
  "random-branching": {
    says: "Ogni posizione del livello j abbia successori con probabilità q_j, e in media d_j, contando le foglie come 0. Nell'ordine migliore l'alfa-beta esamina in media d_0 q_1 d_2 q_3 ... + q_0 d_1 q_2 d_3 ... - q_0 q_1 ... posizioni del livello l, con l fattori in ogni prodotto. Contano solo le medie d_j, non le leggi che vi stanno dietro.",
  },
  "harmonic-root": {
    says: "Le foglie attese (27) di un albero totalmente dipendente sono una somma di potenze di sqrt d e di H_d. L'albero minimo cresce con sqrt d. Quindi il rapporto dei due è limitato se H_d < sqrt d, e altrimenti cresce a ogni livello di H_d/sqrt d. La linea è il maggiore fra questo quoziente e 1; la crescita è misurata sulla ricorrenza (28), dopo un milione di livelli.",
    errs: "Il corollario è enunciato per d >= 3. La sua dimostrazione ha bisogno di H_d < sqrt d, che è falso per d = 2 fino a 6 e vero da 7 in su: 2,450 > 2,449 per d = 6, 2,593 < 2,646 per d = 7.",
  },
  "two-bounds": {
    says: "T(d, 2) è la somma di tutti i p_ij, quindi sqrt T(d, 2) è la radice della somma dei quadrati della matrice (sqrt p_ij), la sua norma di Frobenius. r\\* è il massimo autovalore della matrice, che è al più il suo massimo valore singolare, e questo è al più la norma di Frobenius. Perciò r\\* è il limite migliore del tasso di crescita di F1 per ogni grado, non solo per quelli calcolati. Il limite (24) di r\\*, che ne dimostra la crescita d/log d, è peggiore di sqrt T(d, 2) per tutti i gradi qui.",
    errs: "L'osservazione 7.7 preferisce l'altro limite, r1, per d <= 24. Se questo è sqrt T(d, 2), che cresce come l'osservazione dice di r1, l'affermazione contraddice (22).",
  },
  "which-r1": {
    says: "T(d, h)^(1/h) è un limite superiore del tasso di crescita di F1 per ogni h, perché T(d, h + k) è al più T(d, h) T(d, k). Un limite r1 che sia migliore di r\\* per d <= 24 e peggiore da 25 in su potrebbe essere uno di essi: attraverserebbe lì la linea 1. La linea punteggiata inferiore è r0.",
    errs: "r1 non è definito nel testo. La radice per due livelli ha la crescita che l'osservazione 7.7 dà a r1, ma non è mai migliore di r\\*; quelle per più livelli sono migliori da entrambi i lati di 24. Quale numero si intendesse resta una questione aperta.",
  },
  "random-trees": {
    says: "In un albero uniforme le cui foglie sono estratte in modo indipendente da una distribuzione continua, il numero atteso delle foglie esaminate si può integrare, per F1 (senza tagli profondi) e per l'alfa-beta. Entrambi sono misurati sugli stessi alberi, le cui foglie sono 32 bit di un hash del loro cammino, sicché non vi sono quasi mai pareggi. Fino all'altezza 3 non ci sono tagli profondi. Il tasso di crescita dell'alfa-beta tende a ξ/(1 - ξ) di Pearl, dove ξ<sup>d</sup> + ξ = 1.",
  },
  "dependent-trees": {
    says: "I successori di ogni posizione vengono in ordine casuale, e tutte le foglie sotto uno di essi sono migliori di tutte quelle sotto il seguente. Allora le foglie attese dell'alfa-beta hanno una forma chiusa, con H<sub>d</sub> = 1 + 1/2 + ... + 1/d. Rispetto all'albero minimo restano limitate se H<sub>d</sub>² < d, cioè da d = 7 in su.",
    errs: "Il seminario definisce H<sub>d</sub> come somma di 1/d e afferma un limite da d = 3 in su; per d = 3 fino a 6 il rapporto cresce senza limite. La sua costante è quella delle altezze pari.",
  },
  "randomised-alphabeta": {
    says: "Un algoritmo che guarda i successori in ordine casuale non può essere ingannato da un solo ordine delle foglie. Gli alberi peggiori di vittorie e sconfitte lasciano a ogni vincitore una sola mossa vincente. Allora le foglie attese seguono una ricorrenza su due specie di posizioni, il cui tasso di crescita per livello è (d - 1 + √(d² + 14 d + 1))/4.",
  },
  "family-games": {
    says: "Lo stesso su posizioni di Forza quattro e di Othello dopo semimosse casuali, a profondità fissa, rispetto al grafo minimo: la parte che il motore esamina se ogni nodo comincia con la mossa che si è rivelata migliore. I giochi hanno trasposizioni, quindi il grafo minimo è più piccolo dell'albero minimo, e gli algoritmi con una tabella hanno un vantaggio su quelli senza.",
  },
  "distance-to-minimal": {
    says: "Si dice che i buoni programmi esaminino al più una volta e mezza le foglie del grafo minimo. Le foglie del motore sono quelle di tutte le sue iterazioni, non solo dell'ultima.",
  },
};

/** Names of parameters, quantities and values, as they are shown. @type {Record<string, string>} */
export const terms = {
  // Axes
  "height n": "altezza n", "height h": "altezza h", "leaves examined": "foglie esaminate", "leaves to the power 1/n": "foglie elevate a 1/n",
  "nodes visited": "nodi visitati", "depth": "profondità", "first child is best (%)": "il primo figlio è il migliore (%)", "leaves / minimal tree": "foglie / albero minimo",
  "different values": "valori diversi", "plies; legal actions": "semimosse; mosse legali", "count": "numero", "positions held": "posizioni tenute",
  "positions of the graph": "posizioni del grafo", "share that is wrong": "quota sbagliata", "last depth h": "ultima profondità h", "share of the earlier iterations": "quota delle iterazioni precedenti",
  "times as many nodes for the cheap evaluation": "di quante volte più nodi per quella economica", "its score": "il suo punteggio", "expected leaves": "foglie attese", "degree d": "grado d",
  "growth of the leaves with each level": "crescita delle foglie a ogni livello", "binomial coefficient / k^x": "coefficiente binomiale / k^x", "leaves relative to the minimal tree": "foglie rispetto all'albero minimo",
  "delays k": "rinvii k", "value for MAX; the truth is -20": "valore per MAX; quello vero è -20", "year": "anno", "score against alpha-beta at equal nodes": "punteggio contro l'alfa-beta a parità di nodi",
  "leaves": "foglie", "different leaves examined": "foglie diverse esaminate", "trees": "alberi", "positions examined on the level": "posizioni esaminate nel livello",
  "in units of sqrt d": "in unità di sqrt d", "relative to sqrt T(d, 2)": "rispetto a sqrt T(d, 2)", "leaves / minimal graph": "foglie / grafo minimo",
  "depth d": "profondità d", "visits per position of breadth-first search": "visite per posizione della ricerca in ampiezza",
  // Quantities
  "deepening": "approfondimento", "deepening alphabeta": "approfondimento con alfa-beta",
  "alpha-beta": "alfa-beta", "trees in which the lead changes": "alberi in cui il vantaggio cambia", "plies": "semimosse", "branching": "ramificazione", "games": "partite", "nodes": "nodi", "positions": "posizioni",
  "path": "cammino", "open list": "lista aperta", "breadth first": "in ampiezza", "graphs with a wrong position": "grafi con una posizione sbagliata", "wrong positions": "posizioni sbagliate",
  "share": "quota", "score": "punteggio", "F1 (no deep cut-offs)": "F1 (senza tagli profondi)", "minimal tree": "albero minimo", "alpha-beta, dependent": "alfa-beta, dipendente", "F1 in best order": "F1 nell'ordine migliore",
  "greatest": "massimo", "least": "minimo", "ratio": "rapporto", "limit": "limite", "least depth": "profondità minima", "nodes to this depth": "nodi fino a questa profondità", "value": "valore",
  "in the tree": "nell'albero", "alpha-beta, as drawn": "alfa-beta, come estratto", "alpha-beta, best order": "alfa-beta, ordine migliore", "smallest proof": "dimostrazione minima", "as drawn": "come estratto",
  "best order at types 1 and 2": "ordine migliore per i tipi 1 e 2", "the algorithm": "l'algoritmo", "alpha-beta in the order found": "alfa-beta nell'ordine trovato", "all": "tutti", "order by value not best": "l'ordine per valore non è il migliore",
  "examined": "esaminate", "growth with each level": "crescita a ogni livello", "singular value": "valore singolare", "bound (24)": "limite (24)",
  // Parameters and their values
  "window": "finestra", "kept": "conservato", "strength": "primo migliore (%)", "values": "valori", "game": "gioco", "play": "gioca", "method": "metodo", "algorithm": "algoritmo", "times": "volte", "search": "ricerca", "program": "programma",
  "against": "contro", "law": "legge", "level": "livello", "root": "radice", "extreme values": "valori estremi", "infinite": "infinita", "random": "a caso", "lost": "persa", "won": "vinta",
  "depth alone": "sola profondità", "quiescence": "quiescenza", "second look": "secondo sguardo", "singular extension": "estensione singolare", "check extension": "estensione dello scacco",
  "Shannon, type A": "Shannon, tipo A", "Shannon, type B": "Shannon, tipo B",
  "0 to 3 successors": "da 0 a 3 successori", "2 and 3 in turn, a third are leaves": "2 e 3 a turno, un terzo sono foglie", "6 or none": "6 o nessuno", "1 to 4, fewer from level to level": "da 1 a 4, sempre meno di livello in livello",
};
