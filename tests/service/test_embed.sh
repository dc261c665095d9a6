# The embedding example is short, is built against the public header, serves, answers itself and ends.
set -u
program=$BUILD_DIR/examples/example_embed
echo "1..3"
number=0
check() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; sed 's/^/#   /' "$tmp"/*; fi
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
[ "$(wc -l <examples/embed.c)" -lt 60 ]
check $? "the example is under 60 lines"
timeout 60 "$program" domains/browser "$BUILD_DIR/bin/" >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status = 0 ] && [ ! -s "$tmp/err" ] && grep -q '"type":"manifest".*"endpoints"' "$tmp/out"
check $? "a program serves a folder, asks it, and stops it"
timeout 60 "$program" tests/domains/nowhere >"$tmp/out" 2>"$tmp/err"
[ $? = 1 ] && grep -q "nowhere is not a domain folder" "$tmp/err"
check $? "what is wrong is a text"
