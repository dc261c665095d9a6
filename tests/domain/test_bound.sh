# What steps read of facts: rules bind it, `bound.NAME` reads it, and no client can send it.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/command.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi

mkdir -p d/actions d/tools d/rules/schema d/rules/domain d/tests
cat >d/domain.yaml <<'END'
server: {name: d, version: 1.0.0}
domain: {id: d, description: d}
intents: [{name: go, description: g, optional_facts: [seen]}]
actions: {commands: actions/*.yaml}
END
cat >d/actions/a.yaml <<'END'
name: show
description: d
run: [cat]
stdin: {json: [what]}
input: {what: true}
output: json
side_effects: none
END
cat >d/rules/schema/s.mg <<'END'
Decl seen(File, Size) descr [direction("input")] bound [/string, /number].
END
cat >d/rules/domain/r.mg <<'END'
tool_relevant_to_intent("report", "go", 90).
param_bound("report", "files", List) :- seen(File, _) |> do fn:group_by(), let List = fn:collect(File).
param_bound("report", "big", List) :-
  seen(File, Size), 100 < Size |> do fn:group_by(), let List = fn:collect({/file: File, /size: Size}).
param_bound("report", "many", 1) :- seen(A, _), seen(B, _), A != B.
END
cat >d/tools/t.yaml <<'END'
tool: report
summary: s
description: d
input_schema: {type: object, properties: {note: {type: string}}}
steps:
  - {id: all, action: AID.D.SHOW.v1, inputs: {what: {from: bound.files, default: nothing}}}
  - id: each
    action: AID.D.SHOW.v1
    foreach: {from: bound.big, optional: true}
    inputs: {what: {from: item.file}}
  - {id: many, action: AID.D.SHOW.v1, inputs: {what: {from: bound.files}}, when: {from: bound.many}}
result:
  all: {from: steps.all.output.what}
  big: {from: steps.each.output}
  many: {from: steps.many.output.what, optional: true}
END
manglecp check d >out 2>&1 && grep -q '0 errors, 0 warnings' out
verdict "a step may read what a rule binds, which is no parameter" $?

# result WHAT FACT...: what came out, as one line
result() {
    args=()
    for fact in "$@"; do args+=(--fact "$fact"); done
    manglecp invoke d report --intent go --json "${args[@]}" "${more[@]}" >out 2>log
    python3 -c 'import json; print(json.dumps(json.load(open("out"))["payload"]["result"], sort_keys=True))' 2>>log
}
more=()
a='{"pred":"seen","args":["a",1]}' b='{"pred":"seen","args":["b",200]}'
[ "$(result "$a" "$b")" = '{"all": ["a", "b"], "big": [{"what": "b"}], "many": ["a", "b"]}' ]
verdict "inputs, foreach and when come from facts" $?
[ "$(result)" = '{"all": "nothing", "big": []}' ]
verdict "without facts there is nothing" $?
more=(--arg 'files=["x"]' --arg 'big=[{"file":"x"}]' --arg many=1)
[ "$(result "$a")" = '{"all": ["a"], "big": []}' ] && [ "$(result)" = '{"all": "nothing", "big": []}' ]
verdict "a client cannot send it" $?
more=()
manglecp intent d go --fact "$a" --json >out 2>log
! grep -q files out
verdict "and is not told of it" $?

manglecp intent d go --fact "$a" --json >one 2>log && manglecp intent d go --fact "$b" --json >two 2>>log
ids=$(grep -ho '"macro_id":"[^"]*"' one two | sort -u | wc -l)
[ "$ids" = 2 ]
verdict "with other facts it is another tool" $?

sed -i 's/bound.many/bound.mny/' d/tools/t.yaml
manglecp check d >out 2>&1
grep -q 'tools/t.yaml:11:89: warning: "bound.mny": no rule binds it for report \[NEVER_BOUND\]' out &&
    grep -q 'hint: Did you mean many?' out
verdict "a name that no rule binds" $?
sed -i 's/bound.mny/facts.seen/' d/tools/t.yaml
manglecp check d >out 2>&1
grep -q '"facts.seen": not something that can be read \[BAD_REFERENCE\]' out &&
    grep -q 'hint: A rule says what of the facts is meant: param_bound(Tool, "p", Value). Then write bound.p.' out
verdict "whoever writes facts is told what to write" $?
echo "1..$count"
