"""Who takes part, where each comes from, and why one does not.

    every(build)   [Peer]; what is missing is installed into the cache folder, at pinned versions, from the registries that
                   pip, cargo, go and apt are set up for. Nothing outside that folder changes.
"""
import dataclasses
import hashlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "peers"
DUCKDB, CLINGO = "1.5.4", "5.8.0"
SWI_PACKAGES = ("libossp-uuid16", "libtcmalloc-minimal4", "swi-prolog-core", "swi-prolog-core-packages", "swi-prolog-nox")
INSTALL_S = 600


@dataclasses.dataclass
class Peer:
    name: str
    version: str = ""
    command: tuple = ()
    extension: str = "mg"     # of its programs; without a file for a workload it takes no part in that
    env: dict = dataclasses.field(default_factory=dict)
    missing: str = ""         # why it takes no part at all


class Missing(Exception):
    """A peer cannot be had here."""


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "manglecp-bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def must(*command, cwd=None, **env):
    try:
        done = subprocess.run(list(map(str, command)), cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True,
                              timeout=INSTALL_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as why:
        raise Missing(f"{command[0]}: {why}") from why
    if done.returncode:
        raise Missing(f"{pathlib.Path(command[0]).name}: {(done.stderr.strip().splitlines() or ['failed'])[-1][:200]}")
    return done.stdout


def found(program):
    path = shutil.which(program)
    if not path:
        raise Missing(f"no {program} here")
    return path


def sqlite_peer():
    return Peer("SQLite", sqlite3.sqlite_version, (sys.executable, SOURCES / "sqlite_peer.py"), "sql")


def of_pip(package, version):
    """The Python of an environment that has the package."""
    folder = cache() / f"{package}-{version}"
    python = folder / "bin/python"
    if not (folder / "complete").exists():
        must(sys.executable, "-m", "venv", "--clear", folder)
        must(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{package}=={version}")
        (folder / "complete").touch()
    return python


def duckdb_peer():
    return Peer("DuckDB", DUCKDB, (of_pip("duckdb", DUCKDB), SOURCES / "duckdb_peer.py"), "sql")


def clingo_peer():
    return Peer("clingo", CLINGO, (of_pip("clingo", CLINGO), SOURCES / "clingo_peer.py"), "lp")


def unpacked_swi():
    root = cache() / "swi"
    if not (root / "complete").exists():
        found("apt-get")
        root.mkdir(exist_ok=True)
        must("apt-get", "-q", "download", *SWI_PACKAGES, cwd=root)
        for package in sorted(root.glob("*.deb")):
            must("dpkg", "-x", package, root)
        (root / "complete").touch()
    return root


def swi_peer():
    command, env = [shutil.which("swipl")], {}
    if not command[0]:
        root = unpacked_swi()
        home = root / "usr/lib/swi-prolog"
        command = [next(home.glob("bin/*/swipl")), f"--home={home}"]
        env = {"LD_LIBRARY_PATH": ":".join(str(p) for p in [*root.glob("usr/lib/*-linux-gnu"), *home.glob("lib/*")])}
    number = int(must(*command, "-g", "current_prolog_flag(version, V), print(V)", "-t", "halt", **env))
    return Peer("SWI-Prolog", f"{number // 10000}.{number // 100 % 100}.{number % 100}", (*command, "-g", "main", SOURCES / "swi_peer.pl", "--"), "pl", env)


def locked(package):
    lines = (SOURCES / "rust/Cargo.lock").read_text().splitlines()
    return lines[lines.index(f'name = "{package}"') + 1].split('"')[1]


def rust_peer(name, package):
    cargo = found("cargo")
    target = cache() / "rust"
    must(cargo, "build", "--release", "--locked", "--quiet", cwd=SOURCES / "rust", CARGO_TARGET_DIR=str(target))
    return Peer(name, locked(package), (target / "release/peers", package))


def go_peer():
    go = shutil.which("go") or "/usr/local/go/bin/go"
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in sorted((SOURCES / "go").iterdir()))).hexdigest()[:12]
    program = cache() / f"mangle-go-{digest}"
    if not program.exists():
        must(go, "build", "-o", program, ".", cwd=SOURCES / "go")
    version = next(line.split()[-1] for line in (SOURCES / "go/go.mod").read_text().splitlines() if "mangle-go" in line)
    return Peer("mangle-go", version.lstrip("v"), (program,))


def souffle_peer():
    raise Missing("no package of Debian, PyPI, npm, crates.io or Go has it")


def built(name, program):
    if not program.exists():
        raise Missing(f"{program.name} is not built")
    return Peer(name, "", (program,))


def every(build, wanted=None):
    """Ours first. `wanted`: names, or all."""
    makers = {
        "ours": lambda: built("ours", build / "bench/engine_ours"),
        "limit in C": lambda: built("limit in C", build / "bench/engine_limit"),
        "datafrog": lambda: rust_peer("datafrog", "datafrog"), "Ascent": lambda: rust_peer("Ascent", "ascent"),
        "DuckDB": duckdb_peer, "SQLite": sqlite_peer, "clingo": clingo_peer, "SWI-Prolog": swi_peer, "mangle-go": go_peer,
        "Soufflé": souffle_peer}
    for name, make in makers.items():
        if wanted and name not in wanted:
            continue
        try:
            yield make()
        except Missing as why:
            yield Peer(name, missing=str(why))
