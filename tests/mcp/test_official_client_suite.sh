# The official conformance suite of MCP against the action side, as people run it (tests/mcp/official_client.sh): every client
# scenario that it scores for 2025-11-25 (18) and for 2026-07-28 (32). Those that do not apply are listed with the reason
# and count as skipped; a scenario that is in none of the lists below fails. Two beside them are run, and count nowhere.
. tests/support/scratch.sh manglecp toolhost
[ -f "$BUILD_DIR/plugins/mcp.so" ] || { echo "1..0 # SKIP the plugin is not built"; exit 0; }
. "$root/tests/support/mcp_suite.sh"
if [ -n "$missing" ]; then
    echo "1..0 # SKIP $missing"
    exit 0
fi
# Checks that fail, and shall: nobody is there to be asked (X-ELIC-11), so a tool that asks is told so.
cat >"$tmp/expected.yaml" <<'EOT'
client:
  - sep-2322-client-request-state:sep-2322-client-request-state-echoed  # the question comes with the state
  - sep-2322-client-request-state:sep-2322-client-jsonrpc-id-different  # of the answer to it
  - sep-2322-client-request-state:sep-2322-client-no-state-omitted      # of the answer to it
EOT

why_not() {
    case $1 in
    auth/*) echo "tokens come from the environment: nobody is there to log in (X-AUTH-4)" ;;
    elicitation-sep1034-client-defaults) echo "nobody is there to be asked, and defaults are no consent (X-ELIC-11)" ;;
    esac
}

# run SCENARIO REVISION: its last lines are in `out`
run() {
    (cd "$folder" && timeout 60 "$node" "$index" client --command "bash '$root/tests/mcp/official_client.sh'" --scenario "$1" \
        --spec-version "$2" --expected-failures "$tmp/expected.yaml") >"$tmp/all" 2>&1
    local status=$?
    tail -n 40 "$tmp/all" >"$tmp/out"
    grep -Eq 'Passed: [1-9]' "$tmp/all" && [ $status = 0 ]
}

run_revision() { # REVISION HOW-MANY
    local name why scored=0
    "$node" "$index" list --client --requirements "$1" 2>/dev/null |
        sed -n '/^Client scenarios/,/^$/s/^  - \([^ ]*\).*/\1/p' >"$tmp/names"
    while read -r name; do
        scored=$((scored + 1))
        why=$(why_not "$name")
        if [ -n "$why" ]; then
            count=$((count + 1))
            echo "ok $count - $1: $name # SKIP $why"
            continue
        fi
        run "$name" "$1" </dev/null
        verdict "$1: $name" $?
    done <"$tmp/names"
    [ "$scored" = "$2" ]
    verdict "$1: $2 scenarios are scored" $?
    run json-schema-2020-12-preservation "$1" </dev/null
    echo "# $1, not scored: json-schema-2020-12-preservation: $(sed -n '/^Passed/p' "$tmp/all")"
}
run_revision 2025-11-25 18
run_revision 2026-07-28 32
echo "1..$count"
