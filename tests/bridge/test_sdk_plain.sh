# The official TypeScript clients of both generations use the tools of one intent as plain tools; see sdk_plain.mjs. Covers X-BRIDGE-10.
#
# Skipped, with the reason, where Node 20 or npm is missing, or the registry gives no clients.
set -u
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -x "$BUILD_DIR/bin/manglecp" ] || skip_all "manglecp is not built"
. tests/support/mcp_clients.sh
[ -z "$missing" ] || skip_all "$missing"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$BUILD_DIR/bin/manglecp" new "$folder/greeter" >/dev/null
visitor='{"pred":"visitor","args":["Ann"],"t":{"at":"'$(date -u +%FT%TZ)'"}}'

count=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
for generation in 1 2; do
    said=0
    timeout 250 node tests/bridge/sdk_plain.mjs "$generation" "$clients" \
        "$BUILD_DIR/bin/manglecp" mcp "$folder/greeter" --direct welcome --fact "$visitor" >"$folder/said" 2>"$folder/errors"
    status=$?
    while read -r word what; do
        said=$((said + 1))
        [ "$word" = ok ]
        result $? "client $generation: ${what#ok }"
    done <"$folder/said"
    [ "$status" = 0 ] && [ "$said" = 4 ]
    result $? "client $generation: it comes to its end ($said of 4)"
    sed 's/^/# /' "$folder/errors"
done
echo "1..$count"
