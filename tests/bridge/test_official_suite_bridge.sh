# The official conformance suite of MCP against the bridge as people run it, over --listen: every scenario that
# docs/reference/mcp.md (18.4) says can apply to it passes, and every other one that runs is named there with its reason.
#
# Skipped, with the reason, where npm is missing or the registry gives neither the suite nor, for a Node before 22, a newer one.
set -u
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
. tests/support/bridge_listen.sh
[ -z "$missing" ] || skip_all "$missing"
. tests/support/mcp_suite.sh
[ -z "$missing" ] || skip_all "$missing"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bridge_listen "$out" || { cat "$out/listen.log" >&2; exit 1; }
python3 -B tests/bridge/suite_verdict.py "$url" "$out" "$node" "$index"
status=$?
bridge_stop || { echo "# the bridge ended with a complaint"; status=1; }
exit "$status"
