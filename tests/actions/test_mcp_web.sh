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
gives "a token that is not good" 'it answered 401: the credentials in its headers'
grep -q wr0ng out
verdict "which is not told" $((1 - $?))
export A_TOKEN=s3cr3t-s3cr3t
manglecp actions d --lock >out 2>log
act GET_ECHO --arg text=hi --log debug
gives "one that is" '"text":"hi"'
act GET_ENV --arg name=TOLD
gives "the server may say it, the output does not" '"text":"[secret]"'
cat log d/mcp.lock.json >>out
grep -q s3cr3t-s3cr3t out
verdict "which stands nowhere" $((1 - $?))
A_TOKEN=$(printf 'a\r\nEvil: b') act GET_ECHO --arg text=hi
cat log >>out
gives "a value with a line break" 'a header has a line break'
domain ""
manglecp actions d --lock >out 2>&1
gives "a private address that is not allowed" 'private network or of this machine'
for mode in redirect down; do
    rm -rf d
    start 2025-11-25 $mode
    domain ", private: true"
    manglecp actions d --lock >out 2>&1
    case $mode in redirect) text='it answered 307: redirects are followed within its origin';; *) text='it answered 503';; esac
    gives "a server that answers with $mode" "$text"
done
rm -rf d
start 2025-11-25 json
domain ", private: true"
manglecp actions d --lock >out 2>log
for mode in dies endless notfound; do
    start 2025-11-25 $mode
    domain ", private: true"
    manglecp actions d --lock >out 2>log
    act WRITES
    case $mode in
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
