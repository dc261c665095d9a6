# An import into a domain that is there replaces it as a whole, or leaves it as it is: what would be there is checked
# first, and neither a disk that is full, nor something in the way, nor being killed leaves half of it.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
server=$root/tests/import/server.py
import() { manglecp import mcp --into "$1" --name notes --set actions.confine=off "${@:2}" -- python3 "$server" "$tmp/tools.json" >"$tmp/out" 2>"$tmp/log" </dev/null; }
# tools VERB...: what the server lists.
tools() {
    python3 - "$@" <<'EOF'
import json, sys
json.dump([{"name": verb + "_note", "description": "One note: " + verb + ".", "inputSchema": {"type": "object", "properties": {
    "title": {"type": "string", "description": "Which note. " + "It is long to fill a file. " * 20}}}} for verb in sys.argv[1:]], open("tools.json", "w"))
EOF
}
alone() { [ -z "$(find . -maxdepth 1 -name 'd.import-*')" ]; }
same() { diff -r --no-dereference d kept >differs 2>&1; }
again() { rm -rf d && cp -a kept d; }

tools read delete
import d && ln -s /nowhere d/link && mkdir d/mine && echo hers >d/mine/x && chmod 600 d/facts/import.mg && cp -a d kept
tools read list
import d
[ $? = 0 ] && [ -f d/tools/list_note.yaml ] && [ ! -e d/tools/delete_note.yaml ] && alone
verdict "an import into a domain that is there replaces what is an import's" $?
[ "$(readlink d/link)" = /nowhere ] && [ "$(cat d/mine/x)" = hers ] && [ "$(stat -c %a d/facts/import.mg)" = 600 ]
verdict "all else stays in it, and so do modes" $?
again

# What would be there is checked before it is there.
echo 'prove("delete_note") :- wants("delete"). nonsense(' >>kept/rules/domain/own.mg
again
import d
[ $? = 1 ] && grep -q own.mg log && grep -q 'nothing was written' log && same && alone
verdict "what check finds an error in is not written" $?
import d --dry-run
[ $? = 1 ] && same && alone
verdict "a dry run says so, too" $?
sed -i '$d' kept/rules/domain/own.mg
again

# No room: files that may grow no further, as on a disk that is full.
for kib in 1 2 4 8; do
    (
        trap '' XFSZ
        ulimit -f $kib
        exec manglecp import mcp --into d --name notes --set actions.confine=off -- python3 "$server" "$tmp/tools.json" >/dev/null 2>&1
    )
    [ $? != 0 ] && same && alone
    verdict "where no file may be larger than $kib KiB it fails, and the domain is as it was" $?
    again
done

for kib in 1 2; do # too little for what a plugin is asked
    (
        trap '' XFSZ
        ulimit -f $kib
        exec manglecp import confirm d delete_note=write --set actions.confine=off >out 2>log
    )
    status=$?
    [ $status -ge 1 ] && [ $status -le 2 ] && [ -s log ] && same
    verdict "where no file may be larger than $kib KiB nothing is confirmed, and it is told" $?
done

# Something in the way.
mkdir kept/tools/list_note.yaml && echo x >kept/tools/list_note.yaml/x
again
import d
[ $? != 0 ] && same && alone && grep -q 'list_note.yaml' log
verdict "what is in the way is told, and nothing is written" $?
rm -rf kept/tools/list_note.yaml
again

# It is killed while it writes, each time a little later.
for files in 1 3 10 20 30; do
    manglecp import mcp --into d --name notes --set actions.confine=off -- python3 "$server" "$tmp/tools.json" >out 2>log </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        [ "$(find . -path './d.import-*' -type f 2>/dev/null | wc -l)" -ge "$files" ] && break
        sleep 0.01
    done
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    if [ -f d/tools/list_note.yaml ]; then
        grep -q list_note d/facts/import.mg && grep -q list_note d/mcp.lock.json && [ ! -e d/tools/delete_note.yaml ]
    else
        same
    fi
    verdict "killed when there are $files files of it, the domain is the old one, or the new one" $?
    rm -rf d.import-*
    again
done
for i in $(seq 200); do
    pgrep -f "$tmp/tools.json" >/dev/null || break
    sleep 0.05
done
! pgrep -f "$tmp/tools.json" >/dev/null
verdict "and no server is left" $?

# It is told to end, by any of the signals that say so.
for signal in TERM INT HUP; do
    # a shell starts what is in the background with SIGINT ignored; Python does not
    python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
        manglecp import mcp --into d --name notes --set actions.confine=off -- python3 "$server" "$tmp/tools.json" >out 2>log </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        [ "$(find . -path './d.import-*' -type f 2>/dev/null | wc -l)" -ge 3 ] && break
        sleep 0.01
    done
    kill -$signal $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    { { [ $status -gt 128 ] && same; } || [ -f d/tools/list_note.yaml ]; } && alone && ! pgrep -f "$tmp/tools.json" >/dev/null
    verdict "SIG$signal ends its servers, and leaves the old domain (or the new one) and nothing beside" $?
    again
done

# Where --into leads.
ln -s d way
import way
[ $? = 0 ] && [ -L way ] && [ -f d/tools/list_note.yaml ]
verdict "a link to a domain stays a link" $?
import d/
[ $? = 0 ] && grep -q '0 new, 0 changed, 0 gone' out && alone
verdict "a slash at its end is no other folder" $?
(cd d && import .) && grep -q '0 new, 2 changed' out && alone && [ -f d/mine/x ]
verdict "nor is the one that one stands in" $?
import new/
[ $? = 0 ] && [ -f new/domain.yaml ]
verdict "a new one with a slash" $?
echo "1..$count"
