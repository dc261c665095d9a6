# manglecp import mcp: a configuration of several servers becomes a domain that passes check and test; importing again
# keeps what is the author's; hostile servers cost their own tools alone. X-ACT-1 to -3, -6, -7.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
server=$root/tests/import/server.py
unset API_KEY GIT_API_KEY
import() { manglecp import "$@" --set actions.confine=off >out 2>log; }
check() { manglecp check "$1" --set actions.confine=off >out 2>log; }
gives() {
    local good=0
    for text in "${@:2}"; do grep -qF -- "$text" out || good=1; done
    verdict "$1" $good
}
python3 - <<'EOF'
import json
text, flag = {"type": "string"}, {"type": "boolean"}
def tool(name, description="", hints=None, **properties):
    t = {"name": name, "description": description, "inputSchema": {"type": "object", "properties": properties, "required": list(properties)[:1]}}
    return {**t, "annotations": hints} if hints else t
json.dump([tool("git_status", "Shows the working tree."), tool("git_reset", "Resets.", mode={"enum": ["soft", "hard"]}),
           tool("git_commit", "Records changes.", message=text), tool("read_file", "A blob of a commit.", path=text)], open("git.json", "w"))
json.dump([tool("read_file", "Reads a file.", {"readOnlyHint": True, "openWorldHint": False}, **{"path": text, "read.only": flag}),
           tool("write_file", "Writes a file.", path=text, content=text)], open("files.json", "w"))
json.dump([tool("search-issues", "Finds issues.", query=text), tool("closeIssue", "Closes one.", issue_number={"type": "integer"})],
          open("tracker.json", "w"))
EOF
mkdir client
cat >client/.mcp.json <<EOF
{ // as an editor keeps it
  "mcpServers": {
    "git": {"command": "python3", "args": ["$server", "git.json"], "cwd": "..", "env": {"API_KEY": "hunter2-hunter2"}},
    "files": {"command": "python3", "args": ["$server", "$tmp/files.json"]},
    "tracker": {"command": "python3", "args": ["$server", "$tmp/tracker.json", "slow"]},
    "broken": {"command": "python3", "args": ["$server", "x", "exits"]},
    "off": {"command": "python3", "disabled": true},
  }
}
EOF
import mcp client/.mcp.json --into d
[ $? = 1 ] && grep -qF 'd is a domain' out
verdict "three servers of five are imported, and the status says that one failed" $?
gives "which have started, and how many tools they have" 'started  git                     4 tools' 'started  tracker                 2 tools'
gives "which has not, and which is off" 'failed   broken' 'left out off: it is switched off'
gives "names that two servers have" 'files_read_file is read_file of files' 'git_read_file is read_file of git'
gives "what is destructive, with the reason" 'git_reset: its verb is "reset"' 'write_file: it can write over what was there'
gives "the variable that is to be set" 'API_KEY  of git (env API_KEY; its value stands in the configuration and was not copied)'
gives "the bill" 'all 8 tools as their servers list them' 'all of them as one line each' '8 of 8 tools that were tried'
! grep -rq hunter2 d && [ -z "$(find . -maxdepth 1 -name 'd.import-*')" ]
verdict "no secret is in its files, and nothing is left beside them" $?
check d
grep -q 'API_KEY} is not set' out
verdict "without the variable it does not load" $?
export API_KEY=hunter2-hunter2
check d && grep -q '^0 errors' out
verdict "with it check has no error" $?
manglecp test d --set actions.confine=off >out 2>log
verdict "its scenarios hold" $?
manglecp intent d use --json --facts <(echo '[{"pred":"request","args":["reset the tree"]}]') --set actions.confine=off >out 2>log
gives "it can be asked" '"git_reset"'
manglecp action d AID.MCP.FILES.READ_FILE.v1 --json --input '{"path":"a","read.only":true}' --set actions.confine=off >out 2>log
gives "its actions run" '"read.only":true'
invoke() { manglecp invoke d "$1" --intent use --fact "{\"pred\":\"request\",\"args\":[\"$2\"]}" --set actions.confine=off --json "${@:3}" >out 2>log </dev/null; }
invoke files_read_file "read file" --arg path=a --arg read_only=true
gives "its tools run, and nobody is asked where nothing is harmed" '"read.only":true'
grep -q '"read.only": {from: "args.read_only", optional: true}' d/tools/files_read_file.yaml
verdict "an argument whose name cannot be said has another, and goes out with its own" $?
python3 - <<'EOF'
import json
lock = {t["name"]: t["side_effects"] for s in json.load(open("d/mcp.lock.json"))["servers"].values() for t in s["tools"]}
assert lock["git_status"] == ["network"], lock
assert lock["git_commit"] == ["mcp_write", "network"] and lock["git_reset"] == ["destructive", "network"], lock
EOF
verdict "side effects are by harm, not by missing annotations" $?

