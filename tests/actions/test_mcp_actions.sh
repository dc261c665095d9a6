# Tools of MCP servers as actions, in every revision. X-INIT-7, X-COMPAT-5, -6, X-PAGE-3, X-TOOL-16, -21, -22,
# X-MRTR-5, -12, X-ELIC-11, X-ROOTS-2, X-SAMP-3, X-PROG-5, X-ACT-2 to -9.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/mcp.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
server=$root/tests/mcp/server.py
# domain REVISION [MODE]
domain() {
    mkdir -p d
    cat >d/domain.yaml <<EOF
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions:
  confine: off
  mcp: {shop: {command: python3, args: ["$server", "$1", "${2:-good}"]}}
EOF
}
act() { manglecp action d "AID.MCP.SHOP.$1.v1" --json --yes "${@:2}" >out 2>log; }
# gives NAME TEXT...: each is in `out`
gives() {
    local good=0
    for text in "${@:2}"; do grep -qF -- "$text" out || good=1; done
    verdict "$1" $good
}
for revision in 2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28 dual; do
    rm -rf d
    domain $revision
    manglecp actions d --lock >out 2>log
    verdict "$revision: locked" $?
    case $revision in 2026-07-28 | dual) era=modern;; *) era=legacy;; esac
    grep -q "\"era\": \"$era\"" d/mcp.lock.json && [ "$(grep -c '"sha256"' d/mcp.lock.json)" = 11 ]
    verdict "$revision: all pages, and the era" $?
    act GET_ECHO --arg 'text=a "line"'
    gives "$revision: a call" '"text":"a \"line\""'
    act ADD --input '{"a":40,
 "b":2}'
    gives "$revision: structured, or an object as text" '"output":{"sum":42}'
done
domain 2025-11-25
manglecp actions d --lock >out 2>log
act GET_JSON
gives "one text that is an object" '"output":{"a":[1,2.5,null]}'
act GET_MIXED
gives "blocks of all kinds" '"text":"one\ntwo"' '"kind":"image","mime_type":"image/png","bytes":5' \
    '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824' '"uri":"file:///etc/passwd"' \
    '1 blocks of an unknown kind were left out'
act FAILS
gives "isError is a definite failure, in one line" '"error":"MCP server shop: no such order: ask for another"' '"indeterminate":false'
act GET_ECHO --arg wrong=1
grep -q 'arguments: the member "text" is missing' log
verdict "arguments that do not fit are not sent" $?
act GET_SLOW --log debug
gives "progress of the call, and of no other" '"text":"done"'
grep -q 'shop: half' log && ! grep -q "$(printf '\033')" log
verdict "what it logs is for --log debug, cleaned" $?
act GET_ASKED
gives "ping is answered, all else is not offered" '"answers":[{},-32601,-32601,-32601]'
act GET_ENV --arg name=PATH
gives "it has PATH" '/bin'
act GET_ENV --arg name=RLIMIT_NOFILE
gives "room for a runtime" '"text":"1024"'
MACHINA_TOOLHOST_RLIMIT_NOFILE=100 act GET_ENV --arg name=RLIMIT_NOFILE
gives "unless the environment says otherwise" '"text":"100"'
SECRET_OF_OURS=x act GET_ENV --arg name=SECRET_OF_OURS
gives "and nothing that was not said" '(not set)'

# Side effects: the worst where nothing is said; what a person sets stays.
grep -A4 '"name": "fails"' d/mcp.lock.json | grep -q . && manglecp actions d --json >out
python3 - <<'EOF'
import json
a = {x["name"]: x for x in json.load(open("out"))}
assert a["fails"]["tier"] == 3 and a["fails"]["side_effects"] == ["destructive", "network"], a["fails"]
assert a["get_echo"]["tier"] == 0 and a["add"]["side_effects"] == ["x-mcp-write"]
assert a["writes"]["side_effects"] == ["destructive"]
lock = json.load(open("d/mcp.lock.json"))
for t in lock["servers"]["shop"]["tools"]:
    if t["name"] == "fails":
        t["side_effects"] = ["none"]
