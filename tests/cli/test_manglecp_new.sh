# What `manglecp new` makes passes check and test at once; nothing is written over.
. tests/support/scratch.sh manglecp mangle toolhost

api=
trap 'kill $api 2>/dev/null; rm -rf "$tmp"' EXIT

manglecp new a/Green-House >out 2>&1 && [ -f a/Green-House/README.md ]
verdict "a folder is made, and those above it" $?
grep -q '^  id: green_house$' a/Green-House/domain.yaml && ! grep -rq '@NAME@' a >out
verdict "the domain is called like its folder" $?
[ "$(manglecp check a/Green-House 2>&1 | tee out)" = "0 errors, 0 warnings" ]
verdict "check finds nothing in it" $?
manglecp test a/Green-House --coverage >out 2>&1 && grep -q '^\([0-9]*\) of \1 rules fired; of 1 tools 1 were shown and 1 invoked' out
verdict "its scenarios pass, and reach every rule and tool" $?
mangle fmt --check a/Green-House >out 2>&1
verdict "its rules are laid out" $?

manglecp new b --template plugin >out 2>&1 && make -C b CPPFLAGS="-I$root/include" >out 2>&1
verdict "the template with a plugin builds by the public header alone" $?
{ manglecp check b && manglecp test b; } >out 2>&1 && grep -q '^0 errors, 0 warnings' out
verdict "and passes, too" $?
manglecp invoke b greet --intent welcome --arg name=Ann --json \
    --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1 && grep -q '"said":"Welcome!"' out
verdict "its action runs" $?

if [ -f "$BUILD_DIR/plugins/command.so" ]; then
    manglecp new e --kind commands >out 2>&1 && [ "$(manglecp check e 2>&1 | tee out)" = "0 errors, 0 warnings" ]
    verdict "a domain of programs: check finds nothing in it" $?
    manglecp test e --coverage >out 2>&1 && grep -q '^\([0-9]*\) of \1 rules fired; of 2 tools 2 were shown and 1 invoked' out
    verdict "its scenarios pass, and reach every rule and tool" $?
    mangle fmt --check e >out 2>&1
    verdict "its rules are laid out" $?
    manglecp invoke e greet --intent welcome --arg name=Ann --json \
        --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1 && grep -q '"said":"Welcome! Ann"' out
    verdict "its program runs" $?
    manglecp invoke e clock --intent welcome --json --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1 && grep -q '"result":{"hour":"[0-9][0-9]","minute":"[0-9][0-9]"}' out
    verdict "and so does the tool that is its own action" $?
    [ "$(manglecp action e AID.SPEAK.SAY.v1 --arg to=Ann --json 2>log | tee out | grep -c '"text":"Welcome! Ann"')" = 1 ]
    verdict "and one action alone" $?
fi
if [ -f "$BUILD_DIR/plugins/relay.so" ] && [ -x /usr/bin/python3 ]; then
    manglecp new p --kind python >out 2>&1
    [ "$(manglecp check p 2>&1 | tee out)" = "0 errors, 0 warnings" ] && manglecp test p >out 2>&1
    verdict "a domain of functions in Python: check finds nothing in it, its scenarios pass" $?
    manglecp invoke p greet --intent welcome --arg name=Ann --json \
        --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1 && grep -q '"said":"Welcome! Ann"' out
    verdict "its function runs" $?
    manglecp actions p >out 2>&1 && grep -q ', runs /.*/python3.*$' out && ! grep -qF /../ out
    verdict "manglecp actions names the program that it runs" $?
    mkdir elsewhere && printf '#!/bin/sh\n' >elsewhere/program && chmod +x elsewhere/program
    sed "s|run: .*|run: [$PWD/elsewhere/program], read: [.]}|" p/domain.yaml >domain.yaml && mv domain.yaml p/
    manglecp check p >out 2>&1
    if grep -q NOT_ENFORCED out; then
        count=$((count + 1))
        echo "ok $count - a program that may not be read # SKIP this kernel does not refuse it"
    else
        grep -q "elsewhere/program may not be read, or what it needs (add the folder" out
        verdict "a program that may not be read: it is said which, and what to do" $?
    fi
fi
if [ -f "$BUILD_DIR/plugins/http.so" ]; then
    manglecp new h --kind http >out 2>&1 && [ "$(manglecp check h 2>&1 | tee out)" = "0 errors, 0 warnings" ]
    verdict "a domain of requests: check finds nothing in it" $?
    manglecp test h --coverage >out 2>&1 && grep -q '^\([0-9]*\) of \1 rules fired; of 2 tools 2 were shown and 2 invoked' out
    verdict "its scenarios pass without a network, and reach every rule and tool" $?
    mangle fmt --check h >out 2>&1
    verdict "its rules are laid out" $?
    python3 - >port <<'END' &
