# An action of a host that raises: whoever runs it sees what, and where it was, without what may be secret.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/relay.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi
export PYTHONPATH=$root/clients/python/src PYTHONDONTWRITEBYTECODE=1
mkdir d
cat >d/domain.yaml <<'END'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
actions:
  confine: off
  hosts: [{name: h, run: [python3, a.py], env: {PYTHONPATH: "${PYTHONPATH}"}}, {name: rogue, run: [python3, rogue.py]}]
END
cat >d/a.py <<'END'
from manglecp.actions import ActionError, action, serve

def inner(text):
    raise LookupError("no such order: " + text)

@action(side_effects="none")
def broken(text: str) -> None:
    try:
        inner(text)
    except LookupError as wrong:
        raise ValueError("cannot " + text) from wrong

@action(side_effects="none")
def refuses() -> None:
    raise ActionError("closed on Sundays")

serve()
END
cat >d/rogue.py <<'END'
import json, sys
if sys.argv[1] == "--list":
    print(json.dumps({"tools": [{"aid": "AID.R.ONE.v1", "name": "one", "description": "one", "side_effects": ["none"]}]}))
    sys.exit()
for line in sys.stdin:
    trace = "\n".join(f"\x1b[31m line {i} " + "x" * 150 for i in range(1000))
    print(json.dumps({"ok": False, "status": "TOOL_ERROR", "output_json": "{}", "error": "no", "trace": trace,
                      "request_id": json.loads(line)["request_id"]}), flush=True)
END
# said NAME FILE TEXT...: each is in FILE
said() {
    local name=$1 file=$2 good=0
    shift 2
    for text in "$@"; do grep -qF -- "$text" "$file" || good=1; done
    [ $good = 0 ] || sed 's/^/# /' "$file"
    verdict "$name" $good
}
manglecp action d AID.A.BROKEN.v1 --arg text=s3cr3t >out 2>err
said "the exception is the error" err 'AID.A.BROKEN.v1: ValueError: cannot s3cr3t'
said "and its place, and that of its cause, are warnings" err ' warn [tool AID.A.BROKEN.v1] ValueError at' 'a.py", line 11, in broken' \
    'v1] caused by LookupError at' 'a.py", line 4, in inner'
grep -q ' warn \[tool ' err && ! grep ' warn \[tool ' err | grep -q 's3cr3t'
verdict "which do not say what it said" $?
verdict "once" $(($(grep -c '] ValueError at' err) - 1))
manglecp action d AID.A.REFUSES.v1 >out 2>err
grep -q 'closed on Sundays' err && ! grep -q 'a\.py' err
verdict "what an action says by ActionError has no place" $?
manglecp action d AID.R.ONE.v1 >out 2>err
said "a flood of places is cut, and made visible" err 'line 0 x' 'line 20 x'
! grep -q "$(printf '\033')" err && [ "$(wc -c <err)" -lt 8000 ] && [ "$(grep -c ' warn \[tool ' err)" -le 40 ]
verdict "to 40 lines of 4000 bytes" $?
manglecp action d AID.A.BROKEN.v1 --arg text=s3cr3t --log debug >out 2>err
said "the whole of it is for --log debug" err 'LookupError: no such order: s3cr3t'
echo "1..$count"
