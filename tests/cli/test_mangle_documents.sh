# Documents as facts: --facts PRED=FILE.json and .pb.
make=$PWD/tests/cli/protobuf_make.py
. tests/support/mangle_cli.sh

run() {
    says run "$@"
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

# M-IO-68: messages written by hand in protobuf_make.py
echo 'p(1).' >none.mg
python3 -B "$make" set >set.pb
# message NAME [TYPE]: the struct of that message, or what is said, without the status
message() {
    python3 -B "$make" message "$1" >doc.pb
    "$mangle" run none.mg --facts doc.pb --proto "set.pb:${2-pkg.Thing}" --query doc 2>&1
}
is "every kind of field" "$(message all)" 'doc({/colour : /Colour/RED, /name : "\u{0000e9}", /many : [1, 300, -1, 4], /big : 4611686018427387904, /zag : -9223372036854775808, /zig : -5, /raw : "\x01b", /ok : /true, /id : -7, /colours : [/Colour/NONE, /Colour/BLUE], /words : ["x", ""], /f : -0.5, /d : 2.5, /inner : {/b : "in", /a : 3}}).'
is "maps, and what the wire leaves out of them" "$(message maps)" \
    'doc({/by_number : [5 : {/a : 6}, 0 : {}], /counts : ["a" : 9, "b" : 0]}).'
is "nothing is populated" "$(message empty)" 'doc({}).'
is "zeros are populated only where presence is kept" "$(message zeros)" \
    'doc({/maybe : 0, /left : 0, /words : [""], /inner : {}}).'
is "the last one counts, of a oneof, too" "$(message last)" 'doc({/id : 2, /right : "r"}).'
is "pieces of a message merge" "$(message merge)" 'doc({/inner : {/l : [1, 2], /b : "x", /a : 2}}).'
is "unknown fields and groups are passed over" "$(message unknown)" 'doc({/id : 8}).'
is "messages nest, and repeat" "$(message nested)" 'doc({/self : {/self : {/id : 3}}, /inners : [{/a : 1}, {}]}).'
is "proto2 keeps zeros" "$(message old Old)" 'doc({/need : 0, /zero : 0}).'
refused() { # NAME MESSAGE WANTED [TYPE]
    is "$1" "$(message "$2" "${4-pkg.Thing}")" "doc.pb: byte $3"
}
refused "unsigned numbers are refused" uint '5: error: self.u: a field of type uint32 has no value in Mangle'
refused "fixed ones, too" fixed '0: error: fx: a field of type fixed64 has no value in Mangle'
refused "signed fixed ones, too" sfixed '0: error: sf: a field of type sfixed32 has no value in Mangle'
refused "an enum has its values" enum '0: error: colour: its enum has no value 77'
refused "strings are UTF-8" utf8 '4: error: name: the string is not UTF-8'
refused "a cut message" cut '2: error: a length goes beyond the end of the data'
refused "a cut number" cutnumber '1: error: the data ends within a number'
refused "a cut packed number" packedcut '3: error: many[0]: the data ends within a number'
refused "a number too long" over '1: error: a number has more than 64 bits'
refused "another message type" wire "0: error: id: the wire type is 2, but the field's is 0: another message type?"
refused "field 0" fieldzero '0: error: there is no field of that number'
refused "wire type 7" wire7 '0: error: there is no such wire type'
refused "the end of no group" endgroup '0: error: a group ends that was not begun'
refused "a group without end" opengroup '4: error: the data ends within a group'
refused "what is required" empty '0: error: need: the required field is missing' Old
refused "a type that is not there" empty '0: error: the descriptor set has no message type "pkg.Nope"' pkg.Nope
is "nesting is bounded" "$(message deep | sed 's/.*self: //')" 'messages are nested deeper than 100'
head -c 100 set.pb >cut.pb
is "a cut descriptor set" "$(python3 -B "$make" message empty >doc.pb; run none.mg --facts doc.pb --proto cut.pb:pkg.Thing)" \
    'cut.pb:pkg.Thing: byte 1: error: a length goes beyond the end of the data
status 1'
is "without --proto" "$(run none.mg --facts doc.pb)" 'error: cannot read facts from doc.pb: --proto is missing
  hint: Write --proto SET.pb:package.Message; protoc --descriptor_set_out makes SET.pb.
status 2'
is "--proto for each of several files" "$(python3 -B "$make" message last >a.pb; python3 -B "$make" message old >b.pb
    run none.mg --facts a.pb --facts b.pb --proto set.pb:pkg.Thing --proto set.pb:Old --query a --query b)" \
    'a({/id : 2, /right : "r"}).
b({/need : 0, /zero : 0}).
status 0'
if command -v protoc >/dev/null; then # what the original makes is read the same way
    cat >thing.proto <<'END'
syntax = "proto3";
package other;
enum Colour { NONE = 0; RED = 1; }
message Thing {
  message Inner { int32 a = 1; }
  sint32 zig = 3; repeated int32 many = 11; Colour colour = 13;
  map<string, int32> counts = 15; optional int32 maybe = 20; Inner inner = 10; float f = 6;
}
END
    protoc --include_imports --descriptor_set_out=other.pb thing.proto
    echo 'zig: -5 many: [1, -1] colour: RED counts {key: "a" value: 0} maybe: 0 inner {} f: 1.5' |
        protoc --encode=other.Thing thing.proto >doc.pb
    is "what protoc writes is read" "$(run none.mg --facts doc.pb --proto other.pb:other.Thing --query doc |
        grep -o '/[a-z]* : [^,}]*\(, -1\]\)\?' | sort)" '/colour : /Colour/RED
/counts : ["a" : 0]
/f : 1.5
/inner : {
/many : [1, -1]
/maybe : 0
/zig : -5'
else
    count=$((count + 1))
    echo "ok $count - what protoc writes is read # SKIP no protoc here"
fi
# M-IO-68: what a message means is its type's to say, so a compiled file is of that, too.
python3 -B "$make" message empty >doc.pb
"$mangle" compile none.mg --facts doc.pb --proto set.pb:pkg.Thing -o doc.mgc >/dev/null
is "a compiled document is compared" "$(run doc.mgc --facts doc.pb --proto set.pb:pkg.Thing --query doc)" \
    "$(run none.mg --facts doc.pb --proto set.pb:pkg.Thing --query doc)"
{ cat set.pb; printf '\372\007\001x'; } >more.pb # a field that nobody knows
is "with its descriptor set" "$(run doc.mgc --facts doc.pb --proto more.pb:pkg.Thing | head -1)" \
    'error: cannot use doc.mgc: doc.pb or its --proto has changed since'
is "and does not overwrite that" "$(says compile none.mg --facts doc.pb --proto set.pb:pkg.Thing -o set.pb | head -1)" \
    'error: -o set.pb would overwrite what it is made of'
echo "1..$count"