import http.server, json
class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        here = self.path.startswith("/time/CET") and {"hour": "08", "minute": "00"} or \
            self.path == "/greetings/Ann?words=Welcome%21" and {"text": "Welcome, Ann"}
        self.send_response(200 if here else 404)
        self.end_headers()
        self.wfile.write(json.dumps(here or {}).encode())
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Api)
print(server.server_address[1], flush=True)
server.serve_forever()
END
    api=$!
    for _ in $(seq 100); do
        [ -s port ] && break
        sleep 0.1
    done
    sed -i 's/^timeout: 5s/&\nprivate: true/' h/api/speak.yaml && sed -i 's/^      only: /      private: true\n&/' h/domain.yaml
    ask() { # TOOL ARG
        manglecp invoke h "$1" --intent welcome --arg "$2" --json --set "settings.api=http://127.0.0.1:$(cat port)" \
            --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>&1
    }
    ask greet name=Ann && grep -q '"said":"Welcome, Ann"' out
    verdict "its request works, where there is a server" $?
    ask clock zone=CET && grep -q '"result":{"hour":"08","minute":"00"}' out
    verdict "and so does the operation of its document" $?
    kill $api && wait $api
    api=
fi
manglecp new f --kind c >out 2>&1 && [ -f f/plugins/speak.c ]
verdict "a domain of a plugin in C, by its kind" $?
make -C f >out 2>&1 && manglecp check f >out 2>&1 && manglecp test f >out 2>&1
verdict "its Makefile finds the header where manglecp was built" $?
mkdir -p inst/bin inst/include && ln "$BUILD_DIR/bin/manglecp" inst/bin/ 2>/dev/null || cp "$BUILD_DIR/bin/manglecp" inst/bin/
cp "$root/include/toolhost.h" inst/include/ && touch f/plugins/speak.c && (PATH=$PWD/inst/bin:$PATH && make -C f) >out 2>&1
verdict "and where it is installed" $?
[ "$(manglecp action f AID.SPEAK.SAY.v1 --arg to=Ann --arg words=Hi --json 2>log | tee out | grep -c '"words":"Hi"')" = 1 ]
verdict "and its action runs alone" $?
manglecp new g --kind cobol >out 2>&1
[ $? = 2 ] && grep -q 'hint: Kinds are commands, python, http, c and none' out && [ ! -e g ]
verdict "another kind is none" $?

manglecp new "A B" >out 2>&1 && sed -n 's/^  //p' out >commands && [ "$(wc -l <commands)" = 2 ] && sh -e commands >out 2>&1
verdict "what it says to do next works for every name" $?

echo mine >b/domain.yaml
manglecp new b >out 2>&1
[ $? = 2 ] && grep -q 'b/domain.yaml: it exists' out && [ "$(cat b/domain.yaml)" = mine ]
verdict "a domain is not written over" $?
mkdir -p c/rules/domain && echo mine >c/rules/domain/relevance.mg
manglecp new c >out 2>&1
[ $? = 2 ] && grep -q 'relevance.mg: it exists' out && [ "$(cat c/rules/domain/relevance.mg)" = mine ] &&
    [ ! -e c/domain.yaml ]
verdict "nor is any file, and nothing is begun" $?
manglecp new d --template nothing >out 2>&1
[ $? = 2 ] && grep -q 'hint: Templates are minimal, commands, python, http and plugin' out && [ ! -e d ]
verdict "another template is none" $?
manglecp new 123 >out 2>&1
[ $? = 2 ] && [ ! -e 123 ]
verdict "a folder that gives no name is refused" $?
manglecp new >out 2>&1
[ $? = 2 ]
verdict "a folder is needed" $?
# No room: files that may grow no further, as on a disk that is full.
full() (
    trap '' XFSZ
    ulimit -f 1
    exec manglecp new "$@" >out 2>log
)
full deep/full
[ $? = 2 ] && [ "$(grep -c 'cannot write' log)" = 1 ] && [ ! -e deep/full ]
verdict "without room it is told once, and no half a domain is left" $?
mkdir -p hers/rules/domain && echo mine >hers/rules/domain/own.mg && mkdir hers/tools
full hers --kind c
[ $? = 2 ] && [ "$(find hers -type f)" = hers/rules/domain/own.mg ] && [ -d hers/tools ]
verdict "nor in a folder that was there, which keeps all that it had" $?
manglecp new deep/full >out 2>&1
verdict "where there is room then, it is made" $?
echo "1..$count"
