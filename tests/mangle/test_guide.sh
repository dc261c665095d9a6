# Every example of the language guide is run, and prints what the guide says. An example is a block
#
#     ```mangle
#     program
#     => options
#     what mangle run prints, diagnostics included
#     ```
#
# UPDATE_DOCS=1 rewrites what it says: review the difference like code.
set -u
guide=$PWD/docs/mangle.md
mangle=$BUILD_DIR/bin/mangle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
count=0
line=0
state=text

run_example() {
    local options=${arrow#=>} now="--eval-time 2026-02-19T12:00:00Z"
    [[ $options != *--eval-time* ]] || now=
    # shellcheck disable=SC2086 # options are words
    "$mangle" run example.mg $now $options >printed 2>&1 </dev/null
    count=$((count + 1))
    if cmp -s expected printed; then
        echo "ok $count - the example at line $begun"
    else
        echo "not ok $count - the example at line $begun"
        diff expected printed | sed 's/^/#   /'
    fi
}

: >updated
while IFS= read -r text; do
    line=$((line + 1))
    case $state:$text in
    'text:```mangle')
        state=program begun=$line
        : >example.mg
        : >expected
        ;;
    program:=\>*) state=output arrow=$text ;;
    program:'```')
        echo "not ok $((count += 1)) - the example at line $begun has no =>"
        state=text
        ;;
    program:*) printf '%s\n' "$text" >>example.mg ;;
    output:'```')
        run_example
        cat printed >>updated
        state=text
        ;;
    output:*)
        printf '%s\n' "$text" >>expected
        continue
        ;;
    esac
    printf '%s\n' "$text" >>updated
done <"$guide"
[ -z "${UPDATE_DOCS-}" ] || cp updated "$guide"
[ "$count" -ge 15 ] || echo "not ok $((count += 1)) - the guide has examples"
echo "1..$count"
