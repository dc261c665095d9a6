# MCP servers behind an address. X-HTTP-1, -2, -14 to -18, -26, X-AUTH-1, -4, -5, X-COMPAT-8, X-CANCEL-3.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
servers=
trap 'kill $servers 2>/dev/null; rm -rf "$tmp"' EXIT
# start REVISION [MODE]: `port`
start() {
    python3 "$root/tests/mcp/web_server.py" "$@" >port 2>web.err &
    servers="$servers $!"
    for _ in $(seq 200); do [ -s port ] && break; sleep 0.05; done
    port=$(cat port)
    : >port
}
# domain MORE: of the server's entry
domain() {
    mkdir -p d
    cat >d/domain.yaml <<EOF
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions:
  confine: off
  mcp: {shop: {type: http, url: "http://127.0.0.1:$port/mcp"$1}}
EOF
}
act() { manglecp action d "AID.MCP.SHOP.$1.v1" --json --yes "${@:2}" >out 2>log; }
gives() {
    local good=0
    for text in "${@:2}"; do grep -qF -- "$text" out || good=1; done
    verdict "$1" $good
}
for revision in 2025-03-26 2025-06-18 2025-11-25 2026-07-28; do
    for mode in json events; do
        rm -rf d requests.log
        start $revision $mode
        domain ", private: true"
        manglecp actions d --lock >out 2>log
        act GET_ECHO --arg text=hi
        gives "$revision, $mode: a call" '"text":"hi"'
        act GET_SLOW
        gives "$revision, $mode: with progress before the answer" '"text":"done"'
        cp requests.log log
        python3 - $revision <<'EOF'
import json, sys
rows = [json.loads(line) for line in open("requests.log")]
modern, revision = sys.argv[1] == "2026-07-28", sys.argv[1]
calls = [h for m, what, h in rows if what == "tools/call"]
assert len(calls) == 2, rows
for h in calls:
    assert h["mcp-protocol-version"] == revision and h["accept"] == "application/json, text/event-stream", h
    assert ("mcp-session-id" in h) == (not modern) and ("mcp-method" in h) == modern, h
    assert not modern or h["mcp-name"] in ("get_echo", "get_slow"), h
assert any(m == "DELETE" for m, what, h in rows) == (not modern), rows
assert [h for m, what, h in rows if what == "initialize" and "mcp-protocol-version" in h] == []
EOF
        verdict "$revision, $mode: its headers, and no others" $?
    done
done
rm -rf d
start 2025-11-25 token
domain ", private: true, headers: {Authorization: \"Bearer \${A_TOKEN}\"}"
A_TOKEN=wr0ng manglecp actions d --lock >out 2>&1
gives "a token that is not good, and what is wanted" 'it answered 401: the credentials in its headers' \
    'Bearer scope="shop?[2J", resource_metadata="https://a.example/r"'
grep -q wr0ng out
verdict "which is not told" $((1 - $?))
export A_TOKEN=s3cr3t-s3cr3t
manglecp actions d --lock >out 2>log
act GET_ECHO --arg text=hi --log debug
gives "one that is" '"text":"hi"'
act GET_ENV --arg name=TOLD
gives "the server may say it, the output does not" '"text":"[secret]"'
domain ", private: true, bearer_token_env_var: A_TOKEN"
manglecp actions d --lock >more 2>&1
act GET_ECHO --arg text=hi --log debug
gives "and as the variable of a token" '"text":"hi"'
cat log more d/mcp.lock.json >>out
grep -q s3cr3t-s3cr3t out
verdict "which stands nowhere" $((1 - $?))
A_TOKEN=$(printf 'a\r\nEvil: b') act GET_ECHO --arg text=hi
cat log >>out
gives "a value with a line break" 'a header has a line break'
domain ""
manglecp actions d --lock >out 2>&1
gives "a private address that is not allowed" 'private network or of this machine'
for mode in redirect circle down; do
    rm -rf d
    start 2025-11-25 $mode
    domain ", private: true"
    manglecp actions d --lock >out 2>&1
    case $mode in
        redirect) text='it answered 307: redirects are followed within its origin';;
        circle) text='it answered 308: redirects are followed within its origin, three times';;
        *) text='it answered 503';;
    esac
    gives "a server that answers with $mode" "$text"
done
rm -rf d
start 2025-11-25 moved
domain ", private: true"
manglecp actions d --lock >out 2>log
act GET_ECHO --arg text=hi
gives "one that has moved within its origin" '"text":"hi"'

# The HTTP of 2024-11-05: X-HTTP-41 to -44, X-COMPAT-10
for type in http sse; do
    rm -rf d requests.log
    start 2024-11-05 old
    domain ", private: true"
    sed -i "s/type: http/type: $type/" d/domain.yaml
    manglecp actions d --lock >out 2>log
    act GET_ECHO --arg text=hi
    gives "a server of the older HTTP, as type $type" '"text":"hi"'
    act GET_SLOW
    gives "with notifications on the stream of its answers, as type $type" '"text":"done"'
    cat requests.log >out
    [ "$(grep -c '"listen"' out)" = 3 ] && [ "$(grep -c server/discover out)" = "$([ $type = http ] && echo 1 || echo 0)" ]
    verdict "one stream for each start, and a probe only where nothing is said, as type $type" $?
