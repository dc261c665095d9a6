# What the files of commands say is taken up without a restart: by reload, and by --watch on its own; and what is
# wrong in one of them changes nothing.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/command.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$tmp"' EXIT
export MANGLECP_TOKEN=a-token-of-this-test-alone

start() { # OPTIONS...
    manglecp serve greeter --listen 127.0.0.1:0 "$@" 2>log &
    server=$!
    for _ in $(seq 300); do
        port=$(sed -n 's/.*127\.0\.0\.1:\([0-9][0-9]*\).*/\1/p' log | head -n 1)
        [ -n "$port" ] && curl -sf "http://127.0.0.1:$port/ready" >out 2>&1 && return
        sleep 0.1
    done
}
says() { # WORDS: the server's tool says them
    manglecp invoke "http://127.0.0.1:$port" greet --intent welcome --arg name=Ann --json \
        --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1
    grep -q "\"said\":\"$1\"" out
}

manglecp new greeter --kind commands >out
start
says "Welcome! Ann"
verdict "a program answers" $?
sed -i 's/"%s %s\\n"/"%s: %s\\n"/' greeter/actions/speak.yaml
manglecp reload "http://127.0.0.1:$port" >out 2>&1 && says "Welcome!: Ann"
verdict "reload takes up what the file says now" $?
sed -i 's/side_effects: none/side_effects: []/' greeter/actions/speak.yaml
manglecp reload "http://127.0.0.1:$port" >out 2>&1
[ $? != 0 ] && says "Welcome!: Ann"
verdict "a mistake in it changes nothing" $?
kill "$server" && wait "$server"
sed -i 's/side_effects: \[\]/side_effects: none/' greeter/actions/speak.yaml
start --watch
sed -i 's/"%s: %s\\n"/"%s! %s\\n"/' greeter/actions/speak.yaml
said=1
for _ in $(seq 100); do
    says "Welcome!! Ann" && said=0 && break
    sleep 0.1
done
verdict "--watch takes it up on its own" $said
kill "$server" && wait "$server"
server=
echo "1..$count"
