# manglecp doctor: clients' configurations found, their servers started, and each fault said with what to do.
# X-ACT-1, X-ACT-2, X-ACT-7, X-ACT-8.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export HOME=$tmp/home PYTHONDONTWRITEBYTECODE=1 NO_COLOR=1
unset XDG_CONFIG_HOME CODEX_HOME CLAUDE_CONFIG_DIR
mkdir -p home/.cursor home/.codex home/.config/Code/User home/.gemini work/.vscode
cd work || exit 1
umask 077
python=$(python3 -c 'import sys; print(sys.executable)')
server=$root/tests/cli/doctor_server.py
c=$HOME/.cursor/mcp.json
doctor() { manglecp doctor "$@" </dev/null >out 2>log; }
# entry NAME MODE [MORE]: of a configuration in JSON
entry() { printf '"%s": {"command": "%s", "args": ["%s", "%s"]%s}' "$1" "$python" "$server" "$2" "${3:-}"; }
# servers FILE KEY ENTRY...
servers() {
    local file=$1 key=$2 comma=
    shift 2
    { printf '{"%s": {' "$key"
      for e in "$@"; do printf '%s%s' "$comma" "$e"; comma=', '; done
      printf '}}\n'; } >"$file"
}
# found NAME CHECKS: the checks of all findings, sorted, are these
found() {
    local got
    got=$(python3 -c '
import json, sys
v = json.load(open("out"))
all = v["files"] + v["servers"] + [v["machine"]]
print(*sorted({f["check"] for a in all for f in a["findings"] if not f["check"].startswith(("no-seccomp", "no-landlock"))}))' 2>>log)
    [ "$got" = "$2" ]
    local status=$?
    [ $status = 0 ] || echo "got: $got" >>log
    verdict "$1" $status
}

doctor
[ $? = 0 ] && grep -q "No client's configuration was found" out
verdict "nothing there is nothing wrong" $?

# A server for each fault, all at once.
list=()
for mode in healthy invalid keyword dialect opens empty mute arguments bare both lies tame writer hidden deep long twice odd schemaless none orders noisy old; do
    list+=("$(entry "$mode" "$mode")")
done
servers "$c" mcpServers "${list[@]}"
doctor --format json --slow-ms 600000
[ $? = 1 ]
verdict "an error is exit status 1" $?
cp out all
while read -r name checks; do
    python3 - "$name" >out <<'PY'
import json, sys
v = json.load(open("all"))
s = [s for s in v["servers"] if s["name"] == sys.argv[1]]
for one in s:
    one["findings"] = [f for f in one["findings"] if f["check"] != "name-clash"]
print(json.dumps({"files": [], "servers": s, "machine": {"findings": []}}))
PY
    found "$name: ${checks:-nothing}" "$checks"
done <<'ROWS'
healthy
invalid schema-invalid
keyword schema-keyword
dialect
opens
empty schema-empty
mute no-description
arguments no-argument-description
bare no-annotations
both contradiction
lies contradiction
tame contradiction
writer contradiction
hidden hidden-text
deep hidden-text
long long-text many-tokens
twice bad-tool
odd bad-tool hidden-text
schemaless bad-tool
none no-tools
orders hidden-text
noisy noise
old old-revision
ROWS
python3 - <<'PY' >log 2>&1
import json
v = json.load(open("all"))
s = {x["name"]: x for x in v["servers"]}
assert s["healthy"]["state"] == "started" and s["healthy"]["tools"] == 2 and s["healthy"]["revision"] == "2025-11-25", s["healthy"]
assert s["healthy"]["server"] == {"name": "server", "version": "1"}
assert 60 < s["healthy"]["tokens"] < 200, s["healthy"]["tokens"]
assert s["long"]["tokens"] > 3000
assert any(f["check"] == "name-clash" and "get_file" in f["text"] and "Cursor" in f["text"] for f in s["invalid"]["findings"])
assert v["totals"]["servers"] == len(v["servers"]) and v["totals"]["tokens"] == sum(x.get("tokens", 0) for x in v["servers"])
assert all(f["advice"] for x in v["servers"] for f in x["findings"])
PY
verdict "figures, and clashes of names" $?
! LC_ALL=C grep -qP '\x1b|\x07|\xe2\x80\x8b|\xe2\x80\xae|\xf3\xa0' all
verdict "hidden characters are told, and not printed" $?
servers "$c" mcpServers "$(entry healthy healthy)" "$(entry hidden hidden)" "$(entry odd odd)"
doctor --slow-ms 600000
LC_ALL=C grep -qP '\x1b|\x07|\xe2\x80\x8b|\xe2\x80\xae|\xf3\xa0' out
[ $? = 1 ] && grep -q '^healthy .*Cursor .* 2025-11-25 ' out && grep -q 'error   hidden-text' out && grep -q 'Do not use this server' out
verdict "nor in the table for people" $?

servers "$c" mcpServers "$(entry healthy healthy)"
doctor --slow-ms 1 --format json
found "a slow start" "slow-start"
[ "$(python3 -c 'import json; print(json.load(open("out"))["totals"]["warnings"])')" -ge 1 ]
doctor --slow-ms 600000
[ $? = 0 ] && grep -q '1 server: 0 errors, 0 warnings, 0 notes' out
verdict "a healthy one has none, and the exit status is 0" $?

export PID_FILE=$tmp/pid API_KEY_OF_MINE=sesame-open-1234
servers "$c" mcpServers "$(entry dead dead ', "env": {"API_KEY": "${env:API_KEY_OF_MINE}"}')" \
    "$(entry healthy healthy)" \
    '"lost": {"command": "no-such-program"}' '"neither": {"args": []}' '"both": {"command": "x", "url": "http://x"}' \
    '"unset": {"command": "python3", "args": ["${NOT_SET_HERE}"]}' '"asks": {"command": "python3", "args": ["${input:key}"]}' \
    '"off": {"command": "no-such-program", "disabled": true}' '"old": {"type": "sse", "url": "http://127.0.0.1:9/sse"}' \
    '"away": {"url": "http://127.0.0.1:9/mcp"}'
doctor --format json --slow-ms 600000
found "those that do not start" "no-command no-server no-variable not-reached not-started old-transport"
python3 - <<'PY' >log 2>&1
import json
s = {x["name"]: x for x in json.load(open("out"))["servers"]}
said = {n: " ".join(f["text"] for f in x["findings"]) for n, x in s.items()}
assert "exit code 3" in said["dead"] and "no key [secret]" in said["dead"], said["dead"]
assert s["healthy"]["state"] == "started" and s["off"]["state"] == "off" and not s["off"]["findings"]
assert "NOT_SET_HERE" in said["unset"] and "input:key" in said["asks"], said
assert "AID." not in str(said)
PY
verdict "each with its reason; the others are looked at all the same" $?
! grep -q sesame out log
verdict "and no value of a variable" $?
servers "$c" mcpServers "$(entry hang hang ", \"env\": {\"PID_FILE\": \"$PID_FILE\"}")"
doctor --timeout-ms 4000
[ $? = 1 ] && grep -Eq 'error   not-started: .*(in time|within 4000 ms)' out
verdict "one that hangs is told after the time that it was given" $?
for i in 1 2 3 4 5 6 7 8 9 10; do [ -d "/proc/$(cat "$PID_FILE")" ] || break; sleep 0.1; done
[ ! -d "/proc/$(cat "$PID_FILE")" ]
verdict "nothing that was started is left" $?

