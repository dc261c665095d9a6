#!/usr/bin/env python3
"""Hostile actions of every kind, as steps of a real server (cells.py has what they do): each costs one step, the next call
works, nothing of it is left running or lying about, and nothing was read that should not be.

  run.py BUILD_DIR [TEXT]        cells whose name ("command: a crash") contains TEXT

Each kind has servers of its own, as the user who runs this and, if that is root, as an ordinary user as well. That names change
what they mean is played in a network of its own (network.py). TAP."""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "clients/python/src"), str(HERE), str(HERE.parent)]
import cells
import http_server
import manglecp
import network

BUILD = pathlib.Path(sys.argv[1]).resolve()
ONLY = sys.argv[2] if len(sys.argv) > 2 else ""  # or --lane
ASAN = os.environ.get("MACHINA_TOOLHOST_RLIMIT_AS_MB") == "0"
SECRET, HIDDEN = "needle-of-the-server", "needle-of-a-setting"
PLUGIN_SERVERS = 4  # a host may start five workers a minute (T-ISO-15), and most of these cells take one
UIDS = itertools.count(61000)  # of ordinary users; the kernel counts the processes of each, so they share none
SHORT = "500ms"

# ---- domains ------------------------------------------------------------------------------------------------

PLAY = {"type": "object", "properties": {"what": {"type": "string"}, "argument": {"type": "string"}}}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}


def tool(name, action, schema, inputs, timeout="20s"):
    return {"tool": name, "summary": name, "description": name, "input_schema": schema, "result": {"from": "steps.it.output"},
            "steps": [{"id": "it", "action": action, "timeout": timeout, "failure_text": {"from": "action"}, "inputs": inputs}]}


def players(action, name="play", inputs=("what", "argument"), **more):
    taken = {key: {"from": f"args.{key}", **more} for key in inputs}
    return [tool(name, action, PLAY, taken), tool(name + "_short", action, PLAY, taken, SHORT)]


def tellers(action):
    """What is said comes as an argument, or from a rule that binds what a fact says."""
    given = {"text": {"from": "args.text"}}
    return [tool(name, action, TEXT, given) for name in ("echo", "told")]


def plugin(folder, server):
    return {"plugins": [{"name": "captive", "may": ["shell"]}]}, players("AID.CAPTIVE.TRY.v1") + tellers("AID.TEST.ECHO.v1")


def host(program, *run):
    def make(folder, server):
        shutil.copy(HERE / program, folder)
        return ({"hosts": [{"name": "h", "run": [*run, program], "may": ["shell"], "read": ["."]}]},
                players("AID.H.PLAY.v1") + tellers("AID.H.ECHO.v1"))
    return make


def command(folder, server):
    shutil.copy(HERE.parent / "hostile_program.py", folder)
    program = ["/usr/bin/python3", "hostile_program.py"]
    common = {"description": "d", "side_effects": "none", "read": ["."]}
    play = program + ["{what}", {"if": "argument", "then": ["{argument}"]}]
    actions = [{"name": "play", "run": play, **common}, {"name": "play_json", "run": play, "output": "json", **common},
               {"name": "play_jsonl", "run": play, "output": "jsonl", **common},
               {"name": "play_lines", "run": play, "output": "lines", **common},
               {"name": "echo", "run": program + ["words", "{text}"], "output": "text", **common}]
    (folder / "actions.yaml").write_text(json.dumps(actions))
    tools = [t for a in actions[:4] for t in players(f"AID.H.{a['name'].upper()}.v1", a["name"], default="")]
    return {"commands": "actions.yaml"}, tools + tellers("AID.H.ECHO.v1")


def http(folder, server):
    origin = f"http://127.0.0.1:{server.port}"
    common = {"description": "d", "side_effects": "none"}
    requests = [{"name": "play", "url": "/{what}", **common}, {"name": "go", "url": "/redirect/302/{what}", **common},
                {"name": "echo", **common, "method": "POST", "url": "/echo/{text}", "query": {"q": "{text}"},
                 "body": {"json": ["text"]}}]
    (folder / "api.yaml").write_text(json.dumps({"server": origin, "private": True, "requests": requests}))
    return ({"http": "api.yaml"}, players("AID.H.PLAY.v1", inputs=["what"]) + players("AID.H.GO.v1", "go", inputs=["what"]) +
            tellers("AID.H.ECHO.v1"))


