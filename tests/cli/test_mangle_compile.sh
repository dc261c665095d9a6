# mangle compile: a file from which run and explain begin; refused when it is stale or damaged.
. tests/support/mangle_cli.sh

cat >rules.mg <<'EOF'
Decl seen(X) temporal.
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
fresh(X) :- <-[7d] seen(X).
EOF
printf '/a,/b\n/b,/c\n' >edge.csv
cat >seen.mg <<'EOF'
seen(/a)@[2026-02-18T09:00:00Z].
seen(/b)@[2025-02-18T09:00:00Z].
EOF
facts='--facts edge.csv --facts seen.mg'
now='--eval-time 2026-02-19T12:00:00Z'

is "it is made" "$(says compile rules.mg $facts -o all.mgc | sed 's/[0-9][0-9]* bytes/N bytes/')" "all.mgc: N bytes
status 0"
# M-EVAL-1
is "run answers from it as from the files" "$(says run all.mgc $now)" "$(says run rules.mg $facts $now)"
is "now is that of the run" "$(says run all.mgc --eval-time 2025-02-19T12:00:00Z --query fresh)" 'fresh(/b).
status 0'
is "explain proves from it" "$(says explain all.mgc $now --goal 'path("/a", "/c")')" \
    "$(says explain rules.mg $facts $now --goal 'path("/a", "/c")')"
is "what is named beside it is compared" "$(says run all.mgc rules.mg $facts $now --query fresh)" 'fresh(/a).
status 0'
is "the same facts may have moved" "$(mkdir d; cp edge.csv d/; says run all.mgc --facts d/edge.csv --facts seen.mg --query 'edge(X, "/c")')" \
    'edge("/b","/c").
status 0'

cp rules.mg old.mg
echo '# more' >>rules.mg
is "a changed source is told" "$(says run all.mgc rules.mg $now)" 'error: cannot use all.mgc: rules.mg has changed since
  hint: mangle compile makes it anew.
status 2'
is "another number of sources is told" "$(says run all.mgc old.mg rules.mg $now)" 'error: cannot use all.mgc: it was compiled from other files
  hint: mangle compile makes it anew.
status 2'
cp old.mg rules.mg
printf '/a,/c\n' >edge.csv
is "changed facts are told" "$(says run all.mgc $facts $now)" 'error: cannot use all.mgc: edge.csv has changed since
  hint: mangle compile makes it anew.
status 2'
is "other facts are told" "$(says run all.mgc --facts seen.mg $now)" 'error: cannot use all.mgc: it was compiled with other facts
  hint: mangle compile makes it anew.
status 2'
is "checks that were not made are told" "$(says run all.mgc --check-bounds)" \
    'error: cannot use all.mgc: it was compiled without --check-bounds
  hint: mangle compile makes it anew.
status 2'

stale() { # WHY: what the refusal of f is
    echo "error: cannot use f: $1
  hint: mangle compile makes it anew.
status 2"
}
printf 'Decl p(X).\nDecl q(X).\nboth(X) :- p(X), q(X).\n' >pq.mg
printf '1\n' >x.csv
cp x.csv x.tsv
says compile pq.mg --facts p=x.csv -o f >/dev/null
is "the same bytes of another predicate are told" "$(says run f pq.mg --facts q=x.csv)" \
    "$(stale 'it was compiled with --facts p=x.csv, not q=x.csv')"
is "and in another form" "$(says run f --facts p=x.tsv)" \
    "$(stale 'it was compiled with --facts p=x.csv, not p=x.tsv')"
is "a name that says the same is the same" "$(cp x.csv p.csv; says run f pq.mg --facts p.csv --query p)" 'p(1).
status 0'
mkdir -p dom/rules dom/facts
touch dom/domain.yaml
cp pq.mg dom/rules/
cp x.csv dom/facts/p.csv
says compile dom -o f >/dev/null
is "a domain is compared whole" "$(says run f dom --query p)" 'p(1).
status 0'
mv dom/facts/p.csv dom/facts/q.csv
is "a file of facts in it that was renamed is told" "$(says run f dom)" \
    "$(stale 'it was compiled with --facts dom/facts/p.csv, not dom/facts/q.csv')"
rm dom/facts/q.csv
is "one that is gone is told" "$(says run f dom)" "$(stale 'it was compiled with other facts')"

head -c 200 all.mgc >cut.mgc
is "a part of it is refused" "$(says run cut.mgc)" 'error: cannot use cut.mgc: it is not whole
  hint: mangle compile makes it anew.
status 2'
cp all.mgc long.mgc
truncate -s 100G long.mgc
is "one that is too long is refused before it is read" "$(timeout 20 "$mangle" run long.mgc 2>&1)" \
    'error: cannot use long.mgc: it is not whole
  hint: mangle compile makes it anew.'