rm -f "$PID_FILE"
manglecp doctor </dev/null >out 2>log &
doctor_pid=$!
for i in $(seq 100); do [ -s "$PID_FILE" ] && break; sleep 0.1; done
kill -TERM $doctor_pid
wait $doctor_pid 2>/dev/null
[ $? = 143 ] && [ ! -d "/proc/$(cat "$PID_FILE")" ]
verdict "nor where it was interrupted" $?

{ printf '{"mcpServers": {'
  for i in $(seq 130); do printf '"s%s": {"command": "x", "disabled": true}, ' "$i"; done
  printf '}}\n'; } >"$c"
doctor
[ $? = 0 ] && grep -q 'Only the first 64 files and 128 servers' out && grep -q ' 128 servers: ' out
verdict "of very many servers the first are looked at, and it is said" $?
doctor $(seq 65)
[ $? = 2 ] && grep -q 'too many files' log
verdict "and files are 64 at most" $?

servers "$c" mcpServers '"npx": {"command": "npx", "args": ["-y", "thing@latest"]}' '"npxgood": {"command": "npx", "args": ["-y", "@a/thing@1.2.3"]}' \
    '"uvx": {"command": "uvx", "args": ["--from", "git-thing", "thing"]}' '"uvxgood": {"command": "uvx", "args": ["thing==1.0"]}' \
    '"dock": {"command": "docker", "args": ["run", "-i", "-e", "KEY", "some/image"]}' '"dockgood": {"command": "docker", "args": ["run", "some/image:1.2"]}' \
    '"key": {"url": "https://x.example/mcp?api_key=abcdefgh12345", "headers": {"Authorization": "Bearer abcdefgh12345"}}' \
    '"arg": {"command": "python3", "args": ["--api-key", "abcdefgh12345"]}' '"var": {"command": "python3", "env": {"API_KEY": "${env:HOME}"}}'