def names(folder, server):
    """One server by its name, which another server has had before; nobody said that addresses may be private."""
    origin, other = (f"http://{network.NAME}:{port}" for port in (server.port, server.other.port))
    server.targets = {"changed": other + "/echo", "private": f"http://127.0.0.1:{server.other.port}/echo"}
    common = {"description": "d", "side_effects": "none"}
    requests = [{"name": "play", "url": "/{what}", **common}, {"name": "go", "url": "/redirect/302/{what}", **common}]
    allow = [other, f"http://127.0.0.1:{server.other.port}"]
    (folder / "api.yaml").write_text(json.dumps({"server": origin, "allow": allow, "requests": requests}))
    return {"http": "api.yaml"}, players("AID.H.PLAY.v1", inputs=["what"]) + players("AID.H.GO.v1", "go", inputs=["what"])


KINDS = {"plugin": plugin, "python host": host("host_program.py", "/usr/bin/python3"),
         "node host": host("host_program.mjs", shutil.which("node") or "node"), "command": command, "http": http, "names": names}


def write_domain(folder, kind, server):
    folder.mkdir()
    actions, tools = KINDS[kind](folder, server)
    names = [t["tool"] for t in tools]
    domain = {"server": {"name": "hostile", "version": "1.0.0"}, "domain": {"id": "h", "description": "d"},
              "settings": {"hidden": {"type": "string", "default": HIDDEN, "description": "d"}},
              "intents": [{"name": "go", "description": "g", "open": True, "optional_facts": ["said"]}],
              "actions": {**actions, "processes": 1, "confine": "required", "wait": "30s"}}
    (folder / "domain.yaml").write_text(json.dumps(domain))
    (folder / "tools").mkdir()
    (folder / "tools/all.yaml").write_text(json.dumps(tools))
    (folder / "rules/schema").mkdir(parents=True)
    (folder / "rules/domain").mkdir()
    (folder / "rules/schema/said.mg").write_text('Decl said(Text) descr [doc("Words."), direction("input")] bound [/string].\n')
    (folder / "rules/domain/go.mg").write_text(
        "".join(f'tool_relevant_to_intent("{n}", "go", 90) :- intent_type(_, "go").\n' for n in names) +
        'param_bound("told", "text", Text) :- said(Text).\n' * ("told" in names))


# ---- processes ----------------------------------------------------------------------------------------------

class Table:
    """pid: (parent, state, name); looked at once for all who ask at the same time."""
    lock, at, rows = threading.Lock(), 0, {}

    @classmethod
    def since(cls, begun):
        """As it was at `begun`, or later."""
        with cls.lock:
            if cls.at < begun:
                cls.at, cls.rows = time.monotonic(), dict(cls.look())
            return cls.rows

    @staticmethod
    def look():
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat") as file:
                    stat = file.read()
            except OSError:
                continue
            state, parent = stat[stat.rindex(")") + 2:].split(None, 2)[:2]
            yield int(entry), (int(parent), state, stat[stat.index("(") + 1:stat.rindex(")")])


def below(pid):
    """Living descendants: (pid, name, command line)"""
    table, found, parents = Table.since(time.monotonic()), [], {pid}
    while parents:
        parents = {p for p, (parent, *_) in table.items() if parent in parents}
        for p in parents:
            try:
                line = pathlib.Path(f"/proc/{p}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if table[p][1] not in "ZX":
                found.append((p, table[p][2], line))
    return found


def as_user(uid):
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"] if uid else []


def given_group(uid):
    """A control group that root gives to an ordinary user, who may make more in it (confine/group.h); None: there is none."""
    own = next((line[3:].strip() for line in open("/proc/self/cgroup") if line.startswith("0::/")), None)
    for mount in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup"):
        try:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="test-hostile-", dir=mount + own))
            if not (folder / "cgroup.procs").exists():
                folder.rmdir()
                continue
            for path in (folder, folder / "cgroup.procs"):
                os.chown(path, uid, uid)
            return folder
        except (OSError, TypeError):
            continue
    return None


# ---- a lane: one server, its cells one after the other --------------------------------------------------------

