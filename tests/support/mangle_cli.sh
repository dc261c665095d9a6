# For tests of the program mangle: sourced from a script that stands in the source folder. Goes to an
# empty folder, which is removed at the end; `mangle` is the program, `count` the tests so far.
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

# skip NAME WHY
skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# says COMMAND ARGUMENT...: what mangle prints, what it says, and its status, as one text.
says() {
    "$mangle" "$@" 2>&1
    echo "status $?"
}
