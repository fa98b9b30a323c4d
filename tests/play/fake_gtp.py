"""A GTP program for tic-tac-toe that plays the first empty square, and misbehaves as its argument
says."""

import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
SQUARES = [f"{column}{row}" for row in "123" for column in "abc"]
KNOWN = [
    "name",
    "version",
    "list_commands",
    "clear_board",
    "play",
    "genmove",
    "time_settings",
    "time_left",
    "quit",
]


def answer(text="", sign="="):
    print(f"{sign} {text}\n", flush=True)


def genmove(taken):
    if FAULT == "silent":
        time.sleep(60)
    if FAULT == "dies":
        sys.stderr.write("out of luck\n")
        sys.exit(3)
    if FAULT == "babbles":
        print("hello\n", flush=True)
        return
    if FAULT == "slow":
        time.sleep(0.2)
    if FAULT == "refuses":
        answer("cannot", "?")
        return
    move = {"illegal": "z9", "resigns": "resign"}.get(FAULT) or next(
        square for square in SQUARES if square not in taken
    )
    taken.append(move)
    answer(move.upper())


def main():
    taken = []
    for line in sys.stdin:
        command, *words = line.split()
        if command == "list_commands":
            answer("\n".join(KNOWN if FAULT != "ignorant" else ["name"]))
        elif command == "name":
            answer("Fake")
        elif command == "version":
            answer("1")
        elif command == "clear_board":
            taken = []
            answer()
        elif command == "play":
            taken.append(words[1])
            answer()
        elif command == "genmove":
            genmove(taken)
        elif command in ("time_settings", "time_left"):
            sys.stderr.write(line)
            answer()
        elif command == "quit":
            answer()
            return
        else:
            answer("unknown command", "?")


main()
