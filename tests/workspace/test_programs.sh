# The programs of the workspace domain by themselves: what they make of what tests print, how they search, what they refuse.
. tests/support/scratch.sh
command -v git >/dev/null || { echo "1..0 # SKIP git is not installed"; exit 0; }
programs=$root/domains/workspace
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.org
cp "$programs/programs/"*.awk "$programs/programs/"*.sh . && mkdir programs && mv -- *.awk *.sh programs
mkdir -p co/src && cd co && git init -q -b main && touch src/a.c src/b.py && git add . && git commit -q -m begin && cd ..
export TMPDIR=$tmp/work && mkdir "$TMPDIR"

# A program leads a process group of its own where it runs for real.
run() { setsid -w sh "programs/$1.sh" "$tmp/co" "${@:2}" >out 2>log; }
want() { # PYTHON-EXPRESSION over `o`: what was printed
    python3 -c 'import json, sys
o = json.load(open("out", encoding="utf-8"))
sys.exit(0 if eval(sys.argv[1]) else 1)' "$1"
}
printed() { printf '%b' "$1" >printed; run test "cat $tmp/printed; exit 1" 20 any; }

printed 'ok 1 - fine\nnot ok 2 - is broken\nnot ok 3 - later # TODO not yet\n    not ok 4 - inner\n'
want 'o["outcome"] == "failed" and o["exit"] == 1 and o["failed"] == ["is broken", "inner"]'
verdict "names come from TAP, but for what is to be done" $?
printed 'FAILED tests/test_a.py::test_x - assert 1\n--- FAIL: TestY (0.00s)\ntest mod::z ... FAILED\n[  FAILED  ] Suite.Case (3 ms)\n\t 12 - unit_test (Failed)\nFAIL: check-1\nFAIL some name\n'
want 'o["failed"] == ["tests/test_a.py::test_x", "TestY", "mod::z", "Suite.Case", "unit_test", "check-1", "some name"]'
verdict "and from what others print" $?
printed "src/a.c:12: error: x\n$tmp/co/src/a.c:13:5: y\n  File \"src/b.py\", line 7, in f\n\033[1m./src/a.c:14\033[0m\nsrc/none.c:1: z\n../co/src/a.c:15: z\n/etc/passwd:1: z\nsrc/a.c:12: again\n"
want '[(p["path"], p["line"]) for p in o["places"]] == [("src/a.c", 12), ("src/a.c", 13), ("src/b.py", 7), ("src/a.c", 14)]'
verdict "places are lines of files of the checkout" $?
printed 'a\0001b\0377c"\\d\0000e\n\0303\0244\n'
want 'o["output"] == "a\x01bc\"\\d" + "e\n\u00e4\n"'
verdict "whatever is printed is JSON" $?
run test 'yes 0123456789 | head -n 300000; echo not ok - last; exit 1' 20 any
want 'o["cut"] and len(o["output"]) <= 6100 and o["failed"] == ["last"]'
verdict "of much output the end is kept" $?
run test 'echo "[$1]"' 20 any '$(touch pwned)'
want 'o["output"] == "[$(touch pwned)]\n"' && [ ! -e co/pwned ]
verdict "the name of a test is one word" $?
run test 'no-such-program-here' 20 any && want 'o["outcome"] == "could_not_run"' && ! run test false 20 must_pass && grep -q 'have not passed' log
verdict "what cannot run is told, and what has to pass fails" $?
run test '' 20 any
[ $? -ne 0 ] && grep -q 'nobody knows how tests run here' log
verdict "without a command and a sign of one nothing runs" $?
printf 'test:\n\t@echo "not ok - of make $(TEST)"; false\n' >co/Makefile
run test '' 20 any x && want 'o["failed"] == ["of make x"] and "make -s test" in o["command"]'
verdict "make test is found" $?
rm co/Makefile

# ---- content ----
before=$(cd co && git status --porcelain && ls -A .git && sha256sum .git/index && find .git/objects | sort)
run content && want "o['rows'][0]['content'] == '$(git -C co rev-parse 'HEAD^{tree}')'"
verdict "the content of a clean checkout is its tree" $?
echo new >co/src/new.c && run content && cp out first && git -C co add . && run content && cmp -s out first
verdict "staged or not is all the same" $?
git -C co rm -q --cached src/new.c && rm co/src/new.c
[ "$before" = "$(cd co && git status --porcelain && ls -A .git && sha256sum .git/index && find .git/objects | sort)" ] ||
    [ "$(git -C co status --porcelain)" = "" ]
verdict "and nothing is left behind" $?
sh programs/content.sh "$tmp" >out && want 'o == {"rows": []}'
verdict "where there is no checkout there is no content" $?

# ---- what a checkout would have git run ----
printf '#!/bin/sh\ntouch "%s/pwned"\ncat\n' "$tmp" >evil && chmod +x evil
git init -q -b main outer && git -C outer init -q -b main inner && echo a >outer/inner/a
git -C outer/inner add a && git -C outer/inner commit -q -m a && git -C outer add inner 2>log && git -C outer commit -q -m inner
content() { setsid -w sh programs/content.sh "$tmp/outer" >out 2>log; }
git -C outer/inner config filter.evil.clean "$tmp/evil" && echo '* filter=evil' >outer/inner/.git/info/attributes
git -C outer/inner config core.fsmonitor "$tmp/evil" && echo b >outer/inner/a
content && want "o['rows'][0]['content'] == '$(git -C outer rev-parse 'HEAD^{tree}')'" && [ ! -e pwned ]
verdict "a repository below the checkout has no filter run" $?
git -C outer/inner -c filter.evil.clean= -c core.fsmonitor= commit -q -m b -a && content && cp out moved &&
    git -C outer add inner && want "o['rows'][0]['content'] == '$(git -C outer write-tree)'" && content && cmp -s out moved && [ ! -e pwned ]
