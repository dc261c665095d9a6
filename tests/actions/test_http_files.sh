# Requests as YAML says them: what loads, what it does, and that all that is wrong is told at once.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/http.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$tmp"' EXIT

# domain NAME: one without requests
domain() {
    mkdir -p "$1/api" "$1/tools"
    cat >"$1/domain.yaml" <<'END'
server: {name: s, version: 1.0.0}
domain: {id: my.shop, description: d}
intents: [{name: go, description: g}]
settings: {api: {type: string, default: "https://api.example.com"}}
actions: {http: api/*.yaml}
END
}
# faults DOMAIN: file:line CODE message [hint], sorted
faults() {
    manglecp check "$1" --format json 2>log >json
    python3 - <<'END'
import json
for f in sorted(json.load(open("json")), key=lambda f: (f["file"], f["line"], f["column"])):
    if f["severity"] == "error":
        print(f'{f["file"]}:{f["line"]} {f["code"]} {f["message"]}' + (f' [{f["hint"]}]' if f["hint"] else ""))
END
}
expect() {
    cat >want
    faults "$2" >out
    diff want out >log
    verdict "$1" $?
}

domain bad
cat >bad/api/a.yaml <<'END'
- name: nowhere
  description: d
  url: /orders
- name: Loud
  description: d
  method: FETCH
  url: https://api.example.com/a?b=c
  query: [q]
  colour: red
- name: host
  description: d
  url: "https://{host}/a"
  allow: [a.example/b, "*"]
- name: own
  description: d
  url: https://api.example.com/{id}
  headers: {"a b": c, Host: x, X: "a\nb"}
  body: {json: [n]}
  input: {id: {type: object}, m: {}}
- name: secrets
  description: d
  url: http://api.example.com/
  auth: {bearer: written-here}
- name: missing
  description: d
  url: https://api.example.com/
  auth: {basic: {user: u, password: "${A_PASSWORD_THAT_NOBODY_SET}"}}
- name: results
  description: d
  method: POST
  url: https://api.example.com/
  body: {xml: a}
  output: yaml
  select: items
  ok: [2xx]
  statuses: {999: x}
  timeout: soon
  max_bytes: 99999999
  idempotent: maybe
  ca: no-such.pem
  required: [nothing]
END
printf 'server: "{settings.none}"\nserve: x\nrequests: []\n' >bad/api/b.yaml
expect "everything that is wrong is told at once" bad <<'END'
api/a.yaml:3 MISSING_KEY "server" is missing [Say server: https://api.example.com, or write the whole address.]
api/a.yaml:4 BAD_NAME a request is named [a-z_][a-z0-9_.]*, at most 64 characters
api/a.yaml:6 BAD_VALUE method is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS
api/a.yaml:7 BAD_VALUE an address ends with its path here [What follows ? is written as query: {q: "{text}"}.]
api/a.yaml:8 BAD_VALUE "query" must be a map, not a list
api/a.yaml:9 UNKNOWN_KEY unknown key "colour" in a request
api/a.yaml:12 BAD_TEMPLATE the server is named here, and no argument chooses it
api/a.yaml:13 BAD_VALUE that is no host [Write it as files.example.com, or http://files.example.com:8080.]
api/a.yaml:16 BAD_TEMPLATE "id" is no single value
api/a.yaml:17 BAD_NAME "a b" is no name of a header
api/a.yaml:17 BAD_VALUE the header Host follows from the request and is not set
api/a.yaml:17 BAD_VALUE a header cannot hold control characters
api/a.yaml:18 BAD_VALUE GET has no body
api/a.yaml:18 UNKNOWN_ARGUMENT "input" has no argument "n" [Did you mean m?]
api/a.yaml:19 UNUSED_ARGUMENT the argument "m" reaches nothing [Put {name} where it belongs, or take it out.]
api/a.yaml:23 BAD_VALUE the credential would go to http://api.example.com:80 where everybody on the way can read it [Use https://.]
api/a.yaml:23 BAD_VALUE a credential is taken from the environment of the server, by name [Write it as "${ORDERS_TOKEN}".]
api/a.yaml:27 NO_VARIABLE ${A_PASSWORD_THAT_NOBODY_SET} is not set [Set it in the environment that the server is started with.]
api/a.yaml:32 BAD_VALUE "body" does not say what is sent [It is {json: all}, {json: [a, b]}, {json: {member: "{a}"}}, {json: "{a}"}, {form: [a, b]} or {text: "{a}"}.]
api/a.yaml:32 UNKNOWN_KEY unknown key "xml" in body
api/a.yaml:33 BAD_VALUE output is json, text or none
api/a.yaml:34 BAD_VALUE select is a JSON pointer into the body [Write it as /items/0.]
api/a.yaml:35 BAD_VALUE a status is a number, 100 to 599
api/a.yaml:36 BAD_VALUE a status such as 404 or 4xx, and what it means as text
api/a.yaml:37 BAD_VALUE timeout must be a duration such as 30s
api/a.yaml:38 BAD_VALUE max_bytes must be a number of bytes, 1 to 16777216
api/a.yaml:39 BAD_VALUE idempotent must be true or false
api/a.yaml:40 NO_FILE there is no file no-such.pem that can be read
api/a.yaml:41 UNUSED_ARGUMENT the argument "nothing" reaches nothing [Put it where it belongs, or take it out.]
api/b.yaml:2 UNKNOWN_KEY unknown key "serve" in a file of requests [Did you mean server?]
api/b.yaml:3 BAD_VALUE "requests" must be a list of requests
END

domain shapes
cat >shapes/api/a.yaml <<'END'
- name: query
  description: d
  url: https://api.example.com/
  query: {a: {join: ids, with: ";"}, b: {deep: x, with: ","}, c: {each: y}, d: {deep: "{z}"}, e: [q]}
- name: joined
  description: d
  url: https://api.example.com/
  query: {a: {join: id}}
  input: {id: {type: string}}
- name: json
  description: d
  method: POST
  url: https://api.example.com/
  body: {json: {a: [b]}, form: [x]}
- name: other
  description: d
  method: POST
  url: https://api.example.com/
  body: {json: "{a}{b}", optional: perhaps}
- name: twice
  description: d
  url: https://api.example.com/
  auth: [{header: {X-A: "${PATH}"}}, none, {header: {X-B: plain}}]
- name: clear
  description: d
  url: http://api.example.com/
  headers: {X-Token: "${PATH}"}
END
expect "the shapes of values and bodies, and more credentials" shapes <<'END'
api/a.yaml:4 BAD_VALUE what stands between is a comma, a blank or a |
api/a.yaml:4 BAD_VALUE it does not say what is sent [It is "{text}", {join: list, with: "|"} or {deep: object}.]
api/a.yaml:4 BAD_VALUE it does not say what is sent [It is "{text}", {join: list, with: "|"} or {deep: object}.]
api/a.yaml:4 UNKNOWN_KEY unknown key "each" in a value
api/a.yaml:4 BAD_VALUE it does not say what is sent [It is "{text}", {join: list, with: "|"} or {deep: object}.]
api/a.yaml:4 BAD_VALUE a value must be text, not a list
api/a.yaml:8 BAD_TEMPLATE "id" is no list: its type is string
api/a.yaml:14 BAD_VALUE "body" does not say what is sent [It is {json: all}, {json: [a, b]}, {json: {member: "{a}"}}, {json: "{a}"}, {form: [a, b]} or {text: "{a}"}.]
api/a.yaml:19 BAD_VALUE "body" does not say what is sent [It is {json: all}, {json: [a, b]}, {json: {member: "{a}"}}, {json: "{a}"}, {form: [a, b]} or {text: "{a}"}.]
api/a.yaml:19 BAD_VALUE optional must be true or false
api/a.yaml:23 BAD_VALUE auth is one of bearer, header, basic and query, a list of them, or none [Write it as {bearer: "${ORDERS_TOKEN}"}.]
api/a.yaml:23 BAD_VALUE a credential is taken from the environment of the server, by name [Write it as "${ORDERS_TOKEN}".]
api/a.yaml:27 BAD_VALUE the credential would go to http://api.example.com:80 where everybody on the way can read it [Use https://.]
END

domain odd
sed -i 's/^settings: .*/settings: {tail: {type: string, default: "a?b#c"}}/' odd/domain.yaml
printf 'name: a\ndescription: d\nurl: "https://api.example.com/{settings.tail}"\n' >odd/api/a.yaml
expect "a setting does not end the path either" odd <<'END'
api/a.yaml:3 BAD_VALUE an address ends with its path here [What follows ? is written as query: {q: "{text}"}.]
END

# ---- what it does --------------------------------------------------------------------------------
python3 -c "
import sys, time
sys.path.insert(0, '$root/tests/actions')
from http_server import Server
print(Server().port, flush=True)
time.sleep(600)" >port &
server=$!
for _ in $(seq 100); do
    [ -s port ] && break
    sleep 0.1
done
export SHOP_TOKEN=n33dle-of-this-test
domain good
cat >good/api/shop.yaml <<'END'
server: "{settings.api}/echo/v1/"
private: true
auth: {bearer: "${SHOP_TOKEN}"}
headers: {X-Client: manglecp, X-More: "1"}
requests:
  - name: order
    description: One order.
    url: /orders/{id}
    query: {expand: "{expand}"}
    headers: {x-more: "2"}
  - name: place
    description: Places an order.
    method: POST
    url: /orders
    body: {json: [item, count]}
    required: [item]
    input:
      item: {type: string}
      count: {type: integer, default: 1}
    select: /body
  - name: change
    description: Changes an order.
    method: PATCH
    url: /orders/{id}
    query: {fields: {join: fields, with: "|"}, filter: {deep: filter}}
    body: {json: {id: "{new_id}", by: "<{who}>"}, optional: true}
    input:
      id: {type: array, items: {type: integer}}
      fields: {type: array, items: {type: string}}
      filter: {type: object}
      new_id: {}
      who: {type: string}
  - name: note
    description: Sends any value.
    method: POST
    url: /notes
    auth: [{header: {X-Key: "${SHOP_TOKEN}"}}, {query: {key: "${SHOP_TOKEN}"}}]
    body: {json: "{value}"}
    input: {value: {type: [array, "null"]}}
  - name: remove
    description: Removes an order.
    method: DELETE
    url: /orders/{id}
    auth: none
END
manglecp actions good --json >out 2>log
verdict "a domain with requests loads" $?
grep -q '"destructive"' out && grep -q 'api/shop.yaml' out
verdict "with what they do, and where each is said" $?
api=http://127.0.0.1:$(cat port)
run() { # AID ARGS...
    name=$1
    shift
    manglecp action good "AID.MY.SHOP.$name.v1" --set "settings.api=$api" --yes --json "$@" >out 2>log
}
run ORDER --arg id=a/b
grep -q '"path": *"/echo/v1/orders/a%2Fb"' out && grep -q '\[secret\]' out
verdict "a request is sent as it is written" $?
! grep -q "$SHOP_TOKEN" out log
verdict "its credential is not seen" $?
grep -q '"x-more": *"2"' out && grep -q '"x-client": *"manglecp"' out
verdict "what requests share is said once, and each may say otherwise" $?
run PLACE --arg item=pen
grep -q 'item.*pen.*count.*1' out && ! grep -q '"status"' out
verdict "defaults are sent, and a part is selected" $?
run CHANGE --arg id='[1,2]' --arg fields='["a","b"]' --arg filter='{"x":{"y":1}}' --arg new_id='{"n":1}' --arg who=me
grep -q '"path": *"/echo/v1/orders/1,2?fields=a%7Cb&filter%5Bx%5D%5By%5D=1"' out && grep -qF '{\"id\":{\"n\":1},\"by\":\"<me>\"}' out
verdict "lists and objects are put in, members have names of their own" $?
run CHANGE --arg id='[1]'
grep -q '"body": *""' out
verdict "a body that may be missing is none" $?
run NOTE --arg value='[1,null]'
grep -qF '"[1,null]"' out && grep -q 'key=\[secret\]' out && grep -q '"x-key": *"\[secret\]"' out && ! grep -q "$SHOP_TOKEN" out log
verdict "one argument is the body; all credentials go along, and none is seen" $?
run REMOVE --arg id=1
grep -q '"method": *"DELETE"' out && ! grep -q -i authorization out
verdict "one may go without a credential" $?
run ORDER --arg id=..
[ $? != 0 ] && grep -q "would leave its place" out log
verdict "a value that would leave its place is told" $?
sed -i 's/^private: true/private: false/' good/api/shop.yaml
run REMOVE --arg id=1
[ $? != 0 ] && cat out log | grep -q "private network"
verdict "private addresses are refused" $?
echo "1..$count"