json.dump(lock, open("d/mcp.lock.json", "w"))
EOF
verdict "side effects: the worst where nothing is said" $?
manglecp actions d --lock >out 2>log && manglecp actions d --json | python3 -c '
import json, sys
assert [x["tier"] for x in json.load(sys.stdin) if x["name"] == "fails"] == [0]'
verdict "what a person set in the lock stays" $?
gives "and nothing differs" 'nothing differs'

# Modern: asked again.
rm -rf d
domain 2026-07-28
manglecp actions d --lock >out 2>log
act GET_AGAIN --arg how=twice
gives "it wants to be asked again, twice" '"text":"state 2"'
act GET_AGAIN --arg how=forever
gives "more than 10 times is no answer" 'more than 10 times'
act GET_AGAIN --arg how=ask
gives "a question fails the call, and is named" 'nobody is there to answer: Delete\\u{202e} 3 files?'

# Old servers and the probe.
for mode in exits mute noisy; do
    rm -rf d
    domain 2025-06-18 $mode
    manglecp actions d --lock >out 2>log
    act GET_ECHO --arg text=hi
    gives "a server that is $mode at the probe" '"text":"hi"'
done
manglecp actions d --offered >out 2>log
gives "what it writes besides is told" 'Server running on stdio!'

# A lock is needed, and says how the server is started.
rm -rf d
domain 2025-11-25
manglecp check d >out 2>&1
gives "without a lock" NOT_LOCKED 'nothing was accepted of the MCP server shop' 'manglecp actions DOMAIN --lock'
manglecp actions d --offered >out 2>log
[ $? = 1 ] && [ ! -f d/mcp.lock.json ]
verdict "--offered writes nothing" $?
manglecp actions d --lock >out 2>log
domain 2025-06-18
manglecp check d >out 2>&1
gives "another way to start it" NOT_LOCKED 'started in another way'
echo '{"version": 2}' >d/mcp.lock.json
manglecp check d >out 2>&1
gives "a lock that is none" BAD_LOCK 'it is no lock file of version 1'

# Configurations of clients.
rm -rf d
mkdir d
cat >d/domain.yaml <<'EOF'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions: {confine: off, mcp: .mcp.json}
EOF
cat >d/.mcp.json <<EOF
{
	// as editors write it
	"servers": {
		"shop": { "type": "stdio", "command": "python3", "args": ["$server", "2025-11-25", "\${A_MODE:-good}"], /* and
		  more */ "env": { "URL": "http://x//y", "TOKEN": "\${env:A_TOKEN}" }, "trust": true, },
		"off": { "command": "nothing", "disabled": true }
	}
}
EOF
A_TOKEN=t0ken manglecp actions d --lock >out 2>log
verdict "a file with comments, variables and a server that is off" $?
export A_TOKEN=t0ken
act GET_ENV --arg name=TOKEN
gives "its environment" '"text":"t0ken"'
act GET_ENV --arg name=URL
gives "with what looks like a comment" '"text":"http://x//y"'
grep -q t0ken d/mcp.lock.json
verdict "the lock tells no secret" $((1 - $?))
A_TOKEN=other manglecp check d >out 2>&1
verdict "and holds where the secret is another" $?
unset A_TOKEN
manglecp check d >out 2>&1
gives "a variable that is not set" NO_VARIABLE 'server shop: ${A_TOKEN} is not set' '.mcp.json:5'
sed -i 's/env:A_TOKEN/input:key/' d/.mcp.json
manglecp check d >out 2>&1
gives "one that would have to be asked for" 'server shop: ${input:key} would have to be asked for'
cat >d/domain.yaml <<'EOF'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions: {confine: off, mcp: {a: {}, b: {command: no-such-program-at-all}, c: {url: "ftp://x"}, d: {url: "http://x", headers: {Host: y}}}}
EOF
manglecp check d >out 2>&1
gives "all that is wrong, at once" 'server a has neither "command" nor "url"' 'no-such-program-at-all' \
    'server c: "url" must be an http or https address' 'server d: the header "Host" cannot be set'
sed -i 's/mcp: .*/mcp: {a.b: {command: python3}, a_b: {command: python3}}}/' d/domain.yaml
manglecp check d >out 2>&1
gives "servers that would share their actions' names" DUPLICATE 'two MCP servers would both give actions like AID.MCP.A_B.X.v1'