rm long.mgc
{ head -c 300 all.mgc; printf X; tail -c +302 all.mgc; } >bad.mgc
is "damage is refused" "$(says run bad.mgc)" 'error: cannot use bad.mgc: it is damaged
  hint: mangle compile makes it anew.
status 2'
sed 's/mangle 0/mangle 9/' all.mgc >version.mgc
is "another version is refused" "$(says run version.mgc)" \
    'error: cannot use version.mgc: another version of the program made it
  hint: mangle compile makes it anew.
status 2'

echo 'p(X) :- q(X' >wrong.mg
says compile wrong.mg -o wrong.mgc >out
is "a wrong program is told" "$(tail -1 out; ls wrong.mgc 2>&1 | grep -c No)" 'status 1
1'
is "without -o there is nothing to do" "$(says compile rules.mg | head -1)" 'error: mangle compile needs a program file, and -o FILE'
spared() { # WHICH FILE ARGUMENT...: it is refused as the output, and stays
    local was
    was=$(md5sum <"$1")
    says compile "${@:2}" -o "$1"
    [ "$was" = "$(md5sum <"$1")" ] || echo "but $1 was overwritten"
}
over() {
    echo "error: -o $1 would overwrite what it is made of
  hint: Give the compiled file a name of its own.
status 2"
}
ln -s rules.mg link.mg
cp x.csv dom/facts/p.csv
is "a program is not overwritten" "$(spared rules.mg rules.mg)" "$(over rules.mg)"
is "nor behind a link" "$(spared link.mg rules.mg)" "$(over link.mg)"
is "nor facts" "$(spared ./x.csv pq.mg --facts p=x.csv)" "$(over ./x.csv)"
is "nor what is in a folder" "$(spared dom/rules/pq.mg dom; spared dom/facts/p.csv dom)" \
    "$(over dom/rules/pq.mg; over dom/facts/p.csv)"
is "what it made before is" "$(says compile pq.mg -o f >/dev/null; says compile pq.mg -o f | tail -1)" 'status 0'
is "once is enough" "$(says compile all.mgc -o b.mgc)" 'error: all.mgc is compiled already
status 2'
is "limits hold" "$(says compile rules.mg --facts seen.mg --facts edge.csv --max-facts 0 --max-memory-mb 0 --timeout-ms 100000 -o c.mgc | tail -1;
    says run all.mgc --max-facts 1 $now | tail -1)" 'status 0
status 3'
# M-TEMP-10
echo '{"pred":"seen","args":["/c"],"t":{"at":"now"}}
{"pred":"seen","args":["/d"],"t":{"start":"_","end":"now"}}
{"pred":"seen","args":["/e"],"t":{"start":"2026-02-18T09:00:00Z","end":"_"}}' >now.jsonl
why='error: "t": "now" cannot be kept for later: write an instant, or the fact into the program, @[now]'
is "now is not kept in facts" "$(says compile rules.mg --facts now.jsonl --facts edge.csv $now -o now.mgc; ls now.mgc 2>&1 | grep -c No)" \
    "now.jsonl:1: $why
now.jsonl:2: $why
status 1
1"
echo 'seen("/c")@[now].' >now.mg
is "it is that of the run in a program" "$(says compile rules.mg now.mg --facts edge.csv -o now.mgc >/dev/null; says run now.mgc $now --query seen)" \
    'seen("/c")@[2026-02-19T12:00:00Z].
status 0'

# A look at the first file takes nothing out of a pipe, and does not wait for one.
echo 'p(1). q(X) :- p(X).' >small.mg
mkfifo pipe
piped() { # WHAT IT READS ARGUMENT...: run or explain over what another program writes
    local path=$1
    shift
    if [ "$path" = pipe ]; then
        { timeout 20 cat small.mg >pipe; } &
        timeout 20 "$mangle" "$@" 2>&1
        wait
    else
        cat small.mg | timeout 20 "$mangle" "$@" 2>&1
    fi
}
for path in pipe /dev/stdin -; do
    is "run reads a program from $path" "$(piped $path run $path --query q)" 'q(1).'
    is "explain reads a program from $path" "$(piped $path explain $path --goal 'q(1)')" \
        "$("$mangle" explain small.mg --goal 'q(1)' | sed "s|small.mg|$([ $path = - ] && echo '<stdin>' || echo $path)|")"
done
is "a file behind /dev/stdin is read, too" "$(says run /dev/stdin --query q <small.mg)" 'q(1).
status 0'
printf 'Decl p(X) bound [/number].\np("a").\n' >bounds.mg
"$mangle" compile bounds.mg -o bounds.mgc >/dev/null
is "facts are checked by the run" "$(says run bounds.mgc --check-facts)" "$(says run bounds.mg --check-facts)"
is "not by compile" "$(says compile bounds.mg --check-facts -o bounds.mgc | grep -c 'check-facts')" 1
echo "1..$count"
