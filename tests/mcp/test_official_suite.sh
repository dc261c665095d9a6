# The official conformance suite of MCP against the server core (tests/mcp/everything): every scenario
# that it scores for 2025-11-25 (30) and for 2026-07-28 (37). What it runs beside them is told, and
# counts nowhere.
#
# Skipped, with the reason, where npm is missing or the registry gives neither the suite nor, for a
# Node before 22, a newer one.
set -u
program=$BUILD_DIR/tests/mcp_everything

count=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
skip_rest() {
    count=$((count + 1))
    echo "ok $count - the official suite # SKIP $1"
    echo "1..$count"
    exit 0
}
[ -x "$program" ] || { echo "1..0 # SKIP mcp_everything is not built"; exit 0; }

# ---- standard streams, which the suite does not know: X-STDIO-1, X-STDIO-5 --------------------------

printf '%s\n\n%s\r\n' '{"jsonrpc":"2.0","id":0,"method":"ping"}' 'no JSON' |
    timeout 30 "$program" >"${TMPDIR:-/tmp}/mcp-lines.$$"
status=$?
grep -qxF '{"jsonrpc":"2.0","id":0,"result":{}}' "${TMPDIR:-/tmp}/mcp-lines.$$" &&
    [ "$(wc -l <"${TMPDIR:-/tmp}/mcp-lines.$$")" = 2 ] && [ "$status" = 0 ]
result $? "over standard streams a message is a line, and their end is the end"
rm -f "${TMPDIR:-/tmp}/mcp-lines.$$"

# ---- the suite --------------------------------------------------------------------------------------

. tests/support/mcp_suite.sh
[ -z "$missing" ] || skip_rest "$missing"

rm -f "$folder/stdin"
mkfifo "$folder/stdin"
"$program" --http <"$folder/stdin" >"$folder/port" 2>"$folder/program.log" &
server=$!
exec 9>"$folder/stdin"
for _ in $(seq 100); do
    [ -s "$folder/port" ] && break
    sleep 0.1
done

run_revision() { # REVISION HOW-MANY-ARE-SCORED
    local out=$folder/$1.txt scored=0 name numbers
    (cd "$folder" && timeout 200 "$node" "$index" server --url "http://127.0.0.1:$(cat port)/mcp" \
        --requirements "$1") >"$out" 2>&1
    local status=$?
    sed -n '/^Not scored/,$s/^  [✓✗] \([^ ]*\) .*/\1/p' "$out" >"$folder/not-scored"
    while IFS=: read -r name numbers; do
        name=${name#* }
        if grep -qxF "$name" "$folder/not-scored"; then
            echo "# $1, not scored: $name:$numbers"
            continue
        fi
        scored=$((scored + 1))
        [[ $numbers =~ ^\ [1-9][0-9]*\ passed,\ 0\ failed$ ]]
        result $? "$1: $name"
    done < <(grep -E '^[✓✗] ' "$out")
    [ "$status" = 0 ]
    result $? "$1: the suite says that the requirements are met"
    [ "$scored" = "$2" ]
    result $? "$1: $2 scenarios are scored ($scored ran)"
}
run_revision 2025-11-25 30
run_revision 2026-07-28 37

exec 9>&-
wait "$server"
result $? "the server ends without a complaint"
sed 's/^/# /' "$folder/program.log"
echo "1..$count"
