# manglecp mcp --install, --uninstall, --undo: one entry in each client's configuration, and nothing else. X-ACT-1.
. tests/support/scratch.sh manglecp
export HOME=$tmp/home
unset XDG_CONFIG_HOME CODEX_HOME CLAUDE_CONFIG_DIR MANGLECP_TOKEN MANGLECP_CONFIRM_KEY
mkdir home work && cd work || exit 1
manglecp new hello >/dev/null || exit 1
here=$(pwd -P)
self=$(readlink -f "$BUILD_DIR/bin/manglecp")
mcp() { manglecp mcp "$@" >out 2>log; }
says() { # says NAME FILE TEXT...: each is in it
    local good=0
    for text in "${@:3}"; do grep -qF -- "$text" "$2" || good=1; done
    verdict "$1" $good
}
fails() { # fails NAME STATUS ARGUMENTS...
    mcp "${@:3}" </dev/null
    [ $? = "$2" ]
    verdict "$1" $?
}
table='claude-code user .claude.json
claude-code project .mcp.json
claude-desktop user .config/Claude/claude_desktop_config.json
cursor user .cursor/mcp.json
cursor project .cursor/mcp.json
vscode user .config/Code/User/mcp.json
vscode project .vscode/mcp.json
gemini user .gemini/settings.json
gemini project .gemini/settings.json
codex user .codex/config.toml
codex project .codex/config.toml'
# What a client reads, by another parser: command and arguments of the entry.
entry() {
    python3 - "$1" "$2" <<'PY'
import json, re, sys, tomllib
path, name = sys.argv[1:]
text = open(path, encoding="utf-8-sig").read()
if path.endswith(".toml"):
    e = tomllib.loads(text)["mcp_servers"][name]
else:
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m[1] or "", text, flags=re.S)
    text = re.sub(r',(\s*[}\]])', r'\1', text)
    v = json.loads(text)
    e = (v.get("servers") or v["mcpServers"])[name]
print(e["command"], *e["args"])
PY
}
while read -r client scope path; do
    file=$HOME/$path
    [ "$scope" = user ] || file=$path
    mcp --install "$client" hello --scope "$scope" --dry-run && [ ! -e "$file" ] && grep -q '^+' out
    verdict "$client, $scope: --dry-run shows it alone" $?
    fails "$client, $scope: nobody at a terminal agrees" 2 --install "$client" hello --scope "$scope"
    [ ! -e "$file" ] && mcp --install "$client" hello --scope "$scope" --yes &&
        [ "$(entry "$file" hello)" = "$self mcp $here/hello" ]
    verdict "$client, $scope: from nothing, with absolute paths" $?
    [ "$scope" = project ] || [ "$(stat -c %a "$file")" = 600 ]
    verdict "$client, $scope: nobody else reads a new one of the user" $?
    cp "$file" once && mcp --install "$client" hello --scope "$scope" --yes && cmp -s once "$file" && grep -q 'has it already' out
    verdict "$client, $scope: twice is once" $?
    mcp --undo "$client" --scope "$scope" --yes && [ ! -e "$file" ] && [ -z "$(find "$(dirname "$file")" -name '*before-manglecp*')" ]
    verdict "$client, $scope: undone, there is none" $?

    # One that is there: others of it, comments, layout, line ends, mode.
    case $path in
    *.toml) printf '# mine\r\nmodel = "o"   # m\r\n\r\n[mcp_servers.other]\r\ncommand = '"'x'"'\r\n[tail]\r\na = 1' ;;
    *Code*|*vscode*|*gemini*|*cursor*)
        section=mcpServers
        case $path in *Code*|*vscode*) section=servers ;; esac
        printf '\xef\xbb\xbf// mine\n{\n\t"z": 1, // last\n\t"%s": {\n\t\t/* theirs */ "other": {"command": "x"},\n\t},\n}' "$section" ;;
    *) printf '{\r\n    "z": 1,\r\n    "mcpServers": {\r\n        "other": {"command": "x"}\r\n    }\r\n}' ;;
    esac >"$file"
    chmod 640 "$file"
    cp "$file" was
    mcp --install "$client" hello --scope "$scope" --yes && [ "$(entry "$file" hello)" = "$self mcp $here/hello" ] &&
        cmp -s was "$file.before-manglecp" && [ "$(stat -c %a "$file" "$file.before-manglecp" | tr '\n' ' ')" = '640 640 ' ]
    verdict "$client, $scope: beside others; the old one and the mode are kept" $?
    diff -a was "$file" | grep -qa '^<' && [ "${path%.toml}" = "$path" ]
    [ $? = 1 ]
    verdict "$client, $scope: no line of theirs is changed" $?
    mcp --uninstall "$client" --scope "$scope" --yes && cmp -s was "$file"
    verdict "$client, $scope: taken out, every byte is as it was" $?
    mcp --undo "$client" --scope "$scope" --yes && entry "$file" hello >out2 && mcp --uninstall "$client" --scope "$scope" --yes
    verdict "$client, $scope: taking out can be undone, too" $?
    mcp --install "$client" hello --scope "$scope" --yes && mcp --undo "$client" --scope "$scope" --yes && cmp -s was "$file" && [ ! -e "$file.before-manglecp" ]
    verdict "$client, $scope: undone, every byte is as it was" $?

    mcp --install "$client" hello --scope "$scope" --yes
    case $path in *.toml) printf '\nlate = 1\n' ;; *) printf '\n \n' ;; esac >>"$file"
    cp "$file" grown
    mcp --undo "$client" --scope "$scope" --yes
    [ $? = 1 ] && cmp -s grown "$file" && grep -q 'was changed since' log
    verdict "$client, $scope: what others changed since is not undone" $?
    mcp --uninstall "$client" --scope "$scope" --yes && ! entry "$file" hello >out2 2>&1 && [ -s "$file" ]
    verdict "$client, $scope: taking out leaves it" $?

    printf 'no\n{' >"$file"
    cp "$file" was
    mcp --install "$client" hello --scope "$scope" --yes
    [ $? = 1 ] && cmp -s was "$file" && grep -qF "$path:" log
    verdict "$client, $scope: what does not parse is told with its place, and left" $?
    rm -f "$file" "$file".before*
