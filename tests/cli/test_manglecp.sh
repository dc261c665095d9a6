# The manglecp program in the hands of a stranger: what it prints, what it refuses, its exit statuses.
. tests/support/scratch.sh manglecp
manglecp=$BUILD_DIR/bin/manglecp
browser=$root/domains/browser
unset MANGLECP_TOKEN NO_COLOR

result() { # OK NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
    fi
}

# run NAME STATUS STDOUT-PART STDERR-PART ARGUMENT...: one test. A part is a fixed string that the stream
# holds; empty: it is empty (but for what a plugin host says to root).
run() {
    local name=$1 status=$2 out_part=$3 err_part=$4 rc wrong=0
    shift 4
    timeout 60 "$manglecp" "$@" >out 2>err.all </dev/null
    rc=$?
    grep -v 'running as user id 0' err.all >err
    [ "$rc" = "$status" ] || wrong=1
    if [ -n "$out_part" ]; then grep -qF -- "$out_part" out || wrong=1; elif [ -s out ]; then wrong=1; fi
    if [ -n "$err_part" ]; then grep -qF -- "$err_part" err || wrong=1; elif [ -s err ]; then wrong=1; fi
    result $wrong "$name"
    if [ $wrong != 0 ]; then
        echo "# manglecp $* -> status $rc, expected $status; stdout and stderr:"
        sed 's/^/#   /' out
        sed 's/^/#   ! /' err
    fi
}

# ---- what there is, and how to ask
run "without a command it says what there is, and fails" 2 '' 'serve' 
run "asked for help it says so on standard output" 0 'manglecp COMMAND --help says more. What is called docs/' '' --help
run "the version is told" 0 'manglecp 0.1.0' '' --version
for command in serve manifest intent invoke walk check test token confirm; do
    run "$command explains itself" 0 "Usage: manglecp $command" '' $command --help
    run "$command refuses options it does not know" 2 '' "manglecp $command has no option --nonsense" \
        $command --nonsense
done
run "an unknown command is said to be one" 2 '' 'manglecp has no command "serv"' serv
run "an option that is cut short is known" 2 '' 'Did you mean --certificate?' manifest "$browser" --cert x
run "a missing value is said to be missing" 2 '' '--clock needs a value: TIME' manifest "$browser" --clock
run "a flag takes no value" 2 '' '--json takes no value' manifest "$browser" --json=1

# ---- targets
run "a target is needed" 2 '' 'a TARGET is needed' manifest
run "a folder that is not there is no domain" 1 '' './nowhere is not a domain folder' manifest ./nowhere
run "a server that is not there is said not to be" 2 '' 'connect' manifest http://127.0.0.1:1
run "a program that is not there is said not to be" 2 '' 'could not start ./nothing' manifest -- ./nothing
run "a program that is no server is said to be none" 2 '' 'ended without an answer' manifest -- /bin/true

# ---- intents
run "the manifest is a card" 0 'Find out why a page shows an error' '' manifest "$browser"
run "an intent needs a name" 2 '' 'intent needs one NAME' intent "$browser"
run "an intent nobody lists is said to be one" 1 '' 'lists no intent "obsrve"; it has observe,' \
    intent "$browser" obsrve
run "what an intent took is told by its stages" 0 '1 tool' 'rules ' intent "$browser" observe --profile
run "and by its rules" 0 '1 tool' '<standard>/pipeline/' intent "$browser" observe --profile
run "that is for folders alone" 2 '' 'connect' intent http://127.0.0.1:1 observe --profile
count=$((count + 1))
if "$manglecp" intent "$browser" observe --profile --json 2>&1 >/dev/null | grep -v 'running as user id 0' | python3 -c '
import json, sys
told = json.load(sys.stdin)
assert list(told["stages_ns"]) == ["decode", "rules", "select", "window", "proof", "encode", "store"]
assert sum(rule["derived"] for rule in told["rules"]) > 5
assert sum(rule["ns"] for rule in told["rules"]) <= told["stages_ns"]["rules"]'; then
    echo "ok $count - in JSON beside the answer"
else
    echo "not ok $count - in JSON beside the answer"
