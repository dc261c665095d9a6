# examples/notebook: a macro-tool whose chain is of two published MCP servers, files and git, confined: one invocation, the
# delta by effects rules, and undone by compensations when the second refuses. X-ACT-3, X-ACT-4. Its scenarios need
# no server; the rest is skipped, with the reason, where Node or npm is missing, or the registry does not give them within
# two minutes. They stay in the build folder.
. tests/support/scratch.sh manglecp toolhost
skip_rest() {
    count=$((count + 1))
    echo "ok $count - a chain over two published servers # SKIP $1"
    echo "1..$count"
    exit 0
}
[ -f "$BUILD_DIR/plugins/mcp.so" ] || { echo "1..0 # SKIP the plugin is not built"; exit 0; }
copy=$BUILD_DIR/mcp-chain
mkdir d
(cd "$root/examples/notebook" && tar cf - --exclude=node_modules --exclude=./notes .) | tar xf - -C d
mkdir d/notes # what is granted must be there
command -v node >/dev/null || skip_rest "node is not installed"
manglecp test d >out 2>log
verdict "what the servers answer is played, without them" $?
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip_rest "Node 20 or later is needed"
if [ ! -d "$copy/node_modules/@cyanheads/git-mcp-server/dist" ]; then
    command -v npm >/dev/null || skip_rest "npm is not installed"
    mkdir -p "$copy"
    cp d/servers/package.json "$copy/"
    timeout 120 npm install --prefix "$copy" --ignore-scripts --no-audit --no-fund --silent --fetch-retries 0 --fetch-timeout 15000 \
        >"$copy/npm.log" 2>&1 || skip_rest "the registry did not give the servers within two minutes"
fi
rm -r d/servers
ln -s "$copy" d/servers
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q -b main d/notes
(cd d/notes && git config user.name Ann && git config user.email ann@example.org && printf '# Ideas\n\nA kite.\n' >ideas.md &&
    git add . && git commit -q -m "An idea")
revise() { manglecp invoke d revise_note --intent keep_notes --yes --json --arg note=ideas.md --arg "passage=$1" --arg "by=$2" --arg "message=$3" >out 2>log; }
# holds NAME: the Python on standard input, over the answer `a`
holds() {
    { echo "import json; a = json.load(open('out'))"; cat; } >check.py
    python3 check.py >>log 2>&1
    verdict "$1" $?
}
manglecp actions d --offered >out 2>log
verdict "the servers offer what the lock file of the example says" $?
manglecp check d >out 2>log
verdict "the domain loads" $?

revise kite boat "A better idea"
verdict "four actions of two servers in one invocation" $?
head=$(git -C d/notes rev-parse HEAD)
[ "$(git -C d/notes log -1 --format=%s)" = "A better idea" ] && grep -q 'A boat\.' d/notes/ideas.md && [ -z "$(git -C d/notes status --short)" ]
verdict "the note is written, and committed" $?
export head
holds "the delta has the commit that git has, the old one retracted first" <<'END'
import os
payload = a.get("payload", a)
delta = payload["state_delta"]
assert [f["args"] for f in delta["assert"]] == [["ideas.md", os.environ["head"]]], delta
assert [f["pred"] for f in delta["retract"]] == ["revision"], delta
assert payload["result"] == {"commit": os.environ["head"]}, payload
assert [e["action"] for e in payload["observability"]["events"]] == ["read_text_file", "edit_file", "git_add", "git_commit"]
END
manglecp invoke d show_revision --intent keep_notes --fact "{\"pred\": \"revision\", \"args\": [\"ideas.md\", \"$head\"]}" --arg "commit=$head" --json --yes >out 2>log
grep -q '+A boat' out
verdict "which another tool takes up" $?

printf '#!/bin/sh\ngrep -q "^N-[0-9]" "$1" || { echo "a message begins with its number" >&2; exit 1; }\n' >d/notes/.git/hooks/commit-msg
chmod +x d/notes/.git/hooks/commit-msg
cp d/notes/ideas.md before
revise boat dragon "No number"
[ $? != 0 ]
verdict "a commit that git refuses fails the invocation" $?
holds "which says what is undone, with git's own words" <<'END'
text = json.dumps(a)
assert '"compensated": ["stage", "write"]' in text and '"not_compensated": []' in text, text
assert '"indeterminate": false' in text and "a message begins with its number" in text, text
assert '"assert": [], "retract": []' in text, text
END
cmp -s before d/notes/ideas.md && [ -z "$(git -C d/notes status --short)" ] && [ "$(git -C d/notes rev-parse HEAD)" = "$head" ]
verdict "the note, the index and the history are as before" $?
revise boat dragon "N-1 With a number"
verdict "and the next one goes through" $?
revise "no such passage" x "N-2 Nothing"
holds "a passage that is not there fails in the first server, and nothing was staged" <<'END'
text = json.dumps(a)
assert '"failed_step": 1' in text and '"compensated": []' in text, text
END
echo "1..$count"