invoke git_reset "git reset" --arg mode=hard
[ $? != 0 ] && grep -q "needs the user's consent" log
verdict "what is guessed to be destructive needs consent" $?

# Confirmed harm.
manglecp import confirm d git_reset=destructive write_file=write --set actions.confine=off >out 2>log
gives "harm is confirmed and corrected" 'confirmed    git_reset is destructive' 'confirmed    write_file is write' 'side effects of 1 tool changed'
grep -q '^harm("write_file", "write").' d/facts/confirmed.mg && grep -A9 '"name": "write_file"' d/mcp.lock.json | grep -q mcp_write
verdict "in the author's file and in the lock" $?
cp d/facts/confirmed.mg before
manglecp import confirm d git_reset=harmless nobody=write --set actions.confine=off >out 2>log
[ $? = 2 ] && cmp -s before d/facts/confirmed.mg && grep -q 'git_reset=harmless' log && grep -q 'no tool "nobody"' log
verdict "what is wrong is told whole, and nothing is written" $?

# Again.
import mcp client/.mcp.json --into d
gives "again, nothing changes" '0 new, 0 changed, 0 gone'
echo 'forbid("git_commit", "today") :- imported("git_commit", _, _).' >>d/rules/policy/own.mg
sed -i 's/^summary: .*/summary: Mine./' d/tools/git_status.yaml
cp -r d kept
python3 - <<'EOF'
import json
tools = json.load(open("git.json"))
tools = [t for t in tools if t["name"] != "git_commit"] + [{"name": "git_log", "description": "History.", "inputSchema": {"type": "object"}}]
tools[1]["description"] = "Resets the tree."
json.dump(tools, open("git.json", "w"))
EOF
import mcp client/.mcp.json --into d --dry-run
gives "a dry run tells what would change" 'new      tools/git_log.yaml' 'changed  tools/git_reset.yaml' 'gone     tools/git_commit.yaml' 'nothing was written'
diff -r d kept >out
verdict "and writes nothing" $?
import mcp client/.mcp.json --into d
gives "then it is done" 'new      tools/git_log.yaml' 'gone     tools/git_commit.yaml' 'kept     tools/git_status.yaml'
[ -f d/tools/git_log.yaml ] && [ ! -e d/tools/git_commit.yaml ] && grep -q 'Resets the tree' d/tools/git_reset.yaml
verdict "in the files" $?
cmp -s d/rules/policy/own.mg kept/rules/policy/own.mg && cmp -s d/tools/git_status.yaml kept/tools/git_status.yaml &&
    cmp -s d/facts/confirmed.mg kept/facts/confirmed.mg
verdict "what is the author's stays" $?
grep -A9 '"name": "write_file"' d/mcp.lock.json | grep -q mcp_write
verdict "and so does what was confirmed" $?
mv files.json hidden.json
import mcp client/.mcp.json --into d
[ $? = 1 ] && grep -q 'failed   files' out && grep -q '"name": "write_file"' d/mcp.lock.json
verdict "a server that fails for once keeps what was accepted of it" $?
mv hidden.json files.json

