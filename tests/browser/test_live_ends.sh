# A browser ends with its host, however that ends, and what it wrote goes: confined, in the tool host itself.
set -u
toolhost=$BUILD_DIR/bin/toolhost plugin=$BUILD_DIR/plugins/browser.so
number=0 failed=0
folder=$(mktemp -d)
export TMPDIR=$folder MACHINA_TOOLHOST_RLIMIT_AS_MB=0 MACHINA_TOOLHOST_TIMEOUT=60

check() { # name, command...
    local name=$1
    shift
    number=$((number + 1))
    if "$@"; then echo "ok $number - $name"; else echo "not ok $number - $name"; failed=1; fi
}

if ! command -v chromium-headless-shell >/dev/null; then
    echo "1..0 # SKIP there is no chromium-headless-shell"
    exit 0
fi

python3 -c '
import http.server
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"<title>Here</title>")
    def log_message(self, *about): pass
s = http.server.HTTPServer(("127.0.0.1", 0), Page)
print(s.server_port, flush=True)
s.serve_forever()' >"$folder/port" &
site=$!
trap 'kill $site $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
until [ -s "$folder/port" ]; do sleep 0.05; done

cat >"$folder/provider.json" <<END
{"name":"browser","confine":"on","read":["/usr","/etc","/proc","/sys","/dev"],"write":["/dev/shm","/dev/null"],
 "limits":{"address_space_mb":0,"descriptors":4096,"processes":512,"file_mb":512},
 "settings":{"page":"http://127.0.0.1:$(cat "$folder/port")/"}}
END

# The browser's processes: the one whose command line names a profile of this test, and its descendants.
browsers() {
    local all next
    all=$(pgrep -f -- "--user-data-dir=$folder/") next=$all
    while [ -n "$next" ]; do
        next=$(pgrep -P "$(echo $next | tr ' ' ,)")
        all="$all $next"
    done
    echo $all | tr ' ' '\n' | sort
}

await() { # how many seconds, command...
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $until ] || return 1
        sleep 0.1
    done
}

begin() { # a host in the background with a live page; $host is its process
    rm -f "$folder/in" "$folder/out"
    mkfifo "$folder/in"
    "$toolhost" --serve "$plugin" --config "$folder/provider.json" <"$folder/in" >"$folder/out" 2>/dev/null &
    host=$!
    exec 9>"$folder/in"
    look && browsers >"$folder/tree" && [ "$(wc -l <"$folder/tree")" -ge 3 ]
}

look() { # a call; true if it shows the page
    local before
    before=$(wc -l <"$folder/out")
    echo '{"op":"run","aid":"AID.BROWSER.CAPTURE_SUMMARY.v1","tool_id":"AID.BROWSER.CAPTURE_SUMMARY.v1","inputs":{}}' >&9
    await 60 test_more "$before" && tail -1 "$folder/out" | grep -q '\\"title\\":\\"Here\\"'
}
test_more() { [ "$(wc -l <"$folder/out")" -gt "$1" ]; }
none() { # of those that there were
    local pid
    [ -z "$(browsers)" ] || return 1
    while read -r pid; do
        [ ! -e "/proc/$pid" ] || return 1
    done <"$folder/tree"
}
no_profiles() { [ -z "$(ls "$folder" | grep manglecp-confined)" ]; }
worker() { pgrep -P "$host" -f -- --worker; }

stays() {
    begin || return 1
    look && look && [ "$(browsers)" = "$(cat "$folder/tree")" ]
}
ends_in_order() { exec 9>&-; wait "$host"; await 10 none && no_profiles; }
ends_with_worker() { begin && kill -9 "$(worker)" && await 10 none; }
comes_back() { look && [ -n "$(browsers)" ] && ends_in_order; }
ends_with_host() { begin && kill -9 "$host" && exec 9>&- && await 10 none; }
leaves_nothing() {
    find "$folder" -maxdepth 1 -name 'manglecp-confined-*' -exec touch -d '5 minutes ago' {} +
    begin && ends_in_order
}

echo "1..6"
check "a browser with all its processes stays from call to call" stays
check "it ends with its host, and its profile goes" ends_in_order
check "it ends with a worker that is killed" ends_with_worker
check "and another one is started by the next call" comes_back
check "it ends with a host that is killed" ends_with_host
check "what was left then is removed by the next host" leaves_nothing
exit $failed