class Lane:
    def __init__(self, kind, user, rows):
        self.kind, self.rows = kind, rows
        self.uid = next(UIDS) if user == "nobody" else 0
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
        self.home.chmod(0o755)
        self.temporary = self.home / "tmp"
        self.temporary.mkdir()
        self.secret, self.link, self.made = (self.home / name for name in ("secret", "domain/link", "tmp/made"))
        self.secret.write_text(SECRET)
        self.http = http_server.Server(("0.0.0.0", 0)) if kind in ("http", "names") else None
        if kind == "names":
            self.http.other = http_server.Server()
        if kind == "http":
            self.http.targets = {"file": "file:///proc/self/environ", "meta": "http://169.254.169.254/latest"}
        write_domain(self.home / "domain", kind, self.http)
        (self.home / "domain/inside").write_text("inside")
        self.link.symlink_to("inside")
        if self.uid:
            os.chown(self.temporary, self.uid, self.uid)
        for path in self.home.rglob("*"):
            if not path.is_symlink() and path != self.temporary:
                path.chmod(0o755 if path.is_dir() else 0o644)
        self.group = given_group(self.uid) if self.uid else None
        self.answers, self.took = [], []

    def start(self):
        env = {"PATH": "/usr/bin:/bin", "TMPDIR": str(self.temporary), "SECRET_OF_THE_SERVER": SECRET,
               "MACHINA_TOOL_CAPS": "4", "PYTHONDONTWRITEBYTECODE": "1"}
        if self.kind != "node host":
            env["MACHINA_TOOLHOST_RLIMIT_AS_MB"] = "300"  # twelve memory bombs at once
        if os.getuid() != 0:
            env["MACHINA_TOOLHOST_RLIMIT_NPROC"] = "1000"  # one user has all servers here, and the kernel counts them together
        env.update({k: v for k, v in os.environ.items() if k.startswith(("MACHINA_TOOLHOST_", "ASAN", "UBSAN", "LSAN"))})
        command = [BUILD / "bin/manglecp", "serve", self.home / "domain", "--listen", "127.0.0.1:0", "--open-demo",
                   "--plugins", BUILD / "test-plugins", "--log", "info"]
        self.log = open(self.home / "log", "wb")
        self.process = subprocess.Popen(as_user(self.uid) + command, env=env, stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log, cwd=self.home,
                                        preexec_fn=self.enter_group if self.group else None)
        until = time.monotonic() + 60
        while not (found := re.search(r"(http://127\.0\.0\.1:\d+)", self.logged())):
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the server does not start: " + self.logged())
            time.sleep(0.02)
        self.client = manglecp.connect(found.group(1))
        self.tools = {tool.name: tool for tool in self.client.evaluate("go")}

    def enter_group(self):
        (self.group / "cgroup.procs").write_text("0")

    def logged(self):
        return (self.home / "log").read_text(errors="replace")

    def host(self):
        """A host of actions; 0 if none runs."""
        return next((pid for pid, name, line in below(self.process.pid) if "--serve" in line and "toolhost" in line), 0)

    def call(self, name, **args):
        """The output as JSON; or code, reason, message and detail of the error, and what the log says of it."""
        tool = self.tools[name]
        if name == "told":
            text = args.pop("text")
            tool = next(t for t in self.client.evaluate("go", facts=[manglecp.fact("said", text)]) if t.name == "told")
        said = len(self.logged())
        try:
            got = True, json.dumps(self.client.invoke(tool, args).result, ensure_ascii=False)
        except manglecp.Refused as error:
            details = [e.get("detail", "") for e in error.details.get("observability", {}).get("events", [])]
            failed = re.findall(r" (failed: .*) \(invocation", self.logged()[said:])  # what the operator is told
            got = False, " ".join([error.code, str(error.details.get("reason")), error.message, *details, *failed])
        self.answers.append(got[1])
        return got

    def leavings(self, name):
        """What runs that should not, after a moment. A chain of processes that hop is easily missed: five looks."""
        return next(filter(None, (self.look() for _ in range(5 if name == "a fork bomb" else 1))), None)

    def look(self):
        kept = "host_program" if self.kind.endswith("host") else None
        until = time.monotonic() + 3
        while True:
            strays = [(pid, name) for pid, name, line in below(self.process.pid)
                      if name != "toolhost" and not line.startswith("toolhost ") and not (kept and kept in line)]
            own = [pid for pid, _, line in below(self.process.pid) if kept and kept in line]
            if not strays and len(own) <= 1:
                return None
            if time.monotonic() > until:
                return f"left running: {strays} {own[1:]}"
            time.sleep(0.05)

    def descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except PermissionError:  # it is not dumpable: only root sees them
            return 0

    def swap(self, over):
        """Between a file that may be read and one that may not, as fast as it can be done."""
        new = self.link.with_name("new")
        for target in ["inside", "../../secret"] * 1000000:
            if over.is_set():
                break
            new.symlink_to(target if target == "inside" else self.secret)
            new.rename(self.link)

    def judge(self, name, row):
        word, tool, what, argument, pattern = row
        argument = argument.replace("{server}", str(self.process.pid)).replace("{host}", str(self.host()))
        for key in ("secret", "link", "made"):
            argument = argument.replace("{" + key + "}", str(getattr(self, key)))
        if word == "data":
            return self.judge_data(tool, argument)
        if name == "a link that is swapped":
            return self.judge_link(tool, what, argument, pattern)
        args = {"what": what, "argument": argument}
        if tool == "echo":
            args = {"text": argument}
        elif self.http:
            del args["argument"]
        good, got = self.call(tool, **args)
        if name == "a foreign answer":
            time.sleep(0.2)  # until it has come
        if good != (word != "error") or not re.search(pattern, got):
            return f"answered {got[:600]}"
        return None

    def judge_data(self, tool, text):
        good, got = self.call(tool, text=text)
        if self.kind == "http" and good:
            seen = json.loads(got)["body"]
            quoted = "".join(c if c.isalnum() and c.isascii() or c in "-._~" else "".join(f"%{b:02X}" for b in c.encode()) for c in text)
            if json.loads(seen["body"]) != {"text": text} or seen["path"] != f"/echo/{quoted}?q={quoted}":
                return f"sent {seen}"
        elif not good or json.loads(got) != {"text": text}:
            return f"answered {got}"
        return f"{self.made} was made" if self.made.exists() else None

    def judge_link(self, tool, what, argument, pattern):
        over = threading.Event()
        swapping = threading.Thread(target=self.swap, args=(over,))
        swapping.start()
        try:
            for _ in range(8):
                good, got = self.call(tool, what=what, argument=argument)
                if SECRET in got or not re.search(pattern + "|ENOENT|ELOOP", got):
                    return f"answered {got}"
        finally:
            over.set()
            swapping.join()
        return None

    def next_call(self):
        good, got = self.call("play", what="fine", **({} if self.http else {"argument": ""}))
        return None if good and re.search(r'"fine"|"errno": 0|"path": "/fine"', got) else f"then the next call answered {got}"

    def run(self):
        self.start()
        results = []
        if not (why := self.next_call()):
            before = self.descriptors()
            if not self.host():
                return [("its processes are seen", "there is no host below the server")]
            for name, row in self.rows:
                begun = time.monotonic()
                why = self.judge(name, row) or self.leavings(name) or self.next_call()
                self.took.append((time.monotonic() - begun, name))
                if not why and self.descriptors() > before + 1:
                    why = f"{self.descriptors()} descriptors, {before} before"
                results.append((name, why))
        else:
            results.append(("the first call", why))
        results.append(("nothing is left behind: temporary files, control groups", self.end()))
        results.append(("nothing was read that should not be", self.spilled()))
        return results

    def end(self):
        self.client.close()
        self.process.terminate()
        status = self.process.wait(30)
        left = [str(p.relative_to(self.temporary)) for p in self.temporary.iterdir()]
        if self.group:
            left += [p.name for p in self.group.iterdir() if p.is_dir()]
        return None if status == 0 and not left else f"exit status {status}, left {left}\n{self.logged()[-2000:]}"

    def forget(self):
        shutil.rmtree(self.home, ignore_errors=True)
        for _ in range(200):
            try:
                if self.group:
                    self.group.rmdir()
                break
            except OSError:
                time.sleep(0.01)  # who was in it is not forgotten at once

    def spilled(self):
        everything = "\n".join(self.answers) + self.logged()
        found = [needle for needle in (SECRET, HIDDEN) if needle in everything]
        if self.kind == "names" and self.http.other.seen:
            found.append(f"asked for: {self.http.other.seen}")
        return f"{found} in answers or log" if found else None


