# The browser plugin as the toolhost program sees it: it loads, lists, answers, and refuses in words.
set -u
bin=$BUILD_DIR/bin/toolhost plugin=$BUILD_DIR/plugins/browser.so
number=0 failed=0

check() { # name, command...
    local name=$1
    shift
    number=$((number + 1))
    if "$@"; then echo "ok $number - $name"; else echo "not ok $number - $name"; failed=1; fi
}

run() { # action, inputs beside the capture, capture
    printf '{"inputs":{"capture":"%s"%s}}' "${3-domains/browser/captures/users-404}" "$2" |
        "$bin" --run "$plugin" "$1" 2>/dev/null
}

lists_its_actions() {
    [ "$("$bin" --list "$plugin" 2>/dev/null | grep -o '"aid":"AID.BROWSER[^"]*"' | wc -l)" -ge 25 ]
}

tells_evidence() {
    run AID.BROWSER.GATHER.v1 '' | grep '"manglecp.evidence"' | grep -q /api/users
}

brings_facts() {
    run AID.BROWSER.PAGE_OBSERVE.v1 '' | grep -q '"type":"manglecp.state_delta".*console_event'
}

refuses_what_is_no_capture() {
    run AID.BROWSER.PAGE_OBSERVE.v1 '' /dev/null |
        grep -q '"ok":false,"status":"TOOL_ERROR".*is not a folder'
}

echo "1..4"
check "the plugin lists its actions" lists_its_actions
check "it tells what was seen in a recorded capture as evidence" tells_evidence
check "it brings facts as a state delta" brings_facts # T-MCP-24
check "it refuses what is no capture" refuses_what_is_no_capture
exit $failed
