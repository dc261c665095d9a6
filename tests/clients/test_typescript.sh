# The TypeScript client: its own tests, its README, and the common conversation against the live server.
#
# Built in a copy inside of the build folder, so that the sources stay clean. Skipped, with the reason,
# where Node 20 or npm is missing, or where the compiler is not here and the registry gives none.
set -u
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
root=$PWD
source=$root/clients/typescript
copy=$BUILD_DIR/clients/typescript
program=$BUILD_DIR/bin/manglecp

command -v node >/dev/null || skip_all "node is not installed"
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || skip_all "Node 20 or later is needed, here is $(node --version)"
[ -x "$program" ] || skip_all "manglecp is not built"

mkdir -p "$copy"
rm -rf "$copy/src" "$copy/test" "$copy/dist"
cp -r "$source/src" "$source/test" "$source"/package.json "$source"/package-lock.json "$source"/tsconfig.json \
    "$source"/README.md "$source"/actions.mjs "$source"/actions.d.mts "$source"/.npmrc "$copy/"
wanted=$(node -p 'require(process.argv[1]).devDependencies.typescript' "$copy/package.json")
compiler() { node -p 'require(process.argv[1]).version' "$copy/node_modules/typescript/package.json" 2>/dev/null; }
if [ "$(compiler)" != "$wanted" ]; then
    rm -rf "$copy/node_modules"
    if [ -d "$source/node_modules/typescript" ]; then
        cp -r "$source/node_modules" "$copy/node_modules"
    else
        command -v npm >/dev/null || skip_all "npm is not installed"
        (cd "$copy" && timeout 60 npm ci --ignore-scripts --no-audit --no-fund --fetch-retries 0 --fetch-timeout 15000) \
            >"$copy/npm.log" 2>&1 || skip_all "the registry did not give the compiler within a minute"
    fi
fi
[ "$(compiler)" = "$wanted" ] || skip_all "there is no compiler of version $wanted"

count=0 failed=0
result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        failed=1
    fi
}
# Results of another TAP program, in our numbers; its diagnostics stay.
include() { # FILE
    while IFS= read -r line; do
        case $line in
        "ok "* | "not ok "*)
            count=$((count + 1))
            case $line in "not ok"*) failed=1 ;; esac
            echo "$line" | sed -E "s/^(not )?ok [0-9]+/\1ok $count/"
            ;;
        1..* | "TAP version"*) ;;
        *) echo "# $line" ;;
        esac
    done <"$1"
}

(cd "$copy" && node node_modules/typescript/bin/tsc -p .) >"$copy/tsc.log" 2>&1
result $? "it compiles"
sed 's/^/# /' "$copy/tsc.log"
if [ "$failed" = 1 ]; then
    echo "1..$count"
    exit 1
fi

# Both wait more than they work: the conversation goes on beside the package's own tests.
timeout 250 node tests/clients/typescript_conversation.mjs "$copy" "$BUILD_DIR" >"$copy/conversation.tap" 2>&1 &
conversation=$!

# Several files at once, where Node can do that.
several=
node --help | grep -q -- --test-concurrency && several=--test-concurrency=4
(cd "$copy" && timeout 180 node --test $several --test-reporter=tap test/*.test.mjs) >"$copy/unit.tap" 2>&1
unit=$?
grep -E '^(not )?ok|^  (error|expected|actual|location)|^    [+-]' "$copy/unit.tap" >"$copy/unit.results"
include "$copy/unit.results"
result $unit "its own tests end well"

# The README's first example, as it stands there, and what it says that it prints.
(cd "$copy" && node -e '
  const { readFileSync, writeFileSync } = require("fs");
  const [, code, printed] = /```js\n(.*?)```.*?```\n(.*?)```/s.exec(readFileSync("README.md", "utf8"));
  writeFileSync("example.mjs", code);
  writeFileSync("example.expected", printed);')
PATH=$BUILD_DIR/bin:$PATH timeout 60 node "$copy/example.mjs" >"$copy/example.out" 2>"$copy/example.err"
cmp -s "$copy/example.out" "$copy/example.expected"
status=$?
result $status "the first example of its README prints what the README says"
[ "$status" = 0 ] || sed 's/^/# /' "$copy/example.out" "$copy/example.err"

wait "$conversation"
status=$?
include "$copy/conversation.tap"
result $status "the conversation ends well"

if command -v python3 >/dev/null && command -v openssl >/dev/null; then
    timeout 150 python3 -B tests/clients/typescript_tls.py "$copy" >"$copy/tls.tap" 2>&1
    status=$?
    include "$copy/tls.tap"
    result $status "TLS ends well"
else
    count=$((count + 1))
    echo "ok $count - TLS to the live server # SKIP python3 or openssl is not installed"
fi

echo "1..$count"
exit $failed
