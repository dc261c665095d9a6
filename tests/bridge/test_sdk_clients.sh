# The official TypeScript clients of both generations hold a whole conversation with the bridge, over standard
# streams and HTTP; see sdk_clients.mjs. Covers X-BRIDGE-1, X-BRIDGE-5, X-BRIDGE-6, X-BRIDGE-8, X-BRIDGE-9, X-BRIDGE-11.
#
# Skipped, with the reason, where Node 20 or npm is missing, or the registry gives no clients.
set -u
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
. tests/support/bridge_listen.sh
[ -z "$missing" ] || skip_all "$missing"
. tests/support/mcp_clients.sh
[ -z "$missing" ] || skip_all "$missing"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
drive() { # GENERATION HOW-MANY NAME TARGET...
    local generation=$1 wanted=$2 name=$3 said=0 word what
    shift 3
    timeout 250 node tests/bridge/sdk_clients.mjs "$generation" "$clients" "$@" >"$folder/said" 2>"$folder/errors"
    local status=$?
    while read -r word what; do
        said=$((said + 1))
        [ "$word" = ok ]
        result $? "$name: ${what#ok }"
    done <"$folder/said"
    [ "$status" = 0 ] && [ "$said" = "$wanted" ]
    result $? "$name: it comes to its end ($said of $wanted)"
    sed 's/^/# /' "$folder/errors"
}
drive 1 13 "client 1.32, standard streams" "${bridge[@]}"
drive 2 14 "client 2.4, standard streams" "${bridge[@]}"
if bridge_listen "$folder"; then
    drive 1 13 "client 1.32, HTTP" "$url"
    drive 2 14 "client 2.4, HTTP" "$url"
    bridge_stop
else
    false
fi
result $? "the bridge that listens ends without a complaint"
sed 's/^/# /' "$folder/listen.log"
echo "1..$count"
