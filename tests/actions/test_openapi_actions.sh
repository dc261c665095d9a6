# Operations of an OpenAPI document: listed, run, behind a tool; what hostile servers do fails, and no credential is
# seen anywhere.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/http.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$tmp"' EXIT
python3 -c "
import sys, time
sys.path.insert(0, '$root/tests/actions')
from http_server import Server
s, other = Server(), Server()
s.targets = {'meta': 'http://169.254.169.254/latest', 'other': f'http://127.0.0.1:{other.port}/echo/other',
             'file': 'file:///etc/passwd'}
print(s.port, other.port, flush=True)
time.sleep(600)" >ports &
server=$!
for _ in $(seq 100); do
    [ -s ports ] && break
    sleep 0.1
done
read -r port other <ports
export SHOP_TOKEN=n33dle-of-this-test SHOP_PASSWORD=p4ss-of-this-test

manglecp new shop >out
sed -i 's/^intents:/actions:\n  timeout: 10s\n  http:\n    - {openapi: openapi\/shop.yaml, private: true, auth: {key: "${SHOP_TOKEN}", login: {user: shop, password: "${SHOP_PASSWORD}"}}}\n\nintents:/' shop/domain.yaml
mkdir shop/openapi
cat >shop/openapi/shop.yaml <<END
openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: "http://127.0.0.1:{port}/", variables: {port: {default: "$port"}}}]
security: [{key: []}]
paths:
  /echo/orders/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      operationId: getOrder
      summary: One order.
      parameters:
        - {name: state, in: query, schema: {type: array, items: {type: string}}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: f, in: query, style: deepObject, schema: {type: object}}
        - {name: X-Trace, in: header, schema: {type: string}}
      responses: {"200": {description: d, content: {application/json: {schema: {\$ref: "#/components/schemas/Seen"}}}}}
    put:
      operationId: setOrder
      deprecated: true
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [id, n], properties: {id: {type: integer}, n: {type: integer, default: 3}, note: {type: string, default: none}}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {\$ref: "#/components/schemas/Seen"}}}}}
    delete: {responses: {"204": {description: d}}}
  /echo/form:
    post:
      operationId: sendForm
      security: [{login: []}]
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}, list: {type: array, items: {type: string}}}}}}}
      responses: {"200": {description: d, content: {application/json: {}}}}
  /echo/list: {post: {operationId: sendList, security: [], requestBody: {required: true, content: {application/vnd.list+json: {schema: {type: array, items: {type: integer}}}}}, responses: {"200": {description: d, content: {application/vnd.seen+json: {}}}}}}
  /echo/lie: {get: {operationId: lie, responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [never]}}}}}}}
  /leak/{how}: {get: {operationId: leak, parameters: [{name: how, in: path, required: true, schema: {type: string}}], responses: {"200": {description: d, content: {application/json: {}}}}}}
  /redirect/{code}/{to}: {get: {operationId: redirect, parameters: [{name: code, in: path, required: true, schema: {type: integer}}, {name: to, in: path, required: true, schema: {type: string}}], responses: {"200": {description: d, content: {application/json: {}}}}}}
  /loop/: {get: {operationId: loop, responses: {}}}
  /endless_body: {get: {operationId: endless, responses: {}}}
  /endless_headers: {get: {operationId: headers, responses: {}}}
  /bomb: {get: {operationId: bomb, responses: {}}}
  /slow_body: {get: {operationId: slow, responses: {}}}
  /silence: {get: {operationId: silence, responses: {}}}
  /text: {get: {operationId: text, responses: {"200": {description: d, content: {application/json: {}}}}}, post: {operationId: said, responses: {"200": {description: d, content: {text/plain: {}}}}}}
  /bad_json: {get: {operationId: badJson, responses: {}}}
  /cut: {get: {operationId: cut, responses: {}}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Api-Key}
    login: {type: http, scheme: basic}
  schemas:
    Seen: {type: object, required: [method, path, body], properties: {method: {type: string}, path: {type: string}, body: {type: string}}}
END
manglecp check shop >out 2>log
verdict "a domain with a document loads" $?
grep -q 'warning: PUT /echo/orders/{id}: "id" of the body is the argument body_id, because id is in the path' out log
verdict "what clashes is told" $?
manglecp actions shop --json >out 2>log && python3 - <<'END' >>log 2>&1
import json
actions = {a["name"]: a for a in json.load(open("out"))}
assert len(actions) == 18, sorted(actions)
get, put, delete = actions["get_order"], actions["set_order"], actions["delete_echo_orders_id"]
assert get["aid"] == "AID.SHOP.GET_ORDER.v1" and get["description"] == "One order."
assert get["file"] == "openapi/shop.yaml" and get["line"] == 10, get
assert get["idempotent"] and put["idempotent"] and not actions["send_form"]["idempotent"]
assert delete["side_effects"] == ["destructive", "network"] and get["side_effects"] == ["network"]
assert put["input_schema"]["required"] == ["id", "body_id"]
END
verdict "its operations are listed, each with its place and what it does" $?