done <<<"$table"

mkdir -p "$HOME/.cursor"
c=$HOME/.cursor/mcp.json
printf '{}\n' >"$c"
chmod 444 "$c"
mcp --install cursor hello --yes
[ $? = 1 ] && grep -q 'is read-only' log && [ "$(cat "$c")" = '{}' ]
verdict "what is read-only stays" $?
rm -f "$c"

mkdir "$tmp/dots" && printf '{}\n' >"$tmp/dots/mcp.json" && ln -s "$tmp/dots/mcp.json" "$c"
mcp --install cursor hello --yes
[ $? = 1 ] && grep -q 'out of' log && [ "$(cat "$tmp/dots/mcp.json")" = '{}' ]
verdict "a link out of the home folder is told, and not followed" $?
mcp --install cursor hello --yes --force && [ -L "$c" ] && entry "$tmp/dots/mcp.json" hello >out2 && grep -q 'leads to' log
verdict "with --force it is, the link stays, and it is said" $?
rm -f "$c"
mkdir "$HOME/dots" && printf '{}\n' >"$HOME/dots/mcp.json" && ln -s ../dots/mcp.json "$c"
mcp --install cursor hello --yes && [ -L "$c" ] && entry "$HOME/dots/mcp.json" hello >out2 && [ ! -s log ]
verdict "one within it is followed" $?
rm -f "$c" && ln -s nowhere "$c"
fails "one that leads nowhere is told" 1 --install cursor hello --yes
rm -f "$c" && mkdir "$c"
fails "a folder is no file" 1 --install cursor hello --yes
rmdir "$c"
ln -s "$HOME/elsewhere" "$c.before-manglecp" && printf '{}\n' >"$c"
mcp --install cursor hello --yes
[ $? = 2 ] && [ ! -e "$HOME/elsewhere" ] && [ "$(cat "$c")" = '{}' ]
verdict "the old file is kept through no link, and without it nothing is written" $?
rm -f "$c" "$c.before-manglecp"

printf '{"mcpServers": {"hello": {"command": "node"}}}' >"$c"
mcp --install cursor hello --yes
[ $? = 1 ] && grep -q 'not of manglecp' log
verdict "an entry of somebody else stays" $?
mcp --install cursor hello --yes --name mine && entry "$c" mine >out2 && mcp --install cursor hello --yes --name two && mcp --uninstall cursor --yes
[ $? = 1 ] && grep -q 'two, mine' log
verdict "of several it is to be said which" $?
mcp --uninstall cursor --yes --name hello
[ $? = 1 ] && mcp --uninstall cursor --yes --name two && mcp --install cursor hello --yes --force && [ "$(entry "$c" hello)" = "$self mcp $here/hello" ]
verdict "--force replaces it" $?
rm -f "$c" "$c".before*

