# A request whose answer never came, as who runs the action and who runs a chain is told of it.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/http.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$root/tests/actions python3 -c '
import sys, time
from http_server import Server
print(Server().port, flush=True)
time.sleep(300)' >port &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$tmp"' EXIT
for _ in $(seq 200); do [ -s port ] && break; sleep 0.05; done
mkdir -p d/api d/tools d/rules/domain
cat >d/domain.yaml <<END
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
intents: [{name: go, description: g}]
actions: {http: api/*.yaml}
END
cat >d/api/a.yaml <<END
server: http://127.0.0.1:$(cat port)
private: true
requests:
  - {name: post, description: d, method: POST, url: /hang_up}
  - {name: get, description: d, url: /hang_up}
  - {name: refused, description: d, method: POST, url: "http://127.0.0.1:1/"}
END
for name in post get refused; do
    cat >d/tools/$name.yaml <<END
tool: $name
summary: $name
description: d
input_schema: {type: object, additionalProperties: false}
output_schema: {type: object, required: [status]}
steps: [{id: it, action: AID.D.${name^^}.v1}]
result: {status: {from: steps.it.output.status}}
END
    echo "tool_relevant_to_intent(\"$name\", \"go\", 90)." >>d/rules/domain/r.mg
done
# told NAME ACTION STATUS INDETERMINATE
told() {
    manglecp action d "AID.D.$2.v1" --yes --json >out 2>log
    [ $? = "$3" ] && grep -q "\"indeterminate\": *$4" out
    verdict "$1" $?
    manglecp invoke d "${2,,}" --intent go --yes --json >out 2>log
    grep -q "\"indeterminate\": *$4" out
    verdict "$1, in a chain" $?
}
told "POST: it is not known what it did" POST 4 true
told "GET did nothing" GET 1 false
told "what was refused did nothing" REFUSED 1 false
echo "1..$count"
