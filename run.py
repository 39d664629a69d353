#!/usr/bin/env python3
"""
From a fresh clone to a game, or to every test, in one command.

    python3 run.py                    play: the server starts and prints its address
    python3 run.py test               every check and every test
    python3 run.py test PYTEST-ARGS   only pytest, with these arguments
    python3 run.py audit              asks whether a known vulnerability is in the locked packages
    python3 run.py soak SECONDS       the long tests, each for so many seconds where it goes on for as long as it is let
    python3 run.py COMMAND …          any other command of kozyr: play, perft, verify, bench, --help …

Standard library only. Makes .venv, installs the locked packages, compiles the engine where a C compiler is found, builds the
browser client (Node comes from PyPI where the machine has none), then starts what was asked for. On a Debian or Ubuntu that
lacks a system package, it installs that package when it is root, and names it otherwise.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
PY = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
LOCKS = ROOT / "requirements"
PART_OF_TEST = ("run", "postgres", "brokers", "build", "test")  # what is installed once test.txt is: it pins the same versions
IN_BOTH_FORMS = ("tests/examples", "tests/traces")  # run again with the engine interpreted, where it is compiled
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
OTHER_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)


class Failed(Exception):
    """
    A step that could not be done; the text is for the person at the keyboard.
    """


def say(text: str) -> None:
    print(f"» {text}", file=sys.stderr, flush=True)


def run(*command: object, **options: object) -> None:
    """
    Run *command* in the repository, its output on stderr.
    """
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, stdout=sys.stderr, **options)  # type: ignore[call-overload]
    if done.returncode:
        raise Failed(f"this command failed ({done.returncode}): {' '.join(words)}")


def answer(*command: object) -> str | None:
    """
    Run *command* quietly; what it printed, or None when it failed.
    """
    try:
        done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return None if done.returncode else done.stdout.strip()


# ---- what must be there ----------------------------------------------------------------------------------------------------


def find_right_python() -> None:
    """
    Go on in a newer Python, since this one is too old.
    """
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        if exe := shutil.which(name):
            os.execv(exe, [exe, __file__, *sys.argv[1:]])
    sys.exit(f"run.py: Python 3.11 or newer is needed; this is {sys.version.split()[0]}")


def apt(*names: str) -> bool:
    """
    Install system packages on Debian or Ubuntu, as root; tell whether they are there now.
    """
    if WINDOWS or not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    say(f"apt-get install {' '.join(names)}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def does(*words: str) -> bool:
        done = subprocess.run(["apt-get", "-q", *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        output.append(done.stdout)
        return done.returncode == 0

    output: list[str] = []
    install = ("install", "-y", "--no-install-recommends", *names)
    # A fresh machine has no lists of packages, and an old one old lists: those are fetched only where they are needed.
    if does(*install) or (does("-o", "Acquire::Languages=none", "update") and does(*install)):
        return True
    print("".join(output), file=sys.stderr)
    return False


def make_venv() -> None:
    """
    Make .venv with pip in it, by whatever this machine has; keep one that works.
    """
    stamp = VENV / ".made-for"
    version = answer(PY, "-ISc", "import sys; print(sys.prefix, sys.version)") if PY.exists() else None
    if version and stamp.exists() and stamp.read_text() == version:
        return
    if not (version and answer(PY, "-m", "pip", "--version")):
        say("making .venv")
        _fresh_venv()
    stamp.write_text(answer(PY, "-ISc", "import sys; print(sys.prefix, sys.version)") or "")
    site = answer(PY, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    Path(site or "", "kozyr-src.pth").write_text(f"{ROOT / 'src'}\n")


def _fresh_venv() -> None:
    ways: tuple[Sequence[object], ...] = (
        (sys.executable, "-m", "venv", VENV),
        ("uv", "venv", "--quiet", "--seed", "--python", sys.executable, VENV),
        (sys.executable, "-m", "virtualenv", VENV),
    )

    def one_works(commands: Iterable[Sequence[object]]) -> bool:
        for command in commands:
            shutil.rmtree(VENV, ignore_errors=True)
            if answer(*command) is not None and answer(PY, "-m", "pip", "--version"):
                return True
        shutil.rmtree(VENV, ignore_errors=True)
        return False

    if not one_works(ways) and not (apt("python3-venv") and one_works(ways[:1])):
        raise Failed("this Python cannot make virtual environments; on Debian or Ubuntu: apt install python3-venv")


def install(*names: str) -> None:
    """
    Install lock files, unless what they say is installed.
    """
    wanted = {name: hashlib.sha256((LOCKS / f"{name}.txt").read_bytes()).hexdigest() for name in {*names, *PART_OF_TEST}}
    stamps = {name: VENV / f".installed-{name}" for name in wanted}
    missing = [name for name in names if not stamps[name].exists() or stamps[name].read_text() != wanted[name]]
    if not missing:
        return
    say(f"installing {', '.join(f'requirements/{name}.txt' for name in missing)}")
    files = [word for name in missing for word in ("-r", LOCKS / f"{name}.txt")]
    run(PY, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--root-user-action=ignore", "--require-hashes", *files)
    for name in PART_OF_TEST if "test" in missing else missing:
        stamps[name].write_text(wanted[name])


def build_engine(extra_locks: tuple[str, ...] = ()) -> None:
    """
    Bring the packages and the compiled engine up to date; without a C compiler the engine's Python sources run.
    """
    state = "current" if os.environ.get("KOZYR_PURE") else answer(PY, "tools/engine.py")
    install("run", *(("build",) if state == "compile" and "test" not in extra_locks else ()), *extra_locks)
    if state == "compile":
        say("compiling the engine")
        started = subprocess.run([str(PY), "tools/engine.py", "build"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        if started.returncode:
            raise Failed("the engine did not compile; KOZYR_PURE=1 runs it interpreted")
        if started.stdout.strip() != "compiled":
            say("the C compiler failed: the engine runs interpreted, with the same results at a fortieth of the speed")
    elif state == "interpret":
        answer(PY, "tools/engine.py", "build")
        say("no C compiler with Python's headers: the engine runs interpreted, with the same results at a fortieth of the speed")


def build_client() -> None:
    """
    Bring the browser client up to date.
    """
    sys.path.insert(0, str(ROOT / "tools"))
    import webclient

    if webclient.is_current():
        return
    if not webclient.system_npm():
        install("node")
    say("building the browser client")
    run(PY, "tools/webclient.py", "build")


def side_by_side(*steps: Callable[[], None]) -> None:
    """
    Do independent steps at once; when one fails, the others finish first.
    """
    with ThreadPoolExecutor(len(steps)) as pool:
        for done in [pool.submit(step) for step in steps]:
            done.result()


# ---- play ------------------------------------------------------------------------------------------------------------------


def start(words: list[str]) -> int:
    """
    Run a command of kozyr, which serves when it is asked nothing.
    """
    make_venv()
    extra: tuple[str, ...] = ()
    if "--hints" in words or "KOZYR_HINTS" in os.environ:
        extra = ("brokers",)
    elif any(word.startswith(("postgresql://", "postgres://")) or word == "--sql" for word in words):
        extra = ("postgres",)
    side_by_side(lambda: build_engine(extra), build_client)
    sys.stdout.flush()
    if not WINDOWS:
        os.execv(PY, [str(PY), "-m", "kozyr", *words])
    return subprocess.run([str(PY), "-m", "kozyr", *words], check=False).returncode


# ---- test ------------------------------------------------------------------------------------------------------------------


def find_browser() -> str | None:
    """
    Find a browser for the end-to-end tests: the machine's own, else Debian's package, else Playwright's download.
    """

    def own() -> str | None:
        if named := os.environ.get("KOZYR_CHROMIUM"):
            return named
        on_path = next(filter(None, map(shutil.which, BROWSERS)), None)
        return on_path or next((path for path in OTHER_BROWSERS if Path(path).exists()), None)

    if browser := own():
        return browser
    if apt("chromium") and (browser := own()):
        return browser
    say("playwright install chromium")
    return "playwright" if answer(PY, "-m", "playwright", "install", "chromium") is not None else None


def find_postgres() -> str | None:
    """
    Find the folder of PostgreSQL's programs: the machine's own, else Debian's package.
    """

    def own() -> str | None:
        if named := os.environ.get("KOZYR_POSTGRES"):
            return named
        if on_path := shutil.which("initdb"):
            return str(Path(on_path).resolve().parent)
        installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: -float(path.parts[-3]))
        return str(installed[0].parent) if installed else None

    return own() or (own() if apt("postgresql") else None)


def find_brokers() -> list[str]:
    """
    Find the servers that hints can go by: the machine's own, else Debian's packages; names those that are missing.
    """
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
    kinds = {"nats-server": ("nats-server",), "redis-server": ("valkey-server", "redis-server")}

    def missing() -> list[str]:
        return [name for name, programs in kinds.items() if not any(shutil.which(each, path=places) for each in programs)]

    if lacking := missing():
        apt(*lacking)
    return missing()


def checks() -> dict[str, list[str]]:
    """
    List the checks that are no tests: name and command.
    """
    python = str(PY)
    return {
        "ruff": [python, "-m", "ruff", "check"],
        "mypy --strict": [python, "-m", "mypy"],
        "import-linter": [python, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-logo"],
        "svelte-check": [python, "tools/webclient.py", "check"],
        "vitest": [python, "tools/webclient.py", "test"],
    }


def check(item: tuple[str, list[str]]) -> tuple[str, bool, float]:
    """
    Run one check, showing its output when it failed; its name, whether it passed, and the seconds it took.
    """
    name, command = item
    began = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    fine = done.returncode == 0
    print(f"---- {name}: {'passed' if fine else 'FAILED'}\n{'' if fine else done.stdout}", end="", flush=True)
    return name, fine, time.monotonic() - began


def counts(report: Path) -> tuple[int, int, int]:
    """
    Read how many tests passed, failed and were skipped from pytest's own report.
    """
    suites = list(ElementTree.parse(report).iter("testsuite")) if report.exists() else []
    total, skipped = (sum(int(suite.get(key, 0)) for suite in suites) for key in ("tests", "skipped"))
    failed = sum(int(suite.get(key, 0)) for suite in suites for key in ("failures", "errors"))
    return total - failed - skipped, failed, skipped


def run_pytest(name: str, words: Sequence[str], env: dict[str, str]) -> tuple[tuple[str, bool, float], tuple[int, int, int]]:
    """
    Run a part of the tests over all cores; a line for the summary, and how many passed, failed and were skipped.
    """
    report = ROOT / f".pytest_cache/{name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    print(f"---- {name}", flush=True)
    command = [str(PY), "-m", "pytest", "-n", str(workers()), f"--junitxml={report}", *words]
    done = subprocess.run(command, cwd=ROOT, env=env, check=False)
    return (name, done.returncode == 0, time.monotonic() - began), counts(report)


def workers() -> int:
    """
    Count the processes that a test run may keep busy.
    """
    return max(2, os.cpu_count() or 2)


def prepare_tests() -> dict[str, str]:
    """
    Bring all that tests need up to date; the environment that they run in.
    """
    make_venv()
    side_by_side(lambda: build_engine(("test",)), build_client)
    if answer(PY, "-m", "playwright", "--version") is None:
        apt("libatomic1")  # Playwright's own Node needs it, and a bare Debian lacks it
    browser = find_browser()
    if browser is None and os.environ.get("CI"):
        raise Failed("no browser for the end-to-end tests, and CI must have one")
    postgres = find_postgres()
    if postgres is None and os.environ.get("CI"):
        raise Failed("no PostgreSQL for the tests of many processes, and CI must have one")
    brokers = find_brokers()
    if brokers and os.environ.get("CI"):
        raise Failed(f"no {' and no '.join(brokers)} for the tests of hints, and CI must have them")
    return {**os.environ, "KOZYR_CHROMIUM": browser or "none", **({"KOZYR_POSTGRES": postgres} if postgres else {})}


def soak(words: list[str]) -> int:
    """
    Run the tests that are marked to run for long: `soak [SECONDS] [PYTEST-ARGS]`.
    """
    seconds, more = (words[0], words[1:]) if words and words[0].isdigit() else ("600", words)
    env = {**prepare_tests(), "KOZYR_SOAK_SECONDS": seconds}
    command = [str(PY), "-m", "pytest", "-m", "soak", "-o", "faulthandler_timeout=0", *more]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def test(words: list[str]) -> int:
    """
    Run every check and every test; with *words*, only pytest with these arguments.
    """
    env = prepare_tests()
    if words:
        return subprocess.run([str(PY), "-m", "pytest", *words], cwd=ROOT, env=env, check=False).returncode
    with ThreadPoolExecutor(workers()) as pool:
        results = list(pool.map(check, checks().items()))
    # A folder of its own: pytest clears away those of earlier runs, also while another run of the same user still needs its one.
    with tempfile.TemporaryDirectory(prefix="kozyr-test-", ignore_cleanup_errors=True) as folder:
        env["PYTEST_DEBUG_TEMPROOT"] = folder
        parts = [run_pytest("pytest", [], env)]
        if not os.environ.get("KOZYR_PURE") and answer(PY, "tools/engine.py", "form") == "compiled":
            parts.append(run_pytest("pytest interpreted", IN_BOTH_FORMS, {**env, "KOZYR_PURE": "1"}))
    print()
    for name, fine, seconds in [*results, *(line for line, _ in parts)]:
        print(f"{name:20} {'passed' if fine else 'FAILED'}  {seconds:6.1f} s")
    passed, failed, skipped = (sum(numbers) for numbers in zip(*(count for _, count in parts), strict=True))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return 0 if all(fine for _, fine, _ in [*results, *(line for line, _ in parts)]) else 1


def audit(words: list[str]) -> int:
    """
    Ask whether a known vulnerability is in the packages that are locked.
    """
    make_venv()
    install("test")
    return subprocess.run([str(PY), "tools/audit.py", *words], cwd=ROOT, check=False).returncode


def main(words: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  (this file also runs in Pythons too old for the rest)
        find_right_python()
    try:
        steps = {"test": test, "soak": soak, "audit": audit}
        return steps[words[0]](words[1:]) if words and words[0] in steps else start(words)
    except Failed as why:
        print(f"run.py: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
