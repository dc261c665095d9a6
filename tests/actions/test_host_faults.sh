# Programs that cannot be listed: check says why, with what they said.
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
  hosts: [{name: h, run: [python3, a.py], env: {PYTHONPATH: "${PYTHONPATH}"}}]
END
# told NAME TEXT...: what check says of the program on standard input
told() {
    local name=$1 good=0
    shift
    cat >d/a.py
    manglecp check d >out 2>&1 && good=1
    for text in "$@"; do grep -qF -- "$text" out || good=1; done
    verdict "$name" $good
}
told "a wrong indentation has its line" 'IndentationError: unexpected indent' 'hint: It said: ' '/a.py", line 2' <<'END'
from manglecp.actions import action, serve
  serve()
END
told "what is printed beside the list is shown" '--list printed something else than the list' ': hello' <<'END'
print("hello")
END
told "nothing is printed" '--list printed nothing: does the program end with serve()?' <<'END'
from manglecp.actions import action
END
told "no parentheses" "missing 1 required keyword-only argument: 'side_effects'" '/a.py", line 2' <<'END'
from manglecp.actions import action, serve
@action
def f(x: int) -> int: return x
serve()
END
told "the error is told, not what comes last" 'exit code 1: SomeError: this' '[BAD_PLUGIN]' <<'END'
import sys
print("SomeError: this\n    at that\nv1.2.3", file=sys.stderr)
sys.exit(1)
END
echo "1..$count"
