# mangle repl as a script: from a pipe it reads plain lines, shows no prompt, and goes on after errors.
. tests/support/mangle_cli.sh

# What is wrong with a program has its own tests: here it is only said where that is told.
briefly() {
    sed '/^    /d; /^  hint:/d; /an earlier load/!s/\(:[0-9]*:[0-9]*: error\): .*/\1/'
}

# talk NAME INPUT OUTPUT ARGUMENT...: exit status 0 and nothing on standard error are part of it. An OUTPUT
# with error messages in it is compared briefly.
talk() {
    local name=$1 input=$2 want=$3 got rc
    shift 3
    count=$((count + 1))
    got=$(printf '%s\n' "$input" | "$mangle" repl "$@" 2>stderr)
    rc=$?
    case $want in */proof/ID*) got=$(sed 's|/[0-9a-f]\{32\}|/ID|g' <<<"$got") ;; esac
    if grep -q ': error' <<<"$want"; then
        want=$(briefly <<<"$want")
        got=$(briefly <<<"$got")
    fi
    if [ "$rc" = 0 ] && [ "$got" = "$want" ] && [ ! -s stderr ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        printf 'status %s, expected:\n%s\ngot:\n%s\nstderr:\n%s\n' "$rc" "$want" "$got" "$(cat stderr)" |
            sed 's/^/#   /'
    fi
}

mkdir rules
echo 'Decl edge(X, Y) descr [doc("a road", "from, to")]. edge(/a, /b). edge(/b, /c).' >rules/edge.mg
echo 'path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).' >rules/path.mg
echo 'edge(/x, /y).' >rules/again.mg
echo 'Decl edge(X, Y). edge(/x, /y).' >rules/decl.mg
echo 'Decl n(X) bound [/number]. n("a").' >rules/bounds.mg
echo 'Decl n(X) bound [/number]. n(0). n(Y) :- n(X), Y = fn:plus(X, 1).' >rules/endless.mg
echo 'plain(1). plain(2).' >rules/plain.mg
echo 'Decl twice(X) bound [/number]. twice(Y) :- plain(X), Y = fn:mult(X, 2).' >rules/twice.mg

# M-IO-10
talk "a definition goes on to a line that ends it" 'foo(1, 2).
  bar(X) :-
   foo(X, _).