# ---- all of them ----------------------------------------------------------------------------------------------

def lanes():
    """(kind, user, rows): a server each."""
    users = ["root", "nobody"] if os.getuid() == 0 else [str(os.getuid())]
    for kind, table in cells.KINDS.items():
        rows = [(name, row) for name, row in table.items() if ONLY in f"{kind}: {name}"]
        if ASAN and kind not in ("http", "names"):  # a sanitizer takes more address space than there may be
            rows = [(name, row) for name, row in rows if name != "a memory bomb"]
        servers = PLUGIN_SERVERS if kind == "plugin" else 1 if kind in ("http", "names") else 2
        for user in users:
            for i in range(servers):
                if rows[i::servers]:
                    yield kind, user, rows[i::servers]


def missing(kind, user):
    """Why a kind cannot be tried; None: it can."""
    if kind == "node host" and not shutil.which("node", path="/usr/bin:/bin"):
        return "node is not installed"
    if user == "nobody" and subprocess.run([*as_user(65534), BUILD / "bin/manglecp", "--version"], capture_output=True).returncode:
        return "the build folder is closed to other users"
    return None


def run_lane(plan):
    kind, user, rows = plan
    if why := missing(kind, user):
        return plan, [(f"{len(rows)} cells # SKIP {why}", None)], "", ""
    if kind == "names" and not network.is_own():
        return plan, *network.run_there([sys.executable, __file__, str(BUILD), "--lane", user])
    begun, lane, log = time.monotonic(), None, ""
    try:
        lane = Lane(kind, user, rows)
        results = lane.run()
        log = lane.logged()
    except Exception as error:
        results = [("it runs", f"{type(error).__name__}: {error}")]
        if lane and getattr(lane, "process", None):
            log = lane.logged()
            lane.process.kill()
    slowest = ", ".join(f"{name} {took:.1f}" for took, name in sorted(lane.took, reverse=True)[:5]) if lane else ""
    if lane:
        lane.forget()
    return plan, results, log if any(why for _, why in results) else "", f"{time.monotonic() - begun:.1f} s: {slowest}"