run() { # NAME ARGS...
    name=$1
    shift
    manglecp action shop "AID.SHOP.$name.v1" --yes --json "$@" >out 2>log
}
says() { # TEXT: in what came out
    cat out log | tr -d ' \n' | grep -qF -e "$(printf %s "$1" | tr -d ' ')"
}
run GET_ORDER --arg id=a/b --arg state='["x","y&"]' --arg ids='[1,2]' --arg f='{"a":{"b":1}}' --arg X-Trace=t
says '"path":"/echo/orders/a%2Fb?state=x&state=y%26&ids=1,2&f%5Ba%5D%5Bb%5D=1"' && says '"x-trace":"t"'
verdict "parameters go where the document says" $?
says '"x-api-key":"[secret]"'
verdict "with the credential of its scheme" $?
run SET_ORDER --arg id=7 --arg body_id=8
says '"body":"{\"id\":8,\"n\":3}"' && says '"method":"PUT"'
verdict "members of the body by their own names; a default that must be sent is, others are the server's" $?
run DELETE_ECHO_ORDERS_ID --arg id=7
says '"status":200' && ! says '"body"'
verdict "an operation without an answer" $?
run SEND_FORM --arg a='&=' --arg list='["1","2"]'
says '"body":"a=%26%3D&list=1&list=2"' && says '"authorization":"Basic[secret]"' && ! says x-api-key
verdict "a form, with the credential of another scheme" $?
run SEND_FORM
says '"body":""'
verdict "no body where nothing of it is given" $?
run SEND_LIST --arg body='[1,2]'
says '"body":"[1,2]"' && says '"content-type":"application/vnd.list+json"' && says '"accept":"application/vnd.seen+json"' &&
    ! says x-api-key && ! says '"authorization"'
verdict "a list as the body, by its media type, and no credential where none is wanted" $?
run SET_ORDER --arg id=7 --arg body_id=x
[ $? != 0 ] && says body_id
verdict "arguments that do not fit the schema are refused" $?
run LIE
[ $? != 0 ] && says never
verdict "so is an answer that does not" $?

# ---- hostile servers -----------------------------------------------------------------------------
hostile() { # TITLE WORDS NAME ARGS...
    title=$1 words=$2
    shift 2
    run "$@"
    [ $? != 0 ] && says "$words"
    verdict "$title" $?
}
hostile "a redirect to the metadata of a cloud" "redirects to http://169.254.169.254:80, which is not in allow" REDIRECT --arg code=302 --arg to=meta
hostile "a redirect to another server of this machine" "redirects to http://127.0.0.1:$other, which is not in allow" REDIRECT --arg code=307 --arg to=other
hostile "a redirect to a file" "redirects to" REDIRECT --arg code=302 --arg to=file
hostile "redirects without end" "redirects more than 5 times" LOOP
hostile "a body without end" "more bytes than max_bytes" ENDLESS
hostile "headers without end" "too many or too large headers" HEADERS
hostile "a small body that is a large one" "more bytes than max_bytes" BOMB
hostile "what is no JSON" "answered 200 with what is not JSON" TEXT
hostile "bad JSON" "answered 200 with what is not JSON" BAD_JSON
hostile "half an answer" "closed the connection" CUT
sed -i 's/timeout: 10s/timeout: 1s/' shop/domain.yaml
for name in SLOW SILENCE; do # the host and the plugin end it, whoever is first
    run $name
    [ $? != 0 ] && { says "timed out" || says "stopped before it had answered"; }
    verdict "a server that takes its time ($name)" $?
done
sed -i 's/timeout: 1s/timeout: 10s/' shop/domain.yaml
run SAID
says '"body":"häll\n"'
verdict "a text, where the document says so" $?
sed -i 's/private: true, //' shop/domain.yaml
hostile "a private address, unless the entry says so" "private network" GET_ORDER --arg id=1
sed -i 's/shop.yaml, /shop.yaml, private: true, /' shop/domain.yaml

# ---- nothing is seen -----------------------------------------------------------------------------
: >all
for how in good bad; do
    run LEAK --arg how=$how
    cat out log >>all
done
{ manglecp check shop; manglecp actions shop --json; manglecp action shop AID.SHOP.LEAK.v1 --yes --arg how=good; } >>all 2>&1
grep -qF '[secret]' all && ! grep -qF "$SHOP_TOKEN" all && ! grep -qF "$SHOP_PASSWORD" all && ! grep -qF "$(printf 'shop:%s' "$SHOP_PASSWORD" | base64)" all
verdict "credentials are shown nowhere" $?
unset SHOP_TOKEN
manglecp check shop >out 2>&1
[ $? != 0 ] && [ "$(grep -c 'SHOP_TOKEN} is not set' out)" = 1 ]
verdict "one that is not set is told, once" $?
export SHOP_TOKEN=n33dle-of-this-test

# ---- behind a tool -------------------------------------------------------------------------------
cat >shop/tools/greet.yaml <<'END'
tool: greet
summary: Look at an order.
description: Looks at an order.
input_schema: {type: object, required: [name], properties: {name: {type: string}}}
steps:
  - {id: look, action: AID.SHOP.GET_ORDER.v1, inputs: {id: {from: args.name}}}
result: {path: {from: steps.look.output.body.path}, status: {from: steps.look.output.status}}
END
rm -r shop/rules/effects
manglecp invoke shop greet --yes --intent welcome --arg name=Ann --json \
    --fact '{"pred":"visitor","args":["Ann"],"t":{"at":"now"}}' >out 2>log
says '"path":"/echo/orders/Ann","status":200'
verdict "a tool runs an operation" $?
! grep -qF "$SHOP_TOKEN" out log
verdict "and shows no credential" $?
echo "1..$count"