verdict "its commit is content, staged or not" $?
mv outer/inner kept && mkdir outer/inner && content && cmp -s out moved && rmdir outer/inner &&
    content && want "o['rows'][0]['content'] == '$(git hash-object -t tree /dev/null)'"
verdict "and so it is where it is not checked out, and gone where its folder is" $?
git init -q -b main partial && for i in 1 2 3; do echo "$i" >partial/n && git -C partial add n && git -C partial commit -q -m "$i"; done
object=$(git -C partial rev-parse HEAD~1:n) && rm -f "partial/.git/objects/${object%"${object#??}"}/${object#??}"
git -C partial config remote.origin.promisor true && git -C partial config remote.origin.url "ext::touch $tmp/pwned"
git -C partial config protocol.ext.allow always
setsid -w sh programs/git.sh "$tmp/partial" log -S3 --format=%h HEAD >out 2>log
[ $? -ne 0 ] && [ ! -e pwned ]
verdict "what is missing in a partial clone is not fetched, by whatever a remote's address names" $?

# ---- bisect: 8 commits, of which the sixth brings the fault; the third does not build; a merge ----
for i in 1 2 3 4 5 6 7 8; do
    echo "$i" >co/n
    if [ "$i" = 3 ]; then touch co/broken; else rm -f co/broken; fi
    [ "$i" = 6 ] && touch co/fault
    git -C co add -A && git -C co commit -q -m "commit $i"
done
tests='[ ! -e broken ] || exit 125; [ ! -e fault ] || { echo "n:1: it fails"; exit 1; }'
run bisect "$tests" 60 HEAD~7 HEAD && want 'o["state"] == "found" and o["culprit"]["subject"] == "commit 6" and "it fails" in o["output"]'
verdict "what does not build is passed over" $?
run bisect '[ ! -e fault ] || exit 125' 60 HEAD~7 HEAD && want 'o["state"] == "bad_is_no_answer"'
verdict "an end that says nothing is told" $?
run bisect "[ \$(cat n) -lt 3 ] && exit 0; [ \$(cat n) -gt 5 ] && exit 1; exit 125" 60 HEAD~7 HEAD &&
    want 'o["state"] == "only_skipped_left" and o["left"] == 4'
verdict "where only those are left that say nothing, it ends" $?
run bisect 'exit 127' 60 HEAD~7 HEAD
[ $? -ne 0 ] && grep -q 'cannot be run' log
verdict "tests that cannot be run are no failure of a commit" $?
run bisect true 60 HEAD HEAD~1
[ $? -ne 0 ] && grep -q 'no ancestor' log && run bisect true 60 --all HEAD
[ $? -ne 0 ] && grep -q 'good is no commit' log
verdict "ends that are none are refused" $?
git -C co switch -q -c side HEAD~4 && echo side >co/side && git -C co add -A && git -C co commit -q -m side
git -C co switch -q main && git -C co merge -q --no-edit side 2>>log
run bisect "$tests" 60 HEAD~8 HEAD && want 'o["state"] == "found" and o["culprit"]["subject"] == "commit 6"'
verdict "a merge is no obstacle" $?
git -C co worktree add -q ../linked main~1 2>>log && git -C co worktree lock ../linked
setsid -w sh programs/bisect.sh "$tmp/linked" "$tests" 60 main~7 main >out 2>log && want 'o["state"] == "found"' &&
    setsid -w sh programs/content.sh "$tmp/linked" >out 2>log && want 'len(o["rows"]) == 1'
verdict "nor is a linked worktree" $?
git clone -q --depth 4 "file://$tmp/co" shallow 2>>log
setsid -w sh programs/bisect.sh "$tmp/shallow" "$tests" 60 HEAD~2 HEAD >out 2>log
{ want 'o["state"] in ("found", "good_fails")' || grep -q . log; } && sh programs/content.sh "$tmp/shallow" >out && want 'len(o["rows"]) == 1'
verdict "nor a shallow clone" $?
[ -z "$(ls -A "$TMPDIR")" ] && [ -z "$(git -C co status --porcelain)" ]
verdict "no search leaves anything behind" $?

# ---- sizes, format ----
printf '%1000s' x >'co/a "b"' && run sizes -- 'a "b"' src -none && want '[s["path"] for s in o["sizes"]] == ["a \"b\"", "src"] and o["sizes"][0]["bytes"] == 1000'
verdict "sizes are of whatever name" $?
ln -s /etc/passwd co/link
for path in ../x /etc/passwd link src none; do run format cat -- "$path" && break; done
[ $? -ne 0 ] && run format 'echo' -- src/a.c && [ "$(cat out)" = ./src/a.c ]
verdict "only files of the checkout are laid out" $?

# ---- definitions ----
if command -v ctags >/dev/null && ctags --list-features 2>/dev/null | grep -q '^json'; then
    printf 'int square(int x)\n{\n    return x * x;\n}\n' >co/src/a.c
    run definitions square && want 'o["path"] == "src/a.c" and o["line"] == 1 and o["kind"] == "function" and "_type" not in o'
    verdict "ctags tells what a definition is" $?
else
    count=$((count + 1)) && echo "ok $count - ctags tells what a definition is # SKIP Universal Ctags is not installed"
fi
echo "1..$count"
