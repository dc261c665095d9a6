# Commands as YAML says them: what loads, what is compiled of it, and that all that is wrong is told at once.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/plugins/command.so" ]; then
    echo "1..0 # SKIP the plugin is not built"
    exit 0
fi

# domain NAME ACTIONS: an empty one
domain() {
    mkdir -p "$1/actions" "$1/tools"
    printf 'server: {name: s, version: 1.0.0}\ndomain: {id: my.shop, description: d}\nintents: [{name: go, description: g}]\n%s\n' \
        "$2" >"$1/domain.yaml"
}
# faults DOMAIN: file:line CODE message [hint], sorted
faults() {
    manglecp check "$1" --format json 2>log >json
    python3 - <<'END'
import json
for f in sorted(json.load(open("json")), key=lambda f: (f["file"], f["line"], f["column"])):
    if f["severity"] == "error":
        print(f'{f["file"]}:{f["line"]} {f["code"]} {f["message"]}' + (f' [{f["hint"]}]' if f["hint"] else ""))
END
}
expect() {
    cat >want
    faults "$2" >out
    diff want out >log
    verdict "$1" $?
}

domain bad 'actions: {commands: actions/*.yaml}'
cat >bad/actions/a.yaml <<'END'
- name: words
  description: d
  run: [ls, "{a b}", "a}", "{", "{{ok}}", "{settings.none}", [x], {if: a, then: b}, {each: "1"}]
  side_effects: none
- name: Loud
  run: [no-such-program-here]
  stdout: text
- name: declared
  description: d
  run: [ls, "{fiel}", {each: xs, as: "-x{y}"}]
  input: {file: {type: string}, xs: {type: array}, unused: {type: intger}, "a b": {}}
  side_effects: [none, destructive]
- name: results
  description: d
  run: ["/bin/{x}"]
  output: {regex: "(a", all: maybe}
  exit: {256: x, 1: {ok: true, error: e}, 2: {status: bad}, 3: {output: {}}}
  side_effects: []
- name: more
  description: d
  run: [ls]
  output: liens
  stdin: {texts: x}
  timeout: soon
  max_output: 99999999
  progress: stdout
  idempotent: 3
  env: {"1": x}
  may: [fly]
  read: data
  folder: [x]
  side_effects: ""
- name: types
  description: d
  run: [ls, "{xs}", "{o}", {each: t}, {each: ys}]
  input: {xs: {type: array}, o: {type: object}, t: {type: string}, ys: {type: array}}
  side_effects: none
- name: regex
  description: d
  run: [./none]
  output: {regex: "a(b)"}
  side_effects: none