fi
run "missing facts are named, and where they come from" 1 '' 'current_url, and there are none; current_url: The page that is looked at: observe_page, diagnose_page and find_elements bring it.' intent "$browser" automate
run "with how they are given" 1 '' "hint: Give each with --fact '{\"pred\":" intent "$browser" automate
run "a folder that there is not is told alone" 1 'cannot open "/nope"' '' check "$browser" --set capture=/nope
if grep -q UNDO_NOTHING out; then result 1 "without what follows from it"; else result 0 "without what follows from it"; fi
run "a fact of the wrong type is explained" 1 '' 'argument 0 must be a string, not a number' \
    intent "$browser" observe --fact '{"pred":"current_url","args":[1]}'
run "what is no fact is refused with an example" 2 '' 'Write it like' intent "$browser" observe --fact 7
run "a parameter is NAME=VALUE" 2 '' '"focus" must be written as NAME=VALUE' \
    intent "$browser" observe --param focus
run "a parameter is UTF-8" 2 '' '"focus=a\xff" is no UTF-8: byte 8' \
    intent "$browser" observe --param $'focus=a\xff'
run "a value of an action is UTF-8" 1 '' '"text=\xc3(" is no UTF-8: byte 6' \
    action "$browser" AID.BROWSER.CLICK.v1 --yes --arg $'text=\xc3('
run "facts that are not there" 2 '' 'none.json: No such file' intent "$browser" observe --facts none.json
printf '{"pred":"current_url","args":["/"]}\n\nnonsense\n' >facts.jsonl
run "a line that is no fact is named" 2 '' 'facts.jsonl:3:1: expected a value' \
    intent "$browser" observe --facts facts.jsonl
run "a time is RFC 3339" 2 '' 'Write it like 2026-02-19T14:30:00Z' \
    intent "$browser" observe --eval-time yesterday
run "a number is whole" 2 '' '--max-tools needs a whole number, not "few"' \
    intent "$browser" observe --max-tools few
run "and not negative" 1 '' 'max_tools_returned: must be 0 or more, and is -1' \
    intent "$browser" observe --max-tools -1
run "a level of disclosure is one that exists" 2 '' 'adaptive, full, condensed or minimal' \
    intent "$browser" observe --disclosure loud
run "a setting is one that exists" 1 '' 'there is no setting "captur"' \
    intent "$browser" observe --set captur=x

# ---- invocations
run "a tool of a folder needs its intent" 2 '' 'Add --intent NAME' invoke "$browser" observe_page
run "a tool that is not offered is not run" 1 '' 'does not offer "storage_report" on these facts; it offers observe_page' \
    invoke "$browser" storage_report --intent observe
run "every wrong argument is named" 1 '' '/args/zoom: is not a member that is allowed here' \
    invoke "$browser" observe_page --intent observe --arg focus=loud --arg zoom=1
run "and how one is said" 1 '' 'An argument is --arg NAME=VALUE; manglecp intent shows' \
    invoke "$browser" observe_page --intent observe --arg zoom=1
run "a folder that is no capture fails the tool" 1 '' 'execution_failed' \
    invoke "$browser" observe_page --intent observe --set capture="$browser/rules"
run "one that is not there cannot be granted" 1 '' 'nowhere", which is to be readable' \
    invoke "$browser" observe_page --intent observe --set capture=nowhere
run "and which setting said so is told" 1 '' 'That is the setting capture: --set capture=PATH' \
    invoke "$browser" observe_page --intent observe --set capture=nowhere
run "a failure is told once" 1 '' 'reason  tool_error' \
    invoke "$browser" observe_page --intent observe --set capture="$browser/rules"
! grep -q '"reason"' err
result $? "and not as JSON"
run "consent is not given by a pipe" 1 '' 'say --yes' \
    invoke "$browser" click_element --intent automate --param action=click --arg ref=e8 \
    --fact '{"pred":"current_url","args":["http://localhost:8080/"]}'

# ---- output for programs
one_message() { python3 -c 'import json,sys; m = json.loads(sys.stdin.read()); sys.exit(m["type"] != sys.argv[1])' "$1"; }
"$manglecp" intent "$browser" observe --json 2>/dev/null | one_message intent_response
result $? "with --json the envelope is printed and nothing else"
"$manglecp" invoke "$browser" observe_page --intent observe --set capture="$browser/rules" --json 2>/dev/null |
    one_message error
