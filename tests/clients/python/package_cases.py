"""The package as its users meet it: the README's examples, its types, and its judgement beside the server's."""

import ast
import json
import re
import shutil
import subprocess
import tempfile

from live import *

from both import ROOT, run

import manglecp
from manglecp import _request
from manglecp.types import Manifest

README = ROOT / "clients/python/README.md"
SOURCES = ROOT / "clients/python/src"
FIXTURE = {"domain": "tests/domains/fixture", "plugins": "test"}
BROWSER = {"domain": "domains/browser", "plugins": "product"}


def blocks():
    """(code, the output that the next block shows or None)"""
    found = re.findall(r"^```(\w+)\n(.*?)^```$", README.read_text(), re.M | re.S)
    for (language, body), (following, shown_output) in zip(found, [*found[1:], ("", "")]):
        if language == "python":
            yield body, shown_output if following == "text" else None


def example(body, folder):
    """What a program prints, run as a reader would in the repository's root."""
    # the build that is tested, which need not be the reader's
    (pathlib.Path(folder) / "example.py").write_text(body.replace("build/plugins/", f"{BUILD}/plugins/"))
    env = {**CHILD_ENV, "PYTHONPATH": str(SOURCES), "PATH": f"{BUILD / 'bin'}:{CHILD_ENV['PATH']}"}
    return subprocess.run(
        [sys.executable, "-B", f"{folder}/example.py"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def matches(wanted, got):
    pattern = ".*".join(re.escape(part) for part in wanted.split("..."))
    return re.fullmatch(pattern, got) is not None


def test_the_examples_of_the_readme_print_what_it_says():
    listener = Listening(BROWSER, "--open-demo")
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for body, output in blocks():
            if output is None:
                continue
            count += 1
            ran = example(body.replace("http://127.0.0.1:8765", listener.url), folder)
            expect(
                ran.returncode == 0 and matches(output, ran.stdout),
                f"the example\n{body}\nprinted\n{ran.stdout}{ran.stderr}",
            )
    listener.stop()
    expect(count >= 2, f"{count} examples were run")


def test_every_example_of_the_readme_uses_what_there_is():
    for body, _ in blocks():
        tree = ast.parse(body)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "manglecp":
                expect(hasattr(manglecp, node.attr), f"there is no manglecp.{node.attr}")
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "manglecp.Options":
                fields = manglecp.Options.__dataclass_fields__
                expect(all(k.arg in fields for k in node.keywords), ast.unparse(node))


def test_types_hold_in_the_strictest_mode():
    mypy = shutil.which("mypy") or (shutil.which("mypy", path=str(pathlib.Path(sys.executable).parent)))
    if not mypy:
        raise Skip("mypy is not installed")
    with tempfile.TemporaryDirectory() as cache:
        ran = subprocess.run(
            [mypy, "--cache-dir", cache, "--python-executable", sys.executable],
            cwd=ROOT / "clients/python",
            capture_output=True,
            text=True,
        )
    expect(ran.returncode == 0, ran.stdout + ran.stderr)


def pip(*words):
    settings = ["--disable-pip-version-check", "--no-input", "--retries", "0", "--timeout", "15"]
    try:
        return subprocess.run(
            [sys.executable, "-m", "pip", *words, *settings], capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise Skip("pip does not come to an end here") from None


def test_the_wheel_holds_the_package_and_works_where_it_is_installed():
    with tempfile.TemporaryDirectory() as folder:
        # pip builds inside of what it is given
        shutil.copytree(ROOT / "clients/python", f"{folder}/source", ignore=shutil.ignore_patterns("build", "*.egg-info"))
        ran = pip("wheel", "--no-deps", "-w", folder, f"{folder}/source")
        wheels = list(pathlib.Path(folder).glob("*.whl"))
        if not wheels and re.search("No module named pip|satisfies the requirement setuptools", ran.stdout + ran.stderr):
            raise Skip("there is no pip, or it gets no setuptools to build with")
        expect(wheels, ran.stdout + ran.stderr)
        version = manglecp.__version__
        equal([w.name for w in wheels], [f"manglecp-{version}-py3-none-any.whl"], "wheels")
        ran = pip("install", "--no-index", "--no-deps", "--target", f"{folder}/site", str(wheels[0]))
        equal(ran.returncode, 0, ran.stderr)
        site = pathlib.Path(folder) / "site"
        modules = {str(p.relative_to(SOURCES)) for p in SOURCES.rglob("*") if p.suffix in (".py", ".typed")}
        parts = [p for name in ("manglecp", "machina_dispatch") for p in (site / name).rglob("*")]
        there = {str(p.relative_to(site)) for p in parts if p.suffix in (".py", ".typed")}
        equal(there, modules, "files of the package")
        expect("manglecp/py.typed" in there, "nobody is told that it is typed")
        about = site / f"manglecp-{version}.dist-info"
        expect("Requires-Dist: websockets" in (about / "METADATA").read_text(), "the extra is not named")
        expect(list(about.rglob("LICENSE")), "it comes without its licence")
        env = {**CHILD_ENV, "PYTHONPATH": str(site)}
        words = [sys.executable, "-I", "-B", "-c", f"import sys; sys.path[:0] = [{str(site)!r}]; import manglecp, "
                 "manglecp.aio, manglecp.actions, machina_dispatch; print(manglecp.__version__, manglecp.__file__)"]  # fmt: skip
        ran = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
        equal(ran.stdout.split()[:1], [version], f"what it says of itself ({ran.stderr})")
        expect(str(site) in ran.stdout, f"another package was imported: {ran.stdout}")


def test_only_the_standard_library_and_one_more_are_imported():
    known = set(getattr(sys, "stdlib_module_names", ())) or {m.split(".")[0] for m in sys.modules}
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            )
            for name in names:
                top = name.split(".")[0]
                ours = top == "manglecp" and "machina_dispatch" in path.parts  # which is in the same package
                expect(ours or top in known or top in ("websockets", "__future__"), f"{path.name} imports {name}")
                expect(top != "websockets" or path.name == "_framing.py", f"{path.name} imports {name}")


def test_every_public_name_is_there_and_described():
    for name in manglecp.__all__:
        expect(hasattr(manglecp, name), f"there is no {name}")
    for kind in (manglecp.Client, manglecp.WorkingFacts):
        for name, member in vars(kind).items():
            if not name.startswith("_") and callable(member):
                expect(member.__doc__, f"{kind.__name__}.{name} is not described")
    for name in vars(manglecp.Client):
        expect(
            name.startswith("_") or name == "listen" or hasattr(manglecp.aio.AsyncClient, name),
            f"the asyncio client has no {name}",
        )


# Facts, each judged by the client and by the live server.
CANDIDATES = [
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"]},
    {"pred": "fx_basic", "args": ["tag", 2, False, [None]]},
    {"pred": "fx_basic", "args": ["tag", "1", True, "x"]},
    {"pred": "fx_basic", "args": ["tag", 1, "true", "x"]},
    {"pred": "fx_basic", "args": [True, 1, True, "x"]},
    {"pred": "fx_basic", "args": ["tag", True, True, "x"]},
    {"pred": "fx_basic", "args": ["tag", 1, True]},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x", "y"]},
    {
        "pred": "fx_basic",
        "args": ["tag", {"_type": "int64", "value": "5"}, True, {"_type": "int64", "value": "05"}],
    },
    {"pred": "fx_basic", "args": ["tag", {"_type": "int64", "value": "5"}, True, {"k": [1, {"l": "m"}]}]},
    {"pred": "fx_basic", "args": ["tag", 9007199254740992, True, "x"]},
    {"pred": "fx_basic", "args": ["tag", 1, True, 99999999999999999999]},
    {"pred": "fx_basic", "args": ["tag", 1, True, {"_var": "X"}]},
    {"pred": "fx_basic", "args": ["tag", 1, True, None]},
    {"pred": "fx_basic", "args": ["tag", 1, True, {"_type": "decimal", "value": "1"}]},
    {"pred": "fx_basic", "args": {}},
    {"pred": "fx_basic"},
    {"pred": "fx_basic", "named_args": []},
    {"pred": 7},
    {},
    7,
    "x",
    {"pred": "fx_basic", "args": [], "named_args": {}},
    {"pred": "fx_basic", "named_args": {"tag": "t", "n": 1, "on": True, "x": 1}},
    {"pred": "fx_basic", "named_args": {"tag": "t", "n": 1, "on": True, "x": 1, "y": 1}},
    {"pred": "fx_basic", "named_args": {"tag": "t", "n": 1, "on": True}},
    {"pred": "fx_basic", "named_args": {"tag": "t", "n": "1", "on": True, "x": 1}},
    {"pred": "fx_noname", "named_args": {"a": "a", "b": 1}},
    {"pred": "fx_noname", "args": ["a", 1]},
    {"pred": "fx_out", "args": ["x"]},
    {"pred": "fx_flag", "args": []},
    {"pred": "fx_flag", "named_args": {}},
    {"pred": "Fx", "args": []},
    {"pred": "1st", "args": []},
    {"pred": "a.b", "args": []},
    {"pred": "", "args": []},
    {"pred": "x" * 129, "args": []},
    {"pred": "x" * 128, "args": []},
    {"pred": "_private", "args": []},
    {"pred": "_manglecp_intent", "args": []},
    {"pred": "prohibited", "args": ["a", "b"]},
    {"pred": "zz_unknown", "args": []},
    {"pred": "disclosure_upgrade", "args": ["x"]},
    {"pred": "disclosure_upgrade", "args": [1]},
    {"pred": "disclosure_upgrade", "args": []},
    {"pred": "fx_undeclared_but_listed", "args": [1, [2]]},
    {"pred": "fx_undeclared_but_listed", "args": [1], "t": {"at": "now"}},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "t": {"at": "now"}},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "t": None},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "category": "server", "source": None},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "category": "permanent"},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "category": 7},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "source": {}},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "source": {"source_type": "robot"}},
    {
        "pred": "fx_basic",
        "args": ["tag", 1, True, "x"],
        "source": {"source_type": "x-robot", "source_id": "r", "more": 1},
    },
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "source": {"source_type": "scan", "source_id": 7}},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "source": {"source_type": "scan", "asserted_at": "_"}},
    {"pred": "fx_basic", "args": ["tag", 1, True, "x"], "source": {"source_type": "scan", "asserted_at": "now"}},
]
CANDIDATES += [
    {"pred": "fx_event", "args": ["a", "b"], "t": t}
    for t in (
        {"at": "now"},
        {"at": "_"},
        {},
        [],
        "now",
        {"at": "now", "start": "_"},
        {"start": "_"},
        {"end": "_"},
        {"start": "_", "end": "_"},
        {"start": "_", "end": "now"},
        {"start": "now", "end": "_"},
        {"start": "2026-01-02T00:00:00Z", "end": "2026-01-01T00:00:00Z"},
        {"start": "2026-01-02T00:00:00Z", "end": "2026-01-02T01:00:00+01:00"},
        {"at": "yesterday"},
        {"at": True},
        {"at": {}},
        {"at": "2026-02-30T00:00:00Z"},
        {"at": "2026-01-01"},
        {"at": "2026-01-01T00:00:00"},
        {"at": "2026-01-01 00:00:00Z"},
        {"at": "9999-01-01T00:00:00Z"},
        {"at": 1795300000000},
        {"at": 1.5},
        {"at": {"nanos": 1795300000000000000}},
        {"at": {"nanos": {"_type": "int64", "value": "1795300000000000000"}}},
        {"at": {"nanos": "1"}},
        {"at": {"nanos": 1, "x": 2}},
        {"at": "2026-01-01t00:00:00z"},
        {"at": "2026-01-01T00:00:00-00:00"},
        {"at": "now", "x": 1},
        {"op": "<-", "window": "5m"},
        {"at": 99999999999999999},
        {"start": "now", "end": "2001-01-01T00:00:00Z"},
        {"at": None},
    )
]