# A file of Gemini CLI, with a file of variables, and tools that are meant.
rm -rf d
mkdir -p d/.gemini
cat >d/domain.yaml <<'EOF'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions: {confine: off, mcp: {from: .gemini/settings.json, servers: {shop: {tools: [get_env, get_echo, writes, no_such]}}}}
EOF
cat >d/.gemini/settings.json <<EOF
{"theme": "dark", "mcpServers": {"shop": {"command": "python3", "args": ["$server", "2025-11-25"], "excludeTools": ["writes"],
  "env": {"A": "<\$A_TOKEN>", "B": "of env"}, "envFile": "\${workspaceFolder}/.env", "trust": true}}}
EOF
cat >d/.env <<'EOF'
# what the server needs
export C="of the file" # said here
B=not this
D = 'as it is # $A_TOKEN'
E=up to a # comment
E=the last
F=
EOF
export A_TOKEN=t0ken
manglecp actions d --lock >out 2>log
cat d/mcp.lock.json >>out
gives "the tools that are meant are locked" 'shop get_env' 'shop get_echo'
[ "$(grep -c '"sha256"' d/mcp.lock.json)" = 2 ]
verdict "and no others" $?
for pair in "A=<t0ken>" "B=of env" "C=of the file" 'D=as it is # $A_TOKEN' "E=the last" "F="; do
    act GET_ENV --arg "name=${pair%%=*}"
    gives "a variable, ${pair%%=*}" "\"text\":\"${pair#*=}\""
done
grep -q 'nobody accepted' log
verdict "nothing is told of tools that are not meant" $((1 - $?))
sed -i 's/tools: \[.*\]/tools: [get_env]/' d/domain.yaml
act GET_ECHO --arg text=hi
cat log >>out
gives "what is not meant any more is no action, although it is locked" 'there is no action "AID.MCP.SHOP.GET_ECHO.v1"'
printf 'A B=c\nnothing\nG="x\n' >d/.env
manglecp check d >out 2>&1
gives "lines that are none, each with its place" 'server shop: line 1 of .env: what' 'no name of a variable' 'line 2 of .env: it is no NAME=value' \
    'line 3 of .env: a quote is not closed'
grep -q 'nothing$' out
verdict "without what they say" $((1 - $?))
rm d/.env
manglecp check d >out 2>&1
gives "a file that is not there" NO_FILE 'the file ".env" of "envFile" is not there'
sed -i 's#${workspaceFolder}/.env#/etc/passwd#' d/.gemini/settings.json
manglecp check d >out 2>&1
gives "one of somewhere else" '"envFile" is a file of the domain'
cat >d/domain.yaml <<'EOF'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions: {confine: off, mcp: {a: {command: python3, tools: get_env}, b: {url: "http://x", bearer_token_env_var: NO_TOKEN_HERE},
  c: {url: "http://x", bearer_token_env_var: A_TOKEN, headers: {AUTHORIZATION: x}}}}
EOF
manglecp check d >out 2>&1
gives "what else is wrong of an entry" 'server a: "tools" is a list of names of tools' 'server b: ${NO_TOKEN_HERE} is not set' \
    'server c: "bearer_token_env_var" is the name of a variable'
printf '[mcp_servers.a]\ncommand = "x"\n' >d/config.toml
sed -i 's/mcp: {a: .*/mcp: config.toml}/; /^  c: /d' d/domain.yaml
manglecp check d >out 2>&1
gives "a file in TOML" 'config.toml:1' 'nothing was accepted of the MCP server a' 'there is no program x in PATH'
cat >d/config.toml <<EOF
model = "o" # Codex
[mcp_servers.shop]
command = 'python3'
args = ["$server", "2025-11-25"]
enabled_tools = ["get_echo", "get_env"]
disabled_tools = ["get_env"]
EOF
cat >d/domain.yaml <<'EOF'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions: {confine: off, mcp: config.toml}
EOF
manglecp actions d --lock >out 2>log
act GET_ECHO --arg text=hi
gives "a file of Codex, in TOML" '"text":"hi"'
[ "$(grep -c '"sha256"' d/mcp.lock.json)" = 1 ]
verdict "with the tools that it enables" $?
echo "1..$count"
