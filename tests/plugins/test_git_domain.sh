# The plugin git behind a server, confined to its repository: its schemas are ones that the server takes, its actions
# make tools, what changes something waits for consent, and nothing outside of what was granted is reached.
. tests/support/scratch.sh manglecp toolhost
[ -e "$BUILD_DIR/plugins/git.so" ] || { echo "1..0 # SKIP plugins/git.so is not built"; exit 0; }
echo 1..7

export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
mkdir -p shop/tools shop/rules/domain
git init -q -b main repo
git -C repo config user.name Ann
git -C repo config user.email ann@example.org
printf 'one\ntwo\n' >repo/a
git -C repo add . && git -C repo commit -qm first && git -C repo worktree add -q -b side ../linked
domain() { # MAY READ WRITE SETTINGS
    cat >shop/domain.yaml <<END
server: {name: shop, version: 0.1.0}
domain: {id: shop, description: What happened to a file}
intents:
  - {name: look, description: Find who wrote what, open: true}
actions:
  plugins:
    - {name: git, may: [$1], read: [$2], write: [$3], settings: {$4}}
END
}
cat >shop/tools/blame.yaml <<'END'
tool: blame
summary: Who wrote the lines of a file, and what is there to do.
description: Finds which commit brought each line of a file, and how the repository stands.
input_schema: {type: object, additionalProperties: false, required: [path], properties: {path: {type: string}}}
steps:
  - id: status
    action: AID.GIT.STATUS.v1
  - id: blame
    action: AID.GIT.BLAME.v1
    inputs: {path: {from: args.path}}
result: {branch: {from: steps.status.output.head.branch}, hunks: {from: steps.blame.output.hunks}}
END
cat >shop/rules/domain/relevance.mg <<'END'
tool_relevant_to_intent("blame", "look", 90).
END
domain file_read "$tmp/repo" "" "repository: $tmp/repo"
manglecp check shop >out 2>log
verdict "a domain of the plugin is without fault" $?

# one tool by its id
id_of() {
    manglecp intent shop look --json 2>>log | tr ',{' '\n\n' | sed -n "s/.*\"macro_id\":\"\($1[^\"]*\)\".*/\1/p" | head -n 1
}
id=$(id_of blame)
manglecp invoke shop "$id" --intent look --arg path=a --json >out 2>>log
grep -q '"branch":"main"' out && grep -q '"text":"one\\ntwo\\n"' out
verdict "its actions make a tool that reads, with the right to read files alone" $?

# A linked worktree whose shared folder is not granted, and then is.
domain file_read "$tmp/linked" "" "repository: $tmp/linked"
manglecp invoke shop "$id" --intent look --arg path=a --json >out 2>>log
! grep -q '"branch"' out && grep -q 'a confined plugin needs the folder in' log
verdict "what was not granted is told" $?
domain file_read "$tmp/linked, $tmp/repo/.git" "" "repository: $tmp/linked"
manglecp invoke shop "$(id_of blame)" --intent look --arg path=a --json >out 2>>log
grep -q '"branch":"side"' out
verdict "a linked worktree needs its shared folder" $?

# Objects behind a link: no check of the plugin looks there, the kernel does.
git init -q private && echo secret >private/s && git -C private add . && git -C private -c user.name=x -c user.email=x commit -qm s
cp -r repo evil && secret=$(git -C private rev-parse HEAD)
for folder in private/.git/objects/??; do rm -rf "evil/.git/objects/${folder##*/}" && ln -s "$tmp/$folder" evil/.git/objects/; done
git -C evil update-ref refs/heads/main "$secret" 2>/dev/null || echo "$secret" >evil/.git/refs/heads/main
cat >shop/tools/log.yaml <<'END'
tool: log
summary: What happened.
description: Lists the last commits of the repository.
input_schema: {type: object, additionalProperties: false, properties: {}}
steps:
  - id: log
    action: AID.GIT.LOG.v1
    failure_text: The history cannot be read.
result: {commits: {from: steps.log.output.commits}}
END
echo 'tool_relevant_to_intent("log", "look", 80).' >>shop/rules/domain/relevance.mg
domain file_read "$tmp/evil" "" "repository: $tmp/evil"
manglecp invoke shop "$(id_of log)" --intent look --json >out 2>>log
echo '{"settings":{"repository":"'"$tmp"'/evil"}}' >open.json
echo '{"inputs":{}}' | toolhost --run "$BUILD_DIR/plugins/git.so" AID.GIT.LOG.v1 --config open.json >unconfined 2>>log
grep -q 'The history cannot be read' out && ! grep -q '"subject"' out && grep -q 'subject.*:.*"s' unconfined
verdict "what a link leads to is read only if it was granted" $?

cat >shop/tools/commit.yaml <<'END'
tool: commit
summary: Record the changes of a file.
description: Stages a file and commits it.
input_schema: {type: object, additionalProperties: false, required: [path, message], properties: {path: {type: string}, message: {type: string}}}
steps:
  - id: stage
    action: AID.GIT.STAGE.v1
    inputs: {paths: [{from: args.path}]}
  - id: commit
    action: AID.GIT.COMMIT.v1
    inputs: {message: {from: args.message}}
  - id: clean
    action: AID.GIT.CLEAN.v1
result: {id: {from: steps.commit.output.id}, branch: {from: steps.commit.output.branch}}
END
echo 'tool_relevant_to_intent("commit", "look", 70).' >>shop/rules/domain/relevance.mg
domain "file_read, file_write" "$tmp/repo" "$tmp/repo" "repository: $tmp/repo, write: true"
echo three >>repo/a
id=$(id_of commit)
manglecp invoke shop "$id" --intent look --arg path=a --arg message=three --json </dev/null >out 2>>log
grep -q "needs the user's consent" log && [ "$(git -C repo rev-list --count HEAD)" = 1 ]
verdict "what changes a repository waits for consent" $?

manglecp invoke shop "$id" --intent look --arg path=a --arg message=three --yes --json >out 2>>log
grep -q '"branch":"main"' out && [ "$(git -C repo log -1 --format=%s)" = three ] && [ -z "$(git -C repo status --porcelain)" ]
verdict "and is done when it has it, confined to the folder that was granted" $?
