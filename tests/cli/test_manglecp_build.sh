# `manglecp build` makes a snapshot, and `serve` starts from it as long as it fits, and without it otherwise.
. tests/support/scratch.sh manglecp toolhost
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
[ -f "$BUILD_DIR/plugins/text.so" ] || { echo "1..0 # SKIP the plugin text is not built"; exit 0; }

mkdir -p d/tools d/rules/schema d/rules/domain
cat >d/domain.yaml <<EOF
server: {name: words, version: 0.1.0}
domain: {id: words, description: Counts words, categories: [testing]}
intents: [{name: count, description: Count words, required_facts: [], optional_facts: [topic]}]
actions: {plugins: [text]}
EOF
cat >d/rules/schema/10.mg <<EOF
Decl topic(Topic) descr [direction("input"), doc("What it is about.")] bound [/string].
EOF
cat >d/rules/domain/10.mg <<EOF
tool_relevant_to_intent("count_words", "count", 60) :- topic(_).
EOF
cat >d/tools/words.yaml <<EOF
tool: count_words
summary: Count the words of a text.
description: Counts.
input_schema: {type: object, properties: {text: {type: string}}}
steps: [{id: count, action: AID.TEXT.WORD_COUNT.v1, inputs: {text: {from: args.text}}}]
result: {words: {from: steps.count.output.words, optional: true}}
EOF
# The plugin host, and how often it is asked for a list.
cat >host <<EOF
#!/bin/sh
[ "\$1" != --list ] || echo asked >>$tmp/asked
exec $BUILD_DIR/bin/toolhost "\$@"
EOF
chmod +x host
build() { manglecp build "$@" --plugins "$BUILD_DIR/plugins" --toolhost "$tmp/host" >out 2>log; }
# What the server says of snapshots, and of being ready.
serve() {
    rm -f asked
    { sleep 0.2; i=0; until grep -q ' ready: ' log || [ $i = 200 ]; do sleep 0.05; i=$((i + 1)); done; } |
        manglecp serve "$@" --stdio --log info --plugins "$BUILD_DIR/plugins" --toolhost "$tmp/host" >out 2>log
    grep -q ' ready: words, 1 tools, 1 actions' log
}
said() { grep -c ' snapshot ' log; }

serve d && [ "$(said)" = 0 ] && [ -f asked ]
verdict "without a snapshot nothing is said of one, and the plugin is asked" $?
build d && [ "$(find cache -name '*.snapshot' -perm 600 | wc -l)" = 1 ] && grep -q "^$tmp/cache/manglecp/[0-9a-f]*.snapshot: [0-9]* bytes\$" out
verdict "build puts it into the user's cache, for its owner alone" $?
file=$(find "$tmp/cache" -name '*.snapshot')
serve d && [ "$(said)" = 0 ] && [ ! -f asked ] && mv out first
verdict "with it the plugin is not asked, and nothing is said" $?
serve d --no-snapshot && [ -f asked ] && cmp -s out first
verdict "--no-snapshot starts from the folder, and says the same to clients" $?
sed -i 's/Count the words/Count all words/' d/tools/words.yaml
serve d && grep -q ' info snapshot .*: 2 of 4 parts are not in it: they changed since' log && [ ! -f asked ]
verdict "what has changed is read again, and one line says so" $?
build d && serve d && [ "$(said)" = 0 ]
verdict "it is made again in its place" $?
cp "$file" good
printf x | dd of="$file" bs=1 seek=200 conv=notrunc 2>out
serve d && grep -q " info snapshot $file: it is damaged: the domain is loaded from its folder alone" log && [ -f asked ]
verdict "a damaged one is told, and not used" $?
cp good "$file" && chmod 622 "$file"
serve d && grep -q "others than its owner may write it" log
verdict "nor one that others may write" $?
rm "$file"
build d -o own.snapshot && [ ! -e "$file" ] && serve d --snapshot own.snapshot && [ "$(said)" = 0 ] && [ ! -f asked ]
verdict "-o FILE and serve --snapshot FILE name another place" $?
serve d --snapshot none.snapshot && grep -q 'snapshot .*none.snapshot: No such file' log
verdict "a file that was named and is not there is told" $?
cp -r d e && serve e --snapshot own.snapshot && [ "$(said)" = 0 ] && [ ! -f asked ]
verdict "it fits the same folder elsewhere" $?
sed -i 's/count_words/count_letters/' d/rules/domain/10.mg
build d; [ $? = 1 ] && [ ! -e "$file" ] && grep -q 'd does not load, so nothing was made of it' log
verdict "of a domain with an error nothing is made" $?
cp -r e f && build f -o f.snapshot && sed -i 's/count_words/count_letters/' f/rules/domain/10.mg
manglecp serve f --snapshot f.snapshot --stdio --plugins "$BUILD_DIR/plugins" </dev/null >out 2>log
[ $? = 1 ] && grep -q count_letters log
verdict "rules that changed are checked again" $?
build e -o /nowhere/at/all; [ $? = 2 ] && grep -q '/nowhere/at/all could not be written' log
verdict "a file that cannot be written is told" $?
build; [ $? = 2 ] && ! HOME='' XDG_CACHE_HOME='' build e && grep -q 'say where with -o FILE' log
verdict "and so is what is missing" $?
echo "1..$count"
