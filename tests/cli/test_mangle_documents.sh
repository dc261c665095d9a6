# Documents as facts: --facts PRED=FILE.json.
set -u
mangle=$BUILD_DIR/bin/mangle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
count=0

# is NAME GOT WANTED: one test.
is() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        printf 'expected:\n%s\ngot:\n%s\n' "$3" "$2" | sed 's/^/#   /'
    fi
}

# run ARGUMENT...: what it prints, what it says, and its status, as one text.
run() {
    "$mangle" run "$@" 2>&1
    echo "status $?"
}

# M-IO-67
echo '{"id": 7, "ok": true, "tags": ["x"]}' >doc.json
cat >tag.mg <<'END'
tag(T) :- doc(D), :match_field(D, /tags, Ts), :list:member(T, Ts).
END
is "a JSON document is one fact" "$(run tag.mg --facts doc.json)" 'tag("x").
status 0'
is "its predicate can be named" "$(run tag.mg --facts doc=doc.json --facts other=doc.json --query other)" \
    'other({/ok : /true, /id : 7.0, /tags : ["x"]}).
status 0'
is "several documents are several facts" "$(echo '{"tags": ["y"]}' >y.json
    run tag.mg --facts doc.json --facts doc=y.json)" 'tag("x").
tag("y").
status 0'
printf '{"a": [\n  null]}' >bad.json
is "what is wrong is shown with its place" "$(run tag.mg --facts doc=bad.json)" \
    'bad.json:2:3: error: /a/0: null has no value in Mangle
status 1'
echo '[1]' >list.json
is "the document is an object" "$(run tag.mg --facts doc=list.json)" \
    'list.json:1:1: error: the document must be an object
status 1'
is "a name that is none must be given" "$(cp doc.json 1.json; run tag.mg --facts 1.json)" \
    "error: cannot read facts from 1.json: the file's name is no predicate
  hint: Write --facts PREDICATE=FILE.
status 2"
echo "1..$count"
