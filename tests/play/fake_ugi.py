"""A UGI program for tic-tac-toe that plays the first empty square, and misbehaves as its argument
says."""

import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
SQUARES = [f"{column}{row}" for row in "123" for column in "abc"]


def say(*lines):
    print(*lines, sep="\n", flush=True)


def first_free(taken, number=0):
    return [square for square in SQUARES if square not in taken][number]


def main():
    taken, ponders = [], False
    for line in sys.stdin:
        words = line.split()
        sys.stderr.write(line)
        if words[0] == "ugi":
            say("id name Fake", "option name X type spin", "" if FAULT == "mute" else "ugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            taken = words[3:]
        elif FAULT == "ponders" and words[:2] == ["go", "ponder"]:
            ponders = True
        elif words[0] in ("stop", "ponderhit"):
            if ponders:
                say(f"bestmove {first_free(taken)}")
            ponders = False
        elif words[0] == "go":
            if FAULT == "dies":
                sys.exit(3)
            if FAULT == "silent":
                time.sleep(60)
            if FAULT == "slow":
                time.sleep(0.3)
            say("info depth 3 score cp x", "info depth 2 score cp 7 pv a", "info string score")
            if FAULT == "illegal":
                say("bestmove z9")
            elif FAULT == "empty":
                say("bestmove")
            elif FAULT == "ponders" and len(taken) < 6:
                say(f"bestmove {first_free(taken)} ponder {first_free(taken, 1)}")
            else:
                say(f"bestmove {first_free(taken)}")
        elif words[0] == "quit":
            return


main()
