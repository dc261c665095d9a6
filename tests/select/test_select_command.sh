# manglecp select: input of every kind, and each end (T-POL-4, T-POL-6 as seen by hand).
set -u
program=$BUILD_DIR/bin/manglecp
if [ ! -x "$program" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir policies
number=0
failed=0

# expect NAME STATUS TEXT COMMAND...: the command's status, and a text in what it prints
expect() {
    local name=$1 status=$2 text=$3 output got
    shift 3
    number=$((number + 1))
    output=$("$@" 2>&1 </dev/null)
    got=$?
    if [ "$got" = "$status" ] && [[ $output = *"$text"* ]]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        printf '# status %s, expected %s with: %s\n%s\n' "$got" "$status" "$text" "$output" | sed 's/^/# /'
        failed=1
    fi
}

cat >list.json <<'JSON'
{"ok":true,"tools":[{"aid":"AID.FILE.READ.v1","name":"file_read","tags":["tag.fs"],"tier":0},
                    {"aid":"AID.NOOP.v1","name":"noop","tags":[]}]}
JSON
cat >policies/env.sh <<'SH'
env | grep -c SECRET >&2
echo '<PICK><SID0001><INP64>eyJhIjoxfQ==</INP64><END>'
SH
echo 'sleep 10' >policies/slow.sh
printf 'echo gone wrong >&2; exit 7' >policies/bad.sh
echo '[]' >array.json
echo '{"actions":[{"name":"x"}]}' >noaid.json
echo '{"actions":[{"aid":"A","tags":[1]}]}' >badtag.json
printf '{"actions":[\n  {"aid":}]}' >broken.json

expect "the list of a toolhost is a menu" 0 "PICK  SID0001  AID.FILE.READ.v1" "$program" select list.json
expect "a policy is run" 0 'inputs  {"b":2,"a":1}' \
    env MY_SECRET=1 "$program" select list.json --inputs '{"b":2}' -- sh policies/env.sh
expect "what it says beside is shown" 0 "0" env MY_SECRET=1 "$program" select list.json -- sh policies/env.sh
expect "MACHINA_POLICY_CMD counts" 0 "AID.FILE.READ.v1" \
    env MACHINA_POLICY_CMD="sh policies/env.sh" "$program" select list.json
expect "JSON" 0 '"selection":{"kind":"PICK","sid":"SID0001","input_patch_json":"{\"a\":1}"' \
    "$program" select list.json --json -- sh policies/env.sh
expect "JSON of a failure" 1 '"failure":"exit code 7: gone wrong"' \
    "$program" select list.json --json -- sh policies/bad.sh
expect "a failure says why" 1 "INVALID  exit code 7: gone wrong" "$program" select list.json -- sh policies/bad.sh
expect "limits of the variables hold" 1 "no answer within 100 ms" \
    env MACHINA_POLICY_TIMEOUT_MS=100 "$program" select list.json -- sh policies/slow.sh
expect "all wrong variables are told" 2 "MACHINA_POLICY_RLIMIT_CPU_SEC: expected" \
    env MACHINA_POLICY_TIMEOUT_MS=x MACHINA_POLICY_RLIMIT_CPU_SEC=y "$program" select list.json
expect "an action may be blocked" 0 "NOOP" "$program" select list.json --block 'AID.FILE.*'
expect "and others allowed" 0 "NOOP" "$program" select list.json --allow AID.NOOP.v1
expect "no menu" 2 "expected one menu" "$program" select
expect "two menus" 2 "expected one menu" "$program" select list.json list.json -- sh policies/env.sh
expect "a menu that is not there" 2 "none.json" "$program" select none.json
expect "a menu that is no JSON" 2 "broken.json:2:" "$program" select broken.json
expect "a menu without actions" 2 'expected an object with an array "actions" or "tools"' "$program" select array.json
expect "an action without an AID" 2 'has no "aid"' "$program" select noaid.json
expect "a tag that is no text" 2 "is not a string" "$program" select badtag.json
expect "inputs that are no object" 2 "--inputs: expected a JSON object" "$program" select list.json --inputs '[]'
expect "inputs that are no JSON" 2 "--inputs: " "$program" select list.json --inputs '{'
echo "1..$number"
exit $failed