doctor --no-start --format json
python3 - <<'PY' >log 2>&1
import json
s = {x["name"]: {f["check"]: f["text"] for f in x["findings"]} for x in json.load(open("out"))["servers"]}
pins = {n for n, f in s.items() if "unpinned" in f}
assert pins == {"npx", "uvx", "dock"}, pins
assert "thing@latest" in s["npx"]["unpinned"] and "git-thing" in s["uvx"]["unpinned"] and "some/image" in s["dock"]["unpinned"]
secrets = {n for n, f in s.items() if "literal-secret" in f}
assert secrets == {"key", "arg"}, secrets
assert "2 values" in s["key"]["literal-secret"], s["key"]
PY
verdict "--no-start: what is not pinned, and secrets in the file" $?
! grep -q abcdefgh12345 out log
verdict "which are not printed" $?
chmod 646 "$c"
doctor --no-start --format json
found "a file that others read and write" "file-readable file-writable literal-secret no-command unpinned" 2>/dev/null ||
    found "a file that others read and write" "file-readable file-writable literal-secret unpinned"
chmod 600 "$c"

servers "$HOME/.config/Code/User/mcp.json" servers "$(entry shared healthy)"
servers "$c" mcpServers "$(entry shared healthy)" "$(entry twin healthy)"
sed -i '1s|^|// VS Code allows this\n|' "$HOME/.config/Code/User/mcp.json"
printf 'model = "o"\n[mcp_servers.shared]\ncommand = "%s"\nargs = ["%s", "healthy"]\n' "$python" "$server" >"$HOME/.codex/config.toml"
printf '{"mcpServers": {"shared": {"command": "%s", "args": ["%s", "$MODE_OF_GEMINI"]}}, "x": [1,],}\n' "$python" "$server" >"$HOME/.gemini/settings.json"
MODE_OF_GEMINI=healthy doctor --format json --slow-ms 600000
python3 - <<'PY' >log 2>&1
import json
v = json.load(open("out"))
s = {x["name"]: x for x in v["servers"]}
assert set(s) == {"shared", "twin"}, s
assert len(s["shared"]["files"]) == 4, s["shared"]
assert [f["check"] for f in s["twin"]["findings"]] == ["name-clash"], s["twin"]
assert [f["client"] for f in v["files"]] == ["cursor", "vscode", "gemini", "codex"], v["files"]
PY
verdict "one server in four clients is one, and asked once" $?
printf '[mcp_servers.v]\ncommand = "python3"\nenv = {KEY_OF_IT = "${HOME}"}\n' >"$HOME/.codex/config.toml"
doctor --no-start --format json
grep -q '"check":"not-expanded","severity":"warning","text":"Codex does not replace the variable in ."env."' out
verdict "a variable where the client replaces none" $?
printf '{"mcpServers": {},\n  "projects": {"%s": {"mcpServers": {%s}}}}' "$PWD" "$(entry near bare)" >"$HOME/.claude.json"
cp -a "$HOME" before
doctor --format json --slow-ms 600000
diff -r "$HOME" before >log && rm -rf before
verdict "nothing was written into clients' files" $?
grep -q '"scope":"local"' out && grep -q '"name":"near","state":"started"' out
verdict "Claude Code's servers of this folder, in the user's file" $?
printf '{\n  "mcpServers": {\n    "a": {,}\n}' >"$HOME/.claude.json"
doctor --no-start --format json
grep -q 'line 3, column 11' out
verdict "a file that does not parse is told with its place" $?
rm -f "$HOME/.claude.json" "$HOME/.config/Code/User/mcp.json" "$HOME/.codex/config.toml" "$HOME/.gemini/settings.json" "$c"

