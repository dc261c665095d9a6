# mangle test: what passes, what fails and how it says so, coverage, and what is no file of tests.
. tests/support/mangle_cli.sh

run() {
    says test "$@"
}

# one NAME LINES STATUS WANTED: a file t_test.mg that loads shop.mg and has these lines.
one() {
    printf '#: load shop.mg\n%s\n' "$2" >t_test.mg
    is "$1" "$(run t_test.mg)" "$4
status $3"
}

cat >shop.mg <<'END'
Decl ev(X) temporal.
gross(What, G) :- price(What, P), G = fn:div(fn:mult(P, 119), 100).
cheap(What) :- gross(What, G), G < 1000.
dear(What) :- gross(What, G), G > 5000.
count(N) :- cheap(_) |> do fn:group_by(), let N = fn:count().
recent(X) :- <-[5m] ev(X).
share(What, S) :- price(What, P), S = fn:div(100, P).
Decl price(What, Cents).
END

one "expected facts that come are fine" '#: test a tea is cheap
price("tea", 300).
#: expect
cheap("tea").
gross("tea", 357).' 0 'pass t_test.mg:2: a tea is cheap
1 passed, 0 failed'
one "missing and unexpected facts are told apart" '#: test pots
price("pot", 2450). price("cup", 100).
#: expect
cheap("cup"). cheap("pot").
gross("pot", 2915).' 1 'FAIL t_test.mg:2: pots
     + gross("cup",119).
     - cheap("pot").
0 passed, 1 failed'
one "predicates that are not mentioned do not matter" '#: test only count
price("tea", 300). price("cup", 100).
#: expect
count(2).' 0 'pass t_test.mg:2: only count
1 passed, 0 failed'
one "contains does not mind others" '#: test contains
price("tea", 300). price("cup", 100).
#: expect contains
cheap("tea"). cheap("pot").' 1 'FAIL t_test.mg:2: contains
     - cheap("pot").
0 passed, 1 failed'
one "absent minds those that are there" '#: test absent
price("tea", 300).
#: expect absent
cheap("tea"). cheap("pot").' 1 'FAIL t_test.mg:2: absent
     + cheap("tea").
0 passed, 1 failed'
one "none means no fact at all" '#: test none
price("tea", 300).
#: expect none dear/1 cheap recent/1' 1 'FAIL t_test.mg:2: none
     + cheap("tea").
0 passed, 1 failed'
one "now is what a test or its file says" '#: now 2026-02-19T12:00:00Z
#: test in time
#: given
ev("s")@[2026-02-19T11:58:00Z]. ev("old")@[2026-02-19T11:00:00Z].
#: expect
recent("s").
#: test too late
#: now 2026-02-19T12:03:00.000000001Z
ev("s")@[2026-02-19T11:58:00Z].
#: expect none recent' 0 'pass t_test.mg:3: in time
pass t_test.mg:8: too late
2 passed, 0 failed'
one "intervals that touch are one, given or expected" '#: now 2026-02-19T12:00:00Z
#: test intervals
ev("s")@[2026-02-19T11:58:00Z, 2026-02-19T11:59:00Z].
ev("s")@[2026-02-19T11:59:00Z, 2026-02-19T12:00:00Z].
#: expect
ev("s")@[2026-02-19T11:58:00Z, 2026-02-19T12:00:00Z].' 0 'pass t_test.mg:3: intervals
1 passed, 0 failed'
one "an error may be what is expected" '#: test free things have no share
price("air", 0).
#: expect error EVAL_ERROR' 0 'pass t_test.mg:2: free things have no share
1 passed, 0 failed'
one "another error is not" '#: test free things have no share
price("air", 0).
#: expect error FACT_LIMIT' 1 'FAIL t_test.mg:2: free things have no share
       expected the error FACT_LIMIT, but this one is EVAL_ERROR:
       shop.mg:7: fn:div: division by zero
0 passed, 1 failed'
one "no error is not either" '#: test no error
price("air", 1).
#: expect error EVAL_ERROR' 1 'FAIL t_test.mg:2: no error
       expected the error EVAL_ERROR, but there was none
0 passed, 1 failed'
echo 'a(X) :- b(X), !a(X). b(1).' >circle.mg
one "a program that must be refused can be tested" '#: test refused
#: load circle.mg
#: expect error STRATIFY
#: test the others do not load it
price("tea", 300).
#: expect
count(1).' 0 'pass t_test.mg:2: refused
pass t_test.mg:5: the others do not load it
2 passed, 0 failed'
one "what is wrong in a section has its place in the file" '#: test typing error
price("tea", 300).

#: expect
chep("tea").' 1 'FAIL t_test.mg:2: typing error
       t_test.mg:6:1: error: the program does not know the predicate "chep"
           chep("tea").
           ^~~~~~~~~~~
         hint: Did you mean "cheap/1"?
0 passed, 1 failed'
one "so has an unknown predicate after none" '#: test typing error
#: expect none chep' 1 'FAIL t_test.mg:2: typing error
       t_test.mg:3: error: the program does not know the predicate "chep"
0 passed, 1 failed'
one "given facts that no rule reads are a slip of the pen" '#: test typing error
prise("tea", 300).
#: expect none cheap' 1 'FAIL t_test.mg:2: typing error
       facts of "prise" with 2 arguments are given, but no rule reads them
