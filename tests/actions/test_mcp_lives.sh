# A server lives across calls, is started again after it died, and is looked at again when it says that its
# tools have changed. X-STDIO-8, X-ACT-6, X-ACT-8.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
exec python3 - "$root" "$BUILD_DIR" <<'EOF'
import json, os, subprocess, sys, time
root, build = sys.argv[1:]
server = root + "/tests/mcp/server.py"
entry = {"name": "shop", "settings": {"server": "shop", "run": [sys.executable, server, "2025-11-25", "file"], "folder": os.getcwd()}}
count = 0

def mode(name):
    with open("mode", "w") as out:
        out.write(name)

def verdict(name, good, shown=None):
    global count
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, name))
    if not good:
        print("# %r" % (shown,))

def host(settings):
    with open("config.json", "w") as out:
        json.dump({**entry, "settings": {**entry["settings"], **settings}}, out)
    return subprocess.Popen(["toolhost", "--serve", build + "/plugins/mcp.so", "--config", "config.json"], text=True, bufsize=1,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            env={**os.environ, "MACHINA_LEASE_ENFORCE": "0"})

def ask(h, aid, timeout_ms=20000, **inputs):
    h.stdin.write(json.dumps({"aid": aid, "inputs": inputs, "request_id": "r", "timeout_ms": timeout_ms}) + "\n")
    answer = json.loads(h.stdout.readline())
    return answer, json.loads(answer.get("output_json") or "{}")

mode("good")
h = host({"discover": True, "start": "s"})
answer, offer = ask(h, "AID.MCP.DISCOVER.v1")
h.stdin.close()
h.wait()
tools = [{"aid": "AID.T.%s.v1" % t["name"].upper(), "name": t["name"], "tool": t["name"], "sha256": t["sha256"], "description": "",
          "side_effects": t["side_effects"], "input_schema": t["input_schema"]} for t in offer["tools"]]
verdict("it offers its tools", len(tools) == 11, answer)

h = host({"tools": tools, "era": "legacy"})
first, second = ask(h, "AID.T.GET_PID.v1")[1], ask(h, "AID.T.GET_PID.v1")[1]
verdict("one server serves call after call", first == second and int(first["text"]) > 0, (first, second))
os.kill(int(first["text"]), 9)
time.sleep(0.2)
began = time.monotonic()
answer, third = ask(h, "AID.T.GET_PID.v1")
verdict("one that died between calls is started again", third.get("text") not in (None, first["text"]), answer)
verdict("not at once", time.monotonic() - began > 0.9, time.monotonic() - began)
answer, _ = ask(h, "AID.T.GET_ECHO.v1", text="a")
verdict("and goes on", answer["ok"], answer)
mode("crash")
os.kill(int(third["text"]), 9)
time.sleep(0.2)
answer, _ = ask(h, "AID.T.WRITES.v1")
verdict("one that dies in a call is not asked again", answer["status"] == "TOOL_ERROR" and answer.get("code") == "crash" and
        "the server ended" in answer["error"], answer)
mode("good")
answer, last = ask(h, "AID.T.GET_PID.v1")
verdict("the next call has a server", answer["ok"], answer)
answer, _ = ask(h, "AID.T.GET_ECHO.v1", text="change")
verdict("it says that its tools have changed", answer["ok"], answer)
answer, _ = ask(h, "AID.T.GET_ECHO.v1", text="a")
verdict("and is looked at again: this one is not what was accepted", not answer["ok"] and
        "not what was accepted" in answer["error"] and answer["code"] == "tool_error", answer)
h.stdin.close()
h.wait()
time.sleep(0.2)
verdict("which ends with its host", not os.path.exists("/proc/%s" % last.get("text", "x")), last)
mode("slow")
h = host({"tools": tools, "era": "legacy"})
answer, _ = ask(h, "AID.T.GET_ECHO.v1", 700, text="a")
verdict("a call is over before a slow server is there", not answer["ok"], answer)
answer, said = ask(h, "AID.T.GET_ECHO.v1", text="a")
verdict("the next one finds the same server", said.get("text") == "a" and open("starts").read() == "x", answer)
h.stdin.close()
h.wait()
# Five failures in ten minutes, and it is not started again; what a start takes is given back each time.
mode("crash")
h = host({"tools": tools, "era": "legacy", "pause_ms": 1})
def open_files():
    pids = [int(p) for p in os.listdir("/proc") if p.isdigit()]
    mine = [h.pid]
    for pid in pids:
        try:
            if int(open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[1]) in mine:
                mine.append(pid)
        except OSError:
            pass
    return sum(len(os.listdir("/proc/%d/fd" % pid)) for pid in mine)
answers, files = [], []
for i in range(7):
    answers.append(ask(h, "AID.T.GET_ECHO.v1", text="a")[0])
    files.append(open_files())
verdict("five failures are failures of their calls", all("the server ended" in a["error"] for a in answers[:5]), answers)
verdict("then it is down, and nothing is started", all(a["status"] == "BREAKER_TRIP" and "failed 5 times in 10 minutes" in a["error"]
        for a in answers[5:]), answers[5:])
verdict("and what each had open is closed", len(set(files)) == 1, files)
h.stdin.close()
h.wait()
# Many calls of one server, with large answers: nothing is left of them.
mode("good")
h = host({"tools": tools, "era": "legacy"})
answers = [ask(h, "AID.T.GET_ECHO.v1", text="x" * 20000)[0]["ok"] for i in range(20)]
before = open_files()
answers += [ask(h, "AID.T.GET_ECHO.v1", text="x" * 20000)[0]["ok"] for i in range(200)]
verdict("after many calls as few files are open", all(answers) and open_files() == before, (before, open_files()))
h.stdin.close()
h.wait()
print("1..%d" % count)
EOF
