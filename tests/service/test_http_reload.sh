# What the files of requests say is taken up without a restart: by reload, and by --watch on its own; and what is
# wrong in one of them changes nothing.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/http.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
server=
api=
trap 'kill $server $api 2>/dev/null; wait; rm -rf "$tmp"' EXIT
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
asks() { # PATH: the server's tool asks for it
    manglecp invoke "http://127.0.0.1:$port" greet --intent welcome --arg name=Ann --json \
        --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1
    grep -q "\"said\":\"$1\"" out
}

python3 -c "
import sys, time
sys.path.insert(0, '$root/tests/actions')
from http_server import Server
print(Server().port, flush=True)
time.sleep(600)" >api_port &
api=$!
for _ in $(seq 100); do
    [ -s api_port ] && break
    sleep 0.1
done
manglecp new greeter --kind commands >out
rm greeter/tools/clock.yaml greeter/actions/speak.yaml greeter/rules/domain/clock.mg
mkdir greeter/api
sed -i 's#commands: .*#http: api/*.yaml#' greeter/domain.yaml
sed -i 's/AID.SPEAK.SAY.v1/AID.SPEAK.ASK.v1/; s/, words: {from: args.words}//; s/steps.say.output.text/steps.say.output.value/' \
    greeter/tools/greet.yaml
cat >greeter/api/ask.yaml <<END
name: ask
aid: AID.SPEAK.ASK.v1
description: Asks.
url: http://127.0.0.1:$(cat api_port)/echo/{to}
select: /path
private: true
side_effects: none
END
start
asks "/echo/Ann"
verdict "a request is sent by a tool of the server" $?
sed -i 's#/echo/{to}#/echo/dear/{to}#' greeter/api/ask.yaml
manglecp reload "http://127.0.0.1:$port" >out 2>&1 && asks "/echo/dear/Ann"
verdict "reload takes up what the file says now" $?
sed -i 's/^select: /selects: /' greeter/api/ask.yaml
manglecp reload "http://127.0.0.1:$port" >out 2>&1
[ $? != 0 ] && asks "/echo/dear/Ann"
verdict "a mistake in it changes nothing" $?
kill "$server" && wait "$server"
sed -i 's/^selects: /select: /' greeter/api/ask.yaml
start --watch
sed -i 's#/echo/dear/{to}#/echo/{to}/again#' greeter/api/ask.yaml
said=1
for _ in $(seq 100); do
    asks "/echo/Ann/again" && said=0 && break
    sleep 0.1
done
verdict "--watch takes it up on its own" $said
kill "$server" && wait "$server"

# ---- a document of OpenAPI -----------------------------------------------------------------------
mkdir greeter/openapi
document() { # PATH
    cat >greeter/openapi/ask.json.new <<END
{"openapi": "3.1.0", "servers": [{"url": "http://127.0.0.1:$(cat api_port)"}],
 "paths": {"$1": {"get": {"operationId": "ask", "parameters": [{"name": "to", "in": "path", "required": true}]}}}}
END
    mv greeter/openapi/ask.json.new greeter/openapi/ask.json
}
follows() { # PATH: within ten seconds
    said=1
    for _ in $(seq 100); do
        asks "$1" && said=0 && break
        sleep 0.1
    done
}
document "/echo/{to}"
rm greeter/api/ask.yaml
sed -i 's#http: .*#http:\n  - {openapi: openapi/ask.json, private: true, operations: {ask: {aid: AID.SPEAK.ASK.v1, select: /path, side_effects: none}}}#' \
    greeter/domain.yaml
start --watch
asks "/echo/Ann"
verdict "an operation of a document" $?
document "/echo/dear/{to}"
follows "/echo/dear/Ann"
verdict "is watched" $said
document "/echo/no/{to"
for _ in $(seq 100); do
    grep -q 'openapi/ask.json' log && break
    sleep 0.1
done
grep -q 'openapi/ask.json' log && asks "/echo/dear/Ann"
verdict "a mistake in it changes nothing" $?
document "/echo/last/{to}"
follows "/echo/last/Ann"
verdict "and mending it is seen" $said
kill "$server" && wait "$server"
server=
echo "1..$count"
