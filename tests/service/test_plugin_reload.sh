# A plugin that was built again is taken up without a restart: by reload, and by --watch on its own. What was
# shown before goes on to work, with the new one.
. tests/support/scratch.sh manglecp toolhost
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$tmp"' EXIT
export MANGLECP_TOKEN=a-token-of-this-test-alone

rebuild() { # WORDS: the plugin alone is another one, which answers them whatever is asked
    sed -i 's|^    .*host->set_output.*|    static const char said[] = "{\\"spoken\\":{\\"to\\":\\"Ann\\",\\"words\\":\\"'"$1"'\\"}}"; host->set_output(call, said, sizeof said - 1);|' greeter/plugins/speak.c
    make -C greeter CPPFLAGS="-I$root/include" >out 2>&1
}
start() { # OPTIONS...
    manglecp serve greeter --listen 127.0.0.1:0 "$@" 2>log &
    server=$!
    for _ in $(seq 300); do
        port=$(sed -n 's/.*127\.0\.0\.1:\([0-9][0-9]*\).*/\1/p' log | head -n 1)
        [ -n "$port" ] && curl -sf "http://127.0.0.1:$port/ready" >out 2>&1 && return
        sleep 0.1
    done
}
stop() {
    kill "$server" && wait "$server"
    server=
}
says() { # WORDS: the server's tool says them
    manglecp invoke "http://127.0.0.1:$port" greet --intent welcome --arg name=Ann --json \
        --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1
    grep -q "\"said\":\"$1\"" out
}

manglecp new greeter --template plugin >out
rebuild First
start
says First
verdict "the plugin answers" $?
rebuild Second
says First
verdict "one that is built again is not taken before it is told" $?
manglecp reload "http://127.0.0.1:$port" >out 2>&1 && says Second
verdict "reload takes it" $?
echo nonsense >greeter/plugins/speak.so.new && mv greeter/plugins/speak.so.new greeter/plugins/speak.so
! manglecp reload "http://127.0.0.1:$port" >out 2>&1 && says Second
verdict "one that does not load changes nothing" $?
stop

touch greeter/plugins/speak.c
rebuild Third
start --watch
says Third
verdict "a server that watches" $?
rebuild Fourth
good=1
for _ in $(seq 100); do
    says Fourth && good=0 && break
    sleep 0.1
done
verdict "takes it by itself" $good
echo "1..$count"