0 passed, 1 failed'
one "facts and rules before the first test are for all" 'price("tea", 300).
both(X, Y) :- cheap(X), cheap(Y), X != Y.
#: test one alone
#: expect none both/2
#: test two
price("cup", 100).
#: expect
both("cup", "tea"). both("tea", "cup").' 0 'pass t_test.mg:4: one alone
pass t_test.mg:6: two
2 passed, 0 failed'

echo 'path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).' >path.mg
printf '#: load path.mg\n#: test steps\nedge(1, 2). edge(2, 3).\n#: expect contains\npath(1, 3).\n#: test none\n#: expect none path\n' >path_test.mg
is "what only the given facts of some test know needs no Decl" "$(run path_test.mg)" 'pass path_test.mg:2: steps
pass path_test.mg:6: none
2 passed, 0 failed
status 0'

mkdir -p suite/sub suite/rules
cp shop.mg suite/rules
printf '#: load rules/shop.mg\n#: test a\nprice("tea", 300).\n#: expect\ncheap("tea").\n' >suite/a_test.mg
printf '#: load ../rules/shop.mg\n#: test b\nprice("pot", 9000).\n#: expect none dear\n' >suite/sub/b_test.mg
echo 'nonsense' >suite/other.mg
is "a folder is searched, coverage is that of all its files" "$(run suite --coverage)" \
    'pass suite/a_test.mg:2: a
FAIL suite/sub/b_test.mg:2: b
     + dear("pot").
       2  suite/rules/shop.mg:2:  gross(What,G) :- price(What,P), G = fn:div(fn:mult(P,119),100).
       1  suite/rules/shop.mg:3:  cheap(What) :- gross(What,G), :lt(G,1000).
       1  suite/rules/shop.mg:4:  dear(What) :- gross(What,G), :gt(G,5000).
       2  suite/rules/shop.mg:5:  count(N) :- cheap(_) |> do fn:group_by(), let N = fn:count().
   never  suite/rules/shop.mg:6:  recent(X) :- <-[0s, 5m0s] ev(X).
       2  suite/rules/shop.mg:7:  share(What,S) :- price(What,P), S = fn:div(100,P).
5 of 6 rules fired (83.3 %)
1 passed, 1 failed
status 1'
is "tests can be chosen by name" "$(run suite --only a | tail -2)" '1 passed, 0 failed
status 0'
is "enough coverage is fine" "$(run suite --only a --coverage-min 66 | tail -1)" 'status 0'
is "a name that no test has is a slip of the pen" "$(run suite --only nothing 2>&1)" \
    'error: there is no test whose name contains "nothing"
status 2'
is "no more than all rules can fire" "$(run suite --coverage-min 101 2>&1 | tail -1)" 'status 2'
is "too little is not" "$(run suite --only a --coverage-min 67 | tail -2)" \
    'error: 66.7 % of the rules fired, but 67 % are wanted
status 1'
is "in TAP" "$(run suite --format tap)" '1..2
ok 1 - suite/a_test.mg:2: a
not ok 2 - suite/sub/b_test.mg:2: b
# + dear("pot").
status 1'
is "in JSON" "$(run suite --format json --only b)" '{
  "tests": [
    {
      "name": "b",
      "file": "suite/sub/b_test.mg",
      "line": 2,
      "passed": false,
      "missing": [],
      "unexpected": [
        "dear(\"pot\")."
      ],
      "messages": []
    }
  ],
  "passed": 0,
  "failed": 1
}
status 1'

one "an unknown directive is refused" '#: tset x' 2 't_test.mg:2: error: there is no directive "tset"
  hint: There are: load, test, now, given, expect.'
one "a test must expect something" '#: test x
price("tea", 1).' 2 't_test.mg:2: error: the test "x" expects nothing
  hint: Add #: expect and the facts that follow.'
one "expectations stand in tests" '#: expect
p(1).' 2 't_test.mg:2: error: expect stands in a test only
  hint: Begin a test with #: test NAME.'
one "what cannot be expected is refused" '#: test x
#: expect some' 2 't_test.mg:3: error: "some" is nothing that can be expected
  hint: There are: expect, expect contains, absent, none, error.'
one "a time must be one" '#: now noon' 2 't_test.mg:2: error: now "noon": not of the form YYYY-MM-DDThh:mm:ssZ
  hint: Write it like 2026-02-19T14:30:00Z.'
one "files to load must be there" '#: load none.mg' 2 't_test.mg:2: error: cannot read none.mg: No such file or directory
  hint: Files are named from the folder of the test file.'
one "a file of tests has tests" 'p(1).' 2 't_test.mg:1: error: there is no test in this file
  hint: Begin one with #: test NAME.'
mkdir empty
is "a folder has files of tests" "$(run empty | head -1; run empty | tail -1)" \
    'error: there is no file *_test.mg in empty
status 2'
is "a missing file is status 2" "$(run none_test.mg | tail -1)" 'status 2'
is "no file is status 2" "$(run | head -1)" 'error: mangle test needs a file or a folder'
is "an unknown format is status 2" "$(run suite --format xml)" 'error: --format is text, tap or json, not "xml"
status 2'
is "a layout keeps a file of tests" \
    "$("$mangle" fmt suite >/dev/null 2>&1; run suite --only a | head -1)" 'pass suite/a_test.mg:2: a'
echo "1..$count"