def documented():
    """The table of docs/confinement.md against the cells: rows, and in each column the cell's word, or none."""
    text = (ROOT / "docs/confinement.md").read_text()
    part = text[text.index("## Hostile actions"):]
    lines = [[c.strip() for c in line.strip("|").split("|")] for line in part[:part.index("\n## ")].splitlines() if line[:1] == "|"]
    columns = {"plugin": ["plugin"], "host": ["python host", "node host"], "command": ["command"], "http": ["http", "names"]}
    kinds, wrong, seen = lines[0][1:], [], set()
    for name, *cells_said in lines[2:]:
        seen.add(name)
        for kind, said in zip(kinds, cells_said):
            real = {cells.KINDS[column][name][0] for column in columns[kind] if name in cells.KINDS[column]} or {"–"}
            if {part.split()[0].strip(":") for part in said.split(";")} != real:
                wrong.append(f"{name}, {kind}: it is {' and '.join(real)}, and the page says {said!r}")
    wrong += [f"{name} is not there" for table in cells.KINDS.values() for name in table if name not in seen]
    return "\n".join(wrong)


def print_result(name, why):
    print_result.count += 1
    print_result.failed += bool(why)
    print(f"{'not ok' if why else 'ok'} {print_result.count} - {name}" +
          "".join(f"\n# {line}" for line in (why or "").split("\n") if line))
    sys.stdout.flush()


print_result.count = print_result.failed = 0


def main():
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        for (kind, user, _), results, log, took in pool.map(run_lane, lanes()):
            for name, why in results:
                print_result(f"{kind} as {user}: {name}", why)
            print(f"# {kind} as {user}: {took}" + "".join(f"\n# {line}" for line in log.split("\n")[-20:] if line))
    if ASAN:
        print_result("memory bombs of plugins, hosts and commands # SKIP a sanitizer needs the address space", None)
    if not ONLY:
        print_result("the page about confinement has these cells, and no others", documented())
    print(f"1..{print_result.count}")
    return print_result.failed > 0


if "--lane" in sys.argv:  # in a network of its own
    network.set_up()
    print(json.dumps(run_lane(("names", sys.argv[3], list(cells.KINDS["names"].items())))[1:]))
else:
    sys.exit(main())
