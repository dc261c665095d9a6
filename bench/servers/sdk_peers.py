"""Servers on the official SDKs of MCP, pinned, fetched into the cache folder that the engine's peers have (bench/engine/peers.py).

    every()   [Peer]; one that cannot be had here has its reason in `missing`.
"""
import hashlib
import pathlib
import shutil

from peers import Missing, Peer, cache, found, must, of_pip

SOURCES = pathlib.Path(__file__).resolve().parent / "peers"
NODE_PACKAGES = ("@modelcontextprotocol/server@2.4.0", "@modelcontextprotocol/node@2.1.2")
PYTHON = "2.3.0"


def go_sdk():
    go = shutil.which("go") or "/usr/local/go/bin/go"
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in sorted((SOURCES / "go").iterdir()))).hexdigest()[:12]
    program = cache() / f"mcp-go-{digest}"
    if not program.exists():
        must(go, "build", "-o", program, ".", cwd=SOURCES / "go")
    version = next(line.split()[-1] for line in (SOURCES / "go/go.mod").read_text().splitlines() if "go-sdk" in line)
    return Peer("Go SDK", version.lstrip("v"), (program,))


def typescript_sdk():
    node, npm = found("node"), found("npm")
    version = NODE_PACKAGES[0].rpartition("@")[2]
    folder = cache() / f"mcp-typescript-{version}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        must(npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, *NODE_PACKAGES)
        (folder / "complete").touch()
    shutil.copy(SOURCES / "typescript.mjs", folder)  # it finds the packages from where it stands
    return Peer("TypeScript SDK", version, (node, folder / "typescript.mjs"))


def python_sdk():
    return Peer("Python SDK", PYTHON, (of_pip("mcp", PYTHON), SOURCES / "python_peer.py"))


def every():
    for name, make in (("Go SDK", go_sdk), ("TypeScript SDK", typescript_sdk), ("Python SDK", python_sdk)):
        try:
            yield make()
        except Missing as why:
            yield Peer(name, missing=str(why))
