# The client that the official conformance suite tests: official_client.sh ADDRESS. It is the action side as people
# run it: a domain with that address, `manglecp actions --lock`, and `manglecp action` for the calls that
# MCP_CONFORMANCE_SCENARIO asks for. Wants manglecp and toolhost in PATH.
set -eu
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
cat >"$d/domain.yaml" <<END
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions:
  confine: off
  mcp: {s: {url: "$1", private: true}}
END
manglecp actions "$d" --lock
call() { # TOOL ARGUMENTS
    manglecp action "$d" "AID.MCP.S.$(printf %s "$1" | tr a-z A-Z).v1" --yes --json --input "$2"
}
case $MCP_CONFORMANCE_SCENARIO in
tools_call) call add_numbers '{"a": 5, "b": 3}' ;;
elicitation-sep1034-client-defaults) call test_client_elicitation_defaults '{}' ;;
sse-retry) call test_reconnection '{}' ;;
sep-2322-client-request-state)
    call test_mrtr_echo_state '{}' || true
    call test_mrtr_unrelated '{}' || true
    call test_mrtr_no_state '{}' || true
    call test_mrtr_no_result_type '{}' || true
    ;;
http-standard-headers) # each tool that is offered
    for tool in $(jq -r '.servers.s.tools[].name' "$d/mcp.lock.json"); do call "$tool" '{}' || true; done
    ;;
http-custom-headers)
    printf %s "$MCP_CONFORMANCE_CONTEXT" | jq -c '.toolCalls[]' >"$d/calls"
    while IFS= read -r line; do
        call "$(printf %s "$line" | jq -r .name)" "$(printf %s "$line" | jq -c '.arguments | with_entries(select(.value != null))')" </dev/null || true # null fits no schema here
    done <"$d/calls"
    ;;
http-invalid-tool-headers) # all that are left
    for tool in $(jq -r '.servers.s.tools[].name' "$d/mcp.lock.json"); do call "$tool" '{"region": "us"}' || true; done
    ;;
json-schema-2020-12-preservation)
    call json_schema_echo "$(jq -c '{schema: (.servers.s.tools[] | select(.name == "json_schema_2020_12_tool") | .input_schema)}' "$d/mcp.lock.json")"
    ;;
esac
