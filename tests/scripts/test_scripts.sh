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
    ! (cd "$tmp/tree" && "$root/scripts/check-includes" --part >/dev/null)
}

walls_allow() {
    tree "$1" "#include \"$2\""
    (cd "$tmp/tree" && "$root/scripts/check-includes" --part)
}

stages_refuse_a_circle() {
    tree src/mangle/one/x.c '#include "mangle/two/y.h"'
    mkdir -p "$tmp/tree/src/mangle/two"
    echo '#include "mangle/one/x.h"' >"$tmp/tree/src/mangle/two/y.h"
    (cd "$tmp/tree" && "$root/scripts/check-includes" --part) | grep -q 'a circle of stages: mangle/one mangle/two'
}

needless_entry_is_refused() {
    tree src/mangle/x.c '#include "base/str.h"'
    (cd "$tmp/tree" && "$root/scripts/check-includes") | grep -q 'protocol does not include base: take it from'
}

circle_tree() { # src/base/a.c calls b.c, whose text is given; compiled
    tree src/base/a.c 'int b(void); int a(void); int a(void) { return b(); }'
    printf '%s\n' "$1" >"$tmp/tree/src/base/b.c"
    mkdir -p "$tmp/tree/build/x.dir/src/base"
    for file in a b; do
        cc -c -o "$tmp/tree/build/x.dir/src/base/$file.c.o" "$tmp/tree/src/base/$file.c" || return 1
    done
}

