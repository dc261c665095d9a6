# Every kind of fault that the rules of the browser domain know has a row of check and stands in KINDS.md.
set -u
rules=domains/browser/rules/effects
page=domains/browser/KINDS.md
files=$(ls $rules/[4-8]*.mg | grep -v _test)
word='"[a-z_]*"'
# Rules of suspect say the kind themselves, or take it from one of these tables.
kinds=$(cat $files | tr '\n' ' ' | sed 's/  */ /g' | grep -oE \
    "suspect\([A-Za-z]+, $word|answer_kind\(R, $word|missing_kind\($word, $word|status_kind\([0-9]+, $word|failure_kind\(\"[^\"]*\", $word|endless_words\(\"[^\"]*\", $word" |
    grep -oE "$word\$" | tr -d '"' | sort -u)
number=0
failed=0
say() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; failed=1; fi
}
[ "$(echo "$kinds" | wc -l)" -ge 60 ]
say $? "kinds are found in the rules"
missing=$(for kind in $kinds; do grep -q "\`$kind\`" $page || echo "$kind"; done)
[ -z "$missing" ]
say $? "each stands in KINDS.md${missing:+: not }$(echo $missing)"
missing=$(for kind in $kinds; do grep -q "^check(\"$kind\"" $files || echo "$kind"; done)
[ -z "$missing" ]
say $? "each has a row of check${missing:+: not }$(echo $missing)"
missing=$(for kind in $(grep -oE '`[a-z_]+`' $page | tr -d '\`' | sort -u); do
    grep -q "^[a-z]*(\"$kind\"\|($kind\|\"$kind\"" $files || echo "$kind"
done)
missing=$(echo $missing | tr ' ' '\n' | grep -vE '^(diagnose_page|suspect|trouble|causes|cleared|repair|check|change_at|check_by|integrity|fetch|old_server)$')
[ -z "$missing" ]
say $? "KINDS.md names no other${missing:+: }$(echo $missing)"
echo "1..$number"
exit $failed