result $? "also if it is an error"
"$manglecp" intent "$browser" observe --json 2>err >/dev/null
[ ! -s err ]
result $? "and nothing is said on standard error"
! "$manglecp" intent "$browser" observe --why 2>&1 | grep -q "$(printf '\033')"
result $? "into a pipe goes no colour"
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "$manglecp manifest $browser" /dev/null </dev/null | grep -q "$(printf '\033')"
    result $? "on a terminal there is colour"
    ! NO_COLOR=1 script -qec "$manglecp manifest $browser" /dev/null </dev/null |
        grep -q "$(printf '\033')"
    result $? "unless NO_COLOR is set"
else
    count=$((count + 2))
    echo "ok $((count - 1)) - on a terminal there is colour # SKIP there is no script(1)"
    echo "ok $count - unless NO_COLOR is set # SKIP there is no script(1)"
fi
"$manglecp" manifest "$browser" 2>/dev/null | head -1 >/dev/null
[ "${PIPESTATUS[0]}" = 0 ] || [ "${PIPESTATUS[0]}" = 141 ]
result $? "a reader that leaves early ends it quietly"

# ---- the walk, and the commands that it prints
run "a walk needs an intent" 2 '' 'walk needs --intent NAME' walk "$browser"
run "the number of its steps is bounded" 2 '' '--steps is from 1 to 16' walk "$browser" --intent observe --steps 17
run "a word too many is no part of a walk" 2 '' '"junk" stands where nothing' walk "$browser" junk --intent observe
run "nor of a manifest" 2 '' '"junk" stands where nothing' manifest "$browser" junk
run "an address without its scheme is recognised" 2 '' 'Did you mean http://localhost:8765' \
    intent localhost:8765 observe
run "top says what is missing" 2 '' 'top needs one TARGET' top
run "a walk ends where there is no tool" 0 'the walk ends here' 'No rule speaks for a tool' \
    walk "$browser" --intent observe --max-tools 0
run "and fails where there is no such intent" 1 'it understands' 'lists no intent "nothing"' \
    walk "$browser" --intent nothing
