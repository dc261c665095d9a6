# A folder is a program wherever mangle takes one: all .mg files below it, and of a domain folder the
# standard rules and the tables of facts as well.
. tests/support/scratch.sh mangle manglecp

expect() { # NAME STATUS TEXT: against `status` and `out`
    count=$((count + 1))
    if [ "$status" = "$2" ] && [ "$(cat out)" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        echo "# status $status, expected $2; got:"
        sed 's/^/#   /' out
    fi
}
run() {
    "$@" >out 2>&1
    status=$?
}

manglecp new greeter >/dev/null
mkdir greeter/facts
printf 'Bob\n' >greeter/facts/greeted.csv
cat >visits.jsonl <<'END'
{"pred":"visitor","args":["Ann"],"t":{"at":"2026-07-04T05:58:00Z"}}
{"pred":"visitor","args":["Bob"],"t":{"at":"2026-07-04T05:58:00Z"}}
END
given="--facts visits.jsonl --eval-time 2026-07-04T06:00:00Z"

run mangle check greeter --check-bounds --strict
expect "check takes a domain folder" 0 "0 errors, 0 warnings"
# shellcheck disable=SC2086
run mangle run greeter $given --query waiting --query greeted
expect "run does, with its tables" 0 'waiting("Ann").
greeted("Bob").'
# shellcheck disable=SC2086
run mangle run greeter/ $given --query 'tool_relevant_to_intent(T, _, S)'
expect "the standard rules are there" 0 'tool_relevant_to_intent("greet","welcome",90).'
# shellcheck disable=SC2086
run mangle explain greeter $given --query 'waiting("Ann")'
grep -q 'visitor("Ann")@' out && echo found >out
expect "explain does" 0 found
run bash -c "printf '?setting(X, Y)\n' | mangle repl greeter 2>&1 | grep -c 'tables of facts are not read here'"
expect "repl does, but for tables, which it says" 0 1

printf 'prohibited("greet", "no") :- selected_tool(_, "greet").\n' >greeter/rules/policy/circle.mg
run mangle check greeter
sed -n '1s/: error:.*//p' out >first && mv first out
expect "a circle through the standard rules is told at the author's" 1 greeter/rules/policy/circle.mg:1:30
rm greeter/rules/policy/circle.mg

mkdir -p project/rules project/facts
printf 'path(X, Y) :- edge(X, Y).\n' >project/rules/path.mg
printf 'edge(1, 2).\n' >project/facts/edges.mg
printf '#: test nothing\n#: expect error SYNTAX\n' >project/rules/path_test.mg
run mangle run project
expect "another folder is all of its rules, without their tests" 0 'path(1,2).'
run mangle explain project --goal 'path(1, 2)' --format facts
sed -i '2,$d' out
[ -s out ] && echo found >out
expect "for explain, too" 0 found
run bash -c "printf '?path(X, Y)\n' | mangle repl project"
expect "and for repl" 0 'path(1,2)
Found 1 entries for path(X, Y).'
mkdir empty
run mangle run empty
expect "a folder without rules is none" 2 'error: there is no .mg file below empty'
run mangle run nowhere
expect "nor is one that is not there" 2 'error: cannot read nowhere: No such file or directory'
echo "1..$count"