servers .mcp.json mcpServers "\"foreign\": {\"command\": \"$python\", \"args\": [\"$server\", \"touch\", \"$tmp/touched\", \"--api-key\",
    \"abcdefgh12345\", \"key=abcdefgh12345\", \"$(printf 'x%.0s' $(seq 2000))\", \"last-word\"]}"
doctor --format json
[ ! -e "$tmp/touched" ] && found "what a file of this folder names is not started" "literal-secret not-trusted"
doctor --format json --yes --slow-ms 600000
[ -e "$tmp/touched" ]
verdict "but with --yes" $?
rm -f "$tmp/touched"
python3 - "$tmp/touched" >out 2>log <<'PY'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp("manglecp", ["manglecp", "doctor", "--slow-ms", "600000"])
said, asked = b"", False
while True:
    try:
        piece = os.read(fd, 4096)
    except OSError:
        break
    if not piece:
        break
    said += piece
    if b"[y/N]" in said and not asked:
        asked = True
        print("started before it was asked" if os.path.exists(sys.argv[1]) else "asked first")
        os.write(fd, b"y\n")
print(said.decode())
PY
grep -q 'asked first' out && grep -q 'foreign: .*doctor_server.py touch' out && [ -e "$tmp/touched" ]
verdict "or where somebody agrees at a terminal, who was shown the command" $?
grep -q 'key=\[secret\]' out && ! grep -q abcdefgh12345 out && grep -q 'last-word' out
verdict "the whole of it, without its secret wherever that stands" $?
rm -f "$tmp/touched"
doctor .mcp.json --slow-ms 600000
[ $? = 0 ] && [ -e "$tmp/touched" ]
verdict "or where the file is named" $?
manglecp new hello >out && manglecp mcp --install cursor hello --yes >out && manglecp mcp --install codex hello --yes >out &&
    (cd "$HOME" && doctor --format json --slow-ms 600000; cp out log "$OLDPWD")
python3 -c '
import json
s = json.load(open("out"))["servers"]
assert len(s) == 1 and s[0]["name"] == "hello" and s[0]["state"] == "started" and s[0]["tools"] == 3 and len(s[0]["files"]) == 2, s
assert all(f["severity"] == "note" for f in s[0]["findings"]), s' 2>>log
verdict "what --install has written starts, for both clients" $?
manglecp mcp --undo cursor --yes >out && manglecp mcp --undo codex --yes >out
printf 'mcpServers:\n  a: {command: "%s", args: ["%s", healthy]}\n' "$python" "$server" >s.yaml
doctor s.yaml --slow-ms 600000
[ $? = 0 ] && grep -q '^a  *given' out
verdict "a file in YAML" $?
doctor nothing.json
[ $? = 1 ] && grep -q 'file-broken: ' out
verdict "one that is not there" $?
doctor --format xml
[ $? = 2 ]
verdict "usage" $?

echo "1..$count"