"$manglecp" walk "$browser" --intent observe --clock 2026-11-21T22:49:00Z --save saved >walk 2>/dev/null
sed -n '/── by hand/,$p' walk | tail -n +2 >commands
[ "$(wc -l <commands)" = 5 ]
result $? "a walk of two steps prints five commands"
while IFS= read -r line; do
    bash -c "$line" >out 2>err </dev/null
    result $? "this one works: $(echo "${line##*/bin/}" | cut -d' ' -f1-2,4)"
done <commands
grep -q 'GET /api/users answered 404' out
result $? "and the last one finds the cause"
"$manglecp" walk "$browser" --intent diagnose_error --steps 1 --clock 2026-11-21T22:49:00Z >walk 2>/dev/null
grep -q '^ *text  GET /api/users answered 404' walk && ! sed '/── by hand/,$d' walk | grep -q '[{[]"[^"]*…'
result $? "what holds rows itself is shown in blocks, not as a table of cut JSON"

# ---- servers
run "serve needs to know where" 2 '' 'Give --stdio, or --listen HOST:PORT' serve "$browser"
run "an address has a port" 2 '' 'here: an address is HOST:PORT' serve "$browser" --listen here
run "a listener needs credentials" 2 '' 'Set MANGLECP_TOKEN' serve "$browser" --listen 127.0.0.1:0
run "or TLS before it" 2 '' '--behind-tls-proxy' serve "$browser" --open-demo --listen 0.0.0.0:0
run "a level of the log is one that exists" 2 '' 'not "loud"' serve "$browser" --stdio --log loud
run "and no scheme" 2 '' 'HOST:PORT alone, without http://' serve "$browser" --listen http://127.0.0.1:8765
run "a domain is a folder and no file" 1 '' 'Give the folder that holds domain.yaml' \
    serve "$browser/domain.yaml" --stdio
[ "$(grep -c error: err)" = 2 ] # this, and that it does not load
result $? "which is said once"
run "a token is read from standard input" 2 '' 'make one with --new' token
run "a new token is shown once" 0 'ann' 'token: ' token --new --identity ann
[ "$(wc -l <out)" = 1 ]
result $? "and its line is one line"
run "a confirmation key is shown once" 0 'ann' 'confirmation key: ' token --new --identity ann --confirm-key
key=$(sed -n 's/^confirmation key: //p' err)
[ "${#key}" = 43 ] && [ "$(sed 's/.* //' out)" = "confirm_key=$key" ] && [ "$(wc -l <out)" = 1 ]
result $? "and is the end of the line"
echo 'a token of mine' | "$manglecp" token --confirm-key >out 2>err
[ $? = 2 ] && [ ! -s out ] && ! grep -q 'confirmation key' err
result $? "none is shown that no line holds"
run "a name without --identity is none" 2 '' 'behind --identity' token --new ann
run "an identity is one word" 2 '' 'an identity is one word' token --new --identity 'ann b'
run "permissions are one word" 2 '' 'separated by commas' token --new --permissions 'intent:a, intent:b'
for bad in '' 'two words' "$(printf 'x%.0s' {1..2000})"; do
    echo "$bad" | "$manglecp" token >out 2>err
    [ $? = 2 ] && [ ! -s out ] && grep -q 'a token is one word' err
    result $? "nothing is printed for a token that no client can send (${#bad} bytes)"
done
long=$(printf 'x%.0s' {1..1000})
[ "$(echo "$long" | "$manglecp" token)" = "sha256:$(printf %s "$long" | sha256sum | cut -d' ' -f1) operator intent:*" ]
result $? "a long token counts whole"
sleep 60 &
run "a process that the signal would end is not told to load again" 2 '' "process $! is no server" reload --pid $!
kill -0 $!
result $? "and goes on"
kill $!
bash -c 'trap "echo got it >hup" HUP; while :; do sleep 0.1; done' serve &
sleep 0.3
run "nor is one that would take it for something else" 2 '' "process $! is no server" reload --pid $!
sleep 0.3
[ ! -e hup ] && kill $!
result $? "which does not hear of it"
run "what is for an address has no place beside a process" 2 '' 'has no place beside it' reload --pid 1 --token t
run "options that say nothing to a folder are refused together" 2 '' '--ca says nothing to a domain folder' \
    manifest "$browser" --ca /nonexistent --token t --insecure
grep -q -- '--token says' err && grep -q -- '--insecure says' err
result $? "all of them"
run "and those that say nothing to an address" 2 '' '--set says nothing to a server at an address' \
    manifest http://127.0.0.1:1 --set a=1
run "two times are one too many" 2 '' 'two times; choose one' \
    intent "$browser" x --eval-time 2026-01-01T00:00:00Z --server-time
run "a folder remembers no key" 2 '' 'remembers no key' invoke "$browser" x --resume k
for lost in '>&-' '>/dev/full'; do
    for words in '--help' 'check domains/browser' 'token --new' 'token --signing-key' 'manifest domains/browser' \
        'explain-error malformed_message'; do
        (cd "$root" && eval "'$manglecp' $words $lost") 2>err.lost </dev/null
        [ $? = 2 ] && grep -q 'cannot write the output' err.lost
        result $? "output that is lost is no success: $words $lost"
    done
done
python3 - "$manglecp" "$browser" >out 2>err.lost <<'END'
import os, subprocess, sys
read, write = os.pipe()
os.close(read)
done = subprocess.run([sys.argv[1], "manifest", sys.argv[2], "--log", "error"], stdout=write, stderr=subprocess.PIPE)
sys.exit(f"{done.returncode} {done.stderr}" if done.returncode != 2 or done.stderr else 0)
END
result $? "whoever reads no further is told nothing"
for lost in '2>&-' '2>/dev/full'; do
    for words in '--new' '--new --confirm-key'; do
        eval "'$manglecp' token $words $lost" >out </dev/null
        [ $? = 2 ] && [ ! -s out ]
        result $? "there is no line for a secret that is lost: $words $lost"
    done
done
run "a token stands alone" 2 '' 'without Bearer' manifest http://127.0.0.1:1 --token 'Bearer x'
run "an address holds no token" 2 '' '--token' manifest http://x@127.0.0.1:1

# ---- a domain with many mistakes
mkdir -p bad/rules/domain bad/tools bad/skills/Loud
cat >bad/domain.yaml <<'END'
server: {name: bad, version: 1.0.0}
domain: {id: bad, description: Full of mistakes}
intents:
  - {name: ask, description: Ask}
  - {name: ask, description: Ask again}
colour: blue
actions: {plugins: [nowhere], timeout: soon}
disclosure: {full: 40, condensed: 70}
END
cat >bad/rules/domain/a.mg <<'END'
tool_relevant_to_intent("tool_a", "ask", Score) :- intent_type(_, "ask").
other(X) :- nobody_knows(X).
broken(X :- tool(X).
END
cat >bad/tools/a.yaml <<'END'
tool: tool_a
summary: One
description: Two
input_schema: {type: objekt}
steps:
  - {id: one, action: AID.NO.SUCH.v1, inputs: {x: {from: steps.two.output}}}
END
echo 'no front matter' >bad/skills/Loud/SKILL.md
run "a domain with mistakes is refused" 1 '11 errors, 0 warnings' '' check bad
for place in domain.yaml:5: domain.yaml:6:1: domain.yaml:7:21: domain.yaml:7:40: domain.yaml:8: \
    rules/domain/a.mg:1:42: rules/domain/a.mg:2:13: rules/domain/a.mg:3:7: tools/a.yaml:4:15: \
    tools/a.yaml:6:58: skills/Loud/SKILL.md; do
    grep -q "^$place.*error: " out
    result $? "and the mistake at $place is among them"
done
run "the same for programs" 1 '"file": "tools/a.yaml"' '' check bad --format json
run "it is not served either" 1 '' 'bad does not load' serve bad --stdio
run "nor tested" 1 '' 'domain.yaml:6:1: error' test bad

# ---- slips that load
mkdir -p slip/rules/domain
cat >slip/domain.yaml <<'END'
server: {name: slip, version: 1.0.0}
domain: {id: slip, description: Nearly right}
intents: [{name: find_out, description: Find out}]
END
cat >slip/rules/domain/a.mg <<'END'
serves_intent("nothing", "find_uot").
serves_intent("nothing", "unlisted").
tool_relevant_to_intnt("nothing", "find_out", 5) :- intent_type(_, "find_out").
END
run "a name that is nearly an intent's is warned about" 1 'a.mg:1:26: warning: domain.yaml lists no intent "find_uot"' \
    '' check slip
grep -q 'hint: Did you mean find_out?' out
result $? "with the one that may be meant"
grep -q 'lists no intent "unlisted"' out
result $((!$?)) "an intent that is not listed is none of that"
grep -q 'hint: Did you mean tool_relevant_to_intent?' out
result $? "so is a predicate that nobody reads"

# ---- types, and rules that fail while they run
mkdir -p types/rules/domain types/rules/schema types/tools types/tests
cat >types/domain.yaml <<'END'
server: {name: types, version: 1.0.0}
domain: {id: types, description: Wrong types}
intents: [{name: find_out, description: Find out}]
END
printf 'tool: one\nsummary: s\ndescription: d\ninput_schema: {type: object}\n' >types/tools/one.yaml
cat >types/rules/schema/a.mg <<'END'
Decl seen(Count) descr [direction("input")] bound [/number].
END
echo 'tool_relevant_to_intent("one", "find_out", "high") :- seen(_).' >types/rules/domain/a.mg
run "a score that is no number is found" 1 \
    'rules/domain/a.mg:1:44: error: argument 3 of "tool_relevant_to_intent" has to be /number, but is "high"' '' check types
cat >types/rules/domain/a.mg <<'END'
tool_relevant_to_intent("one", "find_out", S) :- seen(N), Nothing = fn:minus(N, N),
  S = fn:div(100, Nothing).
END
run "a rule that fails only while it runs passes" 0 '0 errors' '' check types
cat >types/tests/a.yaml <<'END'
scenarios:
  - {name: fails, intent: find_out, facts: [{seen: [1]}], expect: {tools: [one]}}
END
run "a scenario says which rule failed, and why" 1 'rules/domain/a.mg:1: fn:div: division by zero' '' test types
run "so does a folder that is asked" 1 '' 'rules/domain/a.mg:1: fn:div: division by zero' \
    intent types find_out --fact '{"pred":"seen","args":[1]}'

# ---- for code hosts and editors
run "findings are told as SARIF" 1 '"version": "2.1.0"' '' check ./slip --format sarif
if command -v jq >/dev/null; then
    [ "$(jq -c '.runs[0] | [.tool.driver.name, .columnKind, (.results | length)]' out)" = \
        '["manglecp check","unicodeCodePoints",4]' ]
    result $? "one run of so many results"
    [ "$(jq -c '.runs[0].results[] | select(.ruleId == "UNLISTED_INTENT") | [.level, .message.text,
        .locations[0].physicalLocation.artifactLocation.uri, .locations[0].physicalLocation.region]' out)" = \
        '["warning","domain.yaml lists no intent \"find_uot\". Did you mean find_out?","./slip/rules/domain/a.mg",{"startLine":1,"startColumn":26}]' ]
    result $? "each with rule, level, message and place"
    [ "$(jq '.runs[0] | .tool.driver.rules as $r | all(.results[]; .ruleId == $r[.ruleIndex].id)' out)" = true ]
    result $? "the index of its rule is right"
    mv slip "a slip"
    "$manglecp" check "$PWD/a slip" --format sarif --set x=1 >out
    jq -r '.runs[0].results[].locations[0] | (.physicalLocation.artifactLocation | .uri, .uriBaseId),
        .logicalLocations[0].fullyQualifiedName' out >places
    [ "$(sort -u places)" = "$(printf '%s\n' --set\ x=1 null)" ]
    result $? "what is no file has a logical place"
    "$manglecp" check "$PWD/a slip" --format sarif | jq -r '.runs[0].results[].locations[0].physicalLocation.artifactLocation |
        .uri, .uriBaseId' | sort -u >places
    [ "$(cat places)" = "$(printf 'file://%s/a%%20slip/rules/domain/a.mg\nnull' "$PWD")" ]
    result $? "an absolute folder makes addresses of files"
    mv "a slip" slip
    [ "$("$manglecp" check "$browser" --format sarif | jq '.runs[0].results == []')" = true ]
    result $? "a good folder has none"
fi
run "there is no fourth form" 2 '' 'text, json or sarif' check slip --format xml
mkdir bare && cat slip/domain.yaml >bare/domain.yaml
run "a folder without scenarios has nothing that holds" 2 '0 passed, 0 failed' 'no scenario was run' test bare
mkdir bare/tests && run "nor has an empty folder of them" 2 '0 passed, 0 failed' 'no scenario was run' test bare

# ---- scenarios
mkdir -p play/rules/domain play/rules/effects play/tools play/tests
cat >play/domain.yaml <<'END'
server: {name: play, version: 1.0.0}
domain: {id: play, description: For scenarios}
END
cat >play/rules/domain/a.mg <<'END'
play_asked(Intent) :- intent_type(_, Intent).
mandatory_for_intent("go", "step") :- play_asked("go").
mandatory_for_intent("stay", "rest") :- play_asked("stay").
END
echo 'suggest_intent("stay", "Rest.") :- invoked("step").' >play/rules/effects/a.mg
cat >play/tools/a.yaml <<'END'
- {tool: step, summary: s, description: d, input_schema: {type: object}, result: {far: 1}}
- {tool: rest, summary: s, description: d, input_schema: {type: object}}
END
cat >play/tests/a.yaml <<'END'
scenarios:
  - name: a step
    intent: go
    invoke: {tool: step, expect: {result: {far: 1}, suggests: [stay]}}
END
run "a scenario invokes a tool" 0 'pass a step' '' test play
run "coverage says which rule never fired" 0 '3 of 4 rules fired; of 2 tools 1 were shown and 1 invoked' '' \
    test play --coverage
grep -q '^   never  rules/domain/a.mg:3:  mandatory_for_intent("stay"' out
result $? "with its place"
grep -q '^       1       1  step$' out
result $? "and how often a tool was shown and invoked"
run "enough coverage is fine" 0 '3 of 4 rules fired' '' test play --coverage-min 66
run "too little is a failure" 1 '3 of 4 rules fired' '66.7 % of rules and tools were reached, less than the 67 %' test play --coverage-min 67
run "no more than all can be asked for" 2 '' 'from 0 to 100' test play --coverage-min 101
run "coverage is a comment in TAP" 0 '#    never  rules/domain/a.mg:3:' '' test play --coverage --tap
run "a name that no scenario has tests nothing" 2 '0 passed, 0 failed' 'whose name contains "zzz"' test play --only zzz
mkdir odd && cp -r play/domain.yaml play/rules play/tools odd && mkdir odd/tests && cat >odd/tests/a.yaml <<'END'
scenarios:
  - name: "a step # TODO later"
    intent: stay
    invoke: {tool: step}
  - name: "x\nok 3 - all \e[31m \\"
    intent: stay
    invoke: {tool: step}
END
run "names are data in TAP" 1 'not ok 1 - a step \# TODO later' '' test odd --tap
grep -qxF 'not ok 2 - x\\nok 3 - all \\u{1b}[31m \\' out && [ "$(grep -c '^ok\|^not ok' out)" = 2 ]
result $? "line ends, escapes and backslashes, too"
run "and on a terminal" 1 'FAIL x\nok 3 - all \u{1b}[31m' '' test odd
run "TAP or JSON" 2 '' 'choose one: --tap or --json' test play --tap --json
run "coverage for programs" 0 '"coverage"' '' test play --coverage --json
python3 - <<'END'
import json
told = json.load(open("out"))
assert (told["passed"], told["failed"]) == (1, 0), told
assert [s["name"] for s in told["scenarios"]] == ["a step"], told
rules = {(r["file"], r["line"]): r["scenarios"] for r in told["coverage"]["rules"]}
assert rules == {("rules/domain/a.mg", 1): 1, ("rules/domain/a.mg", 2): 1, ("rules/domain/a.mg", 3): 0,
                 ("rules/effects/a.mg", 1): 1}, rules
assert told["coverage"]["tools"] == [{"tool": "rest", "shown": 0, "invoked": 0},
                                     {"tool": "step", "shown": 1, "invoked": 1}], told
END
result $? "is a member of the JSON"
cat >>play/tests/a.yaml <<'END'
  - {name: 'wrong: <"&">', intent: go, invoke: {tool: step, expect: {result: {far: "<2 & \"3\">"}}}}
END
cat >play/tests/b.yaml <<'END'
scenarios:
  - {name: astray, intent: go, invoke: {tool: stpe}}
END
run "a tool that does not exist is a fault with its place" 1 'FAIL astray' 'tests/b.yaml:2:47: error: the domain has no tool "stpe"' \
    test play --junit junit.xml
grep -q 'hint: Did you mean step?' err
result $? "with the one that may be meant"
python3 - <<'END'
import xml.etree.ElementTree as tree
root = tree.parse("junit.xml").getroot()
assert root.tag == "testsuites" and dict(root.attrib) == {"tests": "4", "failures": "2", "errors": "1"}, root.attrib
suites = {s.get("name"): s for s in root}
assert list(suites) == ["tests/a.yaml", "tests/b.yaml", "tests"], suites
good, wrong = suites["tests/a.yaml"]
assert good.get("name") == "a step" and len(good) == 0 and float(good.get("time")) > 0, good.attrib
assert (good.get("classname"), good.get("line")) == ("tests/a.yaml", "2"), good.attrib
assert wrong.get("name") == 'wrong: <"&">' and suites["tests/a.yaml"].get("failures") == "1", wrong.attrib
expected = 'step: result: expected {"far":"<2 & \\"3\\">"}, got {"far":1}'
assert wrong.find("failure").get("message") == expected, wrong.find("failure").get("message")
assert wrong.find("failure").text == f"tests/a.yaml:5: {expected}\n", wrong.find("failure").text
assert "no tool \"stpe\"" in suites["tests"].find("testcase").find("error").text
END
result $? "JUnit's XML has all of it"
run "a file that cannot be written is said to be one" 2 'FAIL' 'no/junit.xml: ' test play --junit no/junit.xml
echo "1..$count"
