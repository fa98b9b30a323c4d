"""The games of the catalogue, in the order in which lists show them."""

from __future__ import annotations

from typing import Final

from prunus.games.entry import Entry, Option

_BOARD: Final = (
    "rows from the top, X the first player, the side to move from the counts: X.O/.X./..."
)
_PAWNS: Final = "rows from the top, X moves down, O up, and the player to move: X.X/.X./OOO O"
_SEED: Final = Option("seed", "int", 0, "draws another game")

ENTRIES: Final = (
    Entry(
        "connect-four",
        "stones fall to the lowest free cell of a column, four in line win",
        "prunus.games.connect_four:ConnectFour",
        (
            Option("width", "int", 7, "columns"),
            Option("height", "int", 6, "rows; width x (height + 1) <= 256"),
        ),
        "the columns played, from 1: 4455 (beyond 9: 4,4,10), or the rows from the top",
        "4455",
    ),
    Entry(
        "tic-tac-toe",
        "three in a row on 3 x 3",
        "prunus.games.mnk:TicTacToe",
        (Option("misere", "bool", False, "three in a row lose"),),
        _BOARD,
        "X.O/.X./...",
    ),
    Entry(
        "mnk",
        "k in a row on m rows and n columns",
        "prunus.games.mnk:MNK",
        (
            Option("m", "int", 3, "rows"),
            Option("n", "int", 3, "columns, 26 at most; m x (n + 1) <= 257"),
            Option("k", "int", 3, "stones in a row"),
            Option("misere", "bool", False, "k in a row lose"),
        ),
        _BOARD,
        "X.O/.X./...",
    ),
    Entry(
        "othello",
        "enclose opposing discs to turn them over; most discs win",
        "prunus.games.othello:Othello",
        (
            Option("size", "int", 8, "rows and columns: 4, 6 or 8"),
            Option(
                "patterns",
                "bool",
                True,
                "the evaluation fitted to patterns, on 8 x 8; false: a simple one",
            ),
            Option(
                "weights",
                "str",
                "",
                "a file written by `prunus fit evaluation othello`, instead of the weights that "
                "come with Prunus",
            ),
        ),
        "the squares by rows and the player to move, X black, O white: ---.../... X; or the moves: "
        "f5d6c3",
        "f5d6c3",
    ),
    Entry(
        "chess",
        "chess, also from the positions of Chess960",
        "prunus.games.chess:Chess",
        (
            Option("chess960", "bool", False, "castling from any place on the first rank"),
            Option(
                "claims",
                "bool",
                True,
                "a position's third time and fifty moves are draws; false: its fifth, and 75",
            ),
            Option(
                "weights",
                "str",
                "",
                "a file written by `prunus fit evaluation chess`, or `hand`, instead of the "
                "weights that come with Prunus",
            ),
        ),
        "a FEN, or the moves in SAN or as in UCI: e4 e5 Nf3; or a FEN, moves and moves",
        "e4 e5 Nf3",
    ),
    Entry(
        "chess-ending",
        "chess with few men, for databases: prunus db build chess-ending:men=KQKR",
        "prunus.games.chess.endings:ChessEnding",
        (
            Option(
                "men",
                "str",
                "KQK",
                "KQKR: king and queen against king and rook; or several: "
                "KPPK+KPKP, all endings of four men",
            ),
            Option(
                "claims",
                "bool",
                True,
                "a position's third time and fifty moves are draws; false: its fifth, and 75",
            ),
        ),
        "a FEN",
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    ),
    Entry(
        "nim",
        "take any number of objects from one pile; whoever takes the last one wins",
        "prunus.games.nim:Nim",
        (
            Option("piles", "piles", (3, 5, 7), "the start, as in 3-5-7"),
            Option("misere", "bool", False, "whoever takes the last one loses"),
        ),
        "the piles: 1,2,2",
        "1,2,2",
    ),
    Entry(
        "even-wins",
        "take marbles; whoever holds an even number at the end wins",
        "prunus.games.even_wins:EvenWins",
        (
            Option("marbles", "int", 27, "the start, an odd number"),
            Option("most", "int", 4, "the most that a player may take"),
        ),
        "the marbles left, and the parity of those that the player to move holds: 13 even",
        "13 even",
    ),
    Entry(
        "three-mens-morris",
        "three in a row with stones that move; achi with four",
        "prunus.games.three_mens_morris:ThreeMensMorris",
        (
            Option("stones", "int", 3, "stones of each player, 3 or 4"),
            Option("centre", "bool", True, "the first stone may go to the centre"),
        ),
        "rows from the top, X the first player, and the player to move: XX./.O./..O X",
        "XX./.O./..O X",
    ),
    Entry(
        "nine-mens-morris",
        "three in a row take a stone; six men's morris with two squares",
        "prunus.games.nine_mens_morris:NineMensMorris",
        (
            Option("stones", "int", 9, "stones of each player, 3 to 4 x rings"),
            Option("flying", "bool", True, "a player with three stones moves them anywhere"),
            Option("rings", "int", 3, "the squares of the board: 3 (24 points) or 2 (16 points)"),
        ),
        "rows from the top, - no point, the stones in both hands, and the player to move: "
        "X--.--./-.-.-.-/--...--/...-.../--...--/-.-.-.-/.--.--. 17 O",
        "X--.--./-.-.-.-/--...--/...-.../--...--/-.-.-.-/.--.--. 17 O",
    ),
    Entry(
        "fox-and-geese",
        "geese that only move ahead try to leave the fox without a move",
        "prunus.games.fox_and_geese:FoxAndGeese",
        (Option("size", "int", 8, "rows and columns: 4, 6 or 8; half as many geese"),),
        "rows from the top, F the fox, G a goose, and the player to move: ...F/..../..../G.G. G",
        "...F..../......../......../......../......../......../.G....../..G.G.G. F",
    ),
    Entry(
        "domineering",
        "dominoes on a board, one player's along the columns, the other's along the rows",
        "prunus.games.domineering:Domineering",
        (
            Option("rows", "int", 8, "rows"),
            Option("columns", "int", 8, "columns, 26 at most; rows x columns <= 128"),
            Option("horizontal", "bool", False, "the horizontal player begins"),
        ),
        "rows from the top, # a covered cell, and the player to move, V or H: ..#/..#/... H",
        "######../######../######../######../######../######../......../........ V",
    ),
    Entry(
        "kalah",
        "sow counters around the board; most counters in store win",
        "prunus.games.kalah:Kalah",
        (
            Option("holes", "int", 6, "holes of each player, at most 7"),
            Option("counters", "int", 4, "in each hole at the start; at most 255 in all"),
            Option("empty_capture", "bool", True, "a capture needs nothing in the opposite hole"),
            Option("owner", "bool", True, "counters left are those of whose holes they lie in"),
        ),
        "A's holes and store, B's holes and store, and the player to move: "
        "4,4,0,5,5,5:1 4,4,4,4,4,4:0 A",
        "4,4,0,5,5,5:1 4,4,4,4,4,4:0 A",
    ),
    Entry(
        "awari",
        "sow stones around the board and capture twos and threes of the opponent's",
        "prunus.games.awari:Awari",
        (
            Option("pits", "int", 6, "pits of each player, 2 to 6"),
            Option("stones", "int", 48, "stones at the start, at most 120"),
        ),
        "A's pits, B's pits, the lead of the player to move, and who that is: "
        "4,4,4,4,4,4 4,4,4,4,4,4 0 A",
        "4,4,0,5,5,5 5,4,4,4,4,4 0 B",
    ),
    Entry(
        "breakthrough",
        "pawns that step ahead and capture along diagonals; the last row wins",
        "prunus.games.breakthrough:Breakthrough",
        (
            Option("width", "int", 8, "columns"),
            Option("height", "int", 8, "rows; width x height <= 64"),
            Option("rows", "int", 2, "rows of pawns of each player"),
        ),
        _PAWNS,
        "XXXXXXXX/XX.XXXXX/..X...../......../......../......../OOOOOOOO/OOOOOOOO O",
    ),
    Entry(
        "hexapawn",
        "pawns as in chess; the last row wins, and so does blocking the opponent",
        "prunus.games.breakthrough:Hexapawn",
        (
            Option("width", "int", 3, "columns"),
            Option("height", "int", 3, "rows; width x height <= 64"),
        ),
        _PAWNS,
        "X.X/.X./OOO O",
    ),
    Entry(
        "hex",
        "connect two opposite edges of the board with a chain of stones",
        "prunus.games.hex:Hex",
        (
            Option("size", "int", 11, "rows and columns, at most 11"),
            Option("swap", "bool", False, "the second player may take the first stone"),
        ),
        "rows from the top, X from the top to the bottom, O from the left to the right, and the "
        "player to move: .X./.O./... X",
        "/".join(["." * 5 + "X" + "." * 5, *["." * 11] * 10]) + " O",
    ),
    Entry(
        "dots",
        "dots and boxes: the last edge of a box takes it, and another turn",
        "prunus.games.dots:Dots",
        (
            Option("width", "int", 3, "columns of boxes"),
            Option("height", "int", 3, "rows of boxes; 64 edges at most, as 5 x 5 boxes have"),
        ),
        "the picture's rows, the lead of the player to move, and this player: +-+/|#|/+-+ 1 A",
        "+-+.+.+/|....../+.+.+.+/......./+.+.+.+/......./+.+.+.+ 0 A",
    ),
    Entry(
        "dobutsu",
        "dobutsu shogi: lion, giraffe, elephant and chick on 3 x 4 squares, with drops",
        "prunus.games.dobutsu:Dobutsu",
        (Option("early", "bool", False, "the game is won as soon as the lion can be captured"),),
        "rows from the top as the player to move sees them, his pieces in capitals, and both "
        "hands: gle/.c./.C./ELG -/-",
        "g.e/.cl/.C./ELG -/-",
    ),
    Entry(
        "podium-nim",
        "Nim for three: whoever takes last comes first, the player before second",
        "prunus.games.podium_nim:PodiumNim",
        (Option("piles", "piles", (1, 2, 3), "the start, as in 1-2-3"),),
        "the piles and the player to move: 1,2,2 B",
        "1,2,2 B",
    ),
    Entry(
        "tree",
        "a game tree of your own from a JSON file",
        "prunus.games.tree:read_tree",
        (Option("file", "str", "", "the JSON file"),),
        "the JSON file, and after # a node: tree.json#2.1 (with the option `file`: the node alone)",
        "tree.json#2.1",
    ),
    Entry(
        "figure",
        "a tree from the figures of the literature",
        "prunus.games.figures:figure_tree",
        (Option("name", "str", "000-figure-2", "which figure"),),
        "a node, by its name or its Dewey coordinates: 2.1",
        "2",
    ),
    Entry(
        "uniform",
        "uniform trees: random, ordered, best, worst or dependent",
        "prunus.games.uniform:UniformTree",
        (
            Option("degree", "int", 3, "children of each node"),
            Option("height", "int", 6, "depth of the leaves"),
            Option("order", "str", "random", "random, best, ordered, worst or dependent"),
            _SEED,
            Option("values", "int", 1 << 30, "the number of different leaf values (random)"),
            Option(
                "strength",
                "int",
                80,
                "the nodes in a hundred whose first child is the best (ordered)",
            ),
        ),
        "the children chosen from the root, from 1: 1 3 2",
        "1 3 2",
    ),
    Entry(
        "reluctant",
        "worst trees for randomised alpha-beta: wins and losses, at most one winning action",
        "prunus.games.reluctant:ReluctantTree",
        (
            Option("degree", "int", 2, "children of each node, at most 16"),
            Option("height", "int", 6, "depth of the leaves"),
            _SEED,
            Option("coins", "int", 0, "draws other orders of the actions in the same tree"),
            Option("won", "bool", False, "the root is won"),
        ),
        "the children chosen from the root, from 0: 1 0 1",
        "1 0 1",
    ),
    Entry(
        "random-game",
        "random games for tests: unequal depths, transpositions, passes",
        "prunus.games.random_game:RandomGame",
        (
            _SEED,
            Option("depth", "int", 6, "levels"),
            Option("width", "int", 6, "nodes in a level"),
            Option("branching", "int", 4, "most actions in a node"),
            Option("values", "int", 3, "utilities are -values to values"),
            Option("passes", "bool", True, "some actions keep the turn"),
            Option("transpositions", "bool", True, "several ways lead to a node; false: a tree"),
        ),
        "the actions played from the start: 0 2 1",
        "0 1",
    ),
)
"""One entry for each game."""