- text
END
expect "everything that is wrong is told, with its place" bad <<'END'
actions/a.yaml:3 BAD_TEMPLATE "{a b}", at character 1: braces hold the name of an argument, {name}; a brace itself is written {{
actions/a.yaml:3 BAD_TEMPLATE "a}", at character 2: a } that closes nothing is written }}
actions/a.yaml:3 BAD_TEMPLATE "{", at character 1: braces hold the name of an argument, {name}; a brace itself is written {{
actions/a.yaml:3 UNKNOWN_SETTING there is no setting "none" [Add it to settings in domain.yaml.]
actions/a.yaml:3 BAD_VALUE a word must be text, not a list
actions/a.yaml:3 BAD_VALUE "then" must be a list of words [Write it as {if: path, then: ["--", "{path}"]}.]
actions/a.yaml:3 BAD_VALUE "each" must be the name of an argument
actions/a.yaml:5 MISSING_KEY "description" is missing
actions/a.yaml:5 MISSING_KEY "side_effects" is missing [side_effects: none, if it only reads; else filesystem_write, network_io, destructive, …: it decides who is asked before it runs.]
actions/a.yaml:5 BAD_NAME a command is named [a-z_][a-z0-9_.]*, at most 64 characters
actions/a.yaml:6 NO_PROGRAM there is no program no-such-program-here in PATH [Install it, write its whole path, or ./NAME for one in the domain's folder.]
actions/a.yaml:7 UNKNOWN_KEY unknown key "stdout" in a command [Did you mean stdin?]
actions/a.yaml:10 UNKNOWN_ARGUMENT "input" has no argument "fiel" [Did you mean file?]
actions/a.yaml:10 UNKNOWN_ARGUMENT "input" has no argument "y" [Describe it in input, or leave input out: then each is a text.]
actions/a.yaml:11 UNUSED_ARGUMENT the argument "file" reaches nothing [Put {name} where it belongs, or take it out.]
actions/a.yaml:11 SCHEMA input/properties/unused: type is null, boolean, integer, number, string, array or object, or a list
actions/a.yaml:11 UNUSED_ARGUMENT the argument "unused" reaches nothing [Put {name} where it belongs, or take it out.]
actions/a.yaml:11 BAD_NAME an argument is named [A-Za-z_][A-Za-z0-9_-]*, at most 64 characters
actions/a.yaml:12 BAD_VALUE "none" stands beside another side effect
actions/a.yaml:15 BAD_TEMPLATE the program is named here, and no argument chooses it
actions/a.yaml:16 BAD_REGEX at character 3: missing closing parenthesis
actions/a.yaml:16 BAD_VALUE all must be true or false
actions/a.yaml:17 BAD_VALUE "256" is no exit code: 0 to 255, a range such as 2-5, or other
actions/a.yaml:17 BAD_VALUE what is ok has no error and no status
actions/a.yaml:17 BAD_VALUE status is error, invalid_pick or breaker
actions/a.yaml:17 BAD_VALUE output is a map that is told in place of what was printed, with ok: true
actions/a.yaml:18 BAD_VALUE "side_effects" is empty: say none
actions/a.yaml:22 BAD_VALUE output is text, lines, json, jsonl, csv, none or {regex: ...} [Did you mean lines?]
actions/a.yaml:23 BAD_VALUE "stdin" does not say what is written [It is text, json, {text: "{body}\n"} or {json: [a, b]}.]
actions/a.yaml:23 UNKNOWN_KEY unknown key "texts" in stdin [Did you mean text?]
actions/a.yaml:24 BAD_VALUE timeout must be a duration such as 30s
actions/a.yaml:25 BAD_VALUE max_output must be a number of bytes, 1 to 16777216
actions/a.yaml:26 BAD_VALUE progress is read from: stderr
actions/a.yaml:27 BAD_VALUE idempotent must be true or false
actions/a.yaml:28 BAD_VALUE "env" maps names of variables to texts
actions/a.yaml:29 BAD_VALUE there is no capability "fly" [They are file_read, file_write, shell, network and gpu.]
actions/a.yaml:30 BAD_VALUE "read" must be a list, not text
actions/a.yaml:31 BAD_VALUE a word must be text, not a list
actions/a.yaml:32 BAD_VALUE "side_effects" must be a text or a list of texts
actions/a.yaml:35 BAD_TEMPLATE "xs" is no single value [Write {each: NAME}, or {each: NAME, as: "--x={NAME}"}.]
actions/a.yaml:35 BAD_TEMPLATE "o" is no single value [An object goes to standard input, stdin: json.]
actions/a.yaml:35 BAD_TEMPLATE "t" is no list: its type is string
actions/a.yaml:40 NO_PROGRAM ./none is no program that can be run
actions/a.yaml:41 BAD_REGEX it has no named group, so nothing of the output would be told [(?<name>...) makes a member "name".]
actions/a.yaml:43 BAD_VALUE a command must be a map, not text
END

# ---- what is compiled ------------------------------------------------------------------------------------
domain good 'settings: {place: {type: string, default: /usr}}
actions: {commands: [actions/*.yaml, one.yml]}'
cat >good/actions/a.yaml <<'END'
- name: look
  description: Looks.
  run: [ls, "-{{x}}", {if: all, then: [-a]}, --, "{settings.place}/{sub}", {each: more}]
  side_effects: filesystem_read
- aid: AID.OTHER.NAME.v2
  name: second
  description: Second.
  run: [./bin/x]
  side_effects: [network_io]
END
cat >good/one.yml <<'END'
{name: third, description: Third., run: [/bin/true], side_effects: none}
END
cat >good/tools/t.yaml <<'END'
tool: own
summary: A tool that is its own command.
run: [head, -n, "{count}", --, "{file}"]
input: {file: {type: string}, count: {type: integer, default: 3}}
output: lines
side_effects: none
may: [file_read]
END
mkdir good/bin && printf '#!/bin/sh\necho "$PWD"\n' >good/bin/x && chmod +x good/bin/x
mkdir good/rules && printf 'tool_relevant_to_intent("own", "go", 90).\n' >good/rules/r.mg
mkdir -p good/rules/domain && mv good/rules/r.mg good/rules/domain
manglecp actions good --json 2>log >json
python3 - <<'END' >out
import json
for a in json.load(open("json")):
    print(a["aid"], a["kind"], f'{a["file"]}:{a["line"]}', a["runs"].rsplit("/", 2)[-1], a["tier"], a["side_effects"], a["tools"])
    print(" ", json.dumps(a["input_schema"]))
END
cat >want <<'END'
AID.MY.SHOP.LOOK.v1 commands actions/a.yaml:1 ls 0 ['filesystem', 'x-filesystem-read'] []
  {"type": "object", "additionalProperties": false, "properties": {"all": {"type": "boolean"}, "sub": {"type": "string"}, "more": {"type": "array", "items": {"type": "string"}}}, "required": ["sub"]}
AID.MY.SHOP.OWN.v1 commands tools/t.yaml:1 head 0 ['none'] ['own']
  {"type": "object", "additionalProperties": false, "properties": {"file": {"type": "string"}, "count": {"type": "integer", "default": 3}}, "required": ["file"]}
AID.MY.SHOP.THIRD.v1 commands one.yml:1 true 0 ['none'] []
  {"type": "object", "additionalProperties": false, "properties": {}}
AID.OTHER.NAME.v2 commands actions/a.yaml:5 x 2 ['network'] []
  {"type": "object", "additionalProperties": false, "properties": {}}
END
diff want out >log
verdict "schemas follow from what is used; names, places and tiers are told" $?
manglecp actions good >out 2>&1 && grep -q '^    tools     own' out && grep -q '^4 actions' out
verdict "and for people" $?
printf '1\n2\n3\n4\n' >lines
[ "$(manglecp invoke good own --intent go --arg "file=$PWD/lines" --json 2>log | tee out | grep -c '"result":{"lines":\["1","2","3"\]}')" = 1 ]
verdict "a tool that is its own command runs, with its default" $?

# ---- manglecp action ---------------------------------------------------------------------------------------
[ "$(manglecp action good AID.MY.SHOP.OWN.v1 --arg "file=$PWD/lines" --arg count=1 --json 2>log | tee out | grep -c '^{"ok":true,"aid":"AID.MY.SHOP.OWN.v1","output":{"lines":\["1"\]},')" = 1 ]
verdict "one action alone, its arguments typed by its schema" $?
manglecp action good AID.MY.SHOP.OWN.v1 --arg count=x >out 2>&1
[ $? = 1 ] && grep -q 'arguments/count' out && grep -q '"file" is missing' out
verdict "arguments that do not fit are all told" $?
manglecp action good AID.OTHER.NAME.v2 >out 2>&1 </dev/null
[ $? = 1 ] && grep -q 'hint: Nobody is there to be asked: say --yes' out
verdict "what changes something is not run unasked" $?
[ "$(manglecp action good AID.OTHER.NAME.v2 --yes --json 2>log | tee out | grep -c "\"text\":\"$PWD/good\"")" = 1 ]
verdict "with --yes it is, in the domain's folder" $?
manglecp action good AID.MY.SHOP.OWM.v1 >out 2>&1
[ $? = 1 ] && grep -q 'hint: Did you mean AID.MY.SHOP.OWN.v1?' out
verdict "another action is none" $?
manglecp action good AID.MY.SHOP.OWN.v1 --arg file=/nonexistent --json >out 2>log
[ $? = 1 ] && grep -q '"ok":false,.*"code":"tool_error","error":"head ended with exit code 1: ' out
verdict "a failure is told, and the exit status says so" $?

# ---- programs ----------------------------------------------------------------------------------------------
chmod o+w good/bin/x
faults good >out; grep -q '^actions/a.yaml:8 UNSAFE_PROGRAM ./bin/x is not started: the file ' out
verdict "a program that everybody can write is refused" $?
chmod o-w good/bin/x; chmod o+w good/bin
faults good >out; grep -q '^actions/a.yaml:8 UNSAFE_PROGRAM ./bin/x is not started: the folder ' out
verdict "and one whose folder everybody can write" $?
chmod o-w good/bin; ln -sf /bin/true good/bin/out; sed -i 's,./bin/x,./bin/out,' good/actions/a.yaml
faults good >out; grep -q '^actions/a.yaml:8 NO_PROGRAM ./bin/out leads out of the domain' out
verdict "a link leads no program out of the folder" $?
sed -i 's,./bin/out,bin/x,' good/actions/a.yaml
faults good >out; grep -q '^actions/a.yaml:8 NO_PROGRAM .*Write ./bin/x' out
verdict "a program of the folder begins with ./" $?

# ---- tools and files that are wrong ---------------------------------------------------------------------------
domain odd 'actions: {commands: [none/*.yaml, "../x.yaml", "*/a.yaml", gone.yaml]}'
cat >odd/tools/t.yaml <<'END'
tool: own
summary: S.
run: [ls, "{x"]
steps: []
timeout: soon
sumary: s
END
expect "a tool that is its own command has its mistakes told once" odd <<'END'
domain.yaml:4 NO_FILE no file is called none/*.yaml [Files end in .yaml or .yml.]
domain.yaml:4 BAD_VALUE commands are files of the domain's folder
domain.yaml:4 BAD_VALUE * stands in the name of a file, in a folder that is named [Write it as actions/*.yaml.]
domain.yaml:4 NO_FILE there is no file gone.yaml
tools/t.yaml:1 MISSING_KEY "side_effects" is missing [side_effects: none, if it only reads; else filesystem_write, network_io, destructive, …: it decides who is asked before it runs.]
tools/t.yaml:3 BAD_TEMPLATE "{x", at character 1: braces hold the name of an argument, {name}; a brace itself is written {{
tools/t.yaml:4 BAD_VALUE a tool with "run" has no "steps" [Write the command into a file of its own (actions: {commands: …}), and a tool with steps.]
tools/t.yaml:5 BAD_VALUE timeout must be a duration such as 30s
tools/t.yaml:6 UNKNOWN_KEY unknown key "sumary" in a tool [Did you mean summary?]
END
echo "1..$count"
