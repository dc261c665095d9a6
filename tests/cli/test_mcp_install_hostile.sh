# manglecp mcp --install and --undo among configurations that were not made for them: secrets are not shown, what a
# terminal would obey is not obeyed, owners stay, of two at once none is lost, what does not parse is left alone.
. tests/support/scratch.sh manglecp
export HOME=$tmp/home
unset XDG_CONFIG_HOME CODEX_HOME CLAUDE_CONFIG_DIR MANGLECP_TOKEN MANGLECP_CONFIRM_KEY
mkdir -p home/.cursor home/.codex work && cd work || exit 1
manglecp new hello >/dev/null || exit 1
mcp() { manglecp mcp "$@" >out 2>log </dev/null; }
c=$HOME/.cursor/mcp.json
x=$HOME/.codex/config.toml

# Secrets of others, within what is shown of the file.
cat >"$c" <<'EOF'
{
  "mcpServers": { // was "TOKEN": "ghp_hunter1hunter1"
    "a": {"command": "a", "env": {"API_KEY": "hunter2"}, "args": ["--password", "hunter3"]}
  }
}
EOF
cp "$c" before
mcp --install cursor hello --yes
[ $? = 0 ] && grep -q '"API_KEY": "\[secret\]"' out && grep -q '+.*"hello"' out && ! grep -q hunter out log
verdict "no secret is shown of what stands around, comments included" $?
grep -q hunter2 "$c" && grep -q hunter3 "$c"
verdict "all are in the file" $?
mcp --undo cursor --yes
[ $? = 0 ] && cmp -s "$c" before && ! grep -q hunter out log
verdict "nor when it is undone" $?
printf '[mcp_servers.a]\ncommand = "a"\nenv = { API_KEY = "hunter2" }\n' >"$x"
cp "$x" before
mcp --install codex hello --yes && ! grep -q hunter out && mcp --undo codex --yes && ! grep -q hunter out && cmp -s "$x" before
verdict "nor of TOML" $?

# What a terminal would obey, in a comment of somebody's file.
printf '# \xc2\x9b2J \xe2\x80\xaegnirts\n[mcp_servers.a]\ncommand = "a"\n' >"$x"
mcp --install codex hello --yes
[ $? = 0 ] && grep -q 'u{202e}' out && ! LC_ALL=C grep -qP '\x1b|\xc2\x9b|\xe2\x80\xae' out log
verdict "what is not seen is shown as what it is" $?
rm -f "$x"*

# What does not parse, or is no file.
n=0
while IFS= read -r text; do
    # shellcheck disable=SC2059
    printf "$text" >"$c"
    cp "$c" before
    n=$((n + 1))
    mcp --install cursor hello --yes
    [ $? = 1 ] && cmp -s "$c" before && grep -q 'mcp.json' log && [ ! -e "$c.before-manglecp" ]
    verdict "broken $n is told, and left as it is" $?
done <<'EOF'
{"mcpServers": {"a": 1}, "mcpServers": {}}
{"mcpServers": []}
{"mcpServers": {"hello": {}, "hello": {}}}
[]
{"mcpServers": {
{"a": "\xff"}
{"a": "\\ud800"}
{} {}
\xff\xfe{\x00}\x00
EOF
python3 -c 'print("{\"a\": " + "[" * 3000 + "]" * 3000 + "}")' >"$c"
cp "$c" before
mcp --install cursor hello --yes
[ $? = 1 ] && cmp -s "$c" before && grep -q 'nested' log
verdict "what is nested thousands of levels deep is told" $?
rm -f "$c" && mkfifo "$c"
timeout 20 manglecp mcp --install cursor hello --yes >out 2>log </dev/null
[ $? = 1 ] && grep -q 'is no file' log
verdict "a pipe is no file" $?
rm -f "$c" && ln -s mcp.json "$c"
mcp --install cursor hello --yes
[ $? = 1 ] && [ -L "$c" ]
verdict "a link to itself is told" $?
rm -f "$c"

# Ten megabytes, and one line of them.
python3 - "$c" <<'EOF'
import json, sys
json.dump({"mcpServers": {"s%d" % i: {"command": "c", "env": {"API_KEY": "hunter%d" % i}} for i in range(150000)}}, open(sys.argv[1], "w"), indent=1)
EOF
cp "$c" before
mcp --install cursor hello --yes && [ "$(wc -l <out)" -lt 40 ] && ! grep -q hunter out && mcp --undo cursor --yes && cmp -s "$c" before
verdict "ten megabytes are changed and changed back" $?
rm -f "$c"*

# Two at once: none is lost, and none is half there.
pids=
for i in 1 2 3 4 5 6; do
    manglecp mcp --install cursor hello --name "n$i" --yes >"out$i" 2>"log$i" </dev/null &
    pids="$pids $!"
done
i=0 good=0
for pid in $pids; do
    i=$((i + 1))
    if wait "$pid"; then
        grep -q "\"n$i\"" "$c" || good=1
    else
        grep -q 'in the meantime' "log$i" || good=1
    fi
done
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["mcpServers"]' "$c" || good=1
verdict "of six at once all that were done are there, and the others say that they were not" $good
rm -f "$c"*
exec 9<"$HOME"
flock 9
mcp --install cursor hello --yes
[ $? = 1 ] && grep -q 'cannot be locked' log && [ ! -e "$c" ]
verdict "who does not let go of it is not waited for for ever" $?
exec 9<&-

# Undone after somebody's own change.
echo '{"mcpServers": {}, "theme": "dark"}' >"$c"
mcp --install cursor hello --yes && sed -i 's/dark/light/' "$c" && cp "$c" edited
mcp --undo cursor --yes
[ $? = 1 ] && cmp -s "$c" edited && grep -q 'was changed since' log
verdict "what somebody has changed since is not undone" $?
mcp --uninstall cursor --yes && [ "$(cat "$c")" = '{"mcpServers": {}, "theme": "light"}' ]
verdict "taking the server out leaves it" $?
rm -f "$c"*
echo '{"mcpServers": {}}' >"$c" && mcp --install cursor hello --yes && rm -f "$c.before-manglecp" && ln -s /etc/passwd "$c.before-manglecp"
mcp --undo cursor --yes
[ $? = 1 ] && ! grep -q root "$c"
verdict "what was there before is not read through a link" $?
rm -f "$c"* && echo '{"mcpServers": {}}' >"$c" && echo hers >victim && ln -s "$PWD/victim" "$c.before-manglecp"
mcp --install cursor hello --yes
[ $? = 2 ] && [ "$(cat victim)" = hers ] && [ "$(cat "$c")" = '{"mcpServers": {}}' ]
verdict "and not written through one" $?
rm -f "$c"*

if [ "$(id -u)" = 0 ]; then
    echo '{"mcpServers": {}}' >"$c" && chown 65534:65534 "$c" && chmod 640 "$c"
    mcp --install cursor hello --yes
    [ $? = 0 ] && [ "$(stat -c %u:%g:%a "$c")" = 65534:65534:640 ] && [ "$(stat -c %u:%g:%a "$c.before-manglecp")" = 65534:65534:640 ]
    verdict "root who changes somebody's file leaves it theirs, and so is what was before" $?
else
    mkdir ro && echo '{"mcpServers": {}}' >"$c" && chmod 500 "$HOME/.cursor"
    mcp --install cursor hello --yes
    [ $? = 2 ] && [ "$(cat "$c")" = '{"mcpServers": {}}' ]
    verdict "a folder that cannot be written to is told" $?
    chmod 700 "$HOME/.cursor"
fi
echo "1..$count"