# Other sources.
import mcp --into one --format json -- python3 "$server" "$tmp/tracker.json"
python3 - <<'EOF'
import json
r = json.load(open("out"))
assert r["written"] and r["errors"] == 0 and r["scenarios"] == r["scenarios_passed"] > 0, r
assert {t["id"] for t in r["tools"]} == {"search_issues", "close_issue"}, r
assert r["bill"]["verbatim_tokens"] > r["bill"]["line_tokens"] > 0, r
EOF
verdict "a command, and a report for programs" $?
import mcp client/.mcp.json --into one2 --only tracker
[ $? = 0 ] && ! grep -q git one2/mcp.json
verdict "one server of a configuration" $?
mkdir -p somebodys empty && echo hers >somebodys/domain.yaml
import mcp client/.mcp.json --into somebodys --only tracker
[ $? = 2 ] && [ "$(ls -A somebodys)" = domain.yaml ] && grep -q 'no import has made it' log
verdict "a folder that is somebody's is not touched" $?
import mcp client/.mcp.json --into empty --only tracker
verdict "an empty one is taken" $?
mkdir .codex
printf '[mcp_servers.tracker]\ncommand = "python3"\nargs = ["%s", "tracker.json"]\n' "$server" >.codex/config.toml
import mcp .codex/config.toml --into codex
[ $? = 0 ] && grep -qF "\"cwd\": \"$PWD\"" codex/mcp.json
verdict "TOML, and paths that count from where the client works" $?
for wrong in "mcp" "nothing x" "mcp a b" "mcp nowhere.json" "openapi nowhere.yaml"; do
    # shellcheck disable=SC2086
    import $wrong --into w
    [ $? = 2 ] && [ -s log ] && [ ! -e w ]
    verdict "$wrong is refused" $?
done
echo '{"servers": {}}' >none.json
import mcp none.json --into w
[ $? = 2 ] && grep -q 'names no MCP servers' log
verdict "a configuration without servers is told" $?
import mcp client/.mcp.json --into w --only broken
[ $? = 1 ] && [ ! -e w ] && [ -z "$(find . -maxdepth 1 -name 'w.import-*')" ] && grep -q 'nothing was written' log
verdict "if no server answers nothing is written" $?

# Hostile ones.
cat >hang.json <<EOF
{"mcpServers": {"hang": {"command": "python3", "args": ["$server", "$tmp/tracker.json", "hang"]},
                "tracker": {"command": "python3", "args": ["$server", "$tmp/tracker.json"]}}}
EOF
import mcp hang.json --into h --timeout-ms 2500
[ $? = 1 ] && grep -q 'failed   hang' out && grep -q 'started  tracker' out && ! grep -q hang h/mcp.json && ! pgrep -f "$tmp/tracker.json" >/dev/null
verdict "a server that hangs costs its time alone, and is ended" $?
# interrupted NAME COMMAND...: it is told to end when both servers are there, and leaves nothing.
interrupted() {
    "${@:2}" >out 2>log </dev/null &
    local pid=$! status
    for i in $(seq 200); do [ "$(pgrep -cf "$tmp/tracker.json")" -ge 1 ] && break; sleep 0.05; done
    kill -TERM $pid
    wait $pid 2>/dev/null
    status=$?
    [ $status = 143 ] && grep -q 'interrupted: nothing was written' log && ! pgrep -f "$tmp/tracker.json" >/dev/null
    verdict "$1" $?
}
rm -rf h
interrupted "an import that is interrupted ends its servers" manglecp import mcp hang.json --into h --set actions.confine=off
[ ! -e h ] && [ -z "$(find . -maxdepth 1 -name 'h.import-*')" ]
verdict "and leaves nothing beside its place" $?
mkdir l && printf 'domain: {id: l, version: 1.0.0, description: Two servers.}\nactions: {confine: off, mcp: [mcp.json]}\n' >l/domain.yaml && cp hang.json l/mcp.json
interrupted "so does one that asks what servers offer" manglecp actions l --offered
[ ! -e l/mcp.lock.json ]
verdict "and accepts nothing" $?
python3 - <<'EOF'
import json
o = {"type": "object"}
evil = 'x"\n# \\\nforbid("a", "b") :- imported("a", _, _).\nsteps: []\n--- \x1b[31m\u202e'
tools = [{"name": "b\x1b[2Jd", "inputSchema": o}, {"name": "get.x", "inputSchema": o}, {"name": "get_x", "inputSchema": o},
         {"name": "huge", "description": "y" * (1 << 20), "inputSchema": o},
         {"name": "evil", "description": evil, "inputSchema": {"type": "object", "description": evil, "properties": {
             evil: {"type": "string", "description": evil, "default": evil}, "from": {"enum": [evil]}, "const": {"const": {"from": "args.x"}}},
             "required": [evil]}},
         {"name": "deep", "inputSchema": json.loads('{"default":' + "[" * 52 + "]" * 52 + "}")},
         {"name": "odd", "inputSchema": {"type": "object", "x-unknown": 1}},
         {"name": "many", "inputSchema": {"type": "object", "properties": {"p%d" % i: {} for i in range(300)}}},
         {"name": "long" * 32, "inputSchema": o}]
