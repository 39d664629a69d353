"""A program that speaks the engine protocol and misbehaves in the way that its first argument names, now and then or always."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any, NoReturn


def say(words: dict[str, Any]) -> None:
    """Write a line."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def flood(text: str) -> NoReturn:
    """Write for ever."""
    while True:
        sys.stdout.write(text)
        sys.stdout.flush()


def misbehave(how: str, told: dict[str, Any], said: int) -> int:
    """Answer a choice in the way that is named, after a pause that the environment may ask for; return how many lines were said."""
    time.sleep(float(os.environ.get("PAUSE_S", "0")))
    answer = {"t": "move", "n": said + 1, "to": told["n"], "move": told["view"]["legal"][0]}
    match how:
        case "garbage":
            sys.stdout.write("I think I'll attack\n")
            sys.stdout.flush()
        case "binary":
            sys.stdout.buffer.write(b"\xff\x00\xfe{\n")
            sys.stdout.flush()
        case "illegal":
            say(answer | {"move": "beat 2c 3c"})
        case "silence":
            return said
        case "crash":
            sys.exit("out of ideas")
        case "stale":
            while True:
                said += 1
                say(answer | {"n": said, "to": 1})
        case "flood":
            flood("x\n" * 1000)
        case "endless":
            flood("x" * 10_000)
        case "number":
            say(answer | {"n": 5})
        case "late":
            time.sleep(0.4)
            say(answer)
        case "confused":
            say({"t": "error", "n": said + 1, "to": told["n"], "why": "what?"})
        case "deaf":
            say(answer)
            time.sleep(600)
    return said + 1


def main(how: str, pids: str) -> None:
    """Greet as one should, and misbehave at every choice; write down the processes that there are."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(pids, "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()} {child.pid} ")
    said = 0
    for line in sys.stdin:
        told = json.loads(line)
        if told["t"] == "hello":
            if how == "rude":
                time.sleep(600)
            said += 1
            say({"t": "hello", "n": said, "to": told["n"], "protocol": 1 if how != "future" else 2, "name": how})
        elif told["t"] == "choose":
            said = misbehave(how, told, said)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