for row in "claude-code .claude.json \${MANGLECP_TOKEN}" "cursor .cursor/mcp.json \${env:MANGLECP_TOKEN}" "vscode .config/Code/User/mcp.json \${env:MANGLECP_TOKEN}" 'codex .codex/config.toml env_vars = ["MANGLECP_TOKEN"]'; do
    read -r client path form <<<"$row"
    MANGLECP_TOKEN=very-secret mcp --install "$client" https://tools.example --env MANGLECP_TOKEN --yes --name far
    grep -qF -- "$form" "$HOME/$path" && ! grep -q very-secret "$HOME/$path" out log
    verdict "$client: a variable by its name, never its value" $?
    rm -f "$HOME/$path" "$HOME/$path".before*
done
fails "Claude Desktop has no variables" 2 --install claude-desktop https://tools.example --env MANGLECP_TOKEN --yes
fails "a secret is not written" 2 --install cursor https://tools.example --token very-secret --yes
grep -q 'Set MANGLECP_TOKEN' log && ! grep -q very-secret log
verdict "and it is said how" $?
mcp --install cursor --yes --text-alone --set notes=hello hello --ca hello/domain.yaml --dry-run
mcp --install cursor --yes --text-alone --name talk -- manglecp serve ./hello
says "options and commands are kept, and made absolute" "$c" '"--text-alone"' '"--"' "\"$BUILD_DIR/bin/manglecp\"" '"./hello"'
rm -f "$c" "$c".before*

# at_terminal ANSWER COMMAND...: what it writes to a terminal where somebody answers; its exit status
at_terminal() {
    python3 - "$@" >out 2>log <<'PY'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
said = b""
while True:
    try:
        piece = os.read(fd, 4096)
    except OSError:
        break
    if not piece:
        break
    said += piece
    if b"[y/N]" in said and sys.argv[1]:
        os.write(fd, (sys.argv[1] + "\n").encode())
        sys.argv[1] = ""
print(said.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
}
at_terminal n manglecp mcp --install cursor hello
[ $? = 1 ] && [ ! -e "$c" ] && grep -q 'Nothing was written' out && grep -q '+.*"hello"' out
verdict "at a terminal the difference is shown, and no means no" $?
at_terminal y manglecp mcp --install cursor hello
[ $? = 0 ] && [ "$(entry "$c" hello)" = "$self mcp $here/hello" ]
verdict "and yes means yes" $?
at_terminal y manglecp mcp --undo cursor
[ $? = 0 ] && [ ! -e "$c" ]
verdict "undoing asks, too" $?

fails "no such client" 2 --install emacs hello --yes
fails "no such folder" 2 --install cursor nothing --yes
fails "two at once" 2 --install cursor --undo cursor hello
fails "--yes by itself" 2 hello --yes
fails "Claude Desktop has no project" 2 --install claude-desktop hello --scope project --yes
fails "nothing to undo" 1 --undo cursor --yes
fails "nothing to take out" 1 --uninstall cursor --yes
cp -r hello keys
cat >keys/mcp.json <<'END'
{"mcpServers": {"a": {"command": "x", "args": ["${KEY_A}", "${env:KEY_B}", "${KEY_A}", "${OTHER:-none}", "${input:key}",
  "${workspaceFolder}", "${}", "${KEY_C"]}}}
END
mcp --install cursor keys --dry-run
says "what the domain takes from its environment is told" out 'does not hand on: KEY_A KEY_B.' 'Give --env KEY_A --env KEY_B, too.'
mcp --install cursor keys --env KEY_B --yes && grep -q 'hand on: KEY_A\.' out && ! grep -q -- '--env KEY_B' out
verdict "but not what is handed on" $?
mcp --install cursor keys --env KEY_B --env KEY_A --yes && ! grep -q 'hand on' out
verdict "and nothing where all is" $?
mcp --undo cursor --yes
mcp --install claude-desktop keys --dry-run
says "a client without variables hands none on" out 'KEY_A KEY_B. Claude Desktop hands nothing on'
HOME='' mcp --install cursor hello --yes
[ $? = 1 ] && grep -q 'HOME is not set' log
verdict "without a home folder nobody knows where" $?

echo "1..$count"