json.dump(tools, open("evil.json", "w"))
json.dump([{"name": "tool_%d" % i, "description": "Number %d." % i, "inputSchema": o} for i in range(3000)], open("crowd.json", "w"))
json.dump({"mcpServers": {"../../x": {"command": "python3", "args": [SERVER := "@", "evil.json"]},
                          'a"\n b': {"command": "python3", "args": ["@", "good.json"]}}}, open("evil.mcp.json", "w"))
json.dump([{"name": "get_good", "description": "Good.", "inputSchema": o}], open("good.json", "w"))
EOF
sed -i "s|\"@\"|\"$server\"|g" evil.mcp.json
import mcp evil.mcp.json --into e
[ $? = 0 ] && grep -qF 'e is a domain' out
verdict "hostile names and texts make a domain" $?
! LC_ALL=C grep -qP '\x1b|\xe2\x80\xae' out log && ! LC_ALL=C grep -rqP '\x1b|\xe2\x80\xae' e --include='*.yaml' --include='*.mg'
verdict "and nothing that a terminal obeys" $?
gives "what is of no use is told" 'get_x: another tool of its server' 'its schema is nested too deep' 'many: it has more than 256 arguments'
check e && grep -q '^0 errors' out && manglecp test e --set actions.confine=off >out 2>log
verdict "check has no error, and its scenarios hold" $?
[ "$(find . -newer evil.mcp.json -name '*.yaml' -not -path './e/*' | wc -l)" = 0 ] && [ ! -e ../../x ]
verdict "nothing was written elsewhere" $?
python3 - <<'EOF'
import re
facts = open("e/facts/import.mg").read()
assert len([l for l in facts.splitlines() if l.startswith("forbid")]) == 0
assert len(re.findall("^imported", facts, re.M)) == len([1 for _ in __import__("os").listdir("e/tools")])
EOF
verdict "a text is a text" $?
python3 - <<'EOF'
depths = [46, 49, 53, 54, 56, 57, 60, 63, 64, 65, 100, 300, 3000]
tool = '{"name": "deep_%d", "description": "So deep.", "inputSchema": {"type": "object", "properties": {"p": {"default": %s1%s}}}}'
tools = [tool % (d, "[" * d, "]" * d) for d in depths] + [tool.replace("deep_%d", "get_good") % ("", "")]
open("deep.json", "w").write("[" + ", ".join(tools) + "]")  # by hand: json.dump has a limit of its own
EOF
import mcp --into deep -- python3 "$server" "$tmp/deep.json"
[ $? = 0 ] && [ -f deep/tools/get_good.yaml ] && [ ! -e deep/tools/deep_3000.yaml ]
verdict "a tool that is nested deeper than is read costs itself, and not the list of its server" $?
gives "and is told" 'deep_49: its schema is nested too deep' 'deep_54: it is nested deeper than 56 levels' 'deep_65: ' 'deep_3000: '
# What servers are told, and tell on; what cannot be started.
python3 - "$server" <<'EOF'
import json, sys
def server(name, **more):
    return {"command": "python3", "args": [sys.argv[1], name], **more}
