# The official TypeScript clients of both generations (r4 by a handshake, r5 by its probe) against the
# server core, over standard streams and HTTP: X-COMPAT-1, X-COMPAT-5, X-COMPAT-8, X-INIT-6, X-PROG-4,
# X-CANCEL-3, X-MRTR-5, X-ELIC-9.
#
# Skipped, with the reason, where Node 20 or npm is missing, or the registry gives no clients.
set -u
program=$BUILD_DIR/tests/mcp_everything

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -x "$program" ] || skip_all "mcp_everything is not built"
. tests/support/mcp_clients.sh
[ -z "$missing" ] || skip_all "$missing"
folder=$clients

rm -f "$folder/stdin"
mkfifo "$folder/stdin"
"$program" --http <"$folder/stdin" >"$folder/port" 2>"$folder/program.log" &
server=$!
exec 9>"$folder/stdin"
for _ in $(seq 100); do
    [ -s "$folder/port" ] && break
    sleep 0.1
done

count=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
drive() { # GENERATION TARGET HOW-MANY NAME
    local said=0 word what
    timeout 100 node tests/mcp/official_clients.mjs "$1" "$2" "$folder" >"$folder/said" 2>"$folder/errors"
    local status=$?
    while read -r word what; do
        said=$((said + 1))
        [ "$word" = ok ]
        result $? "$4: ${what#ok }"
    done <"$folder/said"
    [ "$status" = 0 ] && [ "$said" = "$3" ]
    result $? "$4: it comes to its end ($said of $3)"
    [ "$status" = 0 ] || sed 's/^/# /' "$folder/errors"
}
url=http://127.0.0.1:$(cat "$folder/port")/mcp
drive 1 "$program" 10 "client 1.32, standard streams"
drive 1 "$url" 10 "client 1.32, HTTP"
drive 2 "$program" 11 "client 2.4, standard streams"
drive 2 "$url" 11 "client 2.4, HTTP"

exec 9>&-
wait "$server"
result $? "the server ends without a complaint"
sed 's/^/# /' "$folder/program.log"
echo "1..$count"
