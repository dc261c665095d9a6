# Every example of the pages on the language is run, and prints what the page says. An example is
#
#     ```mangle
#     program
#     => options of mangle run, or another command with its options
#     what it prints, diagnostics included
#     ```
#
# UPDATE_DOCS=1 rewrites what the pages say: review the difference like code.
set -u
pages=("$PWD/docs/mangle.md" "$PWD/docs/learn-mangle.md" "$PWD/docs/mangle-dialect.md")
mangle=$BUILD_DIR/bin/mangle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
count=0

result() { # STATUS NAME
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}

run_example() {
    local command=run now=(--eval-time 2026-02-19T12:00:00Z) words
    eval "words=(${arrow#=>})" # quotes as in a shell
    case ${words[0]-} in
    [a-z]*) command=${words[0]} words=("${words[@]:1}") ;;
    esac
    case "$command ${words[*]-}" in
    *--eval-time* | check* | fmt*) now=() ;;
    esac
    "$mangle" "$command" example.mg ${now[@]+"${now[@]}"} ${words[@]+"${words[@]}"} >printed 2>&1 </dev/null
    cmp -s expected printed
    result $? "$page: the example at line $begun"
    diff expected printed | sed 's/^/#   /'
}

run_page() { # FILE
    local line=0 state=text begun=0 arrow='' text page=${1##*/} before=$count
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
            result 1 "$page: the example at line $begun has a =>"
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
    done <"$1"
    [ -z "${UPDATE_DOCS-}" ] || cp updated "$1"
    [ $((count - before)) -ge 3 ]
    result $? "$page has examples"
}

for page_file in "${pages[@]}"; do
    run_page "$page_file"
done
echo "1..$count"