circles_refuse_two_files() {
    circle_tree 'int a(void); int b(void); int b(void) { return a(); }' &&
        (cd "$tmp/tree" && "$root/scripts/check-circles" build) >"$tmp/circles"
    [ "$(cat "$tmp/circles")" = "src/base: error: a circle of files: a b
    a -> b: b
    b -> a: a" ]
}

circles_allow_one_way() {
    circle_tree 'int b(void); int b(void) { return 1; }' &&
        (cd "$tmp/tree" && "$root/scripts/check-circles" build)
}

statics_refuse_two() {
    tree src/base/a.c 'static int twice(void)'
    cp "$tmp/tree/src/base/a.c" "$tmp/tree/src/base/b.c"
    ! (cd "$tmp/tree" && "$root/scripts/check-names" "$tmp/none" >/dev/null)
}

# What clang is asked to warn of, one fault each: the two ways to hear it must not miss one of them.
warnings='unused-variable|int f(void);int f(void){int n;return 1;}
shorten-64-to-32|int f(long n);int f(long n){return n;}
sign-compare|int f(int a,unsigned b);int f(int a,unsigned b){return a<b;}
shadow|int f(int n);int f(int n){{int n=2;(void)n;}return n;}
vla|int f(int n);int f(int n){char a[n];return (int)sizeof a;}
missing-prototypes|int f(void){return 1;}
strict-prototypes|int f();
sometimes-uninitialized|int f(int a);int f(int a){int n;if(a)n=1;return n;}
unused-parameter|int f(int a);int f(int a){return 1;}
unused-function|static int g(void){return 1;}extern int f;
format|int printf(const char*,...);int f(void);int f(void){return printf("%s",1);}
return-type|int f(void);int f(void){}
empty-translation-unit|'

warning_tree() { # FOLDER: a tree whose files there have a fault each, and the commands that compile them
    local name text n=0
    rm -rf "$tmp/tree" && mkdir -p "$tmp/tree/$1" "$tmp/tree/build" && cp .clang-tidy "$tmp/tree/"
    local options
    options=$(sed -n '/^add_compile_options(-Wall/,/)/p' CMakeLists.txt | tr '\n()' '   ' | sed 's/add_compile_options//')
    echo 'static int g(int n);static int g(int n){return n;}int f(void);int f(void){return g(1);}' >"$tmp/tree/$1/fine.c"
    while IFS='|' read -r name text; do printf '%s\n' "$text" >"$tmp/tree/$1/$name.c"; done <<<"$warnings"
    for name in "$tmp/tree/$1"/*.c; do
        jq -n --arg d "$tmp/tree" --arg f "$name" --arg c "clang -std=c17 -Werror $options -o x.o -c $name" \
            '{directory: $d, file: $f, command: $c}'
    done | jq -s . >"$tmp/tree/build/compile_commands.json"
}

each_warning_is_told() { # LOG WORD: by file, and nothing of the fine one
    local name missing=0
    while IFS='|' read -r name _; do
        grep -q "/$name\.c:.*error:.*$2$name\b" "$1" || { echo "$name is not told"; missing=1; }
    done <<<"$warnings"
    ! grep -q 'fine\.c:' "$1" && [ $missing = 0 ]
}

warnings_outside_src_are_told() {
    warning_tree tests
    ! (cd "$tmp/tree" && "$root/scripts/check-warnings" build) >"$tmp/warnings" && each_warning_is_told "$tmp/warnings" -W
}

warnings_of_src_are_told() {
    warning_tree src
    (cd "$tmp/tree" && clang-tidy -p build --quiet --checks=-clang-analyzer-\* src/*.c) >"$tmp/warnings" 2>/dev/null &&
        return 1
    each_warning_is_told "$tmp/warnings" clang-diagnostic-
}

a_tree_without_a_warning_is_fine() {
    warning_tree tests
    (cd "$tmp/tree" && jq '[.[] | select(.file | endswith("/fine.c"))]' build/compile_commands.json >build/one &&
        mv build/one build/compile_commands.json && "$root/scripts/check-warnings" build)
}

# with PROGRAM NAME COMMAND: as `is`, where that program is installed.
with() {
    if command -v "$1" >/dev/null; then
        is "$2" "$3"
    else
        count=$((count + 1))
        echo "ok $count - $2 # SKIP $1 is not installed"
    fi
}

# fuzz_tree: targets that find nothing, and fuzz_two, which is given
fuzz_tree() {
    local name folder=$tmp/tree/build-fuzz/fuzz
    rm -rf "$tmp/tree" && mkdir -p "$tmp/tree/scripts" "$folder" && cp scripts/fuzz "$tmp/tree/scripts/"
    for name in one two three four; do
        printf '#!/bin/sh\necho stat::number_of_executed_units: 7\n' >"$folder/fuzz_$name"
    done
    echo "$1" >>"$folder/fuzz_two"
    chmod +x "$folder"/*
}

fuzzing_runs_each_target() {
    fuzz_tree 'exit 0' && "$tmp/tree/scripts/fuzz" 1 >"$tmp/fuzzed" && [ "$(grep -c ': 7 inputs, no finding$' "$tmp/fuzzed")" = 4 ] &&
        [ "$("$tmp/tree/scripts/fuzz" 1 fuzz_two)" = "fuzz_two: 7 inputs, no finding" ] && ! "$tmp/tree/scripts/fuzz" 1 none 2>/dev/null
}

fuzzing_runs_another_build() {
    fuzz_tree 'exit 0' && mv "$tmp/tree/build-fuzz" "$tmp/tree/build-other" && ! "$tmp/tree/scripts/fuzz" 1 2>/dev/null &&
        FUZZ_BUILD=build-other "$tmp/tree/scripts/fuzz" 1 >"$tmp/fuzzed" && [ "$(grep -c ': 7 inputs, no finding$' "$tmp/fuzzed")" = 4 ] &&
        [ -d "$tmp/tree/build-other/corpus/fuzz_one" ]
}

fuzzing_ends_at_a_finding() {
    fuzz_tree 'echo it broke; exit 1'
    ! FUZZ_JOBS=1 "$tmp/tree/scripts/fuzz" 1 >"$tmp/fuzzed" 2>"$tmp/log" && grep -q '^it broke' "$tmp/log" &&
        grep -q '^fuzz_two: a finding; repeat it with: build-fuzz/fuzz/fuzz_two ' "$tmp/log" && ! grep -q fuzz_two "$tmp/fuzzed"
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

outcomes_are_counted() { # every result there could be passes, but for one that fails
    find tests -name 'test_*.c' -o -name 'test_*.sh' | sed 's#^tests/##; s#\.[a-z]*$#\t\tpassed#' >"$tmp/results"
    sed -i 's#^base/test_json_value\t\tpassed#base/test_json_value\t\tfailed#' "$tmp/results"
    scripts/requirements --outcomes "$tmp/results" >"$tmp/outcomes"
    grep -q '^the language: [1-9][0-9]* statements: [1-9][0-9]* pass, 0 fail, ' "$tmp/outcomes" &&
        grep -q '^T-INP-6: fail: ' "$tmp/outcomes" && ! scripts/requirements | grep -qE '\| (pass|fail) \|'
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
    ! tests/run -k some "$tmp/empty" >"$tmp/out" 2>"$tmp/log" && grep -q '^no test has "some" in its name' "$tmp/log" &&
        [ "$(tail -1 "$tmp/out")" = "0 passed, 0 failed, 0 skipped" ]
}

# suite NAME COMMAND: a folder of tests with the one, for tests/run.
suite() {
    mkdir -p "$tmp/suite" && printf 'add_test(%s bash -c "%s")\n' "$1" "$2" >"$tmp/suite/CTestTestfile.cmake"
}

what_is_not_built_is_said_to_be() {
    mkdir -p "$tmp/build-bare" && echo 'add_test(some/test_x no-such-program)' >"$tmp/build-bare/CTestTestfile.cmake"
    ! tests/run "$tmp/build-bare" >"$tmp/out" && grep -q 'it is not built: scripts/build .*bare some_test_x' "$tmp/out"
}

what_fails_only_once_is_run_again() {
    suite late "if test -e '$tmp/was_here'; then echo ok 1; else touch '$tmp/was_here'; echo not ok 1; fi"
    ! tests/run "$tmp/suite" >/dev/null && rm "$tmp/was_here" && tests/run --again "$tmp/suite" >"$tmp/out" &&
        grep -q '^=== late' "$tmp/out" && grep -q '^passed at its second run, alone: late' "$tmp/out" &&
        [ "$(tail -1 "$tmp/out")" = "1 passed, 0 failed, 0 skipped; 1 programs only at their second run" ]
}

what_fails_twice_fails() {
    suite wrong "echo ran >>'$tmp/runs'; echo not ok 1"
    ! tests/run --again "$tmp/suite" >"$tmp/out" && [ "$(wc -l <"$tmp/runs")" = 2 ] &&
        [ "$(tail -1 "$tmp/out")" = "0 passed, 1 failed, 0 skipped" ]
}

a_crash_and_a_report_are_not_run_again() {
    local how
    for how in 'kill -SEGV $$' 'echo ThreadSanitizer: data race' ; do
        rm -f "$tmp/runs"
        suite crash "echo ran >>'$tmp/runs'; echo not ok 1; ${how//\$/\\\$}"
        ! tests/run --again "$tmp/suite" >"$tmp/out" && [ "$(wc -l <"$tmp/runs")" = 1 ] || return 1
    done
}

leaks_of_a_failed_check_are_no_report() {
    local leaks="echo 'ERROR: LeakSanitizer: detected memory leaks'; echo 'SUMMARY: AddressSanitizer: 9 byte(s) leaked in 1'"
    rm -f "$tmp/runs"
    suite late "echo ran >>'$tmp/runs'; [ \$(wc -l <'$tmp/runs') = 2 ] && echo ok 1 && exit; echo not ok 1; $leaks; exit 1"
    tests/run --again "$tmp/suite" >"$tmp/out" && [ "$(wc -l <"$tmp/runs")" = 2 ] || return 1
    rm -f "$tmp/runs"
    suite leaks "echo ran >>'$tmp/runs'; echo ok 1; $leaks; exit 1"
    ! tests/run --again "$tmp/suite" >"$tmp/out" && [ "$(wc -l <"$tmp/runs")" = 1 ]
}

the_costliest_is_not_the_slowest() {
    mkdir -p "$tmp/costs" && cat >"$tmp/costs/CTestTestfile.cmake" <<'END'
add_test(waits bash -c "sleep 3; echo ok 1")
add_test(works bash -c "for ((i = 0; i < 100000; i++)); do :; done; echo ok 1")
END
    tests/run --slowest 1 "$tmp/costs" | grep -q '^ .* s  waits' &&
        tests/run --costliest 1 "$tmp/costs" | grep -q '^ .* s of a processor  works'
}

is "walls: base may not include the engine" walls_refuse src/base/x.c mangle/value.h
is "walls: the engine may not include the protocol" walls_refuse src/mangle/x.c protocol/fact.h
is "walls: toolhost may not include the server" walls_refuse src/toolhost/x.c server/server.h
is "walls: a private header of another module is refused" walls_refuse src/mangle/x.c base/json_int.h
is "walls: an unknown module is refused" walls_refuse src/unknown/x.c base/str.h
is "walls: the engine may include base" walls_allow src/mangle/x.c base/str.h
is "walls: stages of a room may not stand in a circle" stages_refuse_a_circle
is "walls: an entry of the table that no include needs is refused" needless_entry_is_refused
is "walls: this tree keeps them" scripts/check-includes
is "circles: two files of a room that call each other are refused" circles_refuse_two_files
is "circles: one way is fine" circles_allow_one_way
is "names: one static name in two files of a folder is refused" statics_refuse_two
with clang "warnings: each that clang is asked for is told of what is outside src" warnings_outside_src_are_told
with clang-tidy "warnings: each is told of src by clang-tidy" warnings_of_src_are_told
with clang "warnings: where there are none, none are told" a_tree_without_a_warning_is_fine
is "text: a path of one machine is refused" text_refuses_a_path
is "requirements: the table is stable and names tests" table_is_stable
is "requirements: what is tested is not missing" missing_is_the_rest
is "requirements: outcomes are counted, and are no part of the document" outcomes_are_counted
is "bootstrap: says nothing when all is there" nothing_to_install
# What was installed goes, folders of ours with it; what is somebody else's stays.
uninstall_takes_ours() {
    local at=$tmp/away
    mkdir -p "$at/build" "$at/to/p/bin" "$at/to/p/share/doc/manglecp/docs" "$at/to/p/share/doc/other" \
        "$at/to/p/lib/manglecp/python/m/__pycache__" || return 1
    touch "$at/to/p/bin/manglecp" "$at/to/p/bin/keep" "$at/to/p/share/doc/manglecp/docs/a b.md" \
        "$at/to/p/lib/manglecp/python/m/a.py" "$at/to/p/lib/manglecp/python/m/__pycache__/a.pyc"
    printf '/p/bin/manglecp\n/p/lib/manglecp/python/m/a.py\n/p/share/doc/manglecp/docs/a b.md' >"$at/build/install_manifest.txt"
    (cd "$at" && DESTDIR=$at/to make -s -f "$root/Makefile" uninstall) || return 1
    [ "$(cd "$at/to" && find . | LC_ALL=C sort | tr '\n' ' ')" = ". ./p ./p/bin ./p/bin/keep ./p/lib ./p/share ./p/share/doc ./p/share/doc/other " ]
}

is "make uninstall: takes away what was installed, and nothing else" uninstall_takes_ours
is "fuzz: each target is run, or those that are named" fuzzing_runs_each_target
is "fuzz: another build can be run" fuzzing_runs_another_build
is "fuzz: a finding is told and ends the run" fuzzing_ends_at_a_finding
is "tests/run: no test at all is a failure" runner_counts
is "tests/run: what is not built is said to be, and how it is" what_is_not_built_is_said_to_be
is "tests/run: what costs most is told by what it used of a processor" the_costliest_is_not_the_slowest
is "tests/run: what failed is run once more where that is asked for, and told" what_fails_only_once_is_run_again
is "tests/run: what fails twice fails" what_fails_twice_fails
is "tests/run: a crash and a sanitizer's report are never tried again" a_crash_and_a_report_are_not_run_again
is "tests/run: leaks are no report where a check failed" leaks_of_a_failed_check_are_no_report
echo "1..$count"