?bar(X)' 'defined [foo(A0, A1)].
defined [bar(A0) foo(A0, A1)].
bar(1)
Found 1 entries for bar(X).'
# M-IO-11
talk "a definition that fails changes nothing" 'foo(1).
foo(X) :- nothing(X).
bar(2).
?foo
?bar' 'defined [foo(A0)].
definition failed: interactive:2:11: error
defined [bar(A0) foo(A0)].
foo(1)
Found 1 entries for foo(X0).
bar(2)
Found 1 entries for bar(X0).'
# M-IO-12, M-IO-1, M-IO-2, M-IO-5
talk "queries list facts, sorted as text" 'p(10, /b). p(9, /a). p(1, "b"). q(1, 1). q(1, 2). l([1, 2]).
?p
?p(X, /a).
?p(11, X)
?p(_, _)
?q(X, X)
?l([1, fn:plus(1, 1)])
?nobody(X)
?nobody
?p(1' 'defined [l(A0) p(A0, A1) q(A0, A1)].
p(1,"b")
p(10,/b)
p(9,/a)
Found 3 entries for p(X0,X1).
p(9,/a)
Found 1 entries for p(X, /a).

No entries for p(11, X).
p(1,"b")
p(10,/b)
p(9,/a)
Found 3 entries for p(_, _).
q(1,1)
Found 1 entries for q(X, X).
l([1, 2])
Found 1 entries for l([1, fn:plus(1, 1)]).

No entries for nobody(X).
error evaluating query: query:1:1: error
error evaluating query: query:1:2: error'
# M-IO-3
talk "queries only look facts up" 'p(1).
?:lt(1, 2)
?p(2)' 'defined [p(A0)].

No entries for :lt(1, 2).

No entries for p(2).'
# M-IO-4
talk "a query lists every interval, whatever the time" 'Decl up(X) temporal.
up(/a)@[2020-01-01, 2020-02-01]. up(/a)@[2030-01-01]. up(/b)@[_, _].
?up
?up(/a)' 'defined [up(A0)].
defined [up(A0)].
up(/a)@[2020-01-01T00:00:00Z, 2020-02-01T00:00:00Z]
up(/a)@[2030-01-01T00:00:00Z]
up(/b)
Found 3 entries for up(X0).
up(/a)@[2020-01-01T00:00:00Z, 2020-02-01T00:00:00Z]
up(/a)@[2030-01-01T00:00:00Z]
Found 2 entries for up(/a).'
# M-IO-13
talk "files are loaded as one program, below a folder" 'foo(1).
::load path.mg,edge.mg
?path
?foo' 'defined [foo(A0)].
loaded path.mg,edge.mg.
path(/a,/b)
path(/a,/c)
path(/b,/c)
Found 3 entries for path(X0,X1).
error evaluating query: query:1:1: error' --root rules
talk "a load that fails is said to" '::load bounds.mg
::load none.mg
::load
?n' 'load failed: rules/bounds.mg:1:30: error
load failed: cannot read rules/none.mg: No such file or directory
load failed: name a file, or several with commas
error evaluating query: query:1:1: error' --root rules
talk "what is typed need not fit its bounds" 'Decl n(X) bound [/number]. n("a").
?n' 'defined [n(A0)].
n("a")
Found 1 entries for n(X0).'
# M-IO-14
talk "what was typed is undone first, then loads" '::load rules/edge.mg
::load rules/path.mg
far(X) :- path(_, X).
near(X) :- edge(_, X).
::pop
?far(X)
::pop
?path(X, Y)
?edge
::pop
::pop' 'loaded rules/edge.mg.
loaded rules/path.mg.
defined [far(A0)].
defined [far(A0) near(A0)].
popped interactive defs.

No entries for far(X).
popped "rules/path.mg".

No entries for path(X, Y).
edge(/a,/b)
edge(/b,/c)
Found 2 entries for edge(X0,X1).
popped "rules/edge.mg".
nothing to pop.'
# M-IO-15
talk "declarations are shown" '::load rules/path.mg,rules/edge.mg
::show all
::show edge
::show pa
::show x' 'loaded rules/path.mg,rules/edge.mg.
edge(X, Y)                                        a road
path(X0, X1)
edge(X, Y)                                        a road
there is no predicate "pa"; there are: path
there is no predicate "x"'
# M-IO-18
talk "a later load may not add to an earlier one" '::load rules/edge.mg
::load rules/again.mg
::load rules/decl.mg
edge(/x, /y).
?edge(/x, X)' 'loaded rules/edge.mg.
load failed: rules/again.mg:1:1: error: an earlier load defines this predicate
    edge(/x, /y).
    ^~~~~~~~~~~~
  hint: Give it another name, or undo that load with ::pop.
load failed: rules/decl.mg:1: error: an earlier load defines "edge"
definition failed: interactive:1:1: error: an earlier load defines this predicate
    edge(/x, /y).
    ^~~~~~~~~~~~
  hint: Give it another name, or undo that load with ::pop.

No entries for edge(/x, X).'
# M-IO-19
talk "a Decl may follow another definition" 'foo(1).
Decl bar(X).
bar(2).
?bar' 'defined [foo(A0)].
defined [bar(A0) foo(A0)].
defined [bar(A0) foo(A0)].
bar(2)
Found 1 entries for bar(X0).'
# M-IO-20
talk "a load may read what an earlier one has no Decl for" '::load rules/plain.mg
::load rules/twice.mg
?twice' 'loaded rules/plain.mg.
loaded rules/twice.mg.
twice(2)
twice(4)
Found 2 entries for twice(X0).'
# M-IO-21
talk "the evaluation time can be fixed" '::time
t(T) :- T = fn:time:now().
::time 2025-01-01T00:00:00Z
?t
::time yesterday
::time 2026-01-01T00:00:00Z
::time
?t' 'evaluated at 2024-06-10T12:00:00Z, fixed
defined [t(A0)].
evaluated at 2025-01-01T00:00:00Z, fixed
t(2025-01-01T00:00:00Z)
Found 1 entries for t(X0).
"yesterday" is no time: not of the form YYYY-MM-DDThh:mm:ssZ; for instance 2024-06-10T12:00:00Z
evaluated at 2026-01-01T00:00:00Z, fixed
evaluated at 2026-01-01T00:00:00Z, fixed
t(2026-01-01T00:00:00Z)
Found 1 entries for t(X0).' --eval-time 2024-06-10T12:00:00Z
count=$((count + 1))
printf 't(T) :- T = fn:time:now().\n?t\n::time now\n?t\n' | "$mangle" repl >clock 2>&1
today=$(date -u +%Y-%m-%dT%H)
if [ "$(grep -c '^t(20' clock)" = 2 ] && [ "$(grep '^t(20' clock | sort -u | wc -l)" = 2 ] &&
    grep -q ', by the clock' clock && [ "$(date -u +%Y-%m-%dT%H)" != "$today" -o "$(grep -c "^t($today" clock)" = 2 ]; then
    echo "ok $count - otherwise it is the clock's, at each evaluation" # M-IO-21
else
    echo "not ok $count - otherwise it is the clock's, at each evaluation"
    sed 's/^/#   /' clock
fi
talk "why, and why not" '::load rules/path.mg,rules/edge.mg
::why path(/b, /c)
::why path(/c, X)
::whynot path(/c, X)
::whynot path(/a, /b)
::whynot path' 'loaded rules/path.mg,rules/edge.mg.
proof 1 of 1:
  path(/b,/c)  (/proof/e64894f4ea70dfb36c28e999e958d91b)
    by rule /rule/e844ff77b45a709df327856171ba54cb:  path(X,Y) :- edge(X,Y).
    with X=/b, Y=/c
    premises:
      edge(/b,/c)  (/proof/7916fbc43073d6a9a031e1cabc10cc9e)
        [EDB]
nothing holds: ::whynot path(/c, X) says why
path(/c,X) does not hold: no rule derives it

  rules/path.mg:1: path(X,Y) :- edge(X,Y).
    with X=/c
    premise 1 fails: edge(X,Y), here edge(/c,Y)
    no such fact is given

  rules/path.mg:1: path(X,Z) :- edge(X,Y), path(Y,Z).
    with X=/c
    premise 1 fails: edge(X,Y), here edge(/c,Y)
    no such fact is given
path(/a,/b) holds
  answer: path(/a,/b)
::whynot needs an atom: ::whynot name(/a, X)'
talk "a proof goes down through all loads" '::load rules/edge.mg
::load rules/path.mg
far(X) :- path(/a, X).
::why far(/b)' 'loaded rules/edge.mg.
loaded rules/path.mg.
defined [far(A0)].
proof 1 of 1:
  far(/b)  (/proof/ID)
    by rule /rule/ID:  far(X) :- path(/a,X).
    with X=/b
    premises:
      path(/a,/b)  (/proof/ID)
        by rule /rule/ID:  path(X,Y) :- edge(X,Y).
        with X=/a, Y=/b
        premises:
          edge(/a,/b)  (/proof/ID)
            [EDB]'
talk "limits hold" '::load rules/endless.mg
?n' 'load failed: too many facts are derived (limit 100 facts)
error evaluating query: query:1:1: error' --max-facts 100
talk "files on the command line are loaded first" '?edge(/a, X)' 'edge(/a,/b)
Found 1 entries for edge(/a, X).' rules/edge.mg
# M-IO-16
count=$((count + 1))
echo ::help | "$mangle" repl >help
missing=
for word in ::help ::load ::show ::pop ::why ::whynot ::time ::quit '?name'; do
    grep -qF -- "$word" help || missing="$missing $word"
done
if [ -z "$missing" ]; then
    echo "ok $count - help names every command"
else
    echo "not ok $count - help names every command: not$missing"
fi
talk "the end is ::quit, or the end of input" '::quit
?nothing' ''
talk "an unknown command is said to be one" '::exit' 'there is no command ::exit; ::help lists them'
talk "a definition that is not finished is lost" 'foo(1)' 'definition failed: its end, a line that ends in . or !, is missing'
echo "1..$count"
