# mangle explain: its forms, modes and refusals, and "why not".
. tests/support/mangle_cli.sh
leading=(explain)

cat >trip.mg <<'END'
road(/ulm, /bonn). road(/bonn, /kiel).
trip(A, B) :- road(A, B).
trip(A, C) :- road(A, B), trip(B, C).
Decl shut(X). free(X) :- road(X, _), !shut(X).
END
cat >sums.mg <<'END'
t(/a, 3). t(/a, 4). said("a \"b\" \\").
s(K, N) :- t(K, V) |> do fn:group_by(K), let N = fn:sum(V).
d(K, D) :- t(K, V) |> let D = fn:mult(V, 2).
all(N) :- s(_, N).
q(X) :- said(X).
END

# M-PROV-40, with the ids of M-PROV-11
run "a proof is facts" 0 'proves(/proof/c81bf8ab6f207b41c4883446b94a89f5,[/trip, /ulm, /kiel]).
uses_rule(/proof/c81bf8ab6f207b41c4883446b94a89f5,/rule/c55a6c57f1d77f5e9ea7657f7daf6a28).
rule_source(/rule/c55a6c57f1d77f5e9ea7657f7daf6a28,"trip(A,C) :- road(A,B), trip(B,C).").
binding(/proof/c81bf8ab6f207b41c4883446b94a89f5,"A",/ulm).
binding(/proof/c81bf8ab6f207b41c4883446b94a89f5,"B",/bonn).
binding(/proof/c81bf8ab6f207b41c4883446b94a89f5,"C",/kiel).
premise(/proof/c81bf8ab6f207b41c4883446b94a89f5,0,/proof/ee132b4c4f1424235e6904cfaa666ba9).
premise(/proof/c81bf8ab6f207b41c4883446b94a89f5,1,/proof/c039ffdfc006c73bae89e69848067afe).
proves(/proof/ee132b4c4f1424235e6904cfaa666ba9,[/road, /ulm, /bonn]).
edb_leaf(/proof/ee132b4c4f1424235e6904cfaa666ba9,[/road, /ulm, /bonn]).
proves(/proof/c039ffdfc006c73bae89e69848067afe,[/trip, /bonn, /kiel]).
uses_rule(/proof/c039ffdfc006c73bae89e69848067afe,/rule/a1c105b8f12e7beffad90deede56b9a6).
rule_source(/rule/a1c105b8f12e7beffad90deede56b9a6,"trip(A,B) :- road(A,B).").
binding(/proof/c039ffdfc006c73bae89e69848067afe,"A",/bonn).
binding(/proof/c039ffdfc006c73bae89e69848067afe,"B",/kiel).
premise(/proof/c039ffdfc006c73bae89e69848067afe,0,/proof/4caa04f8ac00a8bec621c9834e591937).
proves(/proof/4caa04f8ac00a8bec621c9834e591937,[/road, /bonn, /kiel]).
edb_leaf(/proof/4caa04f8ac00a8bec621c9834e591937,[/road, /bonn, /kiel]).' '' \
    trip.mg --goal 'trip(/ulm, /kiel)' --goal 'trip(/bonn, /kiel)' --format facts

# ask NAME WANT FILTER ARGUMENT...: what jq says of the JSON form
ask() {
    local name=$1 want=$2 filter=$3 got
    shift 3
    count=$((count + 1))
    got=$("$mangle" explain "$@" --format json 2>&1 | jq -c "$filter" 2>&1)
    if [ "$got" = "$want" ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        printf 'expected:\n%s\ngot:\n%s\n' "$want" "$got" | sed 's/^/#   /'
    fi
}
# absent NAME STRING ARGUMENT..., present NAME STRING ARGUMENT...: is STRING part of what is printed?
present() {
    local name=$1 part=$2
    shift 2
    count=$((count + 1))
    if "$mangle" explain "$@" 2>&1 | grep -qF -- "$part"; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        "$mangle" explain "$@" 2>&1 | sed 's/^/#   /'
    fi
}

# M-PROV-40
present "an absence is a fact of its own" \
    'absence_leaf(/proof/9b22188bc19c57ab3502e23f3f6b0246,[/shut, /ulm]).' \
    trip.mg --goal 'free(/ulm)' --format facts
count=$((count + 1))
if "$mangle" explain trip.mg --goal 'free(/ulm)' --format facts | grep -q '^proves(/proof/9b22188'; then
    echo "not ok $count - an absence proves nothing"
else
    echo "ok $count - an absence proves nothing" # M-PROV-40
fi
present "an aggregate has its key" 'group_key(/proof/' sums.mg --goal 's(/a, 7)' --format facts
present "and its transform" ',"do fn:group_by(K), let N = fn:sum(V)").' sums.mg --goal 's(/a, 7)' --format facts
present "strings are quoted" '[/said, "a \"b\" \\"]).' sums.mg --query q --format facts
count=$((count + 1))
"$mangle" explain sums.mg --query all --query s --query q --query d --format facts >proof.mg
if "$mangle" check proof.mg >checked 2>&1; then
    echo "ok $count - the facts are a program"
else
    echo "not ok $count - the facts are a program"
    sed 's/^/#   /' checked
fi

ask "JSON has nodes, each once, and rules" '[["c81bf8ab","ee132b4c","c039ffdf","4caa04f8"],2]' \
    '[[.[0].nodes[].id[7:15]], (.[0].rules | length)]' trip.mg --goal 'trip(/ulm, /kiel)'
ask "with bindings and places" '[{"A":"/ulm","B":"/bonn","C":"/kiel"},3]' \
    '[.[0].nodes[0].bindings, .[0].rules[0].line]' trip.mg --goal 'trip(/ulm, /kiel)'
ask "with kinds, keys and values" '["aggregate",["/a"],["/a",7]]' \
    '[.[0].nodes[0] | .kind, .group_key, .fact.args]' sums.mg --goal 's(/a, 7)'
ask "with the row of a let" '["let","let D = fn:mult(V,2)",null]' \
    '[.[0].nodes[0] | .kind, .transform, .bindings]' sums.mg --goal 'd(/a, 6)'
ask "a proof cut short says so" '[true,"given","partial"]' \
    '[.[0].nodes[0].partial, .[0].nodes[1].kind, .[0].nodes[2].kind]' trip.mg --goal 'trip(/ulm, /kiel)' --max-depth 1 # M-PROV-8, M-PROV-22

run "dot draws an arrow from each premise" 0 'digraph proof {
  rankdir=BT;
  node [fontname="monospace"];
  n0 [shape=box, label="free(/ulm)", tooltip="free(X) :- road(X,_), !shut(X)."];
  n1 [shape=box, style=filled, fillcolor=gray90, label="road(/ulm,/bonn)"];
  n2 [shape=box, style=dashed, label="!shut(/ulm)"];
  n1 -> n0;
  n2 -> n0;
}' '' trip.mg --goal 'free(/ulm)' --format dot
present "quotes and backslashes are escaped" 'label="q(\"a \\\"b\\\" \\\\\")"' sums.mg --query q --format dot
count=$((count + 1))
if ! command -v dot >/dev/null; then
    echo "ok $count # SKIP no Graphviz on this machine"
