# The scripts behind lint and the documents: each must find what it is there to find.
set -u
root=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0

# is NAME COMMAND...: one test, which passes if the command does.
is() {
    count=$((count + 1))
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        printf '%s\n' "$output" | sed 's/^/# /'
    fi
}

tree() { # a source tree of one file: PATH TEXT
    rm -rf "$tmp/tree" && mkdir -p "$tmp/tree/$(dirname "$1")" && printf '%s\n' "$2" >"$tmp/tree/$1"
}

walls_refuse() {
    tree "$1" "#include \"$2\""
    ! (cd "$tmp/tree" && "$root/scripts/check-includes" >/dev/null)
}

walls_allow() {
    tree "$1" "#include \"$2\""
    (cd "$tmp/tree" && "$root/scripts/check-includes")
}

statics_refuse_two() {
    tree src/base/a.c 'static int twice(void)'
    cp "$tmp/tree/src/base/a.c" "$tmp/tree/src/base/b.c"
    ! (cd "$tmp/tree" && "$root/scripts/check-names" "$tmp/none" >/dev/null)
}

text_refuses_a_path() {
    tree README.md "see /""work/main"
    (cd "$tmp/tree" && git init -q . && git add README.md)
    ! (cd "$tmp/tree" && "$root/scripts/check-text" >/dev/null)
}

table_is_stable() {
    scripts/requirements >"$tmp/one" && scripts/requirements >"$tmp/two" && cmp "$tmp/one" "$tmp/two" &&
        grep -q '^| T-INP-6 | .*tests/base/test_json_value.c' "$tmp/one"
}

missing_is_the_rest() {
    scripts/requirements --missing >"$tmp/missing" && ! grep -qx T-INP-6 "$tmp/missing"
}

nothing_to_install() {
    [ -z "$(scripts/bootstrap test)" ]
}

runner_counts() {
    # The totals are those of a build folder that CTest knows nothing of: no test at all is a failure.
    mkdir -p "$tmp/empty" && : >"$tmp/empty/CTestTestfile.cmake"
    ! tests/run "$tmp/empty" >"$tmp/out" && [ "$(tail -1 "$tmp/out")" = "0 passed, 0 failed, 0 skipped" ]
}

is "walls: base may not include the engine" walls_refuse src/base/x.c mangle/value.h
is "walls: the engine may not include the protocol" walls_refuse src/mangle/x.c protocol/fact.h
is "walls: toolhost may not include the server" walls_refuse src/toolhost/x.c server/server.h
is "walls: a private header of another module is refused" walls_refuse src/mangle/x.c base/json_int.h
is "walls: an unknown module is refused" walls_refuse src/unknown/x.c base/str.h
is "walls: the engine may include base" walls_allow src/mangle/x.c base/str.h
is "walls: this tree keeps them" scripts/check-includes
is "names: one static name in two files of a folder is refused" statics_refuse_two
is "text: a path of one machine is refused" text_refuses_a_path
is "requirements: the table is stable and names tests" table_is_stable
is "requirements: what is tested is not missing" missing_is_the_rest
is "bootstrap: says nothing when all is there" nothing_to_install
is "tests/run: no test at all is a failure" runner_counts
echo "1..$count"