done
rm -rf d
start 2024-11-05 foreign
domain ", private: true"
manglecp actions d --lock >out 2>&1
gives "one that wants messages to go elsewhere" 'it wants messages to be sent to another origin'

# Streams: X-HTTP-19 to -21, X-ACT-6, X-ACT-10
rm -rf d requests.log
start 2025-11-25 breaks
domain ", private: true"
manglecp actions d --lock >out 2>log
act GET_ECHO --arg text=hi
gives "a stream that broke off is gone on with" '"text":"late"'
grep -q '"resume"' requests.log
verdict "by a request that says where" $?
rm -rf d
start 2025-11-25 listens
domain ", private: true"
manglecp actions d --lock >out 2>log
python3 - "$BUILD_DIR" "http://127.0.0.1:$port/mcp" >out 2>log <<'EOF'
import json, os, subprocess, sys, time
lock = json.load(open("d/mcp.lock.json"))["servers"]["shop"]
tools = [{"aid": "AID.T.%s.v1" % t["name"].upper(), "name": t["name"], "tool": t["name"], "sha256": t["sha256"], "description": "",
          "side_effects": t["side_effects"], "input_schema": t["input_schema"]} for t in lock["tools"]]
with open("config.json", "w") as out:
    json.dump({"name": "shop", "settings": {"server": "shop", "url": sys.argv[2], "private": True, "era": "legacy", "tools": tools}}, out)
h = subprocess.Popen(["toolhost", "--serve", sys.argv[1] + "/plugins/mcp.so", "--config", "config.json"], text=True, bufsize=1,
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "MACHINA_LEASE_ENFORCE": "0"})
for text in "a", "change", "b":
    h.stdin.write(json.dumps({"aid": "AID.T.GET_ECHO.v1", "inputs": {"text": text}, "request_id": "r", "timeout_ms": 20000}) + "\n")
    print(h.stdout.readline(), end="")
    time.sleep(0.2)
def open_files():
    mine = [h.pid]
    for pid in sorted(int(p) for p in os.listdir("/proc") if p.isdigit()):
        try:
            if int(open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[1]) in mine:
                mine.append(pid)
        except OSError:
            pass
    return sum(len(os.listdir("/proc/%d/fd" % pid)) for pid in mine)
before = open_files()
for i in range(50):
    h.stdin.write(json.dumps({"aid": "AID.T.ADD.v1", "inputs": {"a": i, "b": 1}, "request_id": "r", "timeout_ms": 20000}) + "\n")
    assert json.loads(h.stdout.readline())["ok"]
print("as many files are open as before" if open_files() == before else "%d, %d" % (before, open_files()))
h.stdin.close()
h.wait()
EOF
gives "many calls leave nothing open" 'as many files are open as before'
gives "a change that is told on the listening stream" '\"text\":\"a\"' 'is not what was accepted any more'
rm -rf d
start 2025-11-25 json
domain ", private: true"
manglecp actions d --lock >out 2>log
for mode in dies endless many drip html bomb headers notfound; do
    start 2025-11-25 $mode
    domain ", private: true"
    manglecp actions d --lock >out 2>log
    case $mode in # only what never ends waits for its deadline
        many|drip) MACHINA_TOOLHOST_TIMEOUT_MS=1500 act WRITES;;
        *) act WRITES;;
    esac
    case $mode in
        many) gives "events without end" '"code":"timeout"' '"indeterminate":true';;
        drip) gives "an answer that comes a byte at a time" '"code":"timeout"' '"indeterminate":true';;
        html) gives "an answer of another type" 'neither JSON nor a stream of events' '"indeterminate":true';;
        bomb) gives "a compressed one, which is not unpacked" 'is compressed, which nobody asked for' '"indeterminate":true';;
        headers) gives "megabytes of headers" 'longer than 64 KiB' '"indeterminate":true';;
        dies) gives "an answer that breaks off" 'without the message that was waited for' '"indeterminate":true';;
        endless) gives "an event without end" 'more than 10 MiB' '"indeterminate":true';;
        notfound) gives "a session that has ended: nothing ran" 'the session has ended' '"indeterminate":false';;
    esac
done
start 2025-11-25 silent
domain ", private: true"
manglecp actions d --lock >out 2>log
MACHINA_TOOLHOST_TIMEOUT_MS=1000 act WRITES
gives "no answer" '"indeterminate":true'
kill $servers
wait 2>/dev/null
act WRITES
gives "nobody there" 'could not be connected to' '"indeterminate":false'
echo "1..$count"
