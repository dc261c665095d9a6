"""The suite before our own server over every transport, and what it is made of. TAP."""
import http.server
import pathlib
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import servers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = str(BUILD / "bin/manglecp")
LEAST = 310  # requirements that are shown over each transport
MANIFEST = '{"type":"manifest","id":null,"manglecp":"2026-02-draft","payload":{}}'
count = failed = 0


def tell(name, faults):
    global count, failed
    count += 1
    failed += bool(faults)
    print(f"{'not ok' if faults else 'ok'} {count} - {name}", flush=True)
    for fault in faults:
        print(f"#   {fault}")


def faults_of(report, least=LEAST):
    if isinstance(report, str):
        return [report]
    faults = [f"{c['ids']}: {c['what']}: {c.get('detail')}" for c in report["cases"] if c["outcome"] == "fail"]
    if report["pass"] < least:
        faults.append(f"only {report['pass']} requirements hold")
    return faults


def run(*words):
    return subprocess.run([PROGRAM, "conformance", *words], capture_output=True, text=True, env=servers.clean({}),
                          timeout=servers.PATIENCE)


reports = {transport: servers.judge(BUILD, transport, []) for transport in servers.ALL}
for transport, report in reports.items():
    tell(f"no requirement fails over {transport}", faults_of(report))

for over in servers.TRANSPORTS:
    tell(f"nor of those of a client over {over}", faults_of(servers.judge_own_client(BUILD, over), 20))
bad = servers.judge_client(BUILD, sys.executable, str(pathlib.Path(__file__).with_name("bad_client.py")), "{}")
good = [bad] if isinstance(bad, str) else [c["what"] for c in bad["cases"] if c["outcome"] == "pass"]
tell("a client that does everything wrong fails in every scene", good)

silent = servers.judge_client(BUILD, "true", "{}", over="http")
tell("and one that does nothing", [silent] if isinstance(silent, str) else
     [c["what"] for c in silent["cases"] if c["outcome"] == "pass"])

rows = subprocess.run([str(ROOT / "scripts/requirements"), "--rows"], cwd=ROOT, capture_output=True, text=True).stdout
kept = (ROOT / "src/conformance/requirement_rows.inc").read_text()
tell("its requirements are those of the reference", [] if rows == kept else ["make requirements"])

done = subprocess.run([str(ROOT / "scripts/mutations"), "--check"], capture_output=True, text=True)
tell("every deliberate break finds its place", (done.stdout + done.stderr).splitlines() if done.returncode else [])

silent = run("--timeout-ms", "300", "--", "sleep", "60")
tell("a server that says nothing is given up", [] if silent.returncode == 2 and "error:" in silent.stderr else [silent.stderr])
gone = run("http://127.0.0.1:9")
tell("so is one that is not there", [] if gone.returncode == 2 and "error:" in gone.stderr else [gone.stderr])
dead = run("--", "sh", "-c", "exit 3")
tell("the end of a command is told", [] if dead.returncode == 2 and "status 3" in dead.stderr else [dead.stderr])
other = run("--", PROGRAM, "serve", str(ROOT / "domains/browser"), "--stdio")
tell("before another domain there is no report", [] if other.returncode == 2 and "--with-domain" in other.stderr
     else [other.stderr])
whole = reports["stdio"]
levels = {r["id"]: r["outcome"] for r in whole["requirements"] if r["id"].startswith("P-LEVEL-")}
tell("no MUST of the level that is stated fails", [] if (levels["P-LEVEL-2"], levels["P-LEVEL-4"]) == ("pass", "pass")
     and whole["level"] == whole["stated_level"] == 3 else [str(levels)])
usage = [run(), run("--level", "4", "http://127.0.0.1:9"), run("--report", "xml", "http://127.0.0.1:9")]
tell("wrong words are told", [u.stderr for u in usage if u.returncode != 2])

nothing = run("--only", "P-NOTHING", "--", "sh", "-c", f"echo '{MANIFEST}'; cat")
tell("a choice that leaves nothing is none", [] if nothing.returncode == 2 and "P-NOTHING" in nothing.stderr
     else [str(nothing.returncode), nothing.stderr])

with tempfile.TemporaryDirectory() as name:
    theirs = pathlib.Path(name) / "domain.yaml"
    theirs.write_text("server: {name: of somebody else}\n")
    refused = run("--with-domain", name)
    again = [run("--with-domain", str(pathlib.Path(name) / "new")).returncode for _ in range(2)]
    tell("no domain is written over", [] if refused.returncode == 2 and "domain.yaml is there" in refused.stderr and
         theirs.read_text().endswith("somebody else}\n") and len(list(pathlib.Path(name).iterdir())) == 2 and again == [0, 0]
         else [refused.stderr, str(again)])


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Its manifest leads to another origin, and what comes there is kept."""
    came, manifest = [], None

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(self.manifest.encode())

    def do_POST(self):
        self.came.append(dict(self.headers))
        self.send_error(500)

    def log_message(self, *words):
        pass


there, here = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) for _ in range(2))
for server in (there, here):
    threading.Thread(target=server.serve_forever, daemon=True).start()
Elsewhere.manifest = MANIFEST.replace('"payload":{', '"payload":{"endpoints":{"intent_eval":"http://127.0.0.1:%d/a",'
                                      '"macro_invoke":"/b"}' % there.server_port)
led = run("--token", "a-secret", "--timeout-ms", "2000", "--only", "P-ENV", f"http://127.0.0.1:{here.server_port}")
tell("tokens stay at the origin that they are for", [] if led.returncode == 2 and "another origin" in led.stderr and
     not Elsewhere.came else [led.stderr, str(Elsewhere.came)])

broken = run("--timeout-ms", "2000", "--only", "P-ENV", "--", "sh", "-c",
             """echo '{"type":"manifest","id":null,"manglecp":"2026-02-draft","payload":{}}'; """
             """while read line; do echo '{"type":"error","id":null}'; done""")
tell("a server that breaks every rule fails", [] if broken.returncode == 1 else [str(broken.returncode), broken.stderr])
junit = run("--report", "junit", "--quiet", "--timeout-ms", "500", "--only", "P-STDIO-4", "--", "sh", "-c",
            """echo '{"type":"manifest","id":null,"manglecp":"2026-02-draft","payload":{"a<b":"&"}}'; cat""")
tell("the report for build servers is XML", [] if junit.stdout.startswith("<?xml") else [junit.stdout, junit.stderr])
print(f"1..{count}")
sys.exit(1 if failed else 0)