elif "$mangle" explain sums.mg --query q --query s --format dot | dot -Tsvg >proof.svg 2>stderr; then
    echo "ok $count - Graphviz draws it"
else
    echo "not ok $count - Graphviz draws it"
    sed 's/^/#   /' stderr
fi

# M-IO-28: what mgwhy does
run "and is told how to ask why" 1 '' "hint: --why-not 'trip(/kiel, /ulm)' says why." trip.mg --goal 'trip(/kiel, /ulm)'
run "a goal that does not hold has no proof" 1 '' 'the fact does not hold' trip.mg --goal 'trip(/kiel, /ulm)'
run "a goal with variables has no proof" 1 '' 'the goal has variables' trip.mg --goal 'trip(/ulm, X)'
run "in simple mode transforms prove nothing" 1 '' 'only through rules with a transform' \
    sums.mg --goal 'all(7)' --mode simple
present "in full mode they do" '[EDB]' sums.mg --goal 'all(7)' --mode full
run "a program is needed" 2 '' 'mangle explain rules.mg' --goal 'a(1)'
run "a mode must be known" 2 '' '--mode is full or simple, not "odd"' sums.mg --goal 'all(7)' --mode odd
run "a form must be known" 2 '' '--format is tree, facts, json or dot' sums.mg --goal 'all(7)' --format xml
run "there is no proof to draw of what is not" 2 '' 'no proof to print as dot' \
    sums.mg --why-not 'all(8)' --format dot
run "numbers have a range" 2 '' '--max-proofs is between' sums.mg --goal 'all(7)' --max-proofs -1
printf 'p(1, 2). p(X, Y) :- e(X, Y). e(1, 3). e(3, 2). p(X, Z) :- e(X, Y), e(Y, Z).\nr(X) :- p(X, _).\n' >two.mg
present "there may be several proofs" 'proof 2 of 2:' two.mg --goal 'r(1)' --max-proofs 5

run "why not: the rule, the premise, the values" 0 'trip(/ulm,/rom) does not hold: no rule derives it
  near: trip(/ulm,/bonn)
  near: trip(/ulm,/kiel)

  trip.mg:2: trip(A,B) :- road(A,B).
    with A=/ulm, B=/rom
    premise 1 fails: road(A,B), here road(/ulm,/rom)
    no such fact is given
      near: road(/ulm,/bonn)

  trip.mg:3: trip(A,C) :- road(A,B), trip(B,C).
    with A=/ulm, B=/bonn, C=/rom
    premise 2 fails: trip(B,C), here trip(/bonn,/rom)
    no such fact is given or derived
      near: trip(/bonn,/kiel)' '' trip.mg --why-not 'trip(/ulm, /rom)'
ask "why not, as JSON" '[false,"trip(/ulm,/rom)",["no_fact","no_fact"],[1,2],3,"/bonn"]' \
    '.[0] | [.holds, .goal, [.rules[].failure], [.rules[].premise], .rules[1].line, .rules[1].bindings.B]' \
    trip.mg --why-not 'trip(/ulm, /rom)'
ask "a goal that holds, as JSON" '[true,["/ulm","/bonn"]]' '.[0] | [.holds, .answers[0].args]' \
    trip.mg --why-not 'trip(/ulm, /bonn)'
run "a goal that cannot be read" 1 '' 'error:' trip.mg --why-not 'trip(/ulm'
echo "1..$count"