def test_the_client_finds_the_faults_that_the_server_finds():
    s = Session()
    m = Manifest.read(s.manifest["payload"])
    now = "2026-01-01T12:00:00Z"
    differ = []
    for candidate in CANDIDATES:
        name = "fx.free" if "fx_undeclared_but_listed" in str(candidate) else "fx.rank"  # which lists it
        answer = s.ask(
            request("intent_request", {"intent": {"name": name}, "facts": [candidate], "eval_time": now})
        )
        violations = answer["payload"].get("details", {}).get("violations", [])
        server = [v["issue"] for v in violations]
        client = [f.issue for f in _request.check_facts(m, [candidate], now)]
        if server != client:
            differ.append(f"{json.dumps(candidate)[:120]}: server {server}, client {client}")
    s.end()
    expect(not differ, "\n".join(differ))


def test_every_tool_of_the_fixture_has_a_schema_that_is_fully_judged():
    s = Session()
    from manglecp import schema

    seen = 0
    for info in s.manifest["payload"]["intents"]:
        answer = s.ask(
            request(
                "intent_request",
                {
                    "intent": {"name": info["name"]},
                    "facts": [
                        {"pred": "fx_basic", "args": ["tag", 1, True, "x"]},
                        {"pred": "fx_choice", "args": ["v"]},
                    ][
                        : (
                            2
                            if info["name"] == "fx.vary"
                            else 1 if "fx_basic" in info.get("required_facts", ()) else 0
                        )
                    ],
                    "options": {"disclosure_preference": "full"},
                    "constraints": {"max_compute_ms": 500},
                },
            )
        )
        for offered in answer["payload"].get("macro_tools", []):
            seen += 1
            _, is_open = schema._Check(offered["input_schema"]).faults(offered["input_schema"], {}, "", 0)
            expect(not is_open, f"{offered['name']}: a part of its schema is not judged here")
    s.end()
    expect(seen > 15, f"{seen} tools")


run(globals())