json.dump([{"name": "get_leak", "description": "Asks hunter2-\"secret\" and hunter3-secret.", "inputSchema": {"type": "object", "properties": {
    "at": {"type": "string", "default": "hunter2-\"secret\"", "description": "Not pin 1234."}}}}], open("leak.json", "w"))
json.dump({"mcpServers": {
    "leaky": server("leak.json", env={"DB_TOKEN": "hunter2-\"secret\"", "OTHER_TOKEN": "${OTHER_TOKEN}", "PIN": "1234"}),
    "nul": {"command": "py\0thon3"}, "nul2": server("leak.json", env={"A\0B": "c"}), "file": {"url": "file:///etc/passwd"},
    "lines": {"url": "http://127.0.0.1:9/\r\nX: y"}, "word": {"command": "python3", "args": "leak.json"}, "list": server("leak.json", env=["A=b"])}}, open("leaky.mcp.json", "w"))
EOF
OTHER_TOKEN=hunter3-secret import mcp leaky.mcp.json --into leaky
[ $? = 0 ] && [ -f leaky/tools/get_leak.yaml ] && ! grep -rq hunter leaky out log && grep -q '1234' leaky/tools/get_leak.yaml
verdict "what a server tells of its secrets in a description is not copied" $?
grep -q 'leaky tells of its tools what it was told as a secret' log
verdict "and it is told that it does" $?
gives "what cannot be an entry is left out, with the reason" 'nul: there is a NUL character' 'nul2: there is a NUL' \
    'file: its address is no http or https' 'lines: its address is no http or https' 'word: its args are no list' \
    'list: its env or its headers are no map'
import mcp --into crowd -- python3 "$server" "$tmp/crowd.json"
[ $? = 0 ] && grep -q 'all 1024 tools' out && grep -q 'more tools than one worker can take' out && grep -q '1976\|and 1936 more' out
verdict "of three thousand tools as many as a worker takes" $?
echo '[{"name":"twice","inputSchema":{"type":"object"}},{"name":"twice","inputSchema":{"type":"object"}},{"name":"two","description":"reads","inputSchema":{"type":"object"}},{"name":"two","description":"deletes","inputSchema":{"type":"object"}},{"name":"one","inputSchema":{"type":"object"}}]' >twins.json
import mcp --into twins --name s -- python3 "$server" "$tmp/twins.json"
[ $? = 0 ] && grep -q '2 tools ' out && grep -q 's two: its server lists two different tools of this name' out &&
    [ "$(grep -c '"name": *"twice"' twins/mcp.lock.json)" = 1 ] && ! grep -q '"name": *"two"' twins/mcp.lock.json && manglecp check twins >>log 2>&1
verdict "a tool that is listed twice is there once, and of two that only share a name none is; the others are imported" $?
import mcp --into mute --name s -- python3 "$server" "$tmp/twins.json" mute
[ $? = 1 ] && [ ! -e mute ] && grep -q 'MCP server s: it refused, and gave no reason' log
verdict "a refusal without a word is told as one" $?
manglecp import client/.mcp.json >out 2>&1
[ $? = 2 ] && grep -qF 'import has no "client/.mcp.json": it is mcp, openapi or confirm' out &&
    grep -qF 'manglecp import mcp client/.mcp.json' out
verdict "what is missing in the words is told: the kind" $?
good=0
for words in mcp openapi confirm "mcp a b" "openapi -- x"; do
    manglecp import $words >out 2>&1
    [ $? = 2 ] && grep -q "import ${words%% *} needs " out || good=1
done
verdict "and of what kind" $good
manglecp import mcp x --format xml >out 2>&1
[ $? = 2 ] && grep -qF 'text or json, and not "xml"' out
verdict "and the form" $?
python3 -c 'import json; json.dump({"mcpServers": {"x" * 1100: {"command": "true"}}}, open("long.json", "w"))'
import mcp long.json --into long
[ $? != 0 ] && grep -qF 'a name in it has more than 1,000 characters' log && ! grep -q YAML log && [ ! -e long ]
verdict "a name that is too long is told as that" $?
echo "1..$count"
